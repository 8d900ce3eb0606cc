import Coaching
import Datasets
import Files
import Pipeline
import PoseModel

/// The parameters of one detector that are tuned, the smoothing of its poses, and how.
public struct TunePlan: Hashable, Sendable {
  public let detector: String
  public let axes: [SweepAxis]
  /// The smoothings of the poses to choose from, besides the suite's; empty to keep that.
  public let smoothings: [SmoothingChoice]
  public let search: TuneSearch
  /// Whether it tunes all of the detector's parameters and the smoothing, except those that the metric does not depend
  /// on.
  public let isWhole: Bool

  /// The name of the smoothing among parameters.
  static let smoothing = "smoothing"

  /// - Parameters:
  ///   - texts: Parameters with their values or ranges (`reps.squat-states.bottomAngle=70...130`), or alone for their
  ///     whole range, and the smoothing with a list (`smoothing=none,average:5`) or alone for the usual ones; empty for
  ///     everything.
  ///   - detectorName: `nil` for the only detector, or the one in `texts`.
  ///   - detectors: The suite's detectors.
  /// - Throws: `EvaluationError.usage` if a text is none of these, the texts name several detectors, or the detector is
  ///   ambiguous.
  public init(
    _ texts: [String], detector detectorName: String? = nil, search: TuneSearch, of detectors: [DetectorDefinition]
  ) throws {
    guard search.budget > 0 else {
      throw EvaluationError.usage("--budget takes a whole number of 1 or more, found \(search.budget)")
    }
    let smoothings = texts.filter { $0 == Self.smoothing || $0.hasPrefix("\(Self.smoothing)=") }
    var axes = try texts.filter { !smoothings.contains($0) }.map {
      try SweepAxis(Self.withRange($0, of: detectors), of: detectors)
    }
    let names = detectors.map(\.profile.name)
    guard let name = detectorName ?? axes.first?.detector ?? (names.count == 1 ? names[0] : nil) else {
      throw EvaluationError.usage(
        "the suite has the detectors \(names.joined(separator: ", ")): choose one with --detector")
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
    let named = smoothings.map { _ in Self.smoothing } + axes.map(\.parameter.name)
    if let twice = named.first(where: { !seen.insert($0).inserted }) {
      throw EvaluationError.usage("expected each parameter once, found \(twice) twice")
    }
    isWhole = texts.isEmpty
    self.smoothings = try isWhole ? SmoothingChoice.usual : smoothings.first.map(Self.choices) ?? []
    if isWhole {
      axes = try definition.parameters.map {
        try SweepAxis(
          Self.withRange("\(definition.profile.path).\($0.name)", of: detectors), of: detectors)
      }
    }
    detector = name
    self.axes = axes
    self.search = search
  }

  /// The smoothings of a text such as `smoothing=none,average:5,one-euro:2.5,300,2.5`: a filter begins with a letter.
  private static func choices(_ text: String) throws -> [SmoothingChoice] {
    guard let equals = text.firstIndex(of: "=") else { return SmoothingChoice.usual }
    var names: [String] = []
    for part in text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false) {
      if names.isEmpty || part.first?.isLetter == true {
        names.append(String(part))
      } else {
        names[names.count - 1] += ",\(part)"
      }
    }
    do {
      let choices = try names.map { try SmoothingChoice($0) }
      guard Set(choices).count == choices.count else {
        throw EvaluationError.usage("\(text): expected each value once")
      }
      return choices
    } catch let error as SmoothingError {
      throw EvaluationError.usage("\(text): expected \(SmoothingChoice.expected), found \(error.found)")
    }
  }

  /// A parameter without values means its whole range, or off and on.
  private static func withRange(_ text: String, of detectors: [DetectorDefinition]) -> String {
    guard !text.contains("=") else { return text }
    let path = text.split(separator: ".", omittingEmptySubsequences: false)
    guard path.count == 3, let definition = detectors.first(where: { $0.profile.name == path[1] }),
      let parameter = definition.parameters.first(where: { $0.name == path[2] })
    else {
      // The reader of assignments reports which part is wrong.
      return text + "=0"
    }
    guard parameter.unit != .toggle else { return text + "=off,on" }
    return text + "=\(parameter.range.lowerBound)...\(parameter.range.upperBound)"
  }
}

extension SmoothingChoice {
  /// None, and filters that delay a pose by two of 30 frames a second at most.
  static let usual = ["none", "average:3", "median:3", "one-euro", "average:5", "median:5"]
    .compactMap { try? SmoothingChoice($0) }

  /// In seconds, of a joint at rest at 30 frames a second.
  fileprivate var delay: Double { filter?.delay(interval: 1.0 / 30) ?? 0 }
}

