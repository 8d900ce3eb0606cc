import Checks
import Datasets
import Evaluation
import PoseModel
import Simulation
import Testing

/// A generated clip of sound squats, and ways to spoil it.
struct SpoiltClip {
  static let generator = MotionGenerator(
    name: "squats", exercises: Exercises.all.filter { $0.name == "squat" }, scenarios: [.perfectForm], seed: 3,
    subjects: 6, clipsPerSubject: 1)
  /// Everyone's clip as it was made.
  static let clips = (0..<generator.clipCount).map { generator.scene($0).clip() }

  var clip: Clip
  var manifest = Self.generator.manifest
  private(set) var times: [Microseconds] = []
  /// A frame after the other, each with 17 keypoints of x, y and confidence.
  private(set) var frames: [[Float]] = []

  init(_ index: Int = 0) {
    clip = Self.clips[index]
    guard let keypoints = clip.keypoints else { return }
    times = keypoints.times
    frames = times.indices.map { frame in
      (0..<17 * 3).map { keypoints.values[$0 * keypoints.frameCount + frame] }
    }
  }

  /// What one check finds in it, but for notes.
  func findings(_ check: String) throws -> [Finding] { try allFindings(check).filter { $0.severity != .note } }

  func allFindings(_ check: String) throws -> [Finding] {
    var next: Clip? = spoilt
    return try DatasetChecks.findings(manifest) {
      defer { next = nil }
      return next
    }.filter { $0.check == check }
  }

  var spoilt: Clip {
    var clip = clip
    clip.keypoints = Keypoints(
      times: times, keypointCount: 17, channels: [.x, .y, .confidence], frames: frames.flatMap(\.self))
    return clip
  }

  func seconds(_ frame: Int) -> Double { (times[frame].seconds * 1000).rounded() / 1000 }

  mutating func repeatFrame(_ frame: Int, over range: Range<Int>) { for next in range { frames[next] = frames[frame] } }

  mutating func setTimes(_ change: (Int, Microseconds) -> Microseconds) {
    for frame in times.indices { times[frame] = change(frame, times[frame]) }
  }

  /// Changes each keypoint's place in some frames.
  mutating func move(_ range: Range<Int>? = nil, _ change: (Int, SIMD2<Float>) -> SIMD2<Float>) {
    for frame in range ?? frames.indices {
      for keypoint in 0..<17 {
        let place = change(keypoint, SIMD2(frames[frame][3 * keypoint], frames[frame][3 * keypoint + 1]))
        frames[frame][3 * keypoint] = place.x
        frames[frame][3 * keypoint + 1] = place.y
      }
    }
  }

  mutating func set(_ frame: Int, _ value: Int, to new: Float) { frames[frame][value] = new }

  /// Exchanges left and right of all keypoints: COCO's 1 and 2, 3 and 4, …, 15 and 16.
  mutating func swapSides(_ range: Range<Int>) {
    for frame in range {
      for left in stride(from: 1, to: 17, by: 2) {
        for value in 0..<3 { frames[frame].swapAt(3 * left + value, 3 * (left + 1) + value) }
      }
    }
  }

  /// Gives all values of some frames one value: NaN where nobody is found, 0 as some tools write it.
  mutating func fill(_ range: Range<Int>, with value: Float) {
    for frame in range { frames[frame] = frames[frame].map { _ in value } }
  }

  /// As a video played twice as fast at the same frame rate.
  mutating func speedUp() {
    frames = stride(from: 0, to: frames.count, by: 2).map { frames[$0] }
    times = Array(times.prefix(frames.count))
  }

  mutating func drop(before frame: Int) {
    frames.removeFirst(frame)
    times = times.dropFirst(frame).map { $0 - times[frame] }
  }

  /// Straight lines between the frames, at another rate.
  mutating func resample(to rate: Double) {
    let (old, oldTimes) = (frames, times)
    let count = Int((oldTimes[oldTimes.count - 1].seconds * rate).rounded(.down)) + 1
    times = (0..<count).map { Microseconds(frame: $0, rate: rate) }
    frames = times.map { time in
      let after = oldTimes.firstIndex { $0 >= time } ?? old.count - 1
      guard after > 0 else { return old[0] }
      let part = Float((time - oldTimes[after - 1]).seconds / (oldTimes[after] - oldTimes[after - 1]).seconds)
      return old[after].indices.map { old[after - 1][$0] * (1 - part) + old[after][$0] * part }
    }
    clip.info.fps = rate
  }
}
