import Coaching
import PoseModel

/// What a detector said of one clip, as `bench replay --json` writes it.
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
    /// Of the rep or stroke that this is about.
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

  var dataset: String
  var clip: String
  var detector: String
  var isSynthetic: Bool
  var events: [Said]
}

extension ReplayRecord.Said {
  init(_ event: Event) {
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
