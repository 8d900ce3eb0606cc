import PoseModel
import Testing

@Suite struct MicrosecondsTests {
  @Test func roundsSecondsToTheNearestMicrosecond() {
    #expect(Microseconds(seconds: 1.0 / 3)?.count == 333_333)
    #expect(Microseconds(seconds: -0.5)?.count == -500_000)
    #expect(Microseconds(seconds: 0.000_000_5)?.count == 1)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e13, -1e300])
  func refusesWhatIsNoTime(_ seconds: Double) { #expect(Microseconds(seconds: seconds) == nil) }

  /// 30 frames at 29.97 fps are 1001 ms, and rounding does not add up.
  @Test func framesDoNotDrift() {
    #expect(Microseconds(frame: 30, rate: 30000.0 / 1001).count == 1_001_000)
    #expect(Microseconds(frame: 2_997_000, rate: 29.97).count == 100_000_000_000)
  }
}
