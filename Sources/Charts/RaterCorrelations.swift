import Evaluation
import Pipeline
import Scoring
import Statistics

/// The agreement of each pair of raters, with its interval and the number of items, and of a detector with each rater.
/// A detector is as good as a person if its row has colours as strong as theirs.
public struct RaterCorrelations: Chart {
  /// The agreement of two raters.
  public struct Cell: Hashable, Sendable {
    /// At most 1; NaN if undefined.
    public var agreement: Estimate
    /// The number of items that both rated.
    public var count: Int

    public init(_ agreement: Estimate, count: Int) {
      self.agreement = agreement
      self.count = count
    }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the rated criterion.
  public var source: String
  /// The measure, such as "weighted kappa".
  public var measure: String
  /// The kind of item, in the singular.
  public var kind: String
  public var raters: [String]
  /// The indices of detectors in `raters`.
  public var detectors: Set<Int>
  /// One row per rater; only the part below the diagonal is read. `nil` for two raters without a common item.
  public var cells: [[Cell?]]
  /// Texts printed beside the matrix: the agreement of all with its interval.
  public var remarks: [String]
  /// The number of people whose items were rated; `nil` if unknown.
  public var people: Int?

  public init(
    topic: String = "Agreement of the raters", source: String, measure: String, kind: String = "rep",
    raters: [String], detectors: Set<Int> = [], cells: [[Cell?]], remarks: [String] = [],
    people: Int? = nil
  ) {
    self.people = people
    self.topic = topic
    self.source = source
    self.measure = measure
    self.kind = kind
    self.raters = raters
    self.detectors = detectors
    self.cells = cells
    self.remarks = remarks
  }

  /// `squat-posture agrees less with raters (0.19 to 0.24) than they do with each other (0.64 to 0.75)`; of too few people
  /// only how many there are.
  public var title: String {
    if let few = NumberText.tooFew(self.people, kind, mostInCommon) { return few }
    func values(_ isOfDetector: Bool) -> [Double] {
      pairs.filter { isDetector($0) == isOfDetector }.compactMap { cell($0.row, $0.column)?.agreement.value }
        .filter(\.isFinite)
    }
    func range(_ values: [Double]) -> String {
      let ends = [values.min() ?? .nan, values.max() ?? .nan].map { NumberText.fixed($0, decimals: 2) }
      return ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")
    }
    let (people, theirs) = (values(false), values(true))
    let name = detectors.count == 1 ? detectors.first.flatMap { raters.indices.contains($0) ? raters[$0] : nil } : nil
    switch (people.min(), people.max(), theirs.min(), theirs.max()) {
    case (let least?, let most?, let low?, let high?):
      let how = high < least ? "less with raters" : low > most ? "more with raters" : "with raters"
      let than = high < least || low > most ? "than they do" : "about as they do"
      return
        "\(name ?? "Detectors") \(name == nil ? "agree" : "agrees") \(how) (\(range(theirs))) \(than) with each other "
        + "(\(range(people)))"
    case (_?, _, nil, _): return "Raters agree with each other: \(range(people))"
    case (nil, _, _?, _): return "\(name ?? "Detectors") and raters agree: \(range(theirs))"
    default: return "No two raters have enough common items"
    }
  }

  /// The most items that two raters have in common.
  private var mostInCommon: Int { pairs.compactMap { cell($0.row, $0.column)?.count }.max() ?? 0 }

  public var subtitle: String {
    let counts = pairs.compactMap { cell($0.row, $0.column)?.count }
    let least = counts.min() ?? 0
    let most = mostInCommon
    return [
      topic, source, NumberText.count(raters.count - detectors.count, "rater"),
      detectors.isEmpty ? nil : NumberText.count(detectors.count, "detector"), measure,
      counts.isEmpty
        ? "no \(kind) in common"
        : "\(least == most ? "\(most)" : "\(least) to \(most)") \(kind)s in common",
      people.map { NumberText.count($0, "person") },
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      ["rater", "other rater"], .estimate(measure, .fixed(2)), ["\(kind)s"],
      rows: pairs.map { row, column in
        let cell = cell(row, column)
        return ChartTable.row(
          [.text(raters[row]), .text(raters[column])], (cell?.agreement ?? Estimate(.nan)).cells(),
          [.count(cell?.count ?? 0)])
      })
  }

  /// The pairs below the diagonal, row by row.
  private var pairs: [(row: Int, column: Int)] {
    raters.indices.flatMap { row in (0..<row).map { (row, $0) } }
  }

