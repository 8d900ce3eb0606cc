import Charts

/// Small charts of poses and of two timelines whose every number is known.
extension Examples {
  /// A head, a hip and two feet, the right one unseen.
  static let figure = StickFigure(
    joints: [
      .init(x: 0.5, y: 0, certainty: .sure), .init(x: 0.5, y: 1, certainty: .doubtful),
      .init(x: 0.25, y: 2, certainty: .poor), .init(x: 0.75, y: 2, certainty: nil),
    ], bones: [.init(from: 0, to: 1), .init(from: 1, to: 2), .init(from: 1, to: 3), .init(from: 1, to: 9)])

  static let strip = SkeletonStrip(
    clip: "clip-1", source: "test",
    moments: [
      PosedMoment(time: 2, caption: "deepest", figure: figure), PosedMoment(time: 1, caption: "start", figure: figure),
      PosedMoment(time: 3, caption: "lost", figure: StickFigure(joints: [], bones: [])),
    ])

  static let posedTimeline = ClipTimeline(
    clip: "clip-1", source: "test", duration: 4, signals: timeline.signals, trueReps: timeline.trueReps,
    predictedReps: timeline.predictedReps, cues: timeline.cues,
    phases: [TimedPhase(start: 0, end: 1, name: "down"), TimedPhase(start: 1, end: 4, name: "up")],
    moments: strip.moments)

  static let pair = TimelinePair(
    clip: "clip-1", source: "test", duration: 4, trueReps: timeline.trueReps,
    before: .init(
      name: "before", signal: timeline.signals.first, reps: [TimedRep(start: 0, end: 2, isMatched: true)],
      found: [true, false]),
    after: .init(
      name: "after", signal: timeline.signals.first,
      reps: [TimedRep(start: 2, end: 4, isMatched: true), TimedRep(start: 0, end: 1, isMatched: false)],
      found: [false, true]))

  static let swing = SwingChart(
    clip: "forehand-1", source: "test",
    speed: SignalSeries(name: "wrist speed", unit: "m/s", times: [0, 0.5, 1, 1.5], values: [0, 12, 4, .nan]),
    path: [.init(time: 0, x: 0, y: 1), .init(time: 0.5, x: 1, y: 1), .init(time: 1, x: 1, y: 0)], figure: figure,
    truth: TimedSwing(start: 0.25, end: 1, contact: 0.5),
    prediction: TimedSwing(start: 0.5, end: 1, peak: 0.5, contact: 0.75),
    remarks: ["contact 0.25 s late"])
}
