import Datasets
import Files
import Foundation
import PoseModel

/// A dataset folder that contains only a `recipe.yaml`, from which the generator makes its files.
///
/// ```yaml
/// exercise: push-up          # or a list: [push-up, plank]
/// scenario: perfect-form     # may be left out; or a list: [perfect-form, needs-correction, full-workflow]
/// fault: shallow             # of needs-correction; may be left out
/// severity: 0.8              # of that fault; may be left out
/// camera: azimuth=25,elevation=7,distance=3.5   # see CameraStand; may be left out: cameras are drawn
/// seed: 1
/// subjects: 10
/// clips_per_subject: 3
/// ```
///
/// The dataset has the name of its folder. The same recipe gives the same content on every machine
/// (`Precision.decimal`).
public struct DatasetRecipe: Sendable {
  public static let file = "recipe.yaml"

  public let generator: MotionGenerator
  let contents: FolderContents

  /// Reads and checks the recipe of a folder.
  ///
  /// - Throws: `DataError` with line and key if a key is unknown, missing or out of range, or the folder also contains
  ///   files of a recorded dataset.
  public init(_ directory: String) throws {
    contents = try FolderContents(directory, expected: DatasetFolder.contentsDescription)
    let names = try contents.topLevelNames()
    if let other = DatasetFile.allCases.map(\.rawValue).first(where: names.contains) {
      throw DataError(
        file: contents.name(other), expected: "either \(Self.file) or the files of a dataset", found: "both")
    }
    let yaml = try YAMLMapping(contents.file(Self.file))
    try yaml.requireOnly([
      "exercise", "scenario", "fault", "severity", "camera", "seed", "subjects", "clips_per_subject",
    ])
    let name = contents.directory.split(separator: "/").last.map(String.init) ?? contents.directory
    guard PortableName.isValid(name) else {
      throw DataError(file: contents.directory, expected: "a folder with \(PortableName.description)", found: name)
    }
    let exercises = try Self.exercises(yaml)
    generator = MotionGenerator(
      name: name, exercises: exercises, scenarios: try Self.scenarios(yaml, of: exercises),
      seed: try UInt64(Self.whole(yaml, "seed", in: 0...1 << 53)),
      subjects: try Self.whole(yaml, "subjects", in: 1...10_000),
      clipsPerSubject: try Self.whole(yaml, "clips_per_subject", in: 1...1000), stand: try Self.stand(yaml))
  }

  private static func exercises(_ yaml: YAMLMapping) throws -> [any Exercise] {
    let known = Exercises.generated.map { $0.name }
    return try names(yaml, "exercise").map { name in
      guard let exercise = Exercises.named(name) else {
        throw yaml.failure(
          "exercise", expected: "one of \(known.joined(separator: ", "))", found: NearNames.question(name, in: known))
      }
      return exercise
    }
  }

  private static func scenarios(_ yaml: YAMLMapping, of exercises: [any Exercise]) throws -> [Scenario] {
    let names = try yaml.keys.contains("scenario") ? names(yaml, "scenario") : []
    for key in ["fault", "severity"] where yaml.keys.contains(key) && !names.contains(Scenario.correcting) {
      throw yaml.failure(key, expected: "the scenario \(Scenario.correcting)")
    }
    guard !names.isEmpty else { return [] }
    if let other = exercises.first(where: { !($0 is any ScenarioExercise) }) {
      throw yaml.failure("scenario", expected: "an exercise with scenarios", found: other.name)
    }
    let (fault, severity) = try (fault(yaml, of: exercises), severity(yaml))
    return try names.map { name in
      guard let scenario = Scenario(name, of: fault, severity: severity) else {
        throw yaml.failure(
          "scenario", expected: "one of \(Scenario.names.joined(separator: ", "))",
          found: NearNames.question(name, in: Scenario.names))
      }
      return scenario
    }
  }