  private func cell(_ row: Int, _ column: Int) -> Cell? {
    for (one, other) in [(row, column), (column, row)] where cells.indices.contains(one) {
      if cells[one].indices.contains(other), let cell = cells[one][other] { return cell }
    }
    return nil
  }

  public func bodyHeight(on page: Page) -> Double? {
    guard page.isNarrow, raters.count > 1 else { return nil }
    let rows = Double(raters.count - 1)
    return 3 * TextStyle.small.lineHeight + 30 + min(100, max(34, 400 / rows)) * rows
      + side(remainder: remainder).height(ofWidth: page.bodyWidth, isNarrow: true)
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    guard raters.count > 1 else {
      canvas.paragraph("Fewer than two raters.", in: area, .label)
      return
    }
    let isNarrow = canvas.page.isNarrow
    let below = isNarrow ? side(remainder: remainder).height(ofWidth: area.width, isNarrow: true) + 14 : 0
    // The first rater has no row and the last no column.
    let layout = MatrixLayout(
      rows: Array(raters.dropFirst()), columns: Array(raters.dropLast()),
      in: Rect(
        left: area.left, top: area.top, right: area.right - (isNarrow ? 0 : Self.sideWidth + 30),
        bottom: area.bottom - below), on: canvas, isSquare: true)
    layout.drawNames(on: canvas)
    for (row, column) in pairs { draw(row, column, layout.cell(row: row - 1, column: column), layout, on: canvas) }
    let beside = Rect(
      left: area.right - Self.sideWidth, top: layout.plot.top, right: area.right, bottom: area.bottom)
    let under = Rect(left: area.left, top: layout.plot.bottom + 14, right: area.right, bottom: area.bottom)
    side(remainder: layout.remainder).draw(on: canvas, in: isNarrow ? under : beside)
  }

  private static let sideWidth = 290.0

  /// The explanations of numbered columns, from longest to shortest.
  private var remainder: [String] { raters.first.map { ["\(raters.count) = \($0)"] } ?? [] }

  private func side(remainder: [String]) -> SideColumn {
    var side = SideColumn()
    if pairs.contains(where: { !isDetector($0) }) { side.shades(of: .truth, "two people", from: "≤ 0", to: "1") }
    if pairs.contains(where: isDetector) {
      side.shades(of: .prediction, "a detector and a person", from: "≤ 0", to: "1")
    }
    side.paragraph("colour: \(measure)", .note)
    for remark in remarks { side.paragraph(remark, .note) }
    for name in remainder { side.paragraph(name, .note) }
    return side
  }

  private func isDetector(_ pair: (row: Int, column: Int)) -> Bool {
    detectors.contains(pair.row) || detectors.contains(pair.column)
  }

  private func draw(_ row: Int, _ column: Int, _ rect: Rect, _ layout: MatrixLayout, on canvas: Canvas) {
    let inner = rect.inset(by: min(1.5, rect.width / 8))
    guard let cell = cell(row, column), cell.agreement.value.isFinite else {
      canvas.fill(inner, .grid, opacity: 0.5)
      return layout.write(NumberText.missing, in: rect, .note.colored(.quiet), on: canvas)
    }
    let meaning: SemanticColor = isDetector((row, column)) ? .prediction : .truth
    let color = canvas.theme[meaning].blended(over: canvas.theme[.background], opacity: cell.agreement.value)
    canvas.fill(inner, shade: color)
    canvas.outline(inner, .grid)
    let words = canvas.theme.text(on: color)
    let isTall = rect.height >= 76 && rect.width >= 96
    let value = NumberText.fixed(cell.agreement.value, decimals: 2)
    layout.write(
      value, in: rect, offset: isTall ? -22 : 0, TextStyle(size: 19, isBold: true, meaning: words), on: canvas)
    guard isTall else { return }
    let small = TextStyle.small.colored(words)
    if let interval = cell.agreement.interval {
      let bounds = [interval.lowerBound, interval.upperBound].map { NumberText.fixed($0, decimals: 2) }
      layout.write("[\(bounds.joined(separator: ", "))]", in: rect, offset: 2, small, on: canvas)
    }
    layout.write("n = \(cell.count)", in: rect, offset: 22, small, on: canvas)
  }
}

/// The rank correlation of each pair of raters on a detector's items, with the detector as the last rater.
///
/// Numbers and intervals are those of `bench agreement raters`: see `GradedItems`.
public struct RaterPairs: Sendable {
  public struct Pair: Hashable, Sendable {
    /// Indices of the raters, the higher one first.
    public var row: Int
    public var column: Int
    /// `nil` if undefined.
    public var correlation: Double?
    public var interval: Interval?
    /// The number of items that both graded.
    public var count: Int
  }

