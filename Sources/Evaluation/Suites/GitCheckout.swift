import Files
import Foundation
import Pipeline
import Synchronization

/// The git checkout around a project, read through the `git` command.
///
/// The checkout may be untrusted. Its settings and attributes name programs that git runs even to read it, such as
/// monitors and filters; git sees none of them, see `GitView`.
public struct GitCheckout: Sendable {
  private let folder: String
  /// `nil` outside a checkout.
  private let view: GitView?

  /// - Parameter folder: Any folder within it; empty for the current one.
  public init(_ folder: String) {
    self.folder = folder.isEmpty ? "." : folder
    view = GitView(around: self.folder)
  }

  /// The commit that is checked out, 40 hexadecimal digits; `nil` outside a checkout.
  public var revision: String? { line(of: objects(["rev-parse", "--verify", "HEAD"])) }

  /// The reason why there is no `revision`.
  var reasonWithoutRevision: String {
    if GitCommand.isTooSlow { return "git took more than \(GitCommand.seconds) s" }
    if GitCommand.output(of: ["--version"]) == nil { return "there is no git on the PATH" }
    return view == nil ? "no git checkout, or one that can't be read" : "no commit is checked out"
  }

  /// Whether tracked files differ from the commit; `nil` outside a checkout.
  ///
  /// Submodules count by their commit, not their files. A file under one of the user's own filters, such as git-lfs,
  /// counts as different once its times differ from those in git's index.
  public var hasChanges: Bool? {
    objects(["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty"]).map { !$0.isEmpty }
  }

