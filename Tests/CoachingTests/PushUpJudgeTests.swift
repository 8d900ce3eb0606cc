import Coaching
import Foundation
import PoseModel
import Testing

/// Push-ups of a drawn figure. The expected grades are those of `measure`, `reports` and the weights of
/// training/push-up-judge/train.py, computed in doubles.
@Suite struct PushUpJudgeTests {
  private static func frames(
    _ figure: PushUpFigure, seconds: Double = 4.2, rate: Double = 30, from start: Microseconds = .zero,
    _ camera: PushUpFigure.Camera = PushUpFigure.Camera()
  ) -> [PoseFrame] {
    (0..<Int(seconds * rate)).map { index in
      let time = Microseconds(frame: index, rate: rate)
      var frame = figure.frame(at: time, camera)
      frame.time = start + time
      return frame
    }
  }

  private static func events(_ frames: [PoseFrame], replacing values: [String: Double] = [:]) throws -> [Event] {
    var judge = LiveDetector(try PushUpJudge(replacing: values))
    return frames.flatMap { judge.update($0) }
  }

  /// A grade: when it is reported in microseconds, whether of a rep, and its points.
  struct Report: Sendable {
    var time: Int64
    var isRep: Bool
    var grade: Double

    init(_ time: Int64, rep isRep: Bool, _ grade: Double) { (self.time, self.isRep, self.grade) = (time, isRep, grade) }
  }

