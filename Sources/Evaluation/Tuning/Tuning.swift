/// Whom a detector's parameters were tuned on: their scores say nothing of new people.
public struct Tuning: Codable, Hashable, Sendable {
  public struct Dataset: Codable, Hashable, Sendable {
    public var name: String
    /// Its content hash at that time.
    public var content: String
    /// Sorted.
    public var subjects: [String]

    public init(name: String, content: String, subjects: [String]) {
      self.name = name
      self.content = content
      self.subjects = subjects
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

  public var subjectCount: Int { datasets.map(\.subjects.count).reduce(0, +) }

  /// Those of the subjects that are judged on whom it was tuned, sorted.
  ///
  /// A dataset is the same where it has the same name, whatever its content: a new version is of the same people. One of
  /// another name is the same where it has the same content.
  ///
  /// - Parameters:
  ///   - judged: `squat-sample/s01`
  ///   - contents: each judged dataset's content hash.
  func subjects(among judged: some Collection<String>, contents: [String: String]) -> [String] {
    judged.filter { name in
      guard let slash = name.firstIndex(of: "/") else { return false }
      let (dataset, subject) = (String(name[..<slash]), String(name[name.index(after: slash)...]))
      return datasets.contains {
        ($0.name == dataset || $0.content == contents[dataset]) && $0.subjects.contains(subject)
      }
    }.sorted()
  }
}

extension [Tuning] {
  /// Refuses to judge on subjects who were tuned on.
  ///
  /// - Parameter what: what would be judged: `suite squat`.
  /// - Throws: `EvaluationError.missing` with the subjects.
  func requireUnseen(_ judged: some Collection<String>, contents: [String: String], what: String) throws {
    for tuning in self {
      let seen = tuning.subjects(among: judged, contents: contents)
      guard !seen.isEmpty else { continue }
      throw EvaluationError.missing(
        what: what, expected: "subjects that \(tuning.detector) was not tuned on",
        found:
          "\(seen.count) of \(judged.count) that it was tuned on: \(seen.joined(separator: ", ")). Their scores are "
          + "optimistic; judge it on other subjects, or say --allow-tuned-subjects")
    }
  }
}

extension SuiteRun {
  /// Refuses to judge a detector on subjects that its parameters were tuned on.
  ///
  /// - Throws: `EvaluationError.missing` with the subjects.
  public func requireUnseenSubjects() throws {
    let contents = Dictionary(datasetCards.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
    try tunings.requireUnseen(
      Set(clips.indices.map(subject(ofClip:))), contents: contents, what: "suite \(suite.name)")
  }
}

extension Baseline {
  /// Refuses a baseline whose detectors were tuned on its own subjects.
  ///
  /// - Throws: `EvaluationError.missing` with the subjects.
  public func requireUnseenSubjects() throws {
    try (tunings ?? []).requireUnseen(
      Set(metrics.flatMap(\.bySubject.keys)), contents: datasets, what: "baseline of suite \(suite)")
  }
}

extension RunResults {
  /// For each detector that was tuned, on how many subjects, and which of those that are judged here are among them.
  public var tunedSubjects: [(tuning: Tuning, judged: [String])] {
    let judged = Set(clips.map { "\($0.dataset)/\($0.subject)" })
    let contents = Dictionary(datasets.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
    return (tunings ?? []).map { ($0, $0.subjects(among: judged, contents: contents)) }
  }
}
