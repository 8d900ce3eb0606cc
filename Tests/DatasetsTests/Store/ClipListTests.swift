import Datasets
import Files
import Foundation
import PoseModel
import Testing

/// Which clips of a source an import takes if a file lists them.
@Suite struct ClipListTests {
  /// The clips c0, c1 and c2 in a dataset, c0 and c1 in another.
  private let sources: [any DatasetSource] = [
    StoreTests.Sample(name: "a"), StoreTests.Sample(name: "b", clips: 2, source: "b"),
  ]

  private func list(_ text: String) throws -> ClipList {
    try ClipList(InputFile(name: "mine.clips", bytes: Data(text.utf8)))
  }

  private func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func theListedClipsAreTakenInTheOrderOfTheSource() throws {
    let chosen = try list("c2\r\n\n  \nc0").chosen(from: sources)
    let names = try chosen.map { source in
      try source.map { source in try (0..<source.clipCount).map { try source.clip($0).info.name } }
    }
    #expect(names == [["c0", "c2"], ["c0"]])
    let ofNames = try chosen.map { source in
      try source.map { source in try (0..<source.clipCount).map { try source.clipName($0) } }
    }
    #expect(ofNames == names)
    #expect(chosen.map { $0?.manifest.name } == ["a", "b"])
  }

  /// A name is one of the source's, not of each of its datasets.
  @Test func aDatasetWithoutAListedClipIsLeftOut() throws {
    let chosen = try list("c2\n").chosen(from: sources)
    #expect(chosen.map { $0?.clipCount } == [1, nil])
  }

  @Test func anotherChoiceIsAnotherSource() throws {
    func digest(_ text: String) throws -> ContentHash? { try list(text).chosen(from: sources)[0]?.digest() }
    let one = try digest("c0\n")
    #expect(try digest("\nc0") == one)
    #expect(try digest("c1\n") != one)
    #expect(try digest("c0\nc1\n") != one)
    let whole = try sources[0].digest()
    #expect(one != whole)
    // Other bytes of the source, too.
    #expect(try list("c0").chosen(from: [StoreTests.Sample(name: "a", source: "c")])[0]?.digest() != one)
  }

  /// With more of a set and the list, the dataset is the same.
  @Test func theContentIsThatOfTheSmallerSource() throws {
    let folder = NSTemporaryDirectory() + "clips-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let chosen = try #require(try list("c0\nc1\n").chosen(from: [StoreTests.Sample(clips: 3)])[0])
    let more = try Store(at: folder + "/more.sqlite").importing(chosen)
    let less = try Store(at: folder + "/less.sqlite").importing(StoreTests.Sample(clips: 2))
    #expect(more == .imported(less.content, clips: 2, resumed: 0))
  }

  @Test func whatTheSourceLacksIsAnErrorWithItsLine() {
    #expect(
      error { _ = try list("c0\n\nc11\n").chosen(from: sources) }.hasPrefix(
        "mine.clips:3: clip c11: expected a clip of the source, found none called \"c11\""))
  }

  @Test func wrongLinesAreErrors() {
    #expect(error { _ = try list("c0\nc 1\n") }.hasPrefix("mine.clips:2: expected one clip's name, a name of up to "))
    #expect(
      error { _ = try list("c0\nc1\nc0\n") }
        == "mine.clips:3: clip c0: expected each clip once, found it also on line 1")
    #expect(error { _ = try list("\n") } == "mine.clips: expected clip names, one a line, found none")
  }
}
