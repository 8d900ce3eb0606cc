import Coaching
import Datasets
import Scoring

/// A detector's parameters as `bench tune` found them, and what is known of them: on whom they were tuned, how, and what
/// they are expected to score on others.
///
///     detector: squat-states
///     values:
///       bottomAngle: 118
///     tuned_on:
///       suite: squat
///       suite_version: 1
///       metric: count.mae
///       datasets:
///       - name: "squat-sample"
///         content: sha256:…
///         subjects: ["s01", "s02", "s03"]
///     search: { method: coordinate, budget: 300, seed: 1 }
///     expected_on_new_people: { value: 2.1, low: 0.4, high: 3.8, subjects: 3 }
///     in_sample_optimistic: { value: 1, subjects: 3 }
public struct ParameterFile: Hashable, Sendable {
  /// A mean over subjects.
  public struct Score: Hashable, Sendable {
    /// `nil`, written `n/a`, where no subject has one.
    public var value: Double?
    public var low: Double?
    public var high: Double?
    public var subjects: Int
  }

  public var tuning: Tuning
  /// A value for each parameter; a detector takes its defaults for those that are absent.
  public var values: [String: Double]
  public var search: TuneSearch
  /// On people on whom it was not tuned.
  public var expected: Score
  /// On those on whom it was: optimistic.
  public var inSample: Score

  public init(_ results: TuneResults) {
    tuning = results.tuning
    values = results.parameters
    search = results.search
    expected = Score(
      value: results.expected?.value, low: results.expected?.interval?.low, high: results.expected?.interval?.high,
      subjects: results.expected?.subjects ?? 0)
    inSample = Score(value: results.inSample.value, subjects: results.inSample.definedSubjects)
  }

  /// What `--set` would be given.
  var assignments: [Assignment] {
    values.sorted { $0.key < $1.key }.map {
      Assignment(detector: tuning.detector, parameter: $0.key, value: $0.value)
    }
  }
}

extension ParameterFile {
  /// Reads a parameter file.
  ///
  /// - Parameter detectors: the detectors that it may be of.
  /// - Throws: `DataError` with file, line and key.
  public init(yaml file: InputFile, of detectors: [DetectorDefinition]) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "detector", "values", "tuned_on", "search", "expected_on_new_people", "in_sample_optimistic",
    ])
    let name = try yaml.text("detector")
    let known = detectors.map(\.profile.name)
    guard let detector = detectors.first(where: { $0.profile.name == name }) else {
      throw yaml.failure(
        "detector", expected: "one of the detectors \(known.joined(separator: ", "))",
        found: NearNames.question(name, in: known))
    }
    values = try yaml.parameterValues("values", of: detector)
    tuning = try Tuning(yaml.mapping("tuned_on"), detector: name)
    search = try TuneSearch(yaml.mapping("search"))
    expected = try Score(yaml.mapping("expected_on_new_people"))
    inSample = try Score(yaml.mapping("in_sample_optimistic"))
  }
}

extension Tuning {
  fileprivate init(_ yaml: YAMLMapping, detector: String) throws {
    try yaml.requireOnly(["suite", "suite_version", "metric", "datasets"])
    self.init(
      detector: detector, suite: try yaml.text("suite"), suiteVersion: try yaml.wholeNumber("suite_version"),
      metric: try yaml.text("metric"), datasets: try yaml.mappingsIfPresent("datasets").map { try Dataset($0) })
    // Without them a gate could not know on whom it must not be judged.
    guard !datasets.isEmpty else { throw yaml.failure("datasets", expected: "at least one dataset") }
  }
}

extension Tuning.Dataset {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["name", "content", "subjects"])
    guard let content = ContentHash(try yaml.text("content")) else {
      throw yaml.failure("content", expected: "sha256: and 64 hexadecimal digits")
    }
    self.init(name: try yaml.text("name"), content: content.description, subjects: try yaml.texts("subjects").sorted())
    guard !subjects.isEmpty else { throw yaml.failure("subjects", expected: "at least one subject") }
  }
}

extension TuneSearch {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["method", "budget", "seed"])
    guard let seed = UInt64(try yaml.text("seed")) else {
      throw yaml.failure("seed", expected: "a whole number from 0")
    }
    self.init(method: try yaml.choice("method"), budget: try yaml.wholeNumber("budget"), seed: seed)
  }
}

extension ParameterFile.Score {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["value", "low", "high", "subjects"])
    self.init(
      value: try yaml.text("value") == "n/a" ? nil : try yaml.number("value"),
      low: yaml.keys.contains("low") ? try yaml.number("low") : nil,
      high: yaml.keys.contains("high") ? try yaml.number("high") : nil, subjects: try yaml.wholeNumber("subjects"))
  }
}

extension YAMLMapping {
  /// A whole number from 0.
  fileprivate func wholeNumber(_ key: String) throws -> Int {
    guard let integer = Int(exactly: try number(key)), integer >= 0 else {
      throw failure(key, expected: "a whole number from 0")
    }
    return integer
  }
}
