import Scoring
import Statistics

/// What a detector got wrong on a clip, by what it does: what does not apply is `nil`.
public struct ClipMistakes: Codable, Hashable, Sendable {
  /// Reps that were counted.
  public var counted: Int?
  /// Reps that there are.
  public var trueCount: Int?
  /// Reps missed and reps made up, together.
  public var wrongReps: Int?

  /// Strokes that the detector could name.
  public var strokes: Int?
  public var missedStrokes: Int?
  public var falseStrokes: Int?
  /// Found, and taken for others.
  public var misnamedStrokes: Int?

  /// Of the recording, in which people labelled what the detector tells.
  public var labelledSeconds: Double?
  /// Of these, in which it says something else or nothing.
  public var wrongSeconds: Double?

  /// Reps, or clips, that people graded and the detector too.
  public var graded: Int?
  /// How far the grades are from the raters' means, on average; points.
  public var gradeDistance: Double?
  /// Reps, or clips, that people judged for faults.
  public var judged: Int?
  /// Of these, faulty ones that were not reported and sound ones that were.
  public var misjudged: Int?

  /// - Parameter kind: the detector's: `swing`.
  public init(_ clip: ClipResult, detector: String, kind: String) {
    guard let outcome = clip.outcomes[detector] else { return }
    if kind == "reps" {
      (counted, trueCount) = (outcome.count, clip.trueCount)
      if clip.trueReps != nil, outcome.reps != nil { wrongReps = clip.wrongReps(detector) }
    }
    if let classes = outcome.classes {
      let total = classes.total
      let right = classes.detections.reduce(0) { $0 + $1.truePositives }
      if kind == "swing" {
        let none = classes.labels.firstIndex(of: StrokeMetrics.none)
        let (made, missed) = (none.map { classes.support[$0] } ?? 0, none.map { classes.predicted[$0] } ?? 0)
        (strokes, missedStrokes, falseStrokes) = (total - made, missed, made)
        misnamedStrokes = total - right - made - missed
      } else if clip.fps > 0 {
        (labelledSeconds, wrongSeconds) = (Double(total) / clip.fps, Double(total - right) / clip.fps)
      }
    }
    let distances = outcome.graded.compactMap { graded in
      graded.predicted.flatMap { predicted in graded.mean.map { abs(predicted - $0) } }
    }
    (graded, gradeDistance) = (distances.isEmpty ? nil : distances.count, mean(distances))
    if let answers = outcome.judged, !answers.isEmpty {
      (judged, misjudged) = (answers.count, answers.count { $0.isFaulty != $0.isReported })
    }
  }
}

extension RunResults {
  /// The detector whose clips are shown: the first that counts reps, or that finds strokes, or that names what people
  /// labelled, or that grades; `nil` where none does.
  public var shownDetector: String? {
    counter ?? detectors.first { $0.kind == "swing" }?.name ?? detectors.first { classes($0.name) != nil }?.name
      ?? scorer
  }

  /// What a detector got wrong on a clip.
  public func mistakes(_ detector: String, on clip: ClipResult) -> ClipMistakes {
    ClipMistakes(clip, detector: detector, kind: detectors.first { $0.name == detector }?.kind ?? "")
  }
}
