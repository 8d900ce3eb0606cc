import Evaluation
import Pipeline
import PoseModel
import Testing

@Suite struct PerturbationTests {
  /// A trunk of 0.2 image heights, from (0.5, 0.3) to (0.5, 0.5); shoulders and hips 0.1 apart; knees and wrists below.
  private static func poses(
    frames: Int, rate: Double = 30, depth: Bool = false, skeleton: Skeleton = .coco17
  ) -> PoseSequence {
    let places: [Joint: (Float, Float, Float)] = [
      .leftShoulder: (0.55, 0.3, 0.02), .rightShoulder: (0.45, 0.3, -0.02), .leftHip: (0.55, 0.5, 0.02),
      .rightHip: (0.45, 0.5, -0.02), .leftKnee: (0.55, 0.7, -0.1), .rightKnee: (0.45, 0.7, -0.1),
      .leftWrist: (0.6, 0.5, 0), .rightWrist: (0.4, 0.5, 0), .neck: (0.5, 0.3, 0), .root: (0.5, 0.5, 0),
    ]
    let channels: [Channel] = depth ? [.x, .y, .z, .confidence] : [.x, .y, .confidence]
    var values: [Float] = []
    for _ in 0..<frames {
      for name in skeleton.keypoints {
        let place = Joint(name: name).flatMap { places[$0] }
        values += [place?.0 ?? .nan, place?.1 ?? .nan]
        if depth { values.append(place?.2 ?? .nan) }
        values.append(place == nil ? 0 : 0.9)
      }
    }
    return PoseSequence(
      Keypoints(
        times: (0..<frames).map { Microseconds(frame: $0, rate: rate) }, keypointCount: skeleton.keypoints.count,
        channels: channels, frames: values),
      skeleton: skeleton, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }

  private func perturbed(
    _ text: String, _ poses: PoseSequence, seed: UInt64 = 1, skeleton: Skeleton = .coco17, clip: String = "set/one"
  ) throws -> PoseSequence {
    try Perturbations(text, seed: seed).poses(poses, of: skeleton, clip: clip)
  }

  private func values(_ poses: PoseSequence) -> [UInt32] {
    Joint.allCases.flatMap { joint in
      Channel.allCases.flatMap { channel in poses.column(joint, channel).map(\.bitPattern) }
    }
  }

  private func isThere(_ joint: Joint, _ poses: PoseSequence) -> [Bool] {
    (0..<poses.frameCount).map { poses[joint, .x, $0].isFinite }
  }

  @Test(arguments: [
    "noise=0%", "dropout=0%", "swap=0%", "view=0°", "fps=30", "fps=1000", "latency=0ms",
    "noise=0%,dropout=0,fps=60,view=-0deg,swap=0%,latency=0s",
  ]) func noStrengthChangesNothing(_ text: String) throws {
    let poses = Self.poses(frames: 40, depth: true)
    let same = try perturbed(text, poses)
    #expect(values(same) == values(poses) && same.times == poses.times)
  }

  @Test(arguments: ["noise=2%", "dropout=20%", "swap=30%"]) func theSeedDecides(_ text: String) throws {
    let poses = Self.poses(frames: 200)
    let once = values(try perturbed(text, poses))
    #expect(values(try perturbed(text, poses)) == once)
    #expect(values(try perturbed(text, poses, seed: 2)) != once)
    #expect(values(try perturbed(text, poses, clip: "set/two")) != once)
    #expect(once != values(poses))
  }

  /// The mean distance of a normal deviate from its mean is √(2/π) of its standard deviation: of 5 % of 0.2, 0.00798.
  @Test func noiseIsAShareOfTheTrunk() throws {
    let poses = Self.poses(frames: 3_000)
    func displacement(_ text: String) throws -> Float {
      let noisy = try perturbed(text, poses)
      let way = (0..<3_000).map { abs(noisy[.leftKnee, .x, $0] - 0.55) + abs(noisy[.leftKnee, .y, $0] - 0.7) }
      return way.reduce(0, +) / 6_000
    }
    let steps = try ["0%", "1%", "2%", "5%", "10%", "20%"].map { try displacement("noise=\($0)") }
    #expect(steps[0] == 0)
    #expect(abs(steps[3] - 0.00798) < 0.0004)
    for (less, more) in zip(steps, steps.dropFirst()) { #expect(less < more) }
    // Those that are missing stay so.
    #expect(!isThere(.leftAnkle, try perturbed("noise=5%", poses)).contains(true))
  }

  /// The variance of a mean of two is half of theirs.
  @Test func middlesFollowTheirEnds() throws {
    let noisy = try perturbed("noise=5%", Self.poses(frames: 500))
    for frame in 0..<500 {
      let middle = (noisy[.leftHip, .x, frame] + noisy[.rightHip, .x, frame]) / 2
      #expect(abs(noisy[.root, .x, frame] - middle) < 1e-6)
    }
    let hidden = try perturbed("occlude=left_shoulder+left_hip+right_hip", Self.poses(frames: 3))
    #expect(isThere(.neck, hidden) == [true, true, true] && isThere(.root, hidden) == [false, false, false])
    #expect(hidden[.neck, .x, 0] == hidden[.rightShoulder, .x, 0])
    // An estimator that finds necks finds it still.
    let own = try perturbed(
      "occlude=left_shoulder", Self.poses(frames: 3, skeleton: .body25), skeleton: .body25)
    #expect(isThere(.neck, own) == [true, true, true] && isThere(.leftShoulder, own) == [false, false, false])
  }

  @Test func noiseNeedsATrunk() throws {
    let poses = try perturbed("occlude=shoulder", Self.poses(frames: 3))
    #expect {
      _ = try perturbed("noise=1%", poses)
    } throws: {
      "\($0)"
        == "noise=1% of clip set/one: expected a trunk as the scale of the noise, found no frame with shoulders and hips"
    }
  }

  /// A fifth of the time, in bursts of 0.2 s: 0.8 s between them, whatever the frame rate.
  @Test(arguments: [15.0, 60]) func dropoutComesInBursts(_ rate: Double) throws {
    let frames = Int(rate * 1_000)
    let lost = isThere(.leftWrist, try perturbed("dropout=20%", Self.poses(frames: frames, rate: rate))).map { !$0 }
    let share = Double(lost.count { $0 }) / Double(frames)
    #expect(abs(share - 0.2) < 0.03)
    // From frame to frame: lost after being found with 0.2 (1 − e^(−dt / 0.16)).
    let began = Double(zip(lost, lost.dropFirst()).count { !$0 && $1 }) / Double(lost.count { !$0 })
    let expected = rate == 15 ? 0.2 * (1 - 0.65924) : 0.2 * (1 - 0.90107)
    #expect(abs(began / expected - 1) < 0.15)
    let other = isThere(.rightWrist, try perturbed("dropout=20%", Self.poses(frames: frames, rate: rate)))
    #expect(other != lost.map { !$0 })
  }

  @Test func framesAreLeftOut() throws {
    func kept(_ text: String, of rate: Double) throws -> [Int] {
      try perturbed(text, Self.poses(frames: 11, rate: rate)).times.map { Int(($0.seconds * rate).rounded()) }
    }
    #expect(try kept("fps=10", of: 30) == [0, 3, 6, 9])
    // 25 a second: a tenth of a second is two and a half frames.
    #expect(try kept("fps=10", of: 25) == [0, 3, 5, 8, 10])
    #expect(try kept("fps=20", of: 30) == [0, 2, 3, 5, 6, 8, 9])
    #expect(try kept("fps=31", of: 30) == Array(0...10))
  }

  /// Hips in the middle at (0.5, 0): a knee 0.05 to the left of it and 0.1 nearer is, a quarter turn on, 0.1 to the right
  /// and 0.05 away.
  @Test func theViewTurnsAboutTheVertical() throws {
    let poses = Self.poses(frames: 2, depth: true)
    let turned = try perturbed("view=+90°", poses)
    #expect(abs(turned[.rightKnee, .x, 1] - 0.6) < 1e-6 && turned[.rightKnee, .y, 1] == 0.7)
    #expect(abs(turned[.rightKnee, .z, 1] - -0.05) < 1e-6)
    let twice = try perturbed("view=30°,view=60°", poses)
    for joint in [Joint.leftKnee, .rightShoulder, .neck] {
      #expect(abs(twice[joint, .x, 0] - turned[joint, .x, 0]) < 1e-6)
    }
  }

  /// Hips in the middle at 0.5: a knee 0.05 to the left of it is half as far after a turn by 60°, whose cosine is 0.5.
  @Test func whatHasNoDepthIsTurnedAsIfItWereFlat() throws {
    let poses = Self.poses(frames: 2)
    let turned = try perturbed("view=+60°", poses)
    for joint in [Joint.leftKnee, .rightKnee, .leftShoulder, .neck] {
      #expect(abs((turned[joint, .x, 1] - 0.5) - (poses[joint, .x, 1] - 0.5) / 2) < 1e-6)
      #expect(turned[joint, .y, 1] == poses[joint, .y, 1])
    }
    #expect(abs(poses[.rightKnee, .x, 1] - 0.45) < 1e-6 && abs(turned[.rightKnee, .x, 1] - 0.475) < 1e-6)
    #expect {
      _ = try perturbed("view=-76°", poses)
    } throws: {
      "\($0)" == "view=-76° of clip set/one: expected depth (z) for a turn by more than 75°, found none"
    }
  }

