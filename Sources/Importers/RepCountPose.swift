import Datasets
import Files
import Foundation
import PoseModel

/// RepCount-A and Countix-Fitness with BlazePose poses: annotations, and one `.npy` file per video.
///
/// The annotation is `annotation.csv`, or `train.csv`, `valid.csv` and `test.csv` in the folder `annotation`. Its
/// columns are `type,name,count,L1,L2,…`: frames L1 and L2 are the first and the last of rep 1, L3 and L4 of rep 2.
/// Rows without marked frames have only a count and may end after it. Different spellings of a type become one
/// exercise. A pose file `poses/NAME.npy`, or `test_poses/NAME.npy` for `test.csv` and so on, is frames x 33 x 3 or
/// frames x 99, x right, y down, z away, with a different scale in every frame; NaN without a person. Videos without
/// poses are omitted and reported.
///
/// `fps.csv` (`name,fps`) gives the frame rates. Without it they are those of `--fps`, or assumed to be 30.
///
/// A shortened video has its remaining reps, without length, on or after its last frame: they are omitted. If the
/// marked reps overlap or their number differs from the count, only the count is used. Both cases are reported.
///
/// The subjects are unknown. Every video counts as a separate subject: intervals are too narrow if a person is in
/// several videos.
///
/// - Source: Hu et al., TransRAC: Encoding Multi-scale Temporal Correlation with Transformers for Repetitive Action
///   Counting, 2022; poses as published with Yao et al., PoseRAC, 2023. Countix-Fitness: arXiv 2409.00330, 2024, in the
///   layout of github.com/Wantong66/Countix-Fitness.
public struct RepCountPose: Importer {
  public static let format = "repcount-pose"
  public static let summary =
    "RepCount-A or Countix-Fitness with BlazePose poses: annotation.csv or annotation/test.csv, poses/ or test_poses/"
  public static let options: Set<ImportOption> = [.fps]

  public let manifest: Manifest
  public private(set) var remarks: [String] = []
  private let directory: String
  private let fps: Double?
  /// The files that were read, without the poses.
  private var files: [String] = []
  private var rows: [Row] = []

  private struct Row {
    var info: Clip.Info
    /// The file within the folder.
    var poses: String
    var count: Int
    /// The first and last frame of each rep; empty if reps overlap.
    var frames: [(first: Int, last: Int)]
  }

  /// An annotation and the folder of its videos' poses.
  private struct Part {
    var annotation: String
    var split: String
    var poses: String

    /// The annotations in a folder.
    static func all(of folder: SourceFolder) -> [Part] {
      let annotations = ["train", "valid", "test"].map { ("annotation/\($0).csv", $0) } + [("annotation.csv", "test")]
      return annotations.compactMap { file, split in
        guard folder.contains(file), let poses = ["\(split)_poses", "poses"].first(where: folder.contains) else {
          return nil
        }
        return Part(annotation: file, split: split, poses: poses)
      }
    }
  }

