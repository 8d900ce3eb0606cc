/// The clips that have something in common.
public struct ClipSlice: Hashable, Sendable {
  /// What they have in common.
  public enum Dimension: String, CaseIterable, Codable, Hashable, Sendable {
    case exercise, view, fps, subject, dataset

    func value(_ clip: ClipResult) -> String {
      switch self {
      case .exercise: clip.exercise
      case .view: clip.view.isEmpty ? "unknown" : clip.view
      case .fps: clip.fps == clip.fps.rounded() && abs(clip.fps) < 1e6 ? "\(Int(clip.fps))" : "\(clip.fps)"
      case .subject: "\(clip.dataset)/\(clip.subject)"
      case .dataset: clip.dataset
      }
    }
  }

  public var dimension: Dimension
  public var value: String
  /// Positions in the run's clips.
  var members: [Int]

  /// Every slice of some clips, but those that are all of them.
  static func all(of clips: [ClipResult]) -> [ClipSlice] {
    Dimension.allCases.flatMap { dimension -> [ClipSlice] in
      let groups = Dictionary(grouping: clips.indices) { dimension.value(clips[$0]) }
      guard groups.count > 1 else { return [] }
      return groups.map { ClipSlice(dimension: dimension, value: $0.key, members: $0.value) }.sorted { a, b in
        // Frame rates in order of their size, names in that of their letters.
        if let a = Double(a.value), let b = Double(b.value), a != b { return a < b }
        return a.value < b.value
      }
    }
  }
}
