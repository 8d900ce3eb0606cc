import Evaluation
import Plots

extension MetricHistory {
  /// A metric over the runs that were kept: the oldest first.
  ///
  /// - Throws: `EvaluationError.missing` where runs on the same data have different subjects.
  public init(_ trend: MetricTrend) throws {
    let blame = try MetricBlame(trend)
    let points = trend.points
    let changed = blame.shown.first
    // A release is marked at its first run.
    var marked: Set<String> = []
    let releases = points.map { point in point.run.releases.first.flatMap { marked.insert($0).inserted ? $0 : nil } }
    let names = points.map(\.run).chartNames
    let unit = points.last?.result.unit ?? ""
    self.init(
      title: "\(trend.metric) of \(trend.detector) over \(points.count) run\(points.count == 1 ? "" : "s")",
      source: points.last.map { "\($0.run.head.datasets.sources) · suite \($0.run.suite)" } ?? "",
      metric: metricTitle(trend.metric, unit: unit, points.last?.result.direction),
      runs: points.indices.map { index in
        let (point, release) = (points[index], releases[index])
        return Run(
          name: names[index],
          score: Estimate(
            point.result.value ?? .nan, lower: point.result.interval?.low, upper: point.result.interval?.high),
          data: point.run.conditions(beside: trend.points.last?.run), release: release, subjects: point.subjects)
      },
      remarkable: changed.flatMap { step in
        points.firstIndex { $0.run.id == step.after.run.id }.map {
          ($0, step.words)
        }
      })
  }
}

extension MetricBlame.Step {
  /// `worse by 1.300 reps here`
  fileprivate var words: String {
    guard let gain = change.gain, gain != 0 else { return "other here" }
    let unit = change.unit
    return (gain > 0 ? "better" : "worse") + " by "
      + "\(NumberText.value(gain.magnitude, unit: unit)) \(unit)".trimmingSuffix(" ") + " here"
  }
}

extension MetricTrend.Point {
  /// How many subjects have a value; of a value of all clips together, how many people these show.
  fileprivate var subjects: Int {
    result.isPooled == true
      ? run.head.datasets.reduce(0) { $0 + $1.subjects } : result.bySubject.values.count { $0 != nil }
  }
}

extension HistoryRun {
  /// On what it was run, and what was done to that on purpose; how it was scored, where that is not as in `newest`.
  fileprivate func conditions(beside newest: HistoryRun?) -> String {
    var parts = [shortData]
    if let perturbation = head.perturbation { parts.append("\(perturbation.text) seed \(perturbation.seed)") }
    if let newest, head.matching != newest.head.matching {
      parts.append("\(head.matching.instant)s within \(NumberText.plain(head.matching.toleranceSeconds)) s")
    }
    if let newest, head.camera != newest.head.camera {
      parts.append(
        "camera of \(NumberText.plain(head.camera.fps)) fps and \(NumberText.plain(head.camera.estimator.milliseconds)) ms"
      )
    }
    return parts.joined(separator: ", ")
  }
}

extension [HistoryRun] {
  /// The commit of each where it is known and no other run's, otherwise day and time, with seconds where that is needed
  /// to tell runs apart.
  fileprivate var chartNames: [String] {
    func counts(_ names: [String]) -> [String: Int] {
      Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }
    let revisions = counts(compactMap { $0.origin?.shortRevision })
    let minutes = counts(map { $0.time(characters: 11) })
    return map { run in
      if let revision = run.origin?.shortRevision, revisions[revision] == 1 { return revision }
      let minute = run.time(characters: 11)
      return minutes[minute] == 1 ? minute : run.time(characters: 14)
    }
  }
}

extension HistoryRun {
  /// `03-01 10:00`, to the seconds with 14 characters.
  fileprivate func time(characters: Int) -> String {
    String(created.dropFirst(5).prefix(characters)).replacing("T", with: " ")
  }
}
