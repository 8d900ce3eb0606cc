import Foundation

/// The git checkout that a project stands in, asked through the `git` command; silent where there is neither.
public struct GitCheckout: Sendable {
  private let folder: String

  /// - Parameter folder: any folder within it; empty for the current one.
  public init(_ folder: String) { self.folder = folder.isEmpty ? "." : folder }

  /// The commit that is checked out, 40 hexadecimal digits.
  public var revision: String? {
    output(of: ["rev-parse", "--verify", "HEAD"]).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  /// Whether tracked files differ from the commit.
  public var hasChanges: Bool? {
    output(of: ["status", "--porcelain", "--untracked-files=no"]).map { !$0.isEmpty }
  }

  /// The names of the tags at each commit, sorted; none outside a checkout.
  public var tags: [String: [String]] {
    // An annotated tag is an object of its own, which points at the commit.
    let format = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname:strip=2)"
    let lines = output(of: ["for-each-ref", "--format=\(format)", "refs/tags"])?.split(separator: "\n") ?? []
    let pairs = lines.compactMap { line -> (commit: String, tag: String)? in
      let parts = line.split(separator: " ", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(grouping: pairs, by: \.commit).mapValues { $0.map(\.tag).sorted() }
  }

  /// `nil` where git is not there or refuses.
  private func output(of arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    // Looking must not wait for, or take, the index's lock.
    process.environment = ProcessInfo.processInfo.environment.merging(["GIT_OPTIONAL_LOCKS": "0"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    do {
      try process.run()
      let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return process.terminationReason == .exit && process.terminationStatus == 0
        ? String(decoding: bytes, as: UTF8.self) : nil
    } catch {
      return nil
    }
  }
}
