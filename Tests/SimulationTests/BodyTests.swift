import Datasets
import Simulation
import Statistics
import Testing

struct BodyTests {
  /// Winter 2009, figure 4.1, for two metres.
  @Test func proportionsAreThePublishedOnes() {
    let body = Body(stature: 2)
    #expect(abs(body.ankleHeight + body.shank - 2 * 0.285) < 1e-12)
    #expect(abs(body.ankleHeight + body.shank + body.thigh - 2 * 0.530) < 1e-12)
    #expect(abs(body.ankleHeight + body.shank + body.thigh + body.trunk - 2 * 0.818) < 1e-12)
    #expect(abs(body.upperArm + body.forearm - 2 * 0.332) < 1e-12)
    #expect(abs(body.foot - 0.304) < 1e-12)
  }

  @Test func peopleDifferByAFewPerCent() {
    var generator = SeededGenerator(seed: 5)
    for sex in Body.Sex.allCases {
      let bodies = (0..<400).map { _ in Body(of: sex, using: &generator) }
      // 63.8 in and 69.4 in; the mean of 400 has a standard error of about 0.14 in.
      let median = sex == .female ? 63.8 * 0.0254 : 69.4 * 0.0254
      #expect(abs(bodies.map(\.stature).reduce(0, +) / 400 - median) < 0.02)
      for body in bodies {
        #expect(abs(body.thigh / (0.245 * body.stature) - 1) < 0.0601)
        #expect(abs(body.trunk / (0.288 * body.stature) - 1) < 0.0601)
      }
      #expect(Set(bodies.map { $0.thigh / $0.shank }).count == 400)
    }
  }
}
