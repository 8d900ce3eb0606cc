import BenchCommand
import Foundation
import Testing
import Yams

/// The steps of `action.yml` gate a pull request in a fresh clone of a bare repository, as a runner of GitHub Actions
/// runs them.
@Suite(
  .enabled(if: GitProject.isThere, "no git on the PATH"),
  .enabled(if: FileManager.default.fileExists(atPath: "/etc/os-release"), "the action runs on Linux only"))
struct ActionTests {
  @Test func aChangeThatLosesNothing() throws {
    let runner = try ActionRunner(GitProject())
    let outcome = try runner.run(["suite": "squat"])
    #expect(outcome.failed == nil)
    #expect(outcome.skipped == ["Restore the built program from the cache", "Build the program"])
    #expect(outcome.outputs["gate"]?["exit-code"] == "0")
    let release = "https://github.example/acme/form-bench/releases/download/v\(Bench.version)/"
    #expect(try runner.said("curl").map { $0.contains(release) } == [true, true])
    // The report that is uploaded.
    let upload = try #require(outcome.used["Upload the report"])
    #expect(upload["name"] == "form-squat" && upload["path"] == "./reports/squat")
    let run = try #require(runner.names(in: "reports/squat").first)
    #expect(Set(["report.html", "report.md", "results.json"]).isSubset(of: runner.names(in: "reports/squat/\(run)")))
    // One comment is made.
    let calls = try runner.said("gh")
    #expect(calls.count == 2 && calls[1].hasPrefix("api --silent --method POST repos/acme/coach/issues/7/comments "))
    let body = try runner.text("gh.body")
    #expect(body.hasPrefix("<!-- form-bench squat -->\n### squat: PASS: "), "\(body.prefix(200))")
    #expect(
      body.hasSuffix(
        "\n[Full report](https://github.example/acme/coach/actions/runs/41) in the artifacts of this run.\n"))
    #expect(try runner.text("summary").hasPrefix("### bench gate squat: PASS: "))
    // It was compared with the branch that the pull request would change, at the merge that GitHub made.
    #expect(outcome.output.contains("against  the merge base with origin/main ("))
    // A gate that cannot run after it has no report; the comment says why and shows none of before.
    let later = try runner.run(["suite": "squat", "against": "mian"])
    #expect(later.failed == "Gate" && later.outputs["gate"]?["exit-code"] == "5")
    let reason = try runner.text("gh.body")
    #expect(reason.hasPrefix("<!-- form-bench squat -->\n### bench gate squat: MISSING: git ref mian: "), "\(reason)")
    #expect(!reason.contains("PASS"))
  }

  /// A suite that gates less is accepted by an input, for one pull request.
  @Test func aSuiteThatChangesOnPurpose() throws {
    let project = try GitProject()
    try project.workspace.replace("count.exact, margin: 0.05", with: "count.exact, margin: 0.5", in: GitProject.suite)
    try project.accept()
    let runner = try ActionRunner(project)
    #expect(try runner.run(["suite": "squat"]).outputs["gate"]?["exit-code"] == "5")
    let input = "\nIn the workflow, `--accept-suite-change` is the input `accept-suite-change: true`.\n"
    #expect(try runner.text("gh.body").contains(input))
    let accepted = try runner.run(["suite": "squat", "accept-suite-change": "true"])
    #expect(accepted.outputs["gate"]?["exit-code"] == "0", "\(accepted.output)")
    let comment = try runner.text("gh.body")
    #expect(comment.contains("Accepted on purpose: the margin of count.exact of squat-states is wider: "), "\(comment)")
  }

  /// What a step before wrote is scored in the place of a detector: files that are not there end the gate by name.
  @Test func predictionsOfAStepBefore() throws {
    let runner = try ActionRunner(GitProject())
    let outcome = try runner.run(["suite": "squat", "predictions": "out/a.csv out/b.csv"])
    #expect(outcome.failed == "Gate" && outcome.output.contains("out/a.csv"), "\(outcome.output)")
  }

  /// A project below the top of the repository.
  @Test func aFolderOfTheRepository() throws {
    let project = try GitProject()
    try project.workspace.shell("mkdir -p app/ios && git mv datasets baselines app/ios/").expectSuccess()
    // What the runner commits.
    for folder in ["datasets", "baselines"] { try project.workspace.write("", to: "\(folder)/other") }
    let runner = try ActionRunner(project)
    let outcome = try runner.run(["suite": "squat", "directory": "app/ios"])
    #expect(outcome.failed == nil && outcome.outputs["gate"]?["exit-code"] == "0")
    #expect(outcome.used["Upload the report"]?["path"] == "app/ios/reports/squat")
    let run = try #require(runner.names(in: "app/ios/reports/squat").first)
    #expect(runner.names(in: "app/ios/reports/squat/\(run)").contains("report.html"))
    #expect(try runner.text("gh.body").hasPrefix("<!-- form-bench squat -->\n### squat: PASS: "))
  }

  @Test(.needsJQ) func aLossIsARegressionAndItsCommentIsReplaced() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 75)
    let runner = try ActionRunner(project)
    // A bot's comment that begins with the mark, after a person's.
    let mark = "<!-- form-bench squat -->"
    try runner.write(
      #"[{"id":5,"user":{"type":"User"},"body":"\#(mark)"},{"id":6,"user":{"type":"Bot"},"body":"\#(mark)\nold"}]"#,
      to: "comments.json")
    let outcome = try runner.run(["suite": "squat", "against": "origin/main"])
    #expect(outcome.failed == "Gate" && outcome.outputs["gate"]?["exit-code"] == "2")
    #expect(outcome.used["Upload the report"] != nil)
    let calls = try runner.said("gh")
    #expect(calls.count == 2 && calls[0].hasPrefix("api --paginate repos/acme/coach/issues/7/comments?per_page=100 "))
    #expect(calls[1].hasPrefix("api --silent --method PATCH repos/acme/coach/issues/comments/6 "))
    #expect(try runner.text("gh.body").contains("### squat: REGRESSION: "))
    #expect(outcome.output.contains("::error title=REGRESSION%3A count."))
    // The clip that broke moves in the report; the comment says so.
    #expect(try runner.text("gh.body").contains("Animation in the full report, `broke.png`: "))
    let run = try #require(runner.names(in: "reports/squat").first)
    #expect(runner.names(in: "reports/squat/\(run)").contains("broke.png"))
  }

  /// The picture is a commit of its own, which the comment shows. Without the permission the comment names the file.
  @Test func theClipThatBrokeIsShown() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 75)
    let runner = try ActionRunner(project)
    try runner.write(
      runner.text("bin/gh") + "\ncase \"$*\" in *' --jq .sha') echo \"${2##*/}-sha\" ;; esac\n", to: "bin/gh")
    let outcome = try runner.run(["suite": "squat", "picture": "true"])
    #expect(outcome.failed == "Gate")
    let calls = try runner.said("gh").map { $0.replacing("repos/acme/coach/", with: "") }
    #expect(calls[0].hasPrefix("api git/blobs --raw-field encoding=base64 --field content=@"))
    #expect(calls[1].contains("tree[][path]=broke.png") && calls[1].contains("tree[][sha]=blobs-sha "))
    #expect(calls[2].contains("tree=trees-sha "))
    #expect(
      calls[3]
        == "api --silent --method PATCH git/refs/form-bench/7/squat --raw-field sha=commits-sha --field force=true ")
    let shown = "](https://github.example/acme/coach/raw/commits-sha/broke.png)\n"
    #expect(try runner.text("gh.body").contains(shown))
    let home = runner.scratch + "/temp/form-bench/"
    let kept = try #require(Data(base64Encoded: Data(contentsOf: URL(fileURLWithPath: home + "broke.txt"))))
    #expect(try kept == Data(contentsOf: URL(fileURLWithPath: home + "broke.png")))
    try runner.write("case $2 in */git/blobs) exit 1 ;; esac\n" + runner.text("bin/gh"), to: "bin/gh")
    let refused = try runner.run(["suite": "squat", "picture": "true"])
    #expect(refused.output.contains("It needs permissions: contents: write."))
    #expect(try runner.text("gh.body").contains("Animation in the full report, `broke.png`: "))
  }

  /// What an event or an input says is data: no script has a place for it, and none runs it.
  @Test func noTextIsRun() throws {
    let action = try Action()
    for step in action.steps {
      #expect(step.run?.contains("${{") != true, "\(step.name)")
    }
    let runner = try ActionRunner(GitProject())
    let hostile = "x\"; touch \(runner.scratch)/ran; $(touch \(runner.scratch)/ran) `touch \(runner.scratch)/ran` '"
    let outcome = try runner.run(["suite": hostile, "against": hostile, "allow-commands": hostile, "comment": "true"])
    #expect(outcome.failed == "Gate" && outcome.outputs["gate"]?["exit-code"] == "64")
    #expect(!FileManager.default.fileExists(atPath: "\(runner.scratch)/ran"))
  }

  /// A gate that could not run says why in the comment; a comment that may not be written changes no verdict.
  @Test func aSuiteThatIsMissing() throws {
    let runner = try ActionRunner(GitProject())
    let outcome = try runner.run(["suite": "lunge"])
    #expect(outcome.failed == "Gate" && outcome.outputs["gate"]?["exit-code"] == "5")
    #expect(
      try runner.text("gh.body").hasPrefix("<!-- form-bench lunge -->\n### bench gate lunge: MISSING: suite lunge: "))
    try runner.write("exit 1\n", to: "bin/gh")
    let fork = try runner.run(["suite": "lunge"])
    #expect(
      fork.failed == "Gate"
        && fork.output.contains("::warning title=form-bench::The comment with the report could not be written"))
    let silent = try runner.run(["suite": "lunge", "comment": "false"])
    #expect(silent.failed == "Gate" && silent.skipped.last == "Comment on the pull request")
    #expect(try runner.run(["suite": "lunge"], event: "push").skipped.last == "Comment on the pull request")
  }

  /// A branch has no release: the program is built unless the cache has it. A file that is not what was released is not
  /// run.
  @Test func withoutARelease() throws {
    let runner = try ActionRunner(GitProject())
    runner.ref = "main"
    // The built program says that there is no such suite.
    let outcome = try runner.run(["suite": "lunge"])
    #expect(outcome.outputs["gate"]?["exit-code"] == "5" && outcome.skipped == [])
    #expect(try !runner.exists("curl.calls") && runner.text("built") == "\(runner.scratch)/temp/form-bench\n")
    let key = try #require(outcome.used["Restore the built program from the cache"]?["key"])
    #expect(key.contains(#/^form-bench-[0-9a-f]{64}$/#))
    try runner.write("other", to: "action/Sources/more.swift")
    #expect(try runner.run(["suite": "lunge"]).used["Restore the built program from the cache"]?["key"] != key)
    runner.ref = "v1"
    try runner.write("\(String(repeating: "0", count: 64))  \(runner.release).tar.gz\n", to: "release/SHA256SUMS")
    let altered = try runner.run(["suite": "lunge"])
    #expect(altered.failed == "Fetch the released program" && altered.outputs["gate"] == nil)
  }

  /// The three example detectors, in Python, JavaScript and C++.
  @Test(.needsPython, .needsNode, .needsCompiler) func theExampleDetectors() throws {
    let workspace = try Workspace()
    var suite = SquatSuite(content: try workspace.add(CommandExampleTests.dataset))
    let names = ["pushup-cpp", "pushup-node", "pushup-python"]
    (suite.name, suite.dataset, suite.exercise) = ("push-up", "push-ups", "push-up")
    suite.detectors = names.map { "- name: \($0)" }
    suite.metrics = names.map { ($0, "count.exact", 0.05) }
    try workspace.write(suite.yaml, to: "datasets/suites/push-up.yaml")
    try CommandExampleTests.copy(to: workspace)
    let compile = "\(try #require(Interpreter.compiler)) -std=c++17 -O0 -o coach/pushup coach/pushup.cpp"
    try workspace.shell(compile).expectSuccess()
    try workspace.run(
      "baseline", "accept", "--suite", "push-up", "--allow-commands",
      environment: ["XDG_STATE_HOME": "\(workspace.outside)/state"]
    ).expectSuccess()
    try workspace.remove("coach/pushup")
    let project = try GitProject(in: workspace)
    try project.git("add", "coach", "detectors")
    try project.git("commit", "-q", "-m", "detectors")
    let runner = try ActionRunner(project)
    try Outcome(of: ["/bin/sh", "-c", compile], in: runner.clone, environment: [:], scratch: runner.scratch)
      .expectSuccess()
    let refused = try runner.run(["suite": "push-up"])
    #expect(refused.failed == "Gate" && refused.outputs["gate"]?["exit-code"] == "1")
    let outcome = try runner.run(["suite": "push-up", "allow-commands": "true"])
    #expect(outcome.failed == nil && outcome.output.contains("verdict  PASS: nothing changed on any gating metric"))
    for name in names { #expect(try runner.text("gh.body").contains(name)) }
  }

  /// The workflows that people copy use what the action has, and give it what it needs.
  @Test func theWorkflowsUseTheAction() throws {
    let inputs = try Action().inputs
    let workspace = try Workspace.withSquats()
    try workspace.remove("datasets/suites/squat.yaml")
    try workspace.run("init", "squats").expectSuccess()
    let page = try MarkdownPage("docs/ci.md").lines.joined(separator: "\n")
    let shown = try #require(page.components(separatedBy: "```yaml\n# .github/workflows/form.yml\n").last)
      .components(separatedBy: "```")[0]
    for text in [try workspace.text(".github/workflows/form.yml"), shown] {
      let workflow = try #require(try Yams.load(yaml: text) as? [String: Any])
      // YAML 1.1 reads the key `on` as true.
      #expect(workflow.keys.contains("permissions") && text.contains("\non: pull_request\n"))
      #expect(workflow["permissions"] as? [String: String] == ["contents": "read", "pull-requests": "write"])
      let jobs = try #require(workflow["jobs"] as? [String: [String: Any]])
      let steps = try #require(jobs["gate"]?["steps"] as? [[String: Any]])
      #expect((steps[0]["with"] as? [String: Any])?["fetch-depth"] as? Int == 0)
      let action = try #require(steps.last)
      #expect(action["uses"] as? String == "OWNER/form-bench@v1")
      #expect(Set((action["with"] as? [String: Any] ?? [:]).keys).isSubset(of: inputs.keys))
    }
  }
}