  /// Whether the checked-out commit has a file; `nil` outside a checkout. Before the first commit there is none.
  ///
  /// - Parameter path: within the folder.
  public func hasCommitted(_ path: String) -> Bool? {
    guard objects(["rev-parse", "--git-dir"]) != nil else { return nil }
    guard let revision else { return false }
    return try? GitCommit(checkout: self, ref: "HEAD", hash: revision).file(path) != nil
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

  /// Git's output; `nil` if git is missing or fails.
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

  /// Whether it is the checked-out commit itself, with no changes to tracked files since.
  public var isCheckedOut: Bool { checkout.revision == hash && checkout.hasChanges == false }

  /// Whether the ref names a branch or a tag, unlike `HEAD` and a hash.
  private var isNamed: Bool {
    ["heads", "remotes", "tags"].contains { checkout.commit("refs/\($0)/\(ref)") != nil }
  }

  /// - Throws: `EvaluationError.usage` if a change would be compared with itself: the commit is the checked-out one,
  ///   given as `HEAD` or by its hash, and no tracked file differs from it. A branch or a tag at that commit is allowed:
  ///   it is what CI compares on the branch itself.
  public func requireOther() throws {
    guard !isNamed, isCheckedOut else { return }
    throw EvaluationError.usage(
      "\(ref) is the checked-out commit itself, and no tracked file differs from it: there is nothing to compare. Give "
        + "the branch that the change goes into, such as origin/main, or an earlier commit, such as HEAD~1")
  }

  /// `1a2b3c4`
  public var shortHash: String { String(hash.prefix(7)) }
  /// `origin/main (1a2b3c4)`
  public var title: String { "\(ref) (\(shortHash))" }

  /// The bytes of a file; `nil` if the commit has no such file.
  ///
  /// - Parameter path: within the folder of the checkout.
  /// - Throws: `EvaluationError.missing` if it is not a file, or git does not have its content.
  public func file(_ path: String) throws -> Data? {
    guard let entry = try entries(path).first(where: { $0.name == path }) else { return nil }
    guard entry.mode.hasPrefix("100") else {
      throw EvaluationError.missing(what: "\(ref):\(path)", expected: "a file", found: "a link or a folder")
    }
    guard let bytes = checkout.objects(["cat-file", "blob", entry.object]) else {
      try GitCommand.requireAnswers()
      throw EvaluationError.missing(
        what: "\(ref):\(path)", expected: "its content in this clone",
        found: "none; fetch it, for example with: git fetch --refetch")
    }
    return bytes
  }

  /// Whether a folder of the work tree is a submodule in git's index, or holds one.
  func isSubmodule(_ folder: String) -> Bool {
    let listed = checkout.objects(["ls-files", "--stage", "-z", "--", folder]).map { Self.entries($0) } ?? []
    return listed.contains { $0.mode == "160000" }
  }

  /// The path of a file with the content of one in the work tree; `nil` if the commit has none in the folder.
  func path(ofSameContentAs file: String) throws -> String? {
    guard
      let hash = checkout.objects(["hash-object", "--no-filters", "--", file]).map({
        String(decoding: $0, as: UTF8.self)
      }),
      let listed = checkout.objects(["ls-tree", "-r", "-z", self.hash])
    else {
      try GitCommand.requireAnswers()
      return nil
    }
    let object = hash.trimmingCharacters(in: .whitespacesAndNewlines)
    return Self.entries(listed).first { $0.object == object }?.name
  }

  /// The names in a folder, sorted; empty if the commit has no such folder.
  func names(in folder: String) throws -> [String] {
    try entries("\(folder)/").map { String($0.name.dropFirst(folder.count + 1)) }.sorted()
  }

  /// The names of the files in a folder, without links and folders.
  func fileNames(in folder: String) throws -> Set<String> {
    let files = try entries("\(folder)/").filter { $0.mode.hasPrefix("100") }
    return Set(files.map { String($0.name.dropFirst(folder.count + 1)) })
  }

  /// The tracked files that differ in the work tree, by their paths in the folder of the checkout; with `../` above it.
  ///
  /// - Throws: `EvaluationError.missing` if git cannot tell.
  func changedPaths() throws -> [String] {
    let arguments = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty", hash]
    guard let bytes = checkout.objects(arguments), let prefix = checkout.objects(["rev-parse", "--show-prefix"]) else {
      try GitCommand.requireAnswers()
      throw EvaluationError.missing(
        what: "commit \(title)", expected: "its difference to the work tree", found: "none")
    }
    let folder = String(decoding: prefix, as: UTF8.self).trimmingCharacters(in: .newlines)
    let above = folder.split(separator: "/").map { _ in "../" }.joined()
    return bytes.split(separator: 0).map { name in
      let path = String(decoding: name, as: UTF8.self)
      return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : above + path
    }
  }

  private func entries(_ path: String) throws -> [(mode: String, object: String, name: String)] {
    guard let bytes = checkout.objects(["ls-tree", "-z", hash, "--", path]) else {
      try GitCommand.requireAnswers()
      throw EvaluationError.missing(
        what: "commit \(title)", expected: "its files in this clone", found: "none; fetch it with: git fetch")
    }
    return Self.entries(bytes)
  }

  /// Of git's list.
  private static func entries(_ list: Data) -> [(mode: String, object: String, name: String)] {
    list.split(separator: 0).compactMap { line in
      // `100644 blob 3b18e5… \t` and the name.
      let parts = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 1).map(String.init)
      let facts = parts.first?.split(separator: " ").map(String.init) ?? []
      return parts.count == 2 && facts.count == 3 ? (facts[0], facts[2], parts[1]) : nil
    }
  }
}

