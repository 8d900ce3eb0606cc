import BenchCommand
import Datasets
import Foundation
import PoseModel
import Testing

/// The first line of each command where it has what it needs, where there is nothing to work on, and where it cannot do
/// what it is asked. A person reads them in `docs/first-lines.md`.
///
/// All commands run in one process, as most of a short command's time is its start.
@Suite struct FirstLinesTests {
  /// A project with labelled squats, one with squats that nobody labelled, and one with nothing.
  enum Place: String, CaseIterable { case squats, unlabelled, bare }

  enum Kind: String, CaseIterable { case typical, empty, failing }

  struct Row {
    let kind: Kind
    let place: Place
    let arguments: [String]
    /// `dataset show`
    let command: [String]

    /// - Parameter line: `typical squats dataset show squats`
    init(_ line: Substring) throws {
      let words = line.split(separator: " ").map(String.init)
      kind = try #require(Kind(rawValue: words[0]), "\(line)")
      place = try #require(Place(rawValue: words[1]), "\(line)")
      let arguments = Array(words.dropFirst(2))
      self.arguments = arguments
      command = try #require(FirstLinesTests.leaves.first { arguments.starts(with: $0) }, "\(line)")
    }
  }

  /// The commands without commands of their own.
  private static let leaves = UsageTests.commands.filter { command in
    !UsageTests.commands.contains { $0.count > command.count && $0.starts(with: command) }
  }

  /// Where there can't be nothing to work on.
  private static let neverEmpty: Set = [
    "draw list", "detector list", "detector show", "metric list", "metric show", "dataset export", "dataset remove",
    "dataset generate",
  ]

  /// What takes a minute, or recordings of people.
  private static let notRun: Set = ["draw gallery", "selftest gate", "people"]

  /// In the order in which they run: the later ones find what the earlier ones left.
  static let script = """
    typical squats baseline accept --suite squat
    typical squats run --suite squat
    typical squats gate --suite squat --set reps.squat-states.bottomAngle=84
    typical squats compare --suite squat --set reps.squat-states.bottomAngle=84
    typical squats baseline show --suite squat
    typical squats baseline diff --suite squat
    typical squats sweep --suite squat --sweep reps.squat-states.bottomAngle=80,84,90
    typical squats tune --suite squat --tune reps.squat-states.bottomAngle=80,90 --metric count.mae
    typical squats power --suite squat --metric count.mae --loss 1 --set reps.squat-states.bottomAngle=84
    typical squats report
    typical squats history list
    typical squats history blame count.exact --suite squat
    typical squats history draw count.exact --suite squat
    typical squats history export --csv
    typical squats draw charts counts --suite squat
    typical squats draw list
    typical squats replay anna_1 --suite squat
    typical squats score --dataset squats --predictions new.csv
    typical squats drift old.csv new.csv
    typical squats leaderboard --datasets squats --detectors squat-states exercise-squat
    typical squats dataset import folder --from incoming/mine
    typical squats dataset list
    typical squats dataset show squats
    typical squats dataset check squats
    typical squats dataset label mine --from dora_1.txt
    typical squats dataset export mine --to exported
    typical squats dataset sync mine
    typical squats dataset log
    typical squats dataset remove mine
    typical squats dataset purge
    typical squats dataset generate --seed 1 --subjects 1 --clips-per-subject 1 --to generated
    typical squats detector list
    typical squats detector show squat-states
    typical squats detector check squat-states --suite squat
    typical squats exercise check lunge.yaml
    typical squats metric list
    typical squats metric show count.exact
    typical squats agreement estimators squats squats
    typical squats agreement raters squats --criterion form
    typical squats tally --suite squat --shard 1/2 --to 1.jsonl
    typical squats tally --suite squat --shard 2/2 --to 2.jsonl
    typical squats merge 1.jsonl 2.jsonl
    typical squats init squats

    empty unlabelled run --suite squat
    empty unlabelled baseline accept --suite squat
    empty unlabelled baseline show --suite squat
    empty unlabelled baseline diff --suite squat
    empty unlabelled gate --suite squat
    empty unlabelled compare --suite squat --set reps.squat-states.bottomAngle=84
    empty unlabelled sweep --suite squat --sweep reps.squat-states.bottomAngle=80,84,90
    empty unlabelled tune --suite squat --tune reps.squat-states.bottomAngle=80,90 --metric count.mae
    empty unlabelled power --suite squat --metric count.mae
    empty unlabelled report
    empty unlabelled history blame count.exact --suite squat
    empty unlabelled history draw count.exact --suite squat
    empty unlabelled draw charts counts --suite squat
    empty unlabelled replay anna_1 --suite squat
    empty unlabelled score --suite squat --predictions old.csv
    empty unlabelled drift none.csv none.csv
    empty unlabelled leaderboard --datasets squats
    empty unlabelled dataset show squats
    empty unlabelled dataset check squats
    empty unlabelled agreement raters squats --criterion form
    empty unlabelled selftest gate
    empty unlabelled tally --suite squat --shard 1/2 --to 1.jsonl
    empty unlabelled merge 1.jsonl
    empty unlabelled init squats
    empty bare init
    empty bare view
    empty bare report
    empty bare people
    empty bare dataset list
    empty bare dataset import --from incoming
    empty bare dataset label mine --from incoming
    empty bare dataset sync mine
    empty bare dataset log
    empty bare dataset purge
    empty bare detector check squat-states
    empty bare agreement estimators a b
    empty bare exercise check empty.yaml
    empty bare history list
    empty bare history export --csv
    empty bare draw gallery --output gallery

    failing squats init squast
    failing squats run --suite sqat
    failing squats compare --suite squat
    failing squats gate --suite squat --set reps.squat-states.bottom=80
    failing squats baseline accept --suite squat --dataset squats
    failing squats baseline show --suite sqat
    failing squats baseline diff --suite sqat
    failing squats replay ana_1 --suite squat
    failing squats view --suite sqat
    failing squats score --dataset squats --predictions gone.csv
    failing squats drift gone.csv new.csv
    failing squats leaderboard --datasets squast
    failing squats people --check gone.md
    failing squats sweep --suite squat --sweep reps.squat-states.bottomAngle
    failing squats tune --suite squat --detector squat-state
    failing squats dataset list --publik
    failing squats dataset show squast
    failing squats dataset check squast
    failing squats dataset import --from gone
    failing squats dataset label squats --from dora_1.txt
    failing squats dataset export squast --to elsewhere
    failing squats dataset sync squast
    failing squats dataset remove squast
    failing squats dataset purge --dry
    failing squats dataset log --contains x
    failing squats dataset generate --seed 1 --subjects 0 --to generated
    failing squats detector list --all
    failing squats detector show squat-state
    failing squats detector check squat-state
    failing squats exercise check new.csv
    failing squats metric list --all
    failing squats metric show count.exac
    failing squats agreement estimators squats squast
    failing squats agreement raters squats --criterion from
    failing squats power --suite squat --metric count.maee
    failing squats selftest gate --suite sqat
    failing squats report 2020
    failing squats history list --suite sqat
    failing squats history blame count.exac
    failing squats history draw count.exac
    failing squats history export
    failing squats draw list --all
    failing squats draw gallery
    failing squats draw charts cuonts
    failing squats tally --suite squat --shard 3/2 --to 3.jsonl
    failing squats merge gone.jsonl
    """

