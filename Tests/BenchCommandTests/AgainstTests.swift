import Foundation
import Testing

/// The commit that a change is held against, and how git is asked for it.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct AgainstTests {
  /// A commit is not compared with itself; its changed files are, and so is a branch that it is the tip of.
  @Test func aChangeIsNotComparedWithItself() throws {
    let project = try GitProject()
    let words = "is the checked-out commit itself, and no tracked file differs from it"
    try project.gate("--against", "HEAD").expectFailure(64, saying: ["HEAD \(words)", "origin/main", "HEAD~1"])
    // A clone has an origin/HEAD besides.
    try project.git("update-ref", "refs/remotes/origin/HEAD", "HEAD")
    let named = try project.workspace.run(["gate", "--suite", "squat"], environment: ["BENCH_BASE_REF": "HEAD"])
    named.expectFailure(64, saying: [words])
    let branch = try project.gate("--against", "main")
    branch.expectSuccess()
    #expect(
      branch.output.contains("\n         It is the checked-out commit itself, and no tracked file differs from it."))
    try project.gate("--against", "HEAD", "--set", "reps.squat-states.bottomAngle=90").expectSuccess()
    try project.set(bottomAngle: 75)
    #expect(try project.gate("--against", "HEAD").code == 2)
  }

  @Test func theRefComesFromTheOptionOrTheEnvironment() throws {
    let project = try GitProject.accepted(bottomAngle: 75)
    try project.commit()
    func code(_ environment: [String: String]) throws -> Int32 {
      try project.workspace.run(["gate", "--suite", "squat"], environment: environment).code
    }
    #expect(try code(["BENCH_BASE_REF": "main"]) == 2)
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": "main"]) == 2)
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": "main", "BENCH_BASE_REF": "change"]) == 0)
    // Outside of CI nobody asks for GitHub's; an empty one is that of a push.
    #expect(try code(["GITHUB_BASE_REF": "main"]) == 0)
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": ""]) == 0)
    // A clone has the branch as its remote's only.
    try project.git("update-ref", "refs/remotes/origin/main", "main")
    try project.git("branch", "-D", "main")
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": "main"]) == 2)
    try project.gate("--against", "main").expectFailure(
      5, saying: ["git ref main: expected a branch, a tag or a commit of this clone", "there is origin/main"])
    // A tag does not take the place of the branch of its name, as git would have it.
    for name in ["main", "origin/main"] { try project.git("tag", name) }
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": "main"]) == 2)
  }

  @Test func whatIsNoRefOrNoCheckout() throws {
    let project = try GitProject()
    try project.gate("--against", "mian").expectFailure(
      5, saying: ["git ref mian: expected a branch, a tag or a commit"])
    try project.gate("--against=--output=x").expectFailure(64, saying: ["is not a git ref"])
    try project.git("checkout", "-q", "--orphan", "alone")
    try project.git("commit", "-q", "-m", "no parent")
    try project.gate("--against", "main").expectFailure(
      5, saying: ["merge base of HEAD and main", "no history in common"])
    let plain = try BaselineTests.accepted()
    let outcome = try plain.run("gate", "--suite", "squat", "--against", "main", "--junit", "j.xml")
    outcome.expectFailure(5, saying: ["git ref main: expected a git checkout around ., found none"])
    #expect(try plain.text("j.xml").contains("errors=\"1\""))
  }

  @Test func aShallowCloneIsToldToFetch() throws {
    let project = try GitProject()
    try project.git("checkout", "-q", "main")
    try project.git("commit", "-q", "--allow-empty", "-m", "more")
    try project.git("checkout", "-q", "change")
    try project.git("commit", "-q", "--allow-empty", "-m", "change")
    let clone = try Workspace()
    try clone.remove("datasets")
    let fetched = try clone.shell(
      """
      git clone -q --depth 1 --no-single-branch --branch change file://\(project.workspace.project) .
      """)
    #expect(fetched.code == 0, "\(fetched.error)")
    let outcome = try clone.run("gate", "--suite", "squat", "--against", "origin/main")
    outcome.expectFailure(
      5, saying: ["merge base of HEAD and origin/main", "git fetch --unshallow", "fetch-depth: 0"])
  }

  /// Another commit is read without a word of this process's secrets, and nothing of the repository runs.
  @Test func gitIsAskedWithoutSecretsAndHooks() throws {
    let project = try GitProject()
    try project.workspace.write(
      """
      #!/bin/sh
      printf '%s|%s\\n' "$*" "$BENCH_PASSPHRASE$HOME" >> "\(project.workspace.outside)/calls"
      exec \(try #require(GitProject.path)) "$@"
      """, to: "../bin/git")
    try project.workspace.write("#!/bin/sh\ntouch \(project.workspace.outside)/ran\n", to: "../bin/monitor")
    #expect(try project.workspace.shell("chmod +x ../bin/*").code == 0)
    try project.git("config", "core.fsmonitor", "\(project.workspace.outside)/bin/monitor")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    try project.workspace.run(
      ["gate", "--suite", "squat", "--against", "main"],
      environment: ["PATH": "\(project.workspace.outside)/bin:\(path)", "BENCH_PASSPHRASE": "secret"]
    ).expectSuccess()
    let calls = try project.workspace.text("../calls").split(separator: "\n")
      .filter { $0.contains(#/ (merge-base|cat-file|ls-tree) /#) }
    #expect(calls.count >= 6)
    #expect(calls.allSatisfy { $0.hasSuffix("|") && $0.contains("core.hooksPath=/dev/null") }, "\(calls)")
    #expect(!project.workspace.exists("../ran"))
  }
}
