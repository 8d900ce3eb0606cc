import Evaluation
import Foundation
import Pipeline
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
    #expect(reps.summary(of: "rep") == "2 reps, as rep 2: not seen for 1 s; rep 1: not deep; 1 more")
    #expect([reps[3]].summary(of: "stroke") == "stroke 4: too soon")
  }

  @Test func mistakes() throws {
    func words(_ kind: String, _ json: String) throws -> String {
      ClipMistakeWords(kind: kind).sentence(try JSONDecoder().decode(ClipMistakes.self, from: Data(json.utf8)))
    }
    #expect(
      try words("reps", #"{"counted":0,"trueCount":4,"wrongReps":4}"#) == "counted 0, true 4, 4 reps missed or invented"
    )
    #expect(
      try words("swing", #"{"strokes":12,"missedStrokes":1,"falseStrokes":4,"misnamedStrokes":2}"#)
        == "missed 1, invented 4, misnamed 2, of 12 strokes")
    #expect(try words("posture", #"{"labelledSeconds":20,"wrongSeconds":12.34}"#) == "wrong for 12.3 of 20.0 s")
    #expect(
      try words("form", #"{"graded":2,"gradeDistance":12.25,"judged":5,"misjudged":3}"#)
        == "grades off by 12.3 points, 3 of 5 misjudged")
  }
}
