import Coaching
import Foundation
import PoseModel
import Testing

/// What is measured of a swing, on frames whose speeds and angles are known.
@Suite struct SwingMetricsTests {
  /// The right wrist on a circle about the neck: at rest, then `sweep` degrees from `start` degrees at a steady rate of
  /// one turn in `period` seconds, then at rest. Degrees from the player's right, upwards.
  func stroke(
    radius: Double = 0.3, from start: Double = -90, sweep: Double = 180, period: Double = 1, lean: Double = 0,
    values: [String: Double] = [:]
  ) throws -> Stroke {
    let fps = 30.0
    let moving = sweep / 360 * period
    let frames = (0..<Int((moving + 4) * fps)).map { index -> PoseFrame in
      let time = Double(index) / fps
      let share = min(max((time - 2) / moving, 0), 1)
      let angle = (start + sweep * share) * .pi / 180
      return TennisFigure(right: (radius * cos(angle), radius * sin(angle)), turn: 30, lean: lean).frame(at: time)
    }
    var all = values
    all["maximumRate"] = 0
    let events = try DetectorTests.live(SwingPeaks.self, frames, all.merging(["handedness": 1]) { $1 })
    let strokes = SwingDetectorTests.strokes(events)
    #expect(strokes.count == 1)
    return try #require(strokes.first)
  }

