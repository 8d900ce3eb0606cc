import Foundation

extension Collection<UInt8> {
  /// The bytes that UTF-8's byte order mark takes, which some programs put before text: 3, or 0 where there is none.
  public var byteOrderMarkCount: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}

extension Data {
  /// Everything after a byte order mark.
  public var withoutByteOrderMark: Data { dropFirst(byteOrderMarkCount) }
}
