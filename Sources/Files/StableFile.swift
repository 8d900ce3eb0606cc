import Foundation

/// JSON for files that people compare: sorted keys, one value a line, a line feed at the end.
public func stableJSON(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
  return try encoder.encode(value) + Data("\n".utf8)
}

/// JSON for long files that people compare: sorted keys, an entry of each list and table at the top on a line of its own,
/// a line feed at the end.
package func lineByLineJSON(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  let bytes = [UInt8](try encoder.encode(value))
  /// Whether what opens at a place holds lists or tables.
  func isNested(_ start: Int) -> Bool {
    var (depth, isText) = (0, false)
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\") where isText: place += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText:
        depth += 1
        if depth > 1 { return true }
      case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText:
        depth -= 1
        if depth == 0 { return false }
      default: break
      }
      place += 1
    }
    return false
  }
  var text: [UInt8] = []
  var breaks: [Bool] = []
  var isText = false
  func newLine(_ depth: Int) { text += [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth) }
  var place = 0
  while place < bytes.count {
    let byte = bytes[place]
    if isText {
      text.append(byte)
      if byte == UInt8(ascii: "\\"), place + 1 < bytes.count {
        place += 1
        text.append(bytes[place])
      } else if byte == UInt8(ascii: "\"") {
        isText = false
      }
    } else {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        breaks.append(breaks.count < 2 && isNested(place))
        text.append(byte)
        if breaks.last == true { newLine(breaks.count) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if breaks.popLast() == true { newLine(breaks.count) }
        text.append(byte)
      case UInt8(ascii: ","):
        text.append(byte)
        if breaks.last == true { newLine(breaks.count) } else { text.append(UInt8(ascii: " ")) }
      case UInt8(ascii: ":"): text += [byte, UInt8(ascii: " ")]
      default:
        text.append(byte)
        isText = byte == UInt8(ascii: "\"")
      }
    }
    place += 1
  }
  return Data(text + [UInt8(ascii: "\n")])
}

/// Writes a file whole or not at all, making its folder where it is absent.
///
/// It is written as `.NAME.partial` beside it and then renamed. Whoever is killed leaves that, and the next who writes
/// the file takes it over.
///
/// - Throws: `DataError` with the system's reason.
public func writeWhole(_ data: Data, to path: String) throws {
  let url = URL(fileURLWithPath: path)
  let folder = url.deletingLastPathComponent()
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  } catch let error as CocoaError {
    let reason = (error.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)).lowercased() }
    throw DataError(file: path, expected: "to write here", found: reason ?? error.localizedDescription)
  }
  let partial = folder.appendingPathComponent(".\(url.lastPathComponent).partial").path
  func failure() -> DataError {
    DataError(file: path, expected: "to write here", found: String(cString: strerror(errno)).lowercased())
  }
  let descriptor = try lockedFile(partial) ?? { throw failure() }()
  defer { close(descriptor) }
  guard ftruncate(descriptor, 0) == 0, data.withUnsafeBytes({ isWritten($0, to: descriptor) }),
    rename(partial, url.path) == 0
  else {
    let error = failure()
    unlink(partial)
    throw error
  }
}

/// Opens a file that nobody else has locked, made where it is absent; waits for whoever has it. `nil` where that fails.
private func lockedFile(_ path: String) -> Int32? {
  while true {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return nil }
    var (held, there) = (stat(), stat())
    guard flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &held) == 0 else {
      close(descriptor)
      return nil
    }
    // Whoever had it locked has renamed it meanwhile.
    if lstat(path, &there) == 0, held.st_ino == there.st_ino, held.st_dev == there.st_dev { return descriptor }
    close(descriptor)
  }
}

private func isWritten(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var sent = 0
  while sent < bytes.count {
    let count = write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    sent += count
  }
  return true
}
