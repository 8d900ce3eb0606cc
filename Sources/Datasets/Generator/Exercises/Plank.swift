import PoseModel
import RealModule

/// Held on forearms and toes as a straight line, from which the hips sag or stand up for a while.
///
/// There are no reps. Intervals are labelled `correct`, `hips_high` or `hips_sag` from where the bend of the hips passes
/// half of its change to where it passes half of the next one. Position: Ekstrom et al., Electromyographic Analysis of
/// Core Trunk, Hip, and Thigh Muscles During 9 Rehabilitation Exercises, Journal of Orthopaedic and Sports Physical
/// Therapy 37, 2007 (prone bridge).
public struct Plank: Exercise {
  public let name = "plank"
  public let views: [CameraView] = [.side, .oblique]
  public let framing = Framing.lying
  public let faults: [Fault] = [.hipsHigh, .hipsSag]

  public init() {}

  public func performance(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any Performance {
    var generator = generator
    var stages: [PlankMotion.Stage] = []
    var clock = 0.0
    func stage(_ label: String?, bend: Double, severity: Double, for seconds: Double) {
      let change = stages.isEmpty ? 0 : generator.uniform(0.7, 1.3)
      stages.append(
        PlankMotion.Stage(
          start: clock, change: change, length: change + seconds, bend: bend, label: label, severity: severity))
      clock += change + seconds
    }
    let lying = PlankMotion.lying
    stage(nil, bend: lying, severity: 0, for: generator.uniform(0.8, 2))
    if clip != MotionGenerator.clipWithoutReps {
      stage("correct", bend: generator.uniform(-2, 3), severity: 0, for: generator.uniform(3, 6))
      var last = ""
      for _ in 0..<generator.integer(2...4) {
        let fault = generator.chance(0.5) ? Fault.hipsHigh : .hipsSag
        let label = last == fault.name || last == "" ? fault.name : (generator.chance(0.5) ? "correct" : fault.name)
        let severity = generator.uniform(0.4, 1)
        if label == last || label == "correct" {
          stage("correct", bend: generator.uniform(-2, 3), severity: 0, for: generator.uniform(2, 5))
          last = "correct"
        } else {
          stage(
            label, bend: Prone.bend(Severities([fault: severity])), severity: severity, for: generator.uniform(2, 5))
          last = label
        }
      }
      stage("correct", bend: generator.uniform(-2, 3), severity: 0, for: generator.uniform(2, 5))
    } else {
      clock += 15
      stages[0].length = clock
    }
    stage(nil, bend: lying, severity: 0, for: generator.uniform(0.5, 1.5))
    return PlankMotion(body: subject.body, stages: stages, faults: faults)
  }
}

/// The true motion of a clip of someone who holds a plank.
public struct PlankMotion: Performance {
  /// One way of holding it, reached by a smooth change.
  struct Stage: Hashable, Sendable {
    var start: Double
    /// Seconds that the change to it takes, and all of it.
    var change: Double
    var length: Double
    /// Of the hips, in degrees: positive up.
    var bend: Double
    /// `nil` while lying.
    var label: String?
    var severity: Double
  }

  public let body: Body
  let stages: [Stage]
  let faults: [Fault]

  /// The bend at which the hips are on the floor, in degrees.
  static let lying = -34.0

  public var duration: Double { stages.last.map { $0.start + $0.length } ?? 0 }

  /// Of the hips, in degrees: positive above the line from ankles to shoulders.
  public func hipBend(at time: Double) -> Double {
    guard let index = stages.lastIndex(where: { $0.start <= time }) else { return stages.first?.bend ?? 0 }
    let stage = stages[index]
    let before = index > 0 ? stages[index - 1].bend : stage.bend
    let breath = 0.4 * Double.sin(2 * .pi * 0.3 * time)
    return .blend(before, stage.bend, MinimumJerk.position((time - stage.start) / max(stage.change, 1e-9))) + breath
  }

  public func joints(at time: Double) -> JointPositions {
    let time = min(max(time, 0), duration)
    let prone = Prone(body: body)
    let line = prone.legs + body.trunk
    let elbowHeight = 0.03 * body.stature
    let rise = elbowHeight + body.upperArm - prone.ankleHeight
    let elbows = SIMD2(prone.ankleAhead + (line * line - rise * rise).squareRoot(), elbowHeight)
    var figure = prone.figure(bend: hipBend(at: time), support: elbows, distance: body.upperArm)
    for side in Side.allCases {
      let elbow = SIMD3(elbows.x, side.sign * body.shoulderBreadth / 2, elbows.y)
      figure.point(
        side, upperArm: elbow - figure.joints[side.shoulder], forearm: SIMD3(1, -side.sign * 0.25, 0))
    }
    return figure.joints
  }

  public var truth: PerformanceTruth {
    let held = stages.filter { $0.label != nil }
    let intervals = stages.indices.compactMap { index -> PerformanceTruth.Interval? in
      let stage = stages[index]
      guard let label = stage.label, index + 1 < stages.count else { return nil }
      let next = stages[index + 1]
      return PerformanceTruth.Interval(
        start: stage.start + stage.change / 2, end: next.start + next.change / 2, label: label)
    }
    var worst = Severities()
    for fault in faults { worst[fault] = held.filter { $0.label == fault.name }.map(\.severity).max() ?? 0 }
    return PerformanceTruth(
      whole: held.isEmpty ? nil : worst.form(of: faults), intervals: intervals)
  }
}
