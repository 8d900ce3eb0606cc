/// A recording among the files that a tool wrote.
struct ToolClip: Hashable, Sendable {
  struct File: Hashable, Sendable {
    /// Within the folder that is imported.
    var path: String
    /// The number that the name ends in, where each frame is a file of its own.
    var frame: Int?
  }

  var name: String
  var files: [File]
  /// The folders between the path of the import and the files.
  var folders: [String]
  /// Whether the last of them is called like the recording.
  var hasOwnFolder: Bool
}

/// A name with a number in it: `walk_000000000012_keypoints` is frame 12 of `walk`.
///
/// The number is the last run of digits; what stands before and after it is the same in all frames of a recording.
struct NumberedName: Hashable, Sendable {
  var prefix: String
  var number: Int
  var suffix: String

  init?(_ name: some StringProtocol) {
    let bytes = Array(name.utf8)
    func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    guard let last = bytes.lastIndex(where: isDigit) else { return nil }
    var first = last
    while first > 0, last - first < 17, isDigit(bytes[first - 1]) { first -= 1 }
    prefix = String(decoding: bytes[..<first], as: UTF8.self)
    number = bytes[first...last].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    suffix = String(decoding: bytes[(last + 1)...], as: UTF8.self)
  }
}
