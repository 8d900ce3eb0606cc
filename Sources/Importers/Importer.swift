import Datasets

/// A format that datasets come in. One file a format; `Importers.all` lists them.
public protocol Importer: DatasetSource, Sendable {
  /// The name on the command line: `repcount-pose`.
  static var format: String { get }
  /// One sentence: what it reads and where that comes from.
  static var summary: String { get }

  /// Looks through the files, without reading poses.
  ///
  /// - Parameters:
  ///   - path: the file or folder to import.
  ///   - name: what the dataset shall be called; `nil` for the format's own name.
  /// - Throws: `DataError` with file and line.
  init(from path: String, name: String?) throws

  /// What was found in the files that a reader of results should know.
  var remarks: [String] { get }
}

/// The formats that can be imported.
public enum Importers {
  public static let all: [any Importer.Type] = [RepCountPose.self]
}
