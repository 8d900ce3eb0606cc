import Foundation

/// A new file that is written in large pieces, whatever the size of what it is given.
final class OutputFile {
  private let name: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let bufferSize = 1 << 16

  /// - Parameter name: what errors call the file.
  /// - Throws: `DataError` where there is such a file already or none can be made.
  init(_ path: String, name: String) throws {
    self.name = name
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw DataError.cannotWrite(name) }
  }

  func append(_ bytes: some Collection<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes what is left. A file that is not finished lacks its end.
  func finish() throws { try flush() }

  private func flush() throws {
    try buffer.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let count = write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw DataError.cannotWrite(name) }
        start += count
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

extension DataError {
  /// A file or folder that cannot be written, with the system's reason of this moment.
  static func cannotWrite(_ file: String) -> DataError {
    DataError(file: file, expected: "to write here", found: String(cString: strerror(errno)).lowercased())
  }
}
