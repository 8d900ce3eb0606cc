import Evaluation
import Statistics

/// The values that the folds chose for each tuned parameter within the searched range: close together if people agree,
/// spread out if the choice depends on single people.
public struct ChosenValues: Chart {
  /// A value with the number of folds that chose it.
  public struct Choice: Hashable, Sendable {
    public var value: Double
    public var folds: Int

    public init(value: Double, folds: Int) {
      self.value = value
      self.folds = folds
    }
  }

  public struct Parameter: Hashable, Sendable {
    public var name: String
    public var unit: String
    /// The searched range.
    public var range: ClosedRange<Double>
    /// The default, which may be outside the searched range.
    public var base: Double
    /// The value chosen on all subjects.
    public var tuned: Double
    public var choices: [Choice]

    public init(
      name: String, unit: String, range: ClosedRange<Double>, base: Double, tuned: Double, choices: [Choice]
    ) {
      self.name = name
      self.unit = unit
      self.range = range
      self.base = base
      self.tuned = tuned
      self.choices = choices
    }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detector.
  public var source: String
  public var parameters: [Parameter]

  public init(topic: String, source: String, parameters: [Parameter]) {
    self.topic = topic
    self.source = source
    self.parameters = parameters
  }

  /// The maximum number of rows.
  public static let limit = 16

  /// The agreement of the folds: `Folds agree on bottomAngle (11 of 12 chose 112), less on standingAngle`
  public var title: String {
    let choices = parameters.compactMap { parameter -> (name: String, value: String, most: Int, all: Int)? in
      let all = parameter.choices.map(\.folds).reduce(0, +)
      guard all > 0, let most = parameter.choices.max(by: { ($0.folds, $1.value) < ($1.folds, $0.value) }) else {
        return nil
      }
      return (parameter.name, NumberText.plain(most.value, decimals: 3), most.folds, all)
    }
    guard !choices.isEmpty else { return "No fold chose a value" }
    func words(_ agree: Bool) -> String {
      choices.filter { (4 * $0.most >= 3 * $0.all) == agree }.prefix(3)
        .map { "\($0.name) (\($0.most) of \($0.all) chose \($0.value))" }.joined(separator: ", ")
    }
    let (alike, apart) = (words(true), words(false))
    if apart.isEmpty { return "Folds agree on \(alike)" }
    return alike.isEmpty ? "Folds do not agree on \(apart)" : "Folds agree on \(alike), less on \(apart)"
  }

  public var subtitle: String {
    let folds = parameters.map { $0.choices.map(\.folds).reduce(0, +) }.max() ?? 0
    let hidden = parameters.count - shown.count
    return ([topic, source, NumberText.count(folds, "fold")] + (hidden > 0 ? ["\(hidden) parameters not shown"] : []))
      .joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 20
      + RowLayout.height(
        mark: page.isNarrow ? 44 : 56, names: shown.map(title), numbers: shown.map(numbers), on: page)
      + Self.footnote.height(ofWidth: page.bodyWidth)
  }

  private static let footnote = Footnote(
    "numbers: default → chosen on all subjects; scale: range searched; larger disc: more folds")

  public var table: ChartTable {
    ChartTable(
      [
        "parameter", "unit", .init("value", .upTo(4)), "folds", .init("default", .upTo(4)),
        .init("tuned on all", .upTo(4)),
      ],
      rows: parameters.flatMap { parameter in
        parameter.choices.map { choice in
          [
            .text(parameter.name), .text(parameter.unit), .number(choice.value), .count(choice.folds),
            .number(parameter.base), .number(parameter.tuned),
          ]
        }
      })
  }

  /// The space for the numbers at both ends of a scale.
  private func endWidth(_ canvas: Canvas) -> Double { canvas.page.isNarrow ? 72 : 90 }
  private var shown: [Parameter] { Array(parameters.prefix(Self.limit)) }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 20
    let note = Self.footnote.height(ofWidth: area.width)
    let layout = RowLayout(
      names: shown.map(title), numbers: shown.map(numbers),
      in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom - note),
      on: canvas)
    let ends = endWidth(canvas)
    let plot = Rect(
      left: layout.plot.left + ends, top: layout.plot.top, right: layout.plot.right - ends, bottom: layout.plot.bottom)
    for (index, parameter) in shown.enumerated() {
      layout.drawTexts(of: index, on: canvas)
      draw(parameter, on: canvas, at: layout.y(index), plot)
    }
    Self.footnote.draw(on: canvas, in: area)
  }

  private var entries: [LegendEntry] {
    [
      LegendEntry(.disc(.prediction), "chosen by folds"), LegendEntry(.bar(.better), "chosen on all subjects"),
      LegendEntry(.bar(.ink), "default"),
    ]
  }

  private func title(of parameter: Parameter) -> String {
    parameter.unit.isEmpty ? parameter.name : "\(parameter.name) (\(parameter.unit))"
  }

  private func numbers(of parameter: Parameter) -> String {
    [parameter.base, parameter.tuned].map { NumberText.plain($0, decimals: 3) }.joined(separator: " → ")
  }

  private func draw(_ parameter: Parameter, on canvas: Canvas, at y: Double, _ plot: Rect) {
    let base = parameter.base.isFinite ? [parameter.base] : []
    let values = [parameter.range.lowerBound, parameter.range.upperBound] + base
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    let axis = Axis(LinearScale(low...high), edge: .bottom)
    canvas.line(from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), .grid, width: 2)
    for (value, anchor, x) in [
      (low, Anchor(.right, .middle), plot.left - 16), (high, Anchor(.left, .middle), plot.right + 16),
    ] {
      canvas.text(
        NumberText.plain(value, decimals: 3), at: Point(x: x, y: y), anchor, .note.colored(.quiet),
        maxWidth: endWidth(canvas) - 20)
    }
    let most = Double(parameter.choices.map(\.folds).max() ?? 1)
    for choice in parameter.choices {
      guard let x = axis.position(of: choice.value, in: plot) else { continue }
      let radius = 4 + 9 * (max(0, Double(choice.folds)) / max(1, most)).squareRoot()
      canvas.disc(at: Point(x: x, y: y), radius: radius, .prediction, rim: .background)
    }
    for (value, meaning) in [(parameter.base, SemanticColor.ink), (parameter.tuned, .better)] {
      guard let x = axis.position(of: value, in: plot) else { continue }
      canvas.fill(Rect(left: x - 2, top: y - 18, right: x + 2, bottom: y + 18), meaning)
    }
  }
}

extension ChosenValues {
  init(_ results: TuneResults) {
    self.init(
      topic: "Values chosen with each subject left out", source: results.chartSource,
      parameters: results.axes.enumerated().map { index, axis in
        Parameter(
          name: axis.parameter, unit: axis.unit, range: (axis.levels.first ?? 0)...(axis.levels.last ?? 0),
          base: axis.baseValue, tuned: results.inSample.values[index],
          choices: results.choices(of: index).map { Choice(value: $0.value, folds: $0.folds) })
      })
  }
}