/// What a search varies, and its possible values: a lattice, on which equal settings compare equal and a person can
/// type the result.
struct TuneAxis: Hashable, Sendable {
  enum Quantity: Hashable, Sendable {
    case parameter(Parameter)
    /// The smoothing of the poses. A value is a place in the list, which begins with the shortest delay.
    case smoothing([SmoothingChoice])
  }

  let quantity: Quantity
  /// Ascending, at least one, all different.
  let levels: [Double]
  /// The suite's value, which may be none of the levels.
  let base: Double
  /// The level nearest to the suite's value, where a search starts.
  let start: Int

  /// The name of the parameter, or `TunePlan.smoothing`.
  var name: String {
    switch quantity {
    case .parameter(let parameter): parameter.name
    case .smoothing: TunePlan.smoothing
    }
  }

  /// This axis with its start as the only value.
  var fixed: TuneAxis { TuneAxis(quantity, levels: [levels[start]], base: base) }

  var isToggle: Bool {
    guard case .parameter(let parameter) = quantity else { return false }
    return parameter.unit == .toggle
  }

  /// Whether values near each other have similar effects, so that not all of them need a trial.
  var isGradual: Bool {
    guard case .parameter = quantity else { return false }
    return true
  }

  /// Levels that show whether anything depends on the parameter: both ends and two between.
  var probes: [Int] {
    let last = levels.count - 1
    return Array(Set([0, last / 3, 2 * last / 3, last])).filter { $0 != start }.sorted()
  }

  private init(_ quantity: Quantity, levels: [Double], base: Double) {
    (self.quantity, self.levels, self.base) = (quantity, levels, base)
    start = levels.indices.min { abs(levels[$0] - base) < abs(levels[$1] - base) } ?? 0
  }

  /// The smoothings to choose from, with the suite's own.
  init(_ choices: [SmoothingChoice], base own: SmoothingChoice) {
    let all = Set(choices + [own]).sorted { ($0.delay, "\($0)") < ($1.delay, "\($1)") }
    self.init(.smoothing(all), levels: all.indices.map(Double.init), base: Double(all.firstIndex(of: own) ?? 0))
  }

  /// The maximum number of steps in a range.
  static let stepLimit = 100.0

  /// The values of a sweep's axis; for a range, multiples of 1, 2 or 5 times a power of ten, its ends, and the suite's
  /// value if it lies within.
  ///
  /// - Parameter base: The suite's value.
  init(_ parameter: Parameter, over extent: SweepAxis.Extent, base: Double) {
    let levels: [Double]
    switch extent {
    case .values(let values): levels = values.sorted()
    case .range(let range):
      let ends = [range.lowerBound, range.upperBound]
      let own = range.contains(base) ? [base] : []
      levels = Array(Set(ends + own + Self.multiples(in: range))).sorted()
    }
    self.init(.parameter(parameter), levels: levels, base: base)
  }

  private static func multiples(in range: ClosedRange<Double>) -> [Double] {
    let span = range.upperBound - range.lowerBound
    // Divides by a power of ten instead of multiplying: 3 steps of 0.1 are then 0.3.
    var unit = 1.0
    var scale = 1.0
    while span / unit > stepLimit { unit *= 10 }
    while unit == 1, scale < 1e9, span * scale * 10 <= stepLimit { scale *= 10 }
    let steps: [Double] = [0.1, 0.2, 0.5, 1]
    let step = steps.first { span * scale / (unit * $0) <= stepLimit + 1e-9 } ?? 1
    let first: Double = (range.lowerBound * scale / (unit * step) - 1e-9).rounded(.up)
    let last: Double = (range.upperBound * scale / (unit * step) + 1e-9).rounded(.down)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: 1).map { (count: Double) -> Double in
      let value: Double = (count * step * unit / scale * 1e9).rounded() / 1e9
      return min(max(value, range.lowerBound), range.upperBound)
    }
  }
}

/// The settings that a search can reach: every combination of its axes' levels.
struct TuneSpace: Sendable {
  let axes: [TuneAxis]

  /// The suite's setting, or the nearest one: a level of each axis.
  var start: [Int] { axes.map(\.start) }

  /// Only these axes vary; the others keep the level of the start.
  func varying(_ axes: Set<Int>) -> TuneSpace {
    TuneSpace(axes: self.axes.enumerated().map { axes.contains($0.offset) ? $0.element : $0.element.fixed })
  }

  func values(_ point: [Int]) -> [Double] { zip(axes, point).map { $0.levels[$1] } }

  /// Values in the order of the axes, by the axes' names.
  func named(_ values: [Double]) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: zip(axes.map(\.name), values))
  }

  /// How far a setting is from the start, as a fraction of each axis's span.
  func distance(_ point: [Int]) -> Double {
    zip(axes, point).reduce(0) { sum, next in
      let (axis, level) = next
      guard let low = axis.levels.first, let high = axis.levels.last, high > low else { return sum }
      return sum + abs(axis.levels[level] - axis.levels[axis.start]) / (high - low)
    }
  }
}
