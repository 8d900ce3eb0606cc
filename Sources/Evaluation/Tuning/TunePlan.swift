import Coaching
import Datasets

/// The parameters of one detector that are tuned, and how.
public struct TunePlan: Hashable, Sendable {
  public let detector: String
  public let axes: [SweepAxis]
  public let search: TuneSearch

  /// - Parameters:
  ///   - texts: parameters with their values or ranges (`reps.squat-states.bottomAngle=70...130`), or alone for their
  ///     whole range; empty for all of the detector's that are no toggles.
  ///   - detectorName: the detectors' only one, or that of `texts`, where it is left out.
  ///   - detectors: the suite's detectors.
  /// - Throws: `EvaluationError.usage` where the texts are none of these or are of several detectors, or where it is open
  ///   which detector is meant.
  public init(
    _ texts: [String], detector detectorName: String? = nil, search: TuneSearch, of detectors: [DetectorDefinition]
  ) throws {
    guard search.budget > 0 else {
      throw EvaluationError.usage("--budget takes a whole number from 1, found \(search.budget)")
    }
    var axes = try texts.map { try SweepAxis(Self.withRange($0, of: detectors), of: detectors) }
    let names = detectors.map(\.profile.name)
    guard let name = detectorName ?? axes.first?.detector ?? (names.count == 1 ? names[0] : nil) else {
      throw EvaluationError.usage(
        "the suite has the detectors \(names.joined(separator: ", ")): say with --detector which to tune")
    }
    guard let definition = detectors.first(where: { $0.profile.name == name }) else {
      throw EvaluationError.usage(
        "--detector takes one of the suite's detectors \(names.joined(separator: ", ")), found "
          + NearNames.question(name, in: names))
    }
    if let other = axes.first(where: { $0.detector != name }) {
      throw EvaluationError.usage(
        "expected parameters of \(name), found one of \(other.detector): detectors are tuned one after the other")
    }
    var seen: Set<String> = []
    if let twice = axes.first(where: { !seen.insert($0.parameter.name).inserted }) {
      throw EvaluationError.usage("expected each parameter once, found \(twice.parameter.name) twice")
    }
    if axes.isEmpty {
      axes = try definition.parameters.filter { $0.unit != .toggle }.map {
        try SweepAxis(
          Self.withRange("\(definition.profile.path).\($0.name)", of: detectors), of: detectors)
      }
    }
    guard !axes.isEmpty else { throw EvaluationError.usage("\(name) has no parameter that is no toggle") }
    detector = name
    self.axes = axes
    self.search = search
  }

  /// A parameter alone means all of its range, off and on of a toggle.
  private static func withRange(_ text: String, of detectors: [DetectorDefinition]) -> String {
    guard !text.contains("=") else { return text }
    let path = text.split(separator: ".", omittingEmptySubsequences: false)
    guard path.count == 3, let definition = detectors.first(where: { $0.profile.name == path[1] }),
      let parameter = definition.parameters.first(where: { $0.name == path[2] })
    else {
      // The reader of assignments says which part is wrong.
      return text + "=0"
    }
    guard parameter.unit != .toggle else { return text + "=off,on" }
    return text + "=\(parameter.range.lowerBound)...\(parameter.range.upperBound)"
  }
}
