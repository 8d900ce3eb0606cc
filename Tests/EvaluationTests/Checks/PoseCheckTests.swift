import Checks
import Datasets
import Evaluation
import PoseModel
import Testing

/// Each defect of poses is found when it is put into a sound clip, where it was put, and not before.
@Suite struct PoseCheckTests {
  @Test(arguments: [
    "frozen-frames", "frame-rate", "side-swaps", "mirrored-sides", "limb-lengths", "person-change", "orientation",
    "scale", "rep-times",
    "label-bounds", "zeros", "confidence-range", "unreadable",
  ])
  func soundClipsHaveNone(check: String) throws {
    for index in SpoiltClip.clips.indices { #expect(try SpoiltClip(index).findings(check) == []) }
  }

  @Test func aPictureThatStandsStill() throws {
    var clip = SpoiltClip()
    clip.repeatFrame(60, over: 61..<75)
    let found = try clip.findings("frozen-frames")
    #expect(found.map(\.found) == ["15 identical frames"])
    #expect(found.map(\.start) == [clip.seconds(60)])
    #expect(found.map(\.end) == [clip.seconds(74)])
  }

  /// As a video of 24 frames a second stretched to 30: every fifth frame is the fourth again.
  @Test func repeatedFrames() throws {
    var clip = SpoiltClip()
    for frame in stride(from: 4, to: clip.frames.count, by: 5) { clip.repeatFrame(frame - 1, over: frame..<frame + 1) }
    let found = try clip.findings("frozen-frames")
    #expect(found.count == 1)
    #expect(found.first?.found.hasSuffix("of the frames repeat the one before") == true)
    #expect(try #require(found.first).weight > 0.19)
  }

  @Test func aRateThatChanges() throws {
    var clip = SpoiltClip()
    let half = clip.times[90]
    clip.setTimes { frame, time in frame < 90 ? time : time + (time - half) }
    let found = try #require(try clip.findings("frame-rate").first { $0.found.hasPrefix("the rate goes") })
    #expect(abs(try #require(found.start) - clip.seconds(90)) < 0.6)
  }

  /// Half as long again and as long in turns: as a telephone records that has little light.
  @Test func aRateThatIsNone() throws {
    var clip = SpoiltClip()
    let step = clip.times[1] - clip.times[0]
    clip.setTimes { frame, _ in Microseconds(step.count * Int64(frame) + step.count / 2 * Int64(frame / 2)) }
    // The mean step is a quarter longer.
    clip.clip.info.fps = 1 / (step.seconds * 1.25)
    let found = try clip.findings("frame-rate")
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.found.hasPrefix("no fixed frame rate, ") == true)
  }

  @Test func anotherRateThanTheOneThatIsNamed() throws {
    var clip = SpoiltClip()
    clip.clip.info.fps *= 2
    let found = try clip.findings("frame-rate")
    #expect(found.map(\.severity) == [.problem])
    #expect(found.first?.found.hasPrefix("fps is ") == true)
  }

  @Test func aGap() throws {
    var clip = SpoiltClip()
    clip.setTimes { frame, time in frame < 100 ? time : time + Microseconds(700_000) }
    let found = try clip.findings("frame-rate")
    #expect(found.count == 1)
    #expect(found.first?.start == clip.seconds(99))
    #expect(found.first?.end == clip.seconds(100))
  }

