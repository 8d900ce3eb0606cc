import Charts
import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Reports
import Scoring
import Statistics

/// A detector's predictions on one clip, as `bench replay --json` writes them.
struct ReplayRecord: Encodable {
  struct Said: Encodable {
    /// Seconds of recording time.
    var time: Double
    var reported: Double
    /// `rep`, `phase`, `grade`, `fault`, `stroke`, `cue` or `haptic`.
    var kind: String
    /// The phase, criterion, fault, stroke, words or pattern.
    var name: String?
    /// A grade's value.
    var value: Double?
    /// The start of the rep or stroke that this is about.
    var start: Double?
    var turn: Double?
    var end: Double?
    /// A cue's priority.
    var priority: String?
    /// The fault that a cue corrects.
    var fault: String?
    /// A stroke's.
    var analysis: AnalysisResult?
  }

  struct Doubts: Encodable {
    var unclear: Int
    var longGaps: Int
    var idle: Double
    var unseen: Double

    init(_ doubts: CountDoubts) {
      (unclear, longGaps, idle, unseen) = (doubts.unclear, doubts.longGaps, doubts.idle, doubts.unseen)
    }
  }

  /// A signal that the detector reads, one value per time.
  struct Measured: Encodable {
    /// A value at which the detector's decision changes.
    struct Level: Encodable {
      var name: String
      /// For one that stays; otherwise `values`.
      var value: Double?
      /// `nil` while there is none.
      var values: [Float?]?
    }

    var name: String
    var unit: String
    /// Seconds of recording time.
    var times: [Double]
    /// `nil` if the signal is missing.
    var values: [Float?]
    var thresholds: [Level]

    init(_ signal: SignalSeries) {
      func known(_ values: [Float]) -> [Float?] { values.map { $0.isFinite ? $0 : nil } }
      (name, unit, times) = (signal.name, signal.unit, signal.times)
      values = known(signal.values)
      thresholds =
        signal.thresholds.map { Level(name: $0.label, value: $0.value) }
        + signal.moving.map { Level(name: $0.label, values: known($0.values)) }
    }
  }

  var dataset: String
  var clip: String
  var detector: String
  var isSynthetic: Bool
  /// `nil` if it was replayed without one.
  var suite: String?
  /// `nil` if unknown.
  var trueCount: Int?
  var smoothing: String?
  var matching: RunResults.Matching
  var events: [Said]
  /// The probability that the count is off by one rep at most; `nil` if unknown.
  var confidence: Double?
  /// The evidence against the count; `nil` if unknown.
  var doubts: Doubts?
  /// Those that are drawn, the one that decides first.
  var signals: [Measured]
  /// For a detector that counts reps.
  private var reps: FoundReps?
  /// For a detector that finds strokes.
  private var strokes: FoundStrokes?

  init(_ clip: ReplayedClip, by plan: ReplayPlan) {
    dataset = clip.result.dataset
    self.clip = clip.result.name
    detector = clip.setting.name
    isSynthetic = clip.manifest.origin == .synthetic
    suite = plan.suite?.name
    trueCount = clip.result.trueCount
    smoothing = plan.smoothing?.description
    matching = RunResults.Matching(clip.matching)
    events = clip.timeline.events.sorted { $0.reported < $1.reported }.map { Said($0) }
    confidence = clip.outcome?.countConfidence
    doubts = clip.doubts.map(Doubts.init)
    signals = ClipTimeline(clip, source: "", hasFigures: false).signals.map { Measured($0) }
    reps = FoundReps(clip)
    strokes = FoundStrokes(clip)
  }
}

extension ReplayRecord.Said {
  fileprivate init(_ event: Event) {
    time = event.time.seconds
    reported = event.reported.seconds
    func span(_ rep: Rep) -> (start: Double?, turn: Double?, end: Double?) {
      (rep.start.seconds, rep.turn?.seconds, rep.end.seconds)
    }
    switch event.kind {
    case .rep(let rep):
      kind = "rep"
      (start, turn, end) = span(rep)
    case .phase(let phase):
      kind = "phase"
      name = phase
    case .grade(let criterion, let grade, let rep):
      kind = "grade"
      name = criterion
      value = grade
      (start, turn, end) = span(rep)
    case .fault(let fault, let rep):
      kind = "fault"
      name = fault
      (start, turn, end) = span(rep)
    case .stroke(let stroke):
      kind = "stroke"
      name = stroke.label
      (start, end) = (stroke.start.seconds, stroke.end.seconds)
      analysis = stroke.analysis
    case .cue(let cue):
      kind = "cue"
      name = cue.text
      priority = "\(cue.priority)"
      fault = cue.fault
    case .haptic(let pattern):
      kind = "haptic"
      name = pattern.rawValue
    }
  }
}

