import Datasets
import Simulation
import Testing

struct CameraTests {
  /// Four metres from the origin along x, one metre up, looking level at the origin: its right is the world's y.
  private func camera(roll: Double = 0) -> Camera {
    Camera(position: SIMD3(4, 0, 1), target: SIMD3(0, 0, 1), roll: roll, focalLength: 1.25, aspect: 0.5)
  }

  private func expect(_ projection: Camera.Projection?, _ x: Double, _ y: Double, depth: Double) throws {
    let projection = try #require(projection)
    #expect(abs(projection.x - x) < 1e-12)
    #expect(abs(projection.y - y) < 1e-12)
    #expect(abs(projection.depth - depth) < 1e-12)
  }

  @Test func projectsByHand() throws {
    try expect(camera().project(SIMD3(0, 0, 1)), 0.5, 0.5, depth: 4)
    // 0.4 to the right and 0.8 up at a depth of 4: 1.25 x 0.4 / 4 = 1/8 of the height, a quarter of the width.
    try expect(camera().project(SIMD3(0, 0.4, 1.8)), 0.75, 0.25, depth: 4)
    // Half as far away it is twice as large.
    try expect(camera().project(SIMD3(2, 0.2, 1.4)), 0.75, 0.25, depth: 2)
  }

  @Test func rollingClockwiseTurnsTheImageCounterclockwise() throws {
    // What was 0.8 above the middle is 0.8 to the left of it: 1.25 x 0.8 / 4 / 0.5 = 1/2 of the width.
    try expect(camera(roll: 90).project(SIMD3(0, 0, 1.8)), 0, 0.5, depth: 4)
  }

  @Test func nothingIsSeenBehindTheCamera() {
    #expect(camera().project(SIMD3(5, 0, 1)) == nil)
  }
}
