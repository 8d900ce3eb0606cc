import Datasets
import Evaluation
import Plots
import PoseModel
import Reports

/// What a dataset holds, as `bench dataset show` prints and draws it.
struct DatasetSummary {
  private let dataset: StoredDataset
  private let clips: [StoredClip]
  private var frames = 0
  private var seconds = 0.0
  /// Frames in which no joint was found.
  private var emptyFrames = 0
  /// How many frames lack a joint that the skeleton has, but for empty ones.
  private var missing: [(joint: Joint, frames: Int)]

  /// Reads all poses, a clip at a time.
  ///
  /// - Parameter progress: called before each clip with the number of clips done.
  init(_ dataset: StoredDataset, in store: Store, progress: (Int) throws -> Void) throws {
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

  var text: String {
    let manifest = dataset.manifest
    var lines = [
      "\(Terminal.bold(manifest.name)) \(manifest.version), "
        + (manifest.origin == .synthetic ? Terminal.unsure("SYNTHETIC") : "recorded")
    ]
    if let caveat = manifest.caveat { lines.append("caveat     " + Terminal.wrap(caveat, indent: 11)) }
    lines += [
      "content    \(dataset.content?.description ?? "unfinished")", "licence    \(manifest.licence)",
      "source     " + Terminal.wrap(manifest.source, indent: 11),
    ]
    if let expires = dataset.expires { lines.append("expires    \(expires)") }
    lines += [
      "skeleton   \(manifest.skeleton)", "unit       \(unit)",
      "clips      \(clips.count) of \(Terminal.count(subjects.count, "subject"))",
      "frames     \(frames), \(NumberText.fixed(seconds, decimals: 0)) s",
      "exercises  " + Terminal.wrap(listed(counts(\.info.exercise)), indent: 11),
      "views      " + Terminal.wrap(listed(counts(\.info.view)), indent: 11),
      "fps        " + Terminal.wrap(listed(counts { NumberText.plain($0.info.fps) }), indent: 11),
      "splits     " + Terminal.wrap(listed(counts(\.info.split)), indent: 11),
      "reps       \(reps.count), marked in \(reps.marked) clips",
    ]
    lines += labelLines
    if frames > 0 { lines.append("missing    " + Terminal.wrap(missingWords, indent: 11)) }
    return lines.joined(separator: "\n")
  }

  /// What a picture of it says in its file.
  var metadata: [(key: String, value: String)] {
    [
      (key: "Software", value: "bench \(Bench.version)"),
      (key: "Content", value: "\(dataset.manifest.name) \(dataset.content?.description ?? "unfinished")"),
    ]
  }

  /// The same as a picture.
  var card: DatasetCard {
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
      distribution("clips by frames a second", counts { NumberText.plain($0.info.fps) }),
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

  private var subjects: Set<String> { Set(clips.map(\.info.subject)) }

  private var reps: (count: Int, marked: Int) {
    (clips.compactMap(\.labels.repCount).reduce(0, +), clips.count { $0.labels.reps != nil })
  }

  private var raters: [String] {
    Set(clips.flatMap { $0.labels.grades.map(\.rater) + $0.labels.faults.map(\.rater) }).sorted()
  }

  private var unit: String {
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

  /// How many labels of each kind there are, and by which names.
  private var labelLines: [String] {
    func line(_ title: String, _ names: [String]) -> String? {
      let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
      return counts.isEmpty
        ? nil
        : title.padded(to: 11)
          + Terminal.wrap("\(names.count): " + listed(counts.map { ($0.key, $0.value) }), indent: 11)
    }
    let labels = clips.map(\.labels)
    return [
      line("events", labels.flatMap { $0.events.map(\.label) }),
      line("intervals", labels.flatMap { $0.intervals.map(\.label) }),
      line("grades", labels.flatMap { $0.grades.map(\.criterion) }),
      line("faults", labels.flatMap { $0.faults.map(\.fault) }),
      raters.isEmpty ? nil : "raters     " + Terminal.wrap(raters.joined(separator: ", "), indent: 11),
    ].compactMap(\.self)
  }

  /// The joints that are missing most, of those that are missing at all.
  private var missingWords: String {
    let worst = missing.filter { $0.frames > 0 }.sorted { $0.frames > $1.frames }.prefix(6)
    let joints = worst.map { "\($0.joint.name) \(share($0.frames, of: frames - emptyFrames))" }
    return "nobody in \(share(emptyFrames)) of the frames"
      + (joints.isEmpty ? ", no joint in the others" : "; in the others " + joints.joined(separator: ", "))
  }

  private func perThousand(_ count: Int) -> Int {
    Int((Double(count) / Double(max(1, frames)) * 1000).rounded())
  }

  private func share(_ count: Int, of all: Int? = nil) -> String {
    NumberText.fixed(Double(count) / Double(max(1, all ?? frames)) * 100, decimals: 1) + " %"
  }

  private func counts(_ value: (StoredClip) -> String) -> [(String, Int)] {
    Dictionary(grouping: clips, by: value).map { ($0.key.isEmpty ? "unknown" : $0.key, $0.value.count) }
      .sorted { $0.0 < $1.0 }
  }

  /// At most twelve of them by name.
  private func listed(_ counts: [(String, Int)]) -> String {
    let rest = counts.dropFirst(12)
    return counts.prefix(12).map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      + (rest.isEmpty ? "" : ", and \(rest.count) more with \(rest.reduce(0) { $0 + $1.1 })")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
