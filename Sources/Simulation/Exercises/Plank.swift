import PoseModel
import RealModule
import Statistics

/// Held on forearms and toes as a straight line, from which the hips sag or rise for a while.
///
/// There are no reps. Intervals are labelled `correct`, `hips_high` or `hips_sag` from the moment at which the bend of
/// the hips passes half of its change to the same moment of the next change. Position: Ekstrom et al.,
/// Electromyographic Analysis of Core Trunk, Hip, and Thigh Muscles During 9 Rehabilitation Exercises, Journal of
/// Orthopaedic and Sports Physical Therapy 37, 2007 (prone bridge).
public struct Plank: ScenarioExercise {
  public let name = "plank"
  public let views: [CameraView] = [.side, .oblique]
  public let framing = Framing.lying
  public let faults: [Fault] = [.hipsHigh, .hipsSag]

  public init() {}

  public var faultNames: [String] { faults.map { $0.name } }

  public func simulation(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any SimulatedMotion {
    var planner = PlankPlanner(subject: subject, camera: camera, faults: faults, generator: generator)
    return planner.plan(holding: clip != MotionGenerator.clipWithoutReps)
  }

  public func simulation(
    of scenario: Scenario, by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> any SimulatedMotion {
    var planner = PlankPlanner(subject: subject, camera: camera, faults: faults, generator: generator)
    return planner.plan(scenario, in: clip)
  }
}

/// Plans how one subject holds a plank in one clip: from lying to lying, with faults in between.
struct PlankPlanner: Sendable {
  let subject: Subject
  let camera: Camera
  let faults: [Fault]
  var generator: SeededGenerator
  private var arrival: FloorPassage?
  private var stages: [PlankMotion.Stage] = []
  private var departure: FloorPassage?

  init(subject: Subject, camera: Camera, faults: [Fault], generator: SeededGenerator) {
    self.subject = subject
    self.camera = camera
    self.faults = faults
    self.generator = generator
  }

  /// - Parameter holding: If false, the person stays on the floor for the same time.
  mutating func plan(holding: Bool) -> PlankMotion {
    lie(generator.uniform(0.8, 2))
    if holding {
      hold(generator.uniform(-2, 3), generator.uniform(3, 6))
      holdByTurns()
      hold(generator.uniform(-2, 3), generator.uniform(2, 5))
    } else {
      stages[0].length += 15
    }
    lie(generator.uniform(0.5, 1.5))
    return motion
  }

  /// The plan of a scenario: a set is a time off the floor. In the full workflow the person walks up and away.
  mutating func plan(_ scenario: Scenario, in clip: ClipNumber) -> PlankMotion {
    let fault = scenario.fault(of: faults, in: clip) { $0.name }
    if scenario == .fullWorkflow {
      arrival = passage(.arriving)
      straighten(0.3)
    }
    lie(generator.uniform(0.8, 2))
    switch scenario {
    case .perfectForm: hold(generator.uniform(-2, 3), generator.uniform(10, 15))
    case .needsCorrection(_, let severity): hold(fault, severity, generator.uniform(10, 15))
    case .fullWorkflow:
      for set in 0..<2 {
        if set > 0 { lie(generator.uniform(3.5, 6)) }
        hold(generator.uniform(-2, 3), generator.uniform(4, 6))
        hold(fault, generator.uniform(0.4, 0.9), generator.uniform(2, 4))
        hold(generator.uniform(-2, 3), generator.uniform(2, 4))
      }
    }
    lie(generator.uniform(0.5, 1.5))
    if scenario == .fullWorkflow {
      straighten(0.3)
      departure = passage(.leaving)
    }
    return motion
  }

  private mutating func passage(_ kind: FloorPath.Kind) -> FloorPassage {
    FloorPassage(
      kind, of: subject, to: PlankMotion.support(of: subject.body, bend: 0), before: camera,
      using: &generator)
  }

  private var motion: PlankMotion {
    PlankMotion(subject: subject, arrival: arrival, stages: stages, departure: departure, faults: faults)
  }

  /// Two to four stages, each with or without a fault.
  private mutating func holdByTurns() {
    var last = ""
    for _ in 0..<generator.integer(2...4) {
      let fault = generator.chance(0.5) ? Fault.hipsHigh : .hipsSag
      let label = last == fault.name || last == "" ? fault.name : (generator.chance(0.5) ? "correct" : fault.name)
      let severity = generator.uniform(0.4, 1)
      if label == last || label == "correct" {
        hold(generator.uniform(-2, 3), generator.uniform(2, 5))
        last = "correct"
      } else {
        hold(fault, severity, generator.uniform(2, 5))
        last = label
      }
    }
  }

  private mutating func lie(_ seconds: Double) { stage(nil, bend: PlankMotion.lying, severity: 0, for: seconds) }

  /// Off the floor on the way down or up, without holding.
  private mutating func straighten(_ seconds: Double) { stage(nil, bend: 0, severity: 0, for: seconds) }

  /// Holds without a fault, with the hips bent by this many degrees.
  private mutating func hold(_ bend: Double, _ seconds: Double) {
    stage("correct", bend: bend, severity: 0, for: seconds)
  }

  private mutating func hold(_ fault: Fault, _ severity: Double, _ seconds: Double) {
    stage(fault.name, bend: Prone.bend(Severities([fault: severity])), severity: severity, for: seconds)
  }

  private mutating func stage(_ label: String?, bend: Double, severity: Double, for seconds: Double) {
    let change = stages.isEmpty ? 0 : generator.uniform(0.7, 1.3)
    let start = stages.last.map { $0.start + $0.length } ?? arrival?.duration ?? 0
    stages.append(
      PlankMotion.Stage(
        start: start, change: change, length: change + seconds, bend: bend, label: label, severity: severity))
  }
}

/// The true motion of a clip with a plank.
public struct PlankMotion: SimulatedMotion {
  /// One posture, reached by a smooth change.
  struct Stage: Hashable, Sendable {
    var start: Double
    /// The seconds of the change to it, and of the whole stage.
    var change: Double
    var length: Double
    /// The bend of the hips, in degrees: positive up.
    var bend: Double
    /// `nil` while lying, and on the way down or up.
    var label: String?
    var severity: Double
  }

  public let subject: Subject
  /// The passage before the first stage and the one after the last, if the person walks up or away.
  let arrival: FloorPassage?
  let stages: [Stage]
  let departure: FloorPassage?
  let faults: [Fault]

  public var body: Body { subject.body }

  /// The bend at which the hips are on the floor, in degrees.
  static let lying = -34.0

  public var duration: Double { stagesEnd + (departure?.duration ?? 0) }

  private var stagesEnd: Double { stages.last.map { $0.start + $0.length } ?? 0 }

  /// The bend of the hips, in degrees: positive above the line from ankles to shoulders.
  public func hipBend(at time: Double) -> Double {
    guard let index = stages.lastIndex(where: { $0.start <= time }) else { return stages.first?.bend ?? 0 }
    let stage = stages[index]
    let before = index > 0 ? stages[index - 1].bend : stage.bend
    let breath = 0.4 * Double.sin(2 * .pi * 0.3 * time)
    return .blend(before, stage.bend, MinimumJerk.position((time - stage.start) / max(stage.change, 1e-9))) + breath
  }

  public func joints(at time: Double) -> JointPositions {
    let time = min(max(time, 0), duration)
    if let arrival, time < arrival.duration {
      return arrival.joints(at: time, of: subject, support: Self.support(of: body, bend: hipBend(at: time)), time: time)
    }
    if let departure, time > stagesEnd {
      return departure.joints(
        at: time - stagesEnd, of: subject, support: Self.support(of: body, bend: hipBend(at: time)), time: time)
    }
    return Self.support(of: body, bend: hipBend(at: time))
  }

  /// The support on forearms and toes, with the hips bent by this many degrees.
  static func support(of body: Body, bend: Double) -> JointPositions {
    let prone = Prone(body: body)
    let line = prone.legs + body.trunk
    let elbowHeight = 0.03 * body.stature
    let rise = elbowHeight + body.upperArm - prone.ankleHeight
    let elbows = SIMD2(prone.ankleAhead + (line * line - rise * rise).squareRoot(), elbowHeight)
    var figure = prone.figure(bend: bend, support: elbows, distance: body.upperArm)
    for side in Side.allCases {
      let elbow = SIMD3(elbows.x, side.sign * body.shoulderBreadth / 2, elbows.y)
      figure.point(
        side, upperArm: elbow - figure.joints[side.shoulder], forearm: SIMD3(1, -side.sign * 0.25, 0))
    }
    return figure.joints
  }

  public var groundTruth: MotionGroundTruth {
    let held = stages.filter { $0.label != nil }
    let intervals = stages.indices.compactMap { index -> MotionGroundTruth.Period? in
      let stage = stages[index]
      guard let label = stage.label, index + 1 < stages.count else { return nil }
      let next = stages[index + 1]
      return MotionGroundTruth.Period(
        start: stage.start + stage.change / 2, end: next.start + next.change / 2, label: label)
    }
    var worst = Severities()
    for fault in faults { worst[fault] = held.filter { $0.label == fault.name }.map(\.severity).max() ?? 0 }
    return MotionGroundTruth(
      whole: held.isEmpty ? nil : worst.form(of: faults), intervals: intervals)
  }
}
