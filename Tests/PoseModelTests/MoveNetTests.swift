import PoseModel
import Testing

@Suite struct MoveNetTests {
  /// A 4:3 image in a square of 192: 192 x 144 pixels, with bars of 24 above and below.
  @Test func aWideImageHasBarsAboveAndBelow() {
    let region = InputRegion.letterbox(imageWidth: 640, imageHeight: 480)
    #expect(abs(region.padding.top - 24.0 / 192) < 1e-6)
    #expect(region.padding.left == 0)
    let corner = region.place(x: 0, y: 24.0 / 192)
    #expect(abs(corner.x) < 1e-6 && abs(corner.y) < 1e-6)
    let far = region.place(x: 1, y: 168.0 / 192)
    #expect(abs(far.x - 4.0 / 3) < 1e-6 && abs(far.y - 1) < 1e-6)
  }

  /// 1080 x 1920 in a square of 192: 108 x 192, bars of 42.
  @Test func aTallImageHasBarsBesideIt() {
    let region = InputRegion.letterbox(imageWidth: 1080, imageHeight: 1920)
    #expect(abs(region.padding.left - 42.0 / 192) < 1e-6)
    let middle = region.place(x: 0.5, y: 0.5)
    #expect(abs(middle.x - 0.5 * 1080 / 1920) < 1e-6)
    #expect(abs(middle.y - 0.5) < 1e-6)
  }

  /// 100 x 33 in 192: 63.36 rows are cut to 63, and of the 129 rows of bar 64 stand above.
  @Test func barsAreWholePixels() {
    let region = InputRegion.letterbox(imageWidth: 100, imageHeight: 33)
    let top = region.place(x: 0, y: 64.0 / 192)
    let bottom = region.place(x: 0, y: 127.0 / 192)
    #expect(abs(top.y) < 1e-6)
    #expect(abs(bottom.y - 1) < 1e-5)
  }

  @Test func aCropIsMappedBack() {
    let region = InputRegion(left: 0.5, top: 0.25, width: 0.5, height: 0.5)
    let place = region.place(x: 0.5, y: 1)
    #expect(place.x == 0.75 && place.y == 0.75)
    #expect(region.padding == (0, 0))
    #expect(InputRegion.stretched(aspect: 2).place(x: 0.25, y: 0.5) == (0.5, 0.5))
  }

  /// Keypoint k at y = k / 100, x = k / 50, confidence k / 20.
  private var rows: [Float] {
    (0..<17).map(Float.init).flatMap { (k: Float) -> [Float] in [k / 100, k / 50, k / 20] }
  }

  @Test func singlePoseIsYXConfidence() throws {
    var frame = PoseFrame(time: Microseconds(5))
    frame.set(.leftHeel, x: 1, y: 1)
    try MoveNetSinglePose(region: .stretched(aspect: 2)).decode(rows, into: &frame)
    // The left knee is keypoint 13.
    #expect(frame[.leftKnee, .y] == 0.13)
    #expect(frame[.leftKnee, .x] == 0.52)
    #expect(frame[.leftKnee, .confidence] == 0.65)
    #expect(frame[.leftKnee, .z].isNaN)
    // The neck is halfway between keypoints 5 and 6, with the lower confidence.
    #expect(abs(frame[.neck, .y] - 0.055) < 1e-6)
    #expect(frame[.neck, .confidence] == 0.25)
    #expect(frame[.leftHeel, .x].isNaN)
    #expect(frame.time == Microseconds(5))
  }

  @Test func whatIsNotFiniteIsMissing() throws {
    var tensor = rows
    tensor[5 * 3] = .nan
    tensor[6 * 3 + 2] = 1.5
    var frame = PoseFrame()
    try MoveNetSinglePose(region: .stretched(aspect: 1)).decode(tensor, into: &frame)
    #expect(frame[.leftShoulder, .x].isNaN)
    #expect(frame[.leftShoulder, .confidence] == 0)
    #expect(frame[.rightShoulder, .confidence] == 1)
    #expect(frame[.neck, .x].isNaN)
  }

  @Test(arguments: [0, 50, 52, 336])
  func wrongSizesSayWhatWasExpected(_ count: Int) {
    var frame = PoseFrame()
    frame.set(.nose, x: 0.5, y: 0.5)
    let error = #expect(throws: TensorError.self) {
      try MoveNetSinglePose(region: .stretched(aspect: 1)).decode([Float](repeating: 0, count: count), into: &frame)
    }
    #expect(error?.description == "expected 51 values of a tensor of shape [1, 1, 17, 3], found \(count)")
    #expect(frame[.nose, .x] == 0.5)
  }

  @Test func multiPoseHasABoxAndAScore() throws {
    let absent = [Float](repeating: 0, count: 56)
    let present = rows + [0.1, 0.2, 0.6, 0.4, 0.8]
    var decoder = MoveNetMultiPose(region: .stretched(aspect: 2))
    try decoder.decode(absent + present + absent + absent + present + absent, at: Microseconds(7))
    #expect(decoder.people.count == 2)
    let person = try #require(decoder.people.last)
    #expect(person.score == 0.8)
    #expect(person.box == PersonBox(left: 0.4, top: 0.1, right: 0.8, bottom: 0.6))
    #expect(person.pose[.rightAnkle, .y] == 0.16)
    #expect(person.pose.time == Microseconds(7))
    try decoder.decode(absent + absent + absent + absent + absent + absent, at: Microseconds(8))
    #expect(decoder.people.isEmpty)
    let error = #expect(throws: TensorError.self) { try decoder.decode(absent, at: .zero) }
    #expect(error?.description == "expected 336 values of a tensor of shape [1, 6, 56], found 56")
  }
}
