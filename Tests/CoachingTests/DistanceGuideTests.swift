import Coaching
import PoseModel
import Testing

@Suite struct DistanceGuideTests {
  /// A face and two feet at 10 frames a second; `nil` is a frame without feet.
  private func events(_ heights: [Float?], _ values: [String: Double] = [:]) throws -> [Event] {
    var guide = LiveDetector(try DistanceGuide(replacing: values))
    return heights.enumerated().flatMap { index, height in
      var frame = PoseFrame(time: Microseconds(Int64(index) * 100_000))
      frame.set(.nose, x: 0.5, y: 0.2, confidence: 0.9)
      if let height {
        frame.set(.leftAnkle, x: 0.45, y: 0.2 + height - 0.02, confidence: 0.9)
        frame.set(.rightAnkle, x: 0.55, y: 0.2 + height, confidence: 0.9)
      }
      return guide.update(frame)
    }
  }

  private func phases(_ events: [Event]) -> [String] {
    events.compactMap { if case .phase(let phase) = $0.kind { phase } else { nil } }
  }

  private func cues(_ events: [Event]) -> [(text: String, seconds: Double)] {
    events.compactMap { if case .cue(let cue) = $0.kind { (cue.text, $0.time.seconds) } else { nil } }
  }

  @Test func distanceFollowsFromTheHeightInThePicture() throws {
    #expect(
      try phases(events([0.5, 0.63, 0.61, 0.45, nil])) == ["optimal", "too_close", "optimal", "too_far", "out_of_view"])
  }

  /// Said once it has lasted a second, and again after four.
  @Test func aPersonIsToldWhereToGo() throws {
    let said = cues(try events([Float?](repeating: 0.8, count: 60)))
    #expect(said.map(\.text) == ["Step back from the camera", "Step back from the camera"])
    #expect(said.map(\.seconds) == [1, 5])
    #expect(cues(try events([Float?](repeating: 0.3, count: 20))).map(\.text) == ["Step closer to the camera"])
    #expect(cues(try events([Float?](repeating: nil, count: 20))).map(\.text) == ["Position yourself in camera view"])
    #expect(cues(try events([Float?](repeating: 0.5, count: 60))).isEmpty)
  }

  /// What the document does with a squat of two seconds, and what the preset does.
  @Test func aSquatIsNoStepBackForThePreset() throws {
    let squat = [Float?](repeating: 0.55, count: 20) + [Float?](repeating: 0.35, count: 20)
    let squats = squat + squat + squat
    #expect(phases(try events(squats)).filter { $0 == "too_far" }.count == 3)
    let preset = try #require(DistanceGuide.presets.first { $0.name == "corrected" })
    #expect(phases(try events(squats, preset.values)) == ["optimal"])
    // Somebody who went away is found to be far within twice the memory.
    let gone = [Float?](repeating: 0.55, count: 20) + [Float?](repeating: 0.35, count: 120)
    let late = try events(gone, preset.values).first { $0.kind == .phase("too_far") }
    let seconds = try #require(late).time.seconds
    #expect(seconds > 2 + 5 - 0.11 && seconds <= 2 + 10)
  }

  @Test func thresholdsMustGoTogether() {
    #expect(throws: ParameterError.self) { try DistanceGuide(replacing: ["shortest": 0.7]) }
  }
}
