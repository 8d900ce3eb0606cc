import Datasets
import Files
import Foundation
import PoseModel

/// RepCount-A with BlazePose poses: `annotation.csv`, `fps.csv` and `poses/NAME.npy`.
///
/// `annotation.csv` has the columns `type,name,count,L1,L2,…`: frames L1 and L2 are the first and the last of rep 1, L3
/// and L4 of rep 2. A type is spelt in several ways, which become one exercise. A pose file is frames x 33 x 3 Float32,
/// x right, y down, z away, with a different scale in every frame; NaN if nobody was found.
///
/// A rep without length is not in the video: a shortened video has its remaining reps on or beyond its last frame. Such
/// reps are left out. If the marked reps overlap or their number differs from the count, only the count is used. Both
/// cases are reported.
///
/// The subjects are unknown, and every video counts as a subject of its own: intervals treat videos as independent, and
/// are too narrow if a person is in several.
///
/// - Source: Hu et al., TransRAC: Encoding Multi-scale Temporal Correlation with Transformers for Repetitive Action
///   Counting, 2022; poses as published with Yao et al., PoseRAC, 2023.
public struct RepCountPose: Importer {
  public static let format = "repcount-pose"
  public static let summary = "RepCount-A with BlazePose poses: annotation.csv, fps.csv, poses/NAME.npy"

  public let manifest: Manifest
  public private(set) var remarks: [String] = []
  private let directory: String
  private var rows: [Row] = []

  private struct Row {
    var info: Clip.Info
    var count: Int
    /// First and last frame of each rep; empty if they cannot be separated.
    var frames: [(first: Int, last: Int)]
  }

  public static func recognises(_ path: String) -> Bool {
    guard let folder = SourceFolder(path) else { return false }
    return ["annotation.csv", "fps.csv", "poses"].allSatisfy(folder.contains)
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try RepCountPose(from: path, name: options.name)]
  }

  public init(from path: String, name: String?) throws {
    directory = path
    manifest = Manifest(
      name: name ?? Self.format, version: "1",
      licence: "as the publishers of RepCount-A state; not for redistribution by this project",
      source: "RepCount-A (Hu et al. 2022) with BlazePose landmarks (Yao et al. 2023)", origin: .recorded,
      caveat: "The subjects are unknown: every video counts as a subject of its own.",
      skeleton: Skeleton.blazePose33.name,
      coordinates: CoordinateSystem(unit: .relative, yAxis: .down), channels: [.x, .y, .z])
    let rates = try Self.rates(InputFile("fps.csv", in: path))
    let file = try InputFile("annotation.csv", in: path)
    let header = try CSVTable(file, required: ["type", "name", "count"], ignoringOthers: true).columns
    let frameColumns = header.filter { $0.wholeMatch(of: /L[0-9]+/) != nil }
    let table = try CSVTable(file, required: ["type", "name", "count"] + frameColumns, ignoringOthers: true)
    var lines: [String: Int] = [:]
    for row in table.rows {
      let video = try row.text("name")
      let clip = Self.stem(video)
      guard PortableName.isValid(clip) else { throw row.failure("name", expected: PortableName.description) }
      if let line = lines.updateValue(row.line, forKey: clip) {
        throw row.failure(clip: clip, expected: "each video once", found: "it also on line \(line)")
      }
      guard let fps = rates[video] else {
        throw row.failure(clip: clip, expected: "its frame rate in \(path)/fps.csv", found: "none")
      }
      let type = try row.text("type")
      rows.append(
        Row(
          info: Clip.Info(
            name: clip, subject: clip, exercise: Self.exercises[type] ?? type.replacing("_", with: "-"), view: "",
            fps: fps, split: "test"), count: try Self.count(row, clip: clip),
          frames: try Self.reps(row, columns: frameColumns, clip: clip)))
    }
    guard !rows.isEmpty else {
      throw DataError(file: file.name, expected: "at least one video", found: "none")
    }
    try reconcile()
  }

  public var clipCount: Int { rows.count }

  /// The spellings of each type in the annotation.
  static let exercises = [
    "squat": "squat", "squant": "squat", "pull_up": "pull-up", "pullups": "pull-up", "jump_jack": "jumping-jack",
    "jumpjacks": "jumping-jack", "push_up": "push-up", "pushups": "push-up", "front_raise": "front-raise",
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
      guard fps > 0, fps <= 1000 else { throw row.failure("fps", expected: "frames a second above 0, up to 1000") }
      rates[try row.text("name")] = fps
    }
    return rates
  }

  /// The frames of a row, in pairs; with an odd number of frames the last has no partner.
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

  /// Matches annotation and recording, and reports what did not fit.
  private mutating func reconcile() throws {
    for (index, row) in rows.enumerated() {
      let name = row.info.name
      if row.frames.count != row.count {
        remarks.append(
          "\(name): counts \(row.count) reps and marks \(row.frames.count); only the count is used, "
            + "not the marked reps")
        rows[index].frames = []
        continue
      }
      let frames = try poses(name).shape[0]
      let within = row.frames.map { (first: $0.first, last: min($0.last, frames - 1)) }
      let real = within.filter { $0.last > $0.first }
      if real.count < row.frames.count {
        remarks.append(
          "\(name): left out \(row.frames.count - real.count) of \(row.frames.count) annotated reps that have no length "
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
  private func poses(_ name: String) throws -> NumpyArray {
    let file = try InputFile("poses/\(name).npy", in: directory)
    let array = try NumpyArray(file)
    try array.requireNoInfinity(file.name)
    guard array.shape.count == 3, array.shape[1] == Skeleton.blazePose33.keypoints.count, array.shape[2] == 3,
      array.shape[0] > 0
    else {
      throw DataError(
        file: file.name, clip: name, expected: "frames x 33 x 3 values",
        found: array.shape.map(String.init).joined(separator: " x "))
    }
    return array
  }

  public func digest() throws -> ContentHash {
    try ContentHash.files(
      ["annotation.csv", "fps.csv"] + rows.map { "poses/\($0.info.name).npy" }, in: directory)
  }

  public func clip(_ index: Int) throws -> Clip {
    let row = rows[index]
    let array = try poses(row.info.name)
    let keypoints = Keypoints(
      times: (0..<array.shape[0]).map { Microseconds(frame: $0, rate: row.info.fps) },
      keypointCount: array.shape[1], channels: manifest.channels, frames: array.values)
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
