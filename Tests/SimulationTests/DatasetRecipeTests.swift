import Datasets
import Foundation
import PoseModel
import Simulation
import TestSupport
import Testing

struct DatasetRecipeTests {
  private static let good = "exercise: push-up\nseed: 4\nsubjects: 2\nclips_per_subject: 1\n"

  private func folder(_ text: String) throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write(text, to: "recipe.yaml")
    return folder
  }

  private func problem(_ text: String) throws -> String {
    let folder = try folder(text)
    return folder.error { _ = try DatasetRecipe(folder.path) }
  }

  @Test func aRecipeIsTheGeneratorsDataset() throws {
    let folder = try folder(Self.good)
    let recipe = try DatasetRecipe(folder.path)
    let generator = MotionGenerator(name: "mine", exercises: [PushUp()], seed: 4, subjects: 2, clipsPerSubject: 1)
    #expect(recipe.manifest == generator.manifest && recipe.clipCount == 2)
    #expect(try recipe.clip(1).labels == generator.scene(subject: 1, clip: 0).clip().labels)
  }

  @Test func severalExercisesHaveTheSamePeople() throws {
    let folder = try folder("exercise: [squat, plank]\nseed: 1\nsubjects: 2\nclips_per_subject: 1\n")
    let recipe = try DatasetRecipe(folder.path)
    let clips = try (0..<recipe.clipCount).map { try recipe.clip($0).info }
    #expect(clips.map(\.exercise) == ["squat", "squat", "plank", "plank"])
    #expect(clips.map(\.subject) == ["s01", "s02", "s01", "s02"] && Set(clips.map(\.name)).count == 4)
    #expect(recipe.generator.scene(0).motion.body == recipe.generator.scene(2).motion.body)
    #expect(recipe.generator.scene(0).motion.body != recipe.generator.scene(1).motion.body)
  }

  /// The store keeps what a folder of the same clips would be.
  @Test func theStoreTakesItAsItTakesAFolder() throws {
    let folder = try folder(Self.good)
    let store = try Store(at: folder.outside.appendingPathComponent("store.sqlite").path)
    let outcome = try store.importing(folder: folder.path, cacheOf: folder.path)
    guard case .imported(let content, 2, 0) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try store.importing(folder: folder.path, cacheOf: folder.path) == .unchanged(content))
    let recipe = try DatasetRecipe(folder.path)
    let written = folder.outside.appendingPathComponent("written").path
    try DatasetFolder.write(recipe.generator.generate(), to: written)
    #expect(try store.importing(folder: written) == .unchanged(content))
    // Another seed is another dataset under the same name.
    try folder.write(Self.good.replacing("4", with: "5"), to: "recipe.yaml")
    let other = try store.importing(folder: folder.path, cacheOf: folder.path)
    #expect(other.content != content)
  }

  @Test func whatIsWrongIsToldWithItsLine() throws {
    let known = "squat, push-up, lunge, plank, deadlift, bench-press, pull-up, sit-up, jumping-jack, front-raise"
    #expect(
      try problem(Self.good.replacing("push-up", with: "pushup")).hasPrefix(
        "mine/recipe.yaml:1: expected one of \(known)"))
    #expect(
      try problem(Self.good.replacing("subjects: 2", with: "subject: 2")).hasPrefix(
        "mine/recipe.yaml:3: expected only the keys"))
    #expect(
      try problem(Self.good.replacing("subjects: 2", with: "subjects: 0"))
        == "mine/recipe.yaml:3: expected a whole number from 1 to 10000 for subjects, found \"0\"")
    #expect(
      try problem(Self.good.replacing("seed: 4", with: "seed: 1.5")).hasPrefix(
        "mine/recipe.yaml:2: expected a whole number from 0"))
    #expect(
      try problem("exercise: squat\nseed: 1\nsubjects: 1\n").contains(
        "expected key clips_per_subject, found no such key"))
    #expect(try problem(Self.good.replacing("push-up", with: "[squat, squat]")).contains("each once"))
    #expect(try problem(Self.good.replacing("push-up", with: "[]")).contains("one exercise or more"))
  }

  @Test func aRecipeSaysWhereTheCameraStands() throws {
    let folder = try folder("camera: azimuth=-25,elevation=7\n" + Self.good)
    let recipe = try DatasetRecipe(folder.path)
    #expect(recipe.generator.stand == CameraStand("azimuth=-25,elevation=7,distance=3.5"))
    #expect(try recipe.clip(0).info.view == "oblique")
    #expect(recipe.manifest.source.hasSuffix("camera at azimuth -25°, elevation 7°, distance 3.5 m"))
    #expect(
      try problem("camera: front\n" + Self.good).hasPrefix(
        "mine/recipe.yaml:1: expected azimuth (-360 to 360) and elevation"))
  }

  @Test func aRecipeNamesScenarios() throws {
    let text = "exercise: [squat, plank]\nscenario: [full-workflow, needs-correction]\nseverity: 0.5\n"
    let folders = try (
      folder(text + "seed: 1\nsubjects: 1\nclips_per_subject: 1\n"), folder("scenario: perfect-form\n" + Self.good)
    )
    let recipe = try DatasetRecipe(folders.0.path)
    #expect(recipe.generator.scenarios == [.fullWorkflow, .needsCorrection(severity: 0.5)])
    #expect(recipe.clipCount == 4)
    #expect(try recipe.clip(1).info.name == "s01_squat_needs-correction_front_1")
    let one = try DatasetRecipe(folders.1.path)
    #expect(one.generator.scenarios == [.perfectForm])
  }

  @Test(arguments: [
    ("scenario: perfect\n", 1, "one of perfect-form, needs-correction, full-workflow for scenario, found \"perfect\""),
    ("scenario: perfect-from\n", 1, "found \"perfect-from\", did you mean perfect-form?"),
    ("scenario: []\n", 1, "one scenario or more, each once"),
    ("scenario: [full-workflow, full-workflow]\n", 1, "one scenario or more, each once"),
    ("severity: 0.5\n", 1, "the scenario needs-correction for severity"),
    ("scenario: perfect-form\nseverity: 0.5\n", 2, "the scenario needs-correction for severity"),
    ("scenario: needs-correction\nseverity: 1.5\n", 2, "0.2 to 1.0 for severity, found \"1.5\""),
    ("scenario: needs-correction\nseverity: bad\n", 2, "a number for severity, found \"bad\""),
    ("fault: shallow\n", 1, "the scenario needs-correction for fault"),
    ("scenario: perfect-form\nfault: shallow\n", 2, "the scenario needs-correction for fault"),
    ("scenario: needs-correction\nfault: shalow\n", 2, "found \"shalow\", did you mean shallow?"),
  ]) func wrongScenariosAreToldWithTheirLine(text: String, line: Int, what: String) throws {
    let problem = try problem(text + Self.good)
    #expect(problem.hasPrefix("mine/recipe.yaml:\(line): expected ") && problem.contains(what), "\(problem)")
  }

  @Test func aRecipeAsksForAFault() throws {
    let text = "scenario: needs-correction\nfault: feet_wide\n" + Self.good.replacing("push-up", with: "deadlift")
    let folder = try folder(text)
    let recipe = try DatasetRecipe(folder.path)
    #expect(recipe.generator.scenarios == [.needsCorrection(of: "feet_wide", severity: 0.8)])
    let judged = try recipe.clip(0).labels.faults.filter(\.present)
    #expect(2 * judged.count { $0.name == "feet_wide" } > judged.count)
  }

  @Test func tennisHasNoScenarios() throws {
    let text = Self.good.replacing("push-up", with: "[squat, tennis]") + "scenario: perfect-form\n"
    #expect(
      try problem(text)
        == "mine/recipe.yaml:5: expected an exercise with scenarios for scenario, found tennis")
  }

  @Test func aRecipeStandsAlone() throws {
    let folder = try folder(Self.good)
    try folder.write("clip\n", to: "clips.csv")
    let error = folder.error { _ = try DatasetRecipe(folder.path) }
    #expect(error == "mine/clips.csv: expected either recipe.yaml or the files of a dataset, found both")
  }
}
