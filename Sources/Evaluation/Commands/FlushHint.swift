import Files

/// The hint that a silent program's answers may be in its own buffer, with the line that flushes them.
///
/// Into a pipe, most languages write whole blocks: a program that prints its answers and never flushes looks silent.
struct FlushHint {
  /// A word of the command begins with one of the programs, or ends with one of the endings.
  private struct Language {
    let name: String
    let programs: [String]
    let endings: [String]
    let line: String
  }

  private static let languages = [
    Language(name: "Python", programs: ["python"], endings: [".py"], line: "print(answer, flush=True)"),
    Language(
      name: "Node", programs: ["node"], endings: [".js", ".mjs", ".cjs"],
      line: #"process.stdout.write(answer + "\n")"#),
    Language(
      name: "Kotlin", programs: ["kotlin", "java"], endings: [".kts", ".jar"],
      line: "println(answer); System.out.flush()"),
    Language(name: "Swift", programs: ["swift"], endings: [".swift"], line: "print(answer); fflush(stdout)"),
  ]

  /// `its answers may be in its buffer: flush after each, in Python with print(answer, flush=True)`, or all languages if
  /// the command tells none.
  let words: String

  /// - Parameter command: A program and its arguments.
  init(_ command: [String]) {
    let names = command.map { PathParts($0).name.lowercased() }
    let spoken = Self.languages.filter { language in
      names.contains { name in
        language.programs.contains { name.hasPrefix($0) } || language.endings.contains { name.hasSuffix($0) }
      }
    }
    let lines = (spoken.isEmpty ? Self.languages : spoken).map { "in \($0.name) with \($0.line)" }
    words = "its answers may be in its buffer: flush after each, " + lines.joined(separator: ", ")
  }
}
