import Charts
import Datasets
import Evaluation
import Foundation
import Pipeline
import PoseModel
import Scoring
import Statistics

extension RunReport {
  /// The most important clips: those that broke, the worst, others that changed, then the rest up to the limit.
  func clipSections(_ timelines: [PictureModel], limit: Int, played: Set<String>) -> [SectionModel] {
    let heading = "Clips"
    var section = SectionModel(anchor: "clips", heading: heading, pictures: timelines, isShort: true)
    if !gone.isEmpty {
      section.notes = [
        "Some clips have no timelines, because their data were changed or removed since the run: "
          + "\(gone.joined(separator: ", "))."
      ]
    }
    let listed = listedClips
    if let detector = results.shownDetector, wrong.isEmpty {
      section.texts = [mistakeWords.allRight(results, detector) ?? unlabelledWords(detector)]
    }
    let isLimited = limit < 200
    let important = listed.filter { wrong.contains($0.id) || clipChanges[$0.id] != nil }
    let shown = (isLimited ? important : listed).prefix(limit)
    guard !important.isEmpty, !shown.isEmpty else { return [section] }
    section.table = clipTable(Array(shown), played: played)
    let others = important.count - shown.count
    if others > 0 { section.notes.insert("and \(others) more that are wrong or changed", at: 0) }
    return [section]
  }

  /// All clips, the most important first.
  var listedClips: [ClipResult] {
    let clips = Dictionary(results.clips.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let changed = (comparison?.clipChanges ?? []).compactMap { clips[$0.clip] }
    let broke = (comparison?.clipChanges ?? []).filter { ($0.gain ?? 0) < 0 }.compactMap { clips[$0.clip] }
    var seen: Set<String> = []
    return (broke + worst.prefix(Self.worstClipLimit) + changed + worst + results.clips).filter {
      seen.insert($0.id).inserted
    }
  }

  /// `counted 14 → 13, true 14, farther`, with the names of detectors other than the shown one. `nil` if nothing
  /// changed.
  private func changeWords(of clip: ClipResult) -> String? {
    clipChanges[clip.id]?.map { change in
      let gain = change.gain ?? 0
      return (change.detector == results.shownDetector ? "" : "\(change.detector) ") + change.sentence
        + (gain > 0 ? ", closer" : gain < 0 ? ", farther" : "")
    }.joined(separator: "; ")
  }

  /// Why a detector erred on a clip; `nil` if it did not, or the reasons are unknown.
  func reasonWords(_ detector: String, on clip: ClipResult) -> String? {
    results.reasonWords(detector, on: clip) {
      replayed.first { $0.result.id == clip.id && $0.setting.name == detector }
    }
  }

  private func clipTable(_ clips: [ClipResult], played: Set<String>) -> TableModel {
    let detector = results.shownDetector ?? ""
    let changes = clips.map(changeWords)
    let reasons = clips.map { reasonWords(detector, on: $0) }
    let (isChanged, isExplained) = (changes.contains { $0 != nil }, reasons.contains { $0 != nil })
    let hasSubjects = !clips.allSatisfy { $0.name.hasPrefix($0.subject) }
    let words = mistakeWords
    let rows = clips.indices.map { index -> RowModel in
      let clip = clips[index]
      let view = clip.view.isEmpty ? "unknown" : clip.view
      var cells = hasSubjects ? [clip.name, clip.subject, view] : [clip.name, view]
      cells += words.cells(results.mistakes(detector, on: clip))
      if isChanged { cells.append(changes[index] ?? "") }
      if isExplained { cells.append(reasons[index] ?? "") }
      var row = RowModel(cells)
      row.cells[cells.count - 1].isReason = isExplained
      (row.isFailed, row.isChanged, row.view) = (wrong.contains(clip.id), changes[index] != nil, view)
      row.person = clip.person
      if played.contains(clip.id) {
        row.cells[0].link = "#clip=\(clip.id.linkEscaped)"
        // A link to the rep of the reason.
        if isExplained, let missed = clip.outcomes[detector]?.missed?.first, let reps = clip.trueReps,
          reps.indices.contains(missed.rep)
        {
          let time = NumberText.fixed(reps[missed.rep].turn ?? reps[missed.rep].start, decimals: 2)
          row.cells[row.cells.count - 1].link = "#clip=\(clip.id.linkEscaped)&t=\(time)"
        }
      }
      return row
    }
    var header = hasSubjects ? ["clip", "person", "view"] : ["clip", "view"]
    header += words.header
    if isChanged { header.append("since the baseline") }
    if isExplained { header.append("why") }
    return TableModel(header: header, rows: rows, isFiltered: true)
  }

  /// The sentence if no clip has labels: the predicted counts.
  private func unlabelledWords(_ detector: String) -> String {
    let counts = results.clips.compactMap { clip in clip.outcomes[detector]?.count.map { "\(clip.name) \($0)" } }
    guard detector == results.counter, !counts.isEmpty else {
      return "No clip has labels to score \(detector) on."
    }
    let others = counts.count - 20
    return "No clip has a labelled count. Counted by \(detector): \(counts.prefix(20).joined(separator: ", "))"
      + (others > 0 ? " and \(others) more." : ".")
  }

  /// The wording of the shown detector's errors.
  var mistakeWords: ClipMistakeWords {
    ClipMistakeWords(kind: results.detectors.first { $0.name == results.shownDetector }?.kind ?? "")
  }

  /// The clip to look at first: the one that moved farthest from the ground truth, preferably of the shown detector;
  /// otherwise the worst clip. With what is wrong on it, and what to say of the command that shows it.
  var first: (clip: String, detector: String, words: String, step: String)? {
    let worse = (comparison?.clipChanges ?? []).filter { ($0.gain ?? 0) < 0 }
    if let broke = worse.first(where: { $0.detector == results.shownDetector }) ?? worse.first {
      let words = "Look first at \(withoutDataset(broke.clip)): \(broke.detector) \(broke.sentence)."
      return (broke.clip, broke.detector, words, "see why, on the clip that lost most:")
    }
    guard let detector = results.shownDetector, let worst = worst.first else { return nil }
    let words = mistakeWords.sentence(results.mistakes(detector, on: worst))
    return (
      worst.id, detector, "Worst clip: \(withoutDataset(worst.id)) (\(detector) \(words)).",
      "see why, on the worst clip:"
    )
  }

  /// Why the detector erred on the clip to look at first; `nil` if the reasons are unknown.
  var firstReason: String? {
    first.flatMap { first in
      results.clips.first { $0.id == first.clip }.flatMap { reasonWords(first.detector, on: $0) }
    }
  }

  /// The clip to look at first, and why.
  var firstClip: String? { first.map { $0.words + (firstReason.map { " Why: \($0)." } ?? "") } }
}
