extension Canvas {
  /// Draws the bones and joints of a figure, each in the colour of how sure it is; a poor bone is also dashed and a
  /// doubtful one thinner, for those who see no colours.
  func figure(_ figure: StickFigure, in frame: FigureFrame, width: Double = 4) {
    for certainty in StickFigure.Certainty.allCases {
      for bone in figure.bones {
        guard let ends = figure.ends(of: bone), ends.certainty == certainty,
          let start = frame.point(ends.from.x, ends.from.y), let end = frame.point(ends.to.x, ends.to.y)
        else { continue }
        line(
          from: start, to: end, certainty.meaning, width: certainty == .sure ? width : 0.7 * width,
          dash: certainty == .poor ? [5, 3] : [])
      }
    }
    for joint in figure.joints where joint.isDrawn {
      guard let point = frame.point(joint.x, joint.y), let certainty = joint.certainty else { continue }
      disc(at: point, radius: 0.9 * width, certainty.meaning, rim: .background, rimWidth: 1)
    }
  }
}

extension StickFigure {
  /// What the colours of some figures say, of those that occur.
  static func entries(for figures: [StickFigure]) -> [LegendEntry] {
    let present = Set(figures.flatMap(\.joints).filter(\.isDrawn).compactMap(\.certainty))
    let words: [(Certainty, LegendEntry)] = [
      (.sure, LegendEntry(.line(Certainty.sure.meaning), "joint seen surely")),
      (.doubtful, LegendEntry(.line(Certainty.doubtful.meaning), "joint seen doubtfully")),
      (.poor, LegendEntry(.dashedLine(Certainty.poor.meaning), "joint seen poorly")),
    ]
    return words.filter { present.contains($0.0) }.map(\.1)
  }
}
