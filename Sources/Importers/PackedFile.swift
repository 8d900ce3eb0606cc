import Datasets
import Foundation

/// Files that are packed into one, which annotation tools export and people send each other, known by how they begin.
///
/// - Source: PKWARE, ".ZIP File Format Specification" 6.3.4, local file header; RFC 1952, 2.3.1; `TarFormat`.
enum PackedFile {
  private static let beginnings: [(kind: String, at: Int, bytes: [UInt8])] = [
    ("a ZIP archive", 0, [0x50, 0x4B, 0x03, 0x04]), ("a gzip file", 0, [0x1F, 0x8B]),
    ("a tar archive", 257, Array("ustar".utf8)),
  ]

  /// The endings that such files have where they have their own.
  private static let endings = ["zip", "gz", "tgz", "tar"]

  /// What a file is packed as; `nil` where it is not.
  static func kind(_ file: InputFile) -> String? {
    beginnings.first { file.bytes.dropFirst($0.at).starts(with: $0.bytes) }?.kind
  }

  /// - Throws: `DataError` for a packed file.
  static func refuse(_ file: InputFile) throws {
    guard let kind = kind(file) else { return }
    throw DataError(
      file: file.name, expected: "files as the tool wrote them, not packed",
      found: "\(kind): unpack it, and give the folder")
  }

  /// Refuses a path at which, or a folder in which, something packed lies and nothing that could be read.
  ///
  /// - Throws: `DataError`.
  static func refuse(at path: String) throws {
    if let folder = SourceFolder(path) {
      if let first = try folder.files(endingIn: endings, limit: 1).first {
        try refuse(InputFile(first, in: folder.path))
      }
    } else {
      try refuse(InputFile(path))
    }
  }
}
