import Foundation
import Testing

/// What a change does to the files that gate it.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct ChangedWorkflowsTests {
  private static let path = ".github/workflows/form.yml"
  private static let workflow = """
    jobs:
      gate:
        steps:
        - uses: actions/checkout@v6
        - run: bench gate --suite squat --against origin/main

    """

  /// A project whose workflow runs the gate, and another one does not.
  private func gated() throws -> GitProject {
    GitProject(
      of: try Workspace.shared("git with workflows") {
        let project = try GitProject()
        try project.workspace.write(Self.workflow, to: Self.path)
        try project.workspace.write("jobs: {}\n", to: ".github/workflows/lint.yml")
        try project.commitToMain(".github")
        return project.workspace
      })
  }

  private func gate(_ project: GitProject) throws -> String {
    let outcome = try project.gate("--against", "main")
    outcome.expectSuccess()
    return outcome.text
  }

  /// Comments, layout and workflows without the gate say nothing of it.
  @Test func whatGatesAsBeforeIsNoFinding() throws {
    let project = try gated()
    let steps = Self.workflow.replacing("    - run:", with: "\n    # The gate.\n    -   run:")
    try project.workspace.write("# On pull requests.\n\(steps)", to: Self.path)
    try project.workspace.write("jobs: { lint: {} }\n", to: ".github/workflows/lint.yml")
    #expect(try !gate(project).contains("finding"))
    // Nor do comments behind a line, a command in two lines and another name.
    let lines = steps.replacing("squat --against origin/main", with: "squat \\\n --against origin/main # As on main.")
    try project.workspace.remove(Self.path)
    try project.workspace.write(lines, to: ".github/workflows/gate.yml")
    #expect(try !gate(project).contains("finding"))
  }

  @Test(arguments: [
    (" --against origin/main", "", #"runs the gate and differs from main (REF): without "--against origin/main". See"#),
    ("origin/main", "origin/main || true", #"runs the gate and differs from main (REF): with "|| true". See"#),
    (
      "bench gate", "bench run",
      #"no longer runs the gate, and differs from main (REF): without "gate", with "run". See"#
    ),
  ])
  func whatGatesOtherwiseIsAFinding(before: String, after: String, words: String) throws {
    let project = try gated()
    try project.workspace.replace(before, with: after, in: Self.path)
    let text = try gate(project).replacing(#/main \([0-9a-f]{7}\)/#, with: "main (REF)")
    #expect(text.contains("finding \(Self.path) \(words)"), "\(text)")
  }

  /// A workflow may run the gate by a script, an action or a task; other lines beside a gate say nothing of it.
  @Test func whatRunsTheGateOfAnotherFileOtherwiseIsAFinding() throws {
    let project = try GitProject()
    let workspace = project.workspace
    func write(_ action: String, _ check: String, _ task: String, _ other: String, _ test: String) throws {
      try workspace.write("steps:\n- uses: ./ci/gate\n\(action)", to: ".github/workflows/a.yml")
      try workspace.write("steps:\n- run: ./scripts/check\(check)\n", to: ".github/workflows/b.yml")
      try workspace.write("steps:\n- run: make \(task)\n", to: ".github/workflows/c.yml")
      try workspace.write("steps:\n- run: make \(other)\n", to: ".github/workflows/d.yml")
      try workspace.write("{\n\"gate\": \"bench gate\",\n\"test\": \"\(test)\"\n}\n", to: "package.json")
    }
    try workspace.write("runs:\n  steps:\n  - run: bench gate --suite squat\n", to: "ci/gate/action.yml")
    try workspace.write("bench \\\n  gate --suite squat\n", to: "scripts/check")
    try workspace.write("build:\n\techo\ngate: build\n\tbench gate --suite squat\n", to: "Makefile")
    try write("", "", "gate", "build", "one")
    try project.commitToMain(".github", "ci", "scripts", "Makefile", "package.json")
    try write("  if: never\n", " || true", "build", "lint", "two")
    let text = try gate(project).replacing(#/main \([0-9a-f]{7}\)/#, with: "main (REF)")
    let words = [
      #"a.yml runs the gate and differs from main (REF): with "if: never". See"#,
      #"b.yml runs the gate and differs from main (REF): with "|| true". See"#,
      #"c.yml no longer runs the gate, and differs from main (REF): without "gate", with "build". See"#,
    ]
    for word in words { #expect(text.contains("finding .github/workflows/\(word)"), "\(text)") }
    #expect(!text.contains("d.yml") && !text.contains("package.json"), "\(text)")
  }

  /// `make ci` runs a script by `make check`, and `npm run all` runs `npm run gate`: two steps from the workflow. `make`
  /// alone runs the first task.
  @Test func whatRunsTheGateInTwoStepsOtherwiseIsAFinding() throws {
    let project = try GitProject()
    let workspace = project.workspace
    func write(_ task: String, _ script: String, _ all: String) throws {
      try workspace.write("steps:\n- run: make \(task)\n", to: ".github/workflows/a.yml")
      try workspace.write("steps:\n- run: npm run all\(script)\n", to: ".github/workflows/b.yml")
      try workspace.write("steps:\n- run: make -j 4\(task == "ci" ? "" : " \(task)")\n", to: ".github/workflows/c.yml")
      try workspace.write("make lint\n\(all)\n", to: "scripts/all")
    }
    try workspace.write("bench gate --suite squat\n", to: "scripts/gate")
    try workspace.write("ci: check\ncheck: lint\n\tscripts/gate\nlint:\n\techo\n", to: "Makefile")
    try workspace.write("{\n\"all\": \"npm run gate\",\n\"gate\": \"bench gate\"\n}\n", to: "package.json")
    try write("ci", "", "scripts/gate")
    try project.commitToMain(".github", "scripts", "Makefile", "package.json")
    try write("lint", " || true", "true")
    // The task is there, and so is the gate: only one no longer needs the other.
    try workspace.replace("ci: check\n", with: "ci: lint\n", in: "Makefile")
    let text = try gate(project).replacing(#/main \([0-9a-f]{7}\)/#, with: "main (REF)")
    let words = [
      #".github/workflows/a.yml no longer runs the gate, and differs from main (REF): without "ci", with "lint". See"#,
      #".github/workflows/b.yml runs the gate and differs from main (REF): with "|| true". See"#,
      #".github/workflows/c.yml no longer runs the gate, and differs from main (REF): with "lint". See"#,
      #"scripts/all no longer runs the gate, and differs from main (REF): without "scripts/gate", with "true". See"#,
      #"Makefile no longer runs the gate in ci, and differs from main (REF): without "check", with "lint". See"#,
    ]
    for word in words { #expect(text.contains("finding \(word)"), "\(text)") }
  }

  @Test func aWorkflowThatIsGoneIsAFinding() throws {
    let project = try gated()
    try project.workspace.remove(Self.path)
    let text = try gate(project)
    #expect(
      text.contains(#/finding \.github/workflows/form\.yml ran the gate at main \(.{7}\), and is gone/#), "\(text)")
    // CI no longer asks the gate: who accepts the baseline hears it.
    let accepted = try project.accept("--against", "main").text
    #expect(accepted.contains("finding \(Self.path) ran the gate at main"), "\(accepted)")
  }
}
