import Evaluation
import Statistics

/// A confusion matrix: one row per true class, one column per predicted class. A cell has its count and its share of
/// the row; larger shares have a stronger colour.
public struct ConfusionChart: Chart {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detector.
  public var source: String
  /// The counted items, in the singular: "rep" or "clip".
  public var kind: String
  /// The true classes.
  public var truths: [String]
  /// The predicted classes, with one more for no prediction.
  public var predictions: [String]
  /// The background class: its row has false detections and its column missed items. It is never correct and not
  /// counted; `nil` if every item has a class.
  public var background: String?
  /// One row per true class with a count per predicted class. Missing counts are 0.
  public var counts: [[Int]]
  /// The correct share of each row, if its interval is known.
  public var recalls: [Estimate]
  /// The number of subjects; `nil` if unknown.
  public var subjects: Int?
  /// Texts printed beside the matrix: accuracy, macro F1, with their intervals.
  public var remarks: [String]

  public init(
    topic: String = "Predicted and true classes", source: String, kind: String = "rep", truths: [String],
    predictions: [String]? = nil, background: String? = nil, counts: [[Int]], recalls: [Estimate] = [],
    subjects: Int? = nil,
    remarks: [String] = []
  ) {
    self.topic = topic
    self.source = source
    self.kind = kind
    self.truths = truths
    self.predictions = predictions ?? truths
    self.background = background
    self.counts = counts
    self.recalls = recalls
    self.subjects = subjects
    self.remarks = remarks
  }

  /// `169 of 211 strokes right; most common error: backhand where there is none (33)`
  public var title: String {
    let classes = truths.indices.filter { truths[$0] != background }
    let all = classes.reduce(0) { $0 + total($1) }
    guard all > 0 else { return "No \(kind) has a true class" }
    let wrong = truths.indices.flatMap { row in
      predictions.indices.filter { !isRight(row, $0) && count(row, $0) > 0 }.map { (row, $0, count(row, $0)) }
    }
    let share = "\(right) of \(NumberText.count(all, kind)) right"
    guard let worst = wrong.max(by: { ($0.2, $1.0, $1.1) < ($1.2, $0.0, $0.1) }) else {
      return "All \(NumberText.count(all, kind)) right"
    }
    let (truth, prediction) = (truths[worst.0], predictions[worst.1])
    let words =
      truth == background
      ? "\(prediction) where there is none"
      : prediction == background ? "\(truth) missed" : "\(truth) recognised as \(prediction)"
    return "\(share); most common error: \(words) (\(worst.2))"
  }

  private var right: Int {
    truths.indices.reduce(0) { sum, row in
      sum + predictions.indices.filter { isRight(row, $0) }.reduce(0) { $0 + count(row, $1) }
    }
  }

