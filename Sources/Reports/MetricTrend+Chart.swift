import Evaluation
import Plots

extension MetricHistory {
  /// A metric over the runs that were kept: those on the same data beside each other, the oldest data first.
  ///
  /// - Throws: `EvaluationError.missing` where runs on the same data have different subjects.
  public init(_ trend: MetricTrend) throws {
    let blame = try MetricBlame(trend)
    let points = trend.groups.reversed().flatMap { $0 }
    let changed = blame.shown.first
    // A release is marked at its first run.
    var marked: Set<String> = []
    let releases = points.map { point in point.run.releases.first.flatMap { marked.insert($0).inserted ? $0 : nil } }
    let unit = points.last?.result.unit ?? ""
    let direction = points.last?.result.direction.words ?? ""
    self.init(
      title: "\(trend.metric) of \(trend.detector) over \(points.count) run\(points.count == 1 ? "" : "s")",
      source: "suite \(points.last?.run.suite ?? "")",
      metric: "\(trend.metric) (\([unit, direction].filter { !$0.isEmpty }.joined(separator: ", ")))",
      runs: zip(points, releases).map { point, release in
        Run(
          name: point.run.chartName,
          score: Estimate(
            point.result.value ?? .nan, lower: point.result.interval?.low, upper: point.result.interval?.high),
          data: point.run.shortData, release: release)
      },
      remarkable: changed.flatMap { step in
        points.firstIndex { $0.run.id == step.after.run.id }.map {
          ($0, "\(NumberText.signed(step.change.gain, unit: unit)) \(unit)".trimmingSuffix(" ") + " here")
        }
      })
  }
}

extension HistoryRun {
  /// The commit where it is known, otherwise day and time.
  fileprivate var chartName: String {
    origin?.shortRevision ?? String(created.dropFirst(5).prefix(11)).replacing("T", with: " ")
  }
}
