import Datasets
import PoseModel

/// Perturbations one after the other, with the seed of everything that is random in them.
///
/// What happens to a clip depends on the seed, the clip's name and the perturbations alone: not on other clips, their order
/// or the number of threads.
public struct Perturbations: Sendable {
  /// In the order in which they happen.
  public let steps: [any Perturbation]
  public let seed: UInt64

  /// Every kind that there is.
  public static let all: [any Perturbation.Type] = [
    JointNoise.self, JointDropout.self, LowerFrameRate.self, TurnedView.self, SideSwap.self, HiddenJoints.self,
    LateReports.self,
  ]

  public init(_ steps: [any Perturbation], seed: UInt64) {
    self.steps = steps
    self.seed = seed
  }

  /// - Parameter text: `noise=2%,dropout=20%`: in the order in which they happen.
  /// - Throws: `PerturbationError` for a name that is unknown or an amount that makes no sense.
  public init(_ text: String, seed: UInt64) throws(PerturbationError) {
    var steps: [any Perturbation] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      steps.append(try Self.step(String(part)))
    }
    self.init(steps, seed: seed)
  }

  private static func step(_ text: String) throws(PerturbationError) -> any Perturbation {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let names = all.map { $0.profile.name }
    guard sides.count == 2 else {
      throw PerturbationError(
        expected: "<perturbation>=<amount> such as noise=2%", found: PerturbationAmount.quoted(text))
    }
    for kind in all where kind.profile.name == sides[0] {
      do {
        return try kind.init(sides[1])
      } catch {
        throw PerturbationError(expected: "\(sides[0])= with \(error.expected)", found: error.found)
      }
    }
    throw PerturbationError(
      expected: "one of the perturbations \(names.joined(separator: ", "))",
      found: NearNames.question(sides[0], in: names))
  }

  /// The text that gives these back.
  public var text: String { steps.map(\.text).joined(separator: ",") }

  /// How much later all reports come.
  public var delay: Microseconds { steps.reduce(.zero) { $0 + $1.delay } }

  /// The poses of a clip as a detector gets them.
  ///
  /// - Parameters:
  ///   - skeleton: of the recording, which says what follows from what.
  ///   - clip: the clip's name, with its dataset's.
  /// - Throws: `EvaluationError.missing` with the clip.
  public func poses(_ poses: PoseSequence, of skeleton: Skeleton, clip: String) throws -> PoseSequence {
    var edited = EditablePoses(poses, of: skeleton)
    for (index, step) in steps.enumerated() {
      var generator = Datasets.SeededGenerator(seed: seed, stream: [Self.number(clip), index])
      do {
        try step.perturb(&edited, using: &generator)
      } catch {
        throw EvaluationError.missing(
          what: "\(step.text) of clip \(clip)", expected: error.expected, found: error.found)
      }
    }
    return edited.poses
  }

  /// The same number for a name on every machine: FNV-1a, 64 bits (Fowler, Noll and Vo).
  private static func number(_ name: String) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return Int(Int64(bitPattern: hash))
  }
}
