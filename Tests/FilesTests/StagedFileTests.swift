import Files
import Foundation
import TestSupport
import Testing

/// Files and folders that appear whole, whatever somebody has put where they are staged.
@Suite struct StagedFileTests {
  private let folder: TestFolder
  private var file: String { folder.path + "/report.html" }
  /// Where the file is staged first.
  private var staging: String { folder.path + "/.report.html.partial" }

  init() throws {
    folder = try TestFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
  }

  private func expectWritten(sourceLocation: SourceLocation = #_sourceLocation) throws {
    // Nobody would end a wait for what the tests put there.
    try writeWhole(Data("new".utf8), to: file)
    #expect(try Data(contentsOf: URL(filePath: file)) == Data("new".utf8), sourceLocation: sourceLocation)
    var status = stat()
    #expect(lstat(file, &status) == 0 && status.st_uid == geteuid(), sourceLocation: sourceLocation)
    #expect(status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o7777 == 0o600, sourceLocation: sourceLocation)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func aPipeInItsPlaceIsNotWaitedFor() throws {
    try #require(mkfifo(staging, 0o600) == 0)
    try expectWritten()
    #expect(try names == ["report.html"])
  }

  @Test func aLinkInItsPlaceIsNotFollowed() throws {
    try folder.write("kept", to: "other")
    try FileManager.default.createSymbolicLink(atPath: staging, withDestinationPath: folder.path + "/other")
    try expectWritten()
    #expect(try folder.snapshot()["other"] == Data("kept".utf8))
    #expect(try names == ["other", "report.html"])
  }

  @Test func aFileThatIsLockedIsNotWaitedFor() throws {
    let left = open(staging, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    defer { close(left) }
    try #require(left >= 0 && flock(left, LOCK_EX) == 0)
    try expectWritten()
    try #require(write(left, "theirs", 6) == 6)
    #expect(try Data(contentsOf: URL(filePath: file)) == Data("new".utf8))
  }

  /// Of this user, and locked: another process is writing the same file.
  @Test func anotherWriterIsNotWaitedFor() throws {
    try #require(mkdir(staging, 0o700) == 0)
    try folder.write("theirs", to: ".report.html.partial/report.html")
    let other = open(staging, O_RDONLY | O_CLOEXEC)
    defer { close(other) }
    try #require(other >= 0 && flock(other, LOCK_EX) == 0)
    try expectWritten()
    #expect(try folder.snapshot()[".report.html.partial/report.html"] == Data("theirs".utf8))
    close(other)
    // Once nobody holds it, it is what a killed writer left.
    try expectWritten()
    #expect(try names == ["report.html"])
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a file to another user"), arguments: [false, true])
  func whatAnotherUserPutThereIsLeftAlone(isFolder: Bool) throws {
    if isFolder {
      try folder.write("theirs", to: ".report.html.partial/report.html")
      try #require(chown("\(staging)/report.html", 12345, 12345) == 0)
    } else {
      try folder.write("theirs", to: ".report.html.partial")
    }
    try #require(chown(staging, 12345, 12345) == 0)
    try expectWritten()
    #expect(try names == [".report.html.partial", "report.html"])
  }

  /// A person who has opened a file to others has done so on purpose.
  @Test func aFileThatIsThereKeepsItsPermissions() throws {
    try folder.write("old", to: "report.html")
    try #require(chmod(file, 0o640) == 0)
    try writeWhole(Data("new".utf8), to: file)
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o7777 == 0o640)
  }

  /// Folders above are made for their user alone too.
  @Test func newFoldersAreOfTheirUserAlone() throws {
    try writeWhole(Data("new".utf8), to: folder.path + "/a/b/c.txt")
    for name in ["a", "a/b"] {
      var status = stat()
      #expect(stat("\(folder.path)/\(name)", &status) == 0 && status.st_mode & 0o7777 == 0o700, "\(name)")
    }
  }

  /// A device, a pipe and what leads to one are not replaced by a file.
  @Test(arguments: ["pipe", "link"]) func whatIsNoFileIsNotReplaced(name: String) throws {
    let pipe = folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0 && symlink("pipe", folder.path + "/link") == 0)
    #expect(
      folder.error { try writeWhole(Data("new".utf8), to: "\(folder.path)/\(name)") }
        == "mine/\(name): expected a file to write, found a device, pipe or socket")
    #expect(
      folder.error { try append(Data("new".utf8), toFile: pipe) }.hasPrefix("mine/pipe: expected "))
    #expect(FileKind(pipe) == .other && FileKind(folder.path + "/link") == .link)
    #expect(try names == ["link", "pipe"])
  }

  @Test func aFolderIsExchangedAndTheOldOneIsGone() throws {
    try folder.write("old", to: "data/table.csv")
    do {
      let staging = try StagingFolder(replacing: folder.path + "/data")
      try Data("new".utf8).write(to: URL(filePath: staging.path + "/table.csv"))
      try staging.exchange()
      #expect(try folder.snapshot()["data/table.csv"] == Data("new".utf8))
      #expect(try Data(contentsOf: URL(filePath: staging.path + "/table.csv")) == Data("old".utf8))
      try staging.exchange()
      #expect(try folder.snapshot()["data/table.csv"] == Data("old".utf8))
      try staging.exchange()
    }
    #expect(try folder.snapshot() == ["data/table.csv": Data("new".utf8)])
    #expect(try names == ["data"])
  }

  @Test func aTreeIsCopiedWithItsLinks() throws {
    try folder.write("text", to: "data/inner/file")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/data/link", withDestinationPath: "inner/file")
    try linkTree(folder.path + "/data", to: folder.path + "/copy")
    try FileManager.default.removeItem(atPath: folder.path + "/data")
    #expect(try folder.snapshot() == ["copy/inner/file": Data("text".utf8), "copy/link": Data("text".utf8)])
    #expect(FileKind(folder.path + "/copy/link") == .link)
    try #require(mkfifo(folder.path + "/copy/pipe", 0o600) == 0)
    #expect(throws: DataError.self) { try linkTree(folder.path + "/copy", to: folder.path + "/other") }
  }
}
