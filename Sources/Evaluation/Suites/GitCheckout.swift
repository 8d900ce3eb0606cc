import Files
import Foundation

/// The git checkout that a project stands in, read through the `git` command.
///
/// The checkout may be anybody's. Its settings and attributes name programs that git runs even to look at it, such as
/// monitors and filters; git is shown none of them, see `GitView`.
public struct GitCheckout: Sendable {
  private let folder: String
  /// `nil` outside a checkout.
  private let view: GitView?

  /// - Parameter folder: any folder within it; empty for the current one.
  public init(_ folder: String) {
    self.folder = folder.isEmpty ? "." : folder
    view = GitView(around: self.folder)
  }

  /// The commit that is checked out, 40 hexadecimal digits; `nil` outside a checkout.
  public var revision: String? { line(of: objects(["rev-parse", "--verify", "HEAD"])) }

  /// Whether tracked files differ from the commit; `nil` outside a checkout.
  ///
  /// Of submodules the commit counts, not their files. A file that a filter of the user's own would turn into another,
  /// as git-lfs does, counts as different once its times are others than git has noted.
  public var hasChanges: Bool? {
    objects(["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty"]).map { !$0.isEmpty }
  }

  /// The names of the tags at each commit, sorted; none outside a checkout.
  public var tags: [String: [String]] {
    // An annotated tag is an object of its own, which points at the commit.
    let format = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname:strip=2)"
    let text = objects(["for-each-ref", "--format=\(format)", "refs/tags"]).map {
      String(decoding: $0, as: UTF8.self)
    }
    let pairs = (text?.split(separator: "\n") ?? []).compactMap { line -> (commit: String, tag: String)? in
      let parts = line.split(separator: " ", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(grouping: pairs, by: \.commit).mapValues { $0.map(\.tag).sorted() }
  }

  private func line(of output: Data?) -> String? {
    output.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  /// What git says; `nil` where it is not there or refuses.
  fileprivate func objects(_ arguments: [String]) -> Data? {
    view.flatMap { GitCommand.output(of: ["-C", folder] + arguments, environment: $0.environment) }
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
    guard GitCommand.output(of: ["--version"]) != nil else {
      throw EvaluationError.missing(what: "git", expected: "the program git on the PATH", found: "none")
    }
    guard view != nil else {
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
}

// MARK: - How git is asked

/// A repository as git is shown it: its objects, refs and index, and nothing that names a program.
///
/// A folder of our own takes the place of `.git`. Links in it lead to what may be read; its settings are ours, with those of
/// the repository that say how its files and objects are to be understood. So no monitor, filter, hook, pager, helper,
/// include or remote of the checkout is known to git, whatever it comes to be called.
private final class GitView: Sendable {
  /// What git is told of it.
  let environment: [String: String]
  private let folder: TemporaryFolder

  /// `nil` where no checkout is around the folder, or it cannot be shown.
  init?(around directory: String) {
    guard let place = Self.place(around: directory), let folder = try? TemporaryFolder("git"),
      let head = try? InputFile("\(place.git)/HEAD"), head.bytes.count <= 4096
    else { return nil }
    let common = "\(place.git)/commondir"
    let shared = FileKind(common) == nil ? place.git : Self.path(in: common, after: "", from: place.git) ?? place.git
    let own = ["index", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD"] + Self.sharedIndexes(place.git)
    let links =
      own.map { ($0, place.git) } + ["refs", "packed-refs", "reftable", "shallow", "logs"].map { ($0, shared) }
    for (name, source) in links where FileKind("\(source)/\(name)") != nil {
      guard symlink("\(source)/\(name)", "\(folder.path)/\(name)") == 0 else { return nil }
    }
    let settings = Self.settings("\(shared)/config", in: folder.path)
    // git takes what changes its format from a file only.
    let extensions = settings.filter { $0.key.hasPrefix("extensions.") }
    let config =
      "[core]\n\trepositoryformatversion = \(extensions.isEmpty ? 0 : 1)\n\tbare = false\n"
      + extensions.map { "[extensions]\n\t\($0.key.dropFirst(11)) = \($0.value)\n" }.joined()
    guard (try? writeWhole(head.bytes, to: "\(folder.path)/HEAD")) != nil,
      (try? writeWhole(Data(config.utf8), to: "\(folder.path)/config")) != nil
    else { return nil }
    var environment = [
      "GIT_DIR": folder.path, "GIT_WORK_TREE": place.workTree, "GIT_OBJECT_DIRECTORY": "\(shared)/objects",
    ]
    let others = settings.filter { !$0.key.hasPrefix("extensions.") }
    environment["GIT_CONFIG_COUNT"] = "\(others.count)"
    for (number, setting) in others.enumerated() {
      environment["GIT_CONFIG_KEY_\(number)"] = setting.key
      environment["GIT_CONFIG_VALUE_\(number)"] = setting.value
    }
    (self.environment, self.folder) = (environment, folder)
  }

  /// The nearest folder from a directory upwards that has a `.git`, and the repository that this is or names.
  private static func place(around directory: String) -> (workTree: String, git: String)? {
    guard var candidate = RealPath(directory)?.text else { return nil }
    while true {
      let place = candidate == "/" ? "/.git" : "\(candidate)/.git"
      var git: String? = place
      if FileKind(place) == .file { git = path(in: place, after: "gitdir: ", from: candidate) }
      if let git, FileKind("\(git)/HEAD") == .file { return (candidate, git) }
      guard candidate != "/" else { return nil }
      candidate = (candidate as NSString).deletingLastPathComponent
    }
  }

  /// The path that a file of one line names, which may be relative to a folder.
  private static func path(in file: String, after start: String, from folder: String) -> String? {
    guard let input = try? InputFile(file), input.bytes.count <= 4096, let text = try? input.text(),
      text.hasPrefix(start)
    else { return nil }
    let path = text.dropFirst(start.count).prefix { !$0.isNewline }
    return path.hasPrefix("/") ? String(path) : "\(folder)/\(path)"
  }

  /// Parts of an index that was split.
  private static func sharedIndexes(_ git: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: git)) ?? []).filter { $0.hasPrefix("sharedindex.") }
  }

  /// Of a repository's settings those that change what its files and objects mean and what a ref such as `@{upstream}`
  /// stands for. Other files that it includes are not read.
  private static func settings(_ file: String, in folder: String) -> [(key: String, value: String)] {
    let wanted =
      "^(core\\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|trustctime|checkstat)"
      + "|extensions\\.(objectformat|refstorage)|branch\\..*\\.(remote|merge)|remote\\..*\\.fetch)$"
    let output = GitCommand.output(of: ["-C", folder, "config", "--file", file, "--null", "--get-regexp", wanted])
    return (output ?? Data()).split(separator: 0).compactMap { entry in
      let parts = String(decoding: entry, as: UTF8.self).split(separator: "\n", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let (key, value) = (String(parts[0]), String(parts[1]))
      // One word, as it goes into a file.
      return key.hasPrefix("extensions.") && !PortableName.isValid(value) ? nil : (key, value)
    }
  }
}

/// The program `git`, which is given no variable but `PATH` and those that restrict it: no secret, and no setting of the
/// user's or the system's.
private enum GitCommand {
  /// What it prints; `nil` where it is not there or ends with another code than 0.
  static func output(of arguments: [String], environment: [String: String] = [:]) -> Data? {
    let own = [
      "PATH": path, "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "",
      "GIT_NO_REPLACE_OBJECTS": "1",
    ]
    // Nothing is configured where git looks; should it ever look elsewhere, these stay off.
    let settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"]
    // By `env`, which looks for git on the path that the child is given.
    let child = try? ChildProcess.run(
      ["/usr/bin/env", "git", "--no-optional-locks", "--no-pager"] + settings.flatMap { ["-c", $0] } + arguments,
      environment: own.merging(environment) { own, _ in own })
    guard let child, child.code == 0 else { return nil }
    return child.output
  }

  /// The user's, without folders that are relative to the current one: what they hold is the checkout's.
  private static var path: String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    return folders.isEmpty ? "/usr/bin:/bin" : folders.joined(separator: ":")
  }
}