  @Test func sidesThatChangePlaces() throws {
    // From the front the two sides are well apart.
    let index = try #require(SpoiltClip.clips.firstIndex { $0.info.view == "front" })
    var clip = SpoiltClip(index)
    clip.swapSides(50..<75)
    let found = try clip.findings("side-swaps")
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.start == clip.seconds(50))
    #expect(found.first?.end == clip.seconds(74))
    let share = try #require(found.first).weight
    #expect(abs(share - 25 / Double(clip.frames.count)) < 0.03)
  }

  /// In the second clip from the front, whose simulated estimator exchanges nothing by itself.
  @Test(arguments: [1, 5, 50]) func sidesThatChangePlacesForAnyTimeUpToTwoSeconds(frames: Int) throws {
    var clip = SpoiltClip(try #require(SpoiltClip.clips.lastIndex { $0.info.view == "front" }))
    clip.swapSides(60..<60 + frames)
    let found = try clip.allFindings("side-swaps").filter { $0.start == clip.seconds(60) }
    #expect(found.map(\.end) == [clip.seconds(60 + frames - 1)])
  }

  /// Once exchanged, either side may be the right one.
  @Test func sidesThatDoNotComeBackAreLeftAlone() throws {
    let index = try #require(SpoiltClip.clips.firstIndex { $0.info.view == "front" })
    var clip = SpoiltClip(index)
    clip.swapSides(50..<clip.frames.count)
    #expect(try clip.findings("side-swaps") == [])
  }

  /// The shanks point at the camera but for four frames: from 0.3 of their length to all of it, which is no jump.
  @Test func aLimbThatComesOutOfForeshortening() throws {
    var clip = SpoiltClip()
    for frame in clip.frames.indices where !(60..<64).contains(frame) {
      for ankle in [15, 16] {
        for axis in 0..<2 {
          let knee = clip.frames[frame][3 * (ankle - 2) + axis]
          clip.set(frame, 3 * ankle + axis, to: knee + 0.3 * (clip.frames[frame][3 * ankle + axis] - knee))
        }
      }
    }
    #expect(try clip.findings("limb-lengths") == [])
  }

  @Test func aJointThatStaysElsewhere() throws {
    var clip = SpoiltClip()
    // Six frames, of which one jumps: COCO's 15 is the left ankle.
    clip.move(60..<66) { keypoint, place in keypoint == 15 ? place + SIMD2(0, 1) : place }
    let found = try clip.findings("limb-lengths")
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.found.hasPrefix("left shank ") == true)
  }

  /// Numbers from −4 to 6 in half of the frames.
  @Test func confidencesThatAreLogits() throws {
    var clip = SpoiltClip()
    let half = clip.frames.count / 2
    for frame in 0..<half {
      for keypoint in 0..<17 { clip.set(frame, 3 * keypoint + 2, to: keypoint == 0 ? -4 : 6) }
    }
    let found = try clip.findings("confidence-range")
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.found.hasSuffix(" % are outside 0…1: they are -4.0 to 6.0") == true)
    let known = clip.frames.reduce(0) { sum, row in sum + (0..<17).count { row[3 * $0 + 2].isFinite } }
    #expect(found.first?.weight == Double(17 * half) / Double(known))
  }

  @Test func zerosThatStandForMissing() throws {
    var clip = SpoiltClip()
    clip.fill(60..<90, with: 0)
    let found = try clip.findings("zeros")
    #expect(found.map(\.severity) == [.problem])
    #expect(found.first?.found.hasPrefix("30 frames in a row with joints at 0,0; ") == true)
    #expect(found.first?.start == clip.seconds(60))
    #expect(found.first?.end == clip.seconds(89))
    // They are nobody: neither a picture that stands still nor another person.
    #expect(try clip.findings("frozen-frames") == [])
    #expect(try clip.findings("person-change") == [])
  }

  /// Without a confidence; a joint may be the origin of other coordinates.
  @Test(arguments: [
    (CoordinateSystem.Unit.image(aspect: 1), true), (.pixel(height: 100), true), (.metre, false), (.relative, false),
  ])
  func zerosOfOneJoint(_ unit: CoordinateSystem.Unit, _ isFound: Bool) throws {
    let spoilt = SpoiltClip()
    var clip = spoilt.clip
    // COCO's 13 is the left knee.
    let values = spoilt.frames.enumerated().flatMap { frame, row -> [Float] in
      (0..<17).flatMap { joint -> [Float] in
        let isLost = joint == 13 && (60..<90).contains(frame)
        return isLost ? [0, 0] : Array(row[(3 * joint)..<(3 * joint + 2)])
      }
    }
    clip.keypoints = Keypoints(times: spoilt.times, keypointCount: 17, channels: [.x, .y], frames: values)
    var manifest = spoilt.manifest
    manifest.channels = [.x, .y]
    manifest.coordinates.unit = unit
    var next: Clip? = clip
    let found = try DatasetChecks.findings(manifest) {
      defer { next = nil }
      return next
    }.filter { $0.check == "zeros" }
    #expect(found.map(\.start) == (isFound ? [spoilt.seconds(60)] : []))
  }

  @Test func timesInMilliseconds() throws {
    var clip = SpoiltClip()
    clip.setTimes { _, time in Microseconds(seconds: time.seconds * 1000) ?? time }
    let found = try clip.findings("frame-rate")
    #expect(found.map(\.severity) == [.problem])
    #expect(found.first?.found.hasPrefix("one frame every 33.33 s, ") == true, "\(found)")
    #expect(found.first?.found.hasSuffix(" in total: are the times in milliseconds?") == true)
    #expect(found.first?.remedy.hasPrefix("give times in seconds") == true)
  }

  @Test func timesThatAreAbsurd() throws {
    var clip = SpoiltClip()
    clip.drop(before: clip.frames.count - 2)
    // 2^55 µs are 1,141.7 years of 365.25 days.
    clip.setTimes { frame, _ in Microseconds(frame == 0 ? 0 : 1 << 55) }
    let found = try clip.findings("frame-rate")
    #expect(found.map(\.severity) == [.problem])
    #expect(found.first?.found.contains(", 1141.7 years in total: what are the times in?") == true, "\(found)")
  }

  @Test func aJointThatIsElsewhere() throws {
    var clip = SpoiltClip()
    // COCO's 9 and 13 are the left wrist and the left knee.
    for frame in stride(from: 20, to: clip.frames.count, by: 25) {
      clip.move(frame..<frame + 1) { keypoint, place in keypoint == 13 ? place + SIMD2(0.6, 0) : place }
    }
    let found = try clip.findings("limb-lengths")
    #expect(found.count == 1)
    #expect(found.first?.found.contains("left ") == true)
  }

  @Test func anotherPerson() throws {
    var clip = SpoiltClip()
    let half = clip.frames.count / 2
    clip.move(half..<clip.frames.count) { _, place in place * 0.8 + SIMD2(0.35, 0.1) }
    let found = try clip.findings("person-change")
    #expect(found.map(\.start) == [clip.seconds(half)])
  }

  @Test func anotherPersonInTheSamePlace() throws {
    var clip = SpoiltClip()
    let half = clip.frames.count / 2
    clip.move(half..<clip.frames.count) { _, place in (place - SIMD2(0.5, 0.5)) * 0.7 + SIMD2(0.5, 0.5) }
    let found = try clip.findings("person-change")
    #expect(found.map(\.start) == [clip.seconds(half)])
    #expect(found.first?.found.contains("times the size") == true, "\(found)")
  }

  /// Two seconds without a person, then the same person, or a person at two thirds of the size.
  @Test func anotherPersonAfterAGap() throws {
    var clip = SpoiltClip()
    clip.fill(60..<120, with: .nan)
    #expect(try clip.findings("person-change") == [])
    clip.move(120..<clip.frames.count) { _, place in place * 0.67 + SIMD2(0.2, 0.2) }
    let found = try clip.findings("person-change")
    #expect(found.map(\.start) == [clip.seconds(59)])
    #expect(found.map(\.end) == [clip.seconds(120)])
    #expect(found.first?.found.hasPrefix("2.0 s without a person, then a person at 0.") == true, "\(found)")
  }

  @Test func someoneUpsideDown() throws {
    var clip = SpoiltClip()
    clip.move { _, place in SIMD2(place.x, 1 - place.y) }
    #expect(try clip.findings("orientation").map(\.severity) == [.problem])
    // The same with the axis named as it is.
    clip.manifest.coordinates.yAxis = .up
    #expect(try clip.findings("orientation") == [])
  }

  @Test func axesThatAreExchanged() throws {
    var clip = SpoiltClip()
    clip.move { _, place in SIMD2(place.y, place.x) }
    clip.manifest.coordinates.unit = .image(aspect: 1)
    let found = try clip.findings("orientation")
    #expect(found.count == 1)
    #expect(found.first?.found.hasPrefix("lies down in ") == true)
  }

  @Test func pixelsThatAreCalledShares() throws {
    var clip = SpoiltClip()
    clip.move { _, place in place * 1000 }
    #expect(try clip.findings("scale").map(\.severity) == [.problem])
    clip.manifest.coordinates.unit = .pixel(height: 1000)
    #expect(try clip.findings("scale") == [])
  }

  @Test func sharesThatAreCalledPixels() throws {
    var clip = SpoiltClip()
    clip.manifest.coordinates.unit = .pixel(height: 1000)
    #expect(try clip.findings("scale").map(\.found) == ["all are within −1…2: are they shares of the image?"])
  }

  /// As an importer declares pictures whose size in pixels is not known.
  @Test func imageHeightsAreSharesOfOneSide() throws {
    var clip = SpoiltClip()
    clip.manifest.coordinates.unit = .imageHeight
    #expect(try clip.findings("scale") == [])
    #expect(try clip.findings("fitness") == [])
    clip.move { _, place in place * 1000 }
    #expect(try clip.findings("scale").map(\.severity) == [.problem])
  }

  @Test func oneClipInAnotherUnitThanTheOthers() throws {
    var clip = SpoiltClip(2)
    clip.move { _, place in place * 20 }
    clip.manifest.coordinates.unit = .metre
    var clips = [SpoiltClip(0).spoilt, SpoiltClip(1).spoilt, clip.spoilt, SpoiltClip(3).spoilt].makeIterator()
    let found = try DatasetChecks.findings(clip.manifest) { clips.next() }.filter { $0.check == "scale" }
    #expect(found.map(\.clip) == [clip.clip.info.name])
  }
}
