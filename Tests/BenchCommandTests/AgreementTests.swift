import Datasets
import Foundation
import PoseModel
import Testing

/// How far estimators and raters agree, on data whose agreement is known.
@Suite struct AgreementTests {
  /// The same clips as another estimator saw them: shifted to the right by pixels of an image 1000 high.
  private func seen(_ name: String, shiftedBy pixels: Float) -> Dataset {
    var dataset = SquatClip.dataset(name, SquatClip.three)
    dataset.clips = dataset.clips.map { clip in
      var clip = clip
      clip.keypoints = clip.keypoints.map { keypoints in
        let (rows, channels) = (keypoints.frameCount, keypoints.channels.count)
        // A column a keypoint and channel, x first.
        let values = keypoints.values.enumerated().map { $0 / rows % channels == 0 ? $1 + pixels : $1 }
        return Keypoints(
          times: keypoints.times, keypointCount: keypoints.keypointCount, channels: keypoints.channels,
          values: values)
      }
      return clip
    }
    return dataset
  }

  /// The torso, left shoulder to right hip, is 300 pixels, a fifth of it 60.
  @Test(arguments: [(Float(59), "1.000"), (61, "0.000")])
  func aJointIsNearWithinAFifthOfTheTorso(_ pixels: Float, _ share: String) throws {
    let workspace = try Workspace.withSquats()
    try workspace.add(seen("others", shiftedBy: pixels))
    let outcome = try workspace.run("agreement", "estimators", "squats", "others")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("others against squats: 3 clips of 3 subjects\n"))
    let line = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("keypoints.pck") })
    #expect(line.contains(" \(share) "), "\(line)")
    let dropOut = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("keypoints.drop-out") })
    #expect(dropOut.contains(" 0.000 "))
  }

  @Test func datasetsWithoutACommonClipAreRefused() throws {
    let workspace = try Workspace.withSquats()
    try workspace.add(
      SquatClip.dataset("others", [SquatClip(name: "dora_1", subject: "dora", squats: [SquatClip.deep])]))
    try workspace.run("agreement", "estimators", "squats", "others").expectFailure(
      5, saying: ["clips of the same name in both"])
  }

  @Test func placesWithoutACommonScaleAreRefused() throws {
    let workspace = try Workspace.withSquats()
    var others = SquatClip.dataset("others", SquatClip.three)
    others.manifest.coordinates.unit = .relative
    try workspace.add(others)
    try workspace.run("agreement", "estimators", "squats", "others").expectFailure(
      5, saying: ["both in the picture's coordinates", "a dataset's own in others"])
  }

  /// Four reps that A gives 2, 4, 6 and 8 of 10 and B one more each: consistent to the last point, and not in agreement.
  /// McGraw and Wong: between rows 40/3, between raters 2, residual 0, so agreement is 40/3 / (40/3 + 2 · 2/4) = 0.930.
  @Test func aRaterWhoAlwaysGivesOneMore() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset(
      "graded", (1...4).map { SquatClip(name: "c\($0)", subject: "s\($0)", squats: [SquatClip.deep]) })
    dataset.manifest.criteria = [Manifest.Criterion(name: "form", minimum: 0, maximum: 10)]
    for index in dataset.clips.indices {
      let grade = Double(2 * index + 2)
      dataset.clips[index].labels.grades = [
        GroundTruth.Grade(rep: 0, rater: "A", criterion: "form", value: grade),
        GroundTruth.Grade(rep: 0, rater: "B", criterion: "form", value: grade + 1),
      ]
    }
    try workspace.add(dataset)
    let outcome = try workspace.run("agreement", "raters", "graded", "--criterion", "form")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("graded, form: 2 raters, 4 graded, 4 by all of them\n"))
    func value(_ metric: String) -> Substring? {
      outcome.output.split(separator: "\n").first { $0.hasPrefix(metric + " ") }?.split(separator: " ").dropFirst()
        .first
    }
    #expect(value("grades.icc-c-1") == "1.000")
    #expect(value("grades.icc-a-1") == "0.930")
    #expect(value("grades.human-pearson") == "1.000")
    #expect(value("grades.human-rmse") == "1.0")
    let pair = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("A, B") })
    #expect(pair.split(separator: " ").suffix(4).joined(separator: " ") == "1.0 1.0 to 1.0", "\(pair)")
  }

  @Test func aCriterionThatNobodyGradedIsRefused() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("agreement", "raters", "squats", "--criterion", "from").expectFailure(
      5, saying: ["dataset squats", "expected one of form", "did you mean form?"])
  }
}