/// `action.yml`, as far as a runner reads it.
private struct Action {
  struct Step {
    var name: String
    var id: String?
    var condition: String?
    var run: String?
    var directory: String?
    var environment: [String: String]
    var with: [String: String]
  }

  /// The inputs' defaults.
  let inputs: [String: String]
  let steps: [Step]

  init() throws {
    let file = ModuleOrderTests.checkout.appending(path: "action.yml")
    let text = try String(contentsOf: file, encoding: .utf8)
    let yaml = try #require(try Yams.load(yaml: text) as? [String: Any])
    let runs = try #require(yaml["runs"] as? [String: Any])
    try #require(runs["using"] as? String == "composite")
    inputs = try #require(yaml["inputs"] as? [String: [String: Any]]).mapValues { $0["default"].map { "\($0)" } ?? "" }
    steps = try #require(runs["steps"] as? [[String: Any]]).map { step in
      func texts(_ key: String) -> [String: String] { (step[key] as? [String: Any] ?? [:]).mapValues { "\($0)" } }
      #expect((step["run"] == nil) == (step["shell"] == nil))
      return Step(
        name: step["name"] as? String ?? "", id: step["id"] as? String, condition: step["if"] as? String,
        run: step["run"] as? String, directory: step["working-directory"] as? String, environment: texts("env"),
        with: texts("with"))
    }
  }
}

