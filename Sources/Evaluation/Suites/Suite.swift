import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// A suite: clips, detectors, metrics and the accepted loss of each metric.
public struct Suite: Hashable, Sendable {
  /// A dataset and the hash of its content. The hash distinguishes a changed dataset from a changed detector.
  public struct DatasetPin: Hashable, Sendable {
    public var name: String
    public var content: ContentHash
  }

  public struct DetectorChoice: Hashable, Sendable {
    public var name: String
    /// Values that override the detector's defaults.
    public var parameters: [String: Double]
    /// The suite's exercises whose clips it is replayed on; `nil` for all.
    public var exercises: [String]?

    func takes(_ exercise: String) -> Bool { exercises?.contains(exercise) ?? true }
  }

  public struct MetricChoice: OfMetric, Hashable, Sendable {
    public var detector: String
    public var metric: String
    /// The accepted loss, in the metric's unit; `nil` for a metric that does not gate.
    public var margin: Double?
    /// The worst value allowed, in the metric's unit; only together with a margin.
    public var floor: Double?
  }

  /// Whether subjects with the same name in several datasets are one person.
  public enum People: String, CaseIterable, Hashable, Sendable {
    /// In all datasets of the suite.
    case shared
    /// Only if the datasets' manifests name the same people.
    case separate
  }

  /// The clips of other exercises that are time without reps: what a counter counts there is a phantom.
  public enum Negatives: Hashable, Sendable {
    case none
    /// All of the datasets.
    case others
    case exercises([String])
  }

  public var name: String
  public var version: Int
  public var datasets: [DatasetPin]
  /// `nil` if the suite does not say: treated as `separate`, with a note if names recur.
  public var people: People?
  /// Only clips of these exercises are used, besides `negatives`.
  public var exercises: [String]
  public var negatives = Negatives.none
  /// New names for some event and interval labels of the datasets: a slice played on the forehand side is a forehand.
  public var labels: [String: String] = [:]
  public var detectors: [DetectorChoice]
  public var matching: RepMatching
  public var camera: LiveCamera
  /// The smoothing of all poses before detection.
  public var smoothing: Smoothing?
  public var metrics: [MetricChoice]
  public var costs: [CostChoice] = []
  public var percentiles: [PercentileChoice] = []
  /// The probability of a loss beyond a margin above which the gate stops a change that is neither a regression nor a
  /// pass, 0…1: 0 stops each, 1 none.
  public var stopAt = GateRule.stopAt
  /// How often the gate is asked while people are being recorded.
  public var looks = GateRule.Looks.one
}

extension Suite {
  /// Whether clips of an exercise are time without reps of the suite's exercises.
  func isNegative(_ exercise: String) -> Bool {
    switch negatives {
    case .none: false
    case .others: !exercises.contains(exercise)
    case .exercises(let names): names.contains(exercise)
    }
  }

  /// Whether clips of an exercise are used.
  func takes(_ exercise: String) -> Bool { exercises.contains(exercise) || isNegative(exercise) }
}

extension Suite.Negatives {
  /// `none`, `others`, `walking, standing`.
  var words: String {
    switch self {
    case .none: "none"
    case .others: "others"
    case .exercises(let names): names.joined(separator: ", ")
    }
  }

  /// - Parameter exercises: The suite's.
  fileprivate init(_ yaml: YAMLMapping, besides exercises: [String]) throws {
    guard yaml.keys.contains("negatives") else {
      self = .none
      return
    }
    guard yaml.isList("negatives") else {
      guard try yaml.text("negatives") == "others" else {
        throw yaml.failure("negatives", expected: "others, or a list of exercises such as [walking, standing]")
      }
      self = .others
      return
    }
    let names = try yaml.texts("negatives")
    if let own = names.first(where: exercises.contains) {
      throw yaml.failure("negatives", expected: "exercises besides the suite's own", found: own)
    }
    self = .exercises(names)
  }
}

extension Suite {
  /// A suite's limit on the cost of a detector's update.
  public struct CostChoice: Hashable, Sendable {
    public var detector: String
    /// The accepted multiple of the baseline's cost, 1 or more; `nil` for a ratio that does not gate.
    public var margin: Double?
  }
}