  public static func recognises(_ path: String) -> Bool {
    guard let folder = SourceFolder(path) else { return false }
    return Part.all(of: folder).contains { part in
      let columns = (folder.firstLine(of: part.annotation) ?? "").split(separator: ",")
      return ["type", "name", "count"].allSatisfy { columns.contains(Substring($0)) }
    }
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try RepCountPose(from: path, name: options.name, fps: options.fps)]
  }

  /// - Parameter fps: The frame rate of videos that `fps.csv` does not list.
  public init(from path: String, name: String?, fps: Double? = nil) throws {
    directory = path
    self.fps = fps
    manifest = Manifest(
      name: name ?? Self.format, version: "1",
      licence: "as the publishers of the annotation and the poses state; not for redistribution by this project",
      source: "RepCount-A (Hu et al. 2022) or Countix-Fitness (2024) with BlazePose landmarks (Yao et al. 2023)",
      origin: .recorded,
      caveat: "The subjects are unknown: every video counts as a subject of its own.",
      skeleton: Skeleton.blazePose33.name,
      coordinates: CoordinateSystem(unit: .relative, yAxis: .down), channels: [.x, .y, .z])
    let folder = SourceFolder(path)
    let rates = folder?.contains("fps.csv") == true ? try Self.rates(InputFile("fps.csv", in: path)) : nil
    guard let folder, case let parts = Part.all(of: folder), !parts.isEmpty else {
      throw DataError(
        file: path, expected: "annotation.csv or annotation/test.csv, and poses in poses/ or test_poses/",
        found: "not both")
    }
    if rates != nil { files.append("fps.csv") }
    if rates != nil, fps != nil {
      remarks.append("--fps is only for videos that fps.csv does not list")
    } else if rates == nil, fps == nil {
      remarks.append(
        "the frame rate is unknown: assumed \(PoseRecording.usualRate.shortestDecimal) a second; change it: --fps N")
    }
    var places: [String: FileLocation] = [:]
    var absent: [String] = []
    for part in parts {
      files.append(part.annotation)
      for row in try Self.videos(InputFile(part.annotation, in: path)) {
        let video = try row.row.text("name")
        let clip = Self.stem(video)
        guard PortableName.isValid(clip) else { throw row.row.failure("name", expected: PortableName.description) }
        if let place = places.updateValue(row.row.location, forKey: clip) {
          let isSame = place.file == row.row.location.file
          throw row.row.failure(
            clip: clip, expected: "each video once",
            found: "it also on line \(place.line)\(isSame ? "" : " of \(place.file)")")
        }
        guard let rate = rates.map({ $0[video] ?? fps }) ?? (fps ?? PoseRecording.usualRate) else {
          throw row.row.failure(
            clip: clip, expected: "its frame rate in \(path)/fps.csv or --fps",
            found: "none")
        }
        let type = try row.row.text("type")
        let info = Clip.Info(
          name: clip, subject: clip, exercise: Self.exercises[type] ?? type.replacing("_", with: "-"), view: "",
          fps: rate, split: part.split)
        let count = try Self.count(row.row, clip: clip)
        let frames = try Self.reps(row.row, columns: row.frameColumns, clip: clip)
        let poses = "\(part.poses)/\(clip).npy"
        guard folder.contains(poses) else {
          absent.append(clip)
          continue
        }
        rows.append(Row(info: info, poses: poses, count: count, frames: frames))
      }
    }
    guard let first = absent.first ?? rows.first?.info.name else {
      throw DataError(file: "\(path)/\(parts[0].annotation)", expected: "at least one video", found: "none")
    }
    guard !rows.isEmpty else {
      throw DataError(
        file: "\(path)/\(parts[0].poses)", expected: "poses of the annotated videos, such as \(first).npy",
        found: "none")
    }
    if !absent.isEmpty {
      remarks.append(
        "omitted \(absent.count) of \(absent.count + rows.count) annotated videos, which have no poses: "
          + Excerpt.list(absent))
    }
    reconcile()
    if let row = rows.first(where: { (try? poses($0)) != nil }), try isStretched(row) {
      remarks.append(
        "x and y of each frame span 0 to 1, and the body's proportions are lost: angles and distances are distorted")
    }
  }

  /// The non-empty rows of an annotation, and the columns of its frames. Row lengths depend on the number of reps.
  private static func videos(_ file: InputFile) throws -> [(row: CSVRow, frameColumns: [String])] {
    let needed = ["type", "name", "count"]
    let header = try CSVTable(file, required: needed, ignoringOthers: true, paddingRows: true).columns
    let frames = header.filter { $0.wholeMatch(of: /L[0-9]+/) != nil }
    let table = try CSVTable(file, required: needed + frames, ignoringOthers: true, paddingRows: true)
    return try table.rows.filter { row in try !needed.allSatisfy { try row.textIfPresent($0) == nil } }
      .map { ($0, frames) }
  }

  public var clipCount: Int { rows.count }

  /// The spellings of each type in the annotation.
  static let exercises = [
    "squat": "squat", "squant": "squat", "pull_up": "pull-up", "pull_ups": "pull-up", "pullups": "pull-up",
    "jump_jack": "jumping-jack",
    "jumpjacks": "jumping-jack", "push_up": "push-up", "push_ups": "push-up", "pushups": "push-up",
    "front_raise": "front-raise",
    "frontraise": "front-raise", "bench_pressing": "bench-press", "benchpressing": "bench-press", "situp": "sit-up",
    "pommelhorse": "pommel-horse", "pommel_horse": "pommel-horse",
  ]

  private static func stem(_ video: String) -> String {
    video.lowercased().hasSuffix(".mp4") ? String(video.dropLast(4)) : video
  }

  private static func rates(_ file: InputFile) throws -> [String: Double] {
    var rates: [String: Double] = [:]
    for row in try CSVTable(file, required: ["name", "fps"], ignoringOthers: true).rows {
      let fps = try row.number("fps")
      guard Clip.Info.frameRates.contains(fps) else {
        throw row.failure("fps", expected: "\(Clip.Info.frameRateDescription) frames a second")
      }
      rates[try row.text("name")] = fps
    }
    return rates
  }

  /// The frames of a row in pairs; an odd number of frames is an error.
  private static func reps(_ row: CSVRow, columns: [String], clip: String) throws -> [(first: Int, last: Int)] {
    var numbers: [Int] = []
    for column in columns {
      guard let value = try row.numberIfPresent(column) else { break }
      guard let frame = Int(exactly: value), frame >= 0 else {
        throw row.failure(column, clip: clip, expected: "a frame number from 0")
      }
      numbers.append(frame)
    }
    guard numbers.count.isMultiple(of: 2) else {
      throw row.failure(
        clip: clip, expected: "a first and a last frame for each rep", found: "\(numbers.count) frames")
    }
    return stride(from: 0, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
  }

  private static func count(_ row: CSVRow, clip: String) throws -> Int {
    guard let count = Int(exactly: try row.number("count")), count >= 0 else {
      throw row.failure("count", clip: clip, expected: "a whole number from 0")
    }
    return count
  }

  /// Matches annotation and recording, and reports differences.
  private mutating func reconcile() {
    let hasMarks = rows.contains { !$0.frames.isEmpty }
    for (index, row) in rows.enumerated() {
      let name = row.info.name
      if row.frames.isEmpty, !hasMarks { continue }
      if row.frames.count != row.count {
        remarks.append(
          "\(name): counts \(row.count) reps and marks \(row.frames.count); only the count is used, "
            + "not the marked reps")
        rows[index].frames = []
        continue
      }
      // Poses that cannot be read are an error when their clip is read.
      guard let frames = try? poses(row).shape[0] else { continue }
      let within = row.frames.map { (first: $0.first, last: min($0.last, frames - 1)) }
      let real = within.filter { $0.last > $0.first }
      if real.count < row.frames.count {
        remarks.append(
          "\(name): omitted \(row.frames.count - real.count) of \(row.frames.count) annotated reps that have no length "
            + "within the video, which may have been cut short; its count is \(real.count)")
      }
      rows[index].count = real.count
      rows[index].frames = real
      if !zip(real, real.dropFirst()).allSatisfy({ $1.first >= $0.last }) {
        remarks.append("\(name): marks reps that overlap; only the count is used, not the marked reps")
        rows[index].frames = []
      }
    }
  }

  /// The landmarks of a video: frames x 33 x 3.
  private func poses(_ row: Row) throws -> NumpyArray {
    let file = try InputFile(row.poses, in: directory)
    let array = try NumpyArray(file)
    try array.requireNoInfinity(file.name)
    let (count, shape) = (Skeleton.blazePose33.keypoints.count, array.shape)
    guard let frames = shape.first, frames > 0, shape == [frames, count, 3] || shape == [frames, count * 3] else {
      throw DataError(
        file: file.name, clip: row.info.name, expected: "frames x 33 x 3 or frames x 99 values",
        found: shape.map(String.init).joined(separator: " x "))
    }
    return array
  }

  /// Whether each axis of each frame is scaled to 0...1 separately, as in PoseRAC's published poses.
  private func isStretched(_ row: Row) throws -> Bool {
    let values = try poses(row).values
    let width = Skeleton.blazePose33.keypoints.count * 3
    var spans = 0
    for start in stride(from: 0, to: values.count, by: width) {
      for axis in 0..<2 {
        let own = stride(from: start + axis, to: start + width, by: 3).map { values[$0] }.filter(\.isFinite)
        guard let least = own.min(), let most = own.max() else { continue }
        guard abs(least) < 1e-3, abs(most - 1) < 1e-3 else { return false }
        spans += 1
      }
    }
    return spans > 0
  }

  public func digest() throws -> ContentHash {
    try ContentHash.files(files + rows.map(\.poses), in: directory, settings: fps.map { ["\($0)"] } ?? [])
  }

  public func clipName(_ index: Int) throws -> String { rows[index].info.name }

  public func clip(_ index: Int) throws -> Clip {
    let row = rows[index]
    let array = try poses(row)
    let keypoints = Keypoints(
      times: [Microseconds](frames: array.shape[0], rate: row.info.fps),
      keypointCount: Skeleton.blazePose33.keypoints.count, channels: manifest.channels, frames: array.values)
    return Clip(info: row.info, keypoints: keypoints, labels: labels(row))
  }

  private func labels(_ row: Row) -> GroundTruth {
    guard row.frames.count == row.count else { return GroundTruth(repCount: row.count) }
    return GroundTruth(
      reps: row.frames.map {
        Rep(
          start: Microseconds(frame: $0.first, rate: row.info.fps),
          end: Microseconds(frame: $0.last, rate: row.info.fps))
      })
  }
}
