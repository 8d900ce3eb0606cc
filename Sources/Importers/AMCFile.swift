import Datasets
import Foundation
import PoseModel

/// A motion of Acclaim's format: each frame a line with its number, then a line a bone with its angles.
struct AMCFile: PointMotion {
  let file: String
  let names: [String]
  let rate: Double
  let times: [Double]?
  let frameCount: Int
  let metresPerUnit: Double? = nil
  let upAxis: Axis? = .y
  let subject: String?
  private let skeleton: ASFFile
  private let input: InputFile
  private let numbers: AMCNumbers
  /// Where each frame's number stands, and where the text ends.
  private let starts: [Int]
  /// How many degrees an angle is.
  private let degrees: Double
  /// The angles of each bone: the axis, and which of its numbers it is.
  private let turning: [[(axis: Int, number: Int)]]

  /// Reads all frames, to know that they can be read.
  ///
  /// - Throws: `DataError` with the line where a frame does not come after the one before, is one too many for a clip, or
  ///   lacks a number.
  init(_ input: InputFile, skeleton: ASFFile, rate: Double) throws {
    try input.requireNoUTF16()
    self.input = input
    self.skeleton = skeleton
    self.rate = rate
    file = input.name
    names = skeleton.bones.map(\.name)
    subject = URL(fileURLWithPath: skeleton.file).deletingPathExtension().lastPathComponent
    numbers = AMCNumbers(skeleton)
    turning = skeleton.bones.indices.map { bone in
      (bone == 0 ? skeleton.rootOrder.map { $0 - 3 } : skeleton.bones[bone].turns).enumerated()
        .filter { $1 >= 0 }.map { (axis: $1, number: $0) }
    }
    var reader = AMCReader(input, numbers)
    var frames: [Int] = []
    var starts: [Int] = []
    // A line is looked for where something is wrong only: it is counted from the first on.
    while let next = try reader.next() {
      guard next <= 1_000_000_000 else {
        throw DataError(
          file: input.name, line: reader.frameLine, expected: "a frame up to 1000000000", found: "\(next)")
      }
      if let last = frames.last, next <= last || next > last + FrameGrid.longestGap {
        throw DataError(
          file: input.name, line: reader.frameLine,
          expected: "a frame from \(last + 1) to \(last + FrameGrid.longestGap)",
          found: "\(next)")
      }
      frames.append(next)
      starts.append(reader.frameStart)
      try ClipSize.check(
        frames: frames.count, orMore: true, of: Skeleton.motionCapture.keypoints.count * 3, file: input.name)
    }
    degrees = reader.isInRadians ? 180 / .pi : 1
    frameCount = frames.count
    let first = frames.first ?? 0
    let hasGaps = (frames.last ?? 0) - first != frames.count - 1
    times = hasGaps ? frames.map { Double($0 - first) / rate } : nil
    self.starts = starts
  }

  func forEachFrame(_ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws {
    try forEachFrame(every: 1, body)
  }

  func forEachFrame(
    every step: Int, _ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void
  ) throws {
    var points = [SIMD3<Double>](repeating: .zero, count: names.count)
    var turns = [Rotation](repeating: .identity, count: names.count)
    var reader = AMCReader(input, numbers)
    for frame in stride(from: 0, to: frameCount, by: step) {
      if frame == 0 || step > 1 { reader.move(to: starts[frame]) }
      _ = try reader.next()
      pose(reader.values, &points, &turns)
      try points.withUnsafeBufferPointer { try body(frame, $0) }
    }
  }

  /// Where the bones end.
  ///
  /// A bone turns in its own axes: by the inverse of their rotation, the motion's, and that rotation. Angles are about
  /// fixed axes, the first first (CMU, "Acclaim Format - ASF line Details").
  private func pose(_ values: [Double], _ points: inout [SIMD3<Double>], _ turns: inout [Rotation]) {
    var position = skeleton.rootPosition
    for (index, channel) in skeleton.rootOrder.enumerated() where channel < 3 { position[channel] += values[index] }
    points[0] = position / skeleton.unit
    var index = 0
    while index < turning.count {
      let bone = skeleton.bones[index]
      var turn = Rotation.identity
      for angle in turning[index] {
        turn = Rotation(degrees: values[numbers.starts[index] + angle.number] * degrees, about: angle.axis) * turn
      }
      if !turning[index].isEmpty { turn = bone.axis * turn * bone.axis.inverse }
      if let parent = bone.parent {
        turns[index] = turning[index].isEmpty ? turns[parent] : turns[parent] * turn
        points[index] = points[parent] + turns[index] * bone.reach / skeleton.unit
      } else {
        turns[index] = turn
      }
      index += 1
    }
  }
}
