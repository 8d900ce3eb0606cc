import Files
import Foundation
import GRDB
import PoseModel

/// An imported dataset beside its folder.
public struct DatasetComparison: Sendable {
  public let imported: StoredDataset
  /// The store's cache of the folder; `nil` if the folder has the content of the imported dataset.
  public let cache: StoredDataset?
  public let difference: DatasetDifference
}

/// The result of `Store.synchronize(_:with:keep:)`.
public struct SyncOutcome: Sendable {
  /// What one side got from the other.
  public struct Copied: Hashable, Sendable {
    /// The number of clips with copied labels, with a copied description or recording, that were added, and that were
    /// removed.
    public var labelled = 0
    public var described = 0
    public var added = 0
    public var removed = 0
    /// Whether `dataset.yaml` changed.
    public var hasManifest = false

    public init() {}

    public var isEmpty: Bool { self == Copied() }
  }

  public internal(set) var toStore = Copied()
  public internal(set) var toFolder = Copied()
  /// The dataset of the store that keeps the overwritten side; `nil` if no conflict was decided.
  public internal(set) var replaced: String?
}

extension Store {
  /// The finished imported dataset of a name; `nil` for none.
  public func importedDataset(named name: String) throws -> StoredDataset? {
    try read { db in try complete(name, in: db).first { $0.folder == nil } }
  }

  /// Compares an imported dataset with its folder, and remembers when both are alike.
  ///
  /// - Parameter path: The folder.
  /// - Throws: `DataError` if the folder cannot be read or has another name.
  public func compare(_ imported: StoredDataset, withFolder path: String) throws -> DatasetComparison {
    var listing = try DatasetListing(path)
    try listing.require(imported.manifest.name)
    listing = try listing.hashed()
    return try compare(imported, with: listing)
  }

  private func compare(_ imported: StoredDataset, with listing: DatasetListing) throws -> DatasetComparison {
    let files = try listing.digest()
    var base = try read { db in try syncBase(of: imported, in: db) }
    func alike() -> DatasetComparison {
      // If this fails now, a later comparison does it.
      if base?.files != files.hex || base?.content != imported.content?.hex { try? remember(imported, files: files) }
      return DatasetComparison(imported: imported, cache: nil, difference: DatasetDifference())
    }
    if imported.source == files.hex || base?.files == files.hex && base?.content == imported.content?.hex {
      return alike()
    }
    let path = URL(fileURLWithPath: listing.contents.directory).standardizedFileURL.path
    let content = try importing(DatasetFolder(listing), cacheOf: path, expires: imported.expires).content
    guard content != imported.content else { return alike() }
    let name = imported.manifest.name
    guard let cache = try read({ db in try complete(name, in: db).first { $0.folder != nil && $0.content == content } })
    else { throw StoreError.changedMeanwhile(path: self.path, dataset: name) }
    let sides = (store: try clips(of: imported), folder: try clips(of: cache))
    let past = try pastContents(of: name)
    let place = past.lastIndex(of: content.description)
    var isEarlier = false
    if let place, base?.content != content.hex {
      let basePlace = base.flatMap { base in past.lastIndex { $0.hasSuffix(base.content) } }
      if base == nil || basePlace.map({ $0 < place }) ?? false {
        base = SyncBase(files: files, content: content, manifest: cache.manifest, clips: sides.folder)
      } else {
        isEarlier = true
      }
    }
    let difference = try DatasetDifference(
      store: (imported.manifest, sides.store), folder: (cache.manifest, sides.folder), base: base, isEarlier: isEarlier
    ) { try recording(of: $0, imported) == recording(of: $1, cache) }
    return DatasetComparison(imported: imported, cache: cache, difference: difference)
  }

