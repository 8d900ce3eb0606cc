import Datasets
import Files
import Foundation
import Pipeline
import Statistics

/// Programs and predictions that are older than the change that they should judge: the gate would compare the earlier
/// version with itself. And predictions that are new, though their program is not.
public struct OldPrograms: Sendable {
  public private(set) var objections = Objections(
    remedy:
      "Build the program and make its predictions anew, from the files of this change. If they stay the same, add "
      + "a column that does not, such as the app's version")

  private let commit: GitCommit
  private let changed: [String]
  private let root: String

  /// - Parameters:
  ///   - run: The run of the change.
  ///   - tallies: The files that the run was read from, if its clips were tallied elsewhere.
  ///   - commands: The project's detectors in other languages.
  ///   - comparison: The run beside the commit's baseline.
  /// - Throws: `EvaluationError.missing` if git cannot tell what changed.
  public init(
    _ run: SuiteRun, tallies: [String], commands: [CommandDetector], in project: Project, since commit: GitCommit,
    changing comparison: Comparison
  ) throws {
    self.commit = commit
    root = project.root
    let isOutside = !tallies.isEmpty || run.settings.contains { $0.outside != nil }
    changed = isOutside ? try commit.changedPaths() : []
    guard !changed.isEmpty else { return }
    for predicted in run.predicted {
      let files = commands.first { $0.profile.name == predicted.name }?.files ?? []
      try judge(predicted, files: files, and: takenOut(of: files, predicted.name))
      let isOther = comparison.clipChanges.contains { $0.detector == predicted.name }
      if isOther { judgeNew(predicted, files) } else { try judgeSame(predicted, files) }
    }
    for setting in run.settings {
      guard let observer = setting.outside as? CommandObserver else { continue }
      try judge(observer.detector)
    }
    try judge(tallies: tallies.compactMap { relative($0) })
  }

  /// Tallies in git that are older than the code that may have made them.
  private mutating func judge(tallies: [String]) throws {
    let kept = try tallies.filter { try !changed.contains($0) && commit.file($0) != nil }
    let code = changed.filter(Self.isCode)
    guard !kept.isEmpty, let other = code.first else { return }
    objections.findings.append(
      "\(Self.listed(kept[0], kept.count)) is as \(place), but \(Self.listed(other, code.count)) changed. If "
        + "\(code.count == 1 ? "it is" : "they are") part of a detector, its tallies are old: make them anew")
  }

  /// The changed files of a detector at the commit that its list has no longer.
  ///
  /// - Parameter files: The list of now.
  private func takenOut(of files: [String], _ detector: String) throws -> [String] {
    let path = Project(root: "").detectorFile(detector)
    guard changed.contains(path), let bytes = try commit.file(path),
      let former = try? CommandDetector(yaml: InputFile(name: path, bytes: bytes), called: detector, in: root)
    else { return [] }
    return changed.filter { isWithin(former.files, $0) && !isWithin(files, $0) }
  }

  /// - Parameter others: The changed files that the detector's list has no longer.
  private mutating func judge(_ predicted: PredictedDetector, files: [String], and others: [String]) throws {
    let paths = predicted.sources.compactMap { relative($0.file) }
    let kept = try paths.compactMap { path -> String? in
      guard try commit.file(path) == nil else { return changed.contains(path) ? nil : path }
      // Without a commit, or in none, it may have been made just now.
      guard changed.contains(path) else { return nil }
      return try commit.path(ofSameContentAs: path).map { "\(path), formerly \($0)," }
    }
    guard !kept.isEmpty, kept.count == paths.count else { return }
    let own = files.isEmpty ? changed.filter(Self.isCode) : changed.filter { isWithin(files, $0) }
    guard let other = own.first else {
      if let other = others.first {
        objections.findings.append(
          "\(kept.joined(separator: ", ")) is as \(place), but \(Self.listed(other, others.count)) changed, of the files: "
            + "of \(predicted.name) there. What is still part of the coach needs new predictions")
      }
      return
    }
    let words = "\(kept.joined(separator: ", ")) is as \(place), but \(Self.listed(other, own.count)) changed"
    if files.isEmpty {
      objections.findings.append(
        "\(words). If \(own.count == 1 ? "it is" : "they are") part of the coach, its predictions are old: make them "
          + "anew, and list the coach's files as files: of its detector, so that old predictions stop the gate")
    } else {
      objections.faults.append("the predictions of \(predicted.name) are older than its program: \(words)")
    }
  }

