import Evaluation

extension RunReport {
  /// The clips that the detector which is shown gets most wrong; none where it can be wrong on none.
  func clips(_ timelines: [PictureModel]) -> [ClipsModel] {
    guard let detector = results.shownDetector else { return [] }
    let words = mistakeWords
    let worst = worstClips
    var model = ClipsModel()
    model.heading = "Worst and most changed clips"
    model.detector = detector
    model.hasTable = !worst.isEmpty
    if worst.isEmpty {
      model.allRight = words.allRight
    } else {
      let changes = worst.map { clip in
        (comparison?.changedClips ?? []).filter { $0.clip == clip.id && $0.detector == detector }
          .map(\.sentence).joined(separator: "; ")
      }
      let isChanged = changes.contains { !$0.isEmpty }
      model.table = TableModel(
        [["clip", "subject", "view"] + words.header + (isChanged ? ["since the baseline"] : [])]
          + zip(worst, changes).map { clip, change in
            [clip.name, clip.subject, clip.view.isEmpty ? "unknown" : clip.view]
              + words.cells(results.mistakes(detector, on: clip))
              + (isChanged ? [change.isEmpty ? "the same" : change] : [])
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

  /// In what words the clips of the detector that is shown are wrong.
  var mistakeWords: ClipMistakeWords {
    ClipMistakeWords(kind: results.detectors.first { $0.name == results.shownDetector }?.kind ?? "")
  }

  /// The clip to look at before the others: what went farthest from the truth, by the detector that is shown or else by
  /// another, or else the worst.
  var firstClip: String? {
    let worse = (comparison?.changedClips ?? []).filter { ($0.gain ?? 0) < 0 }
    if let broke = worse.first(where: { $0.detector == results.shownDetector }) ?? worse.first {
      return "Look first at \(withoutDataset(broke.clip)): \(broke.detector) \(broke.sentence)."
    }
    guard let detector = results.shownDetector, let worst = worstClips.first else { return nil }
    let words = mistakeWords.sentence(results.mistakes(detector, on: worst))
    return "Worst is \(withoutDataset(worst.id)): \(detector) \(words)."
  }
}
