import Datasets
import Files
import Foundation
import GRDB
import PoseModel
import TestSupport
import Testing

/// An imported dataset and its folder: clips `a` and `b` with two reps each, graded 80 and 60 by anna, and a fault.
@Suite struct SyncTests {
  private let folder: TestFolder
  private let store: Store

  private static func clip(_ name: String, first: Float = 0) -> Clip {
    var values = (0..<10 * 17 * 3).map { Float($0) }
    values[0] = first
    return Clip(
      info: Clip.Info(name: name, subject: "s-\(name)", exercise: "squat", view: "side", fps: 10, split: "test"),
      keypoints: Keypoints(
        times: (0..<10).map { Microseconds($0 * 100_000) }, keypointCount: 17, channels: [.x, .y, .confidence],
        values: values),
      labels: GroundTruth(
        reps: [
          Rep(start: .zero, end: Microseconds(400_000)), Rep(start: Microseconds(400_000), end: Microseconds(900_000)),
        ],
        grades: [80, 60].enumerated().map {
          GroundTruth.Grade(rep: $0.offset, rater: "anna", criterion: "form", value: $0.element)
        },
        faults: [GroundTruth.Fault(rep: 0, rater: "anna", name: "shallow", present: true)]))
  }

  private static func dataset(_ clips: [Clip]) -> Dataset {
    Dataset(
      manifest: Manifest(
        name: "mine", version: "1", licence: "none", source: "a test", origin: .synthetic, skeleton: "coco-17",
        coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down), channels: [.x, .y, .confidence],
        criteria: [Manifest.Criterion(name: "form", minimum: 0, maximum: 100)]),
      clips: clips)
  }

  /// Both sides are alike.
  init() throws {
    folder = try TestFolder()
    try DatasetFolder.write(Self.dataset([Self.clip("a"), Self.clip("b")]), to: folder.path)
    store = try Store(at: folder.outside.path + "/store/store.sqlite")
    try store.importing(DatasetFolder(folder.path))
    _ = try difference()
  }

  private func imported() throws -> StoredDataset { try #require(try store.importedDataset(named: "mine")) }

  private func difference() throws -> DatasetDifference {
    try store.compare(imported(), withFolder: folder.path).difference
  }

  private func sync(keep: DatasetSide? = nil) throws -> SyncOutcome {
    try store.synchronize("mine", with: folder.path, keep: keep)
  }

  private func labels(_ clip: String, of dataset: String = "mine") throws -> GroundTruth? {
    let dataset = try #require(try store.importedDataset(named: dataset))
    return try store.clips(of: dataset).first { $0.info.name == clip }?.labels
  }

  private func label(_ clip: String, _ change: (inout GroundTruth) -> Void) throws {
    _ = try store.relabel(imported(), clips: [clip], as: { $0 }) { clip in
      var labels = clip.labels
      change(&labels)
      return labels
    }
  }

  private func text(_ file: String) throws -> String {
    String(decoding: try #require(try folder.snapshot()[file]), as: UTF8.self)
  }

  private func replace(_ old: String, with new: String, in file: String) throws {
    let parts = try text(file).components(separatedBy: old)
    try #require(parts.count == 2, "\(file) has \(old) \(parts.count - 1) times")
    try folder.write(parts.joined(separator: new), to: file)
  }

  /// The folder has the content of the store, poses and all, and no cache of it is left.
  private func expectAlike(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let other = try Store(at: folder.outside.path + "/\(UUID().uuidString)/store.sqlite")
    let content = try other.importing(DatasetFolder(folder.path)).content
    #expect(try imported().content == content, sourceLocation: sourceLocation)
    #expect(try difference().isEmpty, sourceLocation: sourceLocation)
    #expect(try store.datasets().allSatisfy { $0.folder == nil }, sourceLocation: sourceLocation)
    let dataset = try imported()
    for clip in try store.clips(of: dataset) { _ = try store.clip(clip, of: dataset) }
  }

  @Test func alikeSidesGetNothing() throws {
    let before = try folder.snapshot()
    #expect(try difference().isEmpty)
    let outcome = try sync()
    #expect(outcome.toStore.isEmpty && outcome.toFolder.isEmpty && outcome.replaced == nil)
    #expect(try folder.snapshot() == before)
  }

  @Test func theStoreGetsWhatTheFolderChanged() throws {
    try replace("a,1,anna,form,80", with: "a,1,anna,form,11", in: "grades.csv")
    #expect(try difference().newer == .folder)
    let before = try folder.snapshot()
    let outcome = try sync()
    #expect(outcome.toStore == copied(labelled: 1) && outcome.toFolder.isEmpty)
    #expect(try labels("a")?.grades.map(\.value) == [11, 60])
    #expect(try folder.snapshot() == before)
    try expectAlike()
  }

  /// Files that did not change keep their bytes, also those that are not the dataset's.
  @Test func theFolderGetsWhatTheStoreChanged() throws {
    try folder.write("read me", to: "README.md")
    try folder.write("a film", to: "videos/a.mp4")
    try folder.write("# by hand\n" + text("dataset.yaml"), to: "dataset.yaml")
    _ = try sync()
    try label("b") { $0.intervals = [Segment(start: .zero, end: Microseconds(100_000), label: "rest")] }
    #expect(try difference().newer == .store)
    var expected = try folder.snapshot()
    let outcome = try sync()
    #expect(outcome.toFolder == copied(labelled: 1) && outcome.toStore.isEmpty)
    expected["intervals.csv"] = Data("clip,start_s,end_s,label\nb,0,0.1,rest\n".utf8)
    #expect(try folder.snapshot() == expected)
    try expectAlike()
  }

  @Test func changesOfDifferentClipsAreMerged() throws {
    try replace("a,1,anna,form,80", with: "a,1,anna,form,11", in: "grades.csv")
    try label("b") { $0.grades[0].value = 22 }
    #expect(try difference().newer == nil)
    let outcome = try sync()
    #expect(outcome.toStore == copied(labelled: 1) && outcome.toFolder == copied(labelled: 1))
    #expect(try labels("a")?.grades.map(\.value) == [11, 60])
    #expect(try labels("b")?.grades.map(\.value) == [22, 60])
    try expectAlike()
  }

  @Test func changesOfDifferentKindsInOneClipAreMerged() throws {
    try replace("a,1,anna,shallow,1", with: "a,1,anna,shallow,0", in: "faults.csv")
    try replace("a,s-a,squat,side", with: "a,s-a,squat,front", in: "clips.csv")
    try label("a") { $0.events = [LabelledInstant(time: Microseconds(250_000), label: "call")] }
    let outcome = try sync()
    #expect(
      outcome.toStore
        == copied(labelled: 1, described: 1))
    #expect(outcome.toFolder == copied(labelled: 1))
    #expect(try labels("a")?.faults.map(\.present) == [false])
    #expect(try text("events.csv") == "clip,time_s,label\na,0.25,call\n")
    #expect(try text("clips.csv").contains("a,s-a,squat,front"))
    try expectAlike()
  }

  @Test func equalChangesAreAlike() throws {
    try replace("a,1,anna,form,80", with: "a,1,anna,form,11", in: "grades.csv")
    try label("a") { $0.grades[0].value = 11 }
    #expect(try difference().isEmpty)
    let outcome = try sync()
    #expect(outcome.toStore.isEmpty && outcome.toFolder.isEmpty)
    try expectAlike()
  }

  private static let conflict = """
    1 conflict between the store and mine; nothing was changed
      clip a, grades: the store has rep 1, anna, form: 22, mine has rep 1, anna, form: 11
    """

  @Test func aConflictChangesNothing() throws {
    try replace("a,1,anna,form,80", with: "a,1,anna,form,11", in: "grades.csv")
    try label("a") { $0.grades[0].value = 22 }
    try label("b") { $0.grades[0].value = 33 }
    let (content, files) = (try imported().content, try folder.snapshot())
    #expect(folder.error { _ = try sync() }.contains(Self.conflict))
    #expect(try imported().content == content)
    #expect(try folder.snapshot() == files)
    #expect(try store.importedDataset(named: "mine-replaced") == nil)
  }

  /// What no conflict is about is merged all the same, and the other side is kept.
  @Test(arguments: DatasetSide.allCases) func aConflictIsDecided(for side: DatasetSide) throws {
    try replace("a,1,anna,form,80", with: "a,1,anna,form,11", in: "grades.csv")
    try label("a") { $0.grades[0].value = 22 }
    try label("b") { $0.grades[0].value = 33 }
    let outcome = try sync(keep: side)
    #expect(outcome.replaced == "mine-replaced")
    #expect(try labels("a")?.grades[0].value == (side == .store ? 22 : 11))
    #expect(try labels("a", of: "mine-replaced")?.grades[0].value == (side == .store ? 11 : 22))
    #expect(try labels("b")?.grades[0].value == 33)
    try expectAlike()
    let replaced = try #require(try store.importedDataset(named: "mine-replaced"))
    #expect(try store.hasUnsavedLabels(replaced))
  }

  @Test func newClipsAreCopied() throws {
    let other = folder.outside.path + "/other"
    try DatasetFolder.write(Self.dataset(["a", "b", "c"].map { Self.clip($0) }), to: other)
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.moveItem(atPath: other, toPath: folder.path)
    #expect(try difference().newer == .folder)
    #expect(try sync().toStore == copied(added: 1))
    try expectAlike()
    // The store gets another one.
    try DatasetFolder.write(Self.dataset(["a", "b", "c", "d"].map { Self.clip($0) }), to: other)
    try store.importing(DatasetFolder(other))
    #expect(try difference().newer == .store)
    #expect(try sync().toFolder == copied(added: 1))
    #expect(try folder.snapshot().keys.contains("poses/d.npy"))
    try expectAlike()
  }

  /// As by a person who deletes its rows.
  private func removeClipFromFolder() throws {
    for file in ["clips.csv", "reps.csv", "grades.csv", "faults.csv"] {
      let lines = try text(file).split(separator: "\n").filter { !$0.hasPrefix("b,") }
      try folder.write(lines.joined(separator: "\n") + "\n", to: file)
    }
  }

  @Test func aRemovedClipIsAConflict() throws {
    try removeClipFromFolder()
    #expect(try difference().newer == .folder)
    #expect(
      folder.error { _ = try sync() }.contains("  clip b: the store has it, mine does not\n"))
    #expect(try sync(keep: .folder).toStore == copied(removed: 1))
    #expect(try labels("b") == nil)
    #expect(try labels("b", of: "mine-replaced") != nil)
    try expectAlike()
  }

  @Test func aRemovedClipComesBack() throws {
    try removeClipFromFolder()
    #expect(try sync(keep: .store).toFolder == copied(added: 1))
    #expect(try labels("b") != nil)
    try expectAlike()
  }

  @Test func labelsThatOneSideRemovedAreAConflict() throws {
    try FileManager.default.removeItem(atPath: folder.path + "/faults.csv")
    let message = folder.error { _ = try sync() }
    #expect(message.contains("2 conflicts between the store and mine"))
    #expect(message.contains("  clip a, faults: the store has rep 1, anna, shallow: present, mine has nothing\n"))
  }

  /// The grade of a rep that the other side has removed.
  @Test func otherRepsAndOtherGradesAreAConflict() throws {
    for file in ["reps.csv", "grades.csv"] {
      let lines = try text(file).split(separator: "\n").filter { !$0.hasPrefix("a,2,") }
      try folder.write(lines.joined(separator: "\n") + "\n", to: file)
    }
    let rows = try text("clips.csv").split(separator: "\n").map {
      $0.hasPrefix("a,") ? "\($0.dropLast())1" : String($0)
    }
    try folder.write(rows.joined(separator: "\n") + "\n", to: "clips.csv")
    try label("a") { $0.faults.append(GroundTruth.Fault(rep: 1, rater: "anna", name: "shallow", present: true)) }
    #expect(folder.error { _ = try sync() }.contains("  clip a, reps: the store has 2 reps"))
  }

  /// As by a checkout of an older commit: newer labels are not lost to it.
  @Test func aFolderThatWentBackIsAConflict() throws {
    let old = try text("grades.csv")
    try label("a") { $0.grades[0].value = 22 }
    #expect(try sync().toFolder == copied(labelled: 1))
    try folder.write(old, to: "grades.csv")
    #expect(folder.error { _ = try sync() }.contains("  clip a, grades: the store has rep 1, anna, form: 22, mine has"))
    #expect(try labels("a")?.grades[0].value == 22)
  }

  private func forgetBase() throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: "UPDATE dataset SET base = NULL") }
    try queue.close()
  }

  /// As in a store of an older version.
  @Test func withoutABaseTheLogTellsTheOlderSide() throws {
    try label("a") { $0.grades[0].value = 22 }
    try forgetBase()
    #expect(try difference().newer == .store)
  }

  @Test func withoutABaseLabelsOfOneSideAreMergedAndOthersAreConflicts() throws {
    try label("a") { $0.events = [LabelledInstant(time: Microseconds(250_000), label: "call")] }
    try folder.write("clip,start_s,end_s,label\nb,0,0.1,rest\n", to: "intervals.csv")
    try forgetBase()
    _ = try sync()
    #expect(try labels("a")?.events.count == 1)
    #expect(try labels("b")?.intervals.count == 1)
    try expectAlike()
    try label("a") { $0.grades[0].value = 22 }
    try replace("b,1,anna,form,80", with: "b,1,anna,form,11", in: "grades.csv")
    try forgetBase()
    #expect(folder.error { _ = try sync() }.contains("2 conflicts between the store and mine"))
  }

  @Test func anotherRecordingComesWithItsClip() throws {
    let other = folder.outside.path + "/other"
    try DatasetFolder.write(Self.dataset([Self.clip("a", first: 7), Self.clip("b")]), to: other)
    try FileManager.default.removeItem(atPath: folder.path + "/poses/a.npy")
    try FileManager.default.moveItem(atPath: other + "/poses/a.npy", toPath: folder.path + "/poses/a.npy")
    #expect(try sync().toStore == copied(described: 1))
    let dataset = try imported()
    let clip = try #require(try store.clips(of: dataset).first)
    #expect(try store.clip(clip, of: dataset).keypoints?.values[0] == 7)
    try expectAlike()
  }

  /// The folder is new and the store still old, as after a kill between them.
  @Test func theNextSyncDoesTheRest() throws {
    try replace("a,1,anna,form,80", with: "a,1,anna,form,11", in: "grades.csv")
    try label("b") { $0.grades[0].value = 22 }
    // What the folder then holds.
    try replace("b,1,anna,form,80", with: "b,1,anna,form,22", in: "grades.csv")
    let outcome = try sync()
    #expect(outcome.toStore == copied(labelled: 1) && outcome.toFolder.isEmpty)
    #expect(try labels("a")?.grades[0].value == 11)
    #expect(try labels("b")?.grades[0].value == 22)
    try expectAlike()
  }

  @Test func anAbsentSideGetsEverything() throws {
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(try sync().toFolder == copied(added: 2))
    try expectAlike()
    try store.remove(store.datasets())
    #expect(try sync().toStore == copied(added: 2))
    try expectAlike()
    // It can be labelled now.
    try label("a") { $0.grades[0].value = 22 }
    #expect(try difference().newer == .store)
  }

  @Test func labelsAreUnsavedUntilTheyAreWritten() throws {
    #expect(try !store.hasUnsavedLabels(imported()))
    try label("a") { $0.grades[0].value = 22 }
    #expect(try store.hasUnsavedLabels(imported()))
    try store.recordExport(of: imported(), detail: "2 clips to elsewhere" + Store.pseudonymsNote)
    #expect(try store.hasUnsavedLabels(imported()))
    _ = try sync()
    #expect(try !store.hasUnsavedLabels(imported()))
  }

  /// A count of 0 comes back from a folder as an empty list of reps.
  @Test func aCountOfZeroIsWritten() throws {
    try label("a") { $0 = GroundTruth(repCount: 0) }
    let message = folder.error { _ = try sync() }
    #expect(message.contains("clip a, grades: the store has nothing, mine has rep 1, anna, form: 80 and 1 more"))
    #expect(try sync(keep: .store).toFolder == copied(labelled: 1))
    #expect(try text("clips.csv").contains("a,s-a,squat,side,10,test,poses/a.npy,0\n"))
    #expect(try difference().isEmpty)
  }

  /// Under pseudonyms: names must not get into the folder.
  @Test func aFolderWithoutACommonClipIsAnotherDataset() throws {
    try FileManager.default.removeItem(atPath: folder.path)
    try DatasetFolder.write(Self.dataset([Self.clip("p1"), Self.clip("p2")]), to: folder.path)
    let files = try folder.snapshot()
    #expect(try difference().isUnrelated)
    for keep in [nil, DatasetSide.store, .folder] {
      #expect(throws: StoreError.unrelated(dataset: "mine", folder: folder.path)) { _ = try sync(keep: keep) }
    }
    #expect(try folder.snapshot() == files)
    #expect(try labels("a") != nil)
  }

  private func copied(labelled: Int = 0, described: Int = 0, added: Int = 0, removed: Int = 0) -> SyncOutcome.Copied {
    var copied = SyncOutcome.Copied()
    (copied.labelled, copied.described, copied.added, copied.removed) = (labelled, described, added, removed)
    return copied
  }
}
