import Datasets
import Files
import Pipeline

/// A public dataset that the project names and pins, and does not ship: `datasets/public/<name>.yaml`.
public struct PublicSet: Hashable, Sendable {
  /// The import that makes the dataset.
  public struct Import: Hashable, Sendable {
    /// Of `bench dataset import`.
    public var format: String
    /// The value of `--name`: the set's name, or what it begins with if one import makes several datasets.
    public var name: String
    /// Other options and their values, as on the command line.
    public var options: [String]
    /// The path of a file with the clips that are imported; `nil` for all.
    public var clips: String?

    /// A shell command; `FOLDER` stands for the downloaded files.
    public var command: String {
      let words =
        ["bench", "dataset", "import", format, "--from", "FOLDER", "--name", name] + options
        + (clips.map { ["--clips", $0] } ?? [])
      return words.map(\.shellQuoted).joined(separator: " ")
    }
  }

  /// Whether a store has it.
  public enum State: String, Hashable, Sendable {
    case absent = "no"
    case present = "yes"
    /// A dataset with its name and other content.
    case different = "other content"
  }

  /// Of the dataset after the import.
  public var name: String
  /// What it holds, in one sentence.
  public var holds: String
  /// As its owners state it.
  public var licence: String
  /// Where to get it.
  public var source: String
  public var cite: String
  public var importing: Import
  public var content: ContentHash
  /// `nil` if unknown: each clip then counts as a person.
  public var people: Int?
  public var clips: Int
  /// The labelled or counted reps.
  public var reps: Int
  /// The people who graded reps.
  public var graders: Int

  /// `116 clips of 10 people`, or `134 clips, people unknown`.
  public var size: String {
    "\(clips) clip\(clips == 1 ? "" : "s")"
      + (people.map { $0 == 1 ? " of one person" : " of \($0) people" } ?? ", people unknown")
  }

  /// The error where its data is needed and absent.
  var missing: EvaluationError {
    .missing(
      what: "dataset \(name)", expected: "\(holds): \(size) (\(licence))",
      found: "none in the store. Get it from \(source), then: \(importing.command)")
  }
}

extension PublicSet {
  /// Reads an entry. A file of clips stands beside it.
  ///
  /// - Throws: `DataError` with file, line and key.
  public init(yaml file: InputFile) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "name", "holds", "licence", "source", "cite", "import", "clips_file", "content", "people", "clips", "reps",
      "graders",
    ])
    let missing = yaml.missing([
      "name": "name: my-squats", "holds": "holds: Squats of ten people", "licence": "licence: CC BY 4.0",
      "source": "source: https://doi.org/…", "cite": "cite: Author, Title, 2018",
      "import": "import: { format: ui-prmd }", "content": "content: sha256:<from bench dataset show my-squats>",
      "people": "people: 10", "clips": "clips: 20", "reps": "reps: 100", "graders": "graders: 0",
    ])
    if let error = DataError(file: yaml.file, missing: missing) { throw error }
    name = try yaml.portableName("name")
    holds = try yaml.text("holds")
    licence = try yaml.text("licence")
    source = try yaml.text("source")
    cite = try yaml.text("cite")
    importing = try Import(yaml.mapping("import"), of: name)
    content = try yaml.contentHash("content")
    people = try yaml.text("people") == "unknown" ? nil : yaml.positiveInteger("people")
    clips = try yaml.positiveInteger("clips")
    reps = try yaml.count("reps")
    graders = try yaml.count("graders")
    if yaml.keys.contains("clips_file") {
      let path = PathParts.join(PathParts(yaml.file).folder, try yaml.portableName("clips_file"))
      guard FileKind(path) != nil else {
        throw yaml.failure("clips_file", expected: "a file beside this one", found: "no \(path)")
      }
      importing.clips = path
    }
  }
}

extension PublicSet.Import {
  /// - Parameter set: The set's name.
  fileprivate init(_ yaml: YAMLMapping, of set: String) throws {
    try yaml.requireOnly(["format", "name", "options"])
    format = try yaml.portableName("format")
    name = yaml.keys.contains("name") ? try yaml.portableName("name") : set
    options = yaml.keys.contains("options") ? try yaml.texts("options") : []
  }
}

extension YAMLMapping {
  fileprivate func portableName(_ key: String) throws -> String {
    let name = try text(key)
    guard PortableName.isValid(name) else { throw failure(key, expected: PortableName.description) }
    return name
  }

  fileprivate func count(_ key: String) throws -> Int {
    guard let count = Int(exactly: try number(key)), count >= 0 else {
      throw failure(key, expected: "a whole number of 0 or more")
    }
    return count
  }
}

/// The public sets that a project names.
public struct PublicSets: Sendable {
  private let project: Project

  public init(of project: Project) { self.project = project }

  /// Sorted.
  public var names: [String] { project.publicSetNames }

  /// `nil` if the project names no such set.
  ///
  /// - Throws: `DataError` if its file is wrong, or its name is not its file's.
  public func set(named name: String) throws -> PublicSet? {
    guard names.contains(name) else { return nil }
    let path = project.publicSetFile(name)
    let set = try PublicSet(yaml: InputFile(project.within(path)))
    guard set.name == name else {
      throw DataError(file: path, expected: "name: \(name), the name of the file", found: "name: \(set.name)")
    }
    return set
  }
}

extension Suite {
  /// Whether it needs a public set, which may be absent.
  public func usesPublicSets(of project: Project) -> Bool {
    !Set(project.publicSetNames).isDisjoint(with: datasets.map(\.name))
  }
}

extension DatasetCatalogue {
  /// Whether the store has a public set.
  public func state(of set: PublicSet) throws -> PublicSet.State {
    let imported = try store.datasets().filter { $0.folder == nil && $0.content != nil }
    guard let stored = imported.first(where: { $0.manifest.name == set.name }) else { return .absent }
    return stored.content == set.content ? .present : .different
  }

  /// The public set with a name, if neither the store nor the checkout has a dataset with it.
  ///
  /// - Throws: As `PublicSets.set(named:)`.
  public func absentSet(named name: String) throws -> PublicSet? {
    let isHere = try store.datasets().contains { $0.manifest.name == name && $0.folder == nil }
    return try isHere || project.datasetNames.contains(name) ? nil : PublicSets(of: project).set(named: name)
  }
}
