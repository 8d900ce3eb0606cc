import Files
import Foundation

/// A dataset folder as one encrypted file with a passphrase: a `tar` within an `age` file.
///
/// Without this program: `age --decrypt squats.tar.age | tar -x`.
public enum DatasetArchive {
  /// Whether a file is an `age` file.
  public static func recognises(_ path: String) -> Bool { AgeReader.recognises(path) }

  /// Writes a dataset from clips given one by one.
  ///
  /// The archive appears atomically. Temporary files are readable only by the user and lie beside the store, not beside
  /// the archive, which may be on a disk or in a folder that others can read.
  ///
  /// - Throws: `DataError` if the file exists already or cannot be written, and the errors of `next`.
  public static func write(
    _ manifest: Manifest, to path: String, passphrase: [UInt8], beside store: Store, clips next: () throws -> Clip?
  ) throws {
    guard FileKind(path) == nil else {
      throw DataError(file: path, expected: "a new file", found: "an existing one")
    }
    let scratch = try ScratchFolder(beside: store.path)
    let folder = "\(scratch.path)/\(manifest.name)"
    try DatasetFolder.write(manifest, to: folder, clips: next)
    let staging = try StagingFolder(forFile: path)
    let output = try OutputFile(in: staging, name: path)
    try encrypt(DatasetFolder(folder), as: manifest.name, into: AgeWriter(output, passphrase: passphrase, name: path))
    try staging.moveFile()
  }

  private static func encrypt(_ folder: DatasetFolder, as name: String, into writer: AgeWriter) throws {
    var tar = TarWriter(writer)
    for file in folder.files { try tar.append(InputFile(folder.path(file)).bytes, path: "\(name)/\(file)") }
    try tar.finish()
  }
}

/// An archive decrypted into a folder, which is deleted with this value.
public final class OpenedArchive {
  /// The dataset folder.
  public let folder: String
  private let scratch: ScratchFolder

  /// - Parameter store: The store beside which the folder is created, readable only by the user.
  /// - Throws: `DataError` for a wrong passphrase, and for an archive that is altered, truncated or contains no
  ///   dataset.
  public init(_ path: String, passphrase: [UInt8], beside store: Store) throws {
    var reader = TarReader(archive: path, input: try AgeReader(InputFile(path), passphrase: passphrase))
    scratch = try ScratchFolder(beside: store.path)
    try reader.unpack(into: scratch.path)
    let places = [scratch.path] + scratch.subfolders
    guard let place = places.first(where: { FileKind("\($0)/\(DatasetFile.manifest.rawValue)") == .file }) else {
      throw DataError(
        file: path, expected: "an archive of a dataset folder", found: "no \(DatasetFile.manifest.rawValue)")
    }
    folder = place
  }
}

/// A temporary folder beside the store for plaintext files; files left by a killed process are deleted with the next
/// one.
final class ScratchFolder {
  private let staging: StagingFolder
  var path: String { staging.path }

  init(beside store: String) throws { staging = try StagingFolder(for: Self.place(store)) }

  var subfolders: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().map { "\(path)/\($0)" }
      .filter { FileKind($0) == .directory }
  }

  /// Removes files left by a killed process, unless a process is using them.
  static func clear(beside store: String) { StagingFolder.clear(for: place(store)) }

  private static func place(_ store: String) -> String { "\(store)-archive" }
}
