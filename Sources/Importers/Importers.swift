import Datasets
import Files
import Foundation

/// The formats that can be imported.
public enum Importers {
  /// Public datasets in their publishers' layout.
  public static let sets: [any Importer.Type] = [
    RepCountPose.self, UIPRMD.self, TennisShots.self, TennisStream.self, GolfSwing.self, ExerciseCorrection.self,
    PushFit.self, GradedSquats.self,
  ]

  /// The outputs of tools, for any recording.
  public static let tools: [any Importer.Type] = [
    KeypointFiles.self, COCOKeypoints.self, OpenPose.self, AlphaPose.self, MMPose.self, YOLOPose.self,
    MappedPoses.self, AcclaimMotion.self, BVH.self, C3D.self, TRC.self,
  ]

  public static let all = sets + tools

  /// The names of the skeletons that numbered keypoints may have.
  public static let skeletons = EstimatorSkeleton.all.map(\.name)

  /// The formats that match a file or folder: those of datasets, or if none matches, those of tools, or keypoints in
  /// any layout.
  ///
  /// A dataset's files are also a tool's; only the dataset's importer knows the meaning of their names. So a tool's own
  /// importer knows what its keys mean.
  public static func recognising(_ path: String) -> [any Importer.Type] {
    for group in [sets, tools.filter { $0 != KeypointFiles.self }] {
      let found = group.filter { $0.recognises(path) }
      if !found.isEmpty { return found }
    }
    return KeypointFiles.recognises(path) ? [KeypointFiles.self] : []
  }

  /// The error for a path that no format recognises.
  ///
  /// - Parameter known: The names of all formats.
  public static func unknown(_ path: String, known: [String]) -> DataError {
    UnknownFormat(path, tools: tools, known: known).error
  }

  /// The datasets of a path in a format.
  ///
  /// A folder may contain links to anything on this machine: a link that leads outside is refused. A path that is
  /// itself a link to a file was chosen by the user and stands for that file.
  ///
  /// - Throws: `ImportOptionError` if an option does not apply to the format or is missing, and `DataError` with file
  ///   and line.
  public static func datasets(
    _ importer: any Importer.Type, from path: String, options: ImportOptions
  ) throws -> [any Importer] {
    let known = importer.options
    if let other = options.given.first(where: { !known.contains($0) }) {
      throw ImportOptionError.notFor(format: importer.format, option: other, known: known)
    }
    if let exercise = options.exercise, exercise.contains(","), !importer.takesSeveralExercises {
      throw ImportOptionError.oneExercise(format: importer.format, found: exercise)
    }
    let isFolder = SourceFolder(path) != nil
    let url = URL(fileURLWithPath: path)
    return try importer.datasets(
      from: FileKind(path) == .link && !isFolder ? url.resolvingSymlinksInPath().path : path, options: options)
  }
}

/// An import option that does not fit the format.
public enum ImportOptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The format contains the information, or does not use it.
  case notFor(format: String, option: ImportOption, known: Set<ImportOption>)
  /// The format has one exercise, and the user gave several.
  case oneExercise(format: String, found: String)
  /// The format lacks the information, and the user did not give it.
  case needed(format: String, path: String, options: [ImportOption])

  public var description: String {
    switch self {
    case .notFor(let format, let option, let known):
      let names = ImportOption.allCases.filter(known.contains).map(\.usage)
      return "--\(option.rawValue) does not apply to \(format), "
        + (names.isEmpty ? "which takes no such options" : "which takes \(names.joined(separator: ", "))")
    case .oneExercise(let format, let found):
      return "--exercise takes one exercise for \(format), found \(found)"
    case .needed(let format, let path, let options):
      return "\(path) is \(format), which lacks some information: add "
        + options.map { "\($0.usage) (\($0.meaning))" }.joined(separator: ", ")
    }
  }
}

/// A format of datasets, one file per format; `Importers.all` lists them.
public protocol Importer: DatasetSource, Sendable {
  /// The name on the command line: `repcount-pose`.
  static var format: String { get }
  /// One sentence: what it reads, and its source.
  static var summary: String { get }
  /// The options for information that the format may lack; all other options are refused.
  static var options: Set<ImportOption> { get }
  /// Whether `--exercise` chooses one or several of the format's own exercises.
  static var takesSeveralExercises: Bool { get }

  /// Whether a file or folder matches this format, by the files' names and first bytes.
  static func recognises(_ path: String) -> Bool

  /// Scans the files without reading poses. A clip that cannot be read stays a clip, whose reading throws.
  ///
  /// If the parts of a source cannot be one dataset, because two estimators saw the same clips or a label has different
  /// meanings, each part becomes a dataset called `NAME-PART`.
  ///
  /// - Parameters:
  ///   - path: The file or folder to import.
  ///   - options: Only those of `Self.options`.
  /// - Throws: `DataError` with file and line, of what concerns all clips or if none can be read.
  static func datasets(from path: String, options: ImportOptions) throws -> [any Importer]

