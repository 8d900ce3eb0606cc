import Datasets
import Evaluation
import Foundation
import Pipeline
import PoseModel
import Testing

@testable import Reports

/// What is wrong with a clip, and what changed of it, in words.
struct ClipWordsTests {
  private func change(_ kind: ClipChange.Kind, _ values: String, parts: String = "null") throws -> String {
    let fields = ["before", "after", "truth"]
    let numbers = zip(fields, values.split(separator: " ")).map { "\"\($0)\":\($1)" }.joined(separator: ",")
    let json = #"{"kind":"\#(kind.rawValue)","clip":"d/a","detector":"x","parts":\#(parts),\#(numbers)}"#
    return try JSONDecoder().decode(ClipChange.self, from: Data(json.utf8)).sentence
  }

  @Test func changes() throws {
    #expect(try change(.count, "14 13 14") == "counted 14 → 13, true 14")
    let parts = [
      #"{"name":"missed","before":0,"after":2}"#, #"{"name":"made up","before":1,"after":1}"#,
      #"{"name":"misnamed","before":0,"after":0}"#,
    ].joined(separator: ",")
    #expect(try change(.strokes, "1 3 0", parts: "[\(parts)]") == "strokes missed 0 → 2, invented 1")
    #expect(try change(.labels, "1.26 0 0") == "wrong for 1.3 → 0.0 s")
    #expect(try change(.grade, "71.25 60 80") == "mean grade 71.3 → 60.0, raters 80.0")
    #expect(try change(.faults, "0 1 0") == "misjudged 0 → 1")
    #expect(try change(.times, "4 3 5") == "reps at other times, 4 → 3 matched of 5")
  }

  /// Two of four reps were not seen, and are named by the first of them; then the others in their order.
  @Test func theMostCommonReasonForMissesIsFirst() throws {
    func missed(_ rep: Int, _ cause: String, _ words: String, _ parameter: String = "null") -> String {
      let reason = #"{"cause":"\#(cause)","words":"\#(words)","parameter":\#(parameter)}"#
      return #"{"rep":\#(rep),"start":1,"end":2,"reason":\#(reason)}"#
    }
    let all = [
      missed(0, "threshold", "not deep", #""bottomAngle""#), missed(1, "unseen", "not seen for 1 s"),
      missed(2, "unseen", "not seen for 2 s"), missed(3, "too-soon", "too soon", #""cooldown""#),
    ]
    let reps = try JSONDecoder().decode([MissedRep].self, from: Data("[\(all.joined(separator: ","))]".utf8))
    let reasons = reps.map { (rep: $0.rep, reason: $0.reason) }
    #expect(RepReason.summary(reasons, of: "rep") == "2 reps, such as rep 2: not seen for 1 s; rep 1: not deep; 1 more")
    #expect(RepReason.summary([reasons[3]], of: "stroke") == "stroke 4: too soon")
    let groups = RepReason.groups(reasons, of: "rep", state: " not judged")
    #expect(groups.map(\.count) == [2, 1, 1])
    #expect(groups.first?.words == "2 reps not judged, such as rep 2: not seen for 1 s")
    #expect(groups.last?.words == "rep 4 not judged: too soon")
  }

  private struct Graded: DatasetSource {
    let manifest = Manifest(
      name: "data", version: "1", licence: "CC0-1.0", source: "made up", origin: .synthetic,
      skeleton: Skeleton.coco17.name, coordinates: CoordinateSystem(unit: .pixel(height: 1000), yAxis: .down),
      channels: [.x, .y, .confidence], criteria: [Manifest.Criterion(name: "form", minimum: 0, maximum: 100)])
    let clipCount = 3

    func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "0", count: 64))) }

    func clip(_ index: Int) throws -> Clip {
      let grades = ["dora", "emil"].map {
        GroundTruth.Grade(rep: nil, rater: $0, criterion: "form", value: Double(70 + 10 * index))
      }
      return Clip(
        info: Clip.Info(name: "c\(index)", subject: "s", exercise: "squat", view: "side", fps: 30, split: ""),
        keypoints: nil, labels: GroundTruth(grades: grades))
    }
  }

  /// The words for an intraclass correlation are Koo and Li's, 2016.
  @Test func agreementHasAWord() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("agreement-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try Store(at: "\(folder)/store.sqlite")
    try store.importing(Graded())
    var agreement = try RaterAgreement(RatedClips(#require(store.datasets().first), in: store), criterion: "form")
    let place = try #require(agreement.results.firstIndex { $0.metric.name == "grades.icc-a-1" })
    agreement.results[place].interval = nil
    for (value, words, next) in [
      (0.49, "poor: one rating is worth 0.490", "agree on what each grade means, then grade again"),
      (0.5, "moderate: one rating is worth 0.500", "agree on what each grade means, then grade again"),
      (0.74, "moderate: one rating is worth 0.740", "agree on what each grade means, then grade again"),
      (0.75, "good: one rating is worth 0.750", "use the mean of the raters as the ground truth"),
      (0.89, "good: one rating is worth 0.890", "use the mean of the raters as the ground truth"),
      (0.9, "excellent: one rating is worth 0.900", "use the mean of the raters as the ground truth"),
    ] {
      agreement.results[place].value = value
      let conclusion = agreement.conclusion
      #expect(conclusion.finding == "Agreement of the 2 raters on form is \(words) (ICC(A,1)).")
      #expect(conclusion.next.map(\.words) == [next])
    }
  }

  @Test func mistakes() throws {
    func words(_ kind: String, _ json: String) throws -> String {
      ClipMistakeWords(kind: kind).sentence(try JSONDecoder().decode(ClipMistakes.self, from: Data(json.utf8)))
    }
    #expect(
      try words("reps", #"{"counted":1,"trueCount":4,"wrongReps":5,"missedReps":4,"falseReps":1}"#)
        == "counted 1, true 4, missed 4, invented 1")
    #expect(
      try words("swing", #"{"strokes":12,"missedStrokes":1,"falseStrokes":4,"misnamedStrokes":2}"#)
        == "missed 1, invented 4, misnamed 2, of 12 strokes")
    #expect(try words("posture", #"{"labelledSeconds":20,"wrongSeconds":12.34}"#) == "wrong for 12.3 of 20.0 s")
    #expect(
      try words("form", #"{"graded":2,"gradeDistance":12.25,"judged":5,"misjudged":3}"#)
        == "grades off by 12.3 points, 3 of 5 misjudged")
  }
}
