import Coaching
import Datasets
import Files
import Foundation
import Pipeline
import PoseModel

/// A detector that is a program in any language: the file `detectors/<name>.yaml` of a project.
///
///     detector: our-pushup
///     command: [python3, coach/serve.py]
///     kind: reps
///     exercise: push-up
///     joints: [left_elbow]
///     poses: recorded
///     files: [coach/]
///     parameters:
///     - { name: up, value: 150, range: [100, 179], unit: degrees, summary: Straighter than this is up. }
///
/// The messages are specified in `docs/detector-protocol.md`. With `predictions: file` instead of `command`, there is
/// no program: the predictions come from files of `bench score`.
public struct CommandDetector: Hashable, Sendable {
  /// The joints and units of the poses sent to the program.
  public enum Poses: String, CaseIterable, Hashable, Sendable {
    /// The recording's own keypoints and units.
    case recorded
    /// The common joints in image heights, as for detectors in Swift.
    case normalised
  }

  /// A measurement of the program on each frame, for timelines.
  struct Measurement: Hashable, Sendable {
    var name: String
    var unit: String
    /// The parameters to draw as lines over it.
    var guides: [String]
  }

  public let profile: DetectorProfile
  public let parameters: [Parameter]
  /// The program and its arguments, run in the project's folder; empty if the predictions come from files.
  public let command: [String]
  public let poses: Poses
  let measurements: [Measurement]
  let limits: LineProcess.Limits
  /// The path of the detector's file, for errors.
  public let file: String
  /// The program's files and folders, also where its predictions come from files.
  let files: [String]
  /// The project's folder; empty for the current one.
  let root: String
  /// The hash of the detector's file.
  let fileHash: ContentHash

  /// The command as written in the file: `[python3, coach/serve.py]`.
  public var commandLine: String {
    "[\(command.joined(separator: ", "))]".replacing("\n", with: "\\n")
  }
}

extension CommandDetector {
  /// A model may have to be loaded.
  private static let start = 60.0
  /// A live coach cannot take longer for a frame.
  private static let frame = 10.0
  /// The maximum bytes of an answer.
  private static let longestAnswer = 1 << 20

  /// Reads a detector's file.
  ///
  /// - Parameters:
  ///   - name: The file's name without its ending.
  ///   - root: The project's folder; empty for the current one.
  /// - Throws: `DataError` with file, line and key if a key is unknown, missing or has the wrong type.
  public init(yaml input: InputFile, called name: String, in root: String) throws {
    let yaml = try YAMLMapping(input)
    try yaml.requireOnly([
      "detector", "command", "kind", "exercise", "summary", "source", "joints", "poses", "files", "parameters",
      "signals",
      "faults", "criterion", "labels", "counts", "confidence", "speaks", "spots", "predictions", "start_timeout",
      "frame_timeout",
    ])
    guard try yaml.text("detector") == name else {
      throw yaml.failure("detector", expected: "\(name), the name of the file,")
    }
    guard PortableName.isValid(name), DefinedName.hyphenated.matches(name) else {
      throw yaml.failure("detector", expected: DefinedName.hyphenated.rawValue)
    }
    if yaml.keys.contains("predictions") {
      _ = try yaml.name("predictions", of: ["file"])
      let others = ["command", "poses", "parameters", "signals", "start_timeout", "frame_timeout"]
      if let other = others.first(where: yaml.keys.contains) {
        throw yaml.failure(other, expected: "no \(other) beside predictions: file, which runs no program", found: other)
      }
      command = []
    } else {
      command = try yaml.texts("command")
      guard !command.isEmpty else { throw yaml.failure("command", expected: "a program and its arguments") }
    }
    file = input.name
    self.root = root
    fileHash = ContentHash(hashing: input)
    poses = yaml.keys.contains("poses") ? try yaml.choice("poses") : .normalised
    files = yaml.keys.contains("files") ? try yaml.texts("files") : []
    let source = try yaml.textIfPresent("source") ?? input.name
    parameters = try yaml.mappingsIfPresent("parameters").map { try Parameter($0, source: source) }
    let parameterNames = parameters.map(\.name)
    if let twice = parameterNames.first(where: { name in parameterNames.count { $0 == name } > 1 }) {
      throw yaml.failure("parameters", expected: "each name once", found: "\(twice) twice")
    }
    measurements = try yaml.mappingsIfPresent("signals").map { try Measurement($0, parameters: parameterNames) }
    func names(_ key: String) throws -> [String] { yaml.keys.contains(key) ? try yaml.texts(key) : [] }
    func isOn(_ key: String) throws -> Bool? {
      yaml.keys.contains(key) ? try yaml.name(key, of: ["on", "off"]) == "on" : nil
    }
    func seconds(_ key: String, _ usual: Double) throws -> Duration {
      guard yaml.keys.contains(key) else { return .seconds(usual) }
      let seconds = try yaml.number(key)
      guard seconds > 0, seconds <= 3600 else { throw yaml.failure(key, expected: "seconds above 0, up to 3600") }
      return .seconds(seconds)
    }
    limits = LineProcess.Limits(
      first: try seconds("start_timeout", Self.start), next: try seconds("frame_timeout", Self.frame),
      line: Self.longestAnswer)
    let joints = try names("joints").map { name in
      guard let joint = Joint(name: name) else {
        throw yaml.failure(
          "joints", expected: "joints such as left_knee or nose",
          found: NearNames.question(name, in: Joint.allCases.map(\.name)))
      }
      return joint
    }
    let kind: DetectorProfile.Kind = try yaml.choice("kind")
    let labels = try names("labels")
    let tasks: [DetectorTask?] = [
      try isOn("counts") ?? (kind == .reps) ? .counts : nil, try isOn("confidence") ?? false ? .countConfidence : nil,
      try yaml.textIfPresent("criterion").map(DetectorTask.grades), .faults(try names("faults")),
      kind == .swing ? .strokes(labels) : .postures(labels),
      try isOn("spots") ?? yaml.keys.contains("predictions") ? .spots : nil,
      try isOn("speaks") ?? false ? .cues(cooldown: nil) : nil,
    ]
    profile = DetectorProfile(
      name: name, kind: kind, exercise: try yaml.textIfPresent("exercise") ?? "",
      summary: try yaml.textIfPresent("summary")
        ?? (command.isEmpty ? "Its predictions come from files." : "A command of this project."), source: source,
      joints: joints, tasks: tasks.compactMap(\.self))
    if profile.tasks.givesConfidence, !profile.tasks.counts {
      throw yaml.failure("confidence", expected: "a detector that counts", found: "kind: \(kind.rawValue)")
    }
    if profile.tasks.labels.isEmpty, kind == .swing || kind == .posture {
      throw yaml.failure("labels", expected: "the labels that it reports, named as in the datasets")
    }
  }

