import Foundation

/// An array of numbers from a NumPy `.npy` file: a shape, and the values in C order (the last index runs fastest).
///
/// Reads format versions 1.0, 2.0 and 3.0 of floats and integers in either byte order and index order, rounded to the
/// nearest float32; writes version 1.0 with float32.
///
/// - Source: NEP 1, A Simple File Format for NumPy Arrays, 2007, and the documentation of `numpy.lib.format` (versions 2.0
///   and 3.0, alignment to 64 bytes).
public struct NumpyArray: Hashable, Sendable {
  public let shape: [Int]
  public let values: [Float]

  /// - Precondition: The number of values matches the shape.
  public init(shape: [Int], values: [Float]) {
    precondition(shape.reduce(1, *) == values.count)
    self.shape = shape
    self.values = values
  }

  /// Reads a `.npy` file.
  ///
  /// Nothing is allocated before the size of the file is checked against the shape.
  ///
  /// - Throws: `DataError` if the file is not `.npy`, has another version or type, does not match its shape, or has more
  ///   numbers than a clip may have (`ClipSize`).
  public init(_ file: InputFile) throws {
    let header = try Self.clipHeader(file)
    shape = header.shape
    let read = [Float](unsafeUninitializedCapacity: header.valueCount) { values, initialized in
      values.preferLargePages()
      file.forEachPiece(of: header.byteCount..<file.bytes.count) { piece in
        let count = piece.count / header.type.byteCount
        let target = UnsafeMutableBufferPointer(rebasing: values[initialized..<initialized + count])
        header.type.read(piece, into: target)
        initialized += count
      }
    }
    values = header.isFortranOrder ? Self.inCOrder(read, shape: shape) : read
  }

  /// Values whose first index runs fastest, in the order in which the last one does.
  private static func inCOrder(_ values: [Float], shape: [Int]) -> [Float] {
    guard shape.count > 1, !values.isEmpty else { return values }
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in 1..<shape.count { strides[axis] = strides[axis - 1] * shape[axis - 1] }
    var indices = [Int](repeating: 0, count: shape.count)
    var place = 0
    return [Float](unsafeUninitializedCapacity: values.count) { ordered, initialized in
      for position in 0..<values.count {
        ordered[position] = values[place]
        var axis = shape.count - 1
        while axis >= 0 {
          indices[axis] += 1
          place += strides[axis]
          if indices[axis] < shape[axis] { break }
          place -= strides[axis] * shape[axis]
          indices[axis] = 0
          axis -= 1
        }
      }
      initialized = values.count
    }
  }

  /// Refuses a file that `init(_:)` would refuse, from its header alone.
  ///
  /// - Throws: As `init(_:)`.
  public static func requireClip(_ file: InputFile) throws { _ = try clipHeader(file) }

  private static func clipHeader(_ file: InputFile) throws -> NumpyHeader {
    let header = try NumpyHeader(file)
    let shape = header.shape
    try ClipSize.check(
      frames: shape.first ?? 1, of: shape.isEmpty ? 1 : header.valueCount / max(shape[0], 1), file: file.name)
    return header
  }

  /// Refuses infinite coordinates, which would spoil every result computed from them; NaN means missing.
  ///
  /// - Parameter file: The file's name in errors.
  ///
  /// - Throws: `DataError` if a value is infinite.
  public func requireNoInfinity(_ file: String) throws {
    guard let place = values.firstInfinity else { return }
    var rest = place
    var indices: [Int] = []
    for count in shape.reversed() {
      indices.insert(rest % count, at: 0)
      rest /= count
    }
    throw DataError(
      file: file, expected: "numbers or NaN",
      found: "an infinity at [\(indices.map { "\($0)" }.joined(separator: ", "))]")
  }

  /// The shape of a file's array, from its header alone.
  ///
  /// - Throws: `DataError` if the file cannot be read.
  public static func shape(of file: InputFile) throws -> [Int] { try NumpyHeader(file).shape }

  /// The `.npy` file.
  public var encoded: Data {
    let dimensions = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(dimensions)), }"
    let prefix = NumpyHeader.magic.count + 4
    // Spaces and a line feed align the values to a multiple of 64 bytes, for mapping.
    header += String(repeating: " ", count: 63 - (prefix + header.utf8.count) % 64) + "\n"
    var data = Data(NumpyHeader.magic)
    data.append(contentsOf: [1, 0])
    data.append(contentsOf: [UInt8(header.utf8.count & 0xFF), UInt8(header.utf8.count >> 8)])
    data.append(contentsOf: header.utf8)
    values.withUnsafeBytes { data.append(contentsOf: $0) }
    return data
  }
}

/// The header of a `.npy` file, checked against the size of the file.
struct NumpyHeader {
  /// The kind of the elements, their size and their byte order.
  struct ElementType {
    enum Kind {
      case float, signed, unsigned
    }

    let kind: Kind
    let byteCount: Int
    let isBigEndian: Bool

