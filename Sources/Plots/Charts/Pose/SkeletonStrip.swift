/// The poses of one clip at the moments that matter, in one scale but for those that are torn apart, coloured by how surely
/// each joint is seen.
public struct SkeletonStrip: Chart {
  public var clip: String
  /// Whose moments these are; empty where that is not said.
  public var detector: String
  /// Dataset, its origin, the subject and the pose estimator.
  public var source: String
  public var moments: [PosedMoment]

  public init(clip: String, detector: String = "", source: String, moments: [PosedMoment]) {
    self.clip = clip
    self.detector = detector
    self.source = source
    self.moments = moments
  }

  /// `s01_side_2, squat-states: the poses at 5 moments, 1 of them wrong`
  public var title: String {
    let wrong = moments.count(where: \.isWrong)
    return (detector.isEmpty ? clip : "\(clip), \(detector)")
      + ": \(moments.count == 1 ? "the pose" : "the poses") at \(NumberText.count(moments.count, "moment"))"
      + (wrong > 0 ? ", \(wrong) of them wrong" : "")
  }

  public var subtitle: String {
    [source, "1 clip", NumberText.count(moments.count, "moment")].joined(separator: " · ")
  }

  private var row: FigureRow { FigureRow(moments: moments, limit: 24, rows: (wide: 3, narrow: 6)) }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(StickFigure.entries(for: moments.map(\.figure))).rowHeight(ofWidth: page.bodyWidth) + 40
      + row.height(ofWidth: page.bodyWidth, on: page)
  }

  public var table: [[String]] {
    [["time (s)", "moment", "sure", "doubtful", "poor", "missing"]]
      + moments.map { moment in
        let joints = moment.figure.joints
        func count(_ certainty: StickFigure.Certainty) -> String {
          "\(joints.count { $0.isDrawn && $0.certainty == certainty })"
        }
        return [
          NumberText.fixed(moment.time, decimals: 2), moment.caption, count(.sure), count(.doubtful), count(.poor),
          "\(joints.count { !$0.isDrawn })",
        ]
      }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    guard moments.contains(where: \.time.isFinite) else {
      canvas.paragraph("There is no moment to show.", in: area, .label)
      return
    }
    let top = Legend(StickFigure.entries(for: moments.map(\.figure))).drawRow(on: canvas, in: area) + 10
    let hidden = moments.count - row.shown(in: area.width, on: canvas.page).count
    if hidden > 0 {
      let note = "\(hidden) more \(hidden == 1 ? "moment" : "moments") not shown"
      canvas.text(
        note, at: Point(x: area.right, y: area.bottom), Anchor(.right, .bottom), .note.colored(.quiet))
    }
    row.draw(
      on: canvas,
      in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom - TextStyle.note.lineHeight))
  }
}
