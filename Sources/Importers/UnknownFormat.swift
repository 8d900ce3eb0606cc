import Datasets
import Foundation

/// What a path holds that no format recognises, in words for an error: a first file, how it begins, and which formats read
/// files that end like it.
struct UnknownFormat {
  /// `files of none of them`, with more where there is a file of a known ending.
  let words: String

  init(_ path: String, tools: [any Importer.Type]) {
    let readers = tools.compactMap { $0 as? any FileEndings.Type }
    let endings = Set(readers.flatMap { $0.endings })
    let first: InputFile?
    do {
      first = try ToolFiles.first(path, endings: endings.sorted())
    } catch {
      words = "files of none of them; \(error)"
      return
    }
    guard let first else {
      words = "files of none of them"
      return
    }
    let ending = (first.name as NSString).pathExtension.lowercased()
    let near = readers.filter { $0.endings.contains(ending) }.map { $0.format }.joined(separator: ", ")
    words = "files of none of them; \(first.name) \(Self.beginning(first)), and of .\(ending) there are \(near)"
  }

  private static func beginning(_ file: InputFile) -> String {
    if let outline = JSONOutline(file) { return "has \(outline.excerpt)" }
    let line = file.bytes.prefix(80).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let text = String(bytes: line, encoding: .utf8), !text.isEmpty,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return "begins with no text" }
    return "begins with \"\(text)\""
  }
}

/// A format that goes by the endings of its files' names.
protocol FileEndings: Importer {
  /// Without the point, lower case.
  static var endings: [String] { get }
}
