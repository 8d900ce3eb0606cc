import Evaluation
import Statistics

/// The count errors of each subject's clips: a disc per clip and a bar at their mean. It shows if a detector fails for
/// one person or is slightly wrong for all.
public struct CountErrorBySubject: Chart {
  public struct Subject: Hashable, Sendable {
    public var name: String
    /// Predicted minus true count of each clip, in reps.
    public var errors: [Double]

    public init(name: String, errors: [Double]) {
      self.name = name
      self.errors = errors
    }

    var finite: [Double] { errors.filter { abs($0) < 1e12 } }
    var mean: Double { finite.isEmpty ? .nan : finite.reduce(0, +) / Double(finite.count) }

    /// The largest mean error first, then by name; subjects without a mean last.
    static func worstFirst(_ a: Subject, _ b: Subject) -> Bool {
      let (one, other) = (a.mean.isFinite ? abs(a.mean) : -1, b.mean.isFinite ? abs(b.mean) : -1)
      return one != other ? one > other : a.name < b.name
    }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detector.
  public var source: String
  public var subjects: [Subject]
  /// The mean of the subjects with its interval, drawn below them.
  public var mean: Estimate?

  /// The maximum number of subjects shown: those with the largest mean errors.
  public static let limit = 30

  public init(
    topic: String = "Count error by person", source: String, subjects: [Subject], mean: Estimate? = nil
  ) {
    self.topic = topic
    self.source = source
    self.subjects = subjects.sorted(by: Subject.worstFirst)
    self.mean = mean
  }

  /// Whether few people cause the errors: `s07 alone has 6 of 14 reps of error`.
  public var title: String {
    let sums = subjects.map { (name: $0.name, sum: $0.finite.map(abs).reduce(0, +)) }
    let total = sums.map(\.sum).reduce(0, +)
    let wrong = sums.filter { $0.sum > 0 }
    guard let worst = wrong.max(by: { ($0.sum, $1.name) < ($1.sum, $0.name) }) else {
      return subjects.contains { !$0.finite.isEmpty }
        ? "Counted right for \(subjects.count == 1 ? "the only person" : "all \(subjects.count) people")"
        : "No clip has both counts"
    }
    let people = "wrong for \(wrong.count) of \(NumberText.count(subjects.count, "person"))"
    guard subjects.count > 1 else { return "Miscounted for the only person, \(worst.name)" }
    guard wrong.count > 1 else { return "Only \(worst.name) is miscounted, of \(subjects.count) people" }
    let words = { NumberText.plain($0, decimals: 1) }
    return 2 * worst.sum > total
      ? "\(worst.name) alone has \(words(worst.sum)) of \(words(total)) reps of error"
      : "No single person causes most errors: \(people)"
  }

  public var subtitle: String {
    let clips = subjects.reduce(0) { $0 + $1.errors.count }
    let exact = subjects.count { !$0.errors.isEmpty && $0.errors.allSatisfy { $0 == 0 } }
    return [
      topic, source, NumberText.size("clip", clips, subjects: subjects.count), "\(exact) counted right on all clips",
    ]
    .joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      [
        "person", "clips", .init("mean error", .signed(2)), .init("least", .signed(2)), .init("greatest", .signed(2)),
      ],
      rows: subjects.map { subject in
        let errors = subject.finite
        return [
          .text(subject.name), .count(subject.errors.count), .number(subject.mean), .number(errors.min()),
          .number(errors.max()),
        ]
      })
  }

  private var shown: [Subject] { Array(subjects.prefix(Self.limit)) }

  private var rows: CountErrorRows {
    let shown = shown
    let values = [-1, 1] + shown.flatMap(\.finite) + (mean?.values ?? []).filter { abs($0) < 1e12 }
    let (least, most) = (values.min() ?? -1, values.max() ?? 1)
    let room = max(0.5, 0.04 * (most - least))
    return CountErrorRows(
      names: shown.map(\.name), numbers: shown.map { NumberText.signed($0.mean, keepingZeros: true) },
      scale: LinearScale((least - room)...(most + room), isWhole: true), mean: mean)
  }

  private var footnote: Footnote {
    let hidden = subjects.count - shown.count
    return Footnote(
      "numbers: mean error"
        + (hidden > 0 ? "; \(NumberText.count(hidden, "person")) with smaller mean errors not shown" : ""))
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 14 + rows.height(mark: 26, on: page)
      + footnote.height(ofWidth: page.bodyWidth)
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 14
    let (shown, rows) = (shown, rows)
    let room = Rect(
      left: area.left, top: top, right: area.right, bottom: area.bottom - footnote.height(ofWidth: area.width))
    rows.draw(on: canvas, in: room) { row, y, plot in draw(shown[row], on: canvas, at: y, plot, rows.axis) }
    footnote.draw(on: canvas, in: area)
  }

  private var entries: [LegendEntry] {
    let errors = shown.flatMap(\.finite)
    let candidates = [
      (errors.contains { abs($0) <= 1 }, LegendEntry(.disc(.prediction), "a clip off by at most one rep")),
      (errors.contains { abs($0) > 1 }, LegendEntry(.square(.worse), "off by more")),
      (true, LegendEntry(.tick(.ink), "mean of a person")),
      (true, LegendEntry(.tolerance, "one rep to either side")),
      (mean?.interval != nil, LegendEntry(.line(.uncertain), "95 % interval of the mean")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  /// Clips with the same error are side by side if they fit.
  private func draw(_ subject: Subject, on canvas: Canvas, at y: Double, _ plot: Rect, _ axis: Axis) {
    canvas.line(from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), .grid)
    var taken: [Double: Int] = [:]
    for error in subject.finite.sorted() {
      guard let x = axis.position(of: error, in: plot) else { continue }
      let position = taken[error, default: 0]
      taken[error] = position + 1
      let offset = Double((position + 1) / 2) * (position.isMultiple(of: 2) ? -5 : 5)
      let isNear = abs(error) <= 1
      canvas.mark(
        isNear ? .disc : .square, at: Point(x: x + max(-20, min(20, offset)), y: y), radius: 5,
        isNear ? .prediction : .worse, opacity: 0.85)
    }
    guard let x = axis.position(of: subject.mean, in: plot) else { return }
    canvas.fill(Rect(left: x - 1.5, top: y - 10, right: x + 1.5, bottom: y + 10), .ink)
  }
}

extension ChartRecipe {
  static let people = ChartRecipe("people", "Count errors of each person's clips, with their mean.") {
    CountErrorBySubject($0, $1)
  }
}

extension CountErrorBySubject {
  /// The subjects with both labelled and predicted counts.
  public init(_ results: RunResults, _ counter: String) {
    let counted = results.showing { $0.countError(counter) != nil }
    let clips = counted.clips.compactMap { clip in
      clip.countError(counter).map { (counted.subjectName(clip), Double($0)) }
    }
    let subjects = Dictionary(grouping: clips) { $0.0 }.map { Subject(name: $0, errors: $1.map(\.1)) }
    self.init(source: counted.source(counter), subjects: subjects, mean: results.estimate(counter, "count.bias"))
  }
}
