import Coaching
import PoseModel
import Testing

@Suite struct PoseClassifierTests {
  static let figures: [(String, SideFigure, PoseClass)] = [
    ("upright", SideFigure(), .standing),
    ("walking, slightly bent", SideFigure(shank: 15, thigh: -15, trunk: 5), .standing),
    ("arms overhead", SideFigure(upperArm: 0, forearm: 0), .handsUp),
    ("bottom of a stiff-legged deadlift", SideFigure(trunk: 80), .bending),
    ("half squat", SideFigure(shank: 30, thigh: -50, trunk: 25), .squatting),
    ("parallel squat", SideFigure(shank: 35, thigh: -90, trunk: 35), .squatting),
    ("deep squat, hips near the heels", SideFigure(shank: 40, thigh: -115, trunk: 40), .squatting),
    ("on a chair", SideFigure(shank: 0, thigh: -90, trunk: 0), .sitting),
    ("on a chair, leaning back", SideFigure(shank: 5, thigh: -85, trunk: -20), .sitting),
    ("on the floor, legs straight", SideFigure(shank: -90, thigh: -90, trunk: 0), .sitting),
    ("upright on the knees", SideFigure(shank: 90, thigh: 0, trunk: 0), .kneeling),
    ("on the heels", SideFigure(shank: 90, thigh: -80, trunk: 5), .kneeling),
    ("on hands and knees", SideFigure(shank: 90, thigh: 0, trunk: 80), .kneeling),
    ("top of a push-up", SideFigure(shank: 65, thigh: 65, trunk: 65), .plank),
    ("bottom of a push-up", SideFigure(shank: 86, thigh: 86, trunk: 86, upperArm: -90, forearm: 180), .plank),
    ("forearm plank", SideFigure(shank: 76, thigh: 76, trunk: 76, upperArm: 180, forearm: 90), .plank),
    ("plank, hips high", SideFigure(shank: 55, thigh: 55, trunk: 100), .plank),
    ("plank, hips low", SideFigure(shank: 80, thigh: 85, trunk: 55), .plank),
    ("plank, hips far too high", SideFigure(shank: 35, thigh: 35, trunk: 130, upperArm: 130, forearm: 130), .plank),
    ("half way up a sit-up, hands on the floor", SideFigure(shank: -40, thigh: -130, trunk: -50), .lying),
    ("on the belly", SideFigure(shank: 90, thigh: 90, trunk: 90, upperArm: -90, forearm: -90), .lying),
    ("on the bench, arms up", SideFigure(shank: 0, thigh: -80, trunk: -90, upperArm: 0, forearm: 0), .lying),
    ("start of a sit-up", SideFigure(shank: -40, thigh: -130, trunk: -90, upperArm: -120, forearm: 20), .lying),
  ]

  private func said(_ figure: SideFigure, replacing values: [String: Double] = [:]) throws -> PoseClass? {
    var values = values
    values["hold"] = 0
    var detector = LiveDetector(try PoseClassifier(replacing: values))
    _ = detector.update(figure.frame())
    return detector.base.current
  }

  @Test(arguments: figures.indices)
  func figuresAreWhatTheyAre(_ index: Int) throws {
    let (name, figure, expected) = Self.figures[index]
    #expect(try said(figure) == expected, "\(name)")
  }

