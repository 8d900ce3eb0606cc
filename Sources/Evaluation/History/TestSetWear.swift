import Datasets
import Pipeline
import Statistics

/// How often a test set was asked: a set that is asked again and again, each time with a change chosen by its earlier
/// answers, no longer tells how a change does on other people.
///
/// With n people about n² questions keep their answers true, at best.
///
/// - Source: Dwork, Feldman, Hardt, Pitassi, Reingold and Roth, The Reusable Holdout, Science 349, 2015; Bassily, Nissim,
///   Smith, Steinke, Stemmer and Ullman, Algorithmic Stability for Adaptive Data Analysis, STOC 2016, for n².
public struct TestSetWear: Sendable {
  /// The names of the datasets.
  public let data: String
  public let people: Int
  /// Different settings of the detectors, of their files and of the smoothing that were scored on it.
  public let questions: Int

  /// The number of questions after which a fresh test set is due.
  public var limit: Int { people * people }
  public var isDue: Bool { questions > limit }

  /// - Parameters:
  ///   - runs: Of the history.
  ///   - results: Of the run that asks now.
  public init(_ runs: [HistoryRun], asking results: RunResults) {
    func data(_ run: RunResults) -> [String] { run.datasets.map { "\($0.name) \($0.content)" }.sorted() }
    let own = data(results)
    let alike = runs.map(\.head).filter { $0.perturbation == nil && data($0) == own }
    questions = Set((alike + [results]).map(Question.init)).count
    people = Set(results.clips.map(\.person)).count
    self.data = results.datasets.map(\.name).joined(separator: ", ")
  }

  private struct Question: Hashable {
    var detectors: [String: [String: Double]]
    var files: [String: String]
    var smoothing: String?

    init(_ run: RunResults) {
      detectors = Dictionary(run.detectors.map { ($0.name, $0.parameters) }, uniquingKeysWith: { one, _ in one })
      files = Dictionary(
        run.detectors.compactMap { card in card.files.map { (card.name, $0) } }, uniquingKeysWith: { one, _ in one })
      smoothing = run.smoothing
    }
  }

  /// `160 settings were scored on the 12 people of squat-sample, a fair test of about 144`, and what to do.
  public var words: String {
    "\(NumberText.count(questions, "setting")) \(questions == 1 ? "was" : "were") scored on the "
      + "\(NumberText.count(people, "person")) of \(data), a fair test of about \(limit)"
      + (isDue ? ": a gain may be luck. Record fresh people, and keep these for tuning" : "")
  }

  public var objections: Objections { Objections(findings: isDue ? [words] : []) }
}
