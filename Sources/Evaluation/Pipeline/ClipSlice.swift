import PoseModel

/// The clips that have something in common.
public struct ClipSlice: Hashable, Sendable {
  /// What they have in common.
  public enum Dimension: String, CaseIterable, Codable, Hashable, Sendable {
    case exercise, view, fps, subject, dataset
    /// Whether people gave the clip a label: a fault that more than half of a rep's raters saw, or the name of an event
    /// or of a stretch of time. A clip has as many labels as it has.
    case label
    /// How many reps it truly has.
    case reps

    /// The slices that a clip is in, of the labels that there are.
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

    /// `4 to 7`: from 2 reps up each band reaches twice as far as the one before.
    private static func band(_ count: Int) -> String {
      guard count >= 2 else { return "\(count)" }
      let low = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
      return "\(low) to \(2 * low - 1)"
    }
  }

  public var dimension: Dimension
  public var value: String
  /// Positions in the run's clips.
  var members: [Int]

  /// Every slice of some clips, but those that are all of them.
  ///
  /// - Parameter truths: what people said of each clip; empty where nothing is known.
  static func all(of clips: [ClipResult], truths: [GroundTruth] = []) -> [ClipSlice] {
    let own = clips.indices.map { $0 < truths.count ? truths[$0].labels : [] }
    let labels = Set(own.joined()).sorted().filter { label in own.contains { !$0.contains(label) } }
    return Dimension.allCases.flatMap { dimension -> [ClipSlice] in
      let members = clips.indices.flatMap { clip in
        dimension.values(clips[clip], own[clip], labels: labels).map { (value: $0, clip: clip) }
      }
      let groups = Dictionary(grouping: members, by: \.value)
      guard groups.count > 1 else { return [] }
      return groups.map { ClipSlice(dimension: dimension, value: $0.key, members: $0.value.map(\.clip)) }
        .sorted { a, b in
          // Frame rates and bands of reps in order of their size, names in that of their letters.
          if let a = a.size, let b = b.size, a != b { return a < b }
          return a.value < b.value
        }
    }
  }

  /// The number that the value begins with, of dimensions that are numbers.
  private var size: Double? {
    guard dimension == .fps || dimension == .reps else { return nil }
    return Double(value.prefix { $0 != " " })
  }
}

extension GroundTruth {
  /// What people saw in the clip, by name.
  fileprivate var labels: Set<String> {
    let judged = Dictionary(grouping: faults) { "\($0.name) \($0.rep.map(String.init) ?? "")" }.values
    let present = judged.compactMap { words in
      2 * words.count(where: \.present) > words.count ? words.first?.name : nil
    }
    return Set(present + events.map(\.label) + intervals.map(\.label))
  }
}
