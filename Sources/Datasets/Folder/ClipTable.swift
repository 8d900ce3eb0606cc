import Files
import PoseModel

/// The rows of `clips.csv`, each checked by itself and against the others.
struct ClipTable {
  struct Row {
    let info: Clip.Info
    let posesFile: String?
    let repCount: Int?
    let line: Int
  }

  let rows: [Row]
  /// The place of each clip in `rows`.
  let places: [String: Int]

  init(_ contents: FolderContents) throws {
    let table = try CSVTable(contents.file(DatasetFile.clips.rawValue), .clips)
    var rows: [Row] = []
    var places: [String: Int] = [:]
    var owners: [String: String] = [:]
    for row in table.rows {
      let name = try row.text("clip")
      guard PortableName.isValid(name) else { throw row.failure("clip", expected: PortableName.description) }
      if let first = places.updateValue(rows.count, forKey: name) {
        throw row.failure(
          clip: name, expected: "a clip name that no other row has", found: "the name of line \(rows[first].line) again"
        )
      }
      let info = Clip.Info(
        name: name, subject: try row.text("subject"), exercise: try row.text("exercise"),
        view: try row.textIfPresent("view") ?? "", fps: try row.number("fps"),
        split: try row.textIfPresent("split") ?? "")
      guard Clip.Info.frameRates.contains(info.fps) else {
        throw row.failure("fps", clip: name, expected: "a number from \(Clip.Info.frameRateDescription)")
      }
      let posesFile = try row.textIfPresent("poses")
      if let posesFile {
        if let (expected, found) = contents.objection(to: posesFile) {
          throw row.failure(clip: name, expected: expected, found: found)
        }
        guard PoseFormat(path: posesFile) != nil else {
          throw row.failure("poses", clip: name, expected: "a file ending in .npy or .csv")
        }
        if let owner = owners.updateValue(name, forKey: posesFile) {
          throw row.failure(
            clip: name, expected: "a pose file that no other clip has",
            found: "\(Excerpt.of(posesFile)) of clip \(owner)")
        }
      }
      let repCount = try row.integerIfPresent("rep_count")
      if let repCount, repCount < 0 { throw row.failure("rep_count", clip: name, expected: "a number from 0") }
      rows.append(Row(info: info, posesFile: posesFile, repCount: repCount, line: row.line))
    }
    guard !rows.isEmpty else {
      throw DataError(file: table.file, expected: "at least one clip", found: "a header without rows")
    }
    self.rows = rows
    self.places = places
  }
}

extension CSVTable {
  /// A file of the dataset folder, with its own columns and no others.
  init(_ file: InputFile, _ kind: DatasetFile) throws {
    try self.init(file, required: kind.requiredColumns, optional: kind.optionalColumns)
  }
}

extension Clip.Info {
  /// Frames a second that a recording may have. With fewer, the times of long ones would not fit in microseconds.
  static let frameRates = 0.01...1000.0
  static let frameRateDescription = "0.01 to 1000"
}

/// The two kinds of pose file, told apart by the end of the name.
enum PoseFormat: String {
  case numpy = "npy"
  case csv

  init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    self.init(rawValue: String(path[path.index(after: dot)...]))
  }
}

/// What must hold of a clip's poses, and of its labels beside them, when they are read and when they are written.
struct ClipCheck {
  let manifest: Manifest
  let skeleton: Skeleton
  /// What errors call a file of the folder.
  let path: (String) -> String

  /// - Throws: `DataError` of the poses, or of the labels beside them.
  func check(_ clip: Clip, posesFile: String) throws {
    try checkPoses(clip, posesFile: posesFile)
    try checkLabels(clip)
  }

  /// - Throws: `DataError` where there is no frame, times do not grow from 0, a value is infinite, or the keypoints are not
  ///   those of the manifest.
  func checkPoses(_ clip: Clip, posesFile: String) throws {
    guard let keypoints = clip.keypoints else { return }
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: posesFile, clip: clip.info.name, expected: expected, found: found)
    }
    guard keypoints.keypointCount == skeleton.keypoints.count else {
      throw failure("\(skeleton.keypoints.count) keypoints (\(skeleton.name))", "\(keypoints.keypointCount)")
    }
    guard keypoints.channels == manifest.channels else {
      throw failure(
        "channels \(manifest.channels.map(\.name).joined(separator: ", "))",
        keypoints.channels.map(\.name).joined(separator: ", "))
    }
    guard let first = keypoints.times.first else { throw failure("at least one frame", "none") }
    guard first >= .zero else { throw failure("times from 0", "\(first.decimalSeconds) s") }
    for (earlier, later) in zip(keypoints.times, keypoints.times.dropFirst()) where later <= earlier {
      throw failure("a time after \(earlier.decimalSeconds) s", "\(later.decimalSeconds) s")
    }
    for (earlier, later) in zip(keypoints.times, keypoints.times.dropFirst())
    where later - earlier > ClipSize.longestPause {
      throw failure("a time at most an hour after \(earlier.decimalSeconds) s", "\(later.decimalSeconds) s")
    }
    if let place = keypoints.values.firstInfinity {
      let (column, frame) = place.quotientAndRemainder(dividingBy: keypoints.frameCount)
      let (keypoint, channel) = column.quotientAndRemainder(dividingBy: keypoints.channels.count)
      throw failure(
        "numbers or NaN",
        "an infinity in frame \(frame), \(skeleton.keypoints[keypoint]) \(keypoints.channels[channel].name)")
    }
  }

  /// - Parameter locations: where the labels stand; errors then name the line.
  /// - Throws: `DataError` where a label ends more than a frame after the last one.
  func checkLabels(_ clip: Clip, locations: LabelLocations = LabelLocations()) throws {
    guard let last = clip.keypoints?.times.last else { return }
    let end = last + Microseconds(frame: 1, rate: clip.info.fps)
    func check(
      _ time: Microseconds, _ kind: DatasetFile, _ locations: [FileLocation], _ index: Int,
      _ what: @autoclosure () -> String
    ) throws {
      guard time > end else { return }
      let line = locations.indices.contains(index) ? locations[index].line : nil
      throw DataError(
        file: path(kind.rawValue), line: line, clip: clip.info.name,
        expected: "\(what()) by \(end.decimalSeconds) s, when the clip ends", found: "\(time.decimalSeconds) s")
    }
    for (index, rep) in (clip.labels.reps ?? []).enumerated() {
      try check(rep.end, .reps, locations.reps, index, "rep \(index + 1) to end")
    }
    for (index, event) in clip.labels.events.enumerated() {
      try check(event.time, .events, locations.events, index, "event \(Excerpt.of(event.label))")
    }
    for (index, interval) in clip.labels.intervals.enumerated() {
      try check(
        interval.end, .intervals, locations.intervals, index, "interval \(Excerpt.of(interval.label)) to end")
    }
  }
}
