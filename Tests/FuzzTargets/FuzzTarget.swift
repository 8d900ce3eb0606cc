import Files
import Foundation

/// A reader of files that anybody may have written, as a fuzzer drives it.
///
/// Whatever the bytes are, they are read or refused with a `DataError`, and what is read comes back the same when it is
/// written and read again.
public struct FuzzTarget: Sendable {
  /// Also that of its folder of the corpus.
  public let name: String
  /// The format of the importer that reads; `nil` for other readers.
  public let importer: String?
  private let read: @Sendable (InputFile) throws -> Void
  /// Imports a folder in which the file is a link to this path.
  private let readLink: (@Sendable (String) throws -> Void)?

  init(
    _ name: String, importer: String? = nil, readLink: (@Sendable (String) throws -> Void)? = nil,
    read: @escaping @Sendable (InputFile) throws -> Void
  ) {
    (self.name, self.importer) = (name, importer)
    (self.read, self.readLink) = (read, readLink)
  }

  /// Whether the file is one of a folder that is imported.
  public var isInFolder: Bool { readLink != nil }

  /// The words of the error if the file in the folder is a link; `no error` for none.
  ///
  /// - Parameter path: That of a file outside the folder.
  public func words(ofLinkTo path: String) -> String {
    do {
      try readLink?(path)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  /// What is wrong with how these bytes are taken; `nil` where nothing is. A crash is wrong too, and tells itself.
  public func problem(with bytes: Data) -> String? {
    do {
      try read(InputFile(name: name, bytes: bytes))
      return nil
    } catch is DataError {
      return nil
    } catch {
      return "\(name): \(error)"
    }
  }

  public static let all: [FuzzTarget] =
    [
      .csvTable, .delimitedText, .json, .manifest, .npy, .numberRows, .numericCSV, .poseCSV, .videoHeader,
    ] + importers + labels
}

/// Something read that does not come back the same.
struct RoundTripError: Error {
  var what: String
}