  private func check(_ events: [Event], _ expected: [Report]) {
    let graded: [Report] = events.compactMap { event in
      if case .grade("form", let value, let rep) = event.kind {
        Report(event.time.count, rep: rep.turn != nil, value)
      } else {
        nil
      }
    }
    #expect(graded.map(\.time) == expected.map(\.time) && graded.map(\.isRep) == expected.map(\.isRep), "\(graded)")
    for (found, report) in zip(graded, expected) { #expect(abs(found.grade - report.grade) < 0.5, "\(graded)") }
  }

  /// A clip of a figure, with its reports and the fault of each.
  struct Clip: Sendable {
    var figure: PushUpFigure
    var rate = 30.0
    var reports: [Report]
    var faults: [String]
  }

  /// From the side, from the front with the elbows out, with a low head by a tilted camera at 25 frames a second, without
  /// a rep, and with hips that sag or are high and knees that are bent.
  static let clips = [
    Clip(
      figure: PushUpFigure(),
      reports: [
        Report(900_000, rep: false, 21.104), Report(1_800_000, rep: true, 20.369), Report(3_800_000, rep: true, 20.955),
      ],
      faults: ["form_poor", "form_poor", "form_poor"]),
    Clip(
      figure: PushUpFigure(view: 75, flare: 0.12),
      reports: [
        Report(900_000, rep: false, 79.215), Report(1_800_000, rep: true, 52.18), Report(3_800_000, rep: true, 72.495),
      ],
      faults: []),
    Clip(
      figure: PushUpFigure(view: 15, head: 0.12, roll: 12, period: 1.5), rate: 25,
      reports: [
        Report(920_000, rep: false, 73.948), Report(1_360_000, rep: true, 70.197), Report(2_880_000, rep: true, 71.754),
      ],
      faults: []),
    Clip(
      figure: PushUpFigure(depth: 0.1),
      reports: [Report(900_000, rep: false, 18.798), Report(2_933_333, rep: false, 18.802)],
      faults: ["form_poor", "form_poor"]),
    Clip(
      figure: PushUpFigure(sag: 0.15),
      reports: [
        Report(900_000, rep: false, 0.057), Report(1_800_000, rep: true, 0.048), Report(3_800_000, rep: true, 0.057),
      ],
      faults: ["hips_sag", "hips_sag", "hips_sag"]),
    Clip(
      figure: PushUpFigure(sag: -0.2, head: 0.2),
      reports: [
        Report(900_000, rep: false, 30.928), Report(1_800_000, rep: true, 47.568), Report(3_800_000, rep: true, 36.169),
      ],
      faults: ["hips_high", "hips_high", "hips_high"]),
    Clip(
      figure: PushUpFigure(sag: -0.2, knee: 0.3, head: 0.2),
      reports: [
        Report(900_000, rep: false, 8.568), Report(1_800_000, rep: true, 10.565), Report(3_800_000, rep: true, 9.301),
      ],
      faults: ["knees_bent", "knees_bent", "knees_bent"]),
  ]

  @Test(arguments: clips) func pushUpsAreGraded(_ clip: Clip) throws {
    let events = try Self.events(Self.frames(clip.figure, rate: clip.rate))
    check(events, clip.reports)
    #expect(events.faults == clip.faults)
  }

  /// Of hips that sag a measure of the hips, of bent knees one of the knees.
  @Test(arguments: [("hips_sag", "hip"), ("hips_high", "hip"), ("knees_bent", "knee")])
  func aGradeNamesTheMeasureBehindItsFault(fault: String, part: String) throws {
    let clip = try #require(Self.clips.first { $0.faults.contains(fault) })
    let evidence = try Self.events(Self.frames(clip.figure, rate: clip.rate)).compactMap(\.evidence)
    #expect(evidence.count == 3)
    for own in evidence {
      #expect(own.measure.contains(part) && own.limit == 50 && own.value.isFinite && own.value != own.sound, "\(own)")
    }
  }

  /// The camera's left is its right, and so is the person's.
  @Test(arguments: clips) func mirroredPushUpsAreGradedTheSame(_ clip: Clip) throws {
    let mirrored = Self.frames(clip.figure, rate: clip.rate, PushUpFigure.Camera(isMirrored: true))
    let expected = try Self.events(Self.frames(clip.figure, rate: clip.rate))
    #expect(try Self.events(mirrored) == expected)
  }

  /// Three times as large, elsewhere in the image.
  @Test(arguments: clips) func sizeAndPlaceDoNotMatter(_ clip: Clip) throws {
    let camera = PushUpFigure.Camera(scale: 3, shift: SIMD2(-1.5, 0.7))
    let events = try Self.events(Self.frames(clip.figure, rate: clip.rate, camera))
    check(events, clip.reports)
    #expect(events.faults == clip.faults)
  }

  @Test func aStandingPersonIsNotGraded() throws {
    let standing = (0..<150).map { SideFigure().frame(at: Double($0) / 30) }
    #expect(try Self.events(standing).isEmpty)
    #expect(try Self.events(standing, replacing: ["standing": 5]).isEmpty)
    #expect(try Self.events(standing, replacing: ["standing": 5, "upright": 9]).grades.count == 3)
  }

  /// The figure upside down.
  @Test func raisedHandsAreNoPushUp() throws {
    let frames = Self.frames(PushUpFigure(roll: 180))
    #expect(try Self.events(frames).isEmpty)
    #expect(try Self.events(frames, replacing: ["wristHeight": 10]).grades.count == 3)
  }

  /// Nobody is seen from 0.667 to 1.3 s, and now and then an elbow, an ankle, the nose or a knee is not.
  @Test func unknownJointsAreLeftOut() throws {
    var frames = Self.frames(PushUpFigure(), seconds: 5.2)
    for index in frames.indices {
      if (20..<40).contains(index) {
        frames[index].clear()
      } else if index % 7 == 3 {
        for joint in [Joint.rightElbow, .rightAnkle, .nose] { frames[index].set(joint, x: 0.1, y: 0.2, confidence: 0) }
      } else if index % 11 == 5 {
        frames[index].set(.leftKnee, x: .nan, y: .nan)
      }
    }
    check(
      try Self.events(frames),
      [
        Report(1_333_333, rep: false, 21.837), Report(1_833_333, rep: true, 21.052),
        Report(3_800_000, rep: true, 20.659),
      ])
  }

  /// What was seen from the last grade to 3 s does not count at 6 s.
  @Test func aLongGapBeginsAnew() throws {
    let frames =
      Self.frames(PushUpFigure(), seconds: 3)
      + Self.frames(PushUpFigure(sag: 0.1), seconds: 3, from: Microseconds(6_000_000))
    check(
      try Self.events(frames),
      [Report(900_000, rep: false, 21.104), Report(1_800_000, rep: true, 20.369), Report(7_800_000, rep: true, 0.257)])
  }

  @Test func gradesBelowTheThresholdHaveAFault() throws {
    let frames = Self.frames(PushUpFigure())
    #expect(try Self.events(frames, replacing: ["faultGrade": 20.6]).faults == ["form_poor"])
    #expect(try Self.events(frames, replacing: ["faultGrade": 0]).faults.isEmpty)
  }

  /// The next one is due 1 s after the first frame that follows a grade.
  @Test func gradesComeAtTheIntervalsWithoutARep() throws {
    let events = try Self.events(
      Self.frames(PushUpFigure(depth: 0.1)), replacing: ["firstInterval": 0.5, "interval": 1])
    #expect(events.compactMap(\.gradeTime) == [500_000, 1_533_333, 2_566_667, 3_600_000])
  }
}

/// A push-up in metres and degrees, seen without perspective; both sides move alike.
struct PushUpFigure: Sendable {
  /// About the vertical: 0 sees the person's left, facing right.
  var view = 10.0
  /// How far the hips are below the line from shoulders to ankles, and the knees below that from hips to ankles.
  var sag = 0.0
  var knee = 0.0
  /// How far the head is lower, and the elbows wider apart on each side.
  var head = 0.0
  var flare = 0.0
  /// Of the camera.
  var roll = 0.0
  /// The share of a full push-up.
  var depth = 1.0
  /// Seconds.
  var period = 2.0