  @Test func sidesAreSwappedInRuns() throws {
    let swapped = try perturbed("swap=10%", Self.poses(frames: 30_000))
    let flips = (0..<30_000).map { swapped[.leftKnee, .x, $0] == 0.45 }
    #expect(abs(Double(flips.count { $0 }) / 30_000 - 0.1) < 0.02)
    for frame in 0..<30_000 {
      #expect((swapped[.rightWrist, .x, frame] == 0.6) == flips[frame])
      #expect(swapped[.root, .x, frame] == 0.5)
    }
  }

  @Test func namedJointsAreHidden() throws {
    let hidden = try perturbed("occlude=left_wrist+knee", Self.poses(frames: 2))
    for joint in [Joint.leftWrist, .leftKnee, .rightKnee] { #expect(isThere(joint, hidden) == [false, false]) }
    #expect(hidden[.leftKnee, .confidence, 0] == 0 && isThere(.rightWrist, hidden) == [true, true])
  }

  @Test func theyHappenInTheOrderWritten() throws {
    let poses = Self.poses(frames: 60)
    let both = try perturbed("fps=10,noise=5%", poses)
    let other = try perturbed("noise=5%,fps=10", poses)
    #expect(both.times == other.times && values(both) != values(other))
    // Of frames that are left out before, nothing is drawn.
    #expect(values(both) == values(try perturbed("fps=30,noise=5%", try perturbed("fps=10", poses))))
    #expect(try Perturbations("latency=100ms,noise=1%,latency=0.2s", seed: 1).delay == Microseconds(300_000))
  }

  @Test func textAndBack() throws {
    let text = "noise=2%,dropout=12.5%,fps=7.5,view=-30°,swap=1%,occlude=left_knee+right_knee,latency=150ms"
    #expect(try Perturbations(text, seed: 1).text == text)
    #expect(
      try Perturbations("noise=0.02,view=30deg,occlude=knee,latency=0.15s,fps=10fps", seed: 1).text
        == "noise=2%,view=+30°,occlude=left_knee+right_knee,latency=150ms,fps=10")
    for kind in Perturbations.all {
      let profile = kind.profile
      #expect(throws: Never.self) { try Perturbations("\(profile.name)=\(profile.example)", seed: 1) }
      let strengths = try profile.ladder.map { try kind.init($0).strength }
      #expect(strengths == strengths.sorted() && Set(strengths).count == strengths.count && !strengths.contains(0))
    }
  }