extension Suite.CostChoice {
  /// `nil` for another metric.
  init?(_ yaml: YAMLMapping, detectors: [String], registry: DetectorRegistry) throws {
    guard try yaml.text("metric") == CostRatio.metric else { return nil }
    try yaml.requireOnly(["detector", "metric", "margin"])
    detector = try yaml.requireDetector(of: detectors)
    guard try DetectorSetting(registry.detector(named: detector)).outside == nil else {
      throw yaml.failure(
        "metric", expected: "another metric: \(detector) is a command, which is not timed from outside")
    }
    margin = yaml.keys.contains("margin") ? try yaml.number("margin") : nil
    if let margin, !(margin >= 1 && margin.isFinite) {
      throw yaml.failure("margin", expected: "a ratio of 1 or more, such as 1.2 for up to 20 % slower")
    }
  }
}

extension YAMLMapping {
  /// The value of `detector`.
  func requireDetector(of known: [String]) throws -> String {
    let name = try text("detector")
    guard known.contains(name) else {
      throw failure(
        "detector", expected: "one of this suite's detectors \(known.joined(separator: ", "))",
        found: NearNames.question(name, in: known))
    }
    return name
  }
}

extension Suite {
  /// A percentile that a suite reports: `cost.p99` or `latency.report.p95`.
  ///
  /// It never gates: nanoseconds depend on the machine, and a percentile over all reps has no value per subject.
  public struct PercentileChoice: Hashable, Sendable {
    public enum Quantity: String, CaseIterable, Hashable, Sendable {
      case cost
      case report = "latency.report"
      case live = "latency.live"
    }

    public var detector: String
    public var quantity: Quantity
    /// Above 0, below 100: 99.9.
    public var percent: Double

    public var name: String { "\(quantity.rawValue).\(percentileName(percent))" }

    /// The fewest samples that support it.
    public var samplesNeeded: Int { Statistics.samplesNeeded(forQuantile: percent / 100) ?? .max }

    /// - Throws: `EvaluationError.missing` if this many samples are too few.
    func require(samples: Int) throws {
      guard samples >= samplesNeeded else {
        let what = quantity == .cost ? "timed blocks of \(UpdateCost.blockSize) frames" : "reported reps"
        throw EvaluationError.missing(
          what: "metric \(name) of \(detector)",
          expected: "at least \(samplesNeeded) \(what): with fewer, the slowest outlier decides its value",
          found: "\(samples)")
      }
    }
  }
}

/// `p99`, `p99.9`.
func percentileName(_ percent: Double) -> String {
  let rounded = (percent * 1000).rounded() / 1000
  return rounded == rounded.rounded() ? "p\(Int(rounded))" : "p\(rounded)"
}

extension Suite.PercentileChoice {
  /// `nil` for another metric.
  init?(_ yaml: YAMLMapping, detectors: [String]) throws {
    let name = try yaml.text("metric")
    guard let (quantity, percent) = Self.parts(of: name) else { return nil }
    guard yaml.keys.allSatisfy({ $0 != "margin" && $0 != "floor" }) else {
      let instead = quantity == .cost ? CostRatio.metric : quantity.rawValue
      throw yaml.failure("margin", expected: "none: \(name) is shown and does not gate, \(instead) does")
    }
    try yaml.requireOnly(["detector", "metric"])
    self.init(detector: try yaml.requireDetector(of: detectors), quantity: quantity, percent: percent)
  }

  private static func parts(of name: String) -> (Quantity, Double)? {
    for quantity in Quantity.allCases where name.hasPrefix("\(quantity.rawValue).p") {
      guard let percent = Double(name.dropFirst(quantity.rawValue.count + 2)), percent > 0, percent < 100 else {
        return nil
      }
      return (quantity, percent)
    }
    return nil
  }
}

