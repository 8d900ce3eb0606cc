import Datasets
import Foundation
import PoseModel

/// Files of made-up poses, 17 keypoints with x, y and confidence, as large as the claims on throughput need: what
/// `ThroughputBenchmark` and `Benchmarks/throughput.py` read.
struct ThroughputFiles {
  static let frames = 400_000
  static let skeleton = Skeleton.coco17
  static let channels: [Channel] = [.x, .y, .confidence]

  let folder: String

  var csv: String { folder + "/poses.csv" }
  var npy: String { folder + "/poses.npy" }
  var json: String { folder + "/poses.json" }

  /// Writes the files; those that are there stay.
  func prepare() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(csv) { PoseCSV.encode(Self.keypoints(frames: Self.frames), skeleton: Self.skeleton) }
    try write(npy) { NumpyArray(Self.keypoints(frames: 2 * Self.frames)).encoded }
    try write(json) { Self.json(Self.keypoints(frames: Self.frames / 4)) }
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
