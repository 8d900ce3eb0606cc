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
    for path in (paths.filter(Self.isHidden) + paths.filter { !Self.isHidden($0) }).prefix(Self.most) {
      guard let before = try? commit.file(path).map(Self.lines), before.contains(where: Self.runsGate) else { continue }
      let file = project.root.isEmpty ? path : "\(project.root)/\(path)"
      guard FileKind(file) != nil else {
        objections.findings.append("\(path) ran the gate at \(commit.title), and is gone")
        continue
      }
      let now = (try? InputFile(file)).map { Self.lines($0.bytes) } ?? []
      let (old, new) = (before.flatMap(\.self), now.flatMap(\.self))
      guard old != new else { continue }
      let differences = [("without", Self.words(old, besides: new)), ("with", Self.words(new, besides: old))]
        .filter { !$0.1.isEmpty }.map { "\($0.0) \(Excerpt.of($0.1.joined(separator: " ")))" }
      let does = now.contains(where: Self.runsGate) ? "runs the gate and" : "no longer runs the gate, and"
      objections.findings.append(
        "\(path) \(does) differs from \(commit.title)"
          + (differences.isEmpty ? "" : ": \(differences.joined(separator: ", "))")
          + ". See that it still stops a worse release")
    }
  }

  /// Git is asked for each file: of a change of more, those where CI has its workflows are read first.
  private static let most = 100

  /// Whether a path has a part such as `.github`.
  private static func isHidden(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".") && $0 != ".." }
  }

  /// Whether a path may be a workflow or a script of CI.
  private static func mayRunGates(_ path: String) -> Bool {
    let own = ["datasets/", "baselines/", "reports/", "detectors/", "exercises/"]
    let name = PathParts(path).name
    return !own.contains(where: path.hasPrefix)
      && (!name.contains(".") || [".yml", ".yaml", ".sh"].contains(where: name.hasSuffix))
  }

  /// The words of each line but for those that are comments; none of a file that is too large to be a workflow.
  private static func lines(_ bytes: Data) -> [[String]] {
    guard bytes.count <= 1 << 20 else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
      .filter { $0.first.map { !$0.hasPrefix("#") } ?? false }
  }

  /// Whether a line has `bench gate`, with what stands between, or `form-bench`.
  private static func runsGate(_ line: [String]) -> Bool {
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
