import Files
import Foundation
import PoseModel

/// One of the two places of a dataset.
public enum DatasetSide: String, CaseIterable, Hashable, Sendable {
  /// The dataset that was imported into the store.
  case store
  /// The dataset folder.
  case folder

  var other: DatasetSide { self == .store ? .folder : .store }
}

/// What differs between an imported dataset and its folder, and which side changed it since both were last alike.
///
/// Compared and copied as a whole are: a clip's recording, each column of its description, each kind of its labels; the
/// dataset's criteria, and the rest of `dataset.yaml`.
public struct DatasetDifference: Sendable {
  enum Part: Hashable, Sendable {
    /// The clip is on one side only.
    case clip
    case recording
    case of(ClipPart)
    case manifest(ManifestPart)

    var name: String {
      switch self {
      case .clip: "clip"
      case .recording: "recording"
      case .of(let part): part.rawValue
      case .manifest(.criteria): "criteria"
      case .manifest(.properties): "properties"
      }
    }
  }

  struct Item: Sendable {
    /// `nil` for `dataset.yaml`.
    var clip: String?
    var part: Part
    /// The only side that changed it; `nil` if both did or nobody knows.
    var changedBy: DatasetSide?
    /// Whether only a person can choose: both sides changed it, or one side removed it.
    var isConflict: Bool
    var store: [String]
    var folder: [String]
  }

  private(set) var items: [Item] = []

  /// Whether no clip is on both sides, as after an export under pseudonyms: they are different datasets.
  public private(set) var isUnrelated = false

  /// Whether both sides say the same, whatever the order of their labels.
  public var isEmpty: Bool { items.isEmpty }

  /// The side that has all changes; `nil` if both have some.
  public var newer: DatasetSide? {
    guard let side = items.first?.changedBy, items.allSatisfy({ $0.changedBy == side }) else { return nil }
    return side
  }

  var conflicts: [Item] { items.filter(\.isConflict) }

  /// The clips that differ, and `dataset.yaml`.
  public var summary: String {
    let clips = Dictionary(grouping: items.filter { $0.clip != nil }, by: { $0.clip ?? "" }).sorted { $0.key < $1.key }
    var texts = clips.prefix(3).map { clip, items in "\(clip): \(items.map(\.part.name).joined(separator: ", "))" }
    if clips.count > 3 { texts.append("\(clips.count - 3) more clips") }
    if items.contains(where: { $0.clip == nil }) { texts.append(DatasetFile.manifest.rawValue) }
    return texts.joined(separator: "; ")
  }

  /// A line for each conflict, with both values.
  ///
  /// - Parameter path: The folder's.
  func lines(ofConflictsWith path: String) -> [String] {
    conflicts.map { item in
      if item.part == .clip, let clip = item.clip {
        let places = item.folder.isEmpty ? ("the store", path) : (path, "the store")
        return "clip \(clip): \(places.0) has it, \(places.1) does not"
      }
      let place = item.clip.map { "clip \($0), " } ?? "\(DatasetFile.manifest.rawValue), "
      let (store, folder) = (Set(item.store), Set(item.folder))
      func value(_ own: [String], without other: Set<String>) -> String {
        let items = own.filter { !other.contains($0) }
        guard let first = items.first else { return own.isEmpty ? "nothing" : "without that" }
        return first.visibleLine + (items.count > 1 ? " and \(items.count - 1) more" : "")
      }
      return place + item.part.name + ": the store has \(value(item.store, without: folder)), \(path) has "
        + value(item.folder, without: store)
    }
  }

  /// No difference.
  init() {}

