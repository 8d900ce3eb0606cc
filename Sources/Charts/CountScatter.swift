import Evaluation
import Statistics

/// Predicted over true rep count: a disc per pair of counts, larger and numbered if several clips share it; the line of
/// agreement, the band of one rep to either side, and the names of the worst clips.
///
/// Clips that stand out by their view, exercise or dataset have a colour and a shape of their own: a square, of which
/// they fill their share.
public struct CountScatter: Chart {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// The source of the counts: dataset, its origin and the detector.
  public var source: String
  public let clips: [CountedClip]
  /// The number of subjects; `nil` if unknown.
  public var subjects: Int?
  /// Texts printed beside the plot.
  public var remarks: [String]
  private let weakest: CountedSlice?
  /// Discs of the worst clips first.
  private let discs: [Disc]

  public init(
    topic: String = "Predicted and true rep count", source: String, clips: [CountedClip], subjects: Int? = nil,
    remarks: [String] = []
  ) {
    self.topic = topic
    self.source = source
    self.clips = clips
    self.subjects = subjects
    self.remarks = remarks
    weakest = CountedSlice.weakest(of: clips)
    discs = Self.discs(clips, weakest)
  }

  public var title: String { CountedSlice.finding(of: clips) }

  public var subtitle: String {
    ([topic, source] + CountedClip.summary(of: clips, subjects: subjects)).joined(separator: " · ")
  }

  /// One row per pair of counts, the worst first.
  public var table: ChartTable {
    ChartTable(
      ["true", "predicted", .init("error", .signed(2)), "clips", "first clip", "group"],
      rows: discs.map {
        [
          .number($0.first.truth), .number($0.first.predicted), .number($0.first.error), .count($0.count),
          .text($0.first.clip), $0.isWeak ? .text(weakest?.name ?? "") : .empty,
        ]
      })
  }

  public func bodyHeight(on page: Page) -> Double? {
    SquareLayout.height(on: page, side: side(areNumbered: true))
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let scale = Self.scale(for: discs.flatMap { [$0.first.truth, $0.first.predicted] })
    let layout = SquareLayout(
      x: Axis(scale, edge: .bottom, title: "true count (reps)"),
      y: Axis(scale, edge: .left, title: "predicted count (reps)"), in: area, on: canvas)
    let panel = layout.panel
    panel.drawBand(on: canvas, over: scale.domain, tolerance: 1)
    panel.drawAxes(on: canvas)
    panel.drawIdentity(on: canvas, over: scale.domain)
    let unit = panel.plot.width / (scale.domain.upperBound - scale.domain.lowerBound)
    draw(discs, on: canvas, panel, radii: Self.radii(unit: unit))
    side(areNumbered: Self.radii(unit: unit).upperBound >= Self.numberedRadius).draw(on: canvas, in: layout.side)
  }

  /// Clips with the same pair of counts.
  private struct Disc {
    var first: CountedClip
    /// Whether they are in the weakest group.
    var isWeak: Bool
    var count: Int
  }

  private static func discs(_ clips: [CountedClip], _ weakest: CountedSlice?) -> [Disc] {
    let sorted = clips.filter(\.isComplete).sorted(by: CountedClip.worstFirst)
    var positions: [[Double]: Int] = [:]
    var discs: [Disc] = []
    for clip in sorted {
      let isWeak = weakest?.contains(clip) ?? false
      let key = [clip.truth, clip.predicted, isWeak ? 1 : 0]
      if let position = positions[key] {
        discs[position].count += 1
      } else {
        positions[key] = discs.count
        discs.append(Disc(first: clip, isWeak: isWeak, count: 1))
      }
    }
    return discs
  }

  /// Whether clips that stand out and others have the same counts.
  private var hasDividedMarks: Bool {
    Dictionary(grouping: discs) { [$0.first.truth, $0.first.predicted] }.values.contains { $0.count > 1 }
  }

  /// The scale from 0 to the largest count, with space for whole discs at both ends.
  private static func scale(for counts: [Double]) -> LinearScale {
    let all = ([0, 1] + counts).filter { abs($0) < 1e12 }
    let (least, most) = (all.min() ?? 0, all.max() ?? 1)
    let room = max(0.7, 0.03 * (most - least))
    return LinearScale((least - room)...(most + room), isWhole: true)
  }

  /// The radii of the smallest and the largest disc.
  ///
  /// - Parameter unit: The width of one rep in points; discs at neighbouring counts should hardly touch.
  private static func radii(unit: Double) -> ClosedRange<Double> {
    let largest = min(20, max(8, 0.48 * unit))
    return min(7, 0.6 * largest)...largest
  }

  /// The smallest disc with a number in it.
  private static let numberedRadius = 10.0