  /// Predictions of a program that did not change.
  private mutating func judgeNew(_ predicted: PredictedDetector, _ files: [String]) {
    let paths = predicted.sources.compactMap { relative($0.file) }.filter { changed.contains($0) }
    let program = files + ["detectors/\(predicted.name).yaml"]
    guard let path = paths.first, !files.isEmpty, !changed.contains(where: { isWithin(program, $0) }) else { return }
    objections.findings.append(
      "\(Self.listed(path, paths.count)) predicts otherwise, but none of the files of \(predicted.name) changed: the same "
        + "program predicts the same")
  }

  /// Predictions in another file or order that are the same ones, of a program that changed.
  private mutating func judgeSame(_ predicted: PredictedDetector, _ files: [String]) throws {
    let paths = try predicted.sources.compactMap { relative($0.file) }.filter { path in
      try changed.contains(path) && commit.path(ofSameContentAs: path) == nil
    }
    guard let path = paths.first, let other = changed.first(where: { isWithin(files, $0) }) else { return }
    objections.findings.append(
      "\(Self.listed(path, paths.count)) predicts the same on every clip as \(place), but "
        + "\(Self.listed(other, changed.count { isWithin(files, $0) })) changed: see that it was made anew")
  }

  private mutating func judge(_ detector: CommandDetector) throws {
    let name = detector.profile.name
    let programs = detector.command.compactMap { argument in
      relative(argument).flatMap { FileKind(inRoot($0)) == .file ? $0 : nil }
    }
    let sources = changed.filter { isWithin(detector.files, $0) && !programs.contains($0) }
    guard let built = programs.first(where: { !isWithin(detector.files, $0) }) else { return }
    let others = try takenOut(of: detector.files, name).filter { !programs.contains($0) }
    let isKnown = (try? commit.file(built)) ?? nil != nil
    if let source = sources.first, changed.contains(built), !isKnown {
      objections.findings.append(
        "\(built), the program of \(name), is new and none of its files, and \(Self.listed(source, sources.count)) changed: "
          + "see that it is not a copy of the earlier program, and list it as files: of the detector")
    } else if let source = sources.first, !changed.contains(built), isKnown {
      objections.faults.append(
        "the program of \(name) is older than its files: \(built) is as \(place), but "
          + "\(Self.listed(source, sources.count)) changed")
    } else if let other = others.first, !changed.contains(built), isKnown {
      objections.findings.append(
        "\(built), the program of \(name), is as \(place), but \(Self.listed(other, others.count)) changed, of its files: "
          + "there. What is still part of the program needs a new build")
    } else if let made = modified(built),
      let source = sources.first(where: { modified($0).map { $0 > made } ?? false })
    {
      objections.findings.append("\(source) is newer than \(built), the program of \(name): build it again")
    }
  }

  /// `at origin/main (1a2b3c4)`
  private var place: String { "at \(commit.title)" }

  /// `coach/main.swift and 2 others`
  private static func listed(_ path: String, _ count: Int) -> String {
    count == 1 ? path : "\(path) and \(NumberText.count(count - 1, "other"))"
  }

  /// Whether a path may belong to a coach: not to bench, documents or a workflow.
  static func isCode(_ path: String) -> Bool {
    let bench = [
      "datasets/", "baselines/", "reports/", "detectors/", "exercises/", ".github/", ".gitlab", ".gitignore",
    ]
    return !bench.contains { path.hasPrefix($0) } && ![".md", ".txt", ".rst"].contains { path.hasSuffix($0) }
  }

  private func isWithin(_ files: [String], _ path: String) -> Bool {
    files.contains { file in
      let plain = file.hasSuffix("/") ? String(file.dropLast()) : file
      return path == plain || path.hasPrefix("\(plain)/")
    }
  }

  /// A path of the project's folder; `nil` for one elsewhere.
  private func relative(_ path: String) -> String? {
    if path.hasPrefix("./") { return relative(String(path.dropFirst(2))) }
    guard path.hasPrefix("/") else { return path.hasPrefix("..") ? nil : path }
    guard let folder = RealPath(root.isEmpty ? "." : root)?.text, path.hasPrefix("\(folder)/") else { return nil }
    return String(path.dropFirst(folder.count + 1))
  }

  private func inRoot(_ path: String) -> String { root.isEmpty ? path : "\(root)/\(path)" }

  private func modified(_ path: String) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: inRoot(path)))?[.modificationDate] as? Date
  }
}
