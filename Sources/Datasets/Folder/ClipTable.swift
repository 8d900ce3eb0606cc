import Files
import PoseModel

/// The rows of `clips.csv`, each checked alone and against the others.
struct ClipTable {
  struct Row {
    let info: Clip.Info
    let posesFile: String?
    let repCount: Int?
    let line: Int
  }

  let rows: [Row]
  /// The index of each clip in `rows`.
  let places: [String: Int]

  init(_ contents: FolderContents) throws {
    let table = try CSVTable(contents.file(DatasetFile.clips.rawValue), .clips)
    var rows: [Row] = []
    var places: [String: Int] = [:]
    var owners: [String: String] = [:]
    for row in table.rows {
      let name = try row.text("clip")
      guard PortableName.isValid(name) else {
        throw row.failure("clip", expected: PortableName.description(near: name))
      }
      if let first = places.updateValue(rows.count, forKey: name) {
        throw row.failure(
          clip: name, expected: "a unique clip name", found: "the name of line \(rows[first].line)"
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
            clip: name, expected: "a pose file of its own",
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
  /// A file of the dataset folder with exactly its own columns.
  init(_ file: InputFile, _ kind: DatasetFile) throws {
    try self.init(file, required: kind.requiredColumns, optional: kind.optionalColumns)
  }
}

extension Clip.Info {
  /// The possible frame rates of a recording. Below the minimum, times of long recordings would not fit in
  /// microseconds.
  public static let frameRates = 0.01...1000.0
  public static let frameRateDescription = "0.01 to 1000"
}

/// The two kinds of pose files, distinguished by the name's ending.
enum PoseFormat: String {
  case numpy = "npy"
  case csv

  init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    self.init(rawValue: String(path[path.index(after: dot)...]))
  }
}

/// The rules for a clip's poses and labels, checked on reading and on writing.
struct ClipCheck {
  let manifest: Manifest
  let skeleton: Skeleton
  /// A file's path in errors.
  let path: (String) -> String

  /// - Throws: `DataError` for wrong poses or labels.
  func check(_ clip: Clip, posesFile: String) throws {
    try checkPoses(clip, posesFile: posesFile)
    try checkLabels(clip)
  }

  /// - Throws: `DataError` if there is no frame, times do not start at 0 and increase, a value is infinite, or the
  ///   keypoints are not the manifest's.
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
    if let index = keypoints.times.firstBreak(longestStep: ClipSize.longestPause) {
      let (earlier, later) = (keypoints.times[index - 1], keypoints.times[index])
      let expected = later <= earlier ? "a time after" : "a time at most an hour after"
      throw failure("\(expected) \(earlier.decimalSeconds) s", "\(later.decimalSeconds) s")
    }
    if let place = keypoints.values.firstInfinity {
      let (column, frame) = place.quotientAndRemainder(dividingBy: keypoints.frameCount)
      let (keypoint, channel) = column.quotientAndRemainder(dividingBy: keypoints.channels.count)
      throw failure(
        "numbers or NaN",
        "an infinity in frame \(frame), \(skeleton.keypoints[keypoint]) \(keypoints.channels[channel].name)")
    }
  }

  /// - Parameter locations: The locations of the labels; errors then name the line.
  /// - Throws: `DataError` if a label ends more than a frame after the last frame.
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
        expected: "\(what()) by \(end.decimalSeconds) s, the end of the clip", found: "\(time.decimalSeconds) s")
    }
    for (index, rep) in (clip.labels.reps ?? []).enumerated() {
      try check(rep.end, .reps, locations.reps, index, "the end of rep \(index + 1)")
    }
    for (index, event) in clip.labels.events.enumerated() {
      try check(event.time, .events, locations.events, index, "event \(Excerpt.of(event.label))")
    }
    for (index, interval) in clip.labels.intervals.enumerated() {
      try check(
        interval.end, .intervals, locations.intervals, index, "the end of interval \(Excerpt.of(interval.label))")
    }
  }
}