  private static func rows() throws -> [Row] { try script.split(separator: "\n").map(Row.init) }

  private func workspace(_ place: Place) throws -> Workspace {
    let workspace: Workspace
    switch place {
    case .squats:
      workspace = try Workspace.withSquats()
      let mine = SquatClip(name: "dora_1", subject: "dora", squats: [SquatClip.deep])
      try workspace.add(SquatClip.dataset("mine", [mine]), in: "incoming")
      try workspace.write("1.0\t2.0\tcall\n", to: "dora_1.txt")
      let exercise = "Sources/Evaluation/Exercises/BuiltIn/lunge.yaml"
      try workspace.write(Data(contentsOf: ModuleOrderTests.checkout.appending(path: exercise)), to: "lunge.yaml")
    case .unlabelled:
      workspace = try Workspace()
      var dataset = SquatClip.dataset("squats", SquatClip.three)
      for index in dataset.clips.indices { dataset.clips[index].labels = GroundTruth() }
      try workspace.write(SquatSuite(content: workspace.add(dataset)).yaml, to: "datasets/suites/squat.yaml")
      try workspace.write("clip,count\n", to: "none.csv")
    case .bare:
      workspace = try Workspace()
      try workspace.write("", to: "incoming/notes.md")
      try workspace.write("", to: "empty.yaml")
    }
    try workspace.write("clip,count\nanna_1,2\nbert_1,3\ncleo_1,1\n", to: "old.csv")
    try workspace.write("clip,count\nanna_1,2\nbert_1,3\ncleo_1,2\n", to: "new.csv")
    return workspace
  }

