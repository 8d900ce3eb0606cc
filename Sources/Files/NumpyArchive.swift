import Foundation

/// The arrays of a NumPy `.npz` file: a ZIP archive of `.npy` files, stored or deflated.
///
/// Only entries that are asked for are unpacked, each to at most the size that its record in the archive's directory
/// says, which is bounded by what a clip may have.
///
/// Source: PKWARE, ".ZIP File Format Specification" 6.3.4, 4.3; RFC 1951, "DEFLATE Compressed Data Format".
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
  /// - Throws: `DataError` if it is damaged, packed in another way, or larger than a clip may be.
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
      guard let bytes = Inflate.bytes(packed, size: entry.size) else {
        throw DataError(file: place, expected: "\(entry.size) bytes packed by DEFLATE", found: "damaged data")
      }
      return InputFile(name: place, bytes: bytes)
    default:
      throw DataError(
        file: place, expected: "an array stored or packed by DEFLATE, as numpy.savez does",
        found: "packing method \(entry.method)")
    }
  }

  /// A clip's most numbers as doubles, and a header.
  private static let largest = ClipSize.most * 8 + 1 << 16
}

/// Unpacks DEFLATE (RFC 1951).
enum Inflate {
  /// `nil` if the data are damaged or do not give exactly `size` bytes.
  static func bytes(_ packed: Data, size: Int) -> Data? {
    // A byte gives at most 1032.
    guard size / 1040 <= packed.count else { return nil }
    return packed.withUnsafeBytes { raw in
      var output = [UInt8]()
      output.reserveCapacity(size)
      var reader = Bits(bytes: raw.bindMemory(to: UInt8.self))
      while true {
        guard let isLast = reader.take(1), let kind = reader.take(2) else { return nil }
        switch kind {
        case 0: guard reader.stored(into: &output, most: size) else { return nil }
        case 1:
          guard reader.block(Self.fixedLengths, Self.fixedDistances, into: &output, most: size) else { return nil }
        case 2:
          guard let (lengths, distances) = reader.codes(),
            reader.block(lengths, distances, into: &output, most: size)
          else { return nil }
        default: return nil
        }
        if isLast == 1 { return output.count == size ? Data(output) : nil }
      }
    }
  }

  private static let fixedLengths = Code(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = Code([Int](repeating: 5, count: 30))

  private static let lengthBase = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let lengthExtra = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBase = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
  ]
  private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// A canonical Huffman code: how many codes of each length there are, and their symbols in order (3.2.2).
  struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: [Int]) {
      for length in lengths where length > 0 { counts[length] += 1 }
      for length in 1..<16 where counts[length] > 0 {
        symbols += lengths.indices.filter { lengths[$0] == length }
      }
    }
  }

  private struct Bits {
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0
    var held: UInt32 = 0
    var count = 0

    mutating func take(_ wanted: Int) -> Int? {
      while count < wanted {
        guard place < bytes.count else { return nil }
        held |= UInt32(bytes[place]) << UInt32(count)
        place += 1
        count += 8
      }
      let value = Int(held & ((1 << UInt32(wanted)) - 1))
      held >>= UInt32(wanted)
      count -= wanted
      return value
    }

    mutating func symbol(_ code: Code) -> Int? {
      var (value, first, index) = (0, 0, 0)
      for length in 1..<16 {
        guard let bit = take(1) else { return nil }
        value |= bit
        let here = code.counts[length]
        guard value >= first else { return nil }
        if value - first < here { return code.symbols[index + value - first] }
        index += here
        first = (first + here) << 1
        value <<= 1
      }
      return nil
    }

    mutating func stored(into output: inout [UInt8], most: Int) -> Bool {
      held = 0
      count = 0
      guard bytes.count - place >= 4 else { return false }
      let length = Int(bytes[place]) | Int(bytes[place + 1]) << 8
      let check = Int(bytes[place + 2]) | Int(bytes[place + 3]) << 8
      place += 4
      guard length ^ 0xFFFF == check, bytes.count - place >= length, output.count + length <= most else { return false }
      output += bytes[place..<place + length]
      place += length
      return true
    }

    /// The codes of lengths and distances of a block (3.2.7).
    mutating func codes() -> (Code, Code)? {
      guard let lengthCount = take(5), let distanceCount = take(5), let codeCount = take(4), lengthCount < 30 else {
        return nil
      }
      var order = [Int](repeating: 0, count: 19)
      for index in 0..<codeCount + 4 {
        guard let length = take(3) else { return nil }
        order[Inflate.codeOrder[index]] = length
      }
      let code = Code(order)
      let total = lengthCount + 257 + distanceCount + 1
      var lengths: [Int] = []
      while lengths.count < total {
        guard let symbol = symbol(code) else { return nil }
        switch symbol {
        case 0..<16: lengths.append(symbol)
        case 16:
          guard let last = lengths.last, let more = take(2) else { return nil }
          lengths += [Int](repeating: last, count: more + 3)
        case 17:
          guard let more = take(3) else { return nil }
          lengths += [Int](repeating: 0, count: more + 3)
        default:
          guard let more = take(7) else { return nil }
          lengths += [Int](repeating: 0, count: more + 11)
        }
      }
      guard lengths.count == total else { return nil }
      return (Code(Array(lengths[..<(lengthCount + 257)])), Code(Array(lengths[(lengthCount + 257)...])))
    }

    mutating func block(_ lengths: Code, _ distances: Code, into output: inout [UInt8], most: Int) -> Bool {
      while let symbol = symbol(lengths) {
        if symbol == 256 { return true }
        if symbol < 256 {
          guard output.count < most else { return false }
          output.append(UInt8(symbol))
          continue
        }
        guard symbol < 286, let extra = take(Inflate.lengthExtra[symbol - 257]), let near = self.symbol(distances),
          near < 30, let far = take(near < 4 ? 0 : near / 2 - 1)
        else { return false }
        let length = Inflate.lengthBase[symbol - 257] + extra
        let distance = Inflate.distanceBase[near] + far
        guard distance <= output.count, output.count + length <= most else { return false }
        for _ in 0..<length { output.append(output[output.count - distance]) }
      }
      return false
    }
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