  private func draw(_ discs: [Disc], on canvas: Canvas, _ panel: Panel, radii: ClosedRange<Double>) {
    // Those that stand out and the others at the same counts share a square.
    let shared = discs.reduce(into: [(disc: Disc, weak: Int)]()) { all, disc in
      let weak = disc.isWeak ? disc.count : 0
      let place = all.firstIndex {
        $0.disc.first.truth == disc.first.truth && $0.disc.first.predicted == disc.first.predicted
      }
      guard let place else { return all.append((disc, weak)) }
      all[place].disc.count += disc.count
      all[place].weak += weak
    }
    let most = Double(shared.map(\.disc.count).max() ?? 1)
    let placed = shared.compactMap { disc, weak -> (disc: Disc, weak: Int, center: Point, radius: Double)? in
      guard let center = panel.point(disc.first.truth, disc.first.predicted) else { return nil }
      // The area grows with the number of clips.
      let part = most > 1 ? (Double(disc.count - 1) / (most - 1)).squareRoot() : 0
      return (disc, weak, center, radii.lowerBound + part * (radii.upperBound - radii.lowerBound))
    }
    // The large ones first, to keep the small ones visible.
    for (disc, weak, center, radius) in placed.sorted(by: { $0.radius > $1.radius }) {
      let meaning: SemanticColor = weakest == nil && !disc.first.isWithinOne ? .worse : .prediction
      if weak == 0 {
        canvas.mark(meaning == .worse ? .square : .disc, at: center, radius: radius, meaning)
      } else {
        let square = Mark.area(center, radius: radius)
        let share = Double(weak) / Double(disc.count)
        canvas.fill(square, meaning)
        canvas.fill(
          Rect(
            left: square.left, top: square.bottom - share * square.height, right: square.right, bottom: square.bottom),
          .focus)
        if share < 1 {
          let split = square.bottom - share * square.height
          canvas.line(
            from: Point(x: square.left, y: split), to: Point(x: square.right, y: split), .background, width: 1.5)
        }
        canvas.outline(square.inset(by: -1), .background)
      }
      canvas.avoid(Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius))
      let number = TextStyle(size: min(17, max(TextStyle.small.size, 1.1 * radius)), isBold: true, meaning: .background)
      if disc.count > 1, radius >= Self.numberedRadius, canvas.width(of: "\(disc.count)", number) < 1.8 * radius {
        canvas.text("\(disc.count)", at: center, Anchor(.center, .middle), number)
      }
    }
    // A narrow plot has no room for names; the list below it has them.
    guard !canvas.page.isNarrow else { return }
    let worst = placed.prefix(5).filter { !$0.disc.first.isWithinOne }
    let names = TextStyle.note.shortened(worst.map(\.disc.first.clip), to: 0.4 * panel.plot.width)
    for ((disc, _, center, radius), clip) in zip(worst, names) {
      let name = disc.count > 1 ? "\(clip) and \(disc.count - 1) more" : clip
      let mark = Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius)
      canvas.label(name, beside: mark, .note, within: panel.plot, apart: 12)
    }
  }

  private func side(areNumbered: Bool) -> SideColumn {
    var side = SideColumn()
    let groups =
      weakest.map { weakest in
        [LegendEntry(.square(.focus), weakest.name), LegendEntry(.disc(.prediction), "all other clips")]
      } ?? [LegendEntry(.disc(.prediction), "clips in that band"), LegendEntry(.square(.worse), "clips outside it")]
    side.legend(
      [LegendEntry(.line(.truth), "predicted = true"), LegendEntry(.tolerance, "off by at most one rep")]
        + groups)
    side.paragraph(
      (areNumbered ? "Number in a mark: number of clips." : "Larger mark: more clips.")
        + (hasDividedMarks ? " Divided square: clips of both, \(weakest?.name ?? "") below." : ""), .note)
    side.space(14)
    for remark in remarks { side.paragraph(remark) }
    side.space(14)
    let worst = clips.filter { $0.isComplete && !$0.isExact }.sorted(by: CountedClip.worstFirst).prefix(5)
    let isEmpty = !clips.contains(where: \.isComplete)
    side.paragraph(
      isEmpty ? "No clip has both counts" : worst.isEmpty ? "Every count is exact" : "Worst clips: true → predicted",
      .heading)
    for clip in worst { side.row(clip.clip, "\(clip.change)  (\(NumberText.signed(clip.error)))") }
    return side
  }
}

extension ChartRecipe {
  static let counts = ChartRecipe(
    "counts", "Predicted against true rep counts, with the worst clips named.",
    inReport: (file: "counts.png", heading: "Predicted and true counts", isAside: false)
  ) { CountScatter($0, $1) }
}

extension CountScatter {
  /// The clips with both a labelled and a predicted count.
  public init(_ results: RunResults, _ counter: String) {
    let counted = results.showing { $0.countError(counter) != nil }
    self.init(
      source: counted.source(counter), clips: counted.counted(counter), subjects: counted.subjectCount,
      remarks: ["count.exact", "count.off-by-one", "count.mae"].compactMap { results.remark(counter, $0) })
  }
}
