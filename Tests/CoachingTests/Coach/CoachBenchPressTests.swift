import Coaching
import PoseModel
import Testing

@Suite struct CoachBenchPressTests {
  func press(_ frames: [PoseFrame]) throws -> CoachedEvents { try CoachedEvents(CoachBenchPress.self, frames) }

  @Test func aGoodPressCountsAndHasNoFault() throws {
    let found = try press(PressFigure.press(to: 60))
    #expect(found.reps.count == 1)
    #expect(found.faults.isEmpty)
    #expect(found.grades("lockout") == [100] && found.grades("evenness") == [100])
    // Without hips neither the path of the bar nor the elbows are known.
    #expect(found.grades("bar path").isEmpty && found.grades("elbow position").isEmpty)
  }

  /// An elbow of 110° is half-way from 125° to 95°; the hands' height is (0.15² + 0.12² − 2 · 0.15 · 0.12 · cos 110°)½ over
  /// 0.27, worth less: the part is the worse of the two.
  @Test func aShallowPressIsSeen() throws {
    let found = try press(PressFigure.press(to: 110))
    let height = PressFigure.reach(110) / 0.27
    #expect(found.faults == ["shallow"])
    #expect(abs(found.grades("depth")[0] - max(min((0.8 - height) / 0.3, 0.5), 0) * 100) < 1)
  }

  /// 150° is 10 of the 23° from 140° to 163°.
  @Test func aMissingLockoutIsSeen() throws {
    let found = try press(PressFigure.press(to: 60) + PressFigure.press(from: 150, to: 60, start: 81))
    #expect(found.reps.count == 2)
    #expect(found.grades("lockout").count == 2)
    #expect(abs(found.grades("lockout")[1] - 10.0 / 23 * 100) < 1)
    #expect(found.faults == ["no_lockout"])
  }

  /// 26° is half-way from 12° to 40°.
  @Test func unevenArmsAreSeen() throws {
    let found = try press(PressFigure.press(to: 80, difference: 26))
    #expect(found.faults.contains("uneven"))
    #expect(abs(found.grades("evenness")[0] - 50) < 1)
  }

  /// Hips straight to the other side of the shoulder than the elbow: beyond 90° of abduction.
  @Test func flaredElbowsAreSeen() throws {
    #expect(try press(PressFigure.press(to: 60, hip: SIMD2(0, 0.2))).faults.contains("elbow_flare"))
    #expect(try !press(PressFigure.press(to: 60, hip: SIMD2(0.2, 0))).faults.contains("elbow_flare"))
  }

  /// Five frames in which the elbows are taken for bent are noise; half a second is a press.
  @Test func whatIsTooShortIsNoPress() throws {
    func bent(_ count: Int) -> [PoseFrame] {
      (0..<60).map {
        PressFigure((20..<20 + count).contains($0) ? 60 : 175).frame(at: Microseconds(frame: $0, rate: 30))
      }
    }
    #expect(try press(bent(5)).reps.isEmpty)
    #expect(try press(bent(16)).reps.count == 1)
  }

  /// The report waits 0.3 s for the lockout; the press ended when the arm passed 142°.
  @Test func theReportWaitsForTheLockout() throws {
    let found = try press(PressFigure.press(to: 60))
    let rep = try #require(found.all.first { if case .rep = $0.kind { true } else { false } })
    #expect(rep.reported - rep.time >= Microseconds(300_000))
    #expect(rep.reported - rep.time < Microseconds(340_000))
  }
}
