import Datasets
import Evaluation
import Files
import Pipeline

/// Clips that a change brings and that are nearly copies of other people's recordings: one person under several names,
/// who counts as several. Recordings that are the same bit by bit are found on every run.
public struct CopiedMovements: Sendable {
  public private(set) var objections = Objections()

  /// - Parameters:
  ///   - results: The run of the change.
  ///   - known: The clips that were there before the change, as `dataset/clip`.
  /// - Throws: `StoreError` if the store cannot be read, `EvaluationError.missing` for a skeleton that is unknown.
  public init(_ results: RunResults, besides known: Set<String>, in project: Project, store: Store) throws {
    let replayed = Dictionary(results.clips.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    guard results.copyNote == nil, !known.isSuperset(of: replayed.keys) else { return }
    let catalogue = DatasetCatalogue(project: project, store: store)
    var clips: [(id: String, movement: CopySearch.Movement)] = []
    for card in results.datasets {
      // Clips that were tallied elsewhere may be in no dataset here.
      guard let dataset = try? catalogue.dataset(named: card.name) else {
        if replayed.values.contains(where: { $0.dataset == card.name && !known.contains($0.id) }) {
          objections.findings.append(
            "The recordings of dataset \(card.name) are not here: nothing shows whether its new clips are nearly copies of "
              + "another person's")
        }
        continue
      }
      let stored = try store.clips(of: dataset).filter { $0.hasPoses }
        .map { (id: ClipID(dataset: card.name, clip: $0.info.name).description, clip: $0) }
        .filter { replayed[$0.id] != nil }
      let fingerprints = try concurrently(stored.count) { index -> MotionFingerprint? in
        let clip = try CheckedClip(store.clip(stored[index].clip, of: dataset), manifest: dataset.manifest)
        return clip.body.flatMap { MotionFingerprint($0) }
      }
      for ((id, _), fingerprint) in zip(stored, fingerprints) {
        // Those that were there are not compared with each other.
        let person = known.contains(id) ? "known" : replayed[id]?.person ?? ""
        clips.append(
          (id, CopySearch.Movement(fingerprint: fingerprint, subject: person, split: known.contains(id) ? "" : "new")))
      }
    }
    let search = CopySearch(clips.map(\.movement), distance: NearDuplicates.distance, share: NearDuplicates.share)
    let copies = search.copies().filter { replayed[clips[$0.one].id]?.person != replayed[clips[$0.other].id]?.person }
    guard let first = copies.first else { return }
    let names = Set(copies.flatMap { [clips[$0.one].id, clips[$0.other].id] }.filter { !known.contains($0) })
      .compactMap { replayed[$0]?.subject }
    let way = first.way == .same ? "" : ", \(first.way.rawValue)"
    objections.findings.append(
      "New clips of \(Excerpt.list(Set(names).sorted())) are nearly copies of another person's, such as "
        + "\(clips[first.one].id) of \(clips[first.other].id)\(way): one person under two names counts as two. Give "
        + "both the same subject, or leave one of them out")
  }
}