  @Test(arguments: [
    ("noise", "expected <perturbation>=<amount> such as noise=2%, found \"noise\""),
    ("", "expected <perturbation>=<amount> such as noise=2%, found nothing"),
    (
      "noize=2%",
      "expected one of the perturbations noise, dropout, fps, view, swap, occlude, latency, found \"noize\", did you mean "
        + "noise?"
    ),
    ("noise=2%,dropout=120%", "expected dropout= with 0% to 100% of the joints, found \"120%\""),
    ("noise=-1%", "expected noise= with 0% to 100% of the trunk's length, found \"-1%\""),
    ("noise=nan", "expected noise= with 0% to 100% of the trunk's length, found \"nan\""),
    ("fps=0", "expected fps= with 0.1 to 1000 frames a second, found \"0\""),
    ("latency=1h", "expected latency= with 0 to 60000 ms, or seconds as in 0.1s, found \"1h\""),
  ]) func whatMakesNoSenseIsRefused(_ text: String, _ expected: String) throws {
    #expect {
      _ = try Perturbations(text, seed: 1)
    } throws: {
      "\($0)" == expected
    }
  }

  @Test func anUnknownJointListsNearOnes() throws {
    #expect {
      _ = try Perturbations("occlude=left_nee", seed: 1)
    } throws: {
      "\($0)".contains("found \"left_nee\", did you mean left_knee")
    }
  }
}
