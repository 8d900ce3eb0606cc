import Files
import Pipeline
import PoseModel

/// The clips that share a property.
public struct ClipSlice: Hashable, Sendable {
  /// The property that the clips share.
  public enum Dimension: String, CaseIterable, Codable, Hashable, Sendable {
    case exercise, view, fps, subject, dataset
    /// A label of the clip: a fault that more than half of a rep's raters saw, or the name of an event or interval. A
    /// clip can have several.
    case label
    /// The true number of reps.
    case reps

    /// The slices that contain a clip, from its labels.
    fileprivate func values(_ clip: ClipResult, _ own: Set<String>, labels: [String]) -> [String] {
      switch self {
      case .exercise: [clip.exercise]
      case .view: [clip.view.isEmpty ? "unknown" : clip.view]
      case .fps: [clip.fps == clip.fps.rounded() && abs(clip.fps) < 1e6 ? "\(Int(clip.fps))" : "\(clip.fps)"]
      case .subject: [clip.person]
      case .dataset: [clip.dataset]
      case .label: labels.map { own.contains($0) ? "with \($0)" : "without \($0)" }
      case .reps: [clip.trueCount.map(Self.band) ?? "unknown"]
      }
    }

    /// `4 to 7`: from 2 reps up, each band is twice as wide as the one before.
    private static func band(_ count: Int) -> String {
      guard count >= 2 else { return "\(count)" }
      let low = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
      return "\(low) to \(2 * low - 1)"
    }
  }

  public var dimension: Dimension
  public var value: String
  /// Indices of the run's clips.
  var members: [Int]

  /// Every slice of some clips, except those that contain all of them.
  ///
  /// - Parameter truths: The labels of each clip; empty if unknown.
  static func all(of clips: [ClipResult], truths: [GroundTruth] = []) -> [ClipSlice] {
    let own = concurrently(clips.count) { $0 < truths.count ? truths[$0].labels : [] }
    let labels = Set(own.joined()).sorted().filter { label in own.contains { !$0.contains(label) } }
    return Dimension.allCases.flatMap { dimension -> [ClipSlice] in
      let members = clips.indices.flatMap { clip in
        dimension.values(clips[clip], own[clip], labels: labels).map { (value: $0, clip: clip) }
      }
      let groups = Dictionary(grouping: members, by: \.value)
      guard groups.count > 1 else { return [] }
      return groups.map { ClipSlice(dimension: dimension, value: $0.key, members: $0.value.map(\.clip)) }
        .sorted { a, b in
          // Frame rates and bands of reps are sorted by size, names alphabetically.
          if let a = a.size, let b = b.size, a != b { return a < b }
          return a.value < b.value
        }
    }
  }

  /// The number at the start of the value, for dimensions that are numbers.
  private var size: Double? {
    guard dimension == .fps || dimension == .reps else { return nil }
    return Double(value.prefix { $0 != " " })
  }
}

extension GroundTruth {
  /// The names of all labels of the clip.
  fileprivate var labels: Set<String> {
    let judged = Dictionary(grouping: faults) { "\($0.name) \($0.rep.map(String.init) ?? "")" }.values
    let present = judged.compactMap { words in
      2 * words.count(where: \.present) > words.count ? words.first?.name : nil
    }
    return Set(present + events.map(\.label) + intervals.map(\.label))
  }
}
