import Datasets
import Evaluation
import Foundation
import Testing

/// Slips that people make, and what they are told.
@Suite struct SmallFaultTests {
  @Test(arguments: ["-x", String(repeating: "x", count: 201)]) func namesThatNoFileOrOptionCanHave(_ name: String)
    throws
  {
    let workspace = try Workspace.withSquats()
    let importing = ["dataset", "import", "folder", "--from", "datasets/squats"]
    try workspace.run(importing + ["--name=\(name)"]).expectFailure(
      64, saying: ["--name takes a name of up to 200 letters"])
    try workspace.run("dataset", "generate", "--seed", "1", "--to", "made", "--name=\(name)").expectFailure(
      64, saying: ["--name takes a name of up to 200 letters"])
    #expect(try workspace.store().datasets().isEmpty)
    // One letter less fits, and is exported and removed again.
    let longest = String(repeating: "x", count: 200)
    try workspace.run(importing + ["--name", longest]).expectSuccess()
    try workspace.run("dataset", "export", longest, "--to", "out/\(longest)").expectSuccess()
    try workspace.run("dataset", "remove", longest).expectSuccess()
  }

  @Test func anExerciseWhoseFileIsCalledOtherwise() throws {
    let workspace = try Workspace()
    let lunge = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Evaluation/Exercises/BuiltIn/lunge.yaml")
    try workspace.write(Data(contentsOf: lunge), to: "exercises/heel.yaml")
    let message = "expected exercise: heel, the name of the file, found exercise: lunge"
    try workspace.run("exercise", "check", "exercises/heel.yaml").expectFailure(1, "exercises/heel.yaml: \(message)")
    try workspace.run("detector", "list").expectFailure(1, "exercises/heel.yaml: \(message)")
  }

  @Test func aSuiteOfNoExercise() throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace("exercises: [squat]", with: "exercises: []", in: "datasets/suites/squat.yaml")
    let outcome = try workspace.run("run", "--suite", "squat")
    outcome.expectFailure(1, saying: ["datasets/suites/squat.yaml:", "expected at least one exercise for exercises"])
  }

  @Test func importingWhatTheStoreReadsFromAFolder() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    let outcome = try workspace.run("dataset", "import", "folder", "--from", "datasets/squats")
    outcome.expectSuccess()
    #expect(outcome.output.contains("it is read from "))
    #expect(outcome.output.contains("needs no import"))
    try workspace.run("dataset", "import", "folder", "--from", "datasets/squats", "--name", "copy").expectSuccess()
    let again = try workspace.run("dataset", "import", "folder", "--from", "datasets/squats", "--name", "copy")
    #expect(again.output.hasPrefix("copy is already in the store with the same content "))
  }

  @Test(
    .enabled(if: MountNamespace.isAvailable, MountNamespace.needed), arguments: ["dataset list", "run --suite squat"])
  func aDiskWithNothingLeft(_ command: String) throws {
    let workspace = try StoreFaultTests.project()
    let outcome = try workspace.shell(
      MountNamespace.disk(".formbench", size: "8m")
        + """
        head -c 8M /dev/zero >.formbench/others 2>/dev/null
        $bench \(command) >../out 2>../error; code=$?
        rm .formbench/others
        $bench \(command) >/dev/null || exit 97
        cat ../error >&2
        exit $code
        """, wrapper: MountNamespace.wrapper)
    // What needs no room may be done.
    if outcome.code != 0 {
      outcome.expectFailure(
        1, ".formbench/store.sqlite: the disk is full; nothing was changed; free some space and try again")
    }
  }
}
