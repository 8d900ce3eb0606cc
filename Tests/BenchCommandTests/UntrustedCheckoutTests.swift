import Datasets
import Foundation
import GRDB
import Testing

/// A checkout of somebody else's: git's settings in it run nothing, and its links and its store lead nowhere else.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct UntrustedCheckoutGitTests {
  /// A project whose `.git` names programs wherever git would run one; each leaves `../ran`.
  private func trapped() throws -> GitProject {
    let project = try GitProject()
    let (workspace, ran) = (project.workspace, "\(project.workspace.outside)/ran")
    try workspace.write("#!/bin/sh\necho \"$0 $BENCH_PASSPHRASE\" >> \(ran)\ncat\n", to: "../trap")
    try #require(try workspace.shell("chmod +x ../trap").code == 0)
    let trap = "\(workspace.outside)/trap"
    for key in [
      "core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy",
      "core.alternateRefsCommand", "credential.helper", "diff.external", "diff.x.textconv", "diff.x.command",
      "filter.x.clean", "filter.x.smudge", "filter.y.process", "gpg.program", "pager.status", "pager.rev-parse",
      "pager.for-each-ref", "uploadpack.packObjectsHook", "sequence.editor", "merge.x.driver",
    ] { try project.git("config", key, trap) }
    for alias in ["status", "rev-parse", "for-each-ref", "cat-file"] {
      try project.git("config", "alias.\(alias)", "!\(trap)")
    }
    try project.git("config", "filter.x.required", "true")
    // Settings of a file that this one includes.
    try workspace.write("[filter \"z\"]\n\tclean = \(trap)\n", to: "../included")
    try project.git("config", "include.path", "\(workspace.outside)/included")
    try project.git("config", "includeIf.gitdir:/.path", "\(workspace.outside)/included")
    // Missing objects would be fetched by a program.
    try project.git("config", "remote.origin.url", "ext::\(trap)")
    try project.git("config", "remote.origin.promisor", "true")
    try project.git("config", "remote.origin.uploadpack", trap)
    try project.git("config", "protocol.ext.allow", "always")
    for hook in ["post-index-change", "reference-transaction", "fsmonitor-watchman"] {
      try FileManager.default.createDirectory(
        atPath: workspace.path(".git/hooks"), withIntermediateDirectories: true)
      try? FileManager.default.removeItem(atPath: workspace.path(".git/hooks/\(hook)"))
      try FileManager.default.copyItem(atPath: trap, toPath: workspace.path(".git/hooks/\(hook)"))
    }
    try workspace.write("*.yaml filter=x diff=x merge=x\n*.csv filter=y\n*.json filter=z\n", to: ".git/info/attributes")
    try workspace.write("*.npy filter=x diff=x\n", to: ".gitattributes")
    // Other times than the index has: git compares contents then, which runs the filters.
    try #require(try workspace.shell("find datasets baselines -type f -exec touch -t 200109090146 {} +").code == 0)
    try? FileManager.default.removeItem(atPath: ran)
    return project
  }

  /// A project without a baseline.
  private static func plain() throws -> GitProject {
    GitProject(of: try Workspace.shared("git without a baseline") { try GitProject(in: .withSquats()).workspace })
  }

  @Test func whatItConfiguresIsNotRun() throws {
    let project = try trapped()
    let workspace = project.workspace
    for arguments in [
      ["run", "--suite", "squat"], ["gate", "--suite", "squat", "--against", "main"], ["history", "list"],
    ] {
      try workspace.run(arguments, environment: ["BENCH_PASSPHRASE": "secret"]).expectSuccess()
      #expect(!workspace.exists("../ran"), "\(arguments): \((try? workspace.text("../ran")) ?? "")")
    }
    // What it says is still what git says: the commit, and that its files are as it has them.
    let head = try #require(
      try workspace.shell("git rev-parse HEAD").output.split(separator: "\n").first.map(String.init))
    let report = try workspace.text("reports/squat/latest/report.md")
    #expect(report.contains(head.prefix(7)))
    #expect(!report.contains("\(head.prefix(7))+"))
    try workspace.write(try workspace.text(GitProject.suite) + "# changed\n", to: GitProject.suite)
    try workspace.run("run", "--suite", "squat").expectSuccess()
    #expect(try workspace.run("history", "list").output.contains("\(head.prefix(7))+"))
    #expect(!workspace.exists("../ran"))
  }

  /// A commit whose content is missing is fetched from nowhere.
  @Test func whatIsMissingIsNotFetched() throws {
    let project = try trapped()
    let workspace = project.workspace
    let blob = try workspace.shell("git rev-parse HEAD:\(GitProject.suite)").output.prefix(40)
    let object = ".git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"
    try workspace.remove(object)
    let outcome = try workspace.run("gate", "--suite", "squat", "--against", "main")
    #expect(outcome.code == 5)
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").contains("expected its content in this clone"), "\(outcome)")
    #expect(!workspace.exists("../ran"))
  }

  /// What a child process is given: no secret, and nothing that leads git elsewhere.
  @Test func noSecretReachesAChild() throws {
    let project = try GitProject()
    let workspace = project.workspace
    try workspace.write(
      "#!/bin/sh\nenv >> \(workspace.outside)/environment\nexec \(try #require(GitProject.path)) \"$@\"\n",
      to: "../bin/git")
    // Named relative to the checkout, a program is the checkout's.
    try workspace.write("#!/bin/sh\ntouch \(workspace.outside)/ran\n", to: "git")
    try #require(try workspace.shell("chmod +x ../bin/git git").code == 0)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for command in [["run", "--suite", "squat"], ["gate", "--suite", "squat", "--against", "main"]] {
      try workspace.run(
        command,
        environment: [
          "PATH": ":.:\(workspace.outside)/bin:\(path)", "BENCH_PASSPHRASE": "secret", "GITHUB_TOKEN": "secret",
          "GIT_DIR": "/nowhere", "GIT_EXTERNAL_DIFF": "secret", "LD_PRELOAD": "",
        ]
      ).expectSuccess()
    }
    let environment = try workspace.text("../environment")
    #expect(!environment.contains("secret") && !environment.contains("BENCH_"))
    let names = Set(environment.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) })
    #expect(
      names.filter { !$0.hasPrefix("GIT_") }.isSubset(of: ["PATH", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_"]), "\(names)"
    )
    #expect(!workspace.exists("../ran"))
  }

  /// The environment of a command whose calls of git are counted, and how many of them have begun and not ended: git is
  /// killed when it does not answer.
  private func countingCalls(
    of workspace: Workspace
  ) throws -> (environment: [String: String], unfinished: () throws -> Int) {
    let git = try #require(GitProject.path)
    let log = "\(workspace.outside)/calls"
    // An alarm ends the git whose caller was killed: it holds what the command inherited. macOS has no timeout(1).
    try workspace.write(
      """
      #!/bin/sh
      echo begun >> \(log)
      perl -e 'alarm shift; exec @ARGV' 6 \(git) "$@"
      code=$?
      echo ended >> \(log)
      exit $code

      """, to: "../bin/git")
    try #require(try workspace.shell("chmod +x ../bin/git").code == 0)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (
      ["PATH": "\(workspace.outside)/bin:\(path)"],
      {
        guard workspace.exists("../calls") else { return 0 }
        return try workspace.text("../calls").split(separator: "\n").reduce(0) { $0 + ($1 == "begun" ? 1 : -1) }
      }
    )
  }

  /// A pipe among what git reads is not opened.
  @Test func aPipeInTheCheckoutIsNotWaitedFor() throws {
    let project = try Self.plain()
    let workspace = project.workspace
    // git looks at what an annotated tag is of.
    try project.git("tag", "-a", "v1", "-m", "first")
    let (run, list) = (["run", "--suite", "squat"], ["history", "list"])
    let files = [".git/index", ".git/refs/heads/x", ".gitattributes", ".gitmodules"].map { ($0, run) }
    let listed = ["config", "shallow", "packed-refs", "refs/tags/x", "objects/info/alternates"].map {
      (".git/\($0)", list)
    }
    let calls = try countingCalls(of: workspace)
    for (file, command) in files + listed {
      let (path, kept) = (workspace.path(file), workspace.path("../kept"))
      try? FileManager.default.moveItem(atPath: path, toPath: kept)
      try #require(mkfifo(path, 0o600) == 0, "\(file)")
      #expect(try workspace.run(command, environment: calls.environment).code == 0, "\(file)")
      #expect(try calls.unfinished() == 0, "\(file)")
      try workspace.remove(file)
      try? FileManager.default.moveItem(atPath: kept, toPath: path)
    }
    try workspace.run(run).expectSuccess()
    let head = try workspace.shell("git rev-parse --short=7 HEAD").output.prefix(7)
    #expect(try workspace.run(list).output.contains(" \(head) "))
  }

  /// Anything else that holds git up does so once.
  @Test func gitIsNotWaitedForTwice() async throws {
    let project = try Self.plain()
    let workspace = project.workspace
    try #require(mkfifo(workspace.path("datasets/.gitattributes"), 0o600) == 0)
    try #require(try workspace.shell("find datasets -type f -exec touch -t 200109090146 {} +").code == 0)
    let calls = try countingCalls(of: workspace)
    let environment = calls.environment
    try await aside { try workspace.run("run", "--suite", "squat", environment: environment) }.expectSuccess()
    #expect(try calls.unfinished() == 1)
  }

  /// What killed commands left in the temporary folder is cleared, and nothing of another process.
  @Test func foldersOfKilledCommandsAreCleared() throws {
    let project = try Self.plain()
    let workspace = project.workspace
    // No process has a number above 2^22.
    let left = ["bench-git-9999999-a", "bench-git-\(getpid())-b", "bench-git-9999998-c", "other-9999999-d"]
    for name in left { try workspace.write("", to: "../temporary/\(name)/HEAD") }
    let script = """
      cd ../temporary && ln -s / bench-git-9999997-e && touch -h -t 200109090146 *-a *-b *-e other*
      """
    try #require(try workspace.shell(script).code == 0)
    try workspace.run(
      "run", "--suite", "squat", environment: ["TMPDIR": "\(workspace.outside)/temporary"]
    ).expectSuccess()
    let names = workspace.names(in: "../temporary").filter { $0.contains("git") || $0.contains("other") }
    #expect(names == (left.dropFirst() + ["bench-git-9999997-e"]).sorted())
  }

  /// Linked work trees, packed refs, annotated tags and a detached head are read as before.
  @Test func otherKindsOfCheckouts() throws {
    let project = try GitProject()
    let workspace = project.workspace
    try project.git("tag", "-a", "v1", "-m", "first")
    try project.git("pack-refs", "--all")
    try project.git("worktree", "add", "-q", "../linked", "-b", "other")
    let linked = try workspace.shell("cd ../linked && $bench gate --suite squat --against main && $bench history list")
    linked.expectSuccess()
    let head = try workspace.shell("git rev-parse --short=7 HEAD").output.prefix(7)
    #expect(linked.output.contains("against  the merge base with main (\(head))"))
    #expect(linked.output.contains(" \(head) ") || linked.output.contains("v1"))
    try project.git("checkout", "-q", "--detach")
    try project.gate("--against", "v1").expectSuccess()
    #expect(try workspace.run("history", "list").output.contains("v1"))
  }
}

