import PoseModel

/// Finds frame times that contradict `fps`, have gaps, or change their rate: a detector then computes wrong speeds and
/// times.
struct FrameRate: DatasetCheck {
  let name = "frame-rate"
  let title = "the frame rate differs from fps, or frames are missing"
  let threshold = """
    one of five signs: a rate 5 % off fps (29.97 differs less from 30, any two camera rates differ more); a step of \
    three frames and 0.1 s; a median step that changes by half from one stretch of 16 frames to the next; a third of \
    the steps a tenth off the median; more than a second between frames, too long for any movement
    """
  let remedy = """
    nothing, if these are the video's own times, as of phones; else correct fps in clips.csv, or export the poses with \
    the video's times
    """

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let times = clip.clip.keypoints?.times, times.count > 1 else { return [] }
    let steps = times.indices.dropLast().map { (times[$0 + 1] - times[$0]).seconds }
    let sorted = steps.sorted()
    let median = sorted[steps.count / 2]
    if median > Self.longestStep { return [unit(clip, from: times[0], to: times[times.count - 1], step: median)] }
    guard times.count > 10 else { return [] }
    var found: [Finding] = []
    let isVariable = steps.count { abs($0 - median) > 0.1 * median } * 3 > steps.count
    // Without a fixed rate, the rate of the mean step, gaps left out.
    let usual = steps.filter { $0 <= 2 * median }
    let step = isVariable ? usual.reduce(0, +) / Double(usual.count) : median
    let change = Self.change(steps)
    if isVariable, change == nil {
      found.append(
        finding(
          .warning, in: clip.name, weight: sorted[steps.count - 1] / median,
          "no fixed frame rate, \((sorted[0] * 1000).rounded(toDecimals: 1)) to "
            + "\((sorted[steps.count - 1] * 1000).rounded(toDecimals: 1)) ms apart"))
    }
    let off = abs(1 / step / clip.clip.info.fps - 1)
    if off > 0.05 {
      found.append(
        finding(
          .problem, in: clip.name, weight: off,
          "fps is \(clip.clip.info.fps.rounded(toDecimals: 2)), frames come at \((1 / step).rounded(toDecimals: 2))"))
    }
    let gaps = steps.indices.filter { steps[$0] >= max(0.1, 2.99 * median) }
    if let worst = gaps.max(by: { steps[$0] < steps[$1] }) {
      found.append(
        finding(
          .warning, in: clip.name, from: times[worst].seconds, to: times[worst + 1].seconds, weight: steps[worst],
          "a gap of \(steps[worst].rounded(toDecimals: 2)) s" + (gaps.count > 1 ? ", \(gaps.count) gaps in total" : ""))
      )
    }
    if let change {
      found.append(
        finding(
          .warning, in: clip.name, from: times[change.at].seconds, weight: change.ratio,
          "the rate goes from \((1 / change.before).rounded(toDecimals: 1)) to "
            + "\((1 / change.after).rounded(toDecimals: 1)) fps"))
    }
    return found
  }

  private static let longestStep = 1.0
  /// Frame rates of real cameras, per second.
  private static let rates = 5.0...1000.0

  /// Finds frames so far apart that the times cannot be in seconds.
  private func unit(_ clip: CheckedClip, from first: Microseconds, to last: Microseconds, step: Double) -> Finding {
    let units = [
      (name: "milliseconds", scale: 1e3), (name: "microseconds", scale: 1e6), (name: "nanoseconds", scale: 1e9),
    ]
    let guess = units.first { Self.rates.contains($0.scale / step) }
    let years = (last - first).seconds / (365.25 * 86400)
    let length =
      years >= 1
      ? "\(years.rounded(toDecimals: 1)) years" : "\((last - first).seconds.rounded(toDecimals: 1)) s"
    return finding(
      .problem, in: clip.name, from: first.seconds, to: last.seconds, weight: step,
      "one frame every \(step.rounded(toDecimals: 2)) s, \(length) in total"
        + (guess.map { ": are the times in \($0.name)?" } ?? ": what are the times in?"),
      remedy: "give times in seconds, or leave the column out and state the frame rate, and import again")
  }

  /// The greatest change of the median step between neighbouring stretches of 16 frames. The number is even, to give
  /// two alternating steps the same median everywhere.
  private static func change(_ steps: [Double]) -> (at: Int, before: Double, after: Double, ratio: Double)? {
    let width = 16
    let medians = stride(from: 0, through: steps.count - width, by: width).map {
      steps[$0..<$0 + width].sorted()[width / 2]
    }
    let changes = medians.indices.dropFirst().map { index in
      let (before, after) = (medians[index - 1], medians[index])
      return (at: index * width, before: before, after: after, ratio: max(before, after) / min(before, after))
    }
    return changes.max { $0.ratio < $1.ratio }.flatMap { $0.ratio >= 1.5 ? $0 : nil }
  }
}

/// Finds frames that repeat the frame before: a video that froze, or one that was converted to a higher frame rate.
struct FrozenFrames: DatasetCheck {
  let name = "frozen-frames"
  let title = "frozen or repeated frames"
  let threshold = """
    all values identical over 5 frames and 0.2 s, which no estimator gives for new images (longest in 35,000 real \
    frames of 25 to 30 fps: 2); or one frame in ten repeated (converting 24 fps to 30 repeats one in five)
    """
  let remedy = "cut the stretch out, or export the poses again at the video's own frame rate"

  static let run = 5
  static let runSeconds = 0.2
  static let share = 0.1

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let keypoints = clip.clip.keypoints, keypoints.frameCount > Self.run else { return [] }
    let repeats = Self.repeats(keypoints)
    var found: [Finding] = []
    var start = 0
    var frozen = 0
    for frame in 1...repeats.count {
      if frame < repeats.count && repeats[frame] { continue }
      let length = clip.seconds(frame - 1) - clip.seconds(start)
      if frame - 1 - start >= Self.run - 1, length >= Self.runSeconds * 0.79 {
        frozen += frame - 1 - start
        found.append(
          finding(
            .warning, in: clip.name, from: clip.seconds(start), to: clip.seconds(frame - 1), weight: length,
            "\(frame - start) identical frames"))
      }
      start = frame
    }
    let single = repeats.count(where: \.self) - frozen
    let share = Double(single) / Double(repeats.count - 1)
    if share >= Self.share {
      found.append(
        finding(.warning, in: clip.name, weight: share, "\(percent(share)) of the frames repeat the one before"))
    }
    return found
  }

  /// The frames with a person that repeat the previous frame.
  private static func repeats(_ keypoints: Keypoints) -> [Bool] {
    let count = keypoints.frameCount
    var isSame = [Bool](repeating: true, count: count)
    var isSeen = [Bool](repeating: false, count: count)
    let places = keypoints.channels.map { $0 != .confidence }
    keypoints.values.withUnsafeBufferPointer { values in
      for column in 0..<keypoints.keypointCount * places.count {
        // Without a person, estimators may still write a confidence of 0.
        let isPlace = places[column % places.count]
        for frame in 1..<count {
          let (one, other) = (values[column * count + frame - 1], values[column * count + frame])
          if isPlace, !other.isNaN { isSeen[frame] = true }
          if one != other && !(one.isNaN && other.isNaN) { isSame[frame] = false }
        }
      }
    }
    return isSame.indices.map { $0 > 0 && isSame[$0] && isSeen[$0] }
  }
}
