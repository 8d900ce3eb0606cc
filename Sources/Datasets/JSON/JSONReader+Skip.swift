import CDecimals

extension JSONReader {
  /// How deep lists and objects may stand in each other where a value is skipped.
  static let deepest = 1000

  /// Passes over a value, however large, and checks that it is one. Does not recurse.
  public mutating func skip() throws {
    // Whether each list or object that is open is an object.
    var open: [Bool] = []
    while true {
      switch try kind() {
      case .object, .array:
        guard open.count < Self.deepest else {
          throw failure(expected: "at most \(Self.deepest) lists and objects within each other", found: "more")
        }
        let isObject = take(UInt8(ascii: "{"))
        if !isObject { position &+= 1 }
        skipSpace()
        if !take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")), isObject || !skipNumbers() {
          open.append(isObject)
          if isObject { _ = try key() }
          continue
        }
      case .string: _ = try rawString()
      case .number: try skipNumber()
      case .boolean: _ = try boolean()
      case .null: guard takeNull() else { throw failure(expected: "a value") }
      }
      // After a value: the next of its list or object, or the end of as many as end here.
      while true {
        guard let isObject = open.last else { return }
        if isObject {
          skipSpace()
          if take(UInt8(ascii: ",")) {
            skipSpace()
            _ = try key()
            break
          }
          guard take(UInt8(ascii: "}")) else { throw failure(expected: "\",\" or \"}\"") }
        } else if try !listEnds() {
          break
        }
        open.removeLast()
      }
    }
  }

  /// Passes over the usual numbers that a list goes on with; says whether the list ends with them.
  private mutating func skipNumbers() -> Bool {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 64) { buffer in
      while true {
        var isClosed = false
        let usual = cdecimals_list(
          bytes.baseAddress, bytes.count, &position, buffer.baseAddress, buffer.count, &isClosed)
        guard !isClosed else {
          position &+= 1
          return true
        }
        guard usual == buffer.count else { return false }
      }
    }
  }

  /// Passes over a list of numbers that somebody reads later: only then are they checked. A list of anything else is checked
  /// now.
  ///
  /// - Returns: whether there is anything in the list.
  public mutating func postponeNumbers() throws -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else {
      throw failure(expected: "a list of numbers")
    }
    let end = cdecimals_list_end(bytes.baseAddress, bytes.count, position + 1)
    guard end < bytes.count else {
      try skip()
      return true
    }
    position += 1
    skipSpace()
    let isEmpty = position == end
    position = end + 1
    return !isEmpty
  }
}
