import PoseModel

/// The columns of a pose CSV: which field of a row is the frame's number, its time, or a channel of a keypoint.
struct PoseCSVHeader {
  enum Column: Hashable {
    case frame, time
    /// The column of `Keypoints`: keypoint by keypoint, channel by channel.
    case value(Int)
  }

  /// In the order of the file.
  let columns: [Column]
  /// Of each column, how many values stand together from it on.
  let runs: [Int]
  let names: [String]

  /// The names in the order in which they are written.
  static func names(skeleton: Skeleton, channels: [Channel]) -> [String] {
    ["frame", "time_s"] + skeleton.keypoints.flatMap { keypoint in channels.map { "\(keypoint)_\($0.suffix)" } }
  }

  /// - Parameter line: the first line of the file, without its end.
  init(_ line: UnsafeBufferPointer<UInt8>, file: String, skeleton: Skeleton, channels: [Channel]) throws {
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: file, line: 1, expected: expected, found: found)
    }
    let known = Self.names(skeleton: skeleton, channels: channels)
    var places = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1, $0) })
    names = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    let given = Set(names)
    if let missing = known.first(where: { !given.contains($0) }) {
      let near = NearNames.of(missing, in: names.filter { places[$0] == nil })
      throw failure("column \(missing)", near.isEmpty ? "no such column" : "only \(near.joined(separator: ", "))")
    }
    columns = try names.map { name in
      guard let place = places.removeValue(forKey: name) else {
        if known.contains(name) { throw failure("each column once", "column \(name) twice") }
        let suffixes = channels.map { "_\($0.suffix)" }.joined(separator: ", ")
        throw failure(
          "only frame, time_s and the keypoints of \(skeleton.name) with \(suffixes)", "column \(Excerpt.of(name))")
      }
      switch place {
      case 0: return .frame
      case 1: return .time
      default: return .value(place - 2)
      }
    }
    var runs = [Int](repeating: 0, count: columns.count)
    for (index, column) in columns.enumerated().reversed() {
      if case .value = column { runs[index] = 1 + (index + 1 < columns.count ? runs[index + 1] : 0) }
    }
    self.runs = runs
  }
}

extension Channel {
  /// What follows a keypoint's name in the columns of a pose CSV.
  var suffix: String {
    switch self {
    case .x: "x"
    case .y: "y"
    case .z: "z"
    case .confidence: "c"
    }
  }
}
