import Datasets
import Foundation

/// The formats that can be imported.
public enum Importers {
  /// Data sets as their publishers lay them out.
  public static let sets: [any Importer.Type] = [
    RepCountPose.self, UIPRMD.self, TennisShots.self, TennisStream.self, GolfSwing.self, ExerciseCorrection.self,
    PushFit.self, GradedSquats.self,
  ]

  /// What tools write, whatever was recorded.
  public static let tools: [any Importer.Type] = [
    COCOKeypoints.self, OpenPose.self, AlphaPose.self, MMPose.self, YOLOPose.self, MediaPipeCSV.self,
    MediaPipeJSON.self, MoveNet.self, AppleVision.self, MappedPoses.self,
    AcclaimMotion.self, BVH.self, C3D.self, TRC.self,
  ]

  public static let all = sets + tools

  /// The formats that a file or folder is laid out as: those of sets, or where it is no set, those of tools.
  ///
  /// A set's files are a tool's too; only its own importer knows what their names mean.
  public static func recognising(_ path: String) -> [any Importer.Type] {
    let found = sets.filter { $0.recognises(path) }
    return found.isEmpty ? tools.filter { $0.recognises(path) } : found
  }

  /// What is to be said of a path that none recognises.
  ///
  /// - Parameter known: the names of all formats.
  public static func unknown(_ path: String, known: [String]) -> DataError {
    UnknownFormat(path, tools: tools, known: known).error
  }

  /// The datasets that a path holds in a format.
  ///
  /// A folder may hold links to anything on this machine: a file that a link outside leads to is refused. A path that is
  /// itself a link to a file is what somebody chose, and stands for that file.
  ///
  /// - Throws: `ImportOptionError` where an option is none of the format's or is missing, and `DataError` with file and line.
  public static func datasets(
    _ importer: any Importer.Type, from path: String, options: ImportOptions
  ) throws -> [any Importer] {
    let known = importer.options
    if let other = options.given.first(where: { !known.contains($0) }) {
      throw ImportOptionError.notFor(format: importer.format, option: other, known: known)
    }
    let isFolder = SourceFolder(path) != nil
    let url = URL(fileURLWithPath: path)
    return try importer.datasets(
      from: FileKind(path) == .link && !isFolder ? url.resolvingSymlinksInPath().path : path, options: options)
  }
}

/// What was said at an import does not go with its format.
public enum ImportOptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The format says it itself, or has no use for it.
  case notFor(format: String, option: ImportOption, known: Set<ImportOption>)
  /// The format does not say it, and nobody else did.
  case needed(format: String, path: String, options: [ImportOption])
  /// It contradicts what the files say.
  case known(option: ImportOption, file: String, found: String)

  public var description: String {
    switch self {
    case .notFor(let format, let option, let known):
      let names = ImportOption.allCases.filter(known.contains).map(\.usage)
      return "--\(option.rawValue) is not for \(format), "
        + (names.isEmpty ? "which takes no such options" : "which takes \(names.joined(separator: ", "))")
    case .needed(let format, let path, let options):
      return "\(path) is \(format), which does not say everything: add "
        + options.map { "\($0.usage) (\($0.meaning))" }.joined(separator: ", ")
    case .known(let option, let file, let found):
      return "--\(option.rawValue) is not needed: \(file) has \(found)"
    }
  }
}
