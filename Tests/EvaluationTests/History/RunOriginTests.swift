import Datasets
import Evaluation
import Foundation
import TestSupport
import Testing

/// The commit of a run: git's, or the one that a CI service checked out, or why it is unknown.
@Suite struct RunOriginTests {
  private static let commit = String(repeating: "0123456789abcdef", count: 3).prefix(40).description
  private static let noGit = "no git checkout, or one that can't be read"

  /// A folder that git knows nothing of, and a store beside it.
  private let folder: TestFolder
  private let store: Store

  init() throws {
    folder = try TestFolder()
    try folder.write("", to: "app/datasets/a")
    store = try Store(at: "\(folder.path)/store.sqlite")
  }

  private func origin(_ environment: [String: String] = [:]) throws -> RunOrigin {
    try RunOrigin(
      arguments: [], bench: "1", root: "\(folder.path)/app", store: store, environment: environment)
  }

  @Test func withoutGit() throws {
    let origin = try origin()
    #expect(origin.revision == nil && origin.hasChanges == nil && origin.revisionNote == Self.noGit)
    #expect(origin.shortRevision == nil)
  }

  @Test(arguments: [
    ["GITHUB_ACTIONS": "true", "GITHUB_SHA": commit, "GITHUB_WORKSPACE": ""],
    ["GITLAB_CI": "true", "CI_COMMIT_SHA": commit, "CI_PROJECT_DIR": ""],
  ])
  func theServicesCommit(variables: [String: String]) throws {
    // The folder itself, and one around it.
    for place in ["\(folder.path)/app", folder.path] {
      let origin = try origin(variables.mapValues { $0.isEmpty ? place : $0 })
      let variable = variables["GITLAB_CI"] == nil ? "GITHUB_SHA" : "CI_COMMIT_SHA"
      #expect(origin.revision == Self.commit && origin.revisionNote == "from \(variable): \(Self.noGit)")
    }
  }

  /// A repository whose commits are named by SHA-256.
  @Test func aCommitOf64Digits() throws {
    let commit = String(repeating: "0123456789abcdef", count: 4)
    let variables = ["GITHUB_ACTIONS": "true", "GITHUB_SHA": commit, "GITHUB_WORKSPACE": folder.path]
    #expect(try origin(variables).revision == commit)
    #expect(try origin(variables.merging(["GITHUB_SHA": String(commit.dropLast())]) { $1 }).revision == nil)
  }

  /// Another checkout's commit, a variable that somebody set outside CI, and what is no commit.
  @Test(arguments: [
    ["GITHUB_WORKSPACE": "/usr"], ["GITHUB_WORKSPACE": "/nowhere"], ["GITHUB_ACTIONS": ""], ["GITHUB_SHA": "main"],
    ["GITHUB_SHA": String(repeating: "G", count: 40)],
  ])
  func whatIsNotItsCommit(change: [String: String]) throws {
    let variables = ["GITHUB_ACTIONS": "true", "GITHUB_SHA": Self.commit, "GITHUB_WORKSPACE": folder.path]
    let origin = try origin(variables.merging(change) { $1 })
    #expect(origin.revision == nil && origin.revisionNote == Self.noGit)
  }

  /// Git refuses a checkout that belongs to somebody else ("dubious ownership"); reading its commit is safe here. A CI
  /// service's checkout is detached. A file that git does not know is no change of the commit's.
  @Test func somebodyElsesDetachedCheckout() throws {
    let app = "\(folder.path)/app"
    let git = Process()
    git.executableURL = URL(fileURLWithPath: "/bin/sh")
    git.arguments = [
      "-euc",
      """
      cd "$0"
      git init -q
      git add .
      git -c user.name=a -c user.email=a@example.org commit -q -m a
      git checkout -q --detach
      git rev-parse HEAD >../head
      echo new >untracked
      [ "$(id -u)" != 0 ] || chown -R 65534 .
      """, app,
    ]
    try git.run()
    git.waitUntilExit()
    try #require(git.terminationStatus == 0, "git could not make a checkout")
    let head = try String(contentsOfFile: "\(folder.path)/head", encoding: .utf8)
    let other = ["GITHUB_ACTIONS": "true", "GITHUB_SHA": Self.commit, "GITHUB_WORKSPACE": app]
    let origin = try origin(other)
    #expect(origin.revision.map { $0 + "\n" } == head && origin.hasChanges == false && origin.revisionNote == nil)
  }
}
