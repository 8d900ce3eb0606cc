import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring

/// A detector whose predictions come from files. Runs, reports and baselines treat it like any other detector.
public struct PredictedDetector: Codable, Hashable, Sendable {
  /// The name of predictions without a detector in files and suite.
  public static let usualName = "predictions"

  /// A file with its content hash.
  public struct Source: Codable, Hashable, Sendable {
    public var file: String
    public var content: String
  }

  public let name: String
  public let kind: String
  public let summary: String
  public let counts: Bool
  public let criterion: String?
  public let faults: [String]
  /// The strokes that the detector can name; `nil` if it does not find strokes.
  public let strokes: [String]?
  public let postures: [String]
  public let speaks: Bool
  public let sources: [Source]
  /// The predictions by clip, `squats/anna_1`.
  public let clips: [String: Prediction]
  /// The clips of the run without predictions, scored as if nothing was found in them.
  public let unpredicted: [String]
  /// The number of clips in the files that have other exercises than the run.
  public let leftOut: Int
  /// Whether the predictions have reps with times.
  public let tellsReps: Bool
  /// Whether the predictions have times of reports.
  public let tellsReports: Bool

  /// `reps.csv, grades.csv`
  public var files: String { sources.map(\.file).joined(separator: ", ") }

  public var profile: DetectorProfile {
    DetectorProfile(
      name: name, kind: DetectorProfile.Kind(rawValue: kind) ?? .reps, exercise: "", summary: summary, source: files,
      tasks: DetectorTasks(
        counts: counts, givesConfidence: clips.values.contains { $0.countConfidence != nil }, criterion: criterion,
        faults: faults, strokes: strokes, postures: postures, spots: true, speaks: speaks))
  }

  /// The detector for a replay.
  public var definition: DetectorDefinition {
    DetectorDefinition(profile: profile, parameters: []) { _ in PredictedObserver(detector: self) }
  }

  /// The metrics that the predictions allow.
  ///
  /// - Parameter matching: The rule that matches predicted with true reps and strokes.
  func metrics(matching: RepMatching) -> [Metric] { families(matching: matching).flatMap(\.metrics).filter(tells) }

  /// The families of `metrics`.
  func families(matching: RepMatching) -> [any MetricFamily] {
    MetricFamilies.families(for: profile, matching: matching).filter { $0.metrics.contains(where: tells) }
  }

  /// Whether the predictions allow a metric. Files have no predictions of a live replay.
  private func tells(_ metric: Metric) -> Bool {
    switch metric.topic {
    case .reps: tellsReps
    case .latency: tellsReports && !LatencyMetrics.live.contains(metric.name)
    case .scores: clips.values.contains { $0.judged.contains { !$0.scores.isEmpty } }
    default: true
    }
  }
}

/// Repeats the predictions of a clip from files.
struct PredictedObserver: OutsideObserver {
  let detector: PredictedDetector

  var needsPoses: Bool { false }

  func filesHash() throws -> String {
    let hash = SHA256()
    hash.update("predictions 1")
    // File names are not hashed: moved files have the same predictions.
    for source in detector.sources { hash.update(source.content) }
    return ContentHash(hash.finish()).description
  }

  func answers(on clip: OutsideClip, frameByFrame: Bool) throws -> OutsideAnswers {
    let prediction = detector.clips[clip.id] ?? Prediction()
    return OutsideAnswers(events: prediction.events, prediction: prediction)
  }
}

/// A placeholder for a detector with predictions from files, in a run without them.
struct UnpredictedObserver: OutsideObserver {
  let name: String
  let file: String

  var needsPoses: Bool { false }

  var missing: EvaluationError {
    .missing(
      what: "detector \(name)",
      expected:
        "its predictions, which come from files (\(file)): give --predictions FILE; in place of bench run, use bench score",
      found: "none")
  }

  func filesHash() throws -> String { throw missing }

  func answers(on clip: OutsideClip, frameByFrame: Bool) throws -> OutsideAnswers { throw missing }
}

extension Prediction {
  /// The events for timelines, in the order of their reports.
  fileprivate var events: [Event] {
    var events = (reps ?? []).map { Event(time: $0.rep.end, reported: $0.reported ?? $0.rep.end, kind: .rep($0.rep)) }
    for judged in judged {
      let end = judged.rep.end
      events += judged.grades.sorted { $0.key < $1.key }.map {
        Event(end, .grade(criterion: $0.key, value: $0.value, rep: judged.rep))
      }
      events += judged.faults.sorted().map { Event(end, .fault($0, rep: judged.rep)) }
    }
    events += strokes.map { stroke in
      Event(
        time: stroke.contact, reported: stroke.reported,
        kind: .stroke(
          Coaching.Stroke(
            start: stroke.segment.start, contact: stroke.contact, end: stroke.segment.end, label: stroke.segment.label))
      )
    }
    for (index, segment) in segments.enumerated() {
      events.append(Event(segment.start, .phase(segment.label)))
      if index + 1 == segments.count || segments[index + 1].start > segment.end {
        events.append(Event(segment.end, .phase("none")))
      }
    }
    events += cues.map { Event($0.time, .cue(Coaching.Cue($0.fault ?? "cue", .normal, fault: $0.fault))) }
    return events.sorted { $0.reported < $1.reported }
  }
}

extension [PredictedDetector.Source] {
  /// The options that give a command these files, after a space: ` --predictions mine.csv`; empty without files.
  var options: String {
    let files = Set(map(\.file)).sorted()
    return files.isEmpty ? "" : " --predictions " + files.map(\.shellQuoted).joined(separator: " ")
  }
}
