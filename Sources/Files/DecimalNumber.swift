import CDecimals

/// A decimal number in a byte text: `-12.5`, `.5`, `3e-4`.
///
/// Its `Float` or `Double` is the one nearest to the text, ties to even, as `strtof` and `strtod` give it
/// (IEEE 754-2019, 5.12.2). Most numbers in recordings have few digits, for which one division suffices: integers below
/// 2^53 and powers of ten up to 10^22 are exact in a `Double` (Clinger, How to read floating point numbers accurately,
/// 1990). Digits after the point are taken eight at a time (Lemire, Quickly parsing eight digits, 2018).
package struct DecimalNumber {
  /// The digits without the point; meaningless with more than 19 of them.
  private let mantissa: UInt64
  private let digits: Int
  /// The number of digits after the point.
  private let fraction: Int
  private let hasPoint: Bool
  private let hasExponent: Bool
  private let isNegative: Bool
  private let start: Int
  /// The position after the number.
  package let end: Int

  /// Scans the longest number that begins at `start`; `nil` if there is none.
  @inline(__always)
  package init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
    var mantissa: UInt64 = 0
    var position = start
    let count = bytes.count
    var isNegative = false
    if position < count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
      isNegative = bytes[position] == UInt8(ascii: "-")
      position += 1
    }
    let first = position
    while position < count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      position &+= 1
    }
    var digits = position - first
    var fraction = 0
    let hasPoint = position < count && bytes[position] == UInt8(ascii: ".")
    if hasPoint {
      position += 1
      let point = position
      while count &- position >= 8 {
        let (value, length) = Self.leadingDigits(bytes, at: position)
        mantissa = mantissa &* Self.wholePowersOfTen[length] &+ value
        position &+= length
        if length < 8 { break }
      }
      while position < count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        position &+= 1
      }
      fraction = position - point
      digits += fraction
    }
    guard digits > 0 else { return nil }
    var end = position
    if position < count, bytes[position] | 0x20 == UInt8(ascii: "e") { end = Self.exponentEnd(bytes, from: position) }
    self.mantissa = mantissa
    self.digits = digits
    self.fraction = fraction
    self.hasPoint = hasPoint
    hasExponent = end > position
    self.isNegative = isNegative
    self.start = start
    self.end = end
  }

  /// The number that is the whole text; `nil` for anything else.
  package init?(whole bytes: UnsafeBufferPointer<UInt8>) {
    self.init(bytes, at: 0)
    guard end == bytes.count else { return nil }
  }

  /// The position after the exponent whose `e` is at `start`; `start` if no digit follows.
  private static func exponentEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start + 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
      position += 1
    }
    let first = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > first ? position : start
  }

  /// The nearest `Float`; infinite beyond the greatest.
  @inline(__always)
  package func float(_ bytes: UnsafeBufferPointer<UInt8>) -> Float {
    guard !hasExponent, fraction <= 22, digits <= 19 || digits - leadingZeros(bytes) <= 19 else {
      return Float(Self.text(bytes[start..<end])) ?? .nan
    }
    // The error is below three units in the last place: one for more than 53 bits of digits, one for the inexact binary
    // tenth, one for the product, which takes a quarter of the time of an exact quotient.
    let product = Double(mantissa) * Self.tenths[fraction]
    // Only near the middle between two floats can rounding twice differ from rounding once.
    let fromMiddle = Int64(product.bitPattern & 0x1FFF_FFFF) - 0x1000_0000
    guard fromMiddle.magnitude > 4 else { return Float(Self.text(bytes[start..<end])) ?? .nan }
    return isNegative ? -Float(product) : Float(product)
  }

  /// The number of leading zeros, which do not fill the mantissa.
  @inline(never)
  private func leadingZeros(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let others = bytes[start..<end].prefix { $0 &- UInt8(ascii: "1") >= 9 }
    return others.count { $0 == UInt8(ascii: "0") }
  }

  /// The nearest `Double`; an infinity beyond the greatest.
  @inline(__always)
  package func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double {
    guard !hasExponent, digits <= 15 else { return Double(Self.text(bytes[start..<end])) ?? .nan }
    let quotient = Double(mantissa) / Self.powersOfTen[fraction]
    return isNegative ? -quotient : quotient
  }

  /// The whole number; `nil` if it has a point or an exponent, or more than 18 digits.
  @inline(__always)
  package var integer: Int? {
    guard !hasPoint, !hasExponent, digits <= 18 else { return nil }
    return isNegative ? -Int(mantissa) : Int(mantissa)
  }

  @inline(never)
  private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Substring {
    Substring(decoding: bytes, as: UTF8.self)
  }

  /// The number formed by the leading digits of eight bytes, and their count.
  @inline(__always)
  private static func leadingDigits(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (value: UInt64, count: Int) {
    let text = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: start, as: UInt64.self)
    // Digits become their values, the first in the lowest byte; anything else becomes 10 or more.
    let values = UInt64(littleEndian: text) ^ 0x3030_3030_3030_3030
    let others = (((values & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
    let count = others.trailingZeroBitCount >> 3
    // Leading zeros fill up the eight bytes.
    let digits = count == 0 ? 0 : values << UInt64(64 &- 8 &* count)
    let pairs = (digits &* 2561) >> 8
    let fours = ((pairs & 0x00FF_00FF_00FF_00FF) &* 6_553_601) >> 16
    return (((fours & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) >> 32, count)
  }

  private static let wholePowersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]

  /// The nearest numbers to 10^-n.
  private static let tenths: [Double] = [
    1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17,
    1e-18, 1e-19, 1e-20, 1e-21, 1e-22,
  ]

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

extension UnsafeBufferPointer<UInt8> {
  /// Reads many fields of a table's row at once, up to the first that is not an ordinary number. An empty one is NaN.
  ///
  /// - Parameters:
  ///   - position: The position of the first field; afterwards of the first unread one, or of the byte after the last.
  ///   - offsets: The index of each field's number in `target`.
  /// - Returns: How many fields were read.
  package func takeFields(
    at position: inout Int, into target: UnsafeMutablePointer<Float>, offsets: UnsafeBufferPointer<Int>
  ) -> Int {
    cdecimals_row(baseAddress, count, &position, target, offsets.baseAddress, offsets.count)
  }
}

extension Float {
  /// The shortest decimal that reads back as this finite number: `0.1`, `3`, `1e-05`.
  public var shortestDecimal: String { withoutFraction(description) }
}

extension Double {
  /// The shortest decimal that reads back as this finite number: `0.1`, `3`, `1e-05`.
  public var shortestDecimal: String { withoutFraction(description) }
}

private func withoutFraction(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
