import PoseModel
import RealModule

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
    /// `nil` while lying, and on the way down or up.
    var label: String?
    var severity: Double
  }

  public let subject: Subject
  /// Before the first stage and after the last, where someone walks up or off.
  let arrival: FloorPassage?
  let stages: [Stage]
  let departure: FloorPassage?
  let faults: [Fault]

  public var body: Body { subject.body }

  /// The bend at which the hips are on the floor, in degrees.
  static let lying = -34.0

  public var duration: Double { stagesEnd + (departure?.duration ?? 0) }

  private var stagesEnd: Double { stages.last.map { $0.start + $0.length } ?? 0 }

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
    if let arrival, time < arrival.duration {
      return arrival.joints(at: time, of: subject, support: Self.support(of: body, bend: hipBend(at: time)), time: time)
    }
    if let departure, time > stagesEnd {
      return departure.joints(
        at: time - stagesEnd, of: subject, support: Self.support(of: body, bend: hipBend(at: time)), time: time)
    }
    return Self.support(of: body, bend: hipBend(at: time))
  }

  /// On forearms and toes, the hips bent by so many degrees.
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
