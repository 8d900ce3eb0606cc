import Datasets
import Files
import PoseModel
import Simulation
import Testing

/// Joints of one frame, in a 3D dataset of one clip.
private struct Standing: DatasetSource {
  var manifest = Manifest(
    name: "mocap", version: "1", licence: "none", source: "made by hand", origin: .recorded,
    skeleton: Skeleton.motionCapture.name, coordinates: CoordinateSystem(unit: .metre, yAxis: .up),
    channels: [.x, .y, .z])
  /// To the right, up and away from who looks: facing to the right, with the left side away.
  var joints: [String: SIMD3<Float>] = [
    "left_hip": SIMD3(0, 1, 0.1), "right_hip": SIMD3(0, 1, -0.1), "left_ankle": SIMD3(0, 0, 0),
    "head": SIMD3(0, 2, 0),
  ]
  let clipCount = 1

  func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "a", count: 64))) }

  func clip(_ index: Int) throws -> Clip {
    let frames = Skeleton.motionCapture.keypoints.flatMap { name -> [Float] in
      let place = joints[name] ?? SIMD3(repeating: .nan)
      return [place.x, place.y, place.z]
    }
    return Clip(
      info: Clip.Info(name: "a", subject: "s", exercise: "squat", view: "", fps: 30, split: ""),
      keypoints: Keypoints(times: [.zero], keypointCount: 17, channels: manifest.channels, frames: frames),
      labels: GroundTruth(reps: [Rep(start: .zero, end: Microseconds(10))]))
  }
}

