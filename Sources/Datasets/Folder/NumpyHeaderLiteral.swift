/// The Python dictionary in the header of a `.npy` file: exactly the keys `descr`, `fortran_order` and `shape`.
struct NumpyHeaderLiteral {
  /// `nil` where it is a list, which describes a structured type.
  let descr: String?
  let fortranOrder: Bool
  let shape: [Int]

  /// Returns `nil` where the text is anything else.
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

  /// Takes the literals of the dictionary one after the other, with any white space before each.
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

    /// Skips a list whatever is in it.
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