/// True reps and the detector's own. Times are seconds of recording time.
struct FoundReps: Encodable {
  struct Item: Encodable {
    var start: Double
    var turn: Double?
    var end: Double
    var reported: Double?
    /// `nil` where neither reps nor time without them are labelled.
    var matched: Bool?
    /// Why it was missed, is false or nearly counted, or where a count alone is labelled, how far a counted one went
    /// beyond its threshold; `nil` if it matched.
    var reason: RepReason?
  }

  /// `nil` if neither reps nor time without them are labelled, like the next two.
  var matched: Int?
  var missed: Int?
  var `false`: Int?
  var marked: [Item]?
  var predicted: [Item]
  /// Where a count alone is labelled, the turns that did not count and went at least half of the way, the farthest first.
  var nearly: [Item]?

  private enum CodingKeys: String, CodingKey {
    case matched, missed, `false`, predicted, nearly
    case marked = "true"
  }

  /// `nil` for a detector that counts no reps.
  init?(_ clip: ReplayedClip) {
    guard let reps = clip.outcome?.reps else { return nil }
    let evidence = clip.countEvidence
    let right = Set(reps.compactMap(\.matches))
    let isMarked = clip.result.trueReps != nil
    func isPhantom(_ rep: ClipResult.RepSpan) -> Bool { !isMarked && clip.labels.isNegative(rep) }
    let lost = clip.outcome?.missed ?? []
    marked = clip.result.trueReps?.enumerated().map { index, rep in
      Item(
        start: rep.start, turn: rep.turn, end: rep.end, matched: right.contains(index),
        reason: lost.first { $0.rep == index }?.reason)
    }
    predicted = reps.enumerated().map { index, found in
      Item(
        start: found.rep.start, turn: found.rep.turn, end: found.rep.end, reported: found.reported,
        matched: isMarked ? found.matches != nil : isPhantom(found.rep) ? false : nil,
        reason: found.reason ?? evidence?.counted[index])
    }
    nearly = evidence?.nearly.map {
      Item(start: $0.start.seconds, turn: $0.turn.seconds, end: $0.end.seconds, reason: $0.reason)
    }
    guard let marked else {
      if clip.labels.hasNegativeTime { (matched, missed, self.false) = (0, 0, reps.count { isPhantom($0.rep) }) }
      return
    }
    (matched, missed, self.false) = (right.count, marked.count - right.count, reps.count - right.count)
  }
}

/// True strokes that a detector can name, and its own. Times are seconds of recording time.
struct FoundStrokes: Encodable {
  struct Item: Encodable {
    var contact: Double
    var label: String
    var matched: Bool
    /// Why it was missed, named otherwise than labelled or is false; `nil` if it is right.
    var reason: RepReason?
  }

  /// `nil` if no strokes are labelled, like the next two.
  var matched: Int?
  var missed: Int?
  var `false`: Int?
  var marked: [Item]
  var predicted: [Item]

  private enum CodingKeys: String, CodingKey {
    case matched, missed, `false`, predicted
    case marked = "true"
  }

  /// `nil` for a detector that finds no strokes.
  init?(_ clip: ReplayedClip) {
    guard let strokes = clip.strokes else { return nil }
    let (found, right) = (Set(strokes.pairs.map(\.truth)), Set(strokes.pairs.map(\.predicted)))
    marked = strokes.truth.enumerated().map {
      Item(
        contact: $1.time.seconds, label: $1.label, matched: found.contains($0),
        reason: clip.strokeReasons?.missed[$0] ?? clip.strokeReasons?.misnamed[$0])
    }
    predicted = strokes.predicted.enumerated().map {
      Item(
        contact: $1.contact.seconds, label: $1.segment.label, matched: right.contains($0),
        reason: clip.strokeReasons?.wrong[$0])
    }
    guard clip.labels.hasStrokeLabels else { return }
    (matched, missed) = (strokes.pairs.count, marked.count - strokes.pairs.count)
    self.false = predicted.count - strokes.pairs.count
  }
}
