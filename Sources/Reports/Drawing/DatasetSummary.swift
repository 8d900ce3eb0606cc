import Datasets
import Evaluation
import Plots
import PoseModel

/// What a dataset holds, to be printed and drawn.
public struct DatasetSummary {
  public let dataset: StoredDataset
  public let clips: [StoredClip]
  public private(set) var frames = 0
  /// From each clip's first to its last frame, together.
  public private(set) var seconds = 0.0
  /// Frames in which no joint was found.
  public private(set) var emptyFrames = 0
  /// How many frames lack a joint that the skeleton has, but for empty ones.
  public private(set) var missing: [(joint: Joint, frames: Int)]

  /// Reads all poses, a clip at a time.
  ///
  /// - Parameter progress: called before each clip with the number of clips done.
  public init(_ dataset: StoredDataset, in store: Store, progress: (Int) throws -> Void) throws {
    self.dataset = dataset
    clips = try store.clips(of: dataset)
    let skeleton = Skeleton.named(dataset.manifest.skeleton)
    missing = Joint.allCases.filter { skeleton?[$0] != nil && $0 != .neck && $0 != .root }.map { ($0, 0) }
    for (index, stored) in clips.enumerated() {
      try progress(index)
      guard stored.hasPoses else { continue }
      let clip = try store.clip(stored, of: dataset)
      let poses = try clip.poses(dataset.manifest)
      frames += poses.frameCount
      if let last = poses.times.last, let first = poses.times.first { seconds += (last - first).seconds }
      for frame in 0..<poses.frameCount {
        let absent = missing.indices.filter { !poses[missing[$0].joint, .x, frame].isFinite }
        if absent.count == missing.count {
          emptyFrames += 1
        } else {
          for place in absent { missing[place].frames += 1 }
        }
      }
    }
  }

  /// What a picture of it says in its file.
  ///
  /// - Parameter bench: the version of what draws it.
  public func metadata(bench: String) -> [(key: String, value: String)] {
    [
      (key: "Software", value: "bench \(bench)"),
      (key: "Content", value: "\(dataset.manifest.name) \(dataset.content?.description ?? "unfinished")"),
    ]
  }

  /// As a picture.
  public var card: DatasetCard {
    let manifest = dataset.manifest
    var facts = [
      DatasetCard.Fact("version", manifest.version), .init("licence", manifest.licence),
      .init("source", manifest.source),
      .init("skeleton", manifest.skeleton), .init("unit", unit),
      .init("frames", "\(frames), \(NumberText.fixed(seconds / 60, decimals: 1)) min"),
      .init("reps", "\(reps.count), marked in \(reps.marked) clips"),
      .init("content", dataset.content?.short ?? "unfinished"),
    ]
    if frames > 0 { facts.append(.init("nobody found", "in \(share(emptyFrames)) of the frames")) }
    if !raters.isEmpty { facts.append(.init("raters", "\(raters.count)")) }
    if let expires = dataset.expires { facts.append(.init("expires", "\(expires)")) }
    func distribution(
      _ title: String, _ counts: [(String, Int)], areParts: Bool = true
    ) -> DatasetCard.Distribution {
      .init(title: title, counts: counts.map { .init($0.0, $0.1) }, areParts: areParts)
    }
    var distributions = [
      distribution("clips by exercise", counts(\.info.exercise)), distribution("clips by view", counts(\.info.view)),
      distribution("clips by frames a second", frameRates),
      distribution("clips by subject", counts(\.info.subject)), distribution("labels by kind", labelKinds),
    ]
    if frames > emptyFrames {
      distributions.append(
        distribution(
          "missing in 1,000 frames",
          missing.filter { $0.frames > 0 }.sorted { $0.frames > $1.frames }.map {
            ($0.joint.name.replacing("_", with: " "), perThousand($0.frames))
          }, areParts: false))
    }
    return DatasetCard(
      name: manifest.name, source: "\(manifest.origin == .synthetic ? "SYNTHETIC" : "recorded") · \(manifest.licence)",
      clips: clips.count, subjects: subjects.count, facts: facts, distributions: distributions,
      cautions: manifest.caveat.map { [$0] } ?? [])
  }

  public var subjects: Set<String> { Set(clips.map(\.info.subject)) }

  /// How many there are, and in how many clips each is marked.
  public var reps: (count: Int, marked: Int) {
    (clips.compactMap(\.labels.repCount).reduce(0, +), clips.count { $0.labels.reps != nil })
  }

  public var raters: [String] {
    Set(clips.flatMap { $0.labels.grades.map(\.rater) + $0.labels.faults.map(\.rater) }).sorted()
  }

  /// Of the coordinates, in words.
  public var unit: String {
    switch dataset.manifest.coordinates.unit {
    case .image(let aspect): "image, \(NumberText.fixed(aspect, decimals: 2)) as wide as high"
    case .pixel(let height): "pixel, \(NumberText.plain(height)) high"
    case .metre: "metre"
    case .relative: "relative: proportions within a frame only"
    }
  }

  private var labelKinds: [(String, Int)] {
    let labels = clips.map(\.labels)
    return [
      ("reps", labels.reduce(0) { $0 + ($1.reps?.count ?? 0) }), ("events", labels.reduce(0) { $0 + $1.events.count }),
      ("intervals", labels.reduce(0) { $0 + $1.intervals.count }),
      ("grades", labels.reduce(0) { $0 + $1.grades.count }),
      ("faults", labels.reduce(0) { $0 + $1.faults.count }),
    ].filter { $0.1 > 0 }
  }

  private func perThousand(_ count: Int) -> Int {
    Int((Double(count) / Double(max(1, frames)) * 1000).rounded())
  }

  /// `12.5 %` of the frames, or of `all`.
  public func share(_ count: Int, of all: Int? = nil) -> String {
    NumberText.fixed(Double(count) / Double(max(1, all ?? frames)) * 100, decimals: 1) + " %"
  }

  /// How many clips have each value, by the values' names.
  public func counts(_ value: (StoredClip) -> String) -> [(String, Int)] {
    Dictionary(grouping: clips, by: value).map { ($0.key.isEmpty ? "unknown" : $0.key, $0.value.count) }
      .sorted { $0.0 < $1.0 }
  }

  /// How many clips have each number of frames a second, to two decimals, the slowest first.
  public var frameRates: [(String, Int)] {
    Dictionary(grouping: clips) { ($0.info.fps * 100).rounded() / 100 }.sorted { $0.key < $1.key }
      .map { (NumberText.plain($0.key), $0.value.count) }
  }
}