    /// `nil` for a type string (`numpy.dtype`) of other types; `=`, `|` or nothing before it means this machine's byte
    /// order.
    init?(_ descr: String) {
      let order = descr.first.flatMap { "<>=|".contains($0) ? $0 : nil }
      let code = descr.dropFirst(order == nil ? 0 : 1)
      switch code {
      case "f2", "f4", "f8": kind = .float
      case "i1", "i2", "i4", "i8": kind = .signed
      case "u1", "u2", "u4", "u8", "b1": kind = .unsigned
      default: return nil
      }
      byteCount = code.last?.wholeNumberValue ?? 0
      isBigEndian = order == ">"
    }

    /// Reads the elements of a piece of a file, whose size is a multiple of theirs.
    func read(_ piece: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<Float>) {
      func integers<Integer: FixedWidthInteger & BitwiseCopyable>(_: Integer.Type, _ value: (Integer) -> Float) {
        for index in target.indices {
          let bits = piece.loadUnaligned(fromByteOffset: index * byteCount, as: Integer.self)
          target[index] = value(isBigEndian ? Integer(bigEndian: bits) : Integer(littleEndian: bits))
        }
      }
      switch (kind, byteCount) {
      case (.float, 2): integers(UInt16.self) { Self.half($0) }
      case (.float, 4) where !isBigEndian: UnsafeMutableRawBufferPointer(target).copyMemory(from: piece)
      case (.float, 4): integers(UInt32.self) { Float(bitPattern: $0) }
      case (.float, _): integers(UInt64.self) { Float(Double(bitPattern: $0)) }
      case (.signed, 1): integers(Int8.self) { Float($0) }
      case (.signed, 2): integers(Int16.self) { Float($0) }
      case (.signed, 4): integers(Int32.self) { Float($0) }
      case (.signed, _): integers(Int64.self) { Float($0) }
      case (.unsigned, 1): integers(UInt8.self) { Float($0) }
      case (.unsigned, 2): integers(UInt16.self) { Float($0) }
      case (.unsigned, 4): integers(UInt32.self) { Float($0) }
      case (.unsigned, _): integers(UInt64.self) { Float($0) }
      }
    }

    /// A number of half precision, IEEE 754's binary16. Not by `Float16`, which Swift does not have on Intel Macs.
    private static func half(_ bits: UInt16) -> Float {
      // The exponents' biases are 15 and 127: with the same bits, a float32 is 2^-112 of it, exactly.
      let isFinite = bits & 0x7C00 != 0x7C00
      let magnitude =
        isFinite
        ? Float(bitPattern: UInt32(bits & 0x7FFF) << 13) * 0x1p112
        : Float(bitPattern: 0x7F80_0000 | UInt32(bits & 0x3FF) << 13)
      return bits & 0x8000 == 0 ? magnitude : -magnitude
    }
  }

  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  /// Ten times the header of an array with 64 dimensions, the most that NumPy supports.
  private static let longest = 1 << 16

  let type: ElementType
  let shape: [Int]
  let isFortranOrder: Bool
  let valueCount: Int
  /// The length of the header, which the values follow.
  let byteCount: Int

  init(_ file: InputFile) throws {
    let bytes = file.bytes
    func failure(expected: String, found: String) -> DataError {
      DataError(file: file.name, expected: expected, found: found)
    }
    guard bytes.starts(with: Self.magic) else {
      throw failure(
        expected: "a .npy file, which begins with \\x93NUMPY",
        found: bytes.isEmpty ? "an empty file" : Excerpt.of(bytes.prefix(8)))
    }
    guard bytes.count >= 8 else { throw failure(expected: "a format version", found: "the end of the file") }
    let version = (bytes[6], bytes[7])
    guard (1...3).contains(version.0), version.1 == 0 else {
      throw failure(expected: ".npy format version 1.0, 2.0 or 3.0", found: "version \(version.0).\(version.1)")
    }
    let lengthBytes = version.0 == 1 ? 2 : 4
    let start = 8 + lengthBytes
    guard bytes.count >= start else {
      throw failure(expected: "the length of the header", found: "the end of the file")
    }
    let length = bytes[8..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.longest else {
      throw failure(expected: "a header of at most \(Self.longest) bytes", found: "one of \(length)")
    }
    guard length <= bytes.count - start else {
      throw failure(
        expected: "a header of \(length) bytes", found: "\(bytes.count - start) bytes up to the end of the file")
    }
    byteCount = start + length

    // Version 3.0 differs from 2.0 in allowing UTF-8, which only the field names of structured types need.
    let text = bytes[start..<byteCount]
    guard let literal = NumpyHeaderLiteral(text) else {
      throw failure(
        expected: "a header like {'descr': '<f4', 'fortran_order': False, 'shape': (120, 17, 3), }",
        found: Excerpt.of(text))
    }
    type = try Self.type(literal.descr) { failure(expected: $0, found: $1) }
    isFortranOrder = literal.fortranOrder
    shape = literal.shape
    let dimensions = "(\(shape.map(String.init).joined(separator: ", ")))"
    guard let valueCount = Self.product(shape), let size = Self.product([valueCount, type.byteCount]) else {
      throw failure(expected: "a shape that fits in memory", found: "shape \(dimensions)")
    }
    self.valueCount = valueCount
    let left = bytes.count - byteCount
    guard size == left else {
      throw failure(
        expected: "\(size) bytes of values for shape \(dimensions)",
        found: "\(left) bytes, the file is \(left < size ? "truncated" : "too long")")
    }
  }

  /// `nil` if the product of the factors, none of them negative, exceeds `Int`.
  private static func product(_ factors: [Int]) -> Int? {
    // A 0 makes it 0 whatever the other factors are.
    if factors.contains(0) { return 0 }
    var product = 1
    for factor in factors {
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      if overflow { return nil }
      product = next
    }
    return product
  }

  private static func type(_ descr: String?, failure: (String, String) -> DataError) throws -> ElementType {
    let expected = "an array of floats of up to 64 bits or of integers"
    guard let descr else { throw failure(expected, "a structured type") }
    guard let type = ElementType(descr) else {
      throw failure(expected, descr.hasSuffix("O") ? "Python objects ('|O')" : Excerpt.of(descr))
    }
    return type
  }
}

/// The Python dictionary in the header of a `.npy` file: exactly the keys `descr`, `fortran_order` and `shape`.
struct NumpyHeaderLiteral {
  /// `nil` for a list, which describes a structured type.
  let descr: String?
  let fortranOrder: Bool
  let shape: [Int]