/// Links of a checkout that lead out of it, and names in its store that do.
@Suite struct UntrustedCheckoutTests {
  private static let parts = [
    ("datasets", "datasets/suites/squat.yaml"), ("datasets/suites", "datasets/suites/squat.yaml"),
    ("datasets/suites/squat.yaml", "datasets/suites/squat.yaml"), ("datasets/squats", "datasets/squats"),
    ("baselines", "baselines/squat.json"), ("baselines/squat.json", "baselines/squat.json"),
    ("reports", "reports/squat"), ("reports/squat", "reports/squat"), ("exercises", "exercises/half-squat.yaml"),
    ("exercises/half-squat.yaml", "exercises/half-squat.yaml"), (".formbench", ".formbench/store.sqlite"),
    (".formbench/store.sqlite", ".formbench/store.sqlite"),
  ]

  @Test func aLinkThatLeadsOutIsRefused() throws {
    let workspace = try Workspace.withSquats(after: [
      ["baseline", "accept", "--suite", "squat"], ["run", "--suite", "squat"],
    ])
    try workspace.write(ExerciseCommandTests.halfSquat, to: "exercises/half-squat.yaml")
    let files = FileManager.default
    for (part, named) in Self.parts {
      let outside = "\(workspace.outside)/elsewhere"
      try files.moveItem(atPath: workspace.path(part), toPath: outside)
      try files.createSymbolicLink(atPath: workspace.path(part), withDestinationPath: outside)
      let before = try Self.state(outside)
      var commands = [["run", "--suite", "squat"]]
      if part.hasPrefix("baselines") {
        commands += [["gate", "--suite", "squat"], ["baseline", "accept", "--suite", "squat"]]
      }
      if part.hasPrefix("reports") { commands = [["report"], ["report", "--html"]] + commands }
      if part == "datasets/squats" { commands.append(["dataset", "check", "squats"]) }
      for (command, outcome) in zip(commands, try workspace.runEach(commands)) {
        #expect(outcome.code == 1, "\(part): \(command)")
        #expect(
          outcome.error.hasPrefix("bench: \(named)")
            && outcome.error.contains("expected a place within this project, found a link that leads out of it"),
          "\(part): \(command): \(outcome.error)")
      }
      #expect(try Self.state(outside) == before, "\(part)")
      try files.removeItem(atPath: workspace.path(part))
      try files.moveItem(atPath: outside, toPath: workspace.path(part))
    }
  }

  /// The bytes of a file, or of all below a folder.
  private static func state(_ path: String) throws -> [String: Data] {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isFolder.boolValue ? try ProjectState.files(path) : ["": try Data(contentsOf: URL(fileURLWithPath: path))]
  }

  /// A link to a place of the same project is a place of the project.
  @Test func aLinkWithinIsFollowed() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.write("", to: "data/note")
    for (name, place) in [("datasets/squats", "data/squats"), ("baselines", "kept"), ("reports", "written")] {
      if workspace.exists(name) {
        try FileManager.default.moveItem(atPath: workspace.path(name), toPath: workspace.path(place))
      } else {
        try FileManager.default.createDirectory(atPath: workspace.path(place), withIntermediateDirectories: true)
      }
      try FileManager.default.createSymbolicLink(
        atPath: workspace.path(name), withDestinationPath: workspace.path(place))
    }
    try workspace.run("run", "--suite", "squat").expectSuccess()
    try workspace.run("gate", "--suite", "squat").expectSuccess()
    #expect(workspace.exists("written/squat/latest/report.md"))
  }

  private static let names: [(sql: String, command: [String], what: String)] = [
    ("UPDATE run SET suite = '../../x'", ["report"], "suite"),
    ("UPDATE run SET id = 'squat/../../../x'", ["report"], "run"),
    ("UPDATE run SET id = 'squat/.hidden'", ["report", "--html"], "run"),
    ("UPDATE run SET id = '../x/y', suite = '../x'", ["history", "list"], "suite"),
    (
      "UPDATE dataset SET name = '../../x', manifest = replace(manifest, '\"squats\"', '\"../../x\"')",
      ["dataset", "list"], "dataset"
    ),
    (
      "UPDATE clip_1 SET name = '../../x', info = replace(info, '\"anna_1\"', '\"../../x\"') WHERE name = 'anna_1'",
      ["run", "--suite", "squat"], "clip"
    ),
  ]

  /// A store may come with a checkout: its names are held against the rule for names of files.
  @Test func namesOfTheStoreAreChecked() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    let store = try workspace.bytes(StoreFaultTests.store)
    for (sql, command, what) in Self.names {
      try workspace.write(store, to: StoreFaultTests.store)
      let queue = try DatabaseQueue(path: workspace.path(StoreFaultTests.store))
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }
      try queue.close()
      let before = try ProjectState.files(workspace.outside)
      try workspace.run(command).expectFailure(
        1,
        saying: [
          ".formbench/store.sqlite: expected a name of up to 200 letters, digits, '.', '_' and '-' that does not begin "
            + "with '.' or '-' for a \(what), found "
        ])
      let new = Set(try ProjectState.files(workspace.outside).keys).subtracting(before.keys)
      #expect(
        new.allSatisfy { $0.contains("store.sqlite") || $0.hasSuffix(".out") || $0.hasSuffix(".err") }, "\(sql): \(new)"
      )
    }
  }

  /// A pipe that a checkout has in place of a file is not waited for.
  @Test(arguments: [
    (".formbench/store.sqlite", "dataset list"), (".formbench/store.sqlite-journal", "dataset list"),
    (".formbench/store.sqlite-reserve", "dataset import --from datasets/squats --name mine"),
    ("reports/squat/latest", "run --suite squat"), ("baselines/squat.json", "gate --suite squat"),
  ])
  func aPipeIsNotWaitedFor(file: String, command: String) throws {
    let workspace = try Workspace.withSquats()
    let folder = (file as NSString).deletingLastPathComponent
    let outcome = try workspace.shell(
      """
      $bench dataset list >../before; rm -f \(file); mkdir -p \(folder); mkfifo \(file)
      exec $bench \(command)
      """, wrapper: Workspace.limited(seconds: 20))
    #expect(outcome.code != 128 + SIGALRM)
    if ["reports", ".formbench/store.sqlite-reserve"].contains(where: file.hasPrefix) {
      #expect(outcome.code == 0, "\(outcome)")
      return
    }
    #expect(outcome.code == 1 && outcome.error.contains("a device, pipe or socket"), "\(outcome)")
  }
}
