import Coaching
import PoseModel
import Testing

@Suite struct ClipQualityTests {
  static let image = CoordinateSystem(unit: .image(aspect: 1), yAxis: .down)

  func quality(
    frames count: Int, fps: Double, found: Int? = nil, confidence: Float = 0.9,
    coordinates: CoordinateSystem = image
  ) -> ClipQuality {
    var times: [Microseconds] = []
    var values: [Float] = []
    for index in 0..<count {
      let isThere = index < found ?? count
      let frame =
        isThere ? FrontFigure(confidence: confidence).frame() : PoseFrame()
      times.append(Microseconds(frame: index, rate: fps))
      for joint in Joint.allCases { for channel in Channel.allCases { values.append(frame[joint, channel]) } }
    }
    let poses = PoseSequence(
      Keypoints(times: times, keypointCount: Joint.count, channels: Channel.allCases, frames: values),
      skeleton: .common, coordinates: Self.image)
    return ClipQuality(poses, coordinates: coordinates)
  }

  /// 90 frames at 30 a second are 3 s. The figure reaches from the nose at 0.18 to the ankles at 0.9.
  @Test func measuresWhatKeypointsShow() throws {
    let found = quality(frames: 90, fps: 30)
    #expect(abs(try #require(found.frameRate) - 30) < 0.01)
    #expect(abs(found.duration - 3) < 1e-4)
    #expect(found.personShare == 1)
    #expect(abs(try #require(found.confidence) - 0.9) < 1e-6)
    #expect(abs(try #require(found.personHeight) - 0.72) < 1e-5)
    #expect(found.imageHeight == nil)
    #expect(found.shortcomings.isEmpty && found.isValid)
  }

  @Test func namesEveryShortcoming() {
    #expect(quality(frames: 90, fps: 10).shortcomings == [.frameRate])
    #expect(quality(frames: 30, fps: 30).shortcomings == [.duration])
    #expect(quality(frames: 90, fps: 30, found: 71).shortcomings == [.personShare])
    #expect(quality(frames: 90, fps: 30, confidence: 0.4).shortcomings == [.confidence])
    let pixels = CoordinateSystem(unit: .pixel(height: 360), yAxis: .down)
    #expect(quality(frames: 90, fps: 30, coordinates: pixels).shortcomings == [.imageHeight])
    let heights = CoordinateSystem(unit: .imageHeight, yAxis: .down)
    #expect(quality(frames: 90, fps: 30, coordinates: heights).isValid)
  }

  /// The guide calls anything valid that lasts, at whatever rate and whoever is in it.
  @Test func theGuideOnlyLooksAtTheDuration() {
    #expect(quality(frames: 2, fps: 1, found: 0).isValid)
    #expect(!quality(frames: 0, fps: 30).isValid)
    #expect(!quality(frames: 1, fps: 30).isValid)
  }

  @Test func aRecordingWithoutImageHeightsHasNoSize() {
    let metres = CoordinateSystem(unit: .metre, yAxis: .down)
    #expect(quality(frames: 90, fps: 30, coordinates: metres).personHeight == nil)
    #expect(quality(frames: 90, fps: 30, found: 0).confidence == nil)
  }

  /// 15 fps is what the documents ask for, in whole microseconds too.
  @Test func fifteenFramesASecondAreEnough() { #expect(quality(frames: 45, fps: 15).shortcomings.isEmpty) }
}