  private static func fault(_ yaml: YAMLMapping, of exercises: [any Exercise]) throws -> String? {
    guard yaml.keys.contains("fault") else { return nil }
    let fault = try yaml.text("fault")
    for case let exercise as any ScenarioExercise in exercises where !exercise.faultNames.contains(fault) {
      throw yaml.failure(
        "fault", expected: "one of \(exercise.faultNames.joined(separator: ", ")) of the \(exercise.name)",
        found: NearNames.question(fault, in: exercise.faultNames))
    }
    return fault
  }

  private static func severity(_ yaml: YAMLMapping) throws -> Double {
    guard yaml.keys.contains("severity") else { return Scenario.usualSeverity }
    let severity = try yaml.number("severity")
    guard Scenario.severities.contains(severity) else {
      throw yaml.failure(
        "severity", expected: "\(Scenario.severities.lowerBound) to \(Scenario.severities.upperBound)")
    }
    return severity
  }

  private static func stand(_ yaml: YAMLMapping) throws -> CameraStand? {
    guard let text = try yaml.textIfPresent("camera") else { return nil }
    guard let stand = CameraStand(text) else {
      throw yaml.failure("camera", expected: CameraStand.form)
    }
    return stand
  }

  /// One name or a list of them.
  private static func names(_ yaml: YAMLMapping, _ key: String) throws -> [String] {
    let names = try yaml.isList(key) ? yaml.texts(key) : [yaml.text(key)]
    guard !names.isEmpty, Set(names).count == names.count else {
      throw yaml.failure(
        key, expected: "one \(key) or more, each once", found: "[\(names.joined(separator: ", "))]")
    }
    return names
  }

  private static func whole(_ yaml: YAMLMapping, _ key: String, in range: ClosedRange<Int>) throws -> Int {
    let number = try yaml.number(key)
    guard let whole = Int(exactly: number), range.contains(whole) else {
      throw yaml.failure(key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }
}

extension DatasetRecipe: DatasetSource {
  public var manifest: Manifest { generator.manifest }

  public var clipCount: Int { generator.clipCount }

  /// A hash of the recipe and of the generator's version, computed without generating a clip.
  public func digest() throws -> ContentHash {
    let hash = SHA256()
    hash.update("recipe \(MotionGenerator.version)")
    hash.update(generator.name)
    hash.update(try contents.file(Self.file).bytes)
    return ContentHash(hash.finish())
  }

  public func clip(_ index: Int) throws -> Clip { generator.scene(index).clip() }
}

extension Store {
  /// Imports a dataset folder as a cache of it, whether it contains files or a recipe.
  ///
  /// - Parameters:
  ///   - name: The dataset's expected name; `nil` for any.
  ///   - readsEveryFile: Whether to read files too that have not changed since they were read.
  /// - Throws: As `importing(_:cacheOf:expires:progress:)`, and `DataError` for a folder that is neither.
  @discardableResult
  public func importing(
    folder path: String, named name: String? = nil, cacheOf: String? = nil, readsEveryFile: Bool = false
  ) throws -> ImportOutcome {
    guard FileKind(path + "/" + DatasetRecipe.file) == nil else {
      return try importing(DatasetRecipe(path), cacheOf: cacheOf)
    }
    // The labels of an unchanged folder are in the store, and reading a million rows takes longer than a replay.
    var listing = try DatasetListing(path)
    if let name { try listing.require(name) }
    let earlier = try cacheOf.flatMap { try readsEveryFile ? nil : stamps(ofFolder: $0) }
    listing = try listing.hashed(unless: earlier)
    let outcome =
      if let content = try content(ofDataset: listing.manifest.name, from: listing.digest()) {
        ImportOutcome.unchanged(content)
      } else {
        try importing(DatasetFolder(listing), cacheOf: cacheOf)
      }
    if let cacheOf, let stamps = listing.stamps, stamps != earlier { keep(stamps, ofFolder: cacheOf) }
    return outcome
  }
}
