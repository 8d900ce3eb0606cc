import Datasets
import Files
import Foundation
import PoseModel
import Statistics

/// Files of generated poses, 17 keypoints with x, y and confidence, for the claims on throughput of
/// `ThroughputBenchmark`.
struct ThroughputFiles {
  /// Almost the maximum number of a clip.
  static let frames = 490_000
  static let skeleton = Skeleton.coco17
  static let channels: [Channel] = [.x, .y, .confidence]

  let folder: String

  var csv: String { folder + "/poses.csv" }
  var npy: String { folder + "/poses.npy" }
  var json: String { folder + "/poses.json" }
  /// COCO's results, with all digits of doubles.
  var coco: String { folder + "/coco.json" }
  /// The same with a number a line.
  var cocoIndented: String { folder + "/coco-indented.json" }
  /// Of 33 landmarks with x, y, z and visibility, numbered.
  var mediaPipe: String { folder + "/mediapipe.csv" }

  /// Writes the files, except existing ones.
  func prepare() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(csv) { PoseCSV.encode(Self.keypoints(frames: Self.frames), skeleton: Self.skeleton) }
    try write(npy) { NumpyArray(Self.keypoints(frames: Self.frames)).encoded }
    try write(json) { Self.json(Self.keypoints(frames: Self.frames / 4)) }
    try write(coco) { Self.coco(frames: Self.frames / 8, isIndented: false) }
    try write(cocoIndented) { Self.coco(frames: Self.frames / 8, isIndented: true) }
    try write(mediaPipe) { Self.mediaPipe(frames: Self.frames / 4) }
    for clips in Clips.allCases { try prepare(clips) }
  }

  /// The input of an import.
  enum Clips: String, CaseIterable {
    case csv, json, coco, npy, largest

    var count: Int {
      switch self {
      case .csv: 150
      case .json: 40
      case .npy: 300
      case .coco, .largest: 1
      }
    }

    /// Whether they are files of a tool rather than a dataset folder.
    var areForeign: Bool { self == .json || self == .coco }

    var description: String {
      switch self {
      case .csv: "\(count) pose CSVs of 100 s"
      case .json: "\(count) keypoint JSONs of 100 s"
      case .coco: "COCO's results of \(ThroughputFiles.frames / 8) frames, 34 minutes, all digits of doubles"
      case .npy: "\(count) npy of 100 s"
      case .largest: "one pose CSV of \(ThroughputFiles.frames) frames, 4.5 hours"
      }
    }
  }

  func path(_ clips: Clips) -> String { "\(folder)/\(clips.rawValue)-clips" }

  /// The size of the poses only.
  func byteCount(_ clips: Clips) throws -> Int {
    try names(clips).reduce(0) { sum, name in
      sum + (try FileManager.default.attributesOfItem(atPath: "\(path(clips))/\(name)")[.size] as? Int ?? 0)
    }
  }

  private func names(_ clips: Clips) -> [String] {
    (0..<clips.count).map {
      clips.areForeign ? "clip-\($0).json" : "poses/clip-\($0).\(clips == .npy ? "npy" : "csv")"
    }
  }

  private func prepare(_ clips: Clips) throws {
    let path = path(clips)
    guard !FileManager.default.fileExists(atPath: path) else { return }
    try FileManager.default.createDirectory(atPath: path + "/poses", withIntermediateDirectories: true)
    let keypoints = Self.keypoints(frames: clips == .largest ? Self.frames : 3_000)
    let poses =
      switch clips {
      case .csv, .largest: PoseCSV.encode(keypoints, skeleton: Self.skeleton)
      case .json: Self.json(keypoints)
      case .coco: Self.coco(frames: Self.frames / 8, isIndented: false)
      case .npy: NumpyArray(keypoints).encoded
      }
    for name in names(clips) { try poses.write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
    guard !clips.areForeign else { return }
    let rows = names(clips).enumerated().map { "clip-\($0),s\($0 % 10),squat,side,30,,\($1)\n" }
    try Data(("clip,subject,exercise,view,fps,split,poses\n" + rows.joined()).utf8).write(
      to: URL(fileURLWithPath: path + "/clips.csv"))
    let manifest = """
      name: \(clips.rawValue)
      version: "1"
      licence: none
      source: a benchmark
      origin: synthetic
      skeleton: \(Self.skeleton.name)
      coordinates: { unit: image, aspect: 1, y_axis: down, channels: [x, y, confidence] }

      """
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: path + "/dataset.yaml"))
  }

  private func write(_ path: String, _ data: () throws -> Data) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    try data().write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Positions with six decimals, as estimators write them, and confidences with three.
  static func keypoints(frames: Int) -> Keypoints {
    var random = SeededGenerator(seed: 1)
    let width = skeleton.keypoints.count * channels.count
    return Keypoints(
      times: (0..<frames).map { Microseconds(frame: $0, rate: 30) }, keypointCount: skeleton.keypoints.count,
      channels: channels,
      values: (0..<width * frames).map { place in
        let isConfidence = place / frames % channels.count == 2
        let scale = isConfidence ? 1e3 : 1e6
        return Float((random.unit() * scale).rounded() / scale)
      })
  }

  private static func mediaPipe(frames: Int) -> Data {
    var random = SeededGenerator(seed: 1)
    let header = (0..<33).flatMap { landmark in ["x", "y", "z", "v"].map { "\($0)\(landmark)" } }
    var data = Data((["frame"] + header).joined(separator: ",").utf8)
    for frame in 0..<frames {
      let values = (0..<33 * 4).map { _ in "\((random.unit() * 1e6).rounded() / 1e6)" }
      data.append(contentsOf: "\n\(frame),\(values.joined(separator: ","))".utf8)
    }
    return data
  }

  /// A list of frames, `{"keypoints":[{"x":…,"y":…,"score":…}, …]}`.
  private static func json(_ keypoints: Keypoints) -> Data {
    var data = Data("[".utf8)
    let count = keypoints.frameCount
    for frame in 0..<count {
      let joints = (0..<keypoints.keypointCount).map { joint in
        let values = (0..<3).map { keypoints.values[(joint * 3 + $0) * count + frame] }
        return "{\"x\":\(values[0]),\"y\":\(values[1]),\"score\":\(values[2])}"
      }
      data.append(
        contentsOf: "\(frame == 0 ? "" : ",\n"){\"keypoints\":[\(joints.joined(separator: ","))]}".utf8)
    }
    data.append(contentsOf: "]\n".utf8)
    return data
  }
}

extension NumpyArray {
  fileprivate init(_ keypoints: Keypoints) {
    self.init(
      shape: [keypoints.frameCount, keypoints.keypointCount, keypoints.channels.count], values: keypoints.values)
  }
}
