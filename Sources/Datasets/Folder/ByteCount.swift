/// Counting and looking for bytes eight at a time, as the sizes and kinds of large tables are found before they are read.
extension UnsafeRawBufferPointer {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// How many of the bytes are `byte`. Eight at a time (Warren, Hacker's Delight, 2nd ed. 2013, 6-1 "Find First 0-Byte").
  func count(of byte: UInt8) -> Int {
    let pattern = Self.ones &* UInt64(byte)
    var total = 0
    var place = 0
    while count &- place >= 8 {
      // Each byte of it counts up to 255.
      var counts: UInt64 = 0
      let words = Swift.min((count &- place) / 8, 255)
      for word in 0..<words {
        let others = loadUnaligned(fromByteOffset: place &+ 8 &* word, as: UInt64.self) ^ pattern
        let isOther = ((others & ~Self.tops) &+ ~Self.tops) | others
        counts &+= (~isOther & Self.tops) >> 7
      }
      for lane in 0..<8 { total += Int(counts >> UInt64(8 * lane) & 0xFF) }
      place &+= 8 &* words
    }
    for index in place..<count where self[index] == byte { total += 1 }
    return total
  }

  /// Whether all bytes are ASCII, and none of them is one of these.
  func isASCII(without first: UInt8, _ second: UInt8) -> Bool {
    let patterns = (Self.ones &* UInt64(first), Self.ones &* UInt64(second))
    var found: UInt64 = 0
    for word in 0..<count / 8 {
      let text = loadUnaligned(fromByteOffset: 8 &* word, as: UInt64.self)
      let others = (text ^ patterns.0, text ^ patterns.1)
      found |= text | ((others.0 &- Self.ones) & ~others.0) | ((others.1 &- Self.ones) & ~others.1)
    }
    var rest: UInt8 = 0
    for index in count / 8 * 8..<count {
      rest |= self[index] & 0x80 | (self[index] == first || self[index] == second ? 1 : 0)
    }
    return found & Self.tops == 0 && rest == 0
  }
}
