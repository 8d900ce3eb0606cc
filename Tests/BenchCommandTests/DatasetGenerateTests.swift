import Datasets
import PoseModel
import Testing

/// Exercises that are generated on the command line, or from a recipe as a suite reads it.
@Suite struct DatasetGenerateTests {
  private static let recipe = "exercise: push-up\nseed: 4\nsubjects: 2\nclips_per_subject: 1\n"

  private func generate(_ arguments: String...) throws -> (workspace: Workspace, outcome: Outcome) {
    let workspace = try Workspace()
    return (
      workspace,
      try workspace.run(
        ["dataset", "generate", "--seed", "4", "--subjects", "2", "--clips-per-subject", "1"] + arguments)
    )
  }

  @Test func anExerciseIsGeneratedByItsName() throws {
    let (workspace, outcome) = try generate("--exercise", "push-up", "--to", "datasets/push-up-generated")
    outcome.expectSuccess()
    #expect(outcome.output == "wrote 2 clips of 2 people to datasets/push-up-generated, seed 4\n")
    let folder = try DatasetFolder(workspace.path("datasets/push-up-generated"))
    #expect(folder.manifest.name == "push-up-generated" && folder.clips.map(\.info.exercise) == ["push-up", "push-up"])
    try workspace.run("dataset", "check", "push-up-generated").expectSuccess()
  }

  /// The folder that is written and the recipe of the same name are one dataset.
  @Test func aRecipeIsTheSameAsTheCommand() throws {
    let (workspace, outcome) = try generate("--exercise", "push-up", "--name", "mine", "--to", "written/mine")
    outcome.expectSuccess()
    try workspace.write(Self.recipe, to: "datasets/mine/recipe.yaml")
    func content(_ folder: String) throws -> ContentHash {
      try Store(at: workspace.path("\(folder).sqlite")).importing(folder: workspace.path("\(folder)/mine")).content
    }
    let made = try content("datasets")
    #expect(try content("written") == made)
    let listed = try workspace.run("dataset", "list")
    listed.expectSuccess()
    #expect(listed.output.contains("SYNTHETIC") && listed.output.contains(made.short))
    #expect(try workspace.run("dataset", "list").output == listed.output)
  }

  @Test func whoDoesNotExerciseDoesNoRep() throws {
    let (workspace, outcome) = try generate("--exercise", "getting-down", "--exercise", "bobbing", "--to", "negatives")
    outcome.expectSuccess()
    let clips = try DatasetFolder(workspace.path("negatives")).clips
    #expect(clips.map(\.info.exercise) == ["getting-down", "getting-down", "bobbing", "bobbing"])
    #expect(clips.allSatisfy { $0.labels == GroundTruth(repCount: 0, reps: []) })
    try generate("--exercise", "bobing", "--to", "negatives").outcome.expectFailure(
      64, saying: ["found \"bobing\", did you mean bobbing?"])
  }

  @Test func scenariosAreInTheNamesOfClips() throws {
    let (workspace, outcome) = try generate(
      "--exercise", "squat", "--scenario", "perfect-form", "--to", "datasets/perfect")
    outcome.expectSuccess()
    let folder = try DatasetFolder(workspace.path("datasets/perfect"))
    #expect(folder.manifest.name == "squat-perfect-form")
    #expect(folder.clips.map(\.info.name) == ["s01_perfect-form_front_1", "s02_perfect-form_side_1"])
    let two = try generate(
      "--exercise", "plank", "--exercise", "lunge", "--scenario", "needs-correction", "--severity", "0.4", "--scenario",
      "full-workflow", "--to", "both")
    two.outcome.expectSuccess()
    #expect(two.outcome.output == "wrote 8 clips of 2 people to both, seed 4\n")
    let manifest = try DatasetFolder(two.workspace.path("both")).manifest
    #expect(manifest.source.hasSuffix("needs-correction at severity 0.4, full-workflow"))
  }

  @Test func theCameraStandsWhereItIsTold() throws {
    let (workspace, outcome) = try generate("--camera", "azimuth=25,elevation=7", "--to", "front-left")
    outcome.expectSuccess()
    let folder = try DatasetFolder(workspace.path("front-left"))
    #expect(folder.manifest.source.hasSuffix("camera at azimuth 25°, elevation 7°, distance 3.5 m"))
    #expect(folder.clips.map(\.info.view) == ["oblique", "oblique"])
  }

