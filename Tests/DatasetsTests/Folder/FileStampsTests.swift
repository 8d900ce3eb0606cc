import Files
import Foundation
import TestSupport
import Testing

@testable import Datasets

/// Files of a folder that are not read again while they are unchanged.
@Suite struct FileStampsTests {
  /// A folder hashed long after its files changed, with another hash in the stamp of `reps.csv`: who trusts the stamp has
  /// another hash of the folder.
  private struct Hashed {
    let sample: TestFolder
    let content: ContentHash
    var stamps: FileStamps

    init() throws {
      sample = try SampleDataset.folder()
      let listing = try DatasetListing(sample.path).hashed()
      content = try listing.digest()
      stamps = try #require(listing.stamps)
      stamps.taken += 60_000_000_000
      stamps.stamps["reps.csv"]?.digest = Data(repeating: 7, count: 32)
    }

    /// Whether the stamp of `reps.csv` is trusted.
    func isTrusted() throws -> Bool {
      let plain = try DatasetListing(sample.path).hashed()
      return try DatasetListing(sample.path).hashed(unless: stamps).digest() != plain.digest()
    }
  }

  @Test func anUnchangedFileIsNotRead() throws {
    var hashed = try Hashed()
    #expect(try DatasetListing(hashed.sample.path).digest() == hashed.content)
    #expect(try hashed.isTrusted())
    #expect(try DatasetListing(hashed.sample.path).hashed(unless: hashed.stamps).stamps == hashed.stamps)
    hashed.stamps.stamps["reps.csv"]?.status.inode += 1
    #expect(try !hashed.isTrusted())
  }

  @Test func aFileThatIsWrittenAgainIsRead() throws {
    let hashed = try Hashed()
    let text = try String(contentsOfFile: "\(hashed.sample.path)/reps.csv", encoding: .utf8)
    // The same bytes at another time.
    try hashed.sample.write(text, to: "reps.csv")
    #expect(try !hashed.isTrusted())
  }

  @Test func theTimesOfTheContentCanBeSetBackAndThoseOfTheInodeNot() throws {
    let hashed = try Hashed()
    let path = "\(hashed.sample.path)/reps.csv"
    let before = try FileManager.default.attributesOfItem(atPath: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try hashed.sample.write(text.replacing("0.25", with: "0.26"), to: "reps.csv")
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(before[.modificationDate])], ofItemAtPath: path)
    #expect(try !hashed.isTrusted())
  }

  /// It may have changed once more within the same tick of the file system's clock.
  @Test func aFileThatChangedAsTheStampsWereTakenIsRead() throws {
    var hashed = try Hashed()
    let status = try #require(hashed.stamps.stamps["reps.csv"]?.status)
    hashed.stamps.taken = max(status.modified, status.changed) + 1_000_000_000
    #expect(try !hashed.isTrusted())
    hashed.stamps.taken += 1_000_000_001
    #expect(try hashed.isTrusted())
  }

  @Test func stampsAreTextAndBack() throws {
    var stamps = try Hashed().stamps
    stamps.stamps["poses/a name with spaces.npy"] = stamps.stamps["reps.csv"]
    #expect(FileStamps(text: stamps.text) == stamps)
    for text in ["", "x\n", "1\nreps.csv\n", "1\n1 2 3 4 5 ? reps.csv\n"] { #expect(FileStamps(text: text) == nil) }
  }

  @Test func theStoreKeepsThemWithTheNextRun() throws {
    let hashed = try Hashed()
    let store = try Store(at: "\(hashed.sample.outside.path)/store.sqlite")
    #expect(try store.stamps(ofFolder: hashed.sample.path) == nil)
    try store.importing(DatasetFolder(hashed.sample.path), cacheOf: hashed.sample.path)
    store.keep(hashed.stamps, ofFolder: hashed.sample.path)
    #expect(try store.stamps(ofFolder: hashed.sample.path) == nil)
    try store.add(StoredRun(id: "squat/1", suite: "squat", created: "2026-03-01T10:00:00Z", results: "{}"))
    #expect(try store.stamps(ofFolder: hashed.sample.path) == hashed.stamps)
  }
}