extension GitCheckout {
  /// The common ancestor of the checked-out commit and another: the base of a pull request.
  ///
  /// - Parameter names: Refs: a branch, a tag or a commit. The first existing one counts, of a remote's branches before
  ///   those of the clone, tags and commits.
  /// - Throws: `EvaluationError.usage` for an invalid ref, `EvaluationError.missing` if git or the checkout is missing,
  ///   no ref is known, or the clone does not reach back far enough.
  public func mergeBase(withFirstOf names: [String]) throws -> GitCommit {
    let asked = names.first ?? ""
    guard !asked.isEmpty, !asked.hasPrefix("-"), !asked.unicodeScalars.contains(where: { $0.value < 0x21 }) else {
      throw EvaluationError.usage("\"\(asked)\" is not a git ref: expected a branch, a tag or a commit")
    }
    guard GitCommand.output(of: ["--version"]) != nil else {
      try GitCommand.requireAnswers()
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
    // git takes a tag before a branch of its name, and a change can bring a tag, or be a branch of that name.
    let refs = ["refs/remotes/", "refs/heads/", ""].flatMap { place in names.map { (name: $0, ref: place + $0) } }
    guard let (ref, full) = refs.first(where: { commit($0.ref) != nil }), let other = commit(full) else {
      try GitCommand.requireAnswers()
      let remote = "origin/\(asked)"
      let near = commit(remote) == nil ? "; list all with: git branch --all" : "; there is \(remote)"
      throw EvaluationError.missing(
        what: "git ref \(asked)", expected: "a branch, a tag or a commit of this clone",
        found: "none of that name\(near)\(deepen)")
    }
    guard let head = commit("HEAD") else {
      try GitCommand.requireAnswers()
      throw EvaluationError.missing(what: "git HEAD", expected: "a commit", found: "none yet")
    }
    let base = line(of: objects(["merge-base", head, other]))?.split(separator: "\n").first
    guard let base else {
      try GitCommand.requireAnswers()
      throw EvaluationError.missing(
        what: "merge base of HEAD and \(ref)", expected: "a common ancestor",
        found: "none" + (isShallow ? deepen : "; the two have no history in common"))
    }
    return GitCommit(checkout: self, ref: ref, hash: String(base))
  }

  fileprivate func commit(_ ref: String) -> String? {
    line(of: objects(["rev-parse", "--verify", "--quiet", "\(ref)^{commit}"]))
  }
}

// MARK: - Asking git

/// A repository as git sees it: its objects, refs and index, and nothing that names a program.
///
/// A temporary folder takes the place of `.git`. Its links lead to what git may read; its settings are ours, plus the
/// repository's settings that define its file and object formats. Git therefore sees no monitor, filter, hook, pager,
/// helper, include or remote of the checkout, under any name. Pipes among what git reads would hold it up: a checkout
/// with one is none.
private final class GitView: Sendable {
  /// The environment for git.
  let environment: [String: String]
  private let folder: TemporaryFolder

  /// `nil` if no checkout surrounds the folder, or it cannot be exposed to git.
  init?(around directory: String) {
    Self.removeAbandoned
    guard let place = Self.place(around: directory), let folder = try? TemporaryFolder("git-\(getpid())"),
      let head = try? InputFile("\(place.git)/HEAD"), head.bytes.count <= 4096
    else { return nil }
    let common = "\(place.git)/commondir"
    let shared = FileKind(common) == nil ? place.git : Self.path(in: common, after: "", from: place.git) ?? place.git
    let own = ["index", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD"] + Self.sharedIndexes(place.git)
    let links =
      own.map { ($0, place.git) } + ["refs", "packed-refs", "reftable", "shallow", "logs"].map { ($0, shared) }
    for (name, source) in links where FileKind("\(source)/\(name)") != nil {
      guard Self.isPlain("\(source)/\(name)", largest: name == "refs" ? Self.largestText : .max),
        symlink("\(source)/\(name)", "\(folder.path)/\(name)") == 0
      else { return nil }
    }
    let unlinked = [
      ("\(shared)/config", Self.largestText), ("\(shared)/objects/info/alternates", Self.largestText),
      ("\(shared)/objects/info", .max), ("\(shared)/objects/pack", .max),
      ("\(place.workTree)/.gitattributes", Self.largestText), ("\(place.workTree)/.gitmodules", Self.largestText),
    ]
    guard unlinked.allSatisfy({ Self.isPlain($0.0, largest: $0.1) }) else { return nil }
    let settings = Self.settings("\(shared)/config", in: folder.path)
    // git reads settings that change its format only from a file.
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

  /// The nearest folder with a `.git`, from a directory upwards, and the repository that this is or names.
  private static func place(around directory: String) -> (workTree: String, git: String)? {
    guard var candidate = RealPath(directory)?.text else { return nil }
    while true {
      let place = candidate == "/" ? "/.git" : "\(candidate)/.git"
      var git: String? = place
      if FileKind(place) == .file { git = path(in: place, after: "gitdir: ", from: candidate) }
      if let git, FileKind("\(git)/HEAD") == .file { return (candidate, git) }
      guard candidate != "/" else { return nil }
      candidate = PathParts(candidate).folder
    }
  }

  /// The path in a one-line file, which may be relative to a folder.
  private static func path(in file: String, after start: String, from folder: String) -> String? {
    guard let input = try? InputFile(file), input.bytes.count <= 4096, let text = try? input.text(),
      text.hasPrefix(start)
    else { return nil }
    let path = text.dropFirst(start.count).prefix { !$0.isNewline }
    return path.hasPrefix("/") ? String(path) : "\(folder)/\(path)"
  }

  /// Whether a file, or all below a folder, can be read to an end.
  ///
  /// - Parameter largest: The size of the largest file in bytes.
  private static func isPlain(_ path: String, largest: Int) -> Bool {
    var open = [path]
    var count = 0
    while let path = open.popLast() {
      count += 1
      var status = stat()
      // Nothing, or a link to nothing.
      guard stat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG: if Int(status.st_size) > largest { return false }
      case S_IFDIR:
        // A link in a folder may lead to any other.
        guard count == 1 || FileKind(path) == .directory else { continue }
        open += ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).map { "\(path)/\($0)" }
      default: return false
      }
      guard count + open.count <= mostFiles else { return false }
    }
    return true
  }

