import Coaching
import Datasets
import Plots
import PoseModel
import Scoring

extension ClipTimeline {
  /// Shows the strokes that people labelled, whatever they called them, and those that a detector found, paired by their
  /// contacts.
  public mutating func showStrokes(of labels: Labels, and events: [Event], within tolerance: Microseconds) {
    let pairs = StrokePairs(labels, events, within: tolerance)
    (trueStrokes, predictedStrokes) = (pairs.truth, pairs.predicted)
  }
}

/// The strokes that people labelled, whatever they called them, and those that a detector found, paired by their contacts.
struct StrokePairs {
  let truth: [TimedStroke]
  let predicted: [TimedStroke]

  init(_ labels: Labels, _ events: [Event], within tolerance: Microseconds) {
    let marked = labels.events
    let strokes = events.compactMap { event in if case .stroke(let stroke) = event.kind { stroke } else { nil } }
    let pairs = matchEvents(truth: marked.map(\.time), predicted: strokes.map(\.contact), tolerance: tolerance)
    let (found, right) = (Set(pairs.map(\.truth)), Set(pairs.map(\.predicted)))
    truth = marked.enumerated().map { index, event in
      let interval = labels.intervals.filter { $0.start <= event.time && event.time <= $0.end }
        .min { $0.end - $0.start < $1.end - $1.start }
      return TimedStroke(
        start: (interval?.start ?? event.time).seconds, end: (interval?.end ?? event.time).seconds,
        contact: event.time.seconds, label: event.label, isMatched: found.contains(index))
    }
    predicted = strokes.enumerated().map { index, stroke in
      TimedStroke(
        start: stroke.start.seconds, end: stroke.end.seconds, contact: stroke.contact.seconds,
        label: stroke.label ?? "unknown", isMatched: right.contains(index))
    }
  }
}