  /// Runs the script in the folders of the places, one a line, and keeps what each command prints in numbered files.
  static func runAll(in folders: String, keptIn kept: String) async throws {
    for name in ["CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_BASE_REF", "BENCH_BASE_REF"] { unsetenv(name) }
    setenv("COLUMNS", "2000", 1)
    let projects = Dictionary(uniqueKeysWithValues: zip(Place.allCases, folders.components(separatedBy: "\n")))
    for (number, row) in try rows().enumerated() {
      let project = try #require(projects[row.place])
      #expect(FileManager.default.changeCurrentDirectoryPath(project))
      for (descriptor, name) in [(STDOUT_FILENO, "out"), (STDERR_FILENO, "err")] {
        let path = "\(kept)/\(number).\(name)"
        try Data().write(to: URL(fileURLWithPath: path))
        let file = open(path, O_WRONLY)
        dup2(file, descriptor)
        close(file)
      }
      let code = await Bench.run(row.arguments)
      try Data("\(code)".utf8).write(to: URL(fileURLWithPath: "\(kept)/\(number).code"))
    }
  }

  /// The first line, with the parts that differ from run to run as words.
  private static func firstLine(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.replacing(#/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(-\d+)?/#, with: "TIME")
      .replacing(#/[0-9a-f]{64}/#, with: "HASH")
      .replacing(#/127\.0\.0\.1:\d+/[0-9a-f]{32}/#, with: "ADDRESS")
      .replacing(#/[^ ]*/bench-[-0-9A-F]{36}//#, with: "")
      .replacing(#/ +/#, with: " ")
      .trimmingCharacters(in: .whitespaces)
  }

  private struct Answer {
    let row: Row
    let code: String
    let line: String

    /// A row of the page's table.
    var text: String {
      let cell = line.replacing("|", with: "\\|").replacing("<", with: "&lt;")
      return "| `bench \(row.arguments.joined(separator: " "))` | \(row.kind) | \(code) | \(cell) |"
    }
  }

  private func answers() async throws -> [Answer] {
    let workspaces = try Place.allCases.map(workspace)
    let (folders, kept) = (workspaces.map(\.project).joined(separator: "\n"), workspaces[0].outside)
    await #expect(processExitsWith: .exitCode(0)) { [folders = folders as String, kept = kept as String] in
      try await FirstLinesTests.runAll(in: folders, keptIn: kept)
      exit(0)
    }
    func printed(_ number: Int, _ name: String) throws -> String {
      try String(contentsOfFile: "\(kept)/\(number).\(name)", encoding: .utf8)
    }
    var answers: [Answer] = []
    for (number, row) in try Self.rows().enumerated() {
      let output = try printed(number, "out")
      let text = try output.isEmpty ? printed(number, "err") : output
      answers.append(Answer(row: row, code: try printed(number, "code"), line: Self.firstLine(text)))
    }
    let view = try Row("typical squats view --suite squat")
    return try answers + [Answer(row: view, code: "0", line: viewLine(in: workspaces[0]))]
  }

  @Test func everyCommandAnswersInItsFirstLine() async throws {
    let answers = try await answers()
    for answer in answers {
      #expect(!answer.line.isEmpty, "\(answer.text)")
      let words = answer.line.replacing(#/--[a-z-]*subjects?|,subjects?,/#, with: ",")
      #expect(!words.contains(#/\bsubjects?\b|\b0 of 0\b|\bone of [ ,]|\ba clip of [ ,]/#), "\(answer.text)")
    }
    var table: [String] = []
    for command in Self.leaves {
      let name = command.joined(separator: " ")
      let own = answers.filter { $0.row.command == command }
      for kind in Kind.allCases {
        let mayLack = kind == .empty && Self.neverEmpty.contains(name) || kind == .typical && Self.notRun.contains(name)
        let rows = own.filter { $0.row.kind == kind }
        #expect(!rows.isEmpty || mayLack, "the script needs a line for the \(kind) case of bench \(name)")
        table += rows.map(\.text)
      }
    }
    try compare(table)
  }

  /// The command serves until it is interrupted.
  private func viewLine(in workspace: Workspace) throws -> String {
    let process = Process.bench(try BenchExecutable.command(["view", "--suite", "squat"]), in: workspace.project)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    process.interrupt()
    process.waitUntilExit()
    return Self.firstLine(said)
  }

  /// Compares the table with the page or, if asked to, writes it there.
  private func compare(_ table: [String]) throws {
    let head = "| command | case | exit code | first line |\n|---|---|---|---|\n"
    let page = ModuleOrderTests.checkout.appending(path: "docs/first-lines.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: head), "docs/first-lines.md has no table")
    let expected = String(text[..<start.upperBound]) + table.map { "\($0)\n" }.joined()
    if ProcessInfo.processInfo.environment["BENCH_WRITE_FIRST_LINES"] != nil {
      try Data(expected.utf8).write(to: page)
    } else if text != expected {
      let old = Set(text.split(separator: "\n"))
      let changed = table.filter { !old.contains(Substring($0)) }.joined(separator: "\n")
      Issue.record(
        """
        docs/first-lines.md is not what the commands say. Read what changed, and write it anew:
        BENCH_WRITE_FIRST_LINES=1 scripts/test --filter FirstLinesTests
        \(changed)
        """)
    }
  }
}
