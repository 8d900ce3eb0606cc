import Files
import Foundation

/// Hides a project's labels and results from its programs, on Linux where the system lets every user make namespaces
/// (`unshare` of util-linux): a program that could read them could repeat them. It sees no more of the processes that
/// started it than their numbers: by their words, it could behave in a gate alone. On macOS, which has no namespaces, a
/// program sees both.
enum LabelShield {
  /// The hidden folders of a project.
  static let folders = ["datasets", "baselines", "reports", ".formbench", ".git"]

  /// Whether this system can hide folders from a program.
  static let isAvailable: Bool = {
    guard FileManager.default.isExecutableFile(atPath: unshare) else { return false }
    let outcome = try? ChildProcess.run(
      wrapped(["true"], hiding: ["/tmp"]), environment: ["PATH": ChildProcess.path], limit: .seconds(10))
    return outcome?.code == 0
  }()

  /// The path of a detector's command or files that is within a hidden folder; `nil` for none.
  static func path(of detector: CommandDetector) -> String? {
    (detector.command + detector.files).first { path in
      let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
      return folders.contains { plain == $0 || plain.hasPrefix("\($0)/") }
    }
  }

  /// The command with an empty folder in the place of each of these in the project, or the command itself where the
  /// system cannot hide folders.
  ///
  /// - Parameter root: The project's folder; empty for the current one.
  static func hiding(in root: String, from command: [String]) -> [String] {
    let hidden = folders.map { root.isEmpty ? "\(FileManager.default.currentDirectoryPath)/\($0)" : "\(root)/\($0)" }
      .filter { FileKind($0) == .directory }
    // A missing program is reported as such only by starting it.
    guard !hidden.isEmpty, isAvailable, command.first.map({ exists($0, in: root) }) ?? false else { return command }
    return wrapped(command, hiding: hidden + starters)
  }

  private static func exists(_ program: String, in root: String) -> Bool {
    let places =
      program.contains("/")
      ? [program.hasPrefix("/") || root.isEmpty ? program : "\(root)/\(program)"]
      : ChildProcess.path.split(separator: ":").map { "\($0)/\(program)" }
    return places.contains(where: FileManager.default.isExecutableFile)
  }

  /// What the system tells of this process and of those that started it.
  private static var starters: [String] {
    var folders: [String] = []
    var process = getpid()
    while process > 1 || folders.isEmpty,
      let status = try? String(contentsOfFile: "\(processes)\(process)/status", encoding: .utf8)
    {
      folders.append("\(processes)\(process)")
      let parent = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
      process = parent?.split(separator: "\t").last.flatMap { Int32($0) } ?? 0
    }
    return folders
  }

  private static let processes = "/proc/"
  private static let unshare = "/usr/bin/unshare"

  /// The program gets a second namespace, in which it cannot undo the first one's mounts. A process that has ended
  /// meanwhile needs no hiding.
  private static func wrapped(_ command: [String], hiding folders: [String]) -> [String] {
    let script = """
      count=$1; shift
      while [ "$count" -gt 0 ]; do
        mount -t tmpfs -o ro,size=4k none "$1" || [ "$1" != "${1#\(processes)}" ] || exit 125
        shift; count=$((count - 1))
      done
      exec \(unshare) --user --map-current-user -- "$@"
      """
    return [unshare, "--user", "--map-current-user", "--keep-caps", "--mount", "--", "/bin/sh", "-c", script, "sh"]
      + ["\(folders.count)"] + folders + command
  }
}
