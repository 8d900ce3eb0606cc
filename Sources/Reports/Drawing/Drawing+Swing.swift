import Coaching
import Evaluation
import Plots
import PoseModel

extension Drawing {
  static let swing = Drawing(
    "swing", "A stroke: the wrist's speed with its peak and boundaries, its path over the pose, the point of contact.",
    needs: "a run of swing detectors and its dataset, of which it replays the clip; --clip; --detector",
    takes: [.run, .detector, .clip]
  ) { material in
    let run = try material.storedRun()
    let results = run.results
    let detector = try material.detector(in: results, having: "a swing detector whose wrist speed can be traced") {
      name in
      guard let definition = try? material.registry.detector(named: name) else { return false }
      return definition.profile.kind == .swing && SwingTrace.canTrace(definition.parameters)
    }
    let clip = try material.clip(in: results, detector: detector)
    let replayed = try material.replay(clip, of: results, detector: detector)
    let chart = try SwingPicture(replayed).chart(source: run.source(detector))
    return [Picture(chart, notes: [material.replayNote(clip, results)], metadata: run.metadata)]
  }
}

/// The first stroke that a detector finds in a clip, or that people marked where it finds none.
struct SwingPicture {
  private let clip: ReplayedClip
  private let stroke: Stroke?
  private let truth: TimedSwing?
  private let truthLabel: String?

  init(_ clip: ReplayedClip) {
    self.clip = clip
    let strokes = clip.timeline.events.compactMap { event -> Stroke? in
      if case .stroke(let stroke) = event.kind { stroke } else { nil }
    }
    // The first that people marked too, if there is one.
    let intervals = clip.labels.intervals
    let stroke =
      strokes.first { stroke in intervals.contains { $0.start <= stroke.contact && stroke.contact <= $0.end } }
      ?? strokes.first
    let interval =
      stroke.flatMap { stroke in intervals.first { $0.start <= stroke.contact && stroke.contact <= $0.end } }
      ?? (stroke == nil ? intervals.first : nil)
    self.stroke = stroke
    truthLabel = interval?.label
    truth = interval.map { interval in
      TimedSwing(
        start: interval.start.seconds, end: interval.end.seconds,
        contact: clip.labels.events.first { interval.start <= $0.time && $0.time <= interval.end }?.time.seconds)
    }
  }

  func chart(source: String) throws -> SwingChart {
    let hand = stroke?.analysis?.hand
    let trace: SwingTrace
    do {
      trace = try SwingTrace(clip.setting.values, hand: hand, on: clip.poses)
    } catch {
      throw EvaluationError.missing(
        what: "detector \(clip.setting.name)", expected: "a traced wrist", found: "\(error)")
    }
    let wrist: Joint = hand == .left ? .leftWrist : .rightWrist
    let span = span
    let times = clip.poses.times.map(\.seconds)
    let frames = times.indices.filter { span.contains(times[$0]) }
    let speeds = trace.times.indices.filter { span.contains(trace.times[$0].seconds) }
    let contact = stroke?.contact.seconds ?? truth?.contact
    let moment = contact.flatMap { contact in times.lastIndex { $0 <= contact + 1e-6 } }
    let metrics = stroke?.analysis?.metrics
    return SwingChart(
      clip: clip.result.name, detector: clip.setting.name, source: source,
      speed: SignalSeries(
        name: hand.map { "\($0.rawValue) wrist's speed" } ?? "faster wrist's speed", unit: "body heights/s",
        times: speeds.map { trace.times[$0].seconds }, values: speeds.map { trace.speeds[$0] },
        thresholds: trace.thresholds),
      path: frames.map { frame in
        SwingChart.Place(
          time: times[frame], x: Double(clip.poses[wrist, .x, frame]), y: Double(clip.poses[wrist, .y, frame]))
      },
      figure: moment.map { Moments(poses: clip.poses, bones: clip.bones).figure(clip.poses.frame($0)) }, truth: truth,
      prediction: stroke.map {
        TimedSwing(
          start: $0.start.seconds, end: $0.end.seconds, peak: $0.contact.seconds, contact: $0.contact.seconds)
      },
      remarks: [names, lateness, metrics.flatMap(words)].compactMap { $0 })
  }

  /// The stroke with some time around it, or all of the clip.
  private var span: ClosedRange<Double> {
    let starts = [stroke?.start.seconds, truth?.start].compactMap { $0 }
    let ends = [stroke?.end.seconds, truth?.end].compactMap { $0 }
    guard let start = starts.min(), let end = ends.max(), start <= end else { return -Double.infinity...(.infinity) }
    return start - 0.5...end + 0.5
  }

  /// `named forehand, truly backhand`
  private var names: String? {
    switch (stroke, truthLabel) {
    case (let stroke?, let truth?): "named \(stroke.label ?? "nothing"), truly \(truth)"
    case (let stroke?, nil): "named \(stroke.label ?? "nothing"), by people nothing"
    case (nil, let truth?): "not found; truly \(truth)"
    case (nil, nil): "no stroke, found or marked"
    }
  }

  private var lateness: String? {
    guard let found = stroke?.contact.seconds, let truth = truth?.contact else { return nil }
    return "contact \(NumberText.signed((found - truth) * 1000, unit: "ms")) ms from people's"
  }

  private func words(_ metrics: AnalysisResult.SwingMetrics) -> String? {
    let parts = [
      metrics.backswingAngle.map { "backswing \(NumberText.fixed(Double($0), decimals: 0))°" },
      metrics.followThroughHeight.map {
        "follow-through \(NumberText.fixed(Double($0), decimals: 2)) body heights above the neck"
      },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