  /// Brings an imported dataset and its folder up to date with each other: each gets the changes that only the other
  /// has. A side that does not exist gets everything.
  ///
  /// The folder changes atomically, then the store in one transaction. After a kill in between, the next call does the
  /// rest.
  ///
  /// - Parameters:
  ///   - path: The folder, which may not exist.
  ///   - keep: The side that conflicts are decided for; the other is first stored as a dataset of its own.
  /// - Throws: `StoreError.conflicts` if there are conflicts without `keep`, `StoreError.unrelated`, or `DataError` if the folder cannot be read or
  ///   written. Both sides are then unchanged.
  public func synchronize(_ name: String, with path: String, keep: DatasetSide? = nil) throws -> SyncOutcome {
    guard FileKind("\(path)/\(DatasetFile.manifest.rawValue)") != nil else { return try writeFolder(name, to: path) }
    var listing = try DatasetListing(path)
    try listing.require(name)
    listing = try listing.hashed()
    guard let imported = try importedDataset(named: name) else { return try adopt(listing) }
    let comparison = try compare(imported, with: listing)
    guard let cache = comparison.cache else { return SyncOutcome() }
    guard !comparison.difference.isUnrelated else { throw StoreError.unrelated(dataset: name, folder: path) }
    var outcome = SyncOutcome()
    let conflicts = comparison.difference.conflicts
    if !conflicts.isEmpty {
      guard let keep else {
        throw StoreError.conflicts(
          dataset: name, folder: path, conflicts: comparison.difference.lines(ofConflictsWith: path))
      }
      outcome.replaced = try keepCopy(of: keep == .store ? cache : imported, expires: imported.expires)
    }
    let merged = MergedDataset(
      comparison.difference, store: (imported.manifest, try clips(of: imported)),
      folder: (cache.manifest, try clips(of: cache)), keep: keep)
    outcome.toStore = SyncOutcome.Copied(merged, to: .store)
    outcome.toFolder = SyncOutcome.Copied(merged, to: .folder)
    if !outcome.toFolder.isEmpty { try update(DatasetFolder(listing), to: merged, from: imported) }
    let files = try DatasetListing(path).digest()
    try write { db in try apply(merged, to: imported, from: cache, files: files, folder: path, in: db) }
    // If this fails now, a later opening retries it.
    try? finishErasing()
    return outcome
  }

  /// Whether an imported dataset has labels that were added after its import and are in no folder or archive that
  /// `bench` wrote.
  public func hasUnsavedLabels(_ dataset: StoredDataset) throws -> Bool {
    guard dataset.folder == nil, dataset.isLabelled, let content = dataset.content?.description else { return false }
    return try !auditLog().entries.contains { entry in
      entry.dataset == dataset.manifest.name && entry.content == content
        && [.exported, .synced].contains(entry.action) && !entry.detail.contains(Self.pseudonymsNote)
    }
  }

  /// What the log says of an export under pseudonyms.
  public static let pseudonymsNote = ", under pseudonyms"

  /// Records that a folder has the content of an imported dataset, for later comparisons.
  ///
  /// - Parameter path: The folder, as it was just written.
  public func rememberFolder(_ path: String, of imported: StoredDataset) throws {
    try remember(imported, files: DatasetListing(path).digest())
  }

  private func remember(_ imported: StoredDataset, files: ContentHash) throws {
    try write { db in
      let dataset = try current(imported, in: db)
      guard let content = dataset.content, content == imported.content else { return }
      try setBase(of: dataset, files: files, content: content, in: db)
      let name = dataset.manifest.name
      try discard(complete(name, in: db).filter { $0.folder != nil && $0.content == content }, in: db)
    }
  }

  private func syncBase(of dataset: StoredDataset, in db: Database) throws -> SyncBase? {
    try Row.fetchOne(db, sql: "SELECT base FROM dataset WHERE id = ?", arguments: [dataset.id])
      .flatMap { try $0.valueIfPresent("base") as String? }.map { try decode($0) }
  }

  private func setBase(of dataset: StoredDataset, files: ContentHash, content: ContentHash, in db: Database) throws {
    let base = SyncBase(
      files: files, content: content, manifest: dataset.manifest, clips: try clips(of: dataset, in: db))
    try db.execute(
      sql: "UPDATE dataset SET base = ? WHERE id = ?",
      arguments: [String(decoding: try canonicalJSON(base), as: UTF8.self), dataset.id])
  }

  /// The contents that the imported dataset has had since its name was last free, the oldest first.
  private func pastContents(of name: String) throws -> [String] {
    try auditLog().entries.filter { $0.dataset == name }.reduce(into: []) { past, entry in
      switch entry.action {
      case .removed, .purged: past = []
      case .imported, .exported, .labelled, .synced: past.append(entry.content)
      case .kept: break
      }
    }
  }

  /// Identifies the poses of a clip.
  private func recording(of stored: StoredClip, _ dataset: StoredDataset) throws -> Data {
    var clip = try clip(stored, of: dataset)
    clip.info = Clip.Info(name: "", subject: "", exercise: "", view: "", fps: 0, split: "")
    clip.labels = GroundTruth()
    return ContentHash.clip(clip, try ClipTexts(clip))
  }

