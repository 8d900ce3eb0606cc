import Coaching
import PoseModel
import Testing

@Suite struct CoachDeadliftTests {
  let standing = LifterFigure(head: 0, bar: 0.05)
  /// Hip 180 − 55 − 53 = 72°, knee 180 − 53 − 12 = 115°.
  let floor = LifterFigure(shank: 12, thigh: 53, trunk: 55, head: 55, bar: 0.05)
  /// The trunk as it was, hip 90.5° and knee 142.5°, half of the way to 170.
  let knees = LifterFigure(shank: 3, thigh: 34.5, trunk: 55, head: 55, bar: 0.05)

  /// From the floor up and back to it.
  func lift(_ postures: [LifterFigure]) throws -> CoachedEvents {
    try CoachedEvents(CoachDeadlift.self, LifterFigure.frames(postures, steps: 30))
  }

  @Test func aGoodLiftCountsAndHasNoFault() throws {
    let found = try lift([floor, knees, standing, floor])
    #expect(found.reps.count == 1)
    #expect(found.faults.isEmpty)
    // 2 s of 30 frames to standing, which is the turn.
    #expect(found.reps.first?.turn == Microseconds(frame: 60, rate: 30))
    #expect(found.grades("hip hinge") == [100])
    #expect(found.grades("bar path") == [100])
    #expect(found.grades("neutral spine") == [100])
    #expect(found.grades("foot placement").isEmpty)
  }

  /// Bending down to the bar is no lift, and neither is one whose bar was not put down.
  @Test func aLiftIsFromTheFloorToTheFloor() throws {
    #expect(try lift([standing, floor, knees, standing, floor]).reps.count == 1)
    #expect(try lift([floor, knees, standing, floor, knees, standing, floor]).reps.count == 2)
    #expect(try lift([standing, floor]).reps.isEmpty)
    #expect(try lift([floor, knees, standing]).reps.isEmpty)
  }

  /// The knees straighten while the trunk tips from 55° to 75°, which is worth nothing.
  @Test func hipsThatShootUpAreSeen() throws {
    let tipped = LifterFigure(shank: 2, thigh: 33, trunk: 75, head: 75, bar: 0.05)
    let found = try lift([floor, tipped, standing, floor])
    #expect(found.faults == ["hips_first"])
    #expect(found.grades("hip hinge")[0] < 10)
  }

  /// Hips and knees that stop at 150° reach a fifth of the way from 145° to 168°.
  @Test func aMissingLockoutIsSeen() throws {
    let bent = LifterFigure(shank: 10, thigh: 10, trunk: 20, head: 20, bar: 0.05)
    let found = try lift([floor, knees, bent, floor])
    #expect(found.reps.count == 1)
    #expect(found.faults == ["no_lockout"])
    #expect(abs(found.grades("hip hinge")[0] - (150.0 - 145) / 23 * 100) < 1)
  }

  /// The head stands 45° off the trunk: 135°, half-way from 150° to 120°.
  @Test func aBentBackIsSeen() throws {
    var (low, middle, top) = (floor, knees, standing)
    low.head = 100
    middle.head = 100
    top.head = 45
    let found = try lift([low, middle, top, low])
    #expect(found.faults == ["rounded_back"])
    #expect(abs(found.grades("neutral spine")[0] - 50) < 1)
  }

  /// A bar 0.2 in front of the ankles is 0.8 trunk lengths away.
  @Test func aDriftingBarIsSeen() throws {
    var (low, middle, top) = (floor, knees, standing)
    (low.bar, middle.bar, top.bar) = (0.2, 0.2, 0.2)
    let found = try lift([low, middle, top, low])
    #expect(found.faults.contains("bar_drift"))
    #expect(found.grades("bar path")[0] < 1)
  }

  /// From the front, ankles twice as far apart as the shoulders.
  @Test func aWideStanceIsSeenFromTheFront() throws {
    func frames(_ half: Float) -> [PoseFrame] {
      LifterFigure.frames([floor, knees, standing, floor], steps: 30).map { frame in
        var frame = frame
        for (left, right, half) in [
          (Joint.leftShoulder, Joint.rightShoulder, Float(0.1)), (.leftAnkle, .rightAnkle, half),
        ] {
          frame.set(left, x: frame[left, .x] + half, y: frame[left, .y])
          frame.set(right, x: frame[right, .x] - half, y: frame[right, .y])
        }
        return frame
      }
    }
    #expect(try CoachedEvents(CoachDeadlift.self, frames(0.2)).faults.contains("feet_wide"))
    #expect(try CoachedEvents(CoachDeadlift.self, frames(0.1)).grades("foot placement") == [100])
  }

  /// Hips that come up to 125° only.
  @Test func halfALiftDoesNotCount() throws {
    let half = LifterFigure(shank: 5, thigh: 15, trunk: 40, head: 40, bar: 0.05)
    #expect(try lift([floor, half, floor]).reps.isEmpty)
  }

  @Test func thresholdsOutOfOrderAreRefused() {
    #expect(throws: ParameterError.self) { try CoachDeadlift(replacing: ["attempt": 110]) }
  }
}