extension Suite {
  /// Reads a suite's file.
  ///
  /// - Throws: `DataError` with file, line and key.
  public init(yaml file: InputFile, registry: DetectorRegistry) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "suite", "version", "datasets", "people", "exercises", "negatives", "labels", "detectors", "matching", "camera",
      "smoothing", "metrics", "stop_at", "looks", "inconclusive",
    ])
    if let error = DataError(file: yaml.file, missing: try Self.missingKeys(yaml)) { throw error }
    name = try yaml.text("suite")
    guard PortableName.isValid(name) else { throw yaml.failure("suite", expected: PortableName.description) }
    version = try yaml.positiveInteger("version")
    datasets = try yaml.mappingsIfPresent("datasets").map { try DatasetPin($0) }
    guard !datasets.isEmpty else { throw yaml.failure("datasets", expected: "at least one dataset") }
    try yaml.requireOnce(datasets.map(\.name), "datasets")
    people = yaml.keys.contains("people") ? try yaml.choice("people") : nil
    let exercises = try yaml.texts("exercises")
    self.exercises = exercises
    guard !exercises.isEmpty else { throw yaml.failure("exercises", expected: "at least one exercise", found: "none") }
    negatives = try Negatives(yaml, besides: exercises)
    var labels: [String: String] = [:]
    if yaml.keys.contains("labels") {
      let mapping = try yaml.mapping("labels")
      for label in mapping.keys { labels[label] = try mapping.text(label) }
    }
    self.labels = labels
    detectors = try yaml.mappingsIfPresent("detectors").map {
      try DetectorChoice($0, on: exercises, registry: registry)
    }
    guard !detectors.isEmpty else { throw yaml.failure("detectors", expected: "at least one detector") }
    try yaml.requireOnce(detectors.map(\.name), "detectors")
    let matching = try yaml.mapping("matching")
    self.matching = try RepMatching(matching)
    if self.matching.tolerance == nil,
      let swing = try detectors.first(where: { try registry.detector(named: $0.name).profile.kind == .swing })
    {
      throw matching.failure(
        matching.keys.first ?? "overlap",
        expected: "instant and tolerance_s: \(swing.name) finds strokes, whose ground truth is an instant")
    }
    camera = try LiveCamera(yaml.mapping("camera"))
    smoothing = try SmoothingChoice(yaml)?.filter
    let (names, rule) = (detectors.map(\.name), self.matching)
    metrics = []
    var known: [String: [String]] = [:]
    for mapping in try yaml.mappingsIfPresent("metrics") {
      if let cost = try CostChoice(mapping, detectors: names, registry: registry) {
        costs.append(cost)
      } else if let percentile = try PercentileChoice(mapping, detectors: names) {
        percentiles.append(percentile)
      } else {
        metrics.append(
          try MetricChoice(mapping, detectors: names, matching: rule, registry: registry, known: &known))
      }
    }
    guard !metrics.isEmpty else { throw yaml.failure("metrics", expected: "at least one metric") }
    try yaml.requireOnce(
      metrics.map { "\($0.metric) of \($0.detector)" } + costs.map { "\(CostRatio.metric) of \($0.detector)" }
        + percentiles.map { "\($0.name) of \($0.detector)" }, "metrics")
    stopAt = try Self.stopAt(yaml)
    if yaml.keys.contains("looks") { looks = try yaml.choice("looks") }
  }
}

extension Suite {
  /// Every required key that a suite's file lacks, in parts that are there too.
  private static func missingKeys(_ yaml: YAMLMapping) throws -> [MissingKey] {
    var keys = yaml.missing([
      "suite": "suite: squat", "version": "version: 1",
      "datasets": "datasets: [{ name: my-squats, content: \(contentExample) }]",
      "exercises": "exercises: [squat]", "detectors": "detectors: [{ name: exercise-squat }]",
      "matching": "matching: { instant: end, tolerance_s: 0.5 }", "camera": "camera: { fps: 30, estimator_ms: 30 }",
      "metrics": "metrics: [{ detector: exercise-squat, metric: count.exact, margin: 0.05 }]",
    ])
    // A part with an unknown key may have misspelt the missing one: its own reader reports that.
    func add(_ part: String, _ examples: KeyValuePairs<String, String>, optional: Set<String> = []) throws {
      let parts =
        yaml.hasMapping(part) ? [try yaml.mapping(part)] : yaml.isList(part) ? try yaml.mappingsIfPresent(part) : []
      let known = optional.union(examples.map(\.key))
      keys += parts.filter { known.isSuperset(of: $0.keys) }.flatMap { $0.missing(examples) }
    }
    try add("datasets", ["name": "name: my-squats", "content": "content: \(contentExample)"])
    try add("detectors", ["name": "name: exercise-squat"], optional: ["preset", "parameters", "exercises"])
    if yaml.hasMapping("matching"),
      try yaml.mapping("matching").keys.allSatisfy({ $0 != "overlap" && $0 != "turn" })
    {
      try add("matching", ["instant": "instant: end", "tolerance_s": "tolerance_s: 0.5"])
    }
    try add("camera", ["fps": "fps: 30", "estimator_ms": "estimator_ms: 30"])
    try add(
      "metrics", ["detector": "detector: exercise-squat", "metric": "metric: count.exact"],
      optional: ["margin", "floor"])
    return keys
  }

