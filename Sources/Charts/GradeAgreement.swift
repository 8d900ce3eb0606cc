import Evaluation
import Pipeline
import Statistics

/// The detector's form score against the raters' mean: a point per rep or clip, the line of agreement, around it the
/// typical human disagreement, and with many items the average score by grade; with few, whiskers from the lowest to the
/// highest grade.
public struct GradeAgreement: Chart {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// The source of the grades: dataset, its origin, the detector and the criterion.
  public var source: String
  /// The kind of item in the singular: "rep" or "clip".
  public var kind: String
  public var items: [GradedItem]
  /// The number of subjects and raters; `nil` if unknown.
  public var subjects: Int?
  public var raters: Int?
  /// The mean absolute difference between each rater and the mean of the others, in the grades' unit: the score of a
  /// detector as good as a person. `nil` if undefined.
  public var humanBand: Double?
  /// The detector's mean absolute difference from the raters' mean; `nil` to compute it over all items.
  public var error: Double?
  /// Texts printed beside the plot: rank correlation, mean absolute error, with their intervals.
  public var remarks: [String]

  public init(
    topic: String = "Form score and raters' mean", source: String, kind: String = "rep", items: [GradedItem],
    subjects: Int? = nil, raters: Int? = nil, humanBand: Double? = nil, error: Double? = nil,
    remarks: [String] = []
  ) {
    self.topic = topic
    self.source = source
    self.kind = kind
    self.items = items
    self.subjects = subjects
    self.raters = raters
    self.humanBand = humanBand
    self.error = error
    self.remarks = remarks
  }

  /// `Off by 10.7 points on average, typical human disagreement 9.2`
  public var title: String {
    let items = items.filter(\.isComplete)
    guard !items.isEmpty else { return "No \(kind) has both a score and a grade" }
    let error = error ?? items.map { abs($0.score - $0.mean) }.reduce(0, +) / Double(items.count)
    let words = { NumberText.fixed($0, decimals: 1) }
    return "Off by \(words(error)) points on average" + (band.map { ", typical human disagreement \(words($0))" } ?? "")
  }

  public var subtitle: String {
    let missing = items.count(where: { !$0.isComplete })
    return [
      topic, source, NumberText.size(kind, items.count, subjects: subjects),
      raters.map { NumberText.count($0, "rater") },
      missing > 0 ? "\(missing) without score or grade" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      [.init(kind)], ["score", "raters' mean", "lowest", "highest"].map { ChartTable.Column($0, .upTo(1)) },
      rows: items.map { item in
        [.text(item.name), .number(item.score), .number(item.mean), .number(item.lowest), .number(item.highest)]
      })
  }

  public func bodyHeight(on page: Page) -> Double? { SquareLayout.height(on: page, side: side) }

  public func draw(on canvas: Canvas, in area: Rect) {
    let items = items.filter(\.isComplete)
    let scale = LinearScale(covering: items.flatMap { [$0.score, $0.mean, $0.lowest, $0.highest] })
    let layout = SquareLayout(
      x: Axis(scale, edge: .bottom, title: "raters' mean (points)"),
      y: Axis(scale, edge: .left, title: "detector's score (points)"), in: area, on: canvas)
    let panel = layout.panel
    if let band { panel.drawBand(on: canvas, over: scale.domain, tolerance: band) }
    panel.drawAxes(on: canvas)
    panel.drawIdentity(on: canvas, over: scale.domain)
    if averages.isEmpty { for item in items { drawWhisker(of: item, on: canvas, panel) } }
    for item in items {
      guard let point = panel.point(item.mean, item.score) else { continue }
      canvas.mark(
        isOutside(item) ? .square : .disc, at: point, radius: items.count > 300 ? 4 : 6,
        isOutside(item) ? .worse : .prediction, opacity: 0.85)
    }
    let steps = averages.map { panel.point($0.mean, $0.score) }
    canvas.path(steps, .background, width: 7)
    canvas.path(steps, .focus, width: 3.5)
    side.draw(on: canvas, in: layout.side)
  }

  private var band: Double? { humanBand.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }

  /// Whether it is farther from the raters' mean than a rater typically is.
  private func isOutside(_ item: GradedItem) -> Bool { band.map { abs(item.score - item.mean) > $0 } ?? false }

  /// With fewer items whiskers can be told apart, and averages would be of few.
  private static let many = 60

  /// Eighths of the items by their grade: the mean of the grades and of the scores; empty for few items.
  private var averages: [(mean: Double, score: Double)] {
    let items = items.filter(\.isComplete).sorted { ($0.mean, $0.score) < ($1.mean, $1.score) }
    guard items.count >= Self.many else { return [] }
    return (0..<8).map { part in
      let own = items[(part * items.count / 8)..<((part + 1) * items.count / 8)]
      func average(_ value: (GradedItem) -> Double) -> Double { own.map(value).reduce(0, +) / Double(own.count) }
      return (average(\.mean), average(\.score))
    }
  }

