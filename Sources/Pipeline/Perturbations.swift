import Files
import PoseModel
import Statistics

/// A corruption of the recorded poses before detection. The ground truth stays the same.
///
/// To add one: write a type that conforms, in the file of its kind, and list it in `Perturbations.all`.
public protocol Perturbation: Sendable {
  static var profile: PerturbationProfile { get }

  /// - Throws: `PerturbationError` for a text that is not a valid amount.
  init(_ amount: String) throws(PerturbationError)

  /// The strength in the profile's unit: 0 is none, unless the profile says otherwise.
  var strength: Double { get }

  /// The amount as text.
  var amount: String { get }

  /// The delay that it adds to the detector's reports.
  var delay: Microseconds { get }

  /// Corrupts the poses before the detector gets them. At strength 0 every bit stays the same.
  ///
  /// - Throws: `PerturbationError` if these poses cannot be perturbed this way.
  func perturb(_ poses: inout EditablePoses, using generator: inout SeededGenerator) throws(PerturbationError)
}

extension Perturbation {
  public var delay: Microseconds { .zero }

  /// `noise=2%`
  public var text: String { "\(Self.profile.name)=\(amount)" }
}

/// The description of a perturbation for people.
public struct PerturbationProfile: Hashable, Sendable {
  /// The name on the command line: `noise`.
  public var name: String
  /// An example of an amount: `2%`.
  public var example: String
  /// The perturbed quantity with the unit of `strength`, as the axis title of a chart.
  public var axis: String
  /// The physical effect on a recording, in one or two sentences.
  public var meaning: String
  /// Amounts of growing strength for a ladder.
  public var ladder: [String]
  /// The effect on recordings without depth; `nil` if it is the same.
  public var withoutDepth: String?
  /// Whether the poses stay the same and only reports come later.
  public var onlyDelays = false
}

/// The reason why poses cannot be perturbed this way.
public struct PerturbationError: Error, Hashable, Sendable, CustomStringConvertible {
  public var expected: String
  public var found: String

  public var description: String { "expected \(expected), found \(found)" }
}

/// A sequence of perturbations, with the seed of all their randomness.
///
/// The effect on a clip depends only on the seed, the clip's name and the perturbations: not on other clips, their
/// order or the number of threads.
public struct Perturbations: Sendable {
  /// The perturbations in the order of application.
  public let steps: [any Perturbation]
  public let seed: UInt64

  /// All kinds of perturbations.
  public static let all: [any Perturbation.Type] = [
    JointNoise.self, JointDropout.self, LowerFrameRate.self, TurnedView.self, SideSwap.self, HiddenJoints.self,
    LateReports.self,
  ]

  public init(_ steps: [any Perturbation], seed: UInt64) {
    self.steps = steps
    self.seed = seed
  }

  /// - Parameter text: `noise=2%,dropout=20%`, in the order in which they are applied.
  /// - Throws: `PerturbationError` for a name that is unknown or an invalid amount.
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

  /// The perturbations as text.
  public var text: String { steps.map(\.text).joined(separator: ",") }

  /// The total delay of all reports.
  public var delay: Microseconds { steps.reduce(.zero) { $0 + $1.delay } }

  /// The perturbed poses of a clip for a detector.
  ///
  /// - Parameters:
  ///   - skeleton: The recording's skeleton, which defines the derived joints.
  ///   - clip: The clip's name, with its dataset's.
  /// - Throws: `EvaluationError.missing` with the clip.
  public func poses(_ poses: PoseSequence, of skeleton: Skeleton, clip: String) throws -> PoseSequence {
    var edited = EditablePoses(poses, of: skeleton)
    for (index, step) in steps.enumerated() {
      var generator = SeededGenerator(seed: seed, stream: [Self.number(clip), index])
      do {
        try step.perturb(&edited, using: &generator)
      } catch {
        throw EvaluationError.missing(
          what: "\(step.text) of clip \(clip)", expected: error.expected, found: error.found)
      }
    }
    return edited.poses
  }

  /// A hash of a name, the same on every machine: FNV-1a, 64 bits (Fowler, Noll and Vo).
  private static func number(_ name: String) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return Int(Int64(bitPattern: hash))
  }
}

/// The text form of amounts.
enum PerturbationAmount {
  /// `2%` or `0.02`, as a share of 0...1.
  static func share(_ text: String, of what: String, upTo most: Double = 1) throws(PerturbationError) -> Double {
    let isPercent = text.hasSuffix("%")
    let number = Double(isPercent ? String(text.dropLast()) : text).map { isPercent ? $0 / 100 : $0 }
    guard let number, number.isFinite, number >= 0, number <= most else {
      throw PerturbationError(expected: "0% to \(plain(most * 100))% of \(what)", found: quoted(text))
    }
    return number
  }

  /// A number, optionally followed by one of these units; the first unit has factor 1.
  static func number(
    _ text: String, units: [(suffix: String, factor: Double)], in range: ClosedRange<Double>, expected: String
  ) throws(PerturbationError) -> Double {
    var (digits, factor) = (text, 1.0)
    // The longest first: ms ends with s.
    for unit in units.sorted(by: { $0.suffix.count > $1.suffix.count }) where text.hasSuffix(unit.suffix) {
      (digits, factor) = (String(text.dropLast(unit.suffix.count)), unit.factor)
      break
    }
    guard let number = Double(digits), range.contains(number * factor) else {
      throw PerturbationError(expected: expected, found: quoted(text))
    }
    return number * factor
  }

  /// A number without trailing zeros.
  static func plain(_ number: Double) -> String {
    // The product of a share and a hundred is rarely an exact binary number.
    let rounded = (number * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }

  static func quoted(_ text: String) -> String { text.isEmpty ? "nothing" : "\"\(text.prefix(40))\"" }
}
