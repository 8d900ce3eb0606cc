import Files
import Foundation

/// Bodies of Kinect v2 as NTU RGB+D writes them in `.skeleton`: the number of frames; in each frame the number of people;
/// of each person a line of facts that begins with a number, and 25 below it; and a line a joint, which begins with its
/// place in metres.
///
/// - Source: Shahroudy et al. 2016; github.com/shahroudy/NTURGB-D, Matlab/read_skeleton_file.m; 30 frames a second.
struct KinectBodies {
  private(set) var rows: NamedRows
  private let joints = EstimatorSkeleton.named("kinect-25")?.keypoints ?? []
  /// -1 after the line of the number of frames.
  private var frame: Int?
  /// Those of the frame whose lines follow.
  private var people = 0
  /// The last person's number, above the number of joints.
  private var person: String?
  /// The joints whose lines follow.
  private var next: [String] = []
  private var track = ""

  /// `nil` for other contents.
  ///
  /// - Parameter most: How many joints are wanted.
  init?(_ file: InputFile, most: Int) {
    rows = NamedRows(most: most)
    rows.facts = [(key: "fps", value: "30")]
    do { try read(file) } catch { guard rows.isFull else { return nil } }
    guard !rows.isEmpty else { return nil }
  }

  private mutating func read(_ file: InputFile) throws {
    var copy = self
    defer { self = copy }
    try file.forEachLine(longest: 1 << 12) { _, range in
      let first = file.bytes.startIndex
      let bytes = file.bytes[first + range.lowerBound..<first + range.upperBound]
      try copy.add(String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init))
    }
  }

  /// - Throws: `EnoughRead` if a line is none of such a file.
  private mutating func add(_ words: [String]) throws {
    guard !words.isEmpty else { return }
    guard words.allSatisfy({ Double($0) != nil }) else { throw EnoughRead() }
    if let joint = next.first {
      guard words.count > 3, let frame else { throw EnoughRead() }
      next.removeFirst()
      return try rows.add([
        (key: "frame", value: "\(frame)"), (key: "person", value: track), (key: "joint", value: joint),
        (key: "x", value: words[0]), (key: "y", value: words[1]), (key: "z", value: words[2]),
      ])
    }
    guard words.count == 1, let count = Int(words[0]) else {
      guard people > 0, person == nil else { throw EnoughRead() }
      person = words[0]
      return
    }
    if let person {
      guard count == joints.count else { throw EnoughRead() }
      (next, track, self.person) = (joints, person, nil)
      people -= 1
    } else {
      guard people == 0 else { throw EnoughRead() }
      people = frame == nil ? 0 : count
      frame = frame.map { $0 + 1 } ?? -1
    }
  }
}