  struct Camera: Sendable {
    var isMirrored = false
    var scale = 1.0
    var shift = SIMD2<Double>.zero
  }

  func frame(at time: Microseconds, _ camera: Camera) -> PoseFrame {
    let phase: Double = 0.5 - 0.5 * cos(2 * Double.pi * time.seconds / period)
    let height: Double = 0.55 * (1 - 0.62 * phase * depth) + 0.03
    let shoulder = SIMD2<Double>(0, height)
    let ankle = SIMD2<Double>(-1.3, 0.08)
    var hip: SIMD2<Double> = shoulder + (ankle - shoulder) * 0.42
    hip.y -= sag
    var knee: SIMD2<Double> = hip + (ankle - hip) * 0.52
    knee.y -= self.knee
    let wrist = SIMD2<Double>(0.02, 0)
    // Upper arm and forearm are 0.3 m long, the elbow is towards the feet.
    let arm: SIMD2<Double> = wrist - shoulder
    let length: Double = hypot(arm.x, arm.y)
    let bend: Double = max(0.09 - length * length / 4, 0).squareRoot()
    let normal = SIMD2<Double>(arm.y / length, -arm.x / length)
    let middle: SIMD2<Double> = (shoulder + wrist) * 0.5
    let elbow: SIMD2<Double> = middle + normal * (normal.x > 0 ? -bend : bend)
    let ear = SIMD2<Double>(0.12, height + 0.07 - head)
    let nose = SIMD2<Double>(0.17, height + 0.05 - head)

    var frame = PoseFrame(time: time)
    let (turn, tilt): (Double, Double) = (view * Double.pi / 180, roll * Double.pi / 180)
    let (sideways, along): (Double, Double) = (sin(turn), cos(turn))
    func set(_ joint: Joint, _ point: SIMD2<Double>, beside: Double) {
      let right: Double = point.x * along + beside * sideways
      let up: Double = point.y + 0.25 * (beside * along - point.x * sideways)
      let x: Double = 0.9 + 0.4 * (right * cos(tilt) - up * sin(tilt))
      let y: Double = 0.7 - 0.4 * (right * sin(tilt) + up * cos(tilt))
      let placed: Double = x * camera.scale + camera.shift.x
      frame.set(
        joint, x: Float(camera.isMirrored ? -placed : placed), y: Float(y * camera.scale + camera.shift.y),
        confidence: 0.9)
    }
    set(.nose, nose, beside: 0)
    let joints: [(left: Joint, right: Joint, point: SIMD2<Double>, width: Double)] = [
      (.leftEar, .rightEar, ear, 0.07), (.leftShoulder, .rightShoulder, shoulder, 0.18),
      (.leftElbow, .rightElbow, elbow, 0.18 + flare), (.leftWrist, .rightWrist, wrist, 0.22),
      (.leftHip, .rightHip, hip, 0.12), (.leftKnee, .rightKnee, knee, 0.1), (.leftAnkle, .rightAnkle, ankle, 0.09),
    ]
    for (left, right, point, width) in joints {
      set(camera.isMirrored ? right : left, point, beside: width)
      set(camera.isMirrored ? left : right, point, beside: -width)
    }
    frame.setMidpoints()
    return frame
  }
}

extension Event {
  /// The microseconds of a grade.
  fileprivate var gradeTime: Int64? {
    if case .grade = kind { time.count } else { nil }
  }
}

extension PushUpJudge: ExampleDetector {
  static var example: DetectorTests.Example {
    DetectorTests.Example(poses: DetectorTests.squats, values: ["upright": 10, "wristHeight": 10])
  }
}
