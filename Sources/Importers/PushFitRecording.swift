import Datasets

/// A push-up video's keypoints as one estimator wrote them.
struct PushFitRecording {
  struct Keypoint {
    var x: Float
    var y: Float
    /// NaN where there is none, as the next two.
    var z = Float.nan
    /// MediaPipe's name for the confidence.
    var visibility = Float.nan
    /// MoveNet's.
    var score = Float.nan
  }

  /// The keypoints of each frame, none where nobody was found.
  private(set) var frames: [[Keypoint]] = []

  /// - Parameter count: the estimator's number of keypoints.
  /// - Throws: `DataError` with line and path where the file is not a list of frames.
  init(_ file: InputFile, keypointCount count: Int) throws {
    var frames: [[Keypoint]] = []
    try JSONReader.read(file) { json in
      try json.array { json in
        var keypoints: [Keypoint]?
        try json.object { json, key in
          guard case "keypoints" = key else { return try json.skip() }
          var found: [Keypoint] = []
          found.reserveCapacity(count)
          try json.array { json in found.append(try Self.keypoint(&json)) }
          guard found.isEmpty || found.count == count else {
            throw json.failure(expected: "\(count) keypoints or none", found: "\(found.count)")
          }
          keypoints = found
        }
        guard let keypoints else { throw json.failure(expected: "a frame with keypoints", found: "one without") }
        frames.append(keypoints)
      }
    }
    guard !frames.isEmpty else { throw DataError(file: file.name, expected: "at least one frame", found: "none") }
    self.frames = frames
  }

  private static func keypoint(_ json: inout JSONReader) throws -> Keypoint {
    var keypoint = Keypoint(x: .nan, y: .nan)
    var isThere = (x: false, y: false)
    try json.object { json, key in
      switch key {
      case "x":
        keypoint.x = try json.coordinate()
        isThere.x = true
      case "y":
        keypoint.y = try json.coordinate()
        isThere.y = true
      case "z": keypoint.z = try json.coordinate()
      case "visibility": keypoint.visibility = try json.coordinate()
      case "score": keypoint.score = try json.coordinate()
      default: try json.skip()
      }
    }
    guard isThere.x, isThere.y else {
      throw json.failure(expected: "a keypoint with x and y", found: "one without")
    }
    return keypoint
  }
}
