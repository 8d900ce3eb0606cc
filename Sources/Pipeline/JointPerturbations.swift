import Files
import PoseModel
import RealModule
import Statistics

/// Jitter of the joints: independent normal noise on every joint, axis and frame.
///
/// The standard deviation is a share of the trunk's length, neck to root in the image, median of the clip. Keypoint
/// errors are usually measured in torso lengths (Sapp and Taskar, MODEC, 2013), because both shrink with the person's
/// distance. White noise is the worst case for anything that uses changes between frames: real errors last longer.
public struct JointNoise: Perturbation {
  public static let profile = PerturbationProfile(
    name: "noise", example: "2%", axis: "noise, % of the trunk's length",
    meaning: """
      Normal noise on every joint and axis, new in every frame; the amount is its standard deviation as a share of the \
      trunk's length in the image (neck to root, median of the clip).
      """, ladder: ["1%", "2%", "5%", "10%"])

  /// The standard deviation as a share of the trunk's length, 0...1.
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
      throw PerturbationError(expected: "a trunk as the scale of the noise", found: "no frame with shoulders and hips")
    }
    let deviation = share * Double(trunk)
    for joint in poses.found {
      for frame in 0..<poses.frameCount {
        // Drawn for missing joints too: the noise of one joint must not depend on how often another one is found.
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

/// Joints that the estimator loses: each independently, for a share of the time, in bursts.
public struct JointDropout: Perturbation {
  public static let profile = PerturbationProfile(
    name: "dropout", example: "20%", axis: "joints missing, % of the time",
    meaning: """
      Every joint is missing independently for this share of the time, in bursts of 0.2 s on average, as when a limb \
      passes in front of it.
      """, ladder: ["5%", "10%", "20%", "40%"])

  /// The mean length of a burst in seconds: some frames of any camera.
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

/// Joints that are hidden for the whole clip.
public struct HiddenJoints: Perturbation {
  public static let profile = PerturbationProfile(
    name: "occlude", example: "left_knee", axis: "hidden joints of the left leg, from the foot up",
    meaning: """
      The named joints are never seen, as if behind a bench; join several with +; a name without a side means both sides: \
      left_knee+ankle.
      """,
    ladder: [
      "left_ankle", "left_ankle+left_knee", "left_ankle+left_knee+left_hip",
    ])

  /// The hidden joints, in the order of the option.
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

/// Left and right swapped over the whole body, for a share of the time, in runs.
///
/// The inversion of Ronchi and Perona, Benchmarking and Error Diagnosis in Multi-Instance Pose Estimation, 2017, of all
/// joints at once, as if the person faced the other way.
public struct SideSwap: Perturbation {
  public static let profile = PerturbationProfile(
    name: "swap", example: "1%", axis: "left and right swapped, % of the time",
    meaning: "All left and right joints are swapped for this share of the time, in runs of 0.2 s on average.",
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

/// Decides when an intermittent error is present: for a share of the time, in bursts.
///
/// A two-state Markov chain in continuous time, to make bursts independent of the frame rate: the lengths of bursts and
/// of the gaps between them are exponential. It starts in its stationary state.
///
/// Source: Gilbert, Capacity of a Burst-Noise Channel, Bell System Technical Journal 39, 1960, who has the same two
/// states step by step.
struct Bursts: Sendable {
  /// Share of the time, 0...1.
  let share: Double
  /// Mean length of a burst, in seconds.
  let meanLength: Double
  private var isThere = false
  private var last: Microseconds?

  init(share: Double, meanLength: Double) {
    self.share = share
    self.meanLength = meanLength
  }

  /// Whether it is present at a time; each time must be later than the last one asked for.
  mutating func isThere(
    at time: Microseconds, using generator: inout SeededGenerator
  ) -> Bool {
    let draw = generator.unit()
    guard share > 0, share < 1 else { return share >= 1 }
    var chance = share
    if let last {
      // The decay of a state over time: the sum of both rates, 1 / length and share / (1 − share) / length.
      let memory = Double.exp(-(time - last).seconds / (meanLength * (1 - share)))
      chance = isThere ? share + (1 - share) * memory : share * (1 - memory)
    }
    last = time
    isThere = draw < chance
    return isThere
  }
}