  public var subtitle: String {
    let classes = truths.indices.filter { truths[$0] != background }
    let madeUp = truths.indices.filter { truths[$0] == background }.reduce(0) { $0 + total($1) }
    return [
      topic, source, NumberText.size(kind, classes.reduce(0) { $0 + total($1) }, subjects: subjects),
      classes.count == 1 ? "1 class" : "\(classes.count) classes", "\(right) right",
      madeUp > 0 ? "\(madeUp) invented" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    let matrix = 26 + 3 * TextStyle.small.lineHeight + 38
    guard page.isNarrow else { return max(570, matrix + 34 * Double(truths.count)) }
    return matrix + min(90, max(34, 320 / Double(max(1, truths.count)))) * Double(truths.count)
      + side(remainder: remainder).height(ofWidth: page.bodyWidth, isNarrow: true)
  }

  public var table: ChartTable {
    ChartTable(
      ["true"], predictions.map { ChartTable.Column($0) }, ["\(kind)s"], .estimate("recall", .fixed(2)),
      rows: truths.indices.map { row in
        ChartTable.row(
          [.text(truths[row])], predictions.indices.map { .count(count(row, $0)) }, [.count(total(row))],
          recall(row).cells())
      })
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let totals = numbersWidth(on: canvas) + 16 + recallsWidth(on: canvas)
    let isNarrow = canvas.page.isNarrow
    let below = isNarrow ? side(remainder: remainder).height(ofWidth: area.width, isNarrow: true) : 0
    let layout = MatrixLayout(
      rows: truths, columns: predictions,
      in: Rect(
        left: area.left, top: area.top + 26, right: area.right - totals - 14 - (isNarrow ? 0 : Self.sideWidth + 42),
        bottom: area.bottom - 38 - below), on: canvas)
    layout.drawNames(on: canvas)
    let quiet = TextStyle.note.colored(.quiet)
    canvas.text("predicted →", at: Point(x: layout.plot.left, y: layout.namesTop - 24), Anchor(.left, .top), quiet)
    canvas.text("true ↓", at: Point(x: layout.plot.left - 10, y: layout.plot.top - 6), Anchor(.right, .bottom), quiet)
    for row in truths.indices {
      for column in predictions.indices { draw(row, column, layout, on: canvas) }
    }
    drawTotals(layout, on: canvas)
    let beside = Rect(
      left: layout.plot.right + 14 + totals + 42, top: layout.plot.top, right: area.right, bottom: area.bottom)
    let under = Rect(left: area.left, top: layout.plot.bottom + 36, right: area.right, bottom: area.bottom)
    side(remainder: layout.remainder).draw(on: canvas, in: isNarrow ? under : beside)
  }

  private static let sideWidth = 226.0

  /// The explanations of numbered columns, from longest to shortest.
  private var remainder: [String] {
    predictions.filter { !truths.contains($0) }.map { "\(truths.count + 1) = \($0)" }
  }

  private func numbersWidth(on canvas: Canvas) -> Double {
    max(20, truths.indices.map { canvas.width(of: "\(total($0))", .note) }.max() ?? 0)
  }

  private func recallsWidth(on canvas: Canvas) -> Double {
    (["recall"] + truths.indices.flatMap { recallLines($0, on: canvas.page) }).map { canvas.width(of: $0, .note) }.max()
      ?? 0
  }

  private func draw(_ row: Int, _ column: Int, _ layout: MatrixLayout, on canvas: Canvas) {
    guard truths[row] != background || predictions[column] != background else { return }
    let cell = layout.cell(row: row, column: column)
    let share = total(row) > 0 ? Double(count(row, column)) / Double(total(row)) : 0
    let meaning: SemanticColor = isRight(row, column) ? .prediction : .worse
    let inner = cell.inset(by: min(1, cell.width / 8))
    let color = canvas.theme[meaning].blended(over: canvas.theme[.background], opacity: share)
    canvas.fill(inner, .grid, opacity: 0.4)
    if share > 0 { canvas.fill(inner, shade: color) }
    if isRight(row, column) { canvas.outline(inner, .prediction, width: 1.5) }
    guard total(row) > 0 else { return }
    let isEmpty = count(row, column) == 0
    let words = isEmpty ? SemanticColor.quiet : canvas.theme.text(on: color)
    let number = TextStyle(size: 19, isBold: !isEmpty, meaning: words)
    let isTall = cell.height >= 56 && cell.width >= 56 && !isEmpty
    layout.write("\(count(row, column))", in: cell, offset: isTall ? -11 : 0, number, on: canvas)
    if isTall {
      layout.write(percent(share), in: cell, offset: 13, TextStyle(size: 16, meaning: words), on: canvas)
    }
  }

  /// The number of items and the recall of each true class, and the number of items of each predicted class.
  private func drawTotals(_ layout: MatrixLayout, on canvas: Canvas) {
    let plot = layout.plot
    let numbers = truths.indices.map { "\(total($0))" }
    let right = plot.right + 14 + numbersWidth(on: canvas)
    let quiet = TextStyle.note.colored(.quiet)
    canvas.text("n", at: Point(x: right, y: plot.top - 6), Anchor(.right, .bottom), quiet)
    canvas.text("recall", at: Point(x: right + 16, y: plot.top - 6), Anchor(.left, .bottom), quiet)
    for row in truths.indices {
      let y = layout.cell(row: row, column: 0).middle.y
      canvas.text(numbers[row], at: Point(x: right, y: y), Anchor(.right, .middle), .note)
      let lines = recallLines(row, on: canvas.page)
      for (index, line) in lines.enumerated() {
        let offset = (Double(index) - Double(lines.count - 1) / 2) * 20
        canvas.text(line, at: Point(x: right + 16, y: y + offset), Anchor(.left, .middle), .note)
      }
    }
    canvas.text("n", at: Point(x: plot.left - 10, y: plot.bottom + 8), Anchor(.right, .top), quiet)
    for column in predictions.indices {
      let cell = layout.cell(row: 0, column: column)
      let sum = "\(truths.indices.reduce(0) { $0 + count($1, column) })"
      guard canvas.width(of: sum, .note) + 4 <= cell.width else { continue }
      canvas.text(sum, at: Point(x: cell.middle.x, y: plot.bottom + 8), Anchor(.center, .top), .note)
    }
  }

  private func side(remainder: [String]) -> SideColumn {
    var side = SideColumn()
    guard truths.indices.contains(where: { total($0) > 0 }) else {
      side.paragraph("No \(kind) has a true class.", .label)
      return side
    }
    side.legend([LegendEntry(.bar(.prediction), "right, framed"), LegendEntry(.bar(.worse), "recognised as another")])
    side.paragraph("full colour: 100 % of a row", .note)
    side.space(14)
    for remark in remarks { side.paragraph(remark, .note) }
    side.space(8)
    for name in remainder { side.paragraph(name, .note) }
    return side
  }

  private func isRight(_ row: Int, _ column: Int) -> Bool {
    truths[row] == predictions[column] && truths[row] != background
  }

  private func count(_ row: Int, _ column: Int) -> Int {
    guard counts.indices.contains(row), counts[row].indices.contains(column) else { return 0 }
    return max(0, counts[row][column])
  }

  private func total(_ row: Int) -> Int { predictions.indices.reduce(0) { $0 + count(row, $1) } }

  /// The correct share, with its interval if known.
  private func recall(_ row: Int) -> Estimate {
    guard truths[row] != background else { return Estimate(.nan) }
    if recalls.indices.contains(row) { return recalls[row] }
    let right = predictions.indices.filter { isRight(row, $0) }.reduce(0) { $0 + count(row, $1) }
    return Estimate(total(row) > 0 ? Double(right) / Double(total(row)) : .nan)
  }

  /// On a narrow page the interval is below the share.
  private func recallLines(_ row: Int, on page: Page) -> [String] {
    let words = recall(row).text()
    guard page.isNarrow, let bracket = words.firstIndex(of: "(") else { return [words] }
    return [String(words[..<bracket].dropLast()), String(words[bracket...])]
  }

  /// The share in per cent; only exact values are written as 100 % or 0 %.
  private func percent(_ share: Double) -> String {
    if share < 1, share > 0.995 { return "> 99 %" }
    return share < 0.005 ? "< 1 %" : "\(NumberText.fixed(100 * share, decimals: 0)) %"
  }
}

extension ChartRecipe {
  static let confusion = ChartRecipe(
    "confusion", "Strokes or postures that each detector confuses.", needs: "a run; --detector",
    takes: [.run, .detector],
    inReport: { run in
      run.results.detectors.compactMap { detector in
        ConfusionChart(run.results, detector).map { (detector.name, $0) }
      }.enumerated().map { index, item in
        ReportPicture(
          file: "classes-\(item.0).png", heading: "Confusion matrix of \(item.0)", chart: item.1, isAside: index > 0)
      }
    }
  ) { context in
    let run = try context.storedRun()
    let charts = run.results.detectors.compactMap { detector in
      ConfusionChart(run.results, detector).map { (name: detector.name, chart: $0) }
    }
    let wanted = try context.detector(in: run.results, having: "labelled strokes or postures") { name in
      charts.contains { $0.name == name }
    }
    guard context.detector == nil else {
      return charts.filter { $0.name == wanted }.map { Picture($0.chart, metadata: run.metadata) }
    }
    return charts.map { Picture($0.chart, part: charts.count > 1 ? $0.name : "", metadata: run.metadata) }
  }
}

extension ConfusionChart {
  /// The confusion of a detector's named frames or strokes; `nil` if it names neither.
  public init?(_ results: RunResults, _ detector: RunResults.DetectorCard) {
    guard let classes = results.classes(detector.name) else { return nil }
    let isSwing = detector.kind == "swing"
    let family = isSwing ? "strokes" : "classes"
    // A class that is neither true nor predicted only takes space.
    let truths = classes.labels.indices.filter { classes.support[$0] > 0 }
    let predictions = classes.labels.indices.filter { classes.predicted[$0] > 0 || classes.support[$0] > 0 }
    let named = results.showing { $0.outcomes[detector.name]?.classes != nil }
    self.init(
      source: named.source(detector.name), kind: isSwing ? "stroke" : "frame",
      truths: truths.map { classes.labels[$0] }, predictions: predictions.map { classes.labels[$0] },
      background: "none",
      counts: truths.map { row in predictions.map { classes.counts[row][$0] } },
      recalls: truths.map {
        results.estimate(detector.name, "\(family).\(classes.labels[$0]).recall") ?? Estimate(.nan)
      },
      subjects: named.subjectCount,
      remarks: ["Recall is the mean of the people's shares."]
        + ["accuracy", isSwing ? "f1" : "macro-f1"].compactMap { results.remark(detector.name, "\(family).\($0)") })
  }
}
