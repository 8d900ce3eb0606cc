import Datasets
import Foundation
import PoseModel

/// A push-up video's keypoints as one estimator wrote them.
struct PushFitRecording {
  struct Frame: Decodable {
    struct Keypoint: Decodable {
      var x: Float
      var y: Float
      var z: Float?
      /// MediaPipe's name for the confidence.
      var visibility: Float?
      /// MoveNet's.
      var score: Float?
    }
    /// Empty where nobody was found.
    var keypoints: [Keypoint]
  }

  let frames: [Frame]

  /// - Parameter count: the estimator's number of keypoints.
  /// - Throws: `DataError` with the frame where the file is not such a list.
  init(_ file: InputFile, keypointCount count: Int) throws {
    do {
      frames = try JSONDecoder().decode([Frame].self, from: file.bytes)
    } catch let error as DecodingError {
      throw DataError(file: file.name, expected: "a list of frames with keypoints", found: Self.words(error))
    }
    guard !frames.isEmpty else { throw DataError(file: file.name, expected: "at least one frame", found: "none") }
    for (index, frame) in frames.enumerated() where !frame.keypoints.isEmpty && frame.keypoints.count != count {
      throw DataError(
        file: file.name, expected: "\(count) keypoints or none in frame \(index)", found: "\(frame.keypoints.count)")
    }
  }

  /// What is wrong and where: `no value for x in frame 3, keypoint 12`.
  private static func words(_ error: DecodingError) -> String {
    func place(_ path: [any CodingKey]) -> String {
      let places = path.compactMap(\.intValue)
      let parts = zip(["frame", "keypoint"], places).map { "\($0) \($1)" }
      return parts.isEmpty ? "" : " in " + parts.joined(separator: ", ")
    }
    switch error {
    case .keyNotFound(let key, let context): return "no value for \(key.stringValue)" + place(context.codingPath)
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      let key = context.codingPath.last.map { $0.intValue == nil ? " for \($0.stringValue)" : "" } ?? ""
      return "a value of another kind" + key + place(context.codingPath)
    case .dataCorrupted(let context):
      return "no JSON" + place(context.codingPath)
    @unknown default: return "something else"
    }
  }
}
