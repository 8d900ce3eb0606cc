import Coaching
import Foundation
import PoseModel
import Testing

/// Reps of a figure that moves from one posture to another, stays there for half a second, and comes back.
@Suite struct FormJudgeTests {
  /// 0 at the start of a rep, 1 at its turn: a second there, half a second at the turn, a second back, half a second's
  /// rest.
  private static func share(_ index: Int) -> Double {
    let time = Double(index % 90) / 30
    return time < 1 ? time : time < 1.5 ? 1 : max(0, 2.5 - time)
  }

  /// Figures whose legs move alike are judged as lunges too.
  private static let withoutGate = ["leastOdds": -7.0, "leastOddsInPicture": -7]

  private func events<Form: JudgedExercise>(
    _ form: Form.Type, _ indices: [Int] = Array(0..<90), _ values: [String: Double] = [:],
    of frame: (Double) -> PoseFrame
  ) throws -> [Event] {
    var judge = LiveDetector(try FormJudge<Form>(replacing: values))
    return indices.flatMap { index in
      var posed = frame(Self.share(index))
      posed.time = Microseconds(frame: index, rate: 30)
      return judge.update(posed)
    }
  }

  /// With a depth of NaN there is none.
  private func squat(thigh: Double, trunk: Double, arms: Double, depth: Float = 0) -> (Double) -> PoseFrame {
    { share in
      var frame = SideFigure(
        shank: 30 * share, thigh: -thigh * share, trunk: trunk * share, upperArm: arms, forearm: arms
      ).frame()
      frame.setHips(depth: depth)
      return frame
    }
  }

  /// A rep, its known measures' distances from half way, and its faults.
  struct Case: Sendable {
    var rep: [Double]
    var distances: [Double]
    var faults: [String] = []

    init(_ rep: [Double], _ distances: [Double], _ faults: [String] = []) {
      (self.rep, self.distances, self.faults) = (rep, distances, faults)
    }

    /// The logistic of 6.5 times the mean of the distances beyond the offset.
    func check(_ events: [Event], offset: Double) {
      let grade = 100 / (1 + exp(6.5 * (distances.reduce(0, +) / Double(distances.count) - offset)))
      #expect(events.grades.count == 1)
      #expect(abs((events.grades.first ?? .nan) - grade) < 0.1, "\(events.grades) for \(grade): \(rep)")
      #expect(events.faults == faults)
    }
  }

  /// Leans of thigh, trunk and arms. The distances are those of the thighs' lean, the knees' range, the drops of hips and
  /// shoulders, the trunk's lean, and three of raised arms; knees and shoulders that coincide are unknown.
  ///
  /// Thighs of 40° are (40 − 85.3) / −11.8 from half way, at most 3; knees that bend by 70°, (70 − 109.85) / −12.9; hips
  /// that fall by 0.246 (1 − cos 30°) + 0.245 (1 − cos 40°) of 0.288, 0.3135, are (0.3135 − 0.842) / −0.194.
  @Test(arguments: [
    Case([101, 20, 40], .init(repeating: -0.5, count: 8)), Case([130, 10, 20], .init(repeating: -0.5, count: 8)),
    Case([101, 62.25, 40], [-0.5, -0.5, -0.5, -0.5, 3, -0.5, -0.5, -0.5]),
    Case([101, 20, 103], [-0.5, -0.5, -0.5, -0.5, -0.5, 3, -0.5, -0.5]),
    Case([101, 20, 180], .init(repeating: -0.5, count: 5)),
    Case([40, 20, 40], [3, 3, 2.7244, 3, -0.5, -0.5, -0.5, -0.5], ["shallow"]),
    Case([75, 62.25, 180], [0.8729, 0.3760, 0.5002, -0.5, 3], ["shallow", "forward_lean"]),
  ])
  func squatsAreGraded(_ graded: Case) throws {
    let (thigh, trunk, arms) = (graded.rep[0], graded.rep[1], graded.rep[2])
    graded.check(try events(SquatForm.self, of: squat(thigh: thigh, trunk: trunk, arms: arms)), offset: 0.51)
  }