@Suite struct VirtualCameraTests {
  private func seen(_ camera: String, by source: Standing = Standing()) throws -> (
    Clip, (String) throws -> SIMD2<Double>
  ) {
    let clip = try CameraSource(source, camera: #require(VirtualCamera(camera))).clip(0)
    return (
      clip,
      { joint in
        let keypoints = try #require(clip.keypoints)
        let index = try #require(Skeleton.motionCapture.keypoints.firstIndex(of: joint))
        return SIMD2(
          Double(try #require(keypoints.column(index, .x)?.first)),
          Double(try #require(keypoints.column(index, .y)?.first)))
      }
    )
  }

  private func expect(_ place: SIMD2<Double>, _ x: Double, _ y: Double) {
    #expect(abs(place.x - x) < 1e-3 && abs(place.y - y) < 1e-3, "\(place)")
  }

  /// 90 degrees from top to bottom show one metre up and down at one metre, so that head and ankle, a metre from the middle,
  /// come to 40 % of the height beside it from 1.25 m: at 10 % and 90 %. The left hip, 0.1 m beside the middle, is at
  /// 0.5 x 0.1 / 1.25 = 4 % of the height to the right of it, as somebody's left is who looks at the camera.
  @Test func theFrontShowsTheLeftOnTheRight() throws {
    let (clip, place) = try seen("0,0,90")
    expect(try place("head"), 960, 108)
    expect(try place("left_ankle"), 960, 972)
    expect(try place("left_hip"), 960 + 0.04 * 1080, 540)
    expect(try place("right_hip"), 960 - 0.04 * 1080, 540)
    #expect(try place("left_knee").x.isNaN)
    #expect(clip.info.view == "front")
    #expect(clip.labels.repCount == 1)
    #expect(clip.keypoints?.channels == [.x, .y])
  }

  /// From the left at 90 and the right at −90, the toes 0.2 m ahead point to the left and to the right. The box is then 0.2 m
  /// deep and its middle 0.1 m ahead.
  @Test func theSidesShowWhereTheSubjectFaces() throws {
    var source = Standing()
    source.joints["left_toe"] = SIMD3(0.2, 0, 0)
    let left = try seen("90,0,90", by: source)
    expect(try left.1("left_toe"), 960 - 0.04 * 1080, 972)
    expect(try left.1("left_ankle"), 960 + 0.04 * 1080, 972)
    // The left hip is 0.1 m nearer than the middle at 1.25 m.
    expect(try left.1("left_hip"), 960 + 0.5 * 0.1 / 1.15 * 1080, 540)
    let right = try seen("-90,0,90", by: source)
    expect(try right.1("left_toe"), 960 + 0.04 * 1080, 972)
    #expect(left.0.info.view == "side")
    #expect(right.0.info.view == "side")
  }

  /// From 60 degrees above in front, the head is 0.866 m nearer than the middle and 0.5 m above it in the image's plane:
  /// 40 % of the height at 0.625 m, so the camera is at 1.491 m. The ankle is 0.866 m further away than the middle.
  @Test func anElevatedCameraLooksDown() throws {
    let (clip, place) = try seen("0,60,90")
    expect(try place("head"), 960, 108)
    let half = 0.75.squareRoot()
    expect(try place("left_ankle"), 960, 540 + 0.5 * 0.5 / (0.625 + 2 * half) * 1080)
    #expect(clip.info.view == "front")
  }

  @Test func yMayPointDown() throws {
    var source = Standing()
    source.manifest.coordinates.yAxis = .down
    source.joints = source.joints.mapValues { $0 * SIMD3(1, -1, 1) }
    expect(try seen("0,0,90", by: source).1("head"), 960, 108)
  }

  /// Nobody shows more of themselves than 80 % of the image, from anywhere, and something reaches that.
  @Test func everyViewFramesTheWholeBody() throws {
    for azimuth in stride(from: -180, through: 180, by: 30) {
      for elevation in [-80, -20, 0, 45, 80] {
        let (clip, _) = try seen("\(azimuth),\(elevation),40")
        let keypoints = try #require(clip.keypoints)
        let x = (0..<17).compactMap { keypoints.column($0, .x)?.first }.filter(\.isFinite)
        let y = (0..<17).compactMap { keypoints.column($0, .y)?.first }.filter(\.isFinite)
        #expect(x.count == 4)
        let across = try #require(x.map { abs($0 / 1920 - 0.5) }.max())
        let upwards = try #require(y.map { abs($0 / 1080 - 0.5) }.max())
        #expect(max(across, upwards) < 0.4001)
        // Seen nearly from above, the nearest joint is half a metre away before that.
        #expect(abs(elevation) == 80 || max(across, upwards) > 0.3999, "\(azimuth) \(elevation)")
      }
    }
  }

  @Test func theManifestSaysWhatTheCameraWas() throws {
    let source = try CameraSource(Standing(), camera: .side)
    #expect(source.manifest.name == "mocap-side")
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .pixel(height: 1080), yAxis: .down))
    #expect(
      source.manifest.source
        == "made by hand; seen by a virtual camera: azimuth 90°, elevation 0°, field of view 50°")
    let oblique = try CameraSource(Standing(), camera: #require(VirtualCamera("-45.5,10,60")))
    #expect(oblique.manifest.name == "mocap--45.5_10_60")
    #expect(PortableName.isValid(oblique.manifest.name))
    #expect(try oblique.digest() != source.digest())
    #expect(try oblique.clip(0).info.view == "oblique")
  }

  @Test(arguments: [
    "", "back", "90", "90,0", "90,0,50,1", "90,81,50", "90,0,5", "nan,0,50", "inf,0,50", "361,0,50", "a,b,c",
  ])
  func otherWordsAreNoCamera(_ text: String) { #expect(VirtualCamera(text) == nil) }

  @Test func onlyMetresCanBeSeen() throws {
    var flat = Standing()
    flat.manifest.channels = [.x, .y]
    var relative = Standing()
    relative.manifest.coordinates.unit = .relative
    for (source, found) in [(flat, "metres with x, y"), (relative, "no unit with x, y, z")] {
      let error = #expect(throws: DataError.self) { _ = try CameraSource(source, camera: .front) }
      #expect(error?.found == found)
    }
    var headless = Standing()
    headless.joints["left_hip"] = nil
    let error = #expect(throws: DataError.self) { _ = try CameraSource(headless, camera: .front).clip(0) }
    #expect(error?.expected == "hips or shoulders that show the direction of the subject")
  }
}
