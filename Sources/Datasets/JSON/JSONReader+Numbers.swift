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

  /// A whole number; `3.0`, as Python writes one that was a float, is 3.
  public mutating func integer() throws -> Int {
    let number = try decimal(expected: "a whole number")
    guard let value = number.integer ?? Int(exactly: number.double(bytes)) else {
      throw failure(expected: "a whole number")
    }
    position = number.end
    return value
  }

  /// A number as a `Float`; NaN for `null` and `NaN`, which stand for a missing one.
  public mutating func coordinate() throws -> Float {
    if take("null") || take("NaN") { return .nan }
    let number = try decimal(expected: "a number or null")
    let value = number.float(bytes)
    guard value.isFinite else { throw failure(expected: "a number up to 3.4e38") }
    position = number.end
    return value
  }

  /// A list of coordinates, which are put after `values`.
  ///
  /// - Returns: how many there are.
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

  /// Lists of lists of coordinates, as deep as they are, which are put after `values`; the last index runs fastest.
  ///
  /// - Returns: how long the lists are at each depth.
  /// - Throws: `DataError` where lists of one depth differ in length, or are more than eight deep.
  public mutating func tensor(into values: inout [Float]) throws -> [Int] { try tensor(into: &values, depth: 1) }

  private mutating func tensor(into values: inout [Float], depth: Int) throws -> [Int] {
    let start = position
    guard take(UInt8(ascii: "[")) else { throw failure(expected: "a list of numbers") }
    guard depth <= 8 else { throw failure(expected: "lists within at most eight lists") }
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
        throw failure(expected: "a list of \(Self.words(shape)) values, as the one before", found: Self.words(other))
      }
      count += 1
    }
    shape.insert(count, at: 0)
    return shape
  }

  private static func words(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: " x ") }

  /// Passes over a number without turning it into one.
  mutating func skipNumber() throws {
    // Python's `json` writes these too.
    if take("NaN") || take("Infinity") || take("-Infinity") { return }
    position = try decimal(expected: Kind.number.rawValue).end
  }

  /// The number that comes next, which is not taken yet.
  private func decimal(expected: String) throws -> DecimalNumber {
    guard let number = DecimalNumber(bytes, at: position), Self.isJSON(number, bytes, at: position) else {
      throw failure(expected: expected)
    }
    return number
  }

  /// Whether a number is written as JSON wants it: without a plus, a superfluous zero or an open end.
  @inline(__always)
  private static func isJSON(
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
