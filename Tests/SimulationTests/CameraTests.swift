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

  private func scene(_ stand: String?, _ scenarios: [Scenario] = []) throws -> ClipScene {
    MotionGenerator(
      name: "mine", exercises: [Squat()], scenarios: scenarios, seed: 2, subjects: 1, clipsPerSubject: 1,
      stand: stand.flatMap { CameraStand($0) }
    ).scene(subject: 0, clip: 0)
  }

  /// A stature s from the hips at 0.48 s: 0.7 of the image at 2 m is a focal length of 1.4 / s.
  @Test func aCameraStandsWhereItIsTold() throws {
    let left = try scene("azimuth=90,elevation=0,distance=2")
    let stature = left.motion.body.stature
    let hips = SIMD3(0, 0, 0.48 * stature)
    #expect(left.info.view == "side" && left.info.name == "s01_side_1")
    try expect(left.camera.project(hips), 0.5, 0.5, depth: 2)
    // Half a stature up: 1.4 / 2 / 2 of the height.
    try expect(left.camera.project(hips + SIMD3(0, 0, stature / 2)), 0.5, 0.15, depth: 2)
    // A metre nearer, a quarter of it is as high.
    try expect(left.camera.project(hips + SIMD3(0, 1, stature / 4)), 0.5, 0.15, depth: 1)
    // From the left a person faces left: 1.4 / 4 / 2 of the height, by 9/16 of the width.
    try expect(left.camera.project(hips + SIMD3(stature / 4, 0, 0)), 0.5 - 0.175 * 16 / 9, 0.5, depth: 2)
  }

  /// From 30° above, a metre up is half a metre nearer, and cos 30° = √3/2 of it is across.
  @Test func aCameraLooksDownFromAbove() throws {
    let above = try scene("elevation=30,azimuth=180,distance=2")
    let stature = above.motion.body.stature
    let hips = SIMD3(0, 0, 0.48 * stature)
    #expect(above.info.view == "back")
    try expect(above.camera.project(hips), 0.5, 0.5, depth: 2)
    let across = 3.0.squareRoot() / 2
    try expect(
      above.camera.project(hips + SIMD3(0, 0, 1)), 0.5, 0.5 - 1.4 / stature * across / 1.5, depth: 1.5)
    // Hips that go back by 0.4 m come nearer by 0.4 cos 30°, and look 0.4 sin 30° lower: from behind, not from the front.
    let nearer = 2 - 0.4 * across
    try expect(
      above.camera.project(hips - SIMD3(0.4, 0, 0)), 0.5, 0.5 + 1.4 / stature * 0.2 / nearer, depth: nearer)
  }

  /// Where the camera stands changes the picture; the reps only of who walks into it.
  @Test func thePersonDoesTheSameBeforeIt() throws {
    let (drawn, oblique) = (try scene(nil, [.perfectForm]), try scene("azimuth=25,elevation=7", [.perfectForm]))
    #expect(oblique.info.view == "oblique" && drawn.info.view == "front")
    #expect(oblique.motion.groundTruth.reps?.map(\.turn) == drawn.motion.groundTruth.reps?.map(\.turn))
    #expect(oblique.camera != drawn.camera)
  }

  @Test(arguments: [
    "", "front", "elevation=7", "azimuth", "azimuth=", "azimuth=left", "azimuth=400", "azimuth=0,azimuth=1",
    "azimuth=0,pitch=7", "azimuth=0,elevation=-60", "azimuth=0,distance=0.5", "azimuth=0,", "azimuth=nan",
  ])
  func aWrongPlaceIsNone(_ text: String) {
    #expect(CameraStand(text) == nil)
  }

  @Test func aPlaceHasAnElevationAndADistance() throws {
    let stand = try #require(CameraStand("azimuth=-40"))
    #expect(stand.azimuth == -40 && stand.elevation == 0 && stand.distance == 3.5)
  }

  @Test func nothingIsSeenBehindTheCamera() {
    #expect(camera().project(SIMD3(5, 0, 1)) == nil)
  }
}