  /// The size of the largest ref, settings and attributes that git reads, in bytes.
  private static let largestText = 1 << 20
  /// git packs refs and objects long before a folder has as many files.
  private static let mostFiles = 100_000

  /// Deletes the folders that killed processes of this user left behind, once. A process may have another number in a
  /// container with the same temporary folder, so that a young folder stays.
  private static let removeAbandoned: Void = {
    let place = FileManager.default.temporaryDirectory.path
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] where name.hasPrefix("bench-git-") {
      let path = "\(place)/\(name)"
      guard let process = name.split(separator: "-").dropFirst(2).first.flatMap({ pid_t($0) }), process > 0,
        let facts = try? FileManager.default.attributesOfItem(atPath: path),
        facts[.type] as? FileAttributeType == .typeDirectory, facts[.ownerAccountID] as? UInt == UInt(getuid()),
        let modified = facts[.modificationDate] as? Date, modified.timeIntervalSinceNow < -3600,
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }()

  /// Parts of a split index.
  private static func sharedIndexes(_ git: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: git)) ?? []).filter { $0.hasPrefix("sharedindex.") }
  }

  /// The repository's settings that change the meaning of its files and objects and of refs such as `@{upstream}`.
  /// Files that it includes are not read.
  private static func settings(_ file: String, in folder: String) -> [(key: String, value: String)] {
    let wanted =
      "^(core\\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|trustctime|checkstat)"
      + "|extensions\\.(objectformat|refstorage)|branch\\..*\\.(remote|merge)|remote\\..*\\.fetch)$"
    let output = GitCommand.output(of: ["-C", folder, "config", "--file", file, "--null", "--get-regexp", wanted])
    return (output ?? Data()).split(separator: 0).compactMap { entry in
      let parts = String(decoding: entry, as: UTF8.self).split(separator: "\n", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let (key, value) = (String(parts[0]), String(parts[1]))
      // One word, quoted for a file.
      return key.hasPrefix("extensions.") && !PortableName.isValid(value) ? nil : (key, value)
    }
  }
}

/// The program `git`, run with no variables but `PATH` and those that restrict it: no secrets, and no settings of the
/// user or the system.
private enum GitCommand {
  /// After so many seconds it is killed.
  static let seconds = 5
  private static let isLate = Mutex(false)

  /// Whether a call took too long. There are no further ones: a checkout could hold up each.
  static var isTooSlow: Bool { isLate.withLock(\.self) }

  /// - Throws: `EvaluationError.missing` if a call took too long.
  static func requireAnswers() throws {
    guard isTooSlow else { return }
    throw EvaluationError.missing(
      what: "git", expected: "an answer within \(seconds) s", found: "none; look for a pipe below .git or a slow disk")
  }

  /// Its output; `nil` if it is missing, takes too long or exits with a code other than 0.
  static func output(of arguments: [String], environment: [String: String] = [:]) -> Data? {
    guard !isTooSlow else { return nil }
    let own = [
      "PATH": ChildProcess.path, "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "",
      "GIT_NO_REPLACE_OBJECTS": "1",
    ]
    // Git's search paths contain no settings; these stay off even if it searches elsewhere.
    let settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"]
    // Through `env`, which searches the path given to the child.
    let child = try? ChildProcess.run(
      ["/usr/bin/env", "git", "--no-optional-locks", "--no-pager"] + settings.flatMap { ["-c", $0] } + arguments,
      environment: own.merging(environment) { own, _ in own }, limit: .seconds(seconds))
    if child?.isLate == true { isLate.withLock { $0 = true } }
    guard let child, child.code == 0 else { return nil }
    return child.output
  }
}
