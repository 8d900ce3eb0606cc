import Datasets
import Files
import Foundation
import Synchronization
import TestSupport
import Testing

/// A rater's labels in a file.
@Suite struct RaterLabelsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private var path: String { folder.path + "/labels/squats-anna.json" }
  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
  private func write(_ text: String) throws { try folder.write(text, to: "labels/squats-anna.json") }

  typealias Labels = RaterLabels.Labels
  typealias Rep = RaterLabels.MarkedRep

  private static func reps(_ reps: Rep...) -> Labels {
    var labels = Labels()
    labels.reps = reps
    return labels
  }

  @Test func aFileIsBegunAndContinued() throws {
    let file = try RaterLabels(path: path, rater: "anna")
    #expect(try file.read().isEmpty)
    var full = Self.reps(
      Rep(start: 1, end: 2.125, turn: 1.5, faults: ["shallow": true], grades: ["form": 7]), Rep(start: 3, end: 4.5))
    full.events = [.init(time: 0.5, label: "walks in")]
    full.intervals = [.init(start: 0, end: 1, label: "negative")]
    full.comment = "the camera shakes"
    full.isDone = true
    full.draft = "exercise-squat"
    try file.replace(nil, with: full, of: "b", length: 4.5)
    try RaterLabels(path: path, rater: "anna").replace(
      nil, with: Self.reps(Rep(start: 0, end: 0.001)), of: "a", length: 9)
    #expect(
      try RaterLabels(path: path, rater: "anna").read() == ["a": Self.reps(Rep(start: 0, end: 0.001)), "b": full])
    try file.replace(full, with: nil, of: "b", length: 4.5)
    #expect(try file.read() == ["a": Self.reps(Rep(start: 0, end: 0.001))])
  }

  /// Who does not pause starts a rep where the last one ends.
  @Test func repsMayTouch() throws {
    let touching = Self.reps(Rep(start: 1, end: 2, turn: 1.5), Rep(start: 2, end: 3))
    try RaterLabels(path: path, rater: "anna").replace(nil, with: touching, of: "a", length: 3)
    #expect(try RaterLabels(path: path, rater: "anna").read() == ["a": touching])
  }

  @Test func aChangeOfWhatSomebodyElseChangedIsRefused() throws {
    let file = try RaterLabels(path: path, rater: "anna")
    try file.replace(nil, with: Self.reps(Rep(start: 1, end: 2)), of: "a", length: 9)
    let before = try text()
    #expect(throws: RaterLabels.Failure.changedMeanwhile(file: path)) {
      try file.replace(nil, with: Self.reps(Rep(start: 5, end: 6)), of: "a", length: 9)
    }
    #expect(try text() == before)
  }

  /// As two pages of one file do whose raters label other clips.
  @Test func labelsAtTheSameTimeAreAllKept() throws {
    let pages = try (0..<2).map { _ in try RaterLabels(path: path, rater: "anna") }
    let refused = Mutex([String]())
    DispatchQueue.concurrentPerform(iterations: 60) { index in
      do {
        try pages[index % 2].replace(nil, with: Self.reps(Rep(start: 1, end: 2)), of: "clip\(index)", length: 9)
      } catch {
        refused.withLock { $0.append("\(error)") }
      }
    }
    #expect(refused.withLock { $0 } == [])
    #expect(try Set(pages[0].read().keys) == Set((0..<60).map { "clip\($0)" }))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/labels") == ["squats-anna.json"])
  }

  /// A lock that another process has is waited for, and not forever; one that nobody has is taken.
  @Test func anotherWriterIsNamed() throws {
    let file = try RaterLabels(path: path, rater: "anna")
    try file.replace(nil, with: Labels(), of: "b", length: 1)
    let other = open("\(folder.path)/labels/.squats-anna.json.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(other >= 0 && flock(other, LOCK_EX) == 0)
    func add() throws {
      try file.replace(
        nil, with: Self.reps(Rep(start: 1, end: 2)), of: "a", length: 9, patience: .milliseconds(50))
    }
    #expect(
      folder.error(add)
        == "mine/labels/squats-anna.json: expected no other writer, found another process writing it; wait until it ends"
    )
    close(other)
    try add()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/labels") == ["squats-anna.json"])
  }

  private static func changed(_ change: (inout Labels) -> Void) -> Labels {
    var labels = Labels()
    change(&labels)
    return labels
  }

  @Test(arguments: [
    reps(Rep(start: 2, end: 2)), reps(Rep(start: 2, end: 1)), reps(Rep(start: 1, end: 3, turn: 3)),
    reps(Rep(start: 1, end: 3, turn: 0.5)), reps(Rep(start: -1, end: 3)), reps(Rep(start: 8, end: 9.1)),
    reps(Rep(start: .nan, end: 3)), reps(Rep(start: 1, end: 3), Rep(start: 2.9, end: 4)),
    reps(Rep(start: 1, end: 3, faults: ["": true])), reps(Rep(start: 1, end: 3, grades: ["form": .infinity])),
    changed { $0.events = [.init(time: 10, label: "a")] }, changed { $0.events = [.init(time: 1, label: "")] },
    changed { $0.intervals = [.init(start: 3, end: 3, label: "a")] },
    changed {
      $0.reps = [Rep(start: 1, end: 2)]
      $0.noReps = true
    },
  ])
  func aWrongLabelIsRefused(_ wrong: Labels) throws {
    let file = try RaterLabels(path: path, rater: "anna")
    #expect(throws: RaterLabels.Failure.self) { try file.replace(nil, with: wrong, of: "a", length: 9) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func whatCannotBeContinuedIsSaid() throws {
    try RaterLabels(path: path, rater: "bert").replace(nil, with: Labels(), of: "a", length: 1)
    #expect { try RaterLabels(path: path, rater: "anna") } throws: { "\($0)".contains("found those of bert") }
    try write("{}")
    #expect { try RaterLabels(path: path, rater: "anna") } throws: {
      "\($0)".hasSuffix(
        "squats-anna.json: expected labels that bench view --label wrote, found the file without format")
    }
    try write(#"{"format": "bench-labels-9", "rater": "anna", "clips": {}}"#)
    #expect { try RaterLabels(path: path, rater: "anna") } throws: { "\($0)".contains("found bench-labels-9") }
  }
}
