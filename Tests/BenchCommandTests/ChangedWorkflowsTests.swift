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
        try project.git("add", ".github")
        try project.git("commit", "-q", "-m", "workflows")
        try project.git("branch", "-f", "main")
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

  @Test func aWorkflowThatIsGoneIsAFinding() throws {
    let project = try gated()
    try project.workspace.remove(Self.path)
    let text = try gate(project)
    #expect(
      text.contains(#/finding \.github/workflows/form\.yml ran the gate at main \(.{7}\), and is gone/#), "\(text)")
  }
}
