import CZlib
import Foundation

/// Files packed by gzip, alone or several in a row.
///
/// - Source: RFC 1952, GZIP file format specification 4.3, 1996.
public enum Gzip {
  /// The size to which a file may unpack; it is in memory as a whole.
  public static let largest = 1 << 30

  /// The content of a packed file, under the same name.
  ///
  /// Memory grows with what was unpacked: a false size allocates nothing.
  ///
  /// - Throws: `DataError` if the file is not packed by gzip, is damaged or cut off, or unpacks to more than `largest`.
  public static func unpack(_ file: InputFile, atMost largest: Int = Gzip.largest) throws -> InputFile {
    func failure(_ found: String) -> DataError {
      DataError(file: file.name, expected: "a whole file packed by gzip", found: found)
    }
    guard file.bytes.starts(with: [0x1F, 0x8B]) else {
      throw failure(file.bytes.isEmpty ? "an empty file" : "another file")
    }
    guard file.bytes.count <= UInt32.max else { throw failure("more than 4 GiB") }
    var stream = z_stream()
    // 16 more bits: with the header of gzip.
    guard inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw failure("no memory to unpack it")
    }
    defer { inflateEnd(&stream) }
    var output = Data()
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    try file.bytes.withUnsafeBytes { packed in
      // zlib only reads from where next_in points, in spite of its type.
      stream.next_in = UnsafeMutablePointer(mutating: packed.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = UInt32(packed.count)
      while true {
        let status = piece.withUnsafeMutableBufferPointer { piece in
          stream.next_out = piece.baseAddress
          stream.avail_out = UInt32(piece.count)
          return inflate(&stream, Z_NO_FLUSH)
        }
        let count = piece.count - Int(stream.avail_out)
        guard output.count + count <= largest else {
          throw DataError(
            file: file.name, expected: "at most \(largest) bytes when it is unpacked",
            found: "more; unpack it with gunzip, which allows \(InputFile.largest)")
        }
        output.append(contentsOf: piece[..<count])
        switch status {
        case Z_OK where stream.avail_in > 0 || count == piece.count: continue
        case Z_STREAM_END:
          // Another member may follow; zeros fill up tapes.
          let rest = packed[(packed.count - Int(stream.avail_in))...]
          guard rest.starts(with: [0x1F, 0x8B]) else {
            guard rest.allSatisfy({ $0 == 0 }) else { throw failure("other bytes after its end") }
            return
          }
          guard inflateReset(&stream) == Z_OK else { throw failure("damaged data") }
        case Z_OK, Z_BUF_ERROR: throw failure("one that is cut off")
        default: throw failure("damaged data")
        }
      }
    }
    return InputFile(name: file.name, bytes: output)
  }
}
