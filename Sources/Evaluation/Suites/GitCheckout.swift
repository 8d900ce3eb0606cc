import Files
import Foundation

/// The git checkout that a project stands in, asked through the `git` command.
public struct GitCheckout: Sendable {
  private let folder: String

  /// - Parameter folder: any folder within it; empty for the current one.
  public init(_ folder: String) { self.folder = folder.isEmpty ? "." : folder }

  /// The commit that is checked out, 40 hexadecimal digits; `nil` outside a checkout.
  public var revision: String? { line(of: output(of: ["rev-parse", "--verify", "HEAD"])) }

  /// Whether tracked files differ from the commit; `nil` outside a checkout.
  public var hasChanges: Bool? {
    output(of: ["status", "--porcelain", "--untracked-files=no"]).map { !$0.isEmpty }
  }

  /// The names of the tags at each commit, sorted; none outside a checkout.
  public var tags: [String: [String]] {
    // An annotated tag is an object of its own, which points at the commit.
    let format = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname:strip=2)"
    let text = output(of: ["for-each-ref", "--format=\(format)", "refs/tags"]).map {
      String(decoding: $0, as: UTF8.self)
    }
    let pairs = (text?.split(separator: "\n") ?? []).compactMap { line -> (commit: String, tag: String)? in
      let parts = line.split(separator: " ", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(grouping: pairs, by: \.commit).mapValues { $0.map(\.tag).sorted() }
  }

  /// `nil` where git is not there or refuses.
  private func output(of arguments: [String]) -> Data? {
    // Looking must not wait for, or take, the index's lock.
    let environment = ProcessInfo.processInfo.environment.merging(["GIT_OPTIONAL_LOCKS": "0"]) { $1 }
    let settings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
    guard let result = try? run(["-C", folder] + settings + arguments, in: environment), result.status == 0 else {
      return nil
    }
    return result.output
  }

  private func line(of output: Data?) -> String? {
    output.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  /// Runs git to its end.
  ///
  /// - Throws: where there is no such program.
  private func run(_ arguments: [String], in environment: [String: String]) throws -> (status: Int32, output: Data) {
    let child = try ChildProcess.run(["git"] + arguments, environment: environment)
    return (child.code, child.output)
  }
}

// MARK: - Another commit's files

/// A commit whose files are read from git's objects, never from the work tree.
public struct GitCommit: Sendable {
  fileprivate let checkout: GitCheckout
  /// As a person wrote it: `origin/main`.
  public let ref: String
  /// 40 hexadecimal digits, or 64.
  public let hash: String

  /// `1a2b3c4`
  public var shortHash: String { String(hash.prefix(7)) }
  /// `origin/main (1a2b3c4)`
  public var title: String { "\(ref) (\(shortHash))" }

  /// The bytes of a file; `nil` where the commit has no such file.
  ///
  /// - Parameter path: within the folder of the checkout.
  /// - Throws: `EvaluationError.missing` where it is no file, or git does not have its content.
  public func file(_ path: String) throws -> Data? {
    guard let entry = try entries(path).first(where: { $0.name == path }) else { return nil }
    guard entry.mode.hasPrefix("100") else {
      throw EvaluationError.missing(what: "\(ref):\(path)", expected: "a file", found: "a link or a folder")
    }
    guard let bytes = checkout.objects(["cat-file", "blob", entry.object]) else {
      throw EvaluationError.missing(
        what: "\(ref):\(path)", expected: "its content in this clone",
        found: "none; fetch it, for example with: git fetch --refetch")
    }
    return bytes
  }

  /// The names in a folder, sorted; none where the commit has no such folder.
  func names(in folder: String) throws -> [String] {
    try entries("\(folder)/").map { String($0.name.dropFirst(folder.count + 1)) }.sorted()
  }

  private func entries(_ path: String) throws -> [(mode: String, object: String, name: String)] {
    guard let bytes = checkout.objects(["ls-tree", "-z", hash, "--", path]) else {
      throw EvaluationError.missing(
        what: "commit \(title)", expected: "its files in this clone", found: "none; fetch it with: git fetch")
    }
    return bytes.split(separator: 0).compactMap { line in
      // `100644 blob 3b18e5… \t` and the name.
      let parts = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 1).map(String.init)
      let facts = parts.first?.split(separator: " ").map(String.init) ?? []
      return parts.count == 2 && facts.count == 3 ? (facts[0], facts[2], parts[1]) : nil
    }
  }
}

extension GitCheckout {
  /// The commit that the checked-out one and another began at: what a pull request is compared with.
  ///
  /// - Parameter names: refs, of which the first that there is counts: a branch, a tag or a commit.
  /// - Throws: `EvaluationError.usage` for what can't be a ref, `EvaluationError.missing` where git or the checkout is not
  ///   there, no ref is known, or the clone does not reach back to such a commit.
  public func mergeBase(withFirstOf names: [String]) throws -> GitCommit {
    let asked = names.first ?? ""
    guard !asked.isEmpty, !asked.hasPrefix("-"), !asked.unicodeScalars.contains(where: { $0.value < 0x21 }) else {
      throw EvaluationError.usage("\"\(asked)\" is no git ref: expected a branch, a tag or a commit")
    }
    guard objects(["--version"]) != nil else {
      throw EvaluationError.missing(what: "git", expected: "the program git on the PATH", found: "none")
    }
    guard objects(["rev-parse", "--git-dir"]) != nil else {
      throw EvaluationError.missing(
        what: "git ref \(asked)", expected: "a git checkout around \(folder)", found: "none")
    }
    let isShallow = line(of: objects(["rev-parse", "--is-shallow-repository"])) == "true"
    let deepen =
      isShallow
      ? "; this clone is shallow, get the rest with: git fetch --unshallow (GitHub Actions: fetch-depth: 0)" : ""
    guard let ref = names.first(where: { commit($0) != nil }), let other = commit(ref) else {
      let remote = "origin/\(asked)"
      let near = commit(remote) == nil ? "" : "; there is \(remote)"
      throw EvaluationError.missing(
        what: "git ref \(asked)", expected: "a branch, a tag or a commit of this clone",
        found: "none of that name\(near)\(deepen)")
    }
    guard let head = commit("HEAD") else {
      throw EvaluationError.missing(what: "git HEAD", expected: "a commit", found: "none yet")
    }
    let base = line(of: objects(["merge-base", head, other]))?.split(separator: "\n").first
    guard let base else {
      throw EvaluationError.missing(
        what: "merge base of HEAD and \(ref)", expected: "a commit that both began at",
        found: "none" + (isShallow ? deepen : "; the two have no history in common"))
    }
    return GitCommit(checkout: self, ref: ref, hash: String(base))
  }

  private func commit(_ ref: String) -> String? {
    line(of: objects(["rev-parse", "--verify", "--quiet", "\(ref)^{commit}"]))
  }

  /// What git says of its objects, asked so that nothing of the repository or the user is run or sent: no hook, monitor,
  /// filter or remote, and no variable but PATH. `nil` where git refuses.
  fileprivate func objects(_ arguments: [String]) -> Data? {
    let environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1",
      "GIT_NO_REPLACE_OBJECTS": "1",
    ]
    // In a container another user often owns the checkout. Of its settings none that is read here runs anything.
    let settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never", "safe.directory=*"]
    let result = try? run(
      ["-C", folder, "--no-optional-locks", "--no-pager"] + settings.flatMap { ["-c", $0] } + arguments,
      in: environment)
    guard let result, result.status == 0 else { return nil }
    return result.output
  }
}
