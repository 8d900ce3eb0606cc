import Datasets
import Foundation

/// A format that labels come in. One file a format; `LabelFormats.all` lists them.
protocol LabelFormat: Sendable {
  /// The name on the command line: `elan`.
  static var name: String { get }
  /// One sentence: what it reads and where that comes from.
  static var summary: String { get }
  /// How its files' names end, without the dot.
  static var ending: String { get }

  /// Whether a file of that ending is one, by how it begins.
  static func recognises(_ file: InputFile) -> Bool

  /// - Throws: `DataError` with file and, where there are lines, line.
  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation]
}

/// The formats that labels can be taken from.
public enum LabelFormats {
  static let all: [any LabelFormat.Type] = [
    AudacityLabels.self, CVAT.self, ELAN.self, LabelStudio.self, LabelStudioTable.self, LabelTable.self, VIA.self,
    VIATable.self,
  ]

  /// Name and summary of each, for help.
  public static let descriptions = all.map { (name: $0.name, summary: $0.summary) }

  /// The format of a file or of all files of a folder.
  ///
  /// - Throws: `DataError` where it is none, or the files are of several formats.
  static func recognised(_ path: String) throws -> any LabelFormat.Type {
    var found: [any LabelFormat.Type] = []
    for format in all {
      if try files(path, of: format).contains(where: { format.recognises(try $0.open()) }) { found.append(format) }
    }
    guard let format = found.first, found.count == 1 else {
      if found.isEmpty { try PackedFile.refuse(at: path) }
      throw DataError(
        file: path, expected: "labels of one of the formats \(all.map { $0.name }.joined(separator: ", "))",
        found: found.isEmpty ? "files of none of them" : "files of \(found.map { $0.name }.joined(separator: " and "))")
    }
    return format
  }

  /// The file, or those of a folder, that end like a format's.
  static func files(_ path: String, of format: any LabelFormat.Type) throws -> [LabelFile] {
    guard let folder = SourceFolder(path) else {
      return path.lowercased().hasSuffix(".\(format.ending)") ? [LabelFile(name: path, folder: nil)] : []
    }
    return try folder.names(endingIn: format.ending).map { LabelFile(name: $0, folder: folder.path) }
  }
}

/// A file of labels that is not open yet: there may be one for every frame, and a process has only so many open.
struct LabelFile {
  let name: String
  /// `nil` for a file that was named by itself.
  let folder: String?

  func open() throws -> InputFile { try folder.map { try InputFile(name, in: $0) } ?? InputFile(name) }
}

extension InputFile {
  /// How the file begins, as text, up to 4 KiB.
  var beginning: String { String(decoding: bytes.prefix(4096).withoutByteOrderMark, as: UTF8.self) }

  /// The file's name without folder and ending.
  var stem: String { URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent }
}
