import CDecimals

extension JSONReader {
  /// A finite number.
  public mutating func number() throws -> Double {
    let number = try decimal(expected: Kind.number.rawValue)
    let value = number.double(bytes)
    guard value.isFinite else { throw failure(expected: "a number up to 1.8e308") }
    position = number.end
    return value
  }

  /// A whole number; `3.0`, as Python writes a float, is 3.
  public mutating func integer() throws -> Int {
    let number = try decimal(expected: "a whole number")
    guard let value = number.integer ?? Int(exactly: number.double(bytes)) else {
      throw failure(expected: "a whole number")
    }
    position = number.end
    return value
  }

  /// A number as a `Float`; NaN for `null` and `NaN`, which mean missing.
  public mutating func coordinate() throws -> Float {
    if take("null") || take("NaN") { return .nan }
    let number = try decimal(expected: "a number or null")
    let value = number.float(bytes)
    guard value.isFinite else { throw failure(expected: "a number up to 3.4e38") }
    position = number.end
    return value
  }

  /// Appends a list of coordinates to `values`.
  ///
  /// - Returns: How many there are.
  @discardableResult
  public mutating func coordinates(into values: inout [Float]) throws -> Int {
    let before = values.count
    guard take(UInt8(ascii: "[")) else { throw failure(expected: "a list of numbers") }
    skipSpace()
    if take(UInt8(ascii: "]")) { return 0 }
    try withUnsafeTemporaryAllocation(of: Float.self, capacity: 128) { buffer in
      while true {
        var isClosed = false
        let usual = cdecimals_list(
          bytes.baseAddress, bytes.count, &position, buffer.baseAddress, buffer.count, &isClosed)
        values.append(contentsOf: buffer[..<usual])
        passMemory()
        if isClosed {
          position &+= 1
          return
        }
        if usual == buffer.count { continue }
        values.append(try coordinate())
        if try listEnds() { return }
      }
    }
    return values.count - before
  }

  /// Appends nested lists of coordinates to `values`; the last index runs fastest.
  ///
  /// - Returns: The length of the lists at each depth.
  /// - Throws: `DataError` if lists of one depth differ in length, or are more than eight deep.
  public mutating func tensor(into values: inout [Float]) throws -> [Int] { try tensor(into: &values, depth: 1) }

  private mutating func tensor(into values: inout [Float], depth: Int) throws -> [Int] {
    let start = position
    guard take(UInt8(ascii: "[")) else { throw failure(expected: "a list of numbers") }
    guard depth <= 8 else { throw failure(expected: "at most eight nested lists") }
    skipSpace()
    if take(UInt8(ascii: "]")) { return [0] }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else {
      position = start
      return [try coordinates(into: &values)]
    }
    var shape = try tensor(into: &values, depth: depth + 1)
    var count = 1
    while try !listEnds() {
      let element = position
      let other = try tensor(into: &values, depth: depth + 1)
      guard other == shape else {
        position = element
        throw failure(expected: "a list of \(Self.words(shape)) values, as in the one before", found: Self.words(other))
      }
      count += 1
    }
    shape.insert(count, at: 0)
    return shape
  }

  private static func words(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: " x ") }

  /// Skips a number without parsing it.
  mutating func skipNumber() throws {
    // Python's `json` writes these too.
    if take("NaN") || take("Infinity") || take("-Infinity") { return }
    position = try decimal(expected: Kind.number.rawValue).end
  }

  /// The next number, without consuming it.
  private func decimal(expected: String) throws -> DecimalNumber {
    guard let number = DecimalNumber(bytes, at: position), Self.isJSON(number, bytes, at: position) else {
      throw failure(expected: expected)
    }
    return number
  }

  /// Whether a number is valid JSON: without a plus sign, a superfluous zero or a trailing point.
  @inline(__always)
  static func isJSON(
    _ number: DecimalNumber, _ bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Bool {
    let first = bytes[place] == UInt8(ascii: "-") ? place &+ 1 : place
    guard bytes[first] &- UInt8(ascii: "0") < 10, bytes[number.end &- 1] != UInt8(ascii: ".") else { return false }
    if bytes[first] == UInt8(ascii: "0"), first &+ 1 < number.end, bytes[first &+ 1] &- UInt8(ascii: "0") < 10 {
      return false
    }
    guard number.end < bytes.count else { return true }
    let next = bytes[number.end]
    return next == UInt8(ascii: ",") || next == UInt8(ascii: "]") || !isWordByte(next)
  }
}

