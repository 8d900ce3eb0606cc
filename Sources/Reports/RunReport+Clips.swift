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

  /// Why a detector erred on a clip: as its results say, otherwise as its replay shows.
  private func reasonWords(_ detector: String, on clip: ClipResult) -> String? {
    if let known = results.reasonWords(detector, on: clip) { return known }
    guard let replay = replayed.first(where: { $0.result.id == clip.id && $0.setting.name == detector }) else {
      return nil
    }
    if let invented = replay.strokeReasons?.wrong, !invented.isEmpty {
      return RepReason.summary(invented.map { (rep: $0.key, reason: $0.value) }, of: "detection")
    }
    if let misnamed = replay.strokeReasons?.misnamed, !misnamed.isEmpty {
      return RepReason.summary(misnamed.map { (rep: $0.key, reason: $0.value) }, of: "stroke")
    }
    if let first = replay.misjudgedSentences.first {
      let others = replay.misjudgedSentences.count - 1
      return first + (others > 0 ? "; and \(others) more" : "")
    }
    guard let count = clip.outcomes[detector]?.count, let truth = clip.trueCount else { return nil }
    return replay.countEvidence?.clues(counted: count, true: truth).first?.words
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
    var header = hasSubjects ? ["clip", "subject", "view"] : ["clip", "view"]
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
  /// otherwise the worst clip. With the reasons for its errors, if they are known.
  var firstClip: String? {
    func why(_ detector: String, _ clip: ClipResult?) -> String {
      clip.flatMap { reasonWords(detector, on: $0) }.map { " Why: \($0)." } ?? ""
    }
    let worse = (comparison?.clipChanges ?? []).filter { ($0.gain ?? 0) < 0 }
    if let broke = worse.first(where: { $0.detector == results.shownDetector }) ?? worse.first {
      return "Look first at \(withoutDataset(broke.clip)): \(broke.detector) \(broke.sentence)."
        + why(broke.detector, results.clips.first { $0.id == broke.clip })
    }
    guard let detector = results.shownDetector, let worst = worst.first else { return nil }
    let words = mistakeWords.sentence(results.mistakes(detector, on: worst))
    return "Worst clip: \(withoutDataset(worst.id)) (\(detector) \(words))." + why(detector, worst)
  }
}
