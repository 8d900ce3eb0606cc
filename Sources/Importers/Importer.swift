import Datasets

/// A format that datasets come in. One file a format; `Importers.all` lists them.
public protocol Importer: DatasetSource, Sendable {
  /// The name on the command line: `repcount-pose`.
  static var format: String { get }
  /// One sentence: what it reads and where that comes from.
  static var summary: String { get }

  /// Whether a file or folder is laid out as this format, by the names of its files and their first lines.
  static func recognises(_ path: String) -> Bool

  /// Looks through the files, without reading poses.
  ///
  /// A source whose parts can't be one dataset, because two estimators saw the same clips or because a label means
  /// something else in each, yields a dataset a part, called `NAME-PART`.
  ///
  /// - Parameters:
  ///   - path: the file or folder to import.
  ///   - name: what the dataset shall be called; `nil` for the format's own name.
  /// - Throws: `DataError` with file and line.
  static func datasets(from path: String, name: String?) throws -> [any Importer]

  /// What was found in the files that a reader of results should know.
  var remarks: [String] { get }
}

/// The formats that can be imported.
public enum Importers {
  public static let all: [any Importer.Type] = [
    RepCountPose.self, UIPRMD.self, TennisShots.self, TennisStream.self, GolfSwing.self, ExerciseCorrection.self,
    PushFit.self, GradedSquats.self,
  ]
}
