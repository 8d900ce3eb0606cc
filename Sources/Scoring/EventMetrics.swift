import PoseModel

/// Whether each labelled instant is spotted: PCE, and average precision over the detections in order of their scores.
///
/// For a detector that spots events, such as the eight of a golf swing. Events of other labels are left out.
public struct EventMetrics: MetricFamily {
  public static let title = "single events"

  public struct Tally: Hashable, Codable, Sendable {
    var correct = PercentageOfCorrectEvents()
    var spotting = EventSpotting()
  }

  /// The largest distance of a detection from its event, for average precision.
  public var tolerance: Microseconds
  /// The events that the system can name.
  public var labels: [String]

  public init(tolerance: Microseconds, labels: [String]) {
    self.tolerance = tolerance
    self.labels = labels
  }

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.spots, let strokes = detector.tasks.strokes, let tolerance = detector.matching.tolerance else {
      return nil
    }
    self.init(tolerance: tolerance, labels: strokes)
  }

  public let metrics: [Metric] = [.percentageOfCorrectEvents, .spottingMeanAveragePrecision]

  public func tally(_ clip: LabelledPrediction) -> Tally {
    let events = clip.groundTruth.events.filter { labels.contains($0.label) }
    return Tally(
      correct: correct(events, clip),
      spotting: EventSpotting(
        truth: events.map { event(clip, $0.label, $0.time) },
        detections: clip.prediction.strokes.filter { labels.contains($0.segment.label) }.map {
          EventSpotting.Detection(event(clip, $0.segment.label, $0.contact), score: $0.score)
        }))
  }

  private func event(_ clip: LabelledPrediction, _ label: String, _ time: Microseconds) -> EventSpotting.Event {
    let instant = EventInstant(time: time, frames: clip.frames) ?? EventInstant(time: time, frame: 0)
    return EventSpotting.Event(clip: clip.name, label: label, instant: instant)
  }

  /// For a clip that has each of its events once. The tolerance grows with the time from `address` to `impact` or, if
  /// one of them is not labelled, from the first to the last event. Of several detections the one with the highest
  /// score counts.
  private func correct(_ events: [LabelledInstant], _ clip: LabelledPrediction) -> PercentageOfCorrectEvents {
    func frame(_ time: Microseconds) -> Int? { EventInstant(time: time, frames: clip.frames)?.frame }
    let truth = Dictionary(
      events.compactMap { event in frame(event.time).map { (event.label, $0) } },
      uniquingKeysWith: { first, _ in first })
    guard truth.count == events.count, let first = truth.values.min(), let last = truth.values.max() else {
      return PercentageOfCorrectEvents()
    }
    let ends = truth["address"].flatMap { address in truth["impact"].map { (address, $0) } } ?? (first, last)
    let best = clip.prediction.strokes.sorted { ($0.score, $1.contact) > ($1.score, $0.contact) }
    let said = Dictionary(
      best.compactMap { stroke in frame(stroke.contact).map { (stroke.segment.label, $0) } },
      uniquingKeysWith: { first, _ in first })
    return PercentageOfCorrectEvents(
      truth: truth, predicted: said,
      tolerance: PercentageOfCorrectEvents.tolerance(address: ends.0, impact: ends.1))
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(correct: a.correct + b.correct, spotting: a.spotting + b.spotting)
  }

  public func values(_ tally: Tally) -> [Double?] {
    [tally.correct.value, tally.spotting.meanAveragePrecision(labels: labels, within: [.time(tolerance)]).value]
  }

  /// False detections alone have no average precision, but change the pooled one.
  public func contributes(_ tally: Tally) -> [Bool] {
    [tally.correct.value != nil, !tally.spotting.truth.isEmpty || !tally.spotting.detections.isEmpty]
  }
}