  /// The raters find the fault that was asked for, which nobody is asked about otherwise.
  @Test func aFaultIsActedOutOnRequest() throws {
    let (workspace, outcome) = try generate(
      "--scenario", "needs-correction", "--fault", "rushed", "--severity", "1", "--to", "rushed")
    outcome.expectSuccess()
    let folder = try DatasetFolder(workspace.path("rushed"))
    #expect(folder.manifest.name == "squat-needs-correction-rushed")
    #expect(folder.manifest.source.contains("needs-correction of rushed at severity 1.0"))
    // Raters err: what is seen far more often than all that is not there.
    let seen = folder.clips.flatMap(\.labels.faults).filter(\.present).map(\.name)
    #expect(2 * seen.count { $0 == "rushed" } > seen.count)
  }

  @Test(arguments: [
    (["--exercise", "pushup"], "found \"pushup\", did you mean push-up?"),
    (["--exercise", "juggling"], "--exercise takes one of squat, push-up, lunge, plank, "),
    (["--exercise", "squat", "--exercise", "squat"], "--exercise names squat, squat: expected each once"),
    (["--scenario", "perfect-from"], "found \"perfect-from\", did you mean perfect-form?"),
    (["--exercise", "tennis", "--scenario", "perfect-form"], "--scenario is not for tennis"),
    (["--severity", "0.5"], "--severity needs --scenario needs-correction"),
    (["--scenario", "needs-correction", "--severity", "0"], "--severity takes 0.2 to 1.0, found 0.0"),
    (["--camera", "front"], "--camera takes azimuth (-360 to 360) and elevation (-45 to 80) in degrees and distance"),
    (["--camera", "azimuth=0,distance=99"], "found \"azimuth=0,distance=99\""),
    (["--fault", "rushed"], "--fault needs --scenario needs-correction"),
    (["--scenario", "needs-correction", "--fault", "rusched"], "found \"rusched\", did you mean rushed?"),
    (
      ["--exercise", "squat", "--exercise", "lunge", "--scenario", "needs-correction", "--fault", "kneeling"],
      "--fault takes one of shallow, forward_lean, knee_forward, knee_valgus, rushed, off_balance of the squat, found"
    ),
    (
      ["--exercise", "squat", "--exercise", "plank", "--scenario", "needs-correction", "--fault", "rushed"],
      "--fault takes one of hips_high, hips_sag of the plank, found \"rushed\""
    ),
  ]) func whatCannotBeGeneratedIsWrongUsage(arguments: [String], message: String) throws {
    let workspace = try Workspace()
    let outcome = try workspace.run(["dataset", "generate", "--seed", "1", "--to", "mine"] + arguments)
    outcome.expectFailure(64, saying: [message])
    #expect(!workspace.exists("mine"))
  }

  @Test func aSuiteRunsOnARecipeAndNoticesAnother() throws {
    let workspace = try Workspace()
    try workspace.write(Self.recipe.replacing("push-up", with: "squat"), to: "datasets/squats/recipe.yaml")
    let hashes = try Store(at: workspace.outside + "/hashes.sqlite")
    let content = try hashes.importing(folder: workspace.path("datasets/squats")).content
    try workspace.write(SquatSuite(content: content.description).yaml, to: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let counted = try workspace.results().clips.compactMap { $0.outcomes["squat-states"]?.count }
    #expect(counted.count == 2)
    // Cached by now: another seed must not pass for the pinned content.
    try workspace.replace("seed: 4", with: "seed: 5", in: "datasets/squats/recipe.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(
      5, saying: ["dataset squats: expected the content that the suite pins, \(content), found sha256:"])
  }

  @Test(arguments: [
    ("seed: 4", "sead: 4", "datasets/mine/recipe.yaml:2: expected only the keys "),
    ("seed: 4", "seed: four", "datasets/mine/recipe.yaml:2: expected a number for seed, found \"four\""),
    ("push-up", "pushup", "datasets/mine/recipe.yaml:1: expected one of squat, push-up, "),
    ("push-up", "pushup", "found \"pushup\", did you mean push-up?"),
    ("push-up", "[push-up", "datasets/mine/recipe.yaml:2: expected YAML"),
    ("subjects: 2", "scenario: perfect", "datasets/mine/recipe.yaml:3: expected one of perfect-form, "),
  ]) func aMalformedRecipeIsToldWithItsLine(old: String, new: String, message: String) throws {
    let workspace = try Workspace()
    try workspace.write(Self.recipe.replacing(old, with: new), to: "datasets/mine/recipe.yaml")
    for outcome in try workspace.runEach([["dataset", "list"], ["dataset", "check", "datasets/mine"]]) {
      outcome.expectFailure(1, saying: [message])
    }
  }
}
