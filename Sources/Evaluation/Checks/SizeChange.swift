import PoseModel
import RealModule

/// By how much all limbs of a clip become longer or shorter at once.
///
/// A person who turns or bends changes some limbs' lengths in the picture and not others', and over many frames; one who
/// comes nearer changes all, over many frames. All at once only a cut or another person does.
struct SizeChange {
  static let longestWait = 0.5
  /// Indices of joints in `BodyTrack.joints`: both sides' upper arm, forearm, thigh and shank, and the shoulders' width.
  private static let limbs = [(0, 2), (1, 3), (2, 4), (3, 5), (6, 8), (7, 9), (8, 10), (9, 11), (0, 1)]
  private static let fewestLimbs = 5
  private static let around = 3
  private static let window = 1.0
  private static let fewestFrames = 8

  private let times: [Double]
  /// The logarithm of each limb's length in each of the frames; NaN where it is not seen.
  private let lengths: [[Float]]
  /// The middle one of the limbs' changes from each of the frames to the next.
  private let steps: [Float]

  init(_ body: BodyTrack, frames: [Int]) {
    times = frames.map { body.times[$0] }
    let lengths = Self.limbs.map { limb in
      frames.map { frame -> Float in
        let length = (body[limb.0, frame] - body[limb.1, frame]).length
        return length > 0 ? .log(length) : .nan
      }
    }
    self.lengths = lengths
    steps = frames.indices.dropFirst().map { frame in
      Self.middle(lengths.map { $0[frame] - $0[frame - 1] }) ?? 0
    }
  }

  /// The ratio of the size after a step to that before, where it is another one all at once.
  ///
  /// - Parameters:
  ///   - step: from the frame at this place to the next.
  ///   - wait: its seconds.
  func change(at step: Int, after wait: Double) -> Float? {
    let isGap = wait > Self.longestWait
    if !isGap {
      guard wait < BodyTrack.longestStep, abs(steps[step]) > 0.08 else { return nil }
      for other in step - Self.around...step + Self.around where other != step && steps.indices.contains(other) {
        guard abs(steps[other]) < abs(steps[step]) / 4 else { return nil }
      }
    }
    guard let before = usual(in: times[step] - Self.window...times[step]),
      let after = usual(in: times[step + 1]...times[step + 1] + Self.window)
    else { return nil }
    let changes = before.indices.map { after[$0] - before[$0] }
    guard let change = Self.middle(changes), Self.areAlike(changes) else { return nil }
    let isOther =
      isGap
      ? abs(change) > .log(1.25)
      : change * steps[step] > 0 && abs(change) > 0.15 && Self.areAlike(lengths.map { $0[step + 1] - $0[step] })
    return isOther ? .exp(change) : nil
  }

  /// Whether limbs change alike: where an estimator loses a limb or two, or takes one side for the other, they do not.
  private static func areAlike(_ changes: [Float]) -> Bool {
    let known = changes.filter(\.isFinite)
    let mean = known.reduce(0, +) / Float(known.count)
    let squares = known.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(known.count)
    return squares.squareRoot() < 0.25
  }

  /// Each limb's length over a stretch: nearly its greatest, as it is foreshortened at times.
  private func usual(in stretch: ClosedRange<Double>) -> [Float]? {
    let places = times.indices.filter { stretch.contains(times[$0]) }
    guard places.count >= Self.fewestFrames else { return nil }
    return lengths.map { limb in
      let known = places.map { limb[$0] }.filter(\.isFinite).sorted()
      return known.count >= Self.fewestFrames ? known[known.count * 9 / 10] : .nan
    }
  }

  private static func middle(_ values: [Float]) -> Float? {
    let known = values.filter(\.isFinite).sorted()
    return known.count >= fewestLimbs ? known[known.count / 2] : nil
  }
}
