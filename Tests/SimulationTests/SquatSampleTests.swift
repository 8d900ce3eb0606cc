import Datasets
import Foundation
import PoseModel
import Simulation
import Testing

struct SquatGeneratorTests {
  private static let generator = squats(seed: 1, subjects: 12, clipsPerSubject: 3)
  private static let dataset = generator.generate()
  private static func motion(subject: Int, clip: Int) throws -> SquatMotion {
    try #require(generator.scene(subject: subject, clip: clip).motion as? SquatMotion)
  }

  private var clips: [Clip] { Self.dataset.clips }

  private func bits(_ clip: Clip) -> [UInt32] { clip.keypoints?.values.map(\.bitPattern) ?? [] }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  @Test func aSeedGivesTheSameDatasetAgain() {
    let again = Self.generator.generate()
    #expect(again.manifest == Self.dataset.manifest)
    for (a, b) in zip(again.clips, clips) {
      #expect(a.info == b.info && a.labels == b.labels && bits(a) == bits(b))
    }
  }

  /// The folder in this checkout, bit by bit.
  @Test func itIsTheCommittedSample() throws {
    let folder = try DatasetFolder(
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../datasets/squat-sample"
      ).standardizedFileURL.path)
    #expect(folder.manifest == Self.dataset.manifest && folder.clips.count == clips.count)
    for (index, clip) in clips.enumerated() {
      let committed = try folder.clip(index)
      let hasSameLabels = committed.info == clip.info && committed.labels == clip.labels
      #expect(hasSameLabels, "\(clip.info.name)")
      // Thousands of numbers, of which a failing test would look for the difference for minutes.
      let isSame = bits(committed) == bits(clip)
      #expect(isSame, "\(clip.info.name)")
    }
  }

  @Test func anotherSeedGivesAnother() {
    let other = squats(seed: 2, subjects: 1, clipsPerSubject: 1).generate()
    #expect(bits(other.clips[0]) != bits(clips[0]))
    #expect(other.clips[0].labels != clips[0].labels)
  }

  @Test func moreSubjectsAndClipsLeaveTheOthersAsTheyAre() {
    for clip in squats(seed: 1, subjects: 3, clipsPerSubject: 2).generate().clips {
      let same = clips.first { $0.info.name == clip.info.name }
      #expect(same?.info == clip.info && same?.labels == clip.labels)
      #expect(same.map { bits($0) == bits(clip) } == true)
    }
  }

  @Test func namesViewsAndRatesVary() {
    #expect(Set(clips.map(\.info.name)).count == 36)
    #expect(clips[0].info.name == "s01_front_1" && clips[35].info.name.hasPrefix("s12_"))
    #expect(Set(clips.map(\.info.fps)) == [15, 24, 25, 30, 50, 60])
    for subject in Set(clips.map(\.info.subject)) {
      #expect(Set(clips.filter { $0.info.subject == subject }.map(\.info.view)) == ["front", "side", "oblique"])
    }
    for clip in clips {
      for (index, time) in (clip.keypoints?.times ?? []).enumerated() {
        #expect(time == Microseconds(frame: index, rate: clip.info.fps))
      }
    }
  }

  @Test func theManifestSaysWhatItIs() {
    let manifest = Self.dataset.manifest
    #expect(manifest.origin == .synthetic && manifest.skeleton == "coco-17")
    #expect(manifest.version == "\(MotionGenerator.version)")
    #expect(manifest.caveat?.contains("scripted") == true && manifest.caveat?.contains("no evidence") == true)
    #expect(manifest.source.contains("seed 1"))
    #expect(manifest.coordinates == CoordinateSystem(unit: .image(aspect: 9.0 / 16), yAxis: .down))
  }

  @Test func labelsLieWithinTheirClipsInOrder() throws {
    for clip in clips {
      let end = try #require(clip.keypoints?.times.last)
      let reps = try #require(clip.labels.reps)
      var last = Microseconds.zero
      for rep in reps {
        let turn = try #require(rep.turn)
        #expect(last <= rep.start && rep.start < turn && turn < rep.end && rep.end <= end)
        last = rep.end
      }
      #expect(clip.labels.repCount == reps.count)
    }
  }

  @Test func onlyOneClipHasFewerThanThreeReps() throws {
    let few = clips.filter { ($0.labels.repCount ?? 0) < 3 }
    #expect(few.map(\.info.name) == ["s02_oblique_2"])
    #expect(few.first?.labels.repCount == 0 && few.first?.labels.grades.isEmpty == true)
    #expect(clips.allSatisfy { ($0.labels.repCount ?? 0) <= 12 })
    let empty = try Self.motion(subject: 1, clip: 1)
    #expect(empty.reps.isEmpty && empty.halfReps.count == 3)
    // Half reps stand in other clips too, unlabelled.
    let mixed = try (0..<12).flatMap { subject in try (0..<3).map { try Self.motion(subject: subject, clip: $0) } }
    for motion in mixed {
      for half in motion.halfReps {
        #expect(motion.reps.allSatisfy { $0.end <= half.lowerBound || $0.start >= half.upperBound })
      }
    }
    #expect(mixed.contains { !$0.halfReps.isEmpty && !$0.reps.isEmpty })
  }

  @Test func everyLabelledRepIsDeep() throws {
    for (index, clip) in clips.enumerated() {
      let forms = try Self.motion(subject: index / 3, clip: index % 3).reps
      #expect(forms.count == clip.labels.repCount)
      #expect(forms.allSatisfy { $0.kneeAngle > 25 && $0.kneeAngle < 106 && $0.thighRise < 39 })
    }
  }

  /// From the side the trunk and the near leg stand before the far hip and knee; from the front nothing does.
  @Test func theFarSideIsHiddenFromTheSide() throws {
    for (index, clip) in clips.enumerated() where clip.info.view != "oblique" {
      let scene = Self.generator.scene(subject: index / 3, clip: index % 3)
      let standing = try #require((scene.motion as? SquatMotion)?.plantedSpans.first).lowerBound
      let hidden = scene.observation(at: standing).hidden
      let isSide = clip.info.view == "side"
      // COCO's 5, 11 and 13 are the left shoulder, hip and knee; the subject's left is where y grows.
      let leftIsNear = scene.camera.position.y > 0
      for left in [5, 11, 13] {
        for (joint, isFar) in [(left, !leftIsNear), (left + 1, leftIsNear)] {
          // From the side a hand may hang before the near hip.
          if isSide && !isFar && left == 11 { continue }
          #expect(hidden[joint] == (isSide && isFar), "\(joint) of \(clip.info.name)")
        }
      }
    }
  }

  /// Biases of -6, 0 and 7 on about 160 reps each.
  @Test func ratersDifferAsTheyAreScriptedTo() {
    func grades(_ rater: String) -> [Double] {
      clips.flatMap(\.labels.grades).filter { $0.rater == rater }.map(\.value)
    }
    let means = ["rater_a", "rater_b", "rater_c"].map { mean(grades($0)) }
    #expect(means[0] < means[1] - 3 && means[1] < means[2] - 3)
    #expect(grades("rater_b").allSatisfy { $0.truncatingRemainder(dividingBy: 5) == 0 })
    #expect(clips.flatMap(\.labels.grades).allSatisfy { (0...100).contains($0.value) && $0.criterion == "form" })
    let reps = clips.map { $0.labels.repCount ?? 0 }.reduce(0, +)
    #expect(["rater_a", "rater_b", "rater_c"].allSatisfy { grades($0).count == reps })
  }

  @Test func everyFaultIsSeenAndNotAlways() {
    let faults = clips.flatMap(\.labels.faults)
    #expect(Set(faults.map(\.name)) == ["shallow", "forward_lean", "knee_forward", "knee_valgus"])
    for fault in SquatFault.usual {
      let said = faults.filter { $0.name == fault.rawValue }
      #expect(Set(said.filter(\.present).map(\.rater)) == Set(said.map(\.rater)))
      let share = Double(said.count(where: \.present)) / Double(said.count)
      #expect(share > 0.02 && share < 0.4)
    }
    #expect(!faults.contains { $0.rater == "rater_c" && $0.name == "knee_forward" })
  }

  /// Worse motion gets lower grades: the mean of the reps with a grave fault is below that of those without any.
  @Test func gradesFollowTheTrueMotion() throws {
    var grave: [Double] = []
    var clean: [Double] = []
    for (index, clip) in clips.enumerated() {
      for (rep, form) in try Self.motion(subject: index / 3, clip: index % 3).reps.enumerated() {
        let worst = SquatFault.usual.map { form.severity($0) }.max() ?? 0
        let grades = clip.labels.grades.filter { $0.rep == rep }.map(\.value)
        if worst > 0.6 { grave += grades }
        if worst == 0 { clean += grades }
      }
    }
    #expect(mean(grave) < mean(clean) - 15)
  }

  /// From the soles to the crown, of whoever stands in the middle of the image at the first moment of a planted span.
  @Test func thePersonFillsTheImageWell() {
    for subject in 0..<10 {
      for clip in 0..<3 {
        let scene = Self.generator.scene(subject: subject, clip: clip)
        let camera = scene.camera
        let sole = camera.project(SIMD3(0, 0, 0))
        let crown = camera.project(SIMD3(0, 0, scene.motion.body.stature))
        let fill = (sole?.y ?? 0) - (crown?.y ?? 0)
        #expect(fill > 0.55 && fill < 0.85, "\(scene.info.name)")
        #expect((sole?.y ?? 2) < 1 && (crown?.y ?? -1) > 0)
      }
    }
  }

  @Test func theSampleIsSmall() {
    let bytes = clips.map { ($0.keypoints?.values.count ?? 0) * 4 }.reduce(0, +)
    #expect(bytes < 3_600_000)
  }
}
