import Evaluation

extension RunReport {
  /// The clips that the detector which is shown gets most wrong; none where it can be wrong on none.
  func clips(_ timelines: [PictureModel]) -> [ClipsModel] {
    guard let detector = results.shownDetector else { return [] }
    let words = ClipMistakeWords(kind: results.detectors.first { $0.name == detector }?.kind ?? "")
    let worst = worstClips
    var model = ClipsModel()
    model.heading = results.counter == nil ? "Worst clips" : "Worst and most changed clips"
    model.detector = detector
    model.hasTable = !worst.isEmpty
    if worst.isEmpty {
      model.allRight = words.allRight
    } else {
      let before = worst.map { clip in
        comparison?.changedCounts.first { $0.clip == clip.id && $0.detector == detector }.map { "\($0.before)" }
      }
      let isChanged = before.contains { $0 != nil }
      model.table = TableModel(
        [["clip", "subject", "view"] + words.header + (isChanged ? ["counted at the baseline"] : [])]
          + zip(worst, before).map { clip, before in
            [clip.name, clip.subject, clip.view.isEmpty ? "unknown" : clip.view]
              + words.cells(results.mistakes(detector, on: clip)) + (isChanged ? [before ?? "the same"] : [])
          })
    }
    model.timelines = timelines
    if !gone.isEmpty {
      model.noTimelines =
        "Timelines are left out of clips that can't be replayed: \(gone.joined(separator: ", ")) is no longer here as "
        + "the run saw it."
    }
    return [model]
  }

  /// The worst first.
  var worstClips: [ClipResult] {
    results.shownDetector.map { Array(results.worstClips($0).prefix(Self.worstClipLimit)) } ?? []
  }
}

/// What a detector gets wrong on a clip, in the words for what it does.
private struct ClipMistakeWords {
  /// The detector's.
  let kind: String

  var header: [String] {
    switch kind {
    case "reps": ["counted", "true", "wrong reps"]
    case "swing": ["strokes", "missed", "false", "misnamed"]
    case "posture": ["labelled", "wrong"]
    default: ["labelled", "wrong", "graded", "off by", "judged", "misjudged"]
    }
  }

  func cells(_ mistakes: ClipMistakes) -> [String] {
    func count(_ value: Int?) -> String { value.map(String.init) ?? "n/a" }
    func quantity(_ value: Double?, _ unit: String) -> String {
      value.map { "\(NumberText.fixed($0, decimals: 1)) \(unit)" } ?? "n/a"
    }
    let seconds = [quantity(mistakes.labelledSeconds, "s"), quantity(mistakes.wrongSeconds, "s")]
    return switch kind {
    case "reps": [count(mistakes.counted), count(mistakes.trueCount), count(mistakes.wrongReps)]
    case "swing":
      [mistakes.strokes, mistakes.missedStrokes, mistakes.falseStrokes, mistakes.misnamedStrokes].map(count)
    case "posture": seconds
    default:
      seconds + [
        count(mistakes.graded), quantity(mistakes.gradeDistance, "points"), count(mistakes.judged),
        count(mistakes.misjudged),
      ]
    }
  }

  var allRight: String {
    switch kind {
    case "reps": "No clip has a wrong count or a wrong rep."
    case "swing": "No stroke is missed, made up or taken for another."
    case "posture": "Nothing that people labelled is taken for something else."
    default: "No clip is graded, judged or named otherwise than by people."
    }
  }
}