  /// Sitting with knees and hips at 90°: the mass is 0.678 x 0.245 + 0.2 x (0.245 - 0.433 x 0.245) of stature behind the ankle.
  @Test func measuresAreWorkedOutByHand() throws {
    let frame = SideFigure(shank: 0, thigh: -90, trunk: 0, upperArm: 180, forearm: 180).frame()
    let visibility = Visibility(minimumConfidence: 0.3, usesDepth: false)
    func value(_ quantity: PoseMeasure.Quantity) -> Double {
      var output = [Float](repeating: .nan, count: 1)
      frame.withPoses { poses in
        output.withUnsafeMutableBufferPointer { PoseMeasure(quantity, visibility).measure(poses, into: $0) }
      }
      return Double(output[0])
    }
    let imbalance = (0.678 * 0.245 + 0.2 * 0.245 * (1 - 0.433)) / 0.288
    let expected: [(PoseMeasure.Quantity, Double)] = [
      (.kneeAngle, 90), (.hipAngle, 90), (.thighLean, 90), (.shankLean, 0), (.trunkLean, 0), (.legLean, 45),
      (.hipHeight, 0.246 / 0.288), (.armSupport, 0.332 / 0.288), (.imbalance, imbalance),
      (.handHeight, -(0.12 + 0.332) / 0.288), (.hipClearance, (0.332 - 0.288) / 0.288),
    ]
    for (quantity, number) in expected {
      #expect(abs(value(quantity) - number) < 0.15, "\(quantity.rawValue) is \(value(quantity))")
      if quantity != .legLean { #expect(abs(value(quantity) - number) < 1e-3) }
    }
  }

  @Test func withoutLegsNothingIsSaid() throws {
    var frame = SideFigure().frame()
    for joint in [Joint.leftKnee, .rightKnee, .leftAnkle, .rightAnkle] {
      frame.set(joint, x: .nan, y: .nan, confidence: 0)
    }
    var detector = LiveDetector(try PoseClassifier(replacing: ["hold": 0]))
    _ = detector.update(frame)
    #expect(detector.base.current == nil)
    #expect(try said(SideFigure(confidence: 0.3)) == nil)
  }

  /// At ten frames a second: standing from 0, squatting from 1.0, one wild frame of lying at 1.5, nobody from 2.0.
  private var story: [PoseFrame] {
    (0..<30).map { index in
      let seconds = Double(index) / 10
      var figure = index < 10 ? SideFigure() : SideFigure(shank: 35, thigh: -90, trunk: 35)
      if index == 15 { figure = SideFigure(shank: 90, thigh: 90, trunk: 90, upperArm: 90, forearm: 90) }
      if index >= 20 { figure.confidence = 0 }
      return figure.frame(at: seconds)
    }
  }

  @Test func aClassIsSaidOnceItHasHeld() throws {
    var detector = LiveDetector(try PoseClassifier(replacing: [:]))
    let events = story.flatMap { detector.update($0) }
    func event(_ time: Int64, _ reported: Int64, _ label: String) -> Event {
      Event(time: Microseconds(time), reported: Microseconds(reported), kind: .phase(label))
    }
    #expect(
      events == [
        event(0, 300_000, "standing"), event(1_000_000, 1_300_000, "squatting"), event(2_000_000, 2_300_000, "unknown"),
      ])
  }

  /// Knees at 130° are neither bent nor straight: what the person did before, it still does.
  @Test func betweenBentAndStraightTheLastClassStays() {
    guard let rules = try? PoseClassifier(replacing: [:]).rules else { return }
    var measures = PoseMeasures()
    measures.trunkLean = 10
    measures.legLean = 5
    measures.thighLean = 25
    measures.shankLean = 25
    measures.kneeAngle = 130
    measures.hipHeight = 1.5
    #expect(rules.poseClass(of: measures, after: .standing) == .standing)
    #expect(rules.poseClass(of: measures, after: .squatting) == .squatting)
    #expect(rules.poseClass(of: measures) == nil)
  }

  /// From the front the legs are straight in the picture; the hips, 0.9 trunks above the ankles, are not.
  @Test func aSquatSeenFromTheFrontIsSeenByItsHips() throws {
    var frame = SideFigure().frame()
    for side in Side.allCases {
      frame.set(side.knee, x: 0.8, y: 0.9 - 0.1)
      frame.set(side.hip, x: 0.8, y: 0.9 - 0.9 * 0.2304)
      frame.set(side.shoulder, x: 0.8, y: 0.9 - 1.9 * 0.2304)
    }
    frame.setMidpoints()
    var detector = LiveDetector(try PoseClassifier(replacing: ["hold": 0]))
    _ = detector.update(frame)
    #expect(detector.base.current == .squatting)
  }

  @Test func thresholdsThatContradictAreRefused() {
    #expect(throws: ParameterError.self) { try PoseClassifier(replacing: ["bentKnee": 150, "straightKnee": 140]) }
  }

  @Test func itSaysWhichClassesItTells() {
    #expect(PoseClassifier.profile.kind == .posture)
    #expect(PoseClassifier.profile.tasks.labels.contains("plank"))
    #expect(PoseClassifier.profile.tasks.labels.count == PoseClass.allCases.count)
  }
}