  /// The hash of the detector's file and of the files that it names, by their paths.
  ///
  /// Hidden files and `__pycache__` are left out: interpreters write them.
  ///
  /// - Throws: `DataError` if one of them is missing or outside the project.
  func filesHash() throws -> String {
    let folder = try FolderContents(root.isEmpty ? "." : root, expected: "the project's folder")
    let hash = SHA256()
    hash.update("command 1")
    hash.update(fileHash.description)
    for name in try files.flatMap({ try names(at: $0, in: folder) }).sorted() {
      let input = try folder.file(name)
      hash.update(name)
      hash.update("\(input.bytes.count)")
      input.forEachPiece { hash.update($0) }
    }
    return ContentHash(hash.finish()).description
  }

  /// The paths of the files at or below a path.
  private func names(at path: String, in folder: FolderContents) throws -> [String] {
    let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
    if let objection = folder.objection(to: trimmed) {
      throw DataError(file: file, expected: "\(objection.expected) for files", found: objection.found)
    }
    let place = folder.name(trimmed)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), isFolder.boolValue else {
      return [trimmed]
    }
    return try FolderContents(place, expected: "a folder").topLevelNames()
      .filter { !$0.hasPrefix(".") && $0 != "__pycache__" }
      .flatMap { try names(at: "\(trimmed)/\($0)", in: folder) }
  }
}

extension ContentHash {
  fileprivate init(hashing file: InputFile) {
    let hash = SHA256()
    file.forEachPiece { hash.update($0) }
    self.init(hash.finish())
  }
}

extension Parameter {
  private static let units: [Unit] = [
    .degrees, .seconds, .ratio, .points, .metres, .frames, .reps, .sets, .imageHeights, .bodyHeights,
    .bodyHeightsPerSecond, .perSecond, .wordsPerMinute, .trunkLengths, .trunkLengthsPerSecond, .toggle,
  ]

  fileprivate init(_ yaml: YAMLMapping, source: String) throws {
    try yaml.requireOnly(["name", "value", "range", "unit", "summary", "source"])
    let name = try yaml.text("name")
    guard DefinedName.camelCase.matches(name) else {
      throw yaml.failure("name", expected: DefinedName.camelCase.rawValue)
    }
    let unit = try yaml.name("unit", of: Self.units.map(\.rawValue))
    let bounds = unit == Unit.toggle.rawValue ? [0, 1] : try yaml.numbers("range")
    guard bounds.count == 2, bounds[0] < bounds[1] else {
      throw yaml.failure("range", expected: "the lowest and the highest value")
    }
    let value = try yaml.number("value")
    guard (bounds[0]...bounds[1]).contains(value) else {
      throw yaml.failure(
        "value", expected: "a number from \(bounds[0].shortestDecimal) to \(bounds[1].shortestDecimal)")
    }
    self.init(
      name, value, in: bounds[0]...bounds[1], Unit(rawValue: unit) ?? .ratio, try yaml.text("summary"),
      source: try yaml.textIfPresent("source") ?? source)
  }
}

extension CommandDetector.Measurement {
  fileprivate init(_ yaml: YAMLMapping, parameters: [String]) throws {
    try yaml.requireOnly(["name", "unit", "guides"])
    name = try yaml.text("name")
    unit = try yaml.text("unit")
    guides = yaml.keys.contains("guides") ? try yaml.texts("guides") : []
    if let unknown = guides.first(where: { !parameters.contains($0) }) {
      throw yaml.failure("guides", expected: "names of parameters", found: NearNames.question(unknown, in: parameters))
    }
  }
}

extension DetectorRegistry {
  /// Detectors that are commands.
  ///
  /// - Parameter consent: Whether they may be run.
  public init(_ commands: [CommandDetector], consent: CommandConsent) {
    self.init(
      commands.map { detector in
        DetectorDefinition(profile: detector.profile, parameters: detector.parameters) { values in
          guard detector.command.isEmpty else {
            return CommandObserver(detector: detector, values: values, consent: consent)
          }
          return UnpredictedObserver(name: detector.profile.name, file: detector.file)
        }
      })
  }
}
