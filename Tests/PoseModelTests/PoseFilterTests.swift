import PoseModel
import Testing

@Suite struct PoseFilterTests {
  /// Uneven times, joints that come and go, depth.
  private func clip() -> PoseSequence {
    let count = 120
    let width = Skeleton.blazePose33.keypoints.count
    var state: UInt64 = 7
    func noise() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / Float(1 << 24)
    }
    var values: [Float] = []
    for frame in 0..<count {
      for keypoint in 0..<width {
        let missing = (frame / 10 + keypoint) % 9 == 0
        for _ in 0..<3 { values.append(missing ? .nan : Float(frame) * 0.01 + noise() * 0.05) }
        values.append(noise())
      }
    }
    let times = (0..<count).map { Microseconds(Int64($0) * 33_333 + Int64(($0 * 7_919) % 9_000)) }
    return PoseSequence(
      Keypoints(times: times, keypointCount: width, channels: Channel.allCases, frames: values),
      skeleton: .blazePose33, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }

  @Test(arguments: ["average:5", "median:5", "median:21", "one-euro", "one-euro:1,0.5,1"])
  func liveAndWholeClipAreTheSame(_ text: String) throws {
    let clip = clip()
    let smoothing = try Smoothing(text)
    let whole = clip.smoothed(by: smoothing)
    var live = PoseFilter(smoothing)
    var changed = false
    for index in 0..<clip.frameCount {
      var frame = clip.frame(index)
      live.update(&frame)
      for joint in Joint.allCases {
        for channel in Channel.allCases {
          let (a, b) = (frame[joint, channel].bitPattern, whole[joint, channel, index].bitPattern)
          let bothMissing = frame[joint, channel].isNaN && whole[joint, channel, index].isNaN
          #expect(a == b || bothMissing, "\(joint.name) \(channel) of frame \(index)")
        }
        #expect(whole[joint, .confidence, index] == clip[joint, .confidence, index])
        #expect(whole[joint, .x, index].isNaN == clip[joint, .x, index].isNaN)
        changed = changed || whole[joint, .y, index] != clip[joint, .y, index] && clip[joint, .y, index].isFinite
      }
    }
    #expect(changed)
    #expect(whole.times == clip.times)
  }

  @Test func aResetFilterStartsAnew() throws {
    let clip = clip()
    var filter = PoseFilter(try Smoothing("median:5"))
    var first = clip.frame(0)
    for index in 0..<20 {
      var frame = clip.frame(index)
      filter.update(&frame)
    }
    filter.reset()
    filter.update(&first)
    let before = clip[.leftKnee, .x, 0]
    let after = first[.leftKnee, .x]
    #expect(before == after || before.isNaN)
    #expect(first[.rightKnee, .y] == clip[.rightKnee, .y, 0])
  }

  @Test(arguments: ["average:5", "median:7", "one-euro", "one-euro:1.5,0.25,2.0"])
  func textsComeBack(_ text: String) throws {
    #expect(try Smoothing(text).description == text)
  }

  @Test(
    arguments: [
      "", "mean:5", "average", "average:", "average:1", "average:2.5", "average:121", "median:4", "median:1",
      "one-euro:", "one-euro:1,2", "one-euro:0,1,1", "one-euro:1,-1,1", "one-euro:1,1,nan", "one-euro:inf,1,1",
    ])
  func wrongTextsSayWhatIsExpected(_ text: String) {
    do {
      _ = try Smoothing(text)
      Issue.record("\(text) is no smoothing")
    } catch {
      #expect(error.description.contains("expected average:<2 to 120 frames>"))
      #expect(error.description.contains("found "))
    }
  }
}
