import Files
import Foundation
import Testing

/// `gzip -n` packed "abc\n" into these bytes.
@Suite struct GzipTests {
  private static let packed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x4B, 0x4C, 0x4A, 0xE6,
    0x02, 0x00, 0x4E, 0x81, 0x88, 0x47, 0x04, 0x00, 0x00, 0x00,
  ]

  private func unpack(_ bytes: [UInt8], atMost largest: Int = Gzip.largest) throws -> String {
    let file = try Gzip.unpack(InputFile(name: "a.csv.gz", bytes: Data(bytes)), atMost: largest)
    return String(decoding: file.bytes, as: UTF8.self)
  }

  @Test func oneOrSeveralMembersAreUnpacked() throws {
    #expect(try unpack(Self.packed) == "abc\n")
    #expect(try unpack(Self.packed + Self.packed) == "abc\nabc\n")
    #expect(try unpack(Self.packed + [0, 0, 0]) == "abc\n")
  }

  @Test func whatIsDamagedIsNamed() {
    func error(_ found: String) -> DataError {
      DataError(file: "a.csv.gz", expected: "a whole file packed by gzip", found: found)
    }
    #expect(throws: error("an empty file")) { try unpack([]) }
    #expect(throws: error("another file")) { try unpack(Array("abc".utf8)) }
    #expect(throws: error("one that is cut off")) { try unpack(Array(Self.packed.dropLast(6))) }
    #expect(throws: error("other bytes after its end")) { try unpack(Self.packed + [1]) }
    var wrong = Self.packed
    wrong[wrong.count - 8] ^= 1
    #expect(throws: error("damaged data")) { try unpack(wrong) }
  }

  @Test func aFileThatUnpacksToTooMuchIsRefused() {
    #expect(
      throws: DataError(
        file: "a.csv.gz", expected: "at most 3 bytes when it is unpacked",
        found: "more; unpack it with gunzip, which allows 4294967296")
    ) { try unpack(Self.packed, atMost: 3) }
  }
}
