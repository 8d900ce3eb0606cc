import Coaching
import Datasets
import Files
import Pipeline
import Scoring
import Statistics

/// The parameters that `bench tune` found for a detector: how and on whom they were tuned, and the expected score on
/// other people.
///
///     detector: squat-states
///     values:
///       bottomAngle: 118
///     smoothing: average:5
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
    /// `nil`, written `n/a`, if no subject has one.
    public var value: Double?
    public var low: Double?
    public var high: Double?
    public var subjects: Int
  }

  public var tuning: Tuning
  /// A value for each parameter; the detector's defaults apply to absent ones.
  public var values: [String: Double]
  /// The smoothing of the poses in place of the suite's; `nil` for the suite's own.
  public var smoothing: SmoothingChoice?
  public var search: TuneSearch
  /// On people it was not tuned on.
  public var expected: Score
  /// On the people it was tuned on: optimistic.
  public var inSample: Score

  /// The same parameters as `--set` options.
  var assignments: [Assignment] {
    values.sorted { $0.key < $1.key }.map {
      Assignment(detector: tuning.detector, parameter: $0.key, value: $0.value)
    }
  }
}

extension [ParameterFile] {
  /// The smoothing that one of them chose; `nil` if none did.
  var smoothing: SmoothingChoice? { lazy.compactMap(\.smoothing).first }
}

extension ParameterFile {
  /// Reads a parameter file.
  ///
  /// - Parameter detectors: The detectors that it may belong to.
  /// - Throws: `DataError` with file, line and key.
  public init(yaml file: InputFile, of detectors: [DetectorDefinition]) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "detector", "values", "smoothing", "tuned_on", "search", "expected_on_new_people", "in_sample_optimistic",
    ])
    let name = try yaml.text("detector")
    let known = detectors.map(\.profile.name)
    guard let detector = detectors.first(where: { $0.profile.name == name }) else {
      throw yaml.failure(
        "detector", expected: "one of the detectors \(known.joined(separator: ", "))",
        found: NearNames.question(name, in: known))
    }
    values = try yaml.parameterValues("values", of: detector)
    smoothing = try SmoothingChoice(yaml)
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
    // Without them a gate could not know which subjects to exclude.
    guard !datasets.isEmpty else { throw yaml.failure("datasets", expected: "at least one dataset") }
  }
}

extension Tuning.Dataset {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["name", "content", "people", "subjects"])
    guard let content = ContentHash(try yaml.text("content")) else {
      throw yaml.failure("content", expected: "sha256: and 64 hexadecimal digits")
    }
    self.init(
      name: try yaml.text("name"), content: content.description, subjects: try yaml.texts("subjects").sorted(),
      people: try yaml.textIfPresent("people"))
    guard !subjects.isEmpty else { throw yaml.failure("subjects", expected: "at least one subject") }
  }
}

