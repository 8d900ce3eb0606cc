import CDecimals

/// Counting and looking for bytes many at a time, as the sizes and kinds of large tables are found before they are read.
extension UnsafeRawBufferPointer {
  /// How many of the bytes are `byte`.
  func count(of byte: UInt8) -> Int { cdecimals_count(bytes, count, byte) }

  /// Whether all bytes are ASCII, and none of them is one of these.
  func isASCII(without first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    cdecimals_is_ascii(bytes, count, first, second, third)
  }

  private var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
