import Datasets
import Foundation
import PoseModel
import Simulation
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
    "squat": "25a3446f4cca", "squat scenario": "a97b8ac33999",
    "push-up": "e5e755373754", "push-up scenario": "8cdd6c51c2de",
    "lunge": "2cd887246a16", "lunge scenario": "0e66d5777ba0",
    "plank": "1ecc41fd8370", "plank scenario": "35d7e854ae57",
    "deadlift": "3e7de261b434", "deadlift scenario": "451f2ed29b7e",
    "bench-press": "8eafe8a1fe95", "bench-press scenario": "bbac9d289543",
    "pull-up": "9c56e1ba9d62", "pull-up scenario": "e7f7a697333a",
    "sit-up": "d8d18ecc0efc", "sit-up scenario": "294e38cd34af",
    "jumping-jack": "ccf2fb26efed", "jumping-jack scenario": "c02a22326be8",
    "front-raise": "e23e33036ee4", "front-raise scenario": "f7465bc818f2",
    "shoulder-press": "216222caa62b", "shoulder-press scenario": "fe106c9272c4",
    "biceps-curl": "33486a1f8239", "biceps-curl scenario": "e1cd28361a55",
    "tennis": "d5b70e529ef4",
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
