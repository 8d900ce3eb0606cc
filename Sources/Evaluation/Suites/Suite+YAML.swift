import Coaching
import Datasets
import PoseModel
import Scoring

extension Suite {
  /// Reads a suite's file.
  ///
  /// - Throws: `DataError` with file, line and key.
  public init(yaml file: InputFile, registry: DetectorRegistry) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "suite", "version", "datasets", "exercises", "labels", "detectors", "matching", "camera", "smoothing", "metrics",
      "inconclusive",
    ])
    name = try yaml.text("suite")
    version = try yaml.positiveInteger("version")
    datasets = try yaml.mappingsIfPresent("datasets").map { try DatasetPin($0) }
    guard !datasets.isEmpty else { throw yaml.failure("datasets", expected: "at least one dataset") }
    try yaml.requireOnce(datasets.map(\.name), "datasets")
    exercises = try yaml.texts("exercises")
    var labels: [String: String] = [:]
    if yaml.keys.contains("labels") {
      let mapping = try yaml.mapping("labels")
      for label in mapping.keys { labels[label] = try mapping.text(label) }
    }
    self.labels = labels
    detectors = try yaml.mappingsIfPresent("detectors").map { try DetectorChoice($0, registry: registry) }
    guard !detectors.isEmpty else { throw yaml.failure("detectors", expected: "at least one detector") }
    try yaml.requireOnce(detectors.map(\.name), "detectors")
    let matching = try yaml.mapping("matching")
    self.matching = try RepMatching(matching)
    camera = try LiveCamera(yaml.mapping("camera"))
    smoothing = yaml.keys.contains("smoothing") ? try Smoothing(yaml) : nil
    let (names, rule) = (detectors.map(\.name), self.matching)
    metrics = []
    for mapping in try yaml.mappingsIfPresent("metrics") {
      if let cost = try CostChoice(mapping, detectors: names) {
        costs.append(cost)
      } else if let percentile = try PercentileChoice(mapping, detectors: names) {
        percentiles.append(percentile)
      } else {
        metrics.append(try MetricChoice(mapping, detectors: names, matching: rule, registry: registry))
      }
    }
    guard !metrics.isEmpty else { throw yaml.failure("metrics", expected: "at least one metric") }
    try yaml.requireOnce(
      metrics.map { "\($0.metric) of \($0.detector)" } + costs.map { "\(CostChange.metric) of \($0.detector)" }
        + percentiles.map { "\($0.name) of \($0.detector)" }, "metrics")
    inconclusive = try yaml.choice("inconclusive")
  }
}

extension Suite.DatasetPin {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["name", "content"])
    name = try yaml.text("name")
    guard let content = ContentHash(try yaml.text("content")) else {
      throw yaml.failure("content", expected: "sha256: and 64 hexadecimal digits")
    }
    self.content = content
  }
}

extension Suite.DetectorChoice {
  fileprivate init(_ yaml: YAMLMapping, registry: DetectorRegistry) throws {
    try yaml.requireOnly(["name", "preset", "parameters"])
    let name = try yaml.text("name")
    self.name = name
    let known = registry.detectors.map(\.profile.name)
    guard let detector = registry.detectors.first(where: { $0.profile.name == name }) else {
      throw yaml.failure(
        "name", expected: "one of the detectors \(known.sorted().joined(separator: ", "))",
        found: NearNames.question(name, in: known))
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
  fileprivate init(
    _ yaml: YAMLMapping, detectors: [String], matching: RepMatching, registry: DetectorRegistry
  ) throws {
    try yaml.requireOnly(["detector", "metric", "margin", "floor"])
    detector = try yaml.requireDetector(of: detectors)
    metric = try yaml.text("metric")
    let known = MetricFamilies.families(for: try registry.detector(named: detector).profile, matching: matching)
      .flatMap(\.metrics)
    let names = known.map(\.name)
    guard let definition = known.first(where: { $0.name == metric }) else {
      throw yaml.failure(
        "metric", expected: "one of \(names.joined(separator: ", "))", found: NearNames.question(metric, in: names))
    }
    margin = yaml.keys.contains("margin") ? try yaml.number("margin") : nil
    if margin != nil, definition.aggregation == .pooled {
      throw yaml.failure(
        "margin", expected: "none: \(metric) is of all clips together and no subject has one, so it does not gate")
    }
    if let margin, margin < 0 { throw yaml.failure("margin", expected: "a number from 0") }
    floor = yaml.keys.contains("floor") ? try yaml.number("floor") : nil
    if floor != nil && margin == nil {
      throw yaml.failure("floor", expected: "a margin beside it: a metric without one does not gate")
    }
  }
}

extension RepMatching {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["instant", "tolerance_s"])
    let seconds = try yaml.number("tolerance_s")
    guard seconds >= 0, let tolerance = Microseconds(seconds: seconds) else {
      throw yaml.failure("tolerance_s", expected: "a number of seconds from 0")
    }
    self.init(instant: try yaml.choice("instant"), tolerance: tolerance)
  }
}

extension Smoothing {
  fileprivate init(_ yaml: YAMLMapping) throws {
    do {
      try self.init(yaml.text("smoothing"))
    } catch let error as SmoothingError {
      throw yaml.failure("smoothing", expected: SmoothingError.expected, found: error.found)
    }
  }
}

extension LiveCamera {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["fps", "estimator_ms"])
    let fps = try yaml.number("fps")
    guard fps > 0, fps <= 1000 else { throw yaml.failure("fps", expected: "frames a second above 0, up to 1000") }
    let delay = try yaml.number("estimator_ms")
    guard delay >= 0, let estimator = Microseconds(seconds: delay / 1000) else {
      throw yaml.failure("estimator_ms", expected: "milliseconds from 0")
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

  fileprivate func positiveInteger(_ key: String) throws -> Int {
    guard let integer = Int(exactly: try number(key)), integer > 0 else {
      throw failure(key, expected: "a whole number above 0")
    }
    return integer
  }
}
