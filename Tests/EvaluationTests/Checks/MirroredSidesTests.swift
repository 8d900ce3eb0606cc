import Checks
import Datasets
import Evaluation
import PoseModel
import Testing

/// Left and right that are exchanged from the first frame to the last.
@Suite struct MirroredSidesTests {
  private func findings(_ clips: [SpoiltClip]) throws -> [Finding] {
    var rest = clips.map(\.spoilt)[...]
    return try DatasetChecks.findings(try #require(clips.first).manifest) { rest.popFirst() }
      .filter { $0.check == "mirrored-sides" }
  }

  private func clip(from view: String) throws -> SpoiltClip {
    var clip = SpoiltClip(try #require(SpoiltClip.clips.firstIndex { $0.info.view == view }))
    clip.drop(before: clip.frames.count - 40)
    return clip
  }

  @Test func fromTheFrontByItsView() throws {
    var clip = try clip(from: "front")
    #expect(try findings([clip]) == [])
    clip.swapSides(clip.frames.indices)
    #expect(try findings([clip]).map(\.found) == ["left is at the smaller x, seen from the front"])
    // Which is where it belongs seen from behind.
    clip.clip.info.view = "back"
    #expect(try findings([clip]) == [])
    clip.swapSides(clip.frames.indices)
    #expect(try findings([clip]).map(\.found) == ["left is at the greater x, seen from behind"])
  }

  /// Names stay, x is turned round: as of a telephone's picture of its owner.
  @Test func fromTheFrontByTheFace() throws {
    var clip = try clip(from: "front")
    clip.clip.info.view = ""
    #expect(try findings([clip]) == [])
    clip.move { _, place in SIMD2(1 - place.x, place.y) }
    #expect(try findings([clip]).map(\.found) == ["left is at the smaller x in frames that show nose and eyes"])
    // Without nose and eyes it may be someone from behind.
    clip.move { keypoint, place in keypoint < 3 ? SIMD2(.nan, .nan) : place }
    #expect(try findings([clip]) == [])
  }

  @Test func fromTheSideNothingIsKnown() throws {
    var clip = try clip(from: "side")
    clip.swapSides(clip.frames.indices)
    #expect(try findings([clip]) == [])
  }

  /// Nine clips without a face of which one, or three, are the other way round.
  @Test(arguments: [1, 3]) func againstTheOtherClips(odd: Int) throws {
    let clips = try (0..<9).map { index in
      var clip = try clip(from: "front")
      clip.clip.info.view = ""
      clip.clip.info.name = "clip\(index)"
      clip.move { keypoint, place in keypoint < 5 ? SIMD2(.nan, .nan) : place }
      if index < odd { clip.swapSides(clip.frames.indices) }
      return clip
    }
    let found = try findings(clips)
    #expect(found.map(\.clip) == (odd == 1 ? ["clip0"] : []))
    #expect(found.allSatisfy { $0.found.contains("the smaller x; on the other side in 8 clips") })
  }

  /// A body in metres that looks at the camera, and turned round, whatever its feet do not say.
  @Test(arguments: [false, true]) func inSpaceByTheFeet(isTurned: Bool) throws {
    #expect(try inSpace(mirrored: false, turned: isTurned) == [])
    #expect(try inSpace(mirrored: true, turned: isTurned).map(\.severity) == [.problem])
  }

  /// Of an estimator that guesses depth, whose feet are not seen.
  @Test(arguments: [false, true]) func inSpaceByTheFace(isTurned: Bool) throws {
    let places: [String: SIMD3<Float>] = [
      "nose": [0, 0.15, -0.1], "left_ear": [0.03, 0.15, 0], "left_shoulder": [0.1, 0.3, 0],
      "left_hip": [0.05, 0.6, 0],
    ]
    for isMirrored in [false, true] {
      let found = try findings(
        places, skeleton: "blazepose-33", CoordinateSystem(unit: .image(aspect: 1), yAxis: .down), isMirrored, isTurned)
      #expect(found.map(\.severity) == (isMirrored ? [.problem] : []))
      #expect(found.allSatisfy { $0.found.contains("face") })
    }
  }

  private func inSpace(mirrored: Bool, turned: Bool) throws -> [Finding] {
    // x to the subject's left as the camera sees them, y up, z away.
    try findings(
      [
        "left_shoulder": [0.2, 1.4, 0], "left_hip": [0.1, 0.9, 0], "left_knee": [0.1, 0.5, -0.05],
        "left_ankle": [0.1, 0.1, 0], "left_heel": [0.1, 0, 0.05], "left_toe": [0.12, 0, -0.15],
      ], skeleton: "motion-capture", CoordinateSystem(unit: .metre, yAxis: .up), mirrored, turned)
  }

  /// Of 40 frames of a body with these joints and their right counterparts.
  private func findings(
    _ places: [String: SIMD3<Float>], skeleton name: String, _ coordinates: CoordinateSystem, _ isMirrored: Bool,
    _ isTurned: Bool
  ) throws -> [Finding] {
    let skeleton = try #require(Skeleton.named(name))
    let frame = skeleton.keypoints.flatMap { name -> [Float] in
      let isRight = name.hasPrefix("right_")
      guard var place = places[isRight ? "left_" + name.dropFirst(6) : name] else { return [.nan, .nan, .nan] }
      if isRight != isMirrored { place.x = -place.x }
      return isTurned ? [-place.x, place.y, -place.z] : [place.x, place.y, place.z]
    }
    var manifest = SpoiltClip.generator.manifest
    manifest.skeleton = name
    manifest.coordinates = coordinates
    manifest.channels = [.x, .y, .z]
    var clip: Clip? = SpoiltClip.clips[0]
    clip?.info.view = "side"
    clip?.keypoints = Keypoints(
      times: (0..<40).map { Microseconds(frame: $0, rate: 30) }, keypointCount: skeleton.keypoints.count,
      channels: [.x, .y, .z], frames: (0..<40).flatMap { _ in frame })
    return try DatasetChecks.findings(manifest) {
      defer { clip = nil }
      return clip
    }.filter { $0.check == "mirrored-sides" }
  }
}
