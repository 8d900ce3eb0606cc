import Evaluation
import Statistics

/// One clip with its true and predicted rep counts.
public struct CountedClip: Hashable, Sendable {
  public var clip: String
  /// The true count in reps; NaN if missing.
  public var truth: Double
  /// The predicted count in reps, not always whole: some systems predict a mean. NaN if missing.
  public var predicted: Double
  /// Properties that clips can share; empty if unknown.
  public var view: String
  public var exercise: String
  public var dataset: String

  public init(
    clip: String, truth: Double, predicted: Double, view: String = "", exercise: String = "", dataset: String = ""
  ) {
    (self.clip, self.truth, self.predicted) = (clip, truth, predicted)
    (self.view, self.exercise, self.dataset) = (view, exercise, dataset)
  }

  /// Predicted minus true count: above 0 for too many reps, below 0 for too few.
  public var error: Double { predicted - truth }

  var isComplete: Bool { error.isFinite }
  var isExact: Bool { error == 0 }
  var isWithinOne: Bool { abs(error) <= 1 }

  /// "12 → 15".
  var change: String { "\(NumberText.plain(truth, decimals: 2)) → \(NumberText.plain(predicted, decimals: 2))" }

  /// The largest error first, then by clip name.
  static func worstFirst(_ left: CountedClip, _ right: CountedClip) -> Bool {
    (abs(right.error), left.clip) < (abs(left.error), right.clip)
  }

  /// "24 clips of 8 subjects · 15 exact, 21 within one rep · 1 without a count".
  static func summary(of clips: [CountedClip], subjects: Int?) -> [String] {
    let complete = clips.filter(\.isComplete)
    let missing = clips.count - complete.count
    let exact = complete.count(where: \.isExact)
    let near = complete.count(where: \.isWithinOne)
    return [NumberText.size("clip", clips.count, subjects: subjects), "\(exact) exact, \(near) within one rep"]
      + (missing > 0 ? ["\(missing) without a count"] : [])
  }
}

/// Clips that share a property, with the number of right counts.
public struct CountedSlice: Hashable, Sendable {
  enum Property: CaseIterable { case view, exercise, dataset }

  let property: Property
  let value: String
  public let clips: Int
  public let right: Int

  /// `front views`
  public var name: String {
    switch property {
    case .view: "\(value) views"
    case .exercise: "\(value) clips"
    case .dataset: "dataset \(value)"
    }
  }

  private var share: Double { Double(right) / Double(max(1, clips)) }

  func contains(_ clip: CountedClip) -> Bool { Self.value(property, clip) == value }

  private static func value(_ property: Property, _ clip: CountedClip) -> String {
    switch property {
    case .view: clip.view
    case .exercise: clip.exercise
    case .dataset: clip.dataset
    }
  }

  /// The clips by one property.
  private static func slices(_ clips: [CountedClip], by property: Property) -> [CountedSlice] {
    Dictionary(grouping: clips) { value(property, $0) }.filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }.map {
      CountedSlice(property: property, value: $0.key, clips: $0.value.count, right: $0.value.count(where: \.isExact))
    }
  }

  /// The slice with the smallest share of right counts, if it has at least 3 clips, most of the wrong clips, and a
  /// share of wrong counts more than 0.1 above that of all clips; otherwise `nil`.
  public static func weakest(of clips: [CountedClip]) -> CountedSlice? {
    let clips = clips.filter(\.isComplete)
    let wrong = clips.count { !$0.isExact }
    let overall = Double(wrong) / Double(max(1, clips.count))
    return Property.allCases.flatMap { slices(clips, by: $0) }.filter {
      $0.clips >= 3 && $0.clips < clips.count && 2 * ($0.clips - $0.right) > wrong && 1 - $0.share > overall + 0.1
    }.min { a, b in (a.share, b.clips - b.right, a.name) < (b.share, a.clips - a.right, b.name) }
  }

  /// The weakest and the best slice by the same property: `Front views fail: 2 of 12 right, side views 12 of 12`
  static func finding(of clips: [CountedClip]) -> String {
    let clips = clips.filter(\.isComplete)
    let right = clips.count(where: \.isExact)
    guard !clips.isEmpty else { return "No clip has both counts" }
    guard right < clips.count else {
      return clips.count == 1 ? "The count is right" : "All \(clips.count) counts are right"
    }
    guard let weakest = weakest(of: clips) else {
      let counts = "\(right) of \(NumberText.count(clips.count, "clip")) counted right"
      return slices(clips, by: .view).count > 1 ? "No view stands out: \(counts)" : counts
    }
    let best = slices(clips, by: weakest.property).filter { $0 != weakest }.max { a, b in
      (a.share, a.clips, b.name) < (b.share, b.clips, a.name)
    }
    let isOne = weakest.property == .dataset
    let verdict =
      weakest.share < 0.5 ? (isOne ? "fails" : "fail") : (isOne ? "is" : "are") + " most often wrong"
    return "\(weakest.name.capitalizedFirst) \(verdict): \(weakest.right) of \(weakest.clips) right"
      + (best.map { ", \($0.name) \($0.right) of \($0.clips)" } ?? "")
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// A metric's title without its unit and direction: `reps found (F1)` of `reps found (F1) (higher is better)`.
  var metricName: String {
    let parts = split(separator: " (")
    return parts.count > 1 ? parts.dropLast().joined(separator: " (") : self
  }
}

