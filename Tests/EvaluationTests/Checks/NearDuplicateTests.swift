import Checks
import Datasets
import Evaluation
import PoseModel
import Statistics
import Testing

/// A recording is found again under another name however it was copied, and two people are not taken for one.
@Suite struct NearDuplicateTests {
  enum Copy: CaseIterable { case same, resampled, cropped, trimmed, noisy, mirrored, fast, all }

  private func findings(_ clips: [Clip]) throws -> [Finding] {
    var clips = clips.makeIterator()
    return try DatasetChecks.findings(SpoiltClip.generator.manifest) { clips.next() }
      .filter { $0.check == "near-duplicates" }
  }

  /// The first person's clip, copied.
  private func copied(_ copy: Copy) -> Clip {
    var clip = SpoiltClip()
    if copy == .trimmed || copy == .all { clip.drop(before: clip.frames.count / 5) }
    if copy == .resampled || copy == .all { clip.resample(to: 20) }
    if copy == .fast { clip.speedUp() }
    if copy == .cropped || copy == .all { clip.move { _, place in place * 0.6 + SIMD2(0.3, 0.2) } }
    if copy == .mirrored || copy == .all {
      clip.move { _, place in SIMD2(1 - place.x, place.y) }
      clip.swapSides(clip.frames.indices)
    }
    if copy == .noisy || copy == .all {
      // A trunk is about a fifth of the picture's height: 2 % of it.
      var random = SeededGenerator(seed: 7)
      clip.move { _, place in
        place
          + SIMD2(Float.random(in: -0.007...0.007, using: &random), Float.random(in: -0.007...0.007, using: &random))
      }
    }
    clip.clip.info.name = "copy"
    clip.clip.info.subject = "somebody-else"
    return clip.spoilt
  }

  @Test(arguments: Copy.allCases) func aCopyIsFound(_ copy: Copy) throws {
    var clips = SpoiltClip.clips
    clips.append(copied(copy))
    let found = try findings(clips)
    #expect(found.map(\.clip) == ["copy"])
    #expect(found.map(\.severity) == [.warning])
    let name = "is \(SpoiltClip.clips[0].info.name)" + (copy == .mirrored || copy == .all ? ", mirrored" : "")
    #expect(found.first?.found.hasPrefix(name) == true, "\(found)")
    #expect(found.first?.found.contains("mirrored") == (copy == .mirrored || copy == .all))
  }

  @Test func aFasterCopyIsCalledSo() throws {
    let (original, fast) = (SpoiltClip.clips[0], copied(.fast))
    let length = try #require(original.keypoints?.times.last).seconds
    let slower = try #require(try findings([fast, original]).first)
    #expect(slower.found.hasPrefix("is copy, half as fast, of "), "\(slower.found)")
    #expect(abs(try #require(slower.end) - length) < 0.3)
    let faster = try #require(try findings([original, fast]).first)
    #expect(faster.found.hasPrefix("is \(original.info.name), twice as fast, of "), "\(faster.found)")
    #expect(abs(try #require(faster.end) - length / 2) < 0.3)
  }

  /// The copy begins a fifth of the clip later, whichever of the two is looked at first.
  @Test func whereItBeginsIsSaid() throws {
    var copy = copied(.trimmed)
    let original = SpoiltClip.clips[0]
    let later = Double((original.keypoints?.frameCount ?? 0) / 5) / 30
    let forward = try findings([original, copy]).first
    #expect(forward?.found.contains("from \((later * 10).rounded() / 10) s") == true, "\(forward?.found ?? "")")
    #expect(forward?.start == 0)
    copy.info.name = "first"
    let backward = try findings([copy, original]).first
    #expect(abs((backward?.start ?? 0) - later) < 0.07)
  }

  @Test func acrossSplitsItIsAProblem() throws {
    var clip = copied(.resampled)
    clip.info.subject = SpoiltClip.clips[0].info.subject
    // Within one split a person may do the same twice.
    #expect(try findings([SpoiltClip.clips[0], clip]) == [])
    clip.info.split = "train"
    let found = try findings([SpoiltClip.clips[0], clip])
    #expect(found.map(\.severity) == [.problem])
    #expect(found.first?.found.contains("of split train and test") == true)
  }

  @Test func differentPeopleAreNot() throws { #expect(try findings(SpoiltClip.clips) == []) }
}