/// Runs the steps of the action in a clone, with programs in the place of `gh` and `curl` that record what they are
/// called with.
private final class ActionRunner {
  struct Result {
    /// The first step that failed.
    var failed: String?
    var skipped: [String] = []
    /// By step, what it wrote to `$GITHUB_OUTPUT`.
    var outputs: [String: [String: String]] = [:]
    /// By name, the inputs of steps that use another action.
    var used: [String: [String: String]] = [:]
    /// What all steps printed.
    var output = ""
  }

  private let project: GitProject
  let scratch: String
  let clone: String
  /// The ref by which the workflow names the action.
  var ref = "v1"
  let release: String
  private var variables: [String: String] = [:]

  /// Clones the project as `actions/checkout` does for a pull request: the merge of the branch `change` into main,
  /// detached, with no local branch.
  init(_ project: GitProject) throws {
    self.project = project
    scratch = project.workspace.outside + "/runner"
    clone = scratch + "/work"
    let architecture = try project.workspace.shell("uname -m").output.trimmingCharacters(in: .whitespacesAndNewlines)
    release = "form-bench-\(Bench.version)-linux-\(architecture)"
    try project.commit()
    try shell(
      """
      mkdir -p bin temp release/\(release)/bin action/Sources/BenchCommand action/scripts work
      git clone -q --bare '\(project.workspace.project)' origin.git
      cd work
      git init -q
      git remote add origin ../origin.git
      git fetch -q origin '+refs/heads/*:refs/remotes/origin/*'
      git checkout -q --detach origin/main
      git -c user.name=a -c user.email=a@example.org merge -q --no-ff --no-edit origin/change
      """)
    let program = "#!/bin/sh\nexec '\(try BenchExecutable.path())' \"$@\"\n"
    try write(program, to: "release/\(release)/bin/bench")
    try write("FROM=release\n", to: "release/\(release)/LICENSE")
    // Records a call a line; a release's file is the one of its name.
    try write(
      """
      echo "$*" >>'\(scratch)/curl.calls'
      for word; do case $before in --output) to=$word ;; esac; before=$word; done
      cp "\(scratch)/release/${word##*/}" "$to"
      """, to: "bin/curl")
    try write(
      """
      echo "$*" | tr '\\n' ' ' >>'\(scratch)/gh.calls'; echo >>'\(scratch)/gh.calls'
      for word; do
        case $before in --jq) [ ! -e '\(scratch)/comments.json' ] || jq -r "$word" '\(scratch)/comments.json' ;; esac
        case $word in body=@*) cp "${word#body=@}" '\(scratch)/gh.body' ;; esac
        before=$word
      done
      """, to: "bin/gh")
    try write(
      "echo \"$1\" >'\(scratch)/built'\ncp '\(scratch)/release/\(release)/bin/bench' \"$1/bin/bench\"\n",
      to: "action/scripts/install")
    try FileManager.default.copyItem(
      at: ModuleOrderTests.checkout.appending(path: "Sources/BenchCommand/Bench.swift"),
      to: URL(fileURLWithPath: "\(scratch)/action/Sources/BenchCommand/Bench.swift"))
    try write("", to: "action/Package.swift")
    try shell(
      """
      chmod +x bin/* action/scripts/install release/*/bin/bench
      cd release && tar -czf \(release).tar.gz \(release) && sha256sum \(release).tar.gz >SHA256SUMS
      """)
  }

