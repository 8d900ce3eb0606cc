import Datasets
import Foundation

/// What a path holds that no format recognises, as an error: why the first file can't be read or, where it can, how it begins
/// and which formats read files that end like it.
struct UnknownFormat {
  let error: DataError

  /// - Parameter known: the names of all formats.
  init(_ path: String, tools: [any Importer.Type], known: [String]) {
    let readers = tools.compactMap { $0 as? any FileEndings.Type }
    let endings = Set(readers.flatMap { $0.endings })
    func failure(_ found: String) -> DataError {
      DataError(
        file: path, expected: "a file or folder laid out as one of the formats \(known.joined(separator: ", "))",
        found: found)
    }
    do {
      guard let first = try ToolFiles.first(path, endings: endings.sorted()) else {
        try PackedFile.refuse(at: path)
        error = failure("files of none of them")
        return
      }
      try first.requireWhole()
      let near = readers.filter { $0.endings.contains(first.ending) }.map { $0.format }.joined(separator: ", ")
      error = failure(
        "files of none of them; \(first.name) \(Self.beginning(first)), and of .\(first.ending) there are \(near)")
    } catch let reason as DataError {
      error = reason
    } catch {
      self.error = failure("files of none of them; \(error)")
    }
  }

  private static func beginning(_ file: InputFile) -> String {
    if let shape = try? NumpyArray.shape(of: file) {
      return "is an array of " + shape.map(String.init).joined(separator: " x ")
    }
    if let outline = JSONOutline(file) {
      return outline.excerpt.isEmpty ? "has nothing in it" : "has \(outline.excerpt)"
    }
    let line = file.bytes.prefix(80).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let text = String(bytes: line, encoding: .utf8), !text.isEmpty,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return "begins with no text" }
    return "begins with \"\(text)\""
  }
}

extension InputFile {
  /// What stands after the last point of its name, in lower case.
  var ending: String { (name as NSString).pathExtension.lowercased() }

  /// Refuses what is packed, no text, or no array that could be read, or JSON that is not whole: how it begins then says little of what it is.
  ///
  /// - Throws: `DataError`.
  func requireWhole() throws {
    try PackedFile.refuse(self)
    if ending == "npy" {
      _ = try NumpyArray.shape(of: self)
    } else {
      try requireNoUTF16()
    }
    if ending == "json" { try JSONReader.read(self) { try $0.skip() } }
  }
}

/// A format that goes by the endings of its files' names.
protocol FileEndings: Importer {
  /// Without the point, lower case.
  static var endings: [String] { get }
}