/// The keys of numbers in the objects of a list, such as the `x`, `y` and `score` of keypoints.
public struct JSONRecord: Sendable {
  let names: [StaticString]
  /// The keys in quotation marks, as they appear in most files; empty if one is too long.
  let keys: [cdecimals_key]
  /// How many of the keys, from the first, an object must have.
  let required: Int
  let description: String

  /// - Parameters:
  ///   - keys: At most eight.
  ///   - required: How many of them, from the first, an object must have.
  ///   - description: An object's description in errors: `a keypoint with x and y`.
  public init(_ keys: [StaticString], required: Int, _ description: String) {
    precondition(keys.count <= 8 && required <= keys.count)
    self.required = required
    self.description = description
    names = keys
    self.keys = keys.allSatisfy { $0.utf8CodeUnitCount <= 14 } ? keys.map(Self.quoted) : []
  }

  private static func quoted(_ name: StaticString) -> cdecimals_key {
    let bytes = Array("\"\(name)\"".utf8)
    var words: [UInt64] = [0, 0]
    var masks: [UInt64] = [0, 0]
    for (place, byte) in bytes.enumerated() {
      let shift = UInt64(8 * (place % 8))
      words[place / 8] |= UInt64(byte) << shift
      masks[place / 8] |= 0xFF << shift
    }
    return cdecimals_key(words: (words[0], words[1]), masks: (masks[0], masks[1]), count: bytes.count)
  }
}

extension JSONReader {
  /// Reads a list of objects and appends the numbers of each to `values`, in the order of the record's keys: NaN for a
  /// missing key, and for `null`. Other keys are ignored.
  ///
  /// - Returns: How many objects there are.
  /// - Throws: `DataError` if one lacks a required key, or a value is neither a number nor `null`.
  @discardableResult
  public mutating func records(_ record: JSONRecord, into values: inout [Float]) throws -> Int {
    guard take(UInt8(ascii: "[")) else { throw failure(expected: Kind.array.rawValue) }
    skipSpace()
    if take(UInt8(ascii: "]")) { return 0 }
    var count = 0
    try withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.recordsAtOnce * 8) { buffer in
      while true {
        var isClosed = false
        var usual = 0
        if !record.keys.isEmpty {
          usual = cdecimals_records(
            bytes.baseAddress, bytes.count, &position, record.keys, record.keys.count, buffer.baseAddress,
            Self.recordsAtOnce, &isClosed)
          values.append(contentsOf: buffer[..<(usual * record.keys.count)])
        }
        count += usual
        passMemory()
        if isClosed {
          position &+= 1
          return
        }
        if usual == Self.recordsAtOnce { continue }
        try self.record(record, into: &values)
        count += 1
        if try listEnds() { return }
      }
    }
    return count
  }

  private static let recordsAtOnce = 32

  /// Reads one such object.
  public mutating func record(_ record: JSONRecord, into values: inout [Float]) throws {
    var numbers = SIMD8<Float>(repeating: .nan)
    var isThere: UInt8 = 0
    try object { json, key in
      guard let place = record.names.firstIndex(where: { $0 ~= key }) else { return try json.skip() }
      numbers[place] = try json.coordinate()
      isThere |= 1 << UInt8(place)
    }
    guard (~isThere).trailingZeroBitCount >= record.required else {
      throw failure(expected: record.description, found: "one without")
    }
    for index in record.names.indices { values.append(numbers[index]) }
  }
}

extension JSONReader {
  /// Calls `take` with the keys, the value and the place of each number of a document, up to 512 keys deep.
  package static func forEachNumber(
    in file: InputFile, _ take: ([String], Double, Range<Int>) throws -> Void
  ) throws {
    var keys: [String] = []
    try read(file) { try $0.forEachNumber(at: &keys, take) }
  }

  private mutating func forEachNumber(
    at keys: inout [String], _ take: ([String], Double, Range<Int>) throws -> Void
  ) throws {
    guard keys.count < 512 else { return try skip() }
    switch try kind() {
    case .object:
      try object { json, key in
        keys.append((keys.isEmpty ? "" : ".") + key.text)
        try json.forEachNumber(at: &keys, take)
        keys.removeLast()
      }
    case .array:
      var index = 0
      try array { json in
        keys.append("[\(index)]")
        try json.forEachNumber(at: &keys, take)
        keys.removeLast()
        index += 1
      }
    case .number:
      let start = position
      let value = try number()
      try take(keys, value, start..<position)
    case .string, .boolean, .null: try skip()
    }
  }
}
