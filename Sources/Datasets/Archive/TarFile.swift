import Files
import Foundation

/// The interchange format of POSIX `tar`, limited to the needs of a folder of files.
///
/// - Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Extended Header".
enum TarFormat {
  static let blockSize = 512

  /// The positions of a header's fields.
  static let name = 0..<100
  static let mode = 100..<108
  static let user = 108..<116
  static let group = 116..<124
  static let size = 124..<136
  static let modified = 136..<148
  static let checksum = 148..<156
  static let kind = 156
  static let magic = 257..<265
  static let prefix = 345..<500

  static let ustar = Array("ustar\u{0}00".utf8)
  static let file = UInt8(ascii: "0")
  static let folder = UInt8(ascii: "5")
  /// A record with values that do not fit into the next header.
  static let extended = UInt8(ascii: "x")

  /// The sum of a header's bytes with its own field as spaces.
  static func sum(_ header: [UInt8]) -> Int {
    header.enumerated().reduce(0) { $0 + (checksum.contains($1.offset) ? 32 : Int($1.element)) }
  }

  /// Zeros up to a full block.
  static func padding(after size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (blockSize - size % blockSize) % blockSize)
  }
}

/// Writes files one after the other as an encrypted `tar` stream, without owners and times, which would reveal more
/// than the files.
struct TarWriter {
  private var output: AgeWriter

  init(_ output: AgeWriter) { self.output = output }

  /// - Parameter path: The path within the archive.
  mutating func append(_ bytes: Data, path: String) throws {
    let name = Array(path.utf8)
    if name.count > TarFormat.name.count || bytes.count >= 1 << 33 {
      var record = Self.record("path", path)
      if bytes.count >= 1 << 33 { record += Self.record("size", "\(bytes.count)") }
      try entry(Array("extended".utf8), size: record.utf8.count, TarFormat.extended)
      try content(Data(record.utf8))
    }
    try entry(Array(name.prefix(TarFormat.name.count)), size: min(bytes.count, 1 << 33 - 1), TarFormat.file)
    try content(bytes)
  }

  /// Two empty blocks.
  mutating func finish() throws {
    try output.append(Data(count: 2 * TarFormat.blockSize))
    try output.finish()
  }

  private mutating func content(_ bytes: Data) throws {
    try output.append(bytes)
    try output.append(TarFormat.padding(after: bytes.count))
  }

  private mutating func entry(_ name: [UInt8], size: Int, _ kind: UInt8) throws {
    var header = [UInt8](repeating: 0, count: TarFormat.blockSize)
    func set(_ field: Range<Int>, _ bytes: [UInt8]) {
      header.replaceSubrange(field.lowerBound..<field.lowerBound + bytes.count, with: bytes)
    }
    func octal(_ value: Int, _ field: Range<Int>) -> [UInt8] {
      let digits = String(value, radix: 8)
      return Array((String(repeating: "0", count: field.count - 1 - digits.count) + digits).utf8)
    }
    set(TarFormat.name, name)
    set(TarFormat.mode, octal(0o644, TarFormat.mode))
    for field in [TarFormat.user, TarFormat.group, TarFormat.modified] { set(field, octal(0, field)) }
    set(TarFormat.size, octal(size, TarFormat.size))
    header[TarFormat.kind] = kind
    set(TarFormat.magic, TarFormat.ustar)
    set(TarFormat.checksum, octal(TarFormat.sum(header), 0..<7) + [0, 32])
    try output.append(header)
  }

  /// `length key=value\n`; the length includes its own digits.
  private static func record(_ key: String, _ value: String) -> String {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count + 1
    while "\(length)".utf8.count + rest.utf8.count != length { length += 1 }
    return "\(length)\(rest)"
  }
}

/// Unpacks the files of an encrypted `tar` stream into a folder, never outside it.
struct TarReader {
  let archive: String
  var input: AgeReader

  /// - Throws: `DataError` for a stream that is truncated, damaged or contains anything but files and folders with
  ///   portable names.
  mutating func unpack(into folder: String) throws {
    var longPath: String?
    var longSize: Int?
    while true {
      let header = try block()
      if header.allSatisfy({ $0 == 0 }) {
        // The rest of the stream must still be authenticated.
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
      default: throw failure("only files and folders", "\(Excerpt.of(path)), which is neither")
      }
      (longPath, longSize) = (nil, nil)
    }
  }

  private mutating func unpackFile(_ path: String, size: Int, into folder: String) throws {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // `tar` uses this name for the current folder.
    if parts.first == "." { parts.removeFirst() }
    guard !parts.isEmpty, parts.allSatisfy({ PortableName.isValid(String($0)) }) else {
      throw failure("relative paths of portable names", Excerpt.of(path))
    }
    let name = parts.joined(separator: "/")
    guard makeFolder(([folder] + parts.dropLast().map(String.init)).joined(separator: "/")) else {
      throw DataError.cannotWrite("\(archive): \(name)")
    }
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