extension TuneSearch {
  fileprivate init(_ yaml: YAMLMapping) throws {
    try yaml.requireOnly(["method", "budget", "seed"])
    guard let seed = UInt64(try yaml.text("seed")) else {
      throw yaml.failure("seed", expected: "a whole number of 0 or more")
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
  /// A whole number of 0 or more.
  fileprivate func wholeNumber(_ key: String) throws -> Int {
    guard let integer = Int(exactly: try number(key)), integer >= 0 else {
      throw failure(key, expected: "a whole number of 0 or more")
    }
    return integer
  }

  /// The values below a key, by parameter.
  ///
  /// - Throws: `DataError` with file, line and key for a parameter that the detector does not have, or a value that is
  ///   none of the parameter's.
  package func parameterValues(_ key: String, of detector: DetectorDefinition) throws -> [String: Double] {
    let yaml = try mapping(key)
    try yaml.requireOnly(detector.parameters.map(\.name))
    var values: [String: Double] = [:]
    for parameter in detector.parameters where yaml.keys.contains(parameter.name) {
      guard let value = Assignment.value(try yaml.text(parameter.name), of: parameter), parameter.range.contains(value)
      else {
        throw yaml.failure(
          parameter.name,
          expected: parameter.unit == .toggle
            ? "on or off" : "\(parameter.range.lowerBound) to \(parameter.range.upperBound) \(parameter.unit.rawValue)")
      }
      values[parameter.name] = value
    }
    return values
  }
}

extension ParameterFile {
  /// The file; the same parameters give the same bytes.
  public var yaml: String {
    var lines = [
      "# Parameters found by bench tune. Use them with --parameters in bench run, compare, gate, sweep and replay.",
      "# On the people of tuned_on their score is optimistic: a gate refuses to judge them there.",
      "detector: \(tuning.detector)", "values:\(values.isEmpty ? " {}" : "")",
    ]
    lines += values.sorted { $0.key < $1.key }.map { "  \($0.key): \(Self.text($0.value))" }
    if let smoothing { lines.append("smoothing: \(smoothing)") }
    lines += [
      "tuned_on:", "  suite: \(Self.quoted(tuning.suite))", "  suite_version: \(tuning.suiteVersion)",
      "  metric: \(tuning.metric)", "  datasets:",
    ]
    for dataset in tuning.datasets {
      lines += ["  - name: \(Self.quoted(dataset.name))", "    content: \(dataset.content)"]
      if let people = dataset.people { lines.append("    people: \(Self.quoted(people))") }
      lines += [
        "    subjects: [\(dataset.subjects.map(Self.quoted).joined(separator: ", "))]"
      ]
    }
    lines += [
      "search: { method: \(search.method.rawValue), budget: \(search.budget), seed: \(search.seed) }",
      "expected_on_new_people: \(Self.text(expected))", "in_sample_optimistic: \(Self.text(inSample))",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ score: Score) -> String {
    let parts = [
      "value: \(score.value.map(text) ?? "n/a")", score.low.map { "low: \(text($0))" },
      score.high.map { "high: \(text($0))" }, "subjects: \(score.subjects)",
    ]
    return "{ \(parts.compactMap { $0 }.joined(separator: ", ")) }"
  }

  private static func text(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  /// In double quotes, to keep a subject called `null` or `1: a` a text.
  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}

/// A method of searching for a setting.
public struct TuneSearch: Hashable, Codable, Sendable {
  public enum Method: String, CaseIterable, Codable, Hashable, Sendable {
    /// One parameter at a time.
    case coordinate
    /// Differential evolution.
    case global
    /// Both, choosing the better result for the subjects used.
    case both
  }

  public var method: Method
  /// How many settings each method may score per fold.
  public var budget: Int
  public var seed: UInt64

  public init(method: Method, budget: Int, seed: UInt64) {
    self.method = method
    self.budget = budget
    self.seed = seed
  }
}

/// The subjects that a detector's parameters were tuned on. Scores on them are optimistic.
public struct Tuning: Codable, Hashable, Sendable {
  public struct Dataset: Codable, Hashable, Sendable {
    public var name: String
    /// Its content hash at that time.
    public var content: String
    /// Sorted.
    public var subjects: [String]
    /// The name under which several datasets share the same people; `nil` if they are the dataset's own.
    public var people: String?

    public init(name: String, content: String, subjects: [String], people: String? = nil) {
      self.name = name
      self.content = content
      self.subjects = subjects
      self.people = people
    }
  }

  public var detector: String
  public var suite: String
  public var suiteVersion: Int
  public var metric: String
  public var datasets: [Dataset]

  public init(detector: String, suite: String, suiteVersion: Int, metric: String, datasets: [Dataset]) {
    self.detector = detector
    self.suite = suite
    self.suiteVersion = suiteVersion
    self.metric = metric
    self.datasets = datasets
  }

  /// `squat-states was tuned for count.mae on 3 people of squats`
  public var words: String {
    let people = NumberText.count(datasets.map(\.subjects.count).reduce(0, +), "person")
    return "\(detector) was tuned for \(metric) on \(people) of \(datasets.map(\.name).joined(separator: ", "))"
  }

  /// The judged subjects that it was tuned on, sorted.
  ///
  /// A dataset with the same name is the same, even with other content: a new version has the same people. A dataset
  /// with
  /// another name is the same if it has the same content, or declares the same people. If judged datasets share people
  /// under a common name, each of them counts.
  ///
  /// - Parameters:
  ///   - judged: `squat-sample/s01`
  ///   - contents: Each judged dataset's content hash, by name.
  func subjects(among judged: some Collection<String>, contents: [String: String]) -> [String] {
    judged.filter { name in
      guard let person = PersonID(name) else { return false }
      let (people, subject) = (person.people, person.subject)
      let judged = contents.filter { $0.key == people || contents[people] == nil }
      return datasets.contains { tuned in
        tuned.subjects.contains(subject)
          && (tuned.name == people || tuned.people == people || judged.keys.contains(tuned.name)
            || judged.values.contains(tuned.content))
      }
    }.sorted()
  }
}

extension [Tuning] {
  /// Refuses to judge on subjects that were tuned on.
  ///
  /// - Parameter what: The name of the judged object: `suite squat`.
  ///
  /// - Throws: `EvaluationError.missing` with the subjects.
  func requireUnseen(_ judged: some Collection<String>, contents: [String: String], what: String) throws {
    for tuning in self {
      let seen = tuning.subjects(among: judged, contents: contents)
      guard !seen.isEmpty else { continue }
      throw EvaluationError.missing(
        what: what, expected: "people that \(tuning.detector) was not tuned on",
        found:
          "\(seen.count) of \(judged.count) that it was tuned on: \(seen.joined(separator: ", ")). Their scores are "
          + "optimistic; judge it on other people, or pass --allow-tuned-subjects")
    }
  }
}

extension RunResults {
  /// Each tuned detector, its number of tuning subjects, and the judged subjects among them.
  public var tunedSubjects: [(tuning: Tuning, judged: [String])] {
    let judged = Set(clips.map(\.person))
    let contents = datasets.contentByName
    return (tunings ?? []).map { ($0, $0.subjects(among: judged, contents: contents)) }
  }
}