  /// Writes the folder of an imported dataset.
  private func writeFolder(_ name: String, to path: String) throws -> SyncOutcome {
    guard let imported = try importedDataset(named: name) else {
      throw DataError(file: path, expected: DatasetFolder.contentsDescription, found: "no such folder")
    }
    let clips = try clips(of: imported)
    var next = clips.makeIterator()
    try DatasetFolder.write(imported.manifest, to: path) { try next.next().map { try clip($0, of: imported) } }
    try rememberFolder(path, of: imported)
    try write { db in try record(.synced, imported, detail: "\(Self.count(clips.count)) to \(path)", in: db) }
    var outcome = SyncOutcome()
    outcome.toFolder.added = clips.count
    return outcome
  }

  /// Makes the cache of a folder an imported dataset.
  private func adopt(_ listing: DatasetListing) throws -> SyncOutcome {
    let path = URL(fileURLWithPath: listing.contents.directory).standardizedFileURL.path
    try importing(DatasetFolder(listing), cacheOf: path)
    let files = try listing.digest()
    let name = listing.manifest.name
    return try write { db in
      let found = try complete(name, in: db)
      guard found.count == 1, let cache = found.first, let content = cache.content, cache.source == files.hex else {
        throw StoreError.changedMeanwhile(path: self.path, dataset: name)
      }
      try db.execute(sql: "UPDATE dataset SET folder = NULL WHERE id = ?", arguments: [cache.id])
      try setBase(of: cache, files: files, content: content, in: db)
      try record(.imported, cache, detail: "\(Self.count(cache.clipCount)) from \(path)", in: db)
      var outcome = SyncOutcome()
      outcome.toStore.added = cache.clipCount
      return outcome
    }
  }

  /// Stores a copy under the first free name such as `my-squats-replaced`, and returns the name.
  private func keepCopy(of dataset: StoredDataset, expires: Expiry?) throws -> String {
    try write { db in
      let dataset = try current(dataset, in: db)
      let taken = Set(try datasets(in: db).map(\.manifest.name))
      let stem = "\(dataset.manifest.name.prefix(180))-replaced"
      var (name, number) = (stem, 1)
      while taken.contains(name) { (name, number) = ("\(stem)-\(number + 1)", number + 1) }
      var manifest = dataset.manifest
      manifest.name = name
      let text = try canonicalJSON(manifest)
      let content = ContentHash.dataset(
        text, clips: try clips(of: dataset, in: db).map { (name: $0.info.name, hash: $0.hash) })
      try db.execute(sql: "INSERT INTO dataset_number DEFAULT VALUES")
      let id = db.lastInsertedRowID
      try db.execute(sql: "DELETE FROM dataset_number")
      try db.execute(
        sql: "INSERT INTO dataset (id, name, manifest, source, content, expires, own) VALUES (?, ?, ?, ?, ?, ?, 1)",
        arguments: [
          id, name, String(decoding: text, as: UTF8.self), content.hex, content.description, expires?.description,
        ])
      let rows = try ClipRows.make(of: id, in: db)
      try db.execute(
        sql: """
          INSERT INTO \(rows.table) (dataset, name, info, labels, hash, times, poses)
          SELECT ?, name, info, labels, hash, times, poses FROM \(dataset.rows.table) WHERE dataset = ?
          """, arguments: [id, dataset.id])
      try record(
        .imported, dataset: name, content: content.description,
        detail: "\(Self.count(dataset.clipCount)) of \(dataset.manifest.name) before a sync", in: db)
      return name
    }
  }

