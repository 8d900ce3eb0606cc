import Datasets
import PoseModel

/// The frames of a recording on a time axis.
///
/// Numbered frames count from 0 where there is a frame 0, from 1 otherwise, so that times are those of the video also where
/// nobody was found at its beginning; where the first number lies beyond `FrameGrid.longestGap`, and where there is but one
/// frame, they count from the first. Numbers that are left out are frames in which nobody was found. Times are taken as they
/// are; those of a clock that did not start with the recording (an hour or more) count from the first.
///
/// The nominal rate of times is that of their median step where two thirds of the steps are within a tenth of it;
/// otherwise frames come at no fixed rate, and it is that of the mean step, without gaps of more than twice the median.
struct FrameTimeline {
  let times: [Microseconds]
  /// Nominal frames a second: that of numbers, or one by the median of what lies between times.
  let rate: Double
  private(set) var remarks: [String] = []
  private var indices: [Int: Int] = [:]
  private var first = 0

  /// - Parameters:
  ///   - frames: numbers or times, growing.
  ///   - width: numbers that the clip has of each frame.
  /// - Throws: `DataError` where there is no frame, or they are too far apart or too many for a clip.
  init(_ frames: [Int], clock: PoseRecording.Clock, width: Int, file: String, clip: String) throws {
    guard let lowest = frames.first, let highest = frames.last else {
      throw DataError(file: file, clip: clip, expected: "at least one frame", found: "none")
    }
    switch clock {
    case .frames(let rate):
      for (earlier, later) in zip(frames, frames.dropFirst()) where later - earlier > FrameGrid.longestGap {
        throw DataError(
          file: file, clip: clip,
          expected: "frame numbers of one recording, at most \(FrameGrid.longestGap) apart",
          found: "\(later) after \(earlier)")
      }
      guard highest - lowest <= frames.count * FrameGrid.mostGapsPerFrame + FrameGrid.longestGap else {
        throw DataError(
          file: file, clip: clip,
          expected: "at most \(FrameGrid.mostGapsPerFrame) frames left out for each that is there",
          found: "\(frames.count) from \(lowest) to \(highest)")
      }
      first = frames.count == 1 || lowest > FrameGrid.longestGap || lowest < 0 ? lowest : min(lowest, 1)
      self.rate = rate
      let count = highest - first + 1
      try ClipSize.check(frames: count, of: width, file: file, clip: clip)
      times = (0..<count).map { Microseconds(frame: $0, rate: rate) }
      if first > 1 { remarks.append("frames are counted from \(first)") }
      if count > frames.count { remarks.append("\(count - frames.count) of \(count) frames are not there: nobody") }
    case .times:
      let start = lowest >= 3_600_000_000 || lowest < 0 ? lowest : 0
      times = frames.map { Microseconds(Int64($0 - start)) }
      for (index, frame) in frames.enumerated() { indices[frame] = index }
      guard frames.count > 1 else {
        rate = 30
        return
      }
      for (earlier, later) in zip(times, times.dropFirst()) where later - earlier > ClipSize.longestPause {
        throw DataError(
          file: file, clip: clip, expected: "a time at most an hour after \(earlier.seconds) s",
          found: "\(later.seconds) s")
      }
      let steps = zip(frames, frames.dropFirst()).map { $1 - $0 }.sorted()
      let median = steps[steps.count / 2]
      guard (Self.shortestStep...Self.longestStep).contains(median) else {
        throw DataError(
          file: file, clip: clip,
          expected: "frames 1 to 1000 ms apart, as times in seconds or, in a column time_ms or with a unit in the "
            + "mapping, in milliseconds",
          found: "them \(Self.milliseconds(median)) ms apart")
      }
      let near = steps.count { abs($0 - median) * 10 <= median }
      let isRegular = near * 3 >= steps.count * 2
      let kept = isRegular ? [median] : steps.filter { $0 <= 2 * median }
      rate = (1e8 * Double(kept.count) / Double(kept.reduce(0, +))).rounded() / 100
      if start != 0 { remarks.append("times count from the first, \(Double(start) / 1e6) s") }
      let (shortest, longest) = (steps[0], steps[steps.count - 1])
      let range = "\(Self.milliseconds(shortest)) to \(Self.milliseconds(longest)) ms apart"
      if !isRegular {
        remarks.append("frames come at no fixed rate, \(range): taken for \(rate.shortestDecimal) a second, their mean")
      } else if Double(longest) > 1.5 * Double(median) || Double(shortest) < 0.5 * Double(median) {
        remarks.append("frames lie \(range), mostly \(Self.milliseconds(median))")
      }
    }
  }

  /// Microseconds between two frames; with others the times have another unit than they were taken for.
  private static let shortestStep = 1000
  private static let longestStep = 1_000_000

  /// Where a frame stands among the times.
  func index(_ frame: Int) -> Int? { indices.isEmpty ? frame - first : indices[frame] }

  private static func milliseconds(_ count: Int) -> String {
    let tenths = (Double(count) / 100).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
