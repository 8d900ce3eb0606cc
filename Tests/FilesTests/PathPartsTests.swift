import Files
import Foundation
import Testing

/// The folder, name and ending of a path.
@Suite struct PathPartsTests {
  @Test(arguments: [
    ("x", "", "x"), ("é", "", "é"), (" ", "", " "), (".", "", "."), ("./", "", "."), ("../", "", ".."), ("a/", "", "a"),
    ("", "", ""), ("/", "/", ""), ("//", "/", ""), ("/a", "/", "a"), ("//a", "/", "a"), ("ab", "", "ab"),
    ("a/b", "a", "b"), ("a//b//", "a", "b"), ("../b", "..", "b"), ("/a/b/c", "/a/b", "c"),
    // A combining accent belongs to no slash.
    ("a/\u{301}b", "a", "\u{301}b"),
  ])
  func folderAndName(of path: String, folder: String, name: String) {
    let parts = PathParts(path)
    #expect(Array(parts.folder.utf8) == Array(folder.utf8) && Array(parts.name.utf8) == Array(name.utf8))
  }

  @Test(arguments: [
    ("a.b/c", "c", ""), ("x.csv", "x", "csv"), ("a/b.tar.gz", "b.tar", "gz"), ("a.", "a", ""), (".yaml", ".yaml", ""),
    (".a.yaml", ".a", "yaml"), ("..", "..", ""), ("x", "x", ""), ("", "", ""), ("a.b/", "a", "b"),
  ])
  func stemAndEnding(of path: String, stem: String, ending: String) {
    #expect(PathParts(path).stem == stem && PathParts(path).ending == ending)
  }

  @Test func joiningUndoesIt() {
    for path in ["x", "a/b", "/a", "/a/b", "../b"] {
      #expect(PathParts.join(PathParts(path).folder, PathParts(path).name) == path)
    }
  }

  /// Foundation's own ends the program on a path of one letter.
  @Test func noSourceTakesApartAPathByNSString() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
      .standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.contains("as NSString)."), "\(file.lastPathComponent)")
    }
    #expect(count > 300)
  }
}