  /// Writes the merged dataset to its folder.
  ///
  /// - Parameter imported: The source of clips and recordings that the folder does not have.
  private func update(_ folder: DatasetFolder, to merged: MergedDataset, from imported: StoredDataset) throws {
    var changed: Set<DatasetFile> = []
    for item in merged.changes[.folder] ?? [] {
      switch item.part {
      case .of(let part): changed.formUnion(part.files)
      case .recording: changed.insert(.clips)
      case .manifest: changed.insert(.manifest)
      case .clip: changed.formUnion(DatasetFile.allCases.filter { $0 != .manifest })
      }
    }
    let clips = Dictionary(merged.clips.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    let files = Dictionary(folder.clips.map { ($0.info.name, $0.posesFile) }, uniquingKeysWith: { first, _ in first })
    let ordered = folder.clips.compactMap { clips[$0.info.name] } + merged.clips.filter { $0.folder == nil }
    let updates = ordered.map { clip -> DatasetFolder.Update in
      var update = DatasetFolder.Update(info: clip.info, labels: clip.labels)
      if clip.folder == nil || clip.recording == .store, let stored = clip.store {
        update.written = {
          var written = try self.clip(stored, of: imported)
          (written.info, written.labels) = (clip.info, clip.labels)
          return written
        }
      } else {
        update.posesFile = files[clip.info.name] ?? nil
      }
      return update
    }
    try folder.update(merged.manifest, clips: updates, changed: changed)
  }

  /// Makes an imported dataset the merged one, within a transaction.
  private func apply(
    _ merged: MergedDataset, to imported: StoredDataset, from cache: StoredDataset, files: ContentHash, folder: String,
    in db: Database
  ) throws {
    let name = imported.manifest.name
    let (target, source) = (try current(imported, in: db), try current(cache, in: db))
    guard target.content == imported.content, source.content == cache.content else {
      throw StoreError.changedMeanwhile(path: path, dataset: name)
    }
    let check = ClipCheck(manifest: merged.manifest, skeleton: try Skeleton(of: merged.manifest, file: name)) { _ in
      name
    }
    let table = target.rows.table
    var hashes: [(name: String, hash: Data)] = []
    for merged in merged.clips {
      if let own = merged.store, merged.recording != .folder, merged.info == own.info, merged.labels == own.labels {
        hashes.append((own.info.name, own.hash))
        continue
      }
      let isFromFolder = merged.store == nil || merged.recording == .folder
      guard let stored = isFromFolder ? merged.folder : merged.store else { continue }
      var clip = try clip(stored, of: isFromFolder ? source : target, in: db)
      (clip.info, clip.labels) = (merged.info, merged.labels)
      try check.check(clip, posesFile: name)
      let texts = try ClipTexts(clip)
      let (info, labels) = (String(decoding: texts.info, as: UTF8.self), String(decoding: texts.labels, as: UTF8.self))
      let hash = ContentHash.clip(clip, texts)
      hashes.append((clip.info.name, hash))
      if isFromFolder {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO \(table) (dataset, name, info, labels, hash, times, poses)
            SELECT ?, ?, ?, ?, ?, times, poses FROM \(source.rows.table) WHERE id = ?
            """, arguments: [target.id, clip.info.name, info, labels, hash, stored.id])
      } else {
        try db.execute(
          sql: "UPDATE \(table) SET info = ?, labels = ?, hash = ? WHERE id = ?",
          arguments: [info, labels, hash, stored.id])
      }
    }
    let kept = Set(hashes.map(\.name))
    let names = try String.fetchAll(db, sql: "SELECT name FROM \(table) WHERE dataset = ?", arguments: [target.id])
    for name in names where !kept.contains(name) {
      try db.execute(sql: "DELETE FROM \(table) WHERE dataset = ? AND name = ?", arguments: [target.id, name])
    }
    let text = try canonicalJSON(merged.manifest)
    let content = ContentHash.dataset(text, clips: hashes)
    try db.execute(
      sql: "UPDATE dataset SET manifest = ?, content = ?, source = ? WHERE id = ?",
      arguments: [
        String(decoding: text, as: UTF8.self), content.description,
        content == target.content ? target.source : content.hex, target.id,
      ])
    try setBase(of: current(imported, in: db), files: files, content: content, in: db)
    try discard([source], in: db)
    try record(
      .synced, dataset: name, content: content.description, detail: "\(Self.count(hashes.count)) with \(folder)", in: db
    )
  }

  private static func count(_ clips: Int) -> String { "\(clips) clip\(clips == 1 ? "" : "s")" }
}

extension SyncOutcome.Copied {
  /// What a side gets.
  fileprivate init(_ merged: MergedDataset, to side: DatasetSide) {
    let changes = merged.changes[side] ?? []
    let names = Set(merged.clips.map(\.info.name))
    let moved = changes.filter { $0.part == .clip }.compactMap(\.clip)
    added = moved.count(where: names.contains)
    removed = moved.count - added
    labelled = Set(changes.filter(\.part.isLabel).compactMap(\.clip)).count
    described = Set(changes.filter { !$0.part.isLabel && $0.part != .clip }.compactMap(\.clip)).count
    hasManifest = changes.contains { $0.clip == nil }
  }
}

extension DatasetDifference.Part {
  fileprivate var isLabel: Bool {
    if case .of(let part) = self { part.isLabel } else { false }
  }
}