  /// Notes on the files for readers of results.
  var remarks: [String] { get }

  /// What each column or key of the first file is used for, one line each; empty for formats that do not say.
  var account: [String] { get }

  /// Reads a clip, with notes for readers of results.
  func read(_ index: Int) throws -> (clip: Clip, remarks: [String])
}

extension Importer {
  public static var options: Set<ImportOption> { [] }
  public static var takesSeveralExercises: Bool { false }

  public var account: [String] { [] }

  public func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) { (try clip(index), []) }
}

extension Result where Failure == DataError {
  /// What `body` returns for one clip, or why this clip cannot be read.
  ///
  /// - Throws: The errors of `body` that are about more than a clip: all but `DataError`.
  init(ofClip body: () throws -> Success) throws {
    do { self = .success(try body()) } catch let error as DataError { self = .failure(error) }
  }

  var failure: DataError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}

/// Facts about recordings that their files lack, given by the user.
public struct ImportOptions: Hashable, Sendable {
  /// The name of the dataset; `nil` for the format's or the folder's own name.
  public var name: String?
  /// Frames per second.
  public var fps: Double?
  /// The size of the image that the poses were found in.
  public var size: ImageSize?
  /// For a format of several exercises those to import, separated by commas.
  public var exercise: String?
  public var view: String?
  public var subject: String?
  /// The meanings of the folders below the path.
  public var folders: [FolderMeaning]?
  /// A file that gives the meaning of columns or markers.
  public var mapping: String?
  /// The axis that points up.
  public var up: WorldAxis?
  /// The length of one file unit in metres.
  public var unit: Double?
  /// The lengths of the sets to cut recordings into, in reps; `nil` for whole recordings.
  public var sets: ClosedRange<Int>?
  /// Whether each rep is a clip.
  public var isSingle = false
  /// The name of a skeleton of `Skeletons`, whose keypoints the files have.
  public var skeleton: String?
  public var axes: KeypointAxes?
  public var person: PersonChoice?
  /// The columns that label frames.
  public var labels: [String] = []

  public init(name: String? = nil) { self.name = name }

  /// The given options, in the order of `ImportOption`.
  public var given: [ImportOption] {
    ImportOption.allCases.filter { option in
      switch option {
      case .fps: fps != nil
      case .size: size != nil
      case .exercise: exercise != nil
      case .view: view != nil
      case .subject: subject != nil
      case .folders: folders != nil
      case .mapping: mapping != nil
      case .up: up != nil
      case .unit: unit != nil
      case .sets: sets != nil
      case .single: isSingle
      case .skeleton: skeleton != nil
      case .axes: axes != nil
      case .person: person != nil
      case .labels: !labels.isEmpty
      }
    }
  }

  /// All given options, for the hash that tells whether an import would give the same result.
  ///
  /// - Throws: `DataError` if the mapping cannot be read.
  var settings: [String] {
    get throws {
      let numbers = [fps, unit].map { $0.map { "\($0)" } ?? "" }
      let words = [
        exercise, view, subject, up?.rawValue, size.map { "\($0.width)x\($0.height)" },
        folders.map { $0.map(\.rawValue).joined(separator: "/") }, skeleton, axes.map { "\($0)" },
        person.map { "\($0)" },
      ]
      let marks = try mapping.map { try InputFile($0).bytes.base64EncodedString() }
      let lengths = isSingle ? ["single"] : sets.map { ["\($0.lowerBound)-\($0.upperBound)"] } ?? []
      return numbers + words.map { $0 ?? "" } + [marks ?? ""] + lengths + (labels.isEmpty ? [] : ["labels"] + labels)
    }
  }
}

/// An import option, by its name on the command line.
public enum ImportOption: String, CaseIterable, Hashable, Sendable {
  case fps, size, exercise, view, subject, folders, mapping, up, unit, sets, single, skeleton, axes, person, labels

  /// The option with its value: `--fps N`.
  var usage: String {
    switch self {
    case .fps: "--fps N"
    case .size: "--size WxH"
    case .folders: "--folders MEANINGS"
    case .mapping: "--mapping FILE"
    case .up: "--up AXIS"
    case .unit: "--unit METRES"
    case .sets: "--sets MIN-MAX"
    case .single: "--single"
    case .axes: "--axes AXES"
    case .person: "--person WHO"
    case .labels: "--labels COLUMNS"
    case .skeleton: "--skeleton NAME"
    case .exercise, .view, .subject: "--\(rawValue) NAME"
    }
  }

  var meaning: String {
    switch self {
    case .fps: "frames per second"
    case .size: "of the image, in pixels"
    case .exercise: "the exercise"
    case .view: "the camera's view"
    case .subject: "the person"
    case .folders: "the meaning of the folders"
    case .mapping: "the meaning of the columns"
    case .up: "the axis that points up"
    case .unit: "the length of one unit"
    case .sets: "the lengths of sets, in reps"
    case .single: "one rep a clip"
    case .skeleton: "the order of numbered points"
    case .axes: "the order of a point's numbers"
    case .person: "the subject among several people"
    case .labels: "the columns that label frames"
    }
  }
}