  /// The raters by name, then the detector.
  public let raters: [String]
  /// The number of people with an item that two of them graded.
  public let people: Int
  public let pairs: [Pair]

  /// - Returns: `nil` without an item that both the detector and a rater graded.
  public init?(_ results: RunResults, detector: String) {
    let items = results.clips.flatMap { clip in
      (clip.outcomes[detector]?.graded ?? []).map { graded -> GradedItems.Item in
        var ratings = graded.ratings
        // An empty name cannot be a rater's.
        ratings[detector] = graded.predicted
        return GradedItems.Item(clip: clip.name, rep: graded.rep, subject: clip.person, ratings: ratings)
      }
    }
    let graded = GradedItems(items)
    let people = graded.raters.filter { $0 != detector }
    guard !people.isEmpty else { return nil }
    let raters = people + [detector]
    self.raters = raters
    self.people = Set(items.filter { $0.ratings.count > 1 }.map(\.subject)).count
    pairs = raters.indices.flatMap { row in
      (0..<row).map { column in
        // In the order of the command's table, whose intervals these are.
        let found = graded.rankCorrelation(raters[column], raters[row])
        return Pair(
          row: row, column: column, correlation: found.result.value, interval: found.result.interval,
          count: found.count)
      }
    }
  }
}

extension ChartRecipe {
  static let raters = ChartRecipe(
    "raters", "Rank correlation of each pair of raters, and of the detector with each rater.",
    needs: "a run; --detector", takes: [.run, .detector]
  ) { context in
    let run = try context.storedRun()
    let detector = try context.grader(run.results)
    guard let chart = RaterCorrelations(run.results, detector) else {
      throw EvaluationError.missing(what: "detector \(detector)", expected: "grades by people", found: "none")
    }
    return [Picture(chart, metadata: run.metadata)]
  }
}

extension RaterCorrelations {
  /// The raters, followed by a detector; `nil` without an item that both graded.
  public init?(_ results: RunResults, _ detector: String) {
    guard let pairs = RaterPairs(results, detector: detector) else { return nil }
    let count = pairs.raters.count
    var cells = [[Cell?]](repeating: Array(repeating: nil, count: count), count: count)
    for pair in pairs.pairs {
      cells[pair.row][pair.column] = Cell(
        Estimate(pair.correlation ?? .nan, lower: pair.interval?.low, upper: pair.interval?.high), count: pair.count)
    }
    self.init(
      source: results.showing { !($0.outcomes[detector]?.graded ?? []).isEmpty }.datasets.sources,
      measure: "rank correlation of two", raters: pairs.raters,
      detectors: [count - 1],
      cells: cells,
      remarks: [Self.bracketRemark]
        + (results.remark(detector, "grades.human-spearman").map {
          ["pairwise; with the mean of the others: \($0)"]
        } ?? []), people: pairs.people)
  }
}

extension RaterCorrelations {
  private static let bracketRemark = "in brackets: 95 % bootstrap interval over people"

  /// The raters of a dataset, without a run.
  public init(_ agreement: RaterAgreement, source: String) {
    let count = agreement.raters.count
    var cells = [[Cell?]](repeating: Array(repeating: nil, count: count), count: count)
    for pair in agreement.pairs {
      guard let column = agreement.raters.firstIndex(of: pair.raters[0]),
        let row = agreement.raters.firstIndex(of: pair.raters[1])
      else { continue }
      let interval = pair.spearman.interval
      cells[row][column] = Cell(
        Estimate(pair.spearman.value ?? .nan, lower: interval?.low, upper: interval?.high), count: pair.items.count)
    }
    let single = agreement.results.first { $0.metric.name == "grades.icc-a-1" }.flatMap { result in
      result.value.map {
        "one rating, all raters: ICC(A,1) "
          + Estimate($0, lower: result.interval?.low, upper: result.interval?.high).text(decimals: 3)
      }
    }
    self.init(
      source: source, measure: "rank correlation of two", kind: "item", raters: agreement.raters, cells: cells,
      remarks: [Self.bracketRemark] + [single].compactMap(\.self),
      people: Set(agreement.pairs.flatMap { $0.items.map(\.subject) }).count)
  }
}
