import Datasets

/// A format that datasets come in. One file a format; `Importers.all` lists them.
public protocol Importer: DatasetSource, Sendable {
  /// The name on the command line: `repcount-pose`.
  static var format: String { get }
  /// One sentence: what it reads and where that comes from.
  static var summary: String { get }
  /// What a person may have to say because the format doesn't; the others are refused.
  static var options: Set<ImportOption> { get }

  /// Whether a file or folder is laid out as this format, by the names of its files and how they begin.
  static func recognises(_ path: String) -> Bool

  /// Looks through the files, without reading poses.
  ///
  /// A source whose parts can't be one dataset, because two estimators saw the same clips or because a label means
  /// something else in each, yields a dataset a part, called `NAME-PART`.
  ///
  /// - Parameters:
  ///   - path: the file or folder to import.
  ///   - options: none but those of `Self.options`.
  /// - Throws: `DataError` with file and line.
  static func datasets(from path: String, options: ImportOptions) throws -> [any Importer]

  /// What was found in the files that a reader of results should know.
  var remarks: [String] { get }

  /// Reads a clip, with what was found in it that a reader of results should know.
  func read(_ index: Int) throws -> (clip: Clip, remarks: [String])
}

extension Importer {
  public static var options: Set<ImportOption> { [] }

  public func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) { (try clip(index), []) }
}