  private static let contentExample = "sha256:<from bench dataset show my-squats>"
}

extension Suite {
  /// `stop_at: 0.2`, or the key of suites from before it: `inconclusive: fail` stops each change that is not proven,
  /// `pass` none, and `{ worse: fail, better: pass }` is the usual limit.
  private static func stopAt(_ yaml: YAMLMapping) throws -> Double {
    guard yaml.keys.contains("inconclusive") else {
      guard yaml.keys.contains("stop_at") else { return GateRule.stopAt }
      let limit = try yaml.number("stop_at")
      guard (0...1).contains(limit) else { throw yaml.failure("stop_at", expected: "a probability from 0 to 1") }
      return limit
    }
    let usual = "stop_at: \(NumberText.plain(GateRule.stopAt)) in its place"
    guard !yaml.keys.contains("stop_at") else { throw yaml.failure("inconclusive", expected: usual) }
    guard yaml.hasMapping("inconclusive") else {
      switch try yaml.text("inconclusive") {
      case "fail": return 0
      case "pass": return 1
      case let other: throw yaml.failure("inconclusive", expected: usual, found: other)
      }
    }
    let policies = try yaml.mapping("inconclusive")
    try policies.requireOnly(["worse", "better"])
    let stops = try ["worse", "better"].map { try policies.text($0) == "fail" }
    return stops == [true, true] ? 0 : stops[0] ? GateRule.stopAt : 1
  }
}

extension Suite.DatasetPin {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["name", "content"])
    name = try yaml.text("name")
    content = try yaml.contentHash("content")
  }
}

extension Suite.DetectorChoice {
  /// - Parameter all: The suite's exercises.
  fileprivate init(_ yaml: YAMLMapping, on all: [String], registry: DetectorRegistry) throws {
    try yaml.requireOnly(["name", "preset", "parameters", "exercises"])
    let name = try yaml.text("name")
    self.name = name
    let known = registry.detectors.map(\.profile.name)
    guard let detector = registry.detectors.first(where: { $0.profile.name == name }) else {
      throw yaml.failure(
        "name", expected: "one of the detectors \(known.sorted().joined(separator: ", "))",
        found: NearNames.question(name, in: known))
    }
    if yaml.keys.contains("exercises") {
      let own = try yaml.texts("exercises")
      guard !own.isEmpty, own.allSatisfy(all.contains) else {
        throw yaml.failure(
          "exercises", expected: "at least one of the suite's exercises \(all.joined(separator: ", "))",
          found: own.first { !all.contains($0) }.map { NearNames.question($0, in: all) } ?? "none")
      }
      exercises = own
    } else if all.count > 1, all.contains(detector.profile.exercise) {
      exercises = [detector.profile.exercise]
    }
    parameters = [:]
    if yaml.keys.contains("preset") {
      let preset = try yaml.text("preset")
      guard let values = detector.preset(named: preset)?.values else {
        let known = detector.presets.map(\.name)
        throw yaml.failure(
          "preset",
          expected: known.isEmpty ? "none: \(name) has no presets" : "one of \(known.joined(separator: ", "))",
          found: NearNames.question(preset, in: known))
      }
      parameters = values
    }
    guard yaml.keys.contains("parameters") else { return }
    parameters.merge(try yaml.parameterValues("parameters", of: detector)) { _, own in own }
  }
}

