import Pipeline
import PoseModel

/// Recordings that several people of a run share bit by bit: one person under several names, who counts as several.
struct CopiedPeople {
  /// The person and the clip that each recording was first seen of, by a hash of its poses.
  private var seen: [Int: (person: String, clip: String)] = [:]
  /// The people of each shared recording.
  private var groups: [Int: Set<String>] = [:]
  private var example: (one: String, other: String)?

  /// Shorter recordings may be the same by chance, such as those in which nobody is seen.
  private static let fewestFrames = 10

  mutating func add(_ clip: ClipResult, _ poses: PoseSequence) {
    guard let hash = Self.hash(poses) else { return }
    guard let first = seen[hash] else {
      seen[hash] = (clip.person, clip.id)
      return
    }
    guard first.person != clip.person else { return }
    groups[hash, default: [first.person]].insert(clip.person)
    example = example ?? (first.clip, clip.id)
  }

  /// `nil` if no two people share a recording.
  var note: String? {
    guard let example else { return nil }
    let people = groups.values.reduce(into: Set<String>()) { $0.formUnion($1) }.count
    return "\(people) people have recordings that are copies of each other, such as \(example.one) and "
      + "\(example.other): they count as \(people)"
  }

  /// Of the positions of all joints; `nil` for too few frames or none known.
  private static func hash(_ poses: PoseSequence) -> Int? {
    guard poses.frameCount >= fewestFrames else { return nil }
    var hasher = Hasher()
    var isKnown = false
    for joint in Joint.allCases {
      for channel in [Channel.x, .y] {
        let column = poses.column(joint, channel)
        column.withUnsafeBytes { hasher.combine(bytes: $0) }
        isKnown = isKnown || column.contains(where: \.isFinite)
      }
    }
    return isKnown ? hasher.finalize() : nil
  }
}
