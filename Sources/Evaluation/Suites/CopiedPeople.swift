import Datasets
import Pipeline
import PoseModel
import Statistics

/// Recordings that several people of a run share bit by bit: one person under several names, who counts as several.
struct CopiedPeople {
  /// The person and the clip that each recording was first seen of, by `recording`.
  private var seen: [String: (person: String, clip: String)] = [:]
  /// The people of each shared recording.
  private var groups: [String: Set<String>] = [:]
  private var example: (one: String, other: String)?

  /// Shorter recordings may be the same by chance, such as those in which nobody is seen.
  private static let fewestFrames = 10

  init(_ clips: [TalliedClip]) {
    for clip in clips {
      guard let recording = clip.recording else { continue }
      let (person, id) = (clip.result.person, clip.result.id)
      guard let first = seen[recording] else {
        seen[recording] = (person, id)
        continue
      }
      guard first.person != person else { continue }
      groups[recording, default: [first.person]].insert(person)
      example = example ?? (first.clip, id)
    }
  }

  /// `nil` if no two people share a recording.
  var note: String? {
    guard let example else { return nil }
    // Names are one person's if a chain of shared recordings joins them.
    let people = groups.values.reduce(into: [Set<String>]()) { people, names in
      let own = people.filter { !$0.isDisjoint(with: names) }
      people.removeAll { !$0.isDisjoint(with: names) }
      people.append(own.reduce(into: names) { $0.formUnion($1) })
    }
    let names = people.map(\.count).reduce(0, +)
    let count = "\(NumberText.count(people.count, "person")) \(people.count == 1 ? "counts" : "count") as \(names)"
    return
      "\(count): recordings under several names are copies of each other, such as \(example.one) and \(example.other)"
  }

  /// Frames of a recording that are hashed, at least, spread over it: two that agree in all of them are copies.
  private static let fewestHashed = 64

  /// The hash of the positions of all joints; `nil` for too few frames or none known.
  static func recording(_ poses: PoseSequence) -> String? {
    guard poses.frameCount >= fewestFrames else { return nil }
    let step = max(1, poses.frameCount / fewestHashed)
    let sample = poses.selecting(Array(stride(from: 0, to: poses.frameCount, by: step)))
    let hash = SHA256()
    hash.update("\(poses.frameCount)")
    var isKnown = false
    for joint in Joint.allCases {
      for channel in [Channel.x, .y] {
        let column = sample.column(joint, channel)
        column.withUnsafeBytes { hash.update($0) }
        isKnown = isKnown || column.contains { $0.isFinite }
      }
    }
    return isKnown ? ContentHash(hash.finish()).hex : nil
  }
}
