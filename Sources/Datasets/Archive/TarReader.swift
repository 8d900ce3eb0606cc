import Foundation

/// Unpacks the files of an encrypted `tar` stream into a folder, none of them outside it.
struct TarReader {
  let archive: String
  var input: AgeReader

  /// - Throws: `DataError` for a stream that is truncated or damaged or holds anything but files and folders under plain
  ///   names.
  mutating func unpack(into folder: String) throws {
    var longPath: String?
    var longSize: Int?
    while true {
      let header = try block()
      if header.allSatisfy({ $0 == 0 }) {
        // Whatever follows the end is still to be found authentic.
        while try !input.read(1 << 16).isEmpty {}
        return
      }
      guard octal(header[TarFormat.checksum]) == TarFormat.sum(header), let size = octal(header[TarFormat.size]) else {
        throw failure("a tar archive", "a damaged header")
      }
      let path = longPath ?? Self.path(header)
      let length = longSize ?? size
      switch header[TarFormat.kind] {
      case TarFormat.extended:
        (longPath, longSize) = try extendedHeader(size)
        continue
      case TarFormat.folder: break
      case TarFormat.file, 0: try unpackFile(path, size: length, into: folder)
      default: throw failure("nothing but files and folders", "\(Excerpt.of(path)), which is neither")
      }
      (longPath, longSize) = (nil, nil)
    }
  }

  private mutating func unpackFile(_ path: String, size: Int, into folder: String) throws {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // As `tar` packs the current folder.
    if parts.first == "." { parts.removeFirst() }
    guard !parts.isEmpty, parts.allSatisfy({ PortableName.isValid(String($0)) }) else {
      throw failure("paths of portable names within the archive", Excerpt.of(path))
    }
    let name = parts.joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: folder + "/" + parts.dropLast().joined(separator: "/"), withIntermediateDirectories: true)
    let file = try OutputFile("\(folder)/\(name)", name: "\(archive): \(name)")
    var left = size
    while left > 0 {
      let bytes = try input.read(min(left, 1 << 16))
      guard !bytes.isEmpty else { throw failure("all of \(Excerpt.of(name))", "the archive's end") }
      try file.append(bytes)
      left -= bytes.count
    }
    try file.finish()
    _ = try input.read(TarFormat.padding(after: size).count)
  }

  private mutating func extendedHeader(_ size: Int) throws -> (path: String?, size: Int?) {
    guard size <= 1 << 16 else { throw failure("an extended header of at most 64 KiB", "one of \(size) bytes") }
    let bytes = try input.read(size)
    _ = try input.read(TarFormat.padding(after: size).count)
    var values: [Substring: Substring] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let pair = line.drop { $0 != " " }.dropFirst().split(separator: "=", maxSplits: 1)
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
    let length = values["size"].flatMap { Int($0) }
    guard (length ?? 0) >= 0 else { throw failure("the size of a file", "\(length ?? 0)") }
    return (values["path"].map(String.init), length)
  }

  private mutating func block() throws -> [UInt8] {
    let block = try input.read(TarFormat.blockSize)
    guard block.count == TarFormat.blockSize else { throw failure("a tar archive with its end", "none") }
    return block
  }

  private static func path(_ header: [UInt8]) -> String {
    func text(_ field: Range<Int>) -> String { String(decoding: header[field].prefix { $0 != 0 }, as: UTF8.self) }
    let isUstar = header[TarFormat.magic].starts(with: Array("ustar\u{0}".utf8))
    let prefix = isUstar ? text(TarFormat.prefix) : ""
    return prefix.isEmpty ? text(TarFormat.name) : prefix + "/" + text(TarFormat.name)
  }

  private func octal(_ field: ArraySlice<UInt8>) -> Int? {
    let digits = field.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    return Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 >= 0 ? $0 : nil }
  }

  private func failure(_ expected: String, _ found: String) -> DataError {
    DataError(file: archive, expected: expected, found: found)
  }
}
