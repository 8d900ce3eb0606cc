import Datasets
import PoseModel
import Statistics

/// How long people pause around the ends of labelled reps.
///
/// A label may put the end of a rep anywhere in such a pause, and so may a detector: if the pauses are longer than the
/// tolerance of the ends, equal counts have different ends. The pause at an end is the time until the next labelled rep.
/// Where the next rep, or the end of the clip, follows at once, the label includes the pause: then it is the time around
/// the end in which the pose stays near the one at the end; in a clip that is one rep from its first frame to its last,
/// together with such a time at its start, which is the other half of a pause.
package struct RepPauses: Sendable {
  /// Seconds, one per labelled rep whose pause is known.
  package private(set) var seconds: [Double] = []

  package init() {}

  /// A pose is near another if its joints are no farther from it, on average, than this share of the rep's greatest
  /// distance: reasoned, as detectors count a rep as over before the last seventh of the way back.
  private static let near: Float = 0.15
  /// A rep follows at once within this time, two frames at 25 a second.
  private static let atOnce = Microseconds(80_000)

  private static let joints: [Joint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee,
    .rightKnee, .leftAnkle, .rightAnkle,
  ]

  /// The pauses of a clip's labelled reps, in time order.
  package init(of reps: [Rep], in poses: PoseSequence) {
    guard let first = poses.times.first, let last = poses.times.last else { return }
    for (index, rep) in reps.enumerated() {
      let isLast = index + 1 == reps.count
      let gap = (isLast ? last : reps[index + 1].start) - rep.end
      if gap > Self.atOnce {
        if !isLast { seconds.append(gap.seconds) }
      } else if let time = Self.time(near: rep.end, of: rep, in: poses) {
        let isWhole = isLast && rep.start - first <= Self.atOnce
        seconds.append(time + (isWhole ? Self.time(near: rep.start, of: rep, in: poses) ?? 0 : 0))
      }
    }
  }

  /// Whether the usual pause is longer than a tolerance of the ends.
  package func exceed(_ tolerance: Microseconds) -> Bool { median.map { $0 > tolerance.seconds } ?? false }

  /// Seconds; `nil` without a known pause.
  package var median: Double? { quantile(0.5, of: seconds) }

  package static func + (a: RepPauses, b: RepPauses) -> RepPauses {
    var sum = a
    sum.seconds += b.seconds
    return sum
  }

  /// The time around an instant in which the pose stays near the one at the instant, in seconds; `nil` if no joint is seen
  /// there.
  ///
  /// - Parameter rep: The rep whose range decides what is near.
  private static func time(near instant: Microseconds, of rep: Rep, in poses: PoseSequence) -> Double? {
    let times = poses.times
    // Labels that nobody has checked may lie outside the recording.
    func frame(_ time: Microseconds) -> Int { min(times.firstIndex(from: time), times.count - 1) }
    let (place, start, end) = (frame(instant), frame(rep.start), frame(rep.end))
    guard start <= end, let range = (start...end).map({ distance($0, place, poses) }).filter(\.isFinite).max() else {
      return nil
    }
    func isFar(_ frame: Int) -> Bool { distance(frame, place, poses) > near * range }
    let first = (0..<place).last(where: isFar).map { $0 + 1 } ?? 0
    let last = (place..<times.count).first(where: isFar).map { $0 - 1 } ?? times.count - 1
    return (times[last] - times[first]).seconds
  }

  /// The mean distance of the joints in two frames, in the unit of the poses; NaN without a joint that is seen in both.
  private static func distance(_ a: Int, _ b: Int, _ poses: PoseSequence) -> Float {
    var (sum, count): (Float, Float) = (0, 0)
    for joint in joints {
      let x = poses[joint, .x, a] - poses[joint, .x, b]
      let y = poses[joint, .y, a] - poses[joint, .y, b]
      guard (x + y).isFinite else { continue }
      let z = poses[joint, .z, a] - poses[joint, .z, b]
      sum += (x * x + y * y + (z.isFinite ? z * z : 0)).squareRoot()
      count += 1
    }
    return count > 0 ? sum / count : .nan
  }
}

extension Store {
  /// The pauses around the ends of labelled reps in some of a dataset's clips, evenly chosen.
  ///
  /// - Parameter limit: How many clips are read.
  package func pauses(in clips: [StoredClip], of dataset: StoredDataset, limit: Int = 20) throws -> RepPauses {
    let labelled = clips.filter { $0.hasPoses && $0.labels.reps?.isEmpty == false }
    let step = max(1, (labelled.count + limit - 1) / limit)
    return try stride(from: 0, to: labelled.count, by: step).reduce(RepPauses()) { sum, index in
      let clip = try clip(labelled[index], of: dataset)
      return try sum + RepPauses(of: clip.labels.reps ?? [], in: clip.poses(dataset.manifest))
    }
  }
}
