import PoseModel

/// All metrics of this module, one line per file that defines metrics.
///
/// The list defines the families that a suite scores, the catalogue (`bench metric list` and `show`) and the property
/// tests. Add a metric with a file and a line here.
public enum MetricFamilies {
  /// The groups in the order of results and of the catalogue.
  public static let all: [any MetricGroup.Type] = [
    CountMetrics.self,
    PhantomMetrics.self,
    CountConfidence.self,
    RepEventMetrics.self,
    LatencyMetrics.self,
    GradeMetrics.self,
    GradeCeiling.self,
    Correlation.self,
    GradeErrors.self,
    CohenKappa.self,
    IntraclassCorrelation.self,
    MeasurementError.self,
    KrippendorffAlpha.self,
    GwetAgreement.self,
    BlandAltman.self,
    GradeAgreement.self,
    HumanCeiling.self,
    FaultMetrics.self,
    AnyFaultMetrics.self,
    StrokeMetrics.self,
    EventMetrics.self,
    PercentageOfCorrectEvents.self,
    EventSpotting.self,
    SegmentMetrics.self,
    SegmentSpotting.self,
    ConfusionMatrix.self,
    SegmentDetection.self,
    ActionSegmentation.self,
    BinaryScores.self,
    FaultScores.self,
    CueMetrics.self,
    PercentageOfCorrectKeypoints.self,
    ObjectKeypointSimilarity.self,
    PoseJitter.self,
    KeypointDropOut.self,
  ]

  /// The families for the tasks of a detector.
  public static func families(for detector: ScoredDetector) -> [any MetricFamily] {
    all.compactMap { group in (group as? any MetricFamily.Type)?.init(for: detector) }
  }
}

/// The metrics defined in one file: a `MetricFamily`, which suites can list, or functions for other uses.
public protocol MetricGroup: Sendable {
  /// The topic of the metrics in a few words. Groups with the same title are listed together.
  static var title: String { get }

  /// The plain names of the metrics, by their names: `exact counts` for `count.exact`. Those of a fault, stroke or label
  /// follow from it. Empty, by default, for metrics that are declared in other files.
  static var plainNames: [String: String] { get }

  /// The metrics for a detector: some names and ranges depend on its faults, its labels and the matching.
  static func metrics(for detector: ScoredDetector) -> [Metric]
}

extension MetricGroup {
  public static var plainNames: [String: String] { [:] }
}

/// Metrics that are computed from one tally.
///
/// Tallies are per clip and pool by adding. Values are computed after pooling: a subject's value is computed from all
/// its clips together, not as a mean of the clips' values.
public protocol MetricFamily: MetricGroup {
  /// Written to tally files, and read back as the same value.
  associatedtype Tally: Hashable & Codable & Sendable

  /// `nil` if the family does not apply to the detector.
  init?(for detector: ScoredDetector)

  /// The metrics in the order of `values`.
  var metrics: [Metric] { get }

  /// Whether the tally of a trivial answer needs the times of a clip's frames; by default not.
  static var needsFrames: Bool { get }

  /// Whether its cases are time in which nobody does the exercise; by default not.
  static var isOfNegatives: Bool { get }

  /// Whether it reads a live replay, which doubles the work; by default not.
  static var isLive: Bool { get }

  /// Whether it scores what a person is told, which a study of another metric must not spoil; by default not.
  static var isFeedback: Bool { get }

  /// Whether a clip with these labels can have cases of the family; where not, it is no clip of the metrics. By default
  /// all but those in which nobody does the exercise.
  func concerns(_ labels: GroundTruth) -> Bool

  /// The tally of one clip.
  func tally(_ clip: LabelledPrediction) -> Tally

  /// The sum of both tallies.
  func pool(_ a: Tally, _ b: Tally) -> Tally

  /// The values of `metrics`, `nil` if undefined.
  func values(_ tally: Tally) -> [Double?]

  /// The values per true case of the clip, in order, by the name of each metric with a `caseStatistic`; `nil` for a
  /// case that was not found. A metric is absent if its values cannot be assigned to true cases.
  func caseValues(_ clip: LabelledPrediction) -> [String: [Double?]]

  /// Whether a tally contributes to each of `metrics`; otherwise it does not change pooled values. By default, whether
  /// its own value is defined.
  func contributes(_ tally: Tally) -> [Bool]

  /// How much one event more in one clip, such as a wrong rep, changes the value of a subject with as many clips as the
  /// others, for each of `metrics`; 0, by default, where values are continuous or shares.
  ///
  /// - Parameter tally: Of all subjects.
  func steps(_ tally: Tally, subjects: Int) -> [Double]

  /// The number of labelled cases without a prediction, for each of `metrics` that excludes them or counts them as
  /// worst; 0 by default.
  func unanswered(_ tally: Tally) -> [Int]

  /// The pooled values without each tally in turn.
  func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]]

  /// The distinguished labels; empty for most families.
  var labels: [String] { get }

  /// The criterion of the detector's grades, for trivial answers: people need not have graded it; `nil` for most families.
  var gradedCriterion: String? { get }
}

extension MetricFamily {
  public static func metrics(for detector: ScoredDetector) -> [Metric] { Self(for: detector)?.metrics ?? [] }

  public static var needsFrames: Bool { false }

  public static var isOfNegatives: Bool { false }

  public static var isLive: Bool { false }

  public static var isFeedback: Bool { false }

