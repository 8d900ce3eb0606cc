import Foundation

/// Writes files one after the other as an encrypted `tar` stream: without owners and times, so that it tells nothing but
/// the files.
struct TarWriter {
  private var output: AgeWriter

  init(_ output: AgeWriter) { self.output = output }

  /// - Parameter path: within the archive.
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

  /// `length key=value\n`, where the length counts its own digits.
  private static func record(_ key: String, _ value: String) -> String {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count + 1
    while "\(length)".utf8.count + rest.utf8.count != length { length += 1 }
    return "\(length)\(rest)"
  }
}
