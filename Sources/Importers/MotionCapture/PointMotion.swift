import Datasets

/// Named points that move: markers, or the joints and ends of bones.
protocol PointMotion {
  /// What errors call the file.
  var file: String { get }
  var names: [String] { get }
  /// Frames a second.
  var rate: Double { get }
  /// When each frame is, where frames do not follow each other at `rate` from 0.
  var times: [Double]? { get }
  var frameCount: Int { get }
  /// Metres that one of the file's units is; `nil` where the file does not say.
  var metresPerUnit: Double? { get }
  /// The axis that points up, by the format or the file; `nil` where both leave it open.
  var upAxis: Axis? { get }
  /// Who is recorded, where the file says so.
  var subject: String? { get }

  /// Calls `body` with each frame's points in the file's units, in the order of `names`; NaN where one is missing.
  ///
  /// - Throws: `DataError` with the line where a frame is wrong.
  func forEachFrame(_ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws

  /// The same with one frame of `step` only: those that are multiples of it.
  func forEachFrame(every step: Int, _ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws
}

extension PointMotion {
  var times: [Double]? { nil }
  var subject: String? { nil }

  /// Reads all frames, for formats in which a frame's place is not known before.
  func forEachFrame(every step: Int, _ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws {
    try forEachFrame { frame, points in
      if frame.isMultiple(of: step) { try body(frame, points) }
    }
  }
}

extension SIMD3<Double> {
  static let missing = SIMD3(repeating: .nan)

  var isMissing: Bool { !(x + y + z).isFinite }
}
