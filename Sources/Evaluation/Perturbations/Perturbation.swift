import Datasets
import PoseModel

/// Something that goes wrong between a person and a detector, acted out on what was recorded. The truth stays as it was.
///
/// To add one: a file beside this one with a type that conforms, and the type in `Perturbations.all`.
public protocol Perturbation: Sendable {
  static var profile: PerturbationProfile { get }

  /// - Throws: `PerturbationError` for a text that is no amount of it.
  init(_ amount: String) throws(PerturbationError)

  /// How much of it there is, in the profile's unit: 0 is none, but where the profile says otherwise.
  var strength: Double { get }

  /// The text that gives this amount back.
  var amount: String { get }

  /// How much later than without it the detector's reports come.
  var delay: Microseconds { get }

  /// Changes the poses as a detector would have got them. One of no strength leaves every bit as it is.
  ///
  /// - Throws: `PerturbationError` where these poses can't be perturbed so.
  func perturb(_ poses: inout EditablePoses, using generator: inout Datasets.SeededGenerator) throws(PerturbationError)
}

extension Perturbation {
  public var delay: Microseconds { .zero }

  /// `noise=2%`
  public var text: String { "\(Self.profile.name)=\(amount)" }
}

/// What a perturbation is, for people.
public struct PerturbationProfile: Hashable, Sendable {
  /// On the command line: `noise`.
  public var name: String
  /// What an amount looks like: `2%`.
  public var example: String
  /// What is perturbed, with the unit of `strength`, as a chart's axis says it.
  public var axis: String
  /// What happens to a recording, physically, in a sentence or two.
  public var meaning: String
  /// Amounts of growing strength for a ladder.
  public var ladder: [String]
  /// What is done to recordings without depth, where that is something else; `nil` where it is the same.
  public var withoutDepth: String?
  /// Whether the poses stay as they are and only what is said comes later.
  public var onlyDelays = false
}

/// Why something can't be perturbed so.
public struct PerturbationError: Error, Hashable, Sendable, CustomStringConvertible {
  public var expected: String
  public var found: String

  public var description: String { "expected \(expected), found \(found)" }
}