/// The meaning of a folder between an import's path and a clip.
public enum FolderMeaning: String, CaseIterable, Hashable, Sendable {
  case subject, exercise, view, split
  /// No meaning.
  case any = "-"
}

/// Width and height of an image, in pixels: `1920x1080`.
public struct ImageSize: Hashable, Sendable {
  public var width: Int
  public var height: Int

  /// `nil` unless both lie in 1…100000.
  public init?(width: Int, height: Int) {
    guard (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// Reads `1920x1080`; `nil` for anything else.
  public init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9]{1,6})x([0-9]{1,6})/), let width = Int(match.1),
      let height = Int(match.2)
    else { return nil }
    self.init(width: width, height: height)
  }

  public var aspect: Double { Double(width) / Double(height) }
}

/// The error for a path that no format recognises: why the first file cannot be read or, if it can, how it begins and
/// which formats read files with its ending.
struct UnknownFormat {
  let error: DataError

  /// - Parameter known: The names of all formats.
  init(_ path: String, tools: [any Importer.Type], known: [String]) {
    let readers = tools.compactMap { $0 as? any FileEndings.Type }
    let endings = Set(readers.flatMap { $0.endings })
    func failure(_ found: String) -> DataError {
      DataError(
        file: path,
        expected: "recordings in a layout that is known; bench dataset import --help lists the \(known.count) formats",
        found: found)
    }
    do {
      guard let first = try ToolFiles.first(path, endings: endings.sorted()) else {
        let other = Self.unread(at: path)
        if other == nil { try PackedFile.refuse(at: path) }
        error = failure(other ?? "no such files")
        return
      }
      try first.requireWhole()
      if let reason = KeypointFiles.endings.contains(first.ending) ? KeypointFiles.complaint(first) : nil {
        throw reason
      }
      let near = readers.filter { $0.endings.contains(first.ending) }.map { $0.format }.joined(separator: ", ")
      error = failure(
        "no such files; \(first.name) \(Self.beginning(first)), and of .\(first.ending) there are \(near)")
    } catch let reason as DataError {
      error = reason
    } catch {
      self.error = failure("no such files; \(error)")
    }
  }

  /// Kinds of files that hold keypoints but are not read, and what to save instead.
  private static let kinds: [(endings: [String], words: String)] = [
    (
      ["pkl", "pickle", "joblib", "pt", "pth"],
      "Python's pickle, which may run code: save its keypoints as .npz or JSON"
    ),
    (["mat"], "a file of MATLAB: save its keypoints as CSV"),
    (["xlsx", "xls", "ods"], "a spreadsheet: save it as CSV"),
    (["fbx", "glb", "gltf"], "an animation: save it as BVH"), (["yaml", "yml"], "YAML: save it as JSON"),
  ]

  /// The first file of such a kind, and what to do.
  private static func unread(at path: String) -> String? {
    for kind in kinds {
      let files = SourceFolder(path).map { (try? $0.files(endingIn: kind.endings, limit: 1)) ?? [] } ?? [path]
      let found = files.first { kind.endings.contains(PathParts($0).ending.lowercased()) }
      if let found { return "\(found), \(kind.words)" }
    }
    return nil
  }

  private static func beginning(_ file: InputFile) -> String {
    if file.bytes.isEmpty { return "is empty" }
    if let shape = try? NumpyArray.shape(of: file) {
      return "is an array of " + shape.map(String.init).joined(separator: " x ")
    }
    if let outline = JSONOutline(file) {
      return outline.excerpt.isEmpty ? "is empty" : "has \(outline.excerpt)"
    }
    let line = file.bytes.prefix(80).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let text = String(bytes: line, encoding: .utf8), !text.isEmpty,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return "does not begin with text" }
    return "begins with \"\(text)\""
  }
}

extension InputFile {
  /// The ending of its content's kind, in lower case: the part after the last dot of its name if it is not packed.
  var ending: String { PackedContent.ending(self) }

  /// Refuses packed files, binary files, unreadable arrays and incomplete JSON, whose first bytes do not show their
  /// content.
  ///
  /// - Throws: `DataError`.
  func requireWhole() throws {
    if ending != "npz" { try PackedFile.refuse(self) }
    if ending == "npy" {
      _ = try NumpyArray.shape(of: self)
    } else if ending == "npz" {
      _ = try NumpyArchive(self)
    } else {
      try requireNoNUL()
    }
    if ending == "json" { try JSONReader.read(self) { try $0.skip() } }
  }
}

/// A format recognised by the endings of its files' names.
package protocol FileEndings: Importer {
  /// Without the dot, lower case.
  static var endings: [String] { get }
}