  /// `nil` for any other text.
  init?(_ text: some Sequence<UInt8>) {
    var scanner = Scanner(text: Array(text))
    var descr: String??
    var fortranOrder: Bool?
    var shape: [Int]?
    guard scanner.take("{") else { return nil }
    while !scanner.take("}") {
      guard let key = scanner.string(), scanner.take(":") else { return nil }
      switch key {
      case "descr" where descr == nil:
        if let value = scanner.string() {
          descr = .some(value)
        } else if scanner.list() {
          descr = .some(nil)
        } else {
          return nil
        }
      case "fortran_order" where fortranOrder == nil:
        guard let value = scanner.boolean() else { return nil }
        fortranOrder = value
      case "shape" where shape == nil:
        guard let value = scanner.tuple() else { return nil }
        shape = value
      default: return nil
      }
      if !scanner.take(",") {
        guard scanner.take("}") else { return nil }
        break
      }
    }
    guard scanner.atEnd(), let descr, let fortranOrder, let shape else { return nil }
    self.descr = descr
    self.fortranOrder = fortranOrder
    self.shape = shape
  }

  /// Reads the literals of the dictionary one after the other, with optional white space before each.
  private struct Scanner {
    let text: [UInt8]
    var position = 0

    private mutating func skipSpace() {
      while position < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[position]) { position += 1 }
    }

    mutating func atEnd() -> Bool {
      skipSpace()
      return position == text.count
    }

    mutating func take(_ token: StaticString) -> Bool {
      skipSpace()
      let found = token.withUTF8Buffer { text[position...].starts(with: $0) }
      if found { position += token.utf8CodeUnitCount }
      return found
    }

    /// A string without escapes, in either kind of quotation mark.
    mutating func string() -> String? {
      skipSpace()
      guard position < text.count, [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(text[position]) else { return nil }
      let quote = text[position]
      guard let end = text[(position + 1)...].firstIndex(of: quote) else { return nil }
      defer { position = end + 1 }
      return String(decoding: text[(position + 1)..<end], as: UTF8.self)
    }

    mutating func boolean() -> Bool? { take("True") ? true : take("False") ? false : nil }

    /// Whole numbers from 0 in parentheses; Python 2 wrote an `L` after long ones.
    mutating func tuple() -> [Int]? {
      guard take("(") else { return nil }
      var numbers: [Int] = []
      while !take(")") {
        skipSpace()
        let digits = text[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        position += digits.count
        _ = take("L")
        numbers.append(number)
        if !take(",") {
          guard take(")") else { return nil }
          break
        }
      }
      return numbers
    }

    /// Skips a list, whatever its content.
    mutating func list() -> Bool {
      guard take("[") else { return false }
      var depth = 1
      while depth > 0 {
        guard position < text.count else { return false }
        if text[position] == UInt8(ascii: "[") { depth += 1 }
        if text[position] == UInt8(ascii: "]") { depth -= 1 }
        position += 1
      }
      return true
    }
  }
}

extension [Float] {
  /// The index of the first infinite value.
  ///
  /// Checks all values before it looks for the index, because processors run the first loop in parallel.
  package var firstInfinity: Int? {
    var found: UInt32 = 0
    for value in self { found |= value.bitPattern & 0x7FFF_FFFF == Float.infinity.bitPattern ? 1 : 0 }
    return found == 0 ? nil : firstIndex(where: \.isInfinite)
  }
}
