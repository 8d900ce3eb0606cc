import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// What several people said of a dataset's clips: the dataset's own grades and faults, or files that they wrote.
public struct RatedClips: Sendable {
  struct Clip: Sendable {
    var name: String
    var subject: String
    var grades: [GroundTruth.Grade]
    var faults: [GroundTruth.Fault]
    /// The reps that each rater of the files marked, in their order; `nil` if the rater has not finished the clip.
    var reps: [[Rep]?] = []
  }

  public let dataset: String
  public let isSynthetic: Bool
  let scales: [Manifest.Criterion]
  /// Of the files; empty for the dataset's own labels.
  let raters: [String]
  let clips: [Clip]

  private init(_ dataset: StoredDataset, raters: [String], clips: [Clip]) {
    self.dataset = dataset.manifest.name
    isSynthetic = dataset.manifest.origin == .synthetic
    scales = dataset.manifest.criteria
    (self.raters, self.clips) = (raters, clips)
  }

  /// The grades and faults in the dataset.
  public init(_ dataset: StoredDataset, in store: Store) throws {
    let clips = try store.clips(of: dataset).map { stored in
      let labels = try store.clip(stored, of: dataset).labels
      return Clip(name: stored.info.name, subject: stored.info.subject, grades: labels.grades, faults: labels.faults)
    }
    self.init(dataset, raters: [], clips: clips)
  }

  /// The labels in files of `bench view --label`: clips that their raters have finished.
  ///
  /// Reps are those of the first file that has the clip; the others' reps with an overlap of at least half are the same
  /// reps. A rater who marks a fault on any rep has checked all reps for it, as for `bench dataset label`. Two files of
  /// one rater are that rater's labels at two times, and are told apart by a number.
  ///
  /// - Throws: `EvaluationError.missing` if a file has no finished clip of the dataset.
  public init(_ files: [RaterLabels.Content], of dataset: StoredDataset, in store: Store) throws {
    let raters = files.indices.map { index in
      let own = files[index].rater
      let others = files[..<index].count { $0.rater == own }
      return files.count { $0.rater == own } > 1 ? "\(own) \(others + 1)" : own
    }
    let done = files.map { file in file.clips.filter { $0.value.isDone && !$0.value.isUnsure } }
    let faults = done.map { clips in Set(clips.values.flatMap { $0.reps.flatMap(\.faults.keys) }) }
    let stored = try store.clips(of: dataset)
    for (clips, rater) in zip(done, raters) where !stored.contains(where: { clips[$0.info.name] != nil }) {
      throw EvaluationError.missing(
        what: "labels of \(rater)", expected: "finished clips of \(dataset.manifest.name)", found: "none")
    }
    let clips = stored.map { stored -> Clip in
      let labels = done.map { $0[stored.info.name] }
      let reps = labels.map { own in own.map { $0.reps.map { Rep($0) } } }
      var clip = Clip(name: stored.info.name, subject: stored.info.subject, grades: [], faults: [], reps: reps)
      let first = reps.lazy.compactMap(\.self).first ?? []
      for (index, rater) in raters.enumerated() {
        guard let own = labels[index], let marked = reps[index] else { continue }
        clip.add(own.grades, own.faults, of: nil, by: rater)
        for pair in RepAgreement.matching.pairs(truth: first, predicted: marked) {
          let rep = own.reps[pair.predicted]
          let checked = Dictionary(uniqueKeysWithValues: faults[index].map { ($0, rep.faults[$0] ?? false) })
          clip.add(rep.grades, checked, of: pair.truth, by: rater)
        }
      }
      return clip
    }
    self.init(dataset, raters: raters, clips: clips)
  }

  /// The names of the dataset's criteria.
  public var criteria: [String] { scales.map(\.name) }

  /// The names of the faults that somebody judged.
  public var faults: [String] { Set(clips.flatMap { $0.faults.map(\.name) }).sorted() }
}

extension RatedClips.Clip {
  fileprivate mutating func add(_ grades: [String: Double], _ faults: [String: Bool], of rep: Int?, by rater: String) {
    self.grades += grades.sorted { $0.key < $1.key }.map {
      GroundTruth.Grade(rep: rep, rater: rater, criterion: $0.key, value: $0.value)
    }
    self.faults += faults.sorted { $0.key < $1.key }.map {
      GroundTruth.Fault(rep: rep, rater: rater, name: $0.key, present: $0.value)
    }
  }
}

