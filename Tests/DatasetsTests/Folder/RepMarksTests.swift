import Datasets
import Files
import Foundation
import Synchronization
import TestSupport
import Testing

/// A rater's marks of reps in a table.
@Suite struct RepMarksTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private var path: String { folder.path + "/labels/squats-anna.csv" }
  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
  private func write(_ text: String) throws {
    try folder.write(text, to: "labels/squats-anna.csv")
  }

  typealias Mark = RepMarks.Mark

  @Test func aTableIsBegunAndContinued() throws {
    let marks = try RepMarks(path: path, rater: "anna")
    #expect(try marks.read().isEmpty)
    let two = [Mark(start: 3, end: 4.5), Mark(start: 1, end: 2.125, turn: 1.5)]
    try marks.replace([], with: two, of: "b", length: 4.5)
    try RepMarks(path: path, rater: "anna").replace([], with: [Mark(start: 0, end: 0.001)], of: "a", length: 9)
    #expect(
      try text() == """
        clip,rep,start_s,end_s,turn_s,rater
        a,1,0,0.001,,anna
        b,1,1,2.125,1.5,anna
        b,2,3,4.5,,anna

        """)
    let seen = try #require(try marks.read()["b"])
    try marks.replace(seen, with: [], of: "b", length: 4.5)
    #expect(try marks.read() == ["a": [Mark(start: 0, end: 0.001)]])
  }

  /// Who does not pause starts a rep where the last one ends.
  @Test func repsMayTouch() throws {
    let marks = try RepMarks(path: path, rater: "anna")
    let touching = [Mark(start: 1, end: 2, turn: 1.5), Mark(start: 2, end: 3)]
    try marks.replace([], with: touching, of: "a", length: 3)
    #expect(try marks.read() == ["a": touching])
  }

  /// Rows of clips that are not on the page stay, and a name that a spreadsheet would execute reads back the same.
  @Test func rowsOfOthersAreKept() throws {
    try write("clip,start_s,end_s\nold,1,2\nold,3,4\n")
    try RepMarks(path: path, rater: "=anna").replace([], with: [Mark(start: 1, end: 2)], of: "new", length: 5)
    #expect(try RepMarks(path: path, rater: "=anna").read()["old"]?.count == 2)
    #expect(try text().contains("new,1,1,2,,'=anna\n"))
  }

  @Test func aChangeOfWhatSomebodyElseChangedIsRefused() throws {
    let marks = try RepMarks(path: path, rater: "anna")
    try marks.replace([], with: [Mark(start: 1, end: 2)], of: "a", length: 9)
    let before = try text()
    #expect(throws: RepMarks.Failure.changedMeanwhile(file: path)) {
      try marks.replace([], with: [Mark(start: 5, end: 6)], of: "a", length: 9)
    }
    #expect(try text() == before)
  }

  /// As two pages of one file do whose raters mark other clips.
  @Test func marksAtTheSameTimeAreAllKept() throws {
    let pages = try (0..<2).map { _ in try RepMarks(path: path, rater: "anna") }
    let refused = Mutex([String]())
    DispatchQueue.concurrentPerform(iterations: 60) { index in
      do {
        try pages[index % 2].replace([], with: [Mark(start: 1, end: 2)], of: "clip\(index)", length: 9)
      } catch {
        refused.withLock { $0.append("\(error)") }
      }
    }
    #expect(refused.withLock { $0 } == [])
    #expect(try Set(pages[0].read().keys) == Set((0..<60).map { "clip\($0)" }))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/labels") == ["squats-anna.csv"])
  }

  /// A lock that another process has is waited for, and not forever; one that nobody has is taken.
  @Test func anotherWriterIsNamed() throws {
    try write("clip,start_s,end_s\n")
    let marks = try RepMarks(path: path, rater: "anna")
    let other = open("\(folder.path)/labels/.squats-anna.csv.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(other >= 0 && flock(other, LOCK_EX) == 0)
    func add() throws {
      try marks.replace([], with: [Mark(start: 1, end: 2)], of: "a", length: 9, patience: .milliseconds(50))
    }
    #expect(
      folder.error(add)
        == "mine/labels/squats-anna.csv: expected no other writer, found another process writing it; wait until it ends"
    )
    close(other)
    try add()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/labels") == ["squats-anna.csv"])
  }

  @Test(arguments: [
    [Mark(start: 2, end: 2)], [Mark(start: 2, end: 1)], [Mark(start: 1, end: 3, turn: 3)],
    [Mark(start: 1, end: 3, turn: 0.5)], [Mark(start: -1, end: 3)], [Mark(start: 8, end: 9.1)],
    [Mark(start: .nan, end: 3)], [Mark(start: 1, end: 3), Mark(start: 2.9, end: 4)],
  ])
  func aWrongMarkIsRefused(_ wrong: [Mark]) throws {
    let marks = try RepMarks(path: path, rater: "anna")
    #expect(throws: RepMarks.Failure.self) { try marks.replace([], with: wrong, of: "a", length: 9) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func whatCannotBeContinuedIsSaid() throws {
    try write("clip,rep,start_s,end_s,turn_s,rater\na,1,1,2,,bert\n")
    #expect { try RepMarks(path: path, rater: "anna") } throws: { "\($0)".contains("2: expected marks of anna alone") }
    // A column that would be lost.
    try write("clip,start_s,end_s,note\na,1,2,deep\n")
    #expect { try RepMarks(path: path, rater: "anna") } throws: { "\($0)".contains(#"found column "note""#) }
  }
}
