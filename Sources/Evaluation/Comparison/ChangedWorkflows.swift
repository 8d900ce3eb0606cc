import Files
import Foundation

/// What a change does to the files that run the gate in CI: a change is gated as it says itself.
public struct ChangedWorkflows: Sendable {
  public private(set) var objections = Objections()

  /// If git cannot tell what changed, that is a fault.
  public init(in project: Project, since commit: GitCommit) {
    let paths: [String]
    do { paths = try commit.changedPaths().filter(Self.mayRunGates) } catch {
      objections = Objections(faults: ["\(error)"], remedy: "Fetch the commit whole: git fetch")
      return
    }
    for path in paths.sorted(by: Self.isReadBefore).prefix(Self.most) {
      guard let before = try? commit.file(path).map(Self.lines) else { continue }
      var calls = GateCalls(of: path, at: commit)
      if Self.mayCall(path) { calls.follow(before) }
      func runsGate(_ line: [String]) -> Bool { Self.runsGate(line) || calls.isCall(line) }
      guard before.contains(where: runsGate) else { continue }
      let file = project.root.isEmpty ? path : "\(project.root)/\(path)"
      guard FileKind(file) != nil else {
        if !Self.isBeside(file, before) {
          objections.findings.append("\(path) ran the gate at \(commit.title), and is gone")
        }
        continue
      }
      let now = (try? InputFile(file)).map { Self.lines($0.bytes) } ?? []
      func compared(_ lines: [[String]]) -> [String] {
        lines.filter { Self.isWhole(path) || runsGate($0) }.flatMap(\.self)
      }
      let (old, new) = (compared(before), compared(now))
      guard old != new else { continue }
      let differences = [("without", Self.words(old, besides: new)), ("with", Self.words(new, besides: old))]
        .filter { !$0.1.isEmpty }.map { "\($0.0) \(Excerpt.of($0.1.joined(separator: " ")))" }
      let lost = calls.tasksLost(of: path, from: before, to: now)
      let does =
        now.contains(where: runsGate) && lost.isEmpty
        ? "runs the gate and"
        : "no longer runs the gate\(lost.isEmpty ? "" : " in \(Excerpt.list(lost))"), and"
      objections.findings.append(
        "\(path) \(does) differs from \(commit.title): "
          + (differences.isEmpty ? "the same words in another order" : differences.joined(separator: ", "))
          + ". See that it still stops a worse release")
    }
  }

  /// Git is asked for each file: of a change of more, those where CI has its workflows are read first, then those that
  /// are nearest to the top.
  private static let most = 100

  private static func isReadBefore(_ one: String, _ other: String) -> Bool {
    func place(_ path: String) -> (Int, Int, String) { (isHidden(path) ? 0 : 1, path.count { $0 == "/" }, path) }
    return place(one) < place(other)
  }

