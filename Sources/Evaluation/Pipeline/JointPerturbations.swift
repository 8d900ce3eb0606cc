import Files
import PoseModel
import RealModule
import Statistics

/// Joints that tremble: normal deviates on every joint, axis and frame, independent of each other.
///
/// The standard deviation is a share of the trunk's length, neck to root in the picture, by the clip's median: errors of
/// keypoints are usually measured by the torso (Sapp and Taskar, MODEC, 2013), since a person twice as far away is as large
/// in the picture as the errors on them. White noise is the worst case for whatever looks at changes from frame to frame:
/// real errors last.
public struct JointNoise: Perturbation {
  public static let profile = PerturbationProfile(
    name: "noise", example: "2%", axis: "noise, % of the trunk's length",
    meaning: """
      Normal noise on every joint and axis, new in every frame; the amount is its standard deviation as a share of the \
      trunk's length in the picture (neck to root, median of the clip).
      """, ladder: ["1%", "2%", "5%", "10%"])

  /// Of the trunk's length, 0...1.
  public let share: Double

  public init(_ amount: String) throws(PerturbationError) {
    share = try PerturbationAmount.share(amount, of: "the trunk's length")
  }

  public var strength: Double { share * 100 }
  public var amount: String { PerturbationAmount.plain(strength) + "%" }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout SeededGenerator
  ) throws(PerturbationError) {
    guard share > 0, (0..<poses.frameCount).contains(where: { frame in poses.found.contains { poses.has($0, frame) } })
    else { return }
    guard let trunk = trunk(poses) else {
      throw PerturbationError(expected: "a trunk to measure noise by", found: "no frame with shoulders and hips")
    }
    let deviation = share * Double(trunk)
    for joint in poses.found {
      for frame in 0..<poses.frameCount {
        // Drawn for joints that are missing too, so that one that is found more often changes no other's noise.
        let step = SIMD3(
          Float(generator.normal(sd: deviation)), Float(generator.normal(sd: deviation)),
          Float(generator.normal(sd: deviation)))
        if poses.has(joint, frame) { poses.move(joint, by: step, frame) }
      }
    }
  }

  /// In image heights.
  private func trunk(_ poses: EditablePoses) -> Float? {
    let lengths = (0..<poses.frameCount).compactMap { frame -> Float? in
      let x = poses[.neck, .x, frame] - poses[.root, .x, frame]
      let y = poses[.neck, .y, frame] - poses[.root, .y, frame]
      let length = (x * x + y * y).squareRoot()
      return length > 0 ? length : nil
    }.sorted()
    return lengths.isEmpty ? nil : lengths[lengths.count / 2]
  }
}

/// Joints that the estimator loses: each by itself, for a share of the time, in bursts.
public struct JointDropout: Perturbation {
  public static let profile = PerturbationProfile(
    name: "dropout", example: "20%", axis: "joints missing, % of the time",
    meaning: """
      Every joint by itself is missing for this share of the time, in bursts of 0.2 s on average, as when a limb passes \
      before it.
      """, ladder: ["5%", "10%", "20%", "40%"])

  /// Of a burst, in seconds: some frames of any camera.
  static let meanLength = 0.2

  public let share: Double

  public init(_ amount: String) throws(PerturbationError) {
    share = try PerturbationAmount.share(amount, of: "the joints")
  }

  public var strength: Double { share * 100 }
  public var amount: String { PerturbationAmount.plain(strength) + "%" }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout SeededGenerator
  ) throws(PerturbationError) {
    for joint in poses.found {
      var bursts = Bursts(share: share, meanLength: Self.meanLength)
      for frame in 0..<poses.frameCount where bursts.isThere(at: poses.times[frame], using: &generator) {
        poses.lose(joint, frame)
      }
    }
  }
}

/// Joints that something stands in front of for the whole clip.
public struct HiddenJoints: Perturbation {
  public static let profile = PerturbationProfile(
    name: "occlude", example: "left_knee", axis: "joints of the left leg out of sight, from the foot up",
    meaning: """
      The named joints are never seen, as behind a bench; several are joined by +, and a name without a side is both: \
      left_knee+ankle.
      """,
    ladder: [
      "left_ankle", "left_ankle+left_knee", "left_ankle+left_knee+left_hip",
    ])

  /// In the order in which they were named.
  public let joints: [Joint]

  public init(_ amount: String) throws(PerturbationError) {
    var joints: [Joint] = []
    for name in amount.split(separator: "+", omittingEmptySubsequences: false) {
      let named = ["", "left_", "right_"].compactMap { Joint(name: $0 + String(name)) }
      guard !named.isEmpty else {
        let names = Joint.allCases.map(\.name)
        throw PerturbationError(
          expected: "joints joined by +, of \(names.joined(separator: ", "))",
          found: NearNames.question(String(name), in: names))
      }
      joints += named.filter { !joints.contains($0) }
    }
    self.joints = joints
  }

  public var strength: Double { Double(joints.count) }
  public var amount: String { joints.map(\.name).joined(separator: "+") }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout SeededGenerator
  ) throws(PerturbationError) {
    for joint in joints {
      for frame in 0..<poses.frameCount { poses.lose(joint, frame) }
    }
  }
}

/// Left taken for right, of the whole body, for a share of the time, in runs.
///
/// The inversion of Ronchi and Perona, Benchmarking and Error Diagnosis in Multi-Instance Pose Estimation, 2017, of all
/// joints at once: as of someone who is taken to face the other way.
public struct SideSwap: Perturbation {
  public static let profile = PerturbationProfile(
    name: "swap", example: "1%", axis: "left taken for right, % of the time",
    meaning: "All left and right joints change places for this share of the time, in runs of 0.2 s on average.",
    ladder: ["1%", "2%", "5%", "10%"])

  public let share: Double

  public init(_ amount: String) throws(PerturbationError) {
    share = try PerturbationAmount.share(amount, of: "the time")
  }

  public var strength: Double { share * 100 }
  public var amount: String { PerturbationAmount.plain(strength) + "%" }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout SeededGenerator
  ) throws(PerturbationError) {
    var bursts = Bursts(share: share, meanLength: JointDropout.meanLength)
    for frame in 0..<poses.frameCount where bursts.isThere(at: poses.times[frame], using: &generator) {
      poses.swapSides(frame)
    }
  }
}

/// When something that comes and goes is there: for a share of the time, in bursts.
///
/// A Markov chain of two states in continuous time, so that bursts last as long at any frame rate: their lengths, and
/// those of the times between, are exponential. It begins as it would be found at any other time.
///
/// Source: Gilbert, Capacity of a Burst-Noise Channel, Bell System Technical Journal 39, 1960, who has the same two states
/// step by step.
struct Bursts: Sendable {
  /// Of the time, 0...1.
  let share: Double
  /// Of one burst, in seconds.
  let meanLength: Double
  private var isThere = false
  private var last: Microseconds?

  init(share: Double, meanLength: Double) {
    self.share = share
    self.meanLength = meanLength
  }

  /// Whether it is there at a time, which is later than the last that was asked for.
  mutating func isThere(
    at time: Microseconds, using generator: inout SeededGenerator
  ) -> Bool {
    let draw = generator.unit()
    guard share > 0, share < 1 else { return share >= 1 }
    var chance = share
    if let last {
      // What is left of a state after a while: both rates together, 1 / length and share / (1 − share) / length.
      let memory = Double.exp(-(time - last).seconds / (meanLength * (1 - share)))
      chance = isThere ? share + (1 - share) * memory : share * (1 - memory)
    }
    last = time
    isThere = draw < chance
    return isThere
  }
}