  func analysis(
    radius: Double = 0.3, from start: Double = -90, sweep: Double = 180, period: Double = 1, lean: Double = 0,
    values: [String: Double] = [:]
  ) throws -> AnalysisResult {
    try #require(
      stroke(radius: radius, from: start, sweep: sweep, period: period, lean: lean, values: values).analysis)
  }

  /// From frame to frame the wrist goes along the chord 2 r sin(π Δt / T), which takes Δt.
  @Test(arguments: [(0.3, 1.0), (0.3, 0.8), (0.4, 1.25)])
  func theWristsSpeedIsThatOfTheCircle(_ radius: Double, _ period: Double) throws {
    let chord = 2 * radius * sin(.pi / 30 / period)
    let speed = chord * 30
    let result = try analysis(radius: radius, period: period)
    #expect(abs(Double(result.metrics.maxWristSpeed) - speed) < 0.005)
    #expect(result.metrics.speedUnit == .bodyHeightsPerSecond)
  }

  /// Metres only where a height in metres is given.
  @Test func aBodyHeightMakesMetres() throws {
    let speed = 2 * 0.3 * sin(.pi / 30) * 30
    let metrics = try analysis(values: ["bodyHeight": 1.8]).metrics
    #expect(abs(Double(metrics.maxWristSpeed) - 1.8 * speed) < 0.01)
    #expect(metrics.speedUnit == .metresPerSecond)
  }

  /// A wider window sees more rest and less swing: of a swing of 4 frames' steps in a window of 8 steps, half.
  @Test func theWindowAverages() throws {
    let step = 2 * 0.3 * sin(.pi * 4 / 30 / 4 / 0.5) * 30
    let narrow = try analysis(sweep: 96, period: 0.5, values: ["velocityWindow": 5])
    #expect(abs(Double(narrow.metrics.maxWristSpeed) - step) < 0.01)
    let wide = try analysis(sweep: 96, period: 0.5, values: ["velocityWindow": 9, "minimumPeakSpeed": 1])
    #expect(abs(Double(wide.metrics.maxWristSpeed) - step / 2) < 0.01)
  }

  @Test func contactIsOnTheCircle() throws {
    let contact = try analysis().metrics.contactPoint
    #expect(abs(contact.x * contact.x + contact.y * contact.y - 0.09) < 0.001)
  }

  /// All of the half circle above its middle is after contact, which is in the first frames of a steady speed: the
  /// highest place is its top, 0.3 above the neck.
  @Test func followThroughIsTheHighestPlaceAfterContact() throws {
    let height = try #require(try analysis().metrics.followThroughHeight)
    #expect(abs(height - 0.3) < 0.005)
    let low = try #require(try analysis(from: -200, sweep: 160).metrics.followThroughHeight)
    #expect(abs(low - Float(0.3 * sin(-40 * Double.pi / 180))) < 0.03)
  }

  /// A forehand whose wrist is at 0.35, −0.2 before and at 0.025, −0.075 in the middle.
  @Test func backswingAngleIsSeenFromTheNeck() throws {
    let frames = TennisStroke.frames([(.forehand, 2)], until: 4)
    let strokes = SwingDetectorTests.strokes(
      try DetectorTests.live(SwingPeaks.self, frames, SwingDetectorTests.everyFrame))
    let metrics = try #require(strokes.first?.analysis?.metrics)
    #expect(abs(metrics.contactPoint.x - 0.025) < 0.002 && abs(metrics.contactPoint.y + 0.075) < 0.002)
    let whole = (atan2(0.2, 0.35) - atan2(0.075, 0.025)) * -180 / .pi
    let angle = Double(try #require(metrics.backswingAngle))
    // The swing begins where the wrist is fast, a little after the furthest place.
    #expect(angle < whole && angle > whole - 6, "\(angle) of \(whole)")
  }

  /// Ten twelfths of a circle in `frames` frames.
  @Test(arguments: [(24, Float(0.3)), (45, 0.6)])
  func thePathIsTenToFifteenPoints(_ frames: Int, _ radius: Float) throws {
    let path = try analysis(radius: Double(radius), sweep: 300, period: Double(frames) / 25).metrics.swingPath
    #expect((10...15).contains(path.count), "\(path.count)")
    #expect(path.allSatisfy { abs($0.x * $0.x + $0.y * $0.y - radius * radius) < 0.001 })
  }

  @Test func aPathHasAsManyPointsAsAreAskedFor() throws {
    let values = ["fewestPathPoints": 4.0, "mostPathPoints": 6]
    let path = try analysis(sweep: 300, values: values).metrics.swingPath
    #expect((4...6).contains(path.count), "\(path.count)")
  }

  /// Five sixths of a circle of 1.8 s are 45 frames, of which no more than 31 are kept.
  @Test func noSwingIsLongerThanWhatIsKept() throws {
    func frames(_ values: [String: Double]) throws -> Double {
      let long = ["peakDistance": 2.0, "boundaryReach": 2].merging(values) { $1 }
      let stroke = try stroke(radius: 0.6, sweep: 300, period: 1.8, values: long)
      return (stroke.end - stroke.start).seconds * 30
    }
    #expect(try frames([:]) > 40)
    #expect(try frames(["capacity": 31]) < 31)
  }

  /// Shoulders turned by 30 degrees look cos 30° wide.
  @Test func bodyAnglesAreThoseOfTheFigure() throws {
    let angles = try analysis(lean: 10).metrics.bodyAngles
    #expect(abs(try #require(angles.shoulderRotation) - 30) < 0.1)
    #expect(abs(try #require(angles.hipRotation) - 30) < 0.1)
    #expect(abs(try #require(angles.spineAngle) - 10) < 0.1)
  }

  func insight(_ type: AnalysisResult.Insight.InsightType, of result: AnalysisResult) -> AnalysisResult.Insight? {
    result.insights.first { $0.type == type }
  }

  /// Between 20 and 45 degrees of lean: 32.5 is half way, a warning.
  @Test(arguments: [(10.0, "good"), (32.5, "warning"), (50, "issue")])
  func postureIsJudgedByLean(_ lean: Double, _ severity: String) throws {
    #expect(insight(.posture, of: try analysis(lean: lean))?.severity.rawValue == severity)
  }

  @Test(arguments: [(0.25, "good"), (0.15, "warning"), (0.08, "issue")])
  func contactIsJudgedByReach(_ radius: Double, _ severity: String) throws {
    let result = try analysis(radius: radius, period: radius * 3)
    #expect(insight(.contactPoint, of: result)?.severity.rawValue == severity)
  }

  /// The turn stays, so timing is unknown; reach is good, lean half good, and the follow-through ends about 0.1 below
  /// the neck, where 0 is good and 0.2 an issue: the score is ten times the mean of the three.
  @Test func theScoreIsTheMeanPart() throws {
    let end = -asin(0.1 / 0.3) * 180 / .pi
    let result = try analysis(from: end - 160, sweep: 160, lean: 32.5)
    #expect(insight(.timing, of: result) == nil)
    #expect(insight(.followThrough, of: result)?.severity == .warning)
    let height = Double(try #require(result.metrics.followThroughHeight))
    #expect(abs(height + 0.1) < 0.03)
    let expected = 10 * (1 + 0.5 + (height + 0.2) / 0.2) / 3
    let score = try #require(result.score)
    #expect(abs(score - expected) < 0.01)
  }

  /// Shoulders that unwind fastest 70 ms before contact lead; when the whole figure is played backwards, they are late.
  @Test func timingIsTheShouldersLead() throws {
    func timing(_ sign: Double) throws -> AnalysisResult.Insight? {
      let stroke = TennisStroke.forehand
      let frames = (0..<120).map { index -> PoseFrame in
        stroke.figure(at: sign * (Double(index) / 30 - 2)).frame(at: Double(index) / 30)
      }
      let events = try DetectorTests.live(SwingPeaks.self, frames, SwingDetectorTests.everyFrame)
      return SwingDetectorTests.strokes(events).first?.analysis.flatMap { insight(.timing, of: $0) }
    }
    #expect(try timing(1)?.severity == .good)
    #expect(try timing(-1)?.severity != .good)
  }

  /// One thing is said a stroke: the gravest.
  @Test func theGravestInsightIsTheCue() throws {
    let frames = TennisStroke.frames([(.forehand, 2)], until: 4)
    let events = try DetectorTests.live(SwingPeaks.self, frames, SwingDetectorTests.everyFrame)
    let analysis = try #require(SwingDetectorTests.strokes(events).first?.analysis)
    let cues = events.compactMap { if case .cue(let cue) = $0.kind { cue } else { nil } }
    let issue = try #require(analysis.insights.first { $0.severity == .issue })
    #expect(cues == [Cue(issue.message, .high)])
    let grades = events.compactMap { if case .grade("swing", let value, _) = $0.kind { value } else { nil } }
    #expect(grades == [try #require(analysis.score)])
  }

  @Test func theResultIsJSON() throws {
    let result = try analysis()
    let data = try JSONEncoder().encode(result)
    #expect(try JSONDecoder().decode(AnalysisResult.self, from: data) == result)
    let text = String(decoding: data, as: UTF8.self)
    for field in [
      "shotId", "timestamp", "swingType", "metrics", "insights", "score", "maxWristSpeed", "contactPoint", "swingPath",
      "backswingAngle", "followThroughHeight", "severity",
    ] { #expect(text.contains("\"\(field)\""), "\(field)") }
    #expect(result.shotId == "swing-1")
  }
}
