import CDecimals

/// The keys under which the objects of a list have numbers, such as the `x`, `y` and `score` of keypoints.
public struct JSONRecord: Sendable {
  let names: [StaticString]
  /// The same in quotation marks, as they stand in most files; none where one is longer than they may be.
  let keys: [cdecimals_key]
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
  /// Reads a list of objects and puts the numbers of each after `values`, in the order of the record's keys: NaN for a key
  /// that it lacks, and for `null`. Other keys are passed over.
  ///
  /// - Returns: how many objects there are.
  /// - Throws: `DataError` where one lacks a required key, or a value is neither a number nor `null`.
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