extension Rep {
  fileprivate init(_ marked: RaterLabels.MarkedRep) {
    func time(_ seconds: Double) -> Microseconds { Microseconds(seconds: seconds) ?? .zero }
    self.init(start: time(marked.start), end: time(marked.end), turn: marked.turn.map(time))
  }
}

/// Items that several raters graded, by person: what every agreement of raters is computed from, in tables and charts.
///
/// A person's reps are alike: intervals are BCa over people.
public struct GradedItems: Sendable {
  public struct Item: Hashable, Sendable {
    public var clip: String
    /// 0 is the clip's first rep; `nil` is the whole clip.
    public var rep: Int?
    public var subject: String
    public var ratings: [String: Double]

    public init(clip: String, rep: Int?, subject: String, ratings: [String: Double]) {
      (self.clip, self.rep, self.subject, self.ratings) = (clip, rep, subject, ratings)
    }
  }

  let clusters: [[Item]]

  public init(_ items: [Item]) {
    clusters = Dictionary(grouping: items, by: \.subject).sorted { $0.key < $1.key }.map(\.value)
  }

  /// The grades by a criterion.
  public init(_ clips: RatedClips, criterion: String) {
    self.init(
      clips.clips.flatMap { clip in
        Self.items(clip, clip.grades.filter { $0.criterion == criterion }.map { ($0.rep, $0.rater, $0.value) })
      })
  }

  /// Whether a fault is present: 1 or 0.
  public init(_ clips: RatedClips, fault: String) {
    self.init(
      clips.clips.flatMap { clip in
        Self.items(clip, clip.faults.filter { $0.name == fault }.map { ($0.rep, $0.rater, $0.present ? 1 : 0) })
      })
  }

  private static func items(
    _ clip: RatedClips.Clip, _ ratings: [(rep: Int?, rater: String, value: Double)]
  ) -> [Item] {
    Dictionary(grouping: ratings, by: \.rep).sorted { ($0.key ?? -1) < ($1.key ?? -1) }.map { rep, own in
      Item(
        clip: clip.name, rep: rep, subject: clip.subject,
        ratings: Dictionary(own.map { ($0.rater, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  public var items: [Item] { clusters.flatMap(\.self) }
  public var raters: [String] { Set(items.flatMap(\.ratings.keys)).sorted() }

  /// Those that all of these raters graded.
  func graded(by raters: [String]) -> GradedItems {
    GradedItems(items.filter { item in raters.allSatisfy { item.ratings[$0] != nil } })
  }

  /// - Parameters:
  ///   - fewest: The number of ratings that an item needs to count.
  ///   - undefined: How many items have no value.
  func result(
    _ metric: Metric, ratings fewest: Int = 2, undefined: Int = 0, of statistic: ([Item]) -> Double?
  ) -> AgreementResult {
    var generator = SeededGenerator(seed: AgreementLimits.seed)
    let estimate = ClusterBootstrap(resamples: AgreementLimits.resamples).estimate(
      clusters: clusters.count, using: &generator
    ) { counts in
      var drawn: [Item] = []
      for (items, count) in zip(clusters, counts) {
        for _ in 0..<count { drawn += items }
      }
      return statistic(drawn)
    }
    return AgreementResult(
      metric, statistic(items), of: subjects(ratings: fewest), interval: estimate?.interval,
      method: "BCa over subjects", undefined: undefined)
  }

  /// The people with an item that has at least so many ratings.
  func subjects(ratings fewest: Int) -> Int {
    clusters.count { items in items.contains { $0.ratings.count >= fewest } }
  }

  /// The rank correlation of two raters on the items that both graded, and the number of these.
  public func rankCorrelation(_ a: String, _ b: String) -> (result: AgreementResult, count: Int) {
    let both = graded(by: [a, b])
    return (both.result(Self.rankCorrelation) { spearman(grades($0, a), grades($0, b)) }, both.items.count)
  }

  func grades(_ items: [Item], _ rater: String) -> [Double] { items.compactMap { $0.ratings[rater] } }

  private static let rankCorrelation = Metric(
    "grades.spearman", "Rank correlation of two raters' grades.", .higherIsBetter, range: -1...1,
    undefined: "a rater's grades are all equal, or there are fewer than two",
    source: "Spearman, 1904, by ranks with ties")
}