  public func concerns(_ labels: GroundTruth) -> Bool { !labels.isOnlyNegative }

  public func caseValues(_ clip: LabelledPrediction) -> [String: [Double?]] { [:] }

  public func contributes(_ tally: Tally) -> [Bool] { values(tally).map { $0 != nil } }

  public func steps(_ tally: Tally, subjects: Int) -> [Double] { metrics.map { _ in 0 } }

  public func unanswered(_ tally: Tally) -> [Int] { metrics.map { _ in 0 } }

  public var labels: [String] { [] }

  public var gradedCriterion: String? { nil }

  /// All tallies pooled. It pools halves recursively, because tallies that are lists would otherwise be copied n times.
  public func pooled(_ tallies: some RandomAccessCollection<Tally>) -> Tally? {
    guard tallies.count > 1 else { return tallies.first }
    let middle = tallies.index(tallies.startIndex, offsetBy: tallies.count / 2)
    guard let first = pooled(tallies[..<middle]), let second = pooled(tallies[middle...]) else { return nil }
    return pool(first, second)
  }

  /// Pools n log² n times instead of n².
  public func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]] {
    var values = tallies.map { _ in metrics.map { _ in Double?.none } }
    func both(_ a: Tally?, _ b: Tally?) -> Tally? {
      guard let a, let b else { return a ?? b }
      return pool(a, b)
    }
    /// - Parameter others: The tallies outside the range, pooled.
    func descend(_ range: Range<Int>, _ others: Tally?) {
      guard range.count > 1 else {
        if let others, let index = range.first { values[index] = self.values(others) }
        return
      }
      let middle = range.lowerBound + range.count / 2
      let (first, second) = (range.lowerBound..<middle, middle..<range.upperBound)
      descend(first, both(others, pooled(tallies[second])))
      descend(second, both(others, pooled(tallies[first])))
    }
    descend(tallies.indices, nil)
    return values
  }

  /// The pooled values without each tally in turn, of tallies that are lists: all cases are sorted once, and values that
  /// sort what is sorted take linear time.
  func valuesWithoutEach<Case>(_ tallies: [Tally], by precedes: (Case, Case) -> Bool) -> [[Double?]]
  where Tally == [Case] {
    let sorted = tallies.indices.flatMap { left in tallies[left].map { (case: $0, left: left) } }
      .sorted { precedes($0.case, $1.case) }
    return tallies.indices.map { left in values(sorted.filter { $0.left != left }.map(\.case)) }
  }
}

/// A detector as its metrics see it: its tasks, and the suite's rule of matching.
public struct ScoredDetector: Hashable, Sendable {
  /// The tasks, which decide the metrics.
  public var tasks: DetectorTasks
  /// The rule that matches predicted with true reps and strokes.
  public var matching: RepMatching

  public init(_ tasks: DetectorTasks, matching: RepMatching) {
    self.tasks = tasks
    self.matching = matching
  }

  /// A detector with all tasks, for all families.
  ///
  /// - Parameter labels: The strokes and the postures.
  public static func everything(
    matching: RepMatching, faults: [String] = ["<fault>"], labels: [String] = ["<label>"]
  ) -> Self {
    let tasks = DetectorTasks(
      counts: true, givesConfidence: true, criterion: "form", faults: faults, strokes: labels, postures: labels,
      spots: true, speaks: true)
    return Self(tasks, matching: matching)
  }
}

/// All metrics, by topic.
///
/// Names and ranges can depend on a suite (its matching, faults or labels): a catalogue is for one suite.
public struct MetricCatalogue: Sendable {
  /// The metrics on one topic.
  public struct Section: Hashable, Sendable {
    public var title: String
    /// The types that define the metrics, each in a file of the same name.
    public var groups: [String]
    public var metrics: [Metric]
  }

  public let sections: [Section]

  /// The names of the metrics for suites. Other metrics are functions of this module.
  public let suiteMetrics: Set<String>

  /// - Parameters:
  ///   - matching: The rule that matches predicted with true reps.
  ///   - faults: The faults that a detector can find.
  ///   - labels: The labels that a classifier can give.
  public init(matching: RepMatching, faults: [String] = ["<fault>"], labels: [String] = ["<label>"]) {
    let detector = ScoredDetector.everything(matching: matching, faults: faults, labels: labels)
    var otherwise = detector
    otherwise.matching = .turnInside
    var sections: [Section] = []
    var listed: Set<String> = []
    for group in MetricFamilies.all {
      // The metric of a function may also belong to a family, and some exist with one rule of matching only.
      let metrics = (group.metrics(for: detector) + group.metrics(for: otherwise)).filter {
        listed.insert($0.name).inserted
      }
      if let index = sections.firstIndex(where: { $0.title == group.title }) {
        sections[index].groups.append("\(group)")
        sections[index].metrics += metrics
      } else {
        sections.append(Section(title: group.title, groups: ["\(group)"], metrics: metrics))
      }
    }
    self.sections = sections
    suiteMetrics = Set(
      (MetricFamilies.families(for: detector) + MetricFamilies.families(for: otherwise)).flatMap(\.metrics)
        .map(\.name))
  }

  /// All metrics, section by section.
  public var all: [Metric] { sections.flatMap(\.metrics) }

  /// The metric with this name; `nil` for none.
  public func metric(named name: String) -> Metric? { all.first { $0.name == name } }
}