extension Suite.MetricChoice {
  /// - Parameter known: The names of each detector's metrics, as far as they were looked up.
  fileprivate init(
    _ yaml: YAMLMapping, detectors: [String], matching: RepMatching, registry: DetectorRegistry,
    known: inout [String: [String]]
  ) throws {
    try yaml.requireOnly(["detector", "metric", "margin", "floor"])
    let detector = try yaml.requireDetector(of: detectors)
    self.detector = detector
    metric = try yaml.text("metric")
    let names: [String]
    if let earlier = known[detector] {
      names = earlier
    } else {
      let profile = try registry.detector(named: detector).profile
      names = MetricFamilies.families(for: profile, matching: matching).flatMap(\.metrics).map(\.name)
      known[detector] = names
    }
    guard names.contains(metric) else {
      let none = "no metric of \(detector), whose file says nothing that is scored,"
      throw yaml.failure(
        "metric", expected: names.isEmpty ? none : "one of \(names.joined(separator: ", "))",
        found: NearNames.question(metric, in: names))
    }
    margin = yaml.keys.contains("margin") ? try yaml.number("margin") : nil
    if let margin, margin < 0 { throw yaml.failure("margin", expected: "a number of 0 or more") }
    floor = yaml.keys.contains("floor") ? try yaml.number("floor") : nil
    if floor != nil && margin == nil {
      throw yaml.failure("floor", expected: "a margin too: a metric without one does not gate")
    }
  }
}

extension RepMatching {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["instant", "tolerance_s", "overlap", "turn"])
    if yaml.keys.contains("turn") {
      guard yaml.keys.count == 1, try yaml.text("turn") == "inside" else {
        throw yaml.failure("turn", expected: "inside, alone, or another rule: instant and tolerance_s, or overlap")
      }
      self = .turnInside
      return
    }
    if yaml.keys.contains("overlap") {
      guard yaml.keys.count == 1 else {
        throw yaml.failure("overlap", expected: "either overlap, or instant and tolerance_s")
      }
      let overlap = try yaml.number("overlap")
      guard overlap > 0, overlap <= 1 else {
        throw yaml.failure("overlap", expected: "a share above 0, up to 1, of intersection over union")
      }
      self.init(overlap: overlap)
      return
    }
    let seconds = try yaml.number("tolerance_s")
    guard seconds >= 0, let tolerance = Microseconds(seconds: seconds) else {
      throw yaml.failure("tolerance_s", expected: "a number of seconds of 0 or more")
    }
    self.init(instant: try yaml.choice("instant"), tolerance: tolerance)
  }
}

extension Suite {
  /// The same suite with another smoothing; `nil` for its own.
  func smoothed(by choice: SmoothingChoice?) -> Suite {
    var suite = self
    suite.smoothing = choice.map(\.filter) ?? smoothing
    return suite
  }
}

extension LiveCamera {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["fps", "estimator_ms"])
    let fps = try yaml.number("fps")
    guard Clip.Info.frameRates.contains(fps) else {
      throw yaml.failure("fps", expected: "\(Clip.Info.frameRateDescription) frames a second")
    }
    let delay = try yaml.number("estimator_ms")
    guard delay >= 0, let estimator = Microseconds(seconds: delay / 1000) else {
      throw yaml.failure("estimator_ms", expected: "milliseconds of 0 or more")
    }
    self.init(fps: fps, estimator: estimator)
  }
}

extension YAMLMapping {
  fileprivate func requireOnce(_ names: [String], _ key: String) throws {
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw failure(key, expected: "each of them once", found: "\(twice) twice")
    }
  }

  func positiveInteger(_ key: String) throws -> Int {
    guard let integer = Int(exactly: try number(key)), integer > 0 else {
      throw failure(key, expected: "a whole number above 0")
    }
    return integer
  }

  func contentHash(_ key: String) throws -> ContentHash {
    guard let content = ContentHash(try text(key)) else {
      throw failure(key, expected: "sha256: and 64 hexadecimal digits")
    }
    return content
  }
}