  /// Of a shallow squat three measures are furthest off, of which the first is named, with depth the thighs' lean of 40°.
  /// In a picture the shoulders' drop alone is 3 from half way, and its values are no parameters.
  @Test func aGradeNamesItsWorstMeasure() throws {
    let found = try events(SquatForm.self, of: squat(thigh: 40, trunk: 20, arms: 40)).compactMap(\.evidence)
    #expect(found.count == 1)
    let worst = try #require(found.first)
    #expect(worst.measure == "the thighs' greatest lean, 90 level" && worst.unit == "degrees")
    #expect(abs(worst.value - 40) < 0.1 && worst.sound == 91.2 && worst.faulty == 79.4)
    #expect(worst.parameters == ["depthSound", "depthFaulty"] && worst.limit == 50)
    let flat = try events(SquatForm.self, of: squat(thigh: 40, trunk: 20, arms: 30, depth: .nan))
    let drop = try #require(flat.compactMap(\.evidence).first)
    #expect(drop.measure == "how far the shoulders fall" && drop.sound == 1.134 && drop.parameters.isEmpty)
  }

  /// The same measures have other values: (40 − 69.85) / −18.3, (70 − 92.6) / −21.6, (0.3135 − 0.7825) / −0.157.
  @Test(arguments: [
    Case([101, 20, 30], .init(repeating: -0.5, count: 8)),
    Case([40, 20, 30], [1.6311, 1.0463, 2.9875, 3, -0.5, -0.5, -0.5, -0.5], ["shallow"]),
  ])
  func squatsInPicturesAreGraded(_ graded: Case) throws {
    let (thigh, trunk, arms) = (graded.rep[0], graded.rep[1], graded.rep[2])
    let squat = squat(thigh: thigh, trunk: trunk, arms: arms, depth: .nan)
    graded.check(try events(SquatForm.self, of: squat), offset: 0.55)
  }

  /// Shoulders that tilt by 20° are (20 − 7.25) / 2.7 over half way, at most 3; thighs that move alike, and shanks that
  /// lean by 20°, are 3 from those of a lunge; the other seven measures are sound.
  @Test(arguments: [
    Case([0], [-0.5, 3, 3] + [Double](repeating: -0.5, count: 7)),
    Case([20], [3, 3, 3] + [Double](repeating: -0.5, count: 7), ["shoulders_tilt", "shallow"]),
  ])
  func lungesAreGraded(_ graded: Case) throws {
    let found = try events(LungeForm.self, Array(0..<90), Self.withoutGate) { share in
      var frame = SideFigure(shank: 20 * share, thigh: -80 * share, upperArm: 40, forearm: 40).frame()
      let rise = Float(0.1 * tan(graded.rep[0] * share * .pi / 180))
      for (joints, side) in [
        ([Joint.leftHip, .leftShoulder, .leftWrist], Float(-1)), ([.rightHip, .rightShoulder, .rightWrist], 1),
      ] {
        for (joint, share) in zip(joints, [0, side, side]) {
          frame.set(joint, x: frame[joint, .x], y: frame[joint, .y] - rise * share, z: 0.1 * side, confidence: 1)
        }
      }
      return frame
    }
    graded.check(found, offset: 0.32)
  }

