import CZlib
import Foundation

/// The arrays of a NumPy `.npz` file: a ZIP archive of `.npy` files, stored or deflated.
///
/// Unpacks only requested entries, each to at most the size in the archive's directory, which is bounded by the largest
/// clip.
///
/// Source: PKWARE, ".ZIP File Format Specification" 6.3.4, 4.3.
public struct NumpyArchive {
  private struct Entry {
    var method: Int
    var start: Int
    var packed: Int
    var size: Int
  }

  private let file: InputFile
  private let entries: [String: Entry]

  /// The names of the arrays, without `.npy`, sorted.
  public var names: [String] { entries.keys.sorted() }

  /// - Throws: `DataError` if the file is not such an archive.
  public init(_ file: InputFile) throws {
    self.file = file
    let bytes = file.bytes
    func failure(_ found: String) -> DataError {
      DataError(file: file.name, expected: "a .npz file, which is a ZIP archive", found: found)
    }
    func number(_ place: Int, _ length: Int) -> Int {
      guard place >= 0, bytes.count - place >= length else { return -1 }
      return bytes[(bytes.startIndex + place)..<(bytes.startIndex + place + length)].reversed().reduce(0) {
        $0 << 8 | Int($1)
      }
    }
    guard number(0, 4) == 0x0403_4B50 else { throw failure("another file") }
    // The end of the directory stands before a comment of at most 64 KiB.
    var end = bytes.count - 22
    let lowest = max(0, end - 0xFFFF)
    while end >= lowest, number(end, 4) != 0x0605_4B50 { end -= 1 }
    guard end >= lowest else { throw failure("no directory: it is cut off") }
    var place = number(end + 16, 4)
    var entries: [String: Entry] = [:]
    for _ in 0..<number(end + 10, 2) {
      guard bytes.count - place >= 46, number(place, 4) == 0x0201_4B50 else { throw failure("a damaged directory") }
      let (nameLength, extra, comment) = (number(place + 28, 2), number(place + 30, 2), number(place + 32, 2))
      let local = number(place + 42, 4)
      guard bytes.count - place - 46 >= nameLength, bytes.count - local >= 30,
        number(local, 4) == 0x0403_4B50
      else {
        throw failure("a damaged directory")
      }
      let nameStart = bytes.startIndex + place + 46
      let name = String(decoding: bytes[nameStart..<nameStart + nameLength], as: UTF8.self)
      let start = local + 30 + number(local + 26, 2) + number(local + 28, 2)
      let entry = Entry(
        method: number(place + 10, 2), start: start, packed: number(place + 20, 4), size: number(place + 24, 4))
      guard start <= bytes.count, entry.packed <= bytes.count - start else { throw failure("an entry beyond the end") }
      if name.hasSuffix(".npy") { entries[String(name.dropLast(4))] = entry }
      place += 46 + nameLength + extra + comment
    }
    guard !entries.isEmpty else { throw failure("an archive without .npy files") }
    self.entries = entries
  }

  /// The `.npy` file of an array; `nil` if there is none of that name.
  ///
  /// - Throws: `DataError` if it is damaged, compressed with another method, or larger than a clip may be.
  public func array(_ name: String) throws -> InputFile? {
    guard let entry = entries[name] else { return nil }
    let place = "\(file.name)/\(name).npy"
    let packed = file.bytes[
      (file.bytes.startIndex + entry.start)..<(file.bytes.startIndex + entry.start + entry.packed)]
    guard entry.size <= Self.largest else {
      throw DataError(file: place, expected: "at most \(Self.largest) bytes", found: "\(entry.size)")
    }
    switch entry.method {
    case 0: return InputFile(name: place, bytes: Data(packed))
    case 8:
      guard let bytes = packed.inflated(size: entry.size) else {
        throw DataError(file: place, expected: "\(entry.size) bytes packed by DEFLATE", found: "damaged data")
      }
      return InputFile(name: place, bytes: bytes)
    default:
      throw DataError(
        file: place, expected: "an array stored or packed by DEFLATE, as numpy.savez does",
        found: "packing method \(entry.method)")
    }
  }

  /// The largest clip as doubles, and a header.
  private static let largest = ClipSize.most * 8 + 1 << 16
}

extension Data {
  /// The content packed by DEFLATE (RFC 1951); `nil` if it is damaged or does not have exactly `size` bytes.
  fileprivate func inflated(size: Int) -> Data? {
    // A compressed byte expands to at most 1032: a false size allocates no memory.
    guard size / 1040 <= count, count <= UInt32.max, size < UInt32.max else { return nil }
    var stream = z_stream()
    // Negative bits: without the header of a zlib file.
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return nil
    }
    defer { inflateEnd(&stream) }
    // One byte more than expected, to detect data that is too long.
    var output = [UInt8](repeating: 0, count: size + 1)
    let status = withUnsafeBytes { packed in
      output.withUnsafeMutableBufferPointer { output in
        // zlib only reads from where next_in points, in spite of its type.
        stream.next_in = UnsafeMutablePointer(mutating: packed.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(packed.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return inflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END, Int(stream.total_out) == size else { return nil }
    return Data(output.dropLast())
  }
}

extension NumpyArray {
  /// The numbers of a `.npy` file, of integers or floats; `nil` if it has others.
  public static func numbers(_ file: InputFile) -> [Double]? {
    let bytes = file.bytes
    guard bytes.starts(with: NumpyHeader.magic), bytes.count > 10, bytes[bytes.startIndex + 6] == 1 else { return nil }
    let length = Int(bytes[bytes.startIndex + 8]) | Int(bytes[bytes.startIndex + 9]) << 8
    guard let literal = NumpyHeaderLiteral(bytes.dropFirst(10).prefix(length)), let descr = literal.descr,
      let size = Int(descr.suffix(1)), [1, 2, 4, 8].contains(size)
    else { return nil }
    let content = Data(bytes.dropFirst(10 + length))
    guard content.count.isMultiple(of: size), content.count / size == literal.shape.reduce(1, { $0 &* $1 }) else {
      return nil
    }
    var numbers: [Double] = []
    for start in stride(from: 0, to: content.count, by: size) {
      let bits = content[start..<start + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      switch descr {
      case "<f8": numbers.append(Double(bitPattern: bits))
      case "<f4": numbers.append(Double(Float(bitPattern: UInt32(bits))))
      case "<i8": numbers.append(Double(Int64(bitPattern: bits)))
      case "<i4": numbers.append(Double(Int32(truncatingIfNeeded: bits)))
      case "<i2": numbers.append(Double(Int16(truncatingIfNeeded: bits)))
      case "<u8", "<u4", "<u2", "|u1": numbers.append(Double(bits))
      default: return nil
      }
    }
    return numbers
  }
}