  /// Whether a path has a part such as `.github`.
  private static func isHidden(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".") && $0 != ".." }
  }

  /// Whether a path may be a workflow or a script of CI.
  private static func mayRunGates(_ path: String) -> Bool {
    let own = ["datasets/", "baselines/", "reports/", "detectors/", "exercises/"]
    return !own.contains(where: path.hasPrefix) && (isWhole(path) || hasOtherLines(path))
  }

  /// Whether any line of a file may decide what becomes of the gate: of a workflow, a shell script or a `Makefile`.
  private static func isWhole(_ path: String) -> Bool {
    let name = PathParts(path).name
    return !name.contains(".") || [".yml", ".yaml", ".sh"].contains(where: name.hasSuffix)
  }

  /// Whether a file may run a gate of another one: a workflow, tasks at the top, or a script there or one folder below.
  private static func mayCall(_ path: String) -> Bool {
    (isWhole(path) || PathParts(path).name == "package.json")
      && (isHidden(path) || path.split(separator: "/").count { $0 != ".." } <= 2)
  }

  /// Whether most lines of a file have nothing to do with a gate that it runs, such as those of `package.json`.
  private static func hasOtherLines(_ path: String) -> Bool {
    ["json", "toml", "ini", "cfg", "mk", "py", "rb", "js", "mjs", "ts", "gradle", "kts", "groovy", "ps1", "bat"]
      .contains(PathParts(path).ending)
  }

  /// Whether a file's folder has one of the same lines and ending: the file has another name.
  private static func isBeside(_ file: String, _ lines: [[String]]) -> Bool {
    let parts = PathParts(file)
    let folder = parts.folder.isEmpty ? "." : parts.folder
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { name in
      let path = "\(folder)/\(name)"
      guard PathParts(name).ending == parts.ending, FileKind(path) == .file, let other = try? InputFile(path) else {
        return false
      }
      return Self.lines(other.bytes) == lines
    }
  }

  /// The words of each line without its comment, and of its continuations; none of a file that is too large to be a
  /// workflow.
  fileprivate static func lines(_ bytes: Data) -> [[String]] {
    guard bytes.count <= 1 << 20 else { return [] }
    var lines: [[String]] = []
    var isContinued = false
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      var words = uncommented(line)
      let isContinuation = isContinued
      isContinued = words.last == "\\"
      if isContinued { words.removeLast() }
      if isContinuation, !lines.isEmpty { lines[lines.count - 1] += words } else { lines.append(words) }
    }
    return lines.filter { !$0.isEmpty }
  }

  /// The words before a `#` that no quotes surround.
  private static func uncommented(_ line: Substring) -> [String] {
    var words: [String] = []
    var (single, double) = (0, 0)
    for word in line.split(whereSeparator: \.isWhitespace) {
      if word.hasPrefix("#"), single.isMultiple(of: 2), double.isMultiple(of: 2) { break }
      single += word.count { $0 == "'" }
      double += word.count { $0 == "\"" }
      words.append(String(word))
    }
    return words
  }

  /// Whether a line has `bench gate`, with what stands between, or `form-bench`.
  fileprivate static func runsGate(_ line: [String]) -> Bool {
    let names = line.flatMap { word in
      word.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }.map(String.init)
    }
    guard let bench = names.firstIndex(of: "bench") else { return names.contains("form-bench") }
    return names[bench...].contains("gate")
  }

  /// The words that others do not have, in their order.
  private static func words(_ words: [String], besides others: [String]) -> [String] {
    var rest = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
    return words.filter { word in
      guard let count = rest[word], count > 0 else { return true }
      rest[word] = count - 1
      return false
    }
  }
}

/// The words by which a file of a commit runs the gate of another one: `scripts/gate.sh`, or `make` and `gate`, also by a
/// script or a task that runs that one.
private struct GateCalls {
  private let commit: GitCommit
  /// A workflow's paths begin at the top of the repository.
  private let top: String
  private var found: Set<[String]> = []
  /// The lines of each file that was asked for.
  private var known: [String: [[String]]] = [:]
  /// What is known of a file, by the steps and its path: its tasks that run a gate, and whether it runs one itself.
  private var tasks: [String: Set<String>] = [:]
  private var scripts: [String: Bool] = [:]

  /// Files between a workflow and the gate.
  private static let mostSteps = 3
  /// Git is asked for each file.
  private static let mostFiles = 200

  init(of path: String, at commit: GitCommit) {
    self.commit = commit
    top = path.split(separator: "/").prefix { $0 == ".." }.map { "\($0)/" }.joined()
  }

  /// Finds the calls in a file's lines.
  mutating func follow(_ lines: [[String]]) { found = calls(in: lines, Self.mostSteps) }

  func isCall(_ line: [String]) -> Bool { found.contains { Self.has($0, line) } }

  /// The tasks of a file that ran a gate in earlier lines, and are still there without one.
  mutating func tasksLost(of path: String, from before: [[String]], to now: [[String]]) -> [String] {
    guard Self.taskFiles.values.joined().contains(PathParts(path).name) else { return [] }
    let (old, new) = (gates(in: before, Self.mostSteps), gates(in: now, Self.mostSteps))
    let names = Set(now.map { Self.plain($0[0]) })
    // A list such as .PHONY is no task.
    return old.subtracting(new).filter { !$0.hasPrefix(".") && names.contains("\($0):") }.sorted()
  }

  private mutating func calls(in lines: [[String]], _ steps: Int) -> Set<[String]> {
    guard steps > 0 else { return [] }
    var calls: Set<[String]> = []
    for word in Set(lines.flatMap { $0.map(Self.plain) }).sorted() {
      if let files = Self.taskFiles[word] {
        for file in files {
          let gates = gates(of: file, steps)
          for task in gates { calls.insert([word, task]) }
          if !file.hasSuffix(".json"), let task = Self.firstTask(text(file)), gates.contains(task) {
            calls.insert([word])
          }
        }
      } else if let path = Self.path(word), runsGate(path, steps) {
        calls.insert([word])
      }
    }
    return calls
  }