  /// Two reps in a row, one whose beginning is missing, knees that bend by less than 15°, and half a rep.
  @Test(arguments: [(0..<180, 101.0, 2), (25..<90, 101, 1), (0..<90, -20, 0), (0..<50, 101, 0)])
  func everyRepIsJudgedOnce(_ frames: Range<Int>, _ thigh: Double, _ count: Int) throws {
    #expect(
      try events(SquatForm.self, Array(frames), of: squat(thigh: thigh, trunk: 28.5, arms: 53.5)).grades.count == count)
  }

  /// A shallow squat, then one with all eight measures sound.
  @Test func aRepIsJudgedByItself() throws {
    var frame = 0
    let found = try events(SquatForm.self, Array(0..<180)) { share in
      frame += 1
      return squat(thigh: frame <= 90 ? 40 : 101, trunk: 20, arms: 40)(share)
    }
    #expect(found.faults == ["shallow"] && found.grades.count == 2)
    #expect(abs((found.grades.last ?? .nan) - 100 / (1 + exp(6.5 * (-0.5 - 0.51)))) < 0.1, "\(found.grades)")
  }

  /// In space and in a picture.
  @Test(arguments: [Float(0), .nan]) func aSquatIsNoLunge(_ depth: Float) throws {
    let squat = squat(thigh: 101, trunk: 20, arms: 40, depth: depth)
    #expect(try events(SquatForm.self, of: squat).grades.count == 1)
    #expect(try events(LungeForm.self, of: squat).isEmpty)
    #expect(try events(LungeForm.self, Array(0..<90), Self.withoutGate, of: squat).grades.count == 1)
  }

  /// A heel that rises to the seat six times has the least log odds of a squat, -6, and each of three squats then some
  /// 2.5. Over three reps, earlier ones with less weight, the mean is (-6 - 6 + 2.5) / 3 = -3.2, which is below -3, and
  /// (-6.3 + 2.5) / 3 = -1.3 after the next; over all nine it would stay below.
  @Test func aSetIsJudgedWhateverWasDoneBefore() throws {
    func heelRaised(_ share: Double) -> PoseFrame {
      var frame = SideFigure(upperArm: 40, forearm: 40).frame()
      let (knee, length) = (Joint.leftKnee, 0.8 * 0.246)
      let bend = 100 * share * .pi / 180
      frame.set(
        .leftAnkle, x: frame[knee, .x] - Float(length * sin(bend)), y: frame[knee, .y] + Float(length * cos(bend)),
        confidence: 1)
      frame.setHips(depth: 0)
      return frame
    }
    let squat = squat(thigh: 101, trunk: 20, arms: 40)
    var frame = 0
    func grades(_ values: [String: Double]) throws -> Int {
      frame = 0
      return try events(SquatForm.self, Array(0..<810), values) { share in
        frame += 1
        return frame <= 540 ? heelRaised(share) : squat(share)
      }.grades.count
    }
    #expect(try grades([:]) == 2)
    #expect(try grades(Self.withoutGate) == 9)
  }

  /// Down and, after 3.7 s in which nothing is seen, half of the way up.
  @Test func aRepWithALongGapIsNotJudged() throws {
    let squat = squat(thigh: 101, trunk: 28.5, arms: 53.5)
    #expect(try events(SquatForm.self, Array(0..<40) + Array(150..<180), of: squat).isEmpty)
    #expect(try events(SquatForm.self, Array(0..<40) + Array(60..<90), of: squat).grades.count == 1)
  }

  /// With `usesDepth` off, depth changes nothing.
  @Test func depthIsUsedOnlyIfOn() throws {
    func grades(_ depth: Float) throws -> [Double] {
      var judge = LiveDetector(try FormJudge<SquatForm>(replacing: ["usesDepth": 0]))
      let squat = squat(thigh: 60, trunk: 20, arms: 30, depth: depth)
      return (0..<90).flatMap { index in
        var frame = squat(Self.share(index))
        frame.time = Microseconds(frame: index, rate: 30)
        return judge.update(frame)
      }.grades
    }
    #expect(try grades(0) == grades(.nan))
    #expect(try grades(0).count == 1)
  }

  @Test func soundAndFaultyMustDiffer() {
    #expect(throws: ParameterError.contradiction("depthSound and depthFaulty (79.4) must differ")) {
      try FormJudge<SquatForm>(replacing: ["depthSound": 79.4])
    }
  }
}

extension FormJudge: ExampleDetector where Exercise == LungeForm {
  static var example: DetectorTests.Example {
    DetectorTests.Example(poses: DetectorTests.squats, values: ["leastOdds": -7])
  }
}