  func run(_ given: [String: String], event: String = "pull_request") throws -> Result {
    let action = try Action()
    var result = Result()
    for file in ["path", "summary", "gh.calls", "gh.body"] {
      try? FileManager.default.removeItem(atPath: "\(scratch)/\(file)")
    }
    try write("", to: "path")
    variables = [
      "github.action_repository": "acme/form-bench", "github.action_ref": ref, "github.token": "secret",
      "github.event_name": event, "github.event.pull_request.number": event == "pull_request" ? "7" : "",
    ]
    for (name, value) in action.inputs { variables["inputs.\(name)"] = try expand(given[name] ?? value) }
    for (number, step) in action.steps.enumerated() {
      guard try isRun(step, afterFailure: result.failed != nil) else {
        result.skipped.append(step.name)
        continue
      }
      guard let script = step.run else {
        result.used[step.name] = try step.with.mapValues(expand)
        continue
      }
      let files = ["output": "output.\(number)", "script": "script.\(number)"]
      try write("", to: "output.\(number)")
      try write(script, to: "script.\(number)")
      let path = try text("path").split(separator: "\n").map(String.init) + ["\(scratch)/bin"]
      var environment = [
        "PATH": path.joined(separator: ":") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
        "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_BASE_REF": event == "pull_request" ? "main" : "",
        "GITHUB_SERVER_URL": "https://github.example", "GITHUB_REPOSITORY": "acme/coach", "GITHUB_RUN_ID": "41",
        "GITHUB_WORKSPACE": clone, "RUNNER_TEMP": "\(scratch)/temp", "GITHUB_ACTION_PATH": "\(scratch)/action",
        "GITHUB_PATH": "\(scratch)/path", "GITHUB_STEP_SUMMARY": "\(scratch)/summary",
        "GITHUB_OUTPUT": "\(scratch)/\(files["output"] ?? "")", "XDG_STATE_HOME": "\(scratch)/state",
      ]
      for (name, value) in step.environment { environment[name] = try expand(value) }
      let outcome = try Outcome(
        of: ["/bin/bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "\(scratch)/\(files["script"] ?? "")"],
        in: clone + "/" + expand(step.directory ?? "."), environment: environment, scratch: scratch)
      result.output += outcome.output + outcome.error
      if outcome.code != 0 { result.failed = result.failed ?? step.name }
      let outputs = try text("output.\(number)").split(separator: "\n").map {
        $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      }
      for pair in outputs where pair.count == 2 {
        variables["steps.\(step.id ?? "").outputs.\(pair[0])"] = pair[1]
        result.outputs[step.id ?? "", default: [:]][pair[0]] = pair[1]
      }
    }
    return result
  }

  /// A text with the values of its expressions, each of which must be one name.
  private func expand(_ text: String) throws -> String {
    try text.split(separator: "${{", omittingEmptySubsequences: false).enumerated().map { number, part in
      guard number > 0 else { return String(part) }
      let sides = part.components(separatedBy: "}}")
      try #require(sides.count == 2, "\(text)")
      return try value(sides[0]) + sides[1]
    }.joined()
  }

  /// A name's value, or a text in quotes.
  private func value(_ term: String) throws -> String {
    let term = term.trimmingCharacters(in: .whitespacesAndNewlines)
    if term.hasPrefix("'") { return String(term.dropFirst().dropLast()) }
    try #require(term.contains(#/^(inputs|steps|github)(\.[a-z_-]+)+$/#), "\(term) is no name")
    return variables[term] ?? ""
  }

  /// Whether a step runs: conditions are comparisons joined by `&&`. Without `cancelled()` a failure before skips it.
  private func isRun(_ step: Action.Step, afterFailure: Bool) throws -> Bool {
    var condition = (step.condition ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    if condition.hasPrefix("${{") { condition = String(condition.dropFirst(3).dropLast(2)) }
    let terms = condition.components(separatedBy: "&&").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    if afterFailure && !terms.contains("!cancelled()") { return false }
    return try terms.filter { !$0.isEmpty && $0 != "!cancelled()" }.allSatisfy { term in
      let isEqual = term.contains("==")
      let sides = try term.components(separatedBy: isEqual ? "==" : "!=").map(value)
      try #require(sides.count == 2, "\(term)")
      return (sides[0] == sides[1]) == isEqual
    }
  }

  /// The calls of a program, one line each.
  func said(_ program: String) throws -> [String] {
    try text("\(program).calls").split(separator: "\n").map(String.init)
  }

  func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(scratch)/\(file)") }

  func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(clone)/\(folder)")) ?? []
  }

  func text(_ file: String) throws -> String { try String(contentsOfFile: "\(scratch)/\(file)", encoding: .utf8) }

  func write(_ text: String, to file: String) throws {
    let script = file.hasPrefix("bin/") || file.hasSuffix("install") ? "#!/bin/sh\nset -eu\nbefore=\n" : ""
    try (script + text).write(toFile: "\(scratch)/\(file)", atomically: false, encoding: .utf8)
  }

  private func shell(_ script: String) throws {
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    let outcome = try Outcome(
      of: ["/bin/sh", "-euc", script], in: scratch, environment: [:], scratch: project.workspace.outside)
    try #require(outcome.code == 0, "\(outcome.error)")
  }
}
