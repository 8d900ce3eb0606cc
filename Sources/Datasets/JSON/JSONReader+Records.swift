/// The keys under which the objects of a list have numbers, such as the `x`, `y` and `score` of keypoints.
public struct JSONRecord: Sendable {
  /// A key with its quotation marks, as it stands in most files.
  struct Key: Sendable {
    let name: StaticString
    /// The first eight bytes in quotation marks, and which of them there are.
    let word: UInt64
    let mask: UInt64
    let count: Int
  }

  let keys: [Key]
  /// How many of the keys, from the first, an object must have.
  let required: Int
  let description: String

  /// - Parameters:
  ///   - keys: at most eight.
  ///   - required: how many of them, from the first, an object must have.
  ///   - description: what errors call an object: `a keypoint with x and y`.
  public init(_ keys: [StaticString], required: Int, _ description: String) {
    precondition(keys.count <= 8 && required <= keys.count)
    self.required = required
    self.description = description
    self.keys = keys.map { name in
      let bytes = Array("\"\(name)\"".utf8)
      var word: UInt64 = 0
      for (place, byte) in bytes.prefix(8).enumerated() { word |= UInt64(byte) << UInt64(8 * place) }
      return Key(
        name: name, word: word, mask: bytes.count >= 8 ? .max : 1 << UInt64(8 * bytes.count) - 1, count: bytes.count)
    }
  }
}

extension JSONReader {
  /// Reads a list of objects and puts the numbers of each after `values`, in the order of the record's keys: NaN for a key
  /// that it lacks, and for `null`. Other keys are passed over.
  ///
  /// - Returns: how many objects there are.
  /// - Throws: `DataError` where one lacks a required key, or a value is neither a number nor `null`.
  @discardableResult
  public mutating func records(_ record: JSONRecord, into values: inout [Float]) throws -> Int {
    var count = 0
    try array { json in
      try json.record(record, into: &values)
      count += 1
    }
    return count
  }

  /// Reads one such object.
  public mutating func record(_ record: JSONRecord, into values: inout [Float]) throws {
    guard take(UInt8(ascii: "{")) else { throw failure(expected: Kind.object.rawValue) }
    let keys = record.keys
    var numbers = SIMD8<Float>(repeating: .nan)
    var isThere: UInt8 = 0
    // Objects have their keys in the same order, mostly that of the record.
    var next = 0
    skipSpace()
    var isOpen = !take(UInt8(ascii: "}"))
    while isOpen {
      if try takeKey(keys, near: &next) {
        numbers[next] = try coordinate()
        isThere |= 1 << UInt8(next)
        next = next + 1 == keys.count ? 0 : next + 1
      } else {
        let value = position
        try skip()
        guard position > value else { throw failure(expected: "a value") }
      }
      skipSpace()
      if take(UInt8(ascii: ",")) {
        skipSpace()
      } else {
        guard take(UInt8(ascii: "}")) else { throw failure(expected: "\",\" or \"}\"") }
        isOpen = false
      }
    }
    guard (~isThere).trailingZeroBitCount >= record.required else {
      throw failure(expected: record.description, found: "one without")
    }
    for index in 0..<keys.count { values.append(numbers[index]) }
  }

  /// Takes a key with its colon. Says whether it is one of `keys`, and puts which into `next`, where it is looked for first.
  @inline(__always)
  private mutating func takeKey(_ keys: [JSONRecord.Key], near next: inout Int) throws -> Bool {
    let expected = keys[next]
    if bytes.count &- position >= 8 {
      let text = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if UInt64(littleEndian: text) & expected.mask == expected.word, expected.count <= 8 {
        let end = position &+ expected.count
        if end < bytes.count, bytes[end] == UInt8(ascii: ":") {
          position = end &+ 1
          skipSpace()
          return true
        }
      }
    }
    return try takeOtherKey(keys, near: &next)
  }

  @inline(never)
  private mutating func takeOtherKey(_ keys: [JSONRecord.Key], near next: inout Int) throws -> Bool {
    let key = try key()
    guard let place = keys.firstIndex(where: { $0.name ~= key }) else { return false }
    next = place
    return true
  }
}