  private func drawWhisker(of item: GradedItem, on canvas: Canvas, _ panel: Panel) {
    guard let start = panel.point(item.lowest, item.score), let end = panel.point(item.highest, item.score) else {
      return
    }
    canvas.line(from: start, to: end, .uncertain, width: 1.5, opacity: 0.7)
  }

  private var side: SideColumn {
    let items = items.filter(\.isComplete)
    let outside = items.count(where: isOutside)
    var entries = [
      LegendEntry(
        .disc(.prediction),
        band == nil ? "one \(kind)" : "as close as a rater: \(items.count - outside) of \(items.count)"),
      LegendEntry(.line(.truth), "score = raters' mean"),
      averages.isEmpty
        ? LegendEntry(.line(.uncertain), "lowest to highest grade")
        : LegendEntry(.line(.focus), "average score by grade"),
    ]
    if outside > 0 { entries.insert(LegendEntry(.square(.worse), "farther: \(outside)"), at: 1) }
    if let band {
      entries.append(
        LegendEntry(.tolerance, "typical human disagreement: ±\(NumberText.plain(band, decimals: 1))"))
    }
    var side = SideColumn()
    side.legend(entries)
    for remark in remarks { side.paragraph(remark) }
    if items.isEmpty { side.paragraph("No \(kind) has both a score and a grade.") }
    return side
  }
}

/// One rep or clip with its raters' grades and the detector's score, all on one scale.
public struct GradedItem: Hashable, Sendable {
  public var name: String
  /// The detector's score; NaN if there is none.
  public var score: Double
  /// The raters' mean, lowest and highest grade; NaN if there is none.
  public var mean: Double
  public var lowest: Double
  public var highest: Double

  public init(name: String, score: Double, mean: Double, lowest: Double = .nan, highest: Double = .nan) {
    self.name = name
    self.score = score
    self.mean = mean
    self.lowest = lowest
    self.highest = highest
  }

  var isComplete: Bool { score.isFinite && mean.isFinite }
}

extension ChartRecipe {
  static let grades = ChartRecipe(
    "grades", "The detector's scores and the raters' mean.",
    needs: "a run; --detector",
    takes: [.run, .detector],
    inReport: { run in
      guard let scorer = run.results.scorer, let chart = GradeAgreement(run.results, scorer) else { return [] }
      return [ReportPicture(file: "grades.png", heading: "Form score and raters", chart: chart)]
    }
  ) { context in
    let run = try context.storedRun()
    let detector = try context.grader(run.results)
    guard let chart = GradeAgreement(run.results, detector) else {
      throw EvaluationError.missing(what: "detector \(detector)", expected: "grades", found: "none in this run")
    }
    return [Picture(chart, metadata: run.metadata)]
  }
}

extension GradeAgreement {
  /// The items graded by both people and a detector; `nil` without any.
  public init?(_ results: RunResults, _ scorer: String) {
    let graded = results.clips.flatMap { clip in
      (clip.outcomes[scorer]?.graded ?? []).map { (clip: clip, grade: $0) }
    }
    guard !graded.isEmpty else { return nil }
    self.init(
      source: results.showing { !($0.outcomes[scorer]?.graded ?? []).isEmpty }.source(scorer),
      kind: graded.contains { $0.grade.rep != nil } ? "rep" : "clip",
      items: graded.map { clip, grade in
        GradedItem(
          name: grade.rep.map { "\(clip.name) rep \($0 + 1)" } ?? clip.name, score: grade.predicted ?? .nan,
          mean: grade.mean ?? .nan, lowest: grade.sortedRatings.first ?? .nan, highest: grade.sortedRatings.last ?? .nan
        )
      },
      subjects: Set(graded.map(\.clip.person)).count,
      raters: Set(graded.flatMap(\.grade.ratings.keys)).count,
      humanBand: results.metric(scorer, "grades.human-mae")?.value, error: results.metric(scorer, "grades.mae")?.value,
      remarks: ["grades.spearman", "grades.mae", "grades.human-spearman", "grades.human-mae"].compactMap {
        results.remark(scorer, $0)
      })
  }
}

extension ChartContext {
  /// The selected detector, or the first with grades of rated items.
  func grader(_ results: RunResults) throws -> String {
    try detector(in: results, having: "grades of items that raters graded") { name in
      results.clips.contains { clip in
        clip.outcomes[name]?.graded.contains { $0.predicted != nil && !$0.ratings.isEmpty } ?? false
      }
    }
  }
}
