import Datasets
import Files
import Foundation
import PoseModel

/// Single frames with a label and MediaPipe's poses: `squat_model/train.csv`, `lunge_model/err.test.csv` and the like.
///
/// A file has `label` and, for those of BlazePose's landmarks that its exercise needs, `_x,_y,_z,_v` in 0…1 of the
/// image, y down. A letter means something else in each kind of file, so each kind is a dataset of its own: `squat`
/// (down, up), `lunge-error` (C correct, L knee_forward), `lunge-stage` (I init, M mid, D down), `plank` (C correct, H
/// hips_high, L hips_sag) and `bicep` (C correct, L leaning_back). Takes the folder of the five or one of them.
///
/// A file becomes a clip at one frame a second, and each frame an interval of one second with its label. The frames
/// come from unrelated moments and people, which makes any measure of motion meaningless here.
///
/// The image is assumed to be 16:9: shoulders seen from the front are then 0.7 of the trunk, as in people, and thigh
/// and shank keep their ratio in lunges and planks, which lie in all directions.
///
/// - Source: github.com/NgoQuocBao1010/Exercise-Correction, `core/`.
public struct ExerciseCorrection: Importer {
  public static let format = "exercise-correction"
  public static let summary = "single frames with a label and MediaPipe poses: {squat,lunge,plank,bicep}_model/*.csv"

  /// The labels of a kind of file.
  private struct Part {
    var name: String
    var folder: String
    /// The part before `train` or `test` in the files' names.
    var prefix = ""
    var exercise: String
    var labels: [String: String]
  }

  public let manifest: Manifest
  public let remarks: [String] = []
  private let directory: String
  private let files: [String]
  private let part: Part

  public static func recognises(_ path: String) -> Bool {
    parts.contains { part in
      guard let folder = try? folder(of: part, in: path), let files = try? files(of: part, in: folder) else {
        return false
      }
      return files.contains { folder.firstLine(of: $0)?.hasPrefix("label,nose_x,nose_y,nose_z,nose_v,") == true }
    }
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    let found = try parts.compactMap { part -> ExerciseCorrection? in
      guard let folder = try folder(of: part, in: path) else { return nil }
      let files = try files(of: part, in: folder)
      return files.isEmpty ? nil : ExerciseCorrection(part, files: files, in: folder.path, name: options.name)
    }
    guard !found.isEmpty else {
      throw DataError(file: path, expected: "squat_model/train.csv and the like", found: "none")
    }
    return found
  }

  private init(_ part: Part, files: [String], in directory: String, name: String?) {
    self.part = part
    self.files = files
    self.directory = directory
    manifest = Manifest(
      name: "\(name ?? Self.format)-\(part.name)", version: "1", licence: "MIT",
      source: "github.com/NgoQuocBao1010/Exercise-Correction, \(part.folder)", origin: .recorded,
      caveat: """
        The frames of a clip are unrelated single frames, one second apart: only their labels have a meaning, not \
        motion or time. The people are unknown. Images are assumed to be 16:9.
        """,
      skeleton: Skeleton.blazePose33.name,
      coordinates: CoordinateSystem(unit: .image(aspect: 16.0 / 9), yAxis: .down),
      channels: [.x, .y, .z, .confidence])
  }

  private static let parts = [
    Part(name: "squat", folder: "squat_model", exercise: "squat", labels: ["up": "up", "down": "down"]),
    Part(
      name: "lunge-error", folder: "lunge_model", prefix: "err.", exercise: "lunge",
      labels: ["C": "correct", "L": "knee_forward"]),
    Part(
      name: "lunge-stage", folder: "lunge_model", prefix: "stage.", exercise: "lunge",
      labels: ["I": "init", "M": "mid", "D": "down"]),
    Part(
      name: "plank", folder: "plank_model", exercise: "plank",
      labels: ["C": "correct", "H": "hips_high", "L": "hips_sag"]),
    Part(
      name: "bicep", folder: "bicep_model", exercise: "biceps-curl", labels: ["C": "correct", "L": "leaning_back"]),
  ]

  private static func folder(of part: Part, in path: String) throws -> SourceFolder? {
    guard let root = SourceFolder(path) else { return nil }
    return root.name == part.folder ? root : try root.folder(part.folder)
  }

  private static func files(of part: Part, in folder: SourceFolder) throws -> [String] {
    try folder.names(endingIn: "csv").filter {
      $0.hasPrefix(part.prefix) && $0.dropFirst(part.prefix.count).wholeMatch(of: /(train|test)[0-9]*\.csv/) != nil
    }
  }

  public var clipCount: Int { files.count }

  public func digest() throws -> ContentHash { try ContentHash.files(files, in: directory) }

  public func clip(_ index: Int) throws -> Clip {
    let stem = files[index].dropFirst(part.prefix.count).dropLast(4)
    let name = "\(part.name)-\(stem)"
    let file = try InputFile(files[index], in: directory)
    let header = try CSVTable(file, required: ["label"], ignoringOthers: true).columns
    let landmarks = try Self.landmarks(header, file: file.name)
    let table = try CSVTable(file, required: ["label"] + landmarks.flatMap(\.columns))
    guard !table.rows.isEmpty else {
      throw DataError(file: file.name, line: 2, expected: "at least one frame", found: "a header without rows")
    }
    var grid = try FrameGrid(
      frameCount: table.rows.count, keypointCount: Skeleton.blazePose33.keypoints.count, channels: manifest.channels,
      file: file.name)
    var labels = GroundTruth()
    for (frame, row) in table.rows.enumerated() {
      let text = try row.text("label")
      guard let label = part.labels[text] else {
        throw row.failure(
          clip: name, expected: "one of \(part.labels.keys.sorted().joined(separator: ", ")) in column label",
          found: NearNames.question(text, in: part.labels.keys))
      }
      labels.intervals.append(
        Segment(
          start: Microseconds(frame: frame, rate: 1), end: Microseconds(frame: frame + 1, rate: 1), label: label))
      for landmark in landmarks {
        for (channel, column) in landmark.columns.enumerated() {
          grid.set(frame, keypoint: landmark.place, channel: channel, try row.coordinate(column))
        }
      }
    }
    return Clip(
      info: Clip.Info(
        name: name, subject: name, exercise: part.exercise, view: "", fps: 1,
        split: stem.hasPrefix("train") ? "train" : "test"), keypoints: grid.keypoints(rate: 1), labels: labels)
  }

  /// The landmarks in a header, each with all four columns.
  private static func landmarks(_ header: [String], file: String) throws -> [(place: Int, columns: [String])] {
    let given = Set(header)
    let landmarks = Skeleton.blazePose33.keypoints.enumerated().compactMap { place, landmark in
      given.contains("\(landmark)_x") ? (place, ["_x", "_y", "_z", "_v"].map { landmark + $0 }) : nil
    }
    guard !landmarks.isEmpty else {
      throw DataError(file: file, line: 1, expected: "landmarks of BlazePose, such as nose_x", found: "none")
    }
    return landmarks
  }
}
