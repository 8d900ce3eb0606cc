import Evaluation
import Statistics

/// For each tuned parameter, the values that the folds chose, a dot for each: in one pile if people agree, spread out if
/// the choice depends on single people.
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
    /// The names that the values 0, 1 … stand for; `nil` for numbers.
    public var names: [String]?

    public init(
      name: String, unit: String, range: ClosedRange<Double>, base: Double, tuned: Double, choices: [Choice],
      names: [String]? = nil
    ) {
      self.name = name
      self.unit = unit
      self.range = range
      self.base = base
      self.tuned = tuned
      self.choices = choices
      self.names = names
    }

    func text(_ value: Double) -> String {
      names == nil ? NumberText.plain(value, decimals: 3) : NumberText.plain(value, of: names)
    }

    func cell(_ value: Double) -> ChartTable.Cell { names == nil ? .number(value) : .text(text(value)) }

    /// Covers what was chosen, with a margin: the searched range may be many times as wide.
    var scale: any Scale {
      if let names { return CategoryScale(names) }
      let finite = (choices.map(\.value) + [base, tuned]).filter { $0.isFinite && abs($0) < 1e12 }
      let (low, high) = (finite.min() ?? 0, finite.max() ?? 1)
      let room = high > low ? 0.06 * (high - low) : max(1, 0.02 * abs(low))
      return LinearScale((low - room)...(high + room))
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
      return (parameter.name, parameter.text(most.value), most.folds, all)
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
      + shown.map { height(of: $0) }.reduce(0, +) + footnote.height(ofWidth: page.bodyWidth)
  }

  private var footnote: Footnote {
    let share = most > Self.highest ? "Dots are shares of the folds" : "A dot is one fold"
    return Footnote("\(share); each fold leaves one person out.")
  }

  /// The folds of the highest pile.
  private var most: Int { shown.flatMap(\.choices).map(\.folds).max() ?? 1 }
  private static let radius = 7.0
  /// The room above the dots for the numbers of the default and the choice.
  private static let head = 2 * TextStyle.note.lineHeight + 12

  /// Of its texts, its highest pile and its axis.
  private func height(of parameter: Parameter) -> Double {
    let pile = Double(parameter.choices.map(dots).max() ?? 1)
    return Self.head + max(40, pile * 2 * Self.radius) + Axis(LinearScale(0...1), edge: .bottom).depth + 16
  }

  private static let highest = 15

  /// The dots of a pile, at least one for any fold.
  private func dots(of choice: Choice) -> Int {
    let folds = max(0, choice.folds)
    return most <= Self.highest ? folds : min(folds, max(1, folds * Self.highest / most))
  }

  public var table: ChartTable {
    ChartTable(
      [
        "parameter", "unit", .init("value", .upTo(4)), "folds", .init("default", .upTo(4)),
        .init("tuned on all", .upTo(4)),
      ],
      rows: parameters.flatMap { parameter in
        parameter.choices.map { choice in
          [
            .text(parameter.name), .text(parameter.unit), parameter.cell(choice.value), .count(choice.folds),
            parameter.cell(parameter.base), parameter.cell(parameter.tuned),
          ]
        }
      })
  }

  private var shown: [Parameter] { Array(parameters.prefix(Self.limit)) }

  public func draw(on canvas: Canvas, in area: Rect) {
    var top = Legend(entries).drawRow(on: canvas, in: area) + 20
    for parameter in shown {
      let room = Rect(left: area.left, top: top, right: area.right, bottom: top + height(of: parameter))
      draw(parameter, on: canvas, in: room)
      top = room.bottom
    }
    footnote.draw(on: canvas, in: area)
  }

  private var entries: [LegendEntry] {
    [
      LegendEntry(.disc(.prediction), "chosen by a fold"), LegendEntry(.shade(.better), "chosen on all people"),
      LegendEntry(.dashedLine(.ink), "default"),
    ]
  }

  /// `bottomAngle (degrees), searched from 20 to 170`
  private func title(of parameter: Parameter) -> String {
    let range = parameter.range
    let ends = [range.lowerBound, range.upperBound].map(parameter.text)
    return (parameter.unit.isEmpty ? parameter.name : "\(parameter.name) (\(parameter.unit))")
      + ", searched from \(ends[0]) to \(ends[1])"
  }

  private func numbers(of parameter: Parameter) -> String {
    [parameter.base, parameter.tuned].map(parameter.text).joined(separator: " → ")
  }

  private func draw(_ parameter: Parameter, on canvas: Canvas, in area: Rect) {
    let style = TextStyle(size: TextStyle.note.size, isBold: true)
    canvas.text(
      numbers(of: parameter), at: Point(x: area.right, y: area.top), Anchor(.right, .top), style)
    canvas.text(
      title(of: parameter), at: Point(x: area.left, y: area.top), Anchor(.left, .top), .note,
      maxWidth: area.width - canvas.width(of: numbers(of: parameter), style) - 16)
    let axis = Axis(parameter.scale, edge: .bottom)
    let plot = Rect(
      left: area.left + 10, top: area.top + Self.head, right: area.right - 10, bottom: area.bottom - axis.depth - 16)
    axis.draw(on: canvas, around: plot)
    canvas.line(from: Point(x: plot.left, y: plot.bottom), to: Point(x: plot.right, y: plot.bottom), .quiet)
    if let x = axis.position(of: parameter.tuned, in: plot) {
      let half = 2 * Self.radius
      canvas.fill(
        Rect(left: x - half, top: plot.top, right: x + half, bottom: plot.bottom), .better, opacity: 0.25)
    }
    // The default's line ends above the number of a pile on it.
    let pile = parameter.choices.filter { $0.value == parameter.base }.map(dots).max() ?? 0
    let end = pile > 0 ? plot.bottom - 2 * Self.radius * Double(pile) - TextStyle.small.lineHeight - 4 : plot.bottom
    if end > plot.top, let x = axis.position(of: parameter.base, in: plot) {
      canvas.line(from: Point(x: x, y: plot.top), to: Point(x: x, y: end), .ink, width: 3, dash: [6, 4])
    }
    for choice in parameter.choices {
      guard let x = axis.position(of: choice.value, in: plot) else { continue }
      let dots = dots(of: choice)
      for index in 0..<dots {
        let y = plot.bottom - Self.radius * Double(2 * index + 1)
        canvas.disc(at: Point(x: x, y: y), radius: Self.radius, .prediction, rim: .background)
      }
      let top = plot.bottom - 2 * Self.radius * Double(dots) - 2
      canvas.tag(
        "\(parameter.text(choice.value)): \(choice.folds)", at: Point(x: x, y: top), Anchor(.center, .bottom), .small,
        maxWidth: plot.width)
    }
  }
}

extension ChosenValues {
  init(_ results: TuneResults) {
    self.init(
      topic: "Values chosen with each person left out", source: results.chartSource,
      parameters: results.axes.enumerated().map { index, axis in
        Parameter(
          name: axis.parameter, unit: axis.unit, range: (axis.levels.first ?? 0)...(axis.levels.last ?? 0),
          base: axis.baseValue, tuned: axis.value(in: results.inSample.values),
          choices: results.choices(of: index).map { Choice(value: $0.value, folds: $0.folds) }, names: axis.names)
      })
  }
}
