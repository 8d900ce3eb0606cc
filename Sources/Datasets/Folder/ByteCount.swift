extension UnsafeRawBufferPointer {
  private typealias Block = SIMD32<UInt8>

  /// How many of the bytes are `byte`.
  func count(of byte: UInt8) -> Int {
    var total = 0
    var place = 0
    while count - place >= Block.scalarCount {
      // A lane counts up to 255.
      var lanes = Block()
      for _ in 0..<Swift.min((count - place) / Block.scalarCount, 255) {
        let block = loadUnaligned(fromByteOffset: place, as: Block.self)
        lanes.replace(with: lanes &+ 1, where: block .== byte)
        place += Block.scalarCount
      }
      for lane in 0..<Block.scalarCount { total += Int(lanes[lane]) }
    }
    for index in place..<count where self[index] == byte { total += 1 }
    return total
  }

  /// Whether all bytes are ASCII, and none of them is one of these.
  func isASCII(without first: UInt8, _ second: UInt8) -> Bool {
    var place = 0
    var found = Block()
    while count - place >= Block.scalarCount {
      let block = loadUnaligned(fromByteOffset: place, as: Block.self)
      found |= block & 0x80
      found.replace(with: 1, where: (block .== first) .| (block .== second))
      place += Block.scalarCount
    }
    var rest: UInt8 = 0
    for index in place..<count { rest |= self[index] & 0x80 | (self[index] == first || self[index] == second ? 1 : 0) }
    return found == Block() && rest == 0
  }
}
