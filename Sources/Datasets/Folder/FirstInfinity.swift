extension [Float] {
  /// The position of the first value that is infinite.
  ///
  /// Looks at all values before it looks for the place, because the first loop is one that processors do in parallel.
  var firstInfinity: Int? {
    var found: UInt32 = 0
    for value in self { found |= value.bitPattern & 0x7FFF_FFFF == Float.infinity.bitPattern ? 1 : 0 }
    return found == 0 ? nil : firstIndex(where: \.isInfinite)
  }
}