/// Rows of count errors on one axis, over the band of one rep to either side of the true count, with their mean in the
/// last row.
struct CountErrorRows {
  let names: [String]
  let numbers: [String]
  /// Predicted minus true count, in reps.
  let axis: Axis
  let mean: Estimate?

  /// - Parameters:
  ///   - scale: The scale of the errors, in reps.
  ///   - mean: The mean error, in its own row below the others.
  init(names: [String], numbers: [String], scale: LinearScale, mean: Estimate?) {
    self.names = names + (mean == nil ? [] : ["mean"])
    self.numbers = numbers.isEmpty ? [] : numbers + (mean.map { [$0.signedText] } ?? [])
    axis = Axis(scale, edge: .bottom, title: "counted minus true (reps)")
    self.mean = mean
  }

  /// The height of the rows and of the axis below.
  func height(mark: Double, on page: Page) -> Double {
    RowLayout.height(mark: mark, names: names, numbers: numbers, on: page) + axis.depth
  }

  /// Draws everything but the errors: band, axis, names and numbers, and the mean.
  ///
  /// - Parameter error: Draws one of the rows at its height in the plot.
  func draw(on canvas: Canvas, in area: Rect, error: (Int, Double, Rect) -> Void) {
    let layout = RowLayout(
      names: names, numbers: numbers,
      in: Rect(left: area.left, top: area.top, right: area.right, bottom: area.bottom - axis.depth), on: canvas)
    let plot = layout.plot
    axis.draw(on: canvas, around: plot)
    // After the grid, which lies on its edges.
    if let left = axis.position(of: -1, in: plot), let right = axis.position(of: 1, in: plot) {
      canvas.tolerance(Rect(left: left, top: plot.top, right: right, bottom: plot.bottom))
    }
    if let zero = axis.position(of: 0, in: plot) {
      canvas.line(from: Point(x: zero, y: plot.top), to: Point(x: zero, y: plot.bottom), .truth, width: 1.5)
    }
    let last = mean == nil ? names.count : names.count - 1
    for row in 0..<last {
      layout.drawTexts(of: row, on: canvas)
      error(row, layout.y(row), plot)
    }
    guard let mean else { return }
    layout.drawTexts(of: last, on: canvas, TextStyle(size: TextStyle.note.size, isBold: true))
    drawMean(mean, on: canvas, at: layout.y(last), plot)
  }

  private func drawMean(_ mean: Estimate, on canvas: Canvas, at y: Double, _ plot: Rect) {
    guard let x = axis.position(of: mean.value, in: plot) else {
      canvas.text(NumberText.missing, at: Point(x: plot.middle.x + 8, y: y), Anchor(.left, .middle), .note)
      return
    }
    var (start, end) = (x, x)
    if let interval = mean.interval, let left = axis.position(of: interval.lowerBound, in: plot),
      let right = axis.position(of: interval.upperBound, in: plot)
    {
      canvas.line(from: Point(x: left, y: y), to: Point(x: right, y: y), .uncertain, width: 3)
      (start, end) = (min(x, left), max(x, right))
    }
    canvas.disc(at: Point(x: x, y: y), radius: 6, .ink, rim: .background)
    guard numbers.isEmpty else { return }
    // Right of the interval, or left of it if the text fits only there.
    let isBehind =
      end + 12 + canvas.width(of: mean.signedText, .note) <= plot.right || plot.right - end > start - plot.left
    canvas.tag(
      mean.signedText, at: Point(x: isBehind ? end + 12 : start - 12, y: y), Anchor(isBehind ? .left : .right, .middle),
      .note, maxWidth: isBehind ? plot.right - end : start - plot.left)
  }
}

extension RunResults {
  /// The clips with both a labelled and a predicted count.
  public func counted(_ counter: String) -> [CountedClip] {
    clips.compactMap { clip in
      guard let truth = clip.trueCount, let count = clip.outcomes[counter]?.count else { return nil }
      return CountedClip(
        clip: clip.name, truth: Double(truth), predicted: Double(count), view: clip.view, exercise: clip.exercise,
        dataset: clip.dataset)
    }
  }
}

extension ChartContext {
  /// The selected detector, or the first counter.
  func counter(_ results: RunResults) throws -> String {
    try detector(in: results, having: "clips with a labelled count") { name in
      results.clips.contains { $0.countError(name) != nil }
    }
  }
}