  /// - Parameters:
  ///   - base: The state when both were last alike; `nil` if nobody knows.
  ///   - isEarlier: Whether the store had the folder's content before `base`: the folder went back.
  ///   - haveSameRecording: Called for clips of one name whose hashes differ.
  init(
    store: (manifest: Manifest, clips: [StoredClip]), folder: (manifest: Manifest, clips: [StoredClip]),
    base: SyncBase?, isEarlier: Bool, haveSameRecording: (_ store: StoredClip, _ folder: StoredClip) throws -> Bool
  ) rethrows {
    /// - Parameter known: The base's fingerprint, `.some(nil)` for no items; `nil` if there is no base.
    func add(_ clip: String?, _ part: Part, _ own: [String], _ other: [String], _ known: String??) {
      guard own != other else { return }
      var changedBy: DatasetSide?
      if let known {
        let changed = (SyncBase.fingerprint(own) != known, SyncBase.fingerprint(other) != known)
        changedBy = changed == (true, false) ? .store : changed == (false, true) ? .folder : nil
      } else if own.isEmpty || other.isEmpty {
        changedBy = own.isEmpty ? .folder : .store
      }
      let isRemoved = changedBy == .store && own.isEmpty || changedBy == .folder && other.isEmpty
      items.append(
        Item(
          clip: clip, part: part, changedBy: changedBy, isConflict: changedBy == nil || isRemoved, store: own,
          folder: other))
    }
    for part in ManifestPart.allCases {
      add(
        nil, .manifest(part), part.items(of: store.manifest), part.items(of: folder.manifest),
        base.map { $0.manifest[part.rawValue] })
    }
    let own = Dictionary(store.clips.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    let others = Dictionary(folder.clips.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    isUnrelated = Set(own.keys).isDisjoint(with: others.keys)
    for name in Set(own.keys).union(others.keys).sorted() {
      let before = base?.clips[name]
      guard let a = own[name], let b = others[name] else {
        let side: DatasetSide = own[name] != nil ? .store : .folder
        let (changedBy, has, lacks) = (before == nil ? side : side.other, ["the clip"], [String]())
        items.append(
          Item(
            clip: name, part: .clip, changedBy: changedBy, isConflict: before != nil,
            store: side == .store ? has : lacks, folder: side == .folder ? has : lacks))
        continue
      }
      guard a.hash != b.hash else { continue }
      let start = items.count
      if try !haveSameRecording(a, b) {
        let hash = before?.hash
        let changedBy: DatasetSide? =
          hash == ContentHash(a.hash).hex ? .folder : hash == ContentHash(b.hash).hex ? .store : nil
        items.append(
          Item(
            clip: name, part: .recording, changedBy: changedBy, isConflict: changedBy == nil,
            store: [a.hasPoses ? "one recording" : "no recording"],
            folder: [b.hasPoses ? "another recording" : "no recording"]))
      }
      for part in ClipPart.allCases {
        add(
          name, .of(part), part.items(of: a.info, a.labels), part.items(of: b.info, b.labels),
          before.map { $0.parts[part.rawValue] })
      }
      // Grades and faults belong to reps by their numbers.
      if let reps = items[start...].first(where: { $0.part == .of(.reps) }), a.labels.repCount != b.labels.repCount {
        let judged = items[start...].indices.filter { [.of(.grades), .of(.faults)].contains(items[$0].part) }
        if judged.contains(where: { items[$0].changedBy != reps.changedBy }) {
          for index in items[start...].indices where items[index].part == .of(.reps) || judged.contains(index) {
            items[index].isConflict = true
          }
        }
      }
    }
    if isEarlier { for index in items.indices { items[index].isConflict = true } }
  }
}

/// A dataset with the changes of both sides.
struct MergedDataset {
  struct MergedClip {
    var info: Clip.Info
    var labels: GroundTruth
    /// The clip on each side; `nil` if it is new there.
    var store: StoredClip?
    var folder: StoredClip?
    /// The side whose recording it has; `nil` if both have the same, or only one has the clip.
    var recording: DatasetSide?
  }

  var manifest: Manifest
  /// By name.
  var clips: [MergedClip] = []
  /// What a side gets from the other.
  private(set) var changes: [DatasetSide: [DatasetDifference.Item]] = [.store: [], .folder: []]

  /// - Parameter keep: The side that conflicts are decided for; needed if there are any.
  init(
    _ difference: DatasetDifference, store: (manifest: Manifest, clips: [StoredClip]),
    folder: (manifest: Manifest, clips: [StoredClip]), keep: DatasetSide?
  ) {
    manifest = folder.manifest
    var winners: [String: [(part: DatasetDifference.Part, side: DatasetSide)]] = [:]
    for item in difference.items {
      guard let side = item.isConflict ? keep : item.changedBy else { continue }
      changes[side.other, default: []].append(item)
      if let clip = item.clip {
        winners[clip, default: []].append((item.part, side))
      } else if case .manifest(let part) = item.part, side == .store {
        part.copy(from: store.manifest, to: &manifest)
      }
    }
    let own = Dictionary(store.clips.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    let others = Dictionary(folder.clips.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    for name in Set(own.keys).union(others.keys).sorted() {
      let decided = winners[name] ?? []
      let (a, b) = (own[name], others[name])
      // Where both say the same, in the order of the folder.
      guard let first = b ?? a else { continue }
      if let side = decided.first(where: { $0.part == .clip })?.side, (side == .store ? a : b) == nil { continue }
      var clip = MergedClip(
        info: first.info, labels: first.labels, store: a, folder: b)
      for (part, side) in decided {
        switch part {
        case .of(let part):
          if side == .store, let a { part.copy(from: (a.info, a.labels), to: &clip.info, &clip.labels) }
        case .recording: clip.recording = side
        case .clip, .manifest: break
        }
      }
      clips.append(clip)
    }
  }
}
