import Datasets
import Foundation
import PoseModel
import Testing

/// A store takes a recipe's clips for current by the generator's version alone, so what it generates is tied to the version
/// here.
///
/// Where one of these fails, the generator makes other clips than before: unless that is a mistake, count
/// `MotionGenerator.version` up, write it and the new hashes here, and the new content hashes into the suites.
struct GeneratorVersionTests {
  private static let version = 4

  /// The content of one clip of each exercise and, where it has scenarios, of one of its scenarios.
  private static let contents: [String: String] = [
    "squat": "702419e544e0", "squat scenario": "14ae7690c8b6",
    "push-up": "5bf968d0dad6", "push-up scenario": "8d6ac301b081",
    "lunge": "72019ed74953", "lunge scenario": "0fa3a333709e",
    "plank": "7fd525c4638e", "plank scenario": "c7713a4eda0b",
    "deadlift": "29dba858d6f2", "deadlift scenario": "85ddb3d3bf55",
    "bench-press": "90528bbf8b63", "bench-press scenario": "2ea035e42b58",
    "pull-up": "36418fdb6c38", "pull-up scenario": "731d6782a8e4",
    "sit-up": "8665e1d04697", "sit-up scenario": "97c6deb5b0b7",
    "jumping-jack": "4b39c07ff605", "jumping-jack scenario": "01405f7e1c9e",
    "front-raise": "08296707142b", "front-raise scenario": "d497683043f9",
    "shoulder-press": "299e0b9e6574", "shoulder-press scenario": "b5dbc0388b8e",
    "biceps-curl": "adb5449fc334", "biceps-curl scenario": "5bb5330c30d1",
    "tennis": "a83d57471e66",
  ]

  @Test func theVersionIsTheOneWhoseClipsAreKnown() { #expect(MotionGenerator.version == Self.version) }

  @Test(arguments: Exercises.all.map { $0.name }) func anExerciseGivesWhatItsVersionGave(name: String) throws {
    let exercise = try #require(Exercises.named(name))
    let usual = try content(
      MotionGenerator(name: "test", exercises: [exercise], seed: 5, subjects: 1, clipsPerSubject: 1))
    #expect(usual == Self.contents[name], "\(name): \(usual)")
    guard exercise is any ScenarioExercise else { return }
    let scenarios = try content(
      MotionGenerator(
        name: "test", exercises: [exercise], scenarios: [.needsCorrection(severity: 0.8)], seed: 5, subjects: 1,
        clipsPerSubject: 1))
    #expect(scenarios == Self.contents[name + " scenario"], "\(name) scenario: \(scenarios)")
  }

  /// The first digits of the content hash.
  private func content(_ generator: MotionGenerator) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("generated-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store(at: folder.appendingPathComponent("store.sqlite").path)
    return try store.importing(Source(generator: generator)).content.short
  }

  private struct Source: DatasetSource {
    let generator: MotionGenerator
    var manifest: Manifest { generator.manifest }
    var clipCount: Int { generator.clipCount }
    func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "a", count: 64))) }
    func clip(_ index: Int) throws -> Clip { generator.scene(index).clip() }
  }
}