  /// The tasks of a file that run a gate, or another task that does.
  private mutating func gates(of file: String, _ steps: Int) -> Set<String> {
    let key = "\(steps) \(file)"
    if let gates = tasks[key] { return gates }
    let lines = text(file)
    let gates = gates(in: lines, steps)
    tasks[key] = gates
    return gates
  }

  private mutating func gates(in lines: [[String]], _ steps: Int) -> Set<String> {
    let calls = self.calls(in: lines, steps - 1)
    var gates: Set<String> = []
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for place in lines.indices {
        let words = lines[place].map(Self.plain)
        let needsGate = words[0].hasSuffix(":") && words.dropFirst().contains { gates.contains($0) }
        let task = lines[...place].map { Self.plain($0[0]) }.last { $0.hasSuffix(":") }
        guard needsGate || ChangedWorkflows.runsGate(words) || calls.contains(where: { Self.has($0, words) }),
          let task
        else { continue }
        if gates.insert(String(task.dropLast())).inserted { isGrowing = true }
      }
    }
    return gates
  }

  /// Whether a script, or an action in a folder, runs a gate.
  private mutating func runsGate(_ path: String, _ steps: Int) -> Bool {
    let key = "\(steps) \(path)"
    if let runsGate = scripts[key] { return runsGate }
    var runsGate = false
    let isNamed = PathParts(path).name.contains(".")
    for file in [path] + (isNamed ? [] : ["\(path)/action.yml", "\(path)/action.yaml"]) where !runsGate {
      let lines = text(file)
      let calls = self.calls(in: lines, steps - 1)
      runsGate = lines.contains { line in
        ChangedWorkflows.runsGate(line) || calls.contains { Self.has($0, line) }
      }
    }
    scripts[key] = runsGate
    return runsGate
  }

  /// The lines of a file of the commit; none for one that it does not have.
  private mutating func text(_ path: String) -> [[String]] {
    if let lines = known[path] { return lines }
    guard known.count < Self.mostFiles else { return [] }
    let lines = (try? commit.file(top + path)).map(ChangedWorkflows.lines) ?? []
    known[path] = lines
    return lines
  }

  /// The path that a word may be; `nil` for other words.
  private static func path(_ word: String) -> String? {
    let path = word.hasPrefix("./") ? String(word.dropFirst(2)) : word
    guard path.contains("/") || path.contains("."), !path.contains(where: { ":@$*=".contains($0) }), path != ".",
      path != "..", !path.hasPrefix("/")
    else { return nil }
    return path
  }

  /// The files with the tasks of a program that runs tasks.
  private static let taskFiles = [
    "make": ["Makefile", "makefile", "GNUmakefile"], "$(MAKE)": ["Makefile", "makefile", "GNUmakefile"],
    "just": ["justfile", "Justfile"], "npm": ["package.json"], "yarn": ["package.json"], "pnpm": ["package.json"],
    "bun": ["package.json"],
  ]

  /// The task that `make` or `just` runs if none is named.
  private static func firstTask(_ lines: [[String]]) -> String? {
    lines.last { $0[0] == ".DEFAULT_GOAL" }?.last
      ?? lines.map { plain($0[0]) }.first { $0.hasSuffix(":") && !$0.hasPrefix(".") }.map { String($0.dropLast()) }
  }

  /// Whether a line runs a program of tasks without the name of a task.
  private static func namesNoTask(_ program: String, _ line: [String]) -> Bool {
    guard let place = line.firstIndex(where: { plain($0) == program }) else { return false }
    let next = line[(place + 1)...].first { !$0.hasPrefix("-") && !$0.contains("=") && Int($0) == nil }
    return next.map { ["&&", "||", "|", ";"].contains($0) } ?? true
  }

  /// A word without quotes and commas around it.
  private static func plain(_ word: String) -> String {
    var word = word[...]
    while let first = word.first, "\"'".contains(first) { word.removeFirst() }
    while let last = word.last, "\"',;".contains(last) { word.removeLast() }
    // The name of a task in JSON has its quotes before the colon.
    return word.hasSuffix("\":") ? "\(word.dropLast(2)):" : String(word)
  }

  /// Whether a line has some words in their order.
  private static func has(_ words: [String], _ line: [String]) -> Bool {
    if words.count == 1, taskFiles[words[0]] != nil { return namesNoTask(words[0], line) }
    var rest = line.map(plain)[...]
    return words.allSatisfy { word in
      guard let place = rest.firstIndex(of: word) else { return false }
      rest = rest[(place + 1)...]
      return true
    }
  }
}
