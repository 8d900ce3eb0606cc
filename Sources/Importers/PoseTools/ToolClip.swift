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
}

/// A name with a number in it: `walk_000000000012_keypoints` is frame 12 of `walk`.
///
/// The number is the last run of digits; what stands before and after it is the same in all frames of a recording.
struct NumberedName: Hashable, Sendable {
  var prefix: String
  var number: Int
  var suffix: String

  init?(_ name: some StringProtocol) {
    guard let match = String(name).wholeMatch(of: /(.*?)([0-9]{1,18})([^0-9]*)/), let number = Int(match.2) else {
      return nil
    }
    prefix = String(match.1)
    self.number = number
    suffix = String(match.3)
  }
}
