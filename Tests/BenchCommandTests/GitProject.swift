import Foundation
import Testing

/// A project in a git checkout: the branch `main` has its suite and baseline, and the branch `change` is checked out.
struct GitProject {
  static let suite = "datasets/suites/squat.yaml"
  /// Why a loss is accepted.
  static let reason = "Half squats no longer count"
  /// Twelve subjects who do a deep squat and one that goes to 86.5°.
  static let clips = (1...12).map { number in
    SquatClip(
      name: "clip_\(number)", subject: "subject_\(number)", squats: [SquatClip.deep, SquatClip.justDeepEnough])
  }

  /// Of git; `nil` where it is not there.
  static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/git" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  static var isThere: Bool { path != nil }

  let workspace: Workspace

  /// - Parameters:
  ///   - floor: of `count.exact`, which is 1.
  ///   - people: the suite's line about people.
  ///   - team: what the dataset calls them.
  init(_ clips: [SquatClip] = clips, floor: Double? = nil, people: String = "", named team: String? = nil) throws {
    workspace = try Workspace.shared("git \(clips) \(floor ?? -1) \(people) \(team ?? "")") {
      let workspace = try Workspace()
      var dataset = SquatClip.dataset("squats", clips)
      dataset.manifest.people = team
      let suite = SquatSuite(content: try workspace.add(dataset))
      try workspace.write(suite.yaml.replacing("detectors:\n", with: "\(people)detectors:\n"), to: Self.suite)
      if let floor {
        let margin = "count.exact, margin: 0.05"
        try workspace.replace(margin, with: "\(margin), floor: \(floor)", in: Self.suite)
      }
      // Room for the detector's parameters.
      try workspace.replace(
        "- name: squat-states", with: "- name: squat-states\n  parameters: { bottomAngle: 90 }", in: Self.suite)
      try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
      return try GitProject(in: workspace).workspace
    }
  }

  /// The project in which the change has set the angle and accepted its own baseline.
  static func accepted(bottomAngle: Int) throws -> GitProject {
    GitProject(
      of: try Workspace.shared("git at \(bottomAngle)") {
        let project = try GitProject()
        try project.set(bottomAngle: bottomAngle)
        try project.accept()
        return project.workspace
      })
  }

  /// A project that has its suite and its baseline.
  init(in workspace: Workspace) throws {
    self.workspace = workspace
    try git("init", "-q")
    try commit()
    try git("branch", "-M", "main")
    try git("checkout", "-q", "-b", "change")
  }

  /// A project that is in git.
  init(of workspace: Workspace) { self.workspace = workspace }

  func git(_ arguments: String...) throws { try git(arguments) }

  /// Commits these files as those of the branch main.
  func commitToMain(_ paths: String...) throws {
    try git(["add", "-A"] + paths)
    try git("commit", "-q", "-m", "files")
    try git("branch", "-f", "main")
  }

  private func git(_ arguments: [String]) throws {
    let settings = ["user.name=a", "user.email=a@example.org", "commit.gpgsign=false"].flatMap { ["-c", $0] }
    let outcome = try Outcome(
      of: [try #require(Self.path)] + settings + arguments, in: workspace.project, environment: [:],
      scratch: workspace.outside)
    try #require(outcome.code == 0, "git \(arguments): \(outcome.error)")
  }

  func commit() throws {
    try git(["add", "-A"] + ["datasets", "baselines"].filter(workspace.exists))
    try git("commit", "-q", "--allow-empty", "-m", "as it is")
  }

  /// Changes the counter in the suite's file.
  func set(bottomAngle: Int) throws {
    let text = try workspace.text(Self.suite)
    try workspace.write(text.replacing(#/bottomAngle: \d+/#, with: "bottomAngle: \(bottomAngle)"), to: Self.suite)
  }

  /// Puts a dataset of these clips in the place of the suite's.
  func replaceDataset(_ clips: [SquatClip], called name: String = "squats") throws {
    try workspace.remove("datasets/squats")
    let content = try workspace.add(SquatClip.dataset(name, clips))
    let text = try workspace.text(Self.suite).replacing(#/content: \S+/#, with: "content: \(content)")
    try workspace.write(text.replacing("name: squats\n", with: "name: \(name)\n"), to: Self.suite)
  }

  @discardableResult
  func accept(_ more: String...) throws -> Outcome {
    let outcome = try workspace.run(["baseline", "accept", "--suite", "squat"] + more)
    outcome.expectSuccess()
    return outcome
  }

  func gate(_ more: String...) throws -> Outcome { try workspace.run(["gate", "--suite", "squat"] + more) }

  /// Gates the F1 of reps too, on main as well.
  func gateFoundReps() throws {
    try workspace.replace(
      "metrics:\n", with: "metrics:\n- { detector: squat-states, metric: reps.f1, margin: 0.1 }\n", in: Self.suite)
    try accept()
    try commit()
    try git("branch", "-f", "main")
  }
}
