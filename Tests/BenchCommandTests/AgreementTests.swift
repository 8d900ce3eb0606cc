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
    #expect(outcome.output.contains("\nothers against squats: 3 clips of 3 people\n"))
    let line = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("keypoints.pck") })
    #expect(line.contains(" \(share) "), "\(line)")
    let dropOut = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("keypoints.drop-out") })
    #expect(dropOut.contains(" 0.000 "))
    // A shift turns no joint and changes no count. Elbows are never seen.
    func cells(_ name: String) throws -> [Substring] {
      try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix(name) }).split(separator: " ")
    }
    for angle in ["left knee", "right knee", "left hip", "right hip"] {
      #expect(try cells(angle)[2] == "0.0", "\(angle)")
    }
    #expect(!outcome.output.contains("elbow"))
    #expect(try Array(cells("squat-states")[1...2]) == ["squat", "1.000"])
  }

  /// On the other's recording anna's third squat is half of one: she has 1 rep instead of 2. The same count on 2 of 3
  /// clips, 1/3 of a rep less; of her 3 reps 2 are the same one, so (2/3 + 1 + 1) / 3 = 8/9.
  @Test func whatTheOtherEstimatorCostsACounter() throws {
    let workspace = try Workspace.withSquats()
    var clips = SquatClip.three
    clips[0].squats = [SquatClip.deep, SquatClip.half, SquatClip.half]
    try workspace.add(SquatClip.dataset("others", clips))
    let outcome = try workspace.run("agreement", "estimators", "squats", "others", "--json")
    outcome.expectSuccess()
    struct Record: Decodable {
      struct Effect: Decodable {
        struct Result: Decodable { var metric: String, value: Double }
        var detector: String, clips: Int, metrics: [Result]
      }
      struct Angle: Decodable { var angle: String, frames: Int }
      var detectors: [Effect]
      var angles: [Angle]
    }
    let record = try JSONDecoder().decode(Record.self, from: Data(outcome.output.utf8))
    #expect(record.angles.map(\.angle) == ["left knee", "right knee", "left hip", "right hip"])
    let states = try #require(record.detectors.first { $0.detector == "squat-states" })
    #expect(states.clips == 3)
    for (result, expected) in zip(states.metrics, [2 / 3.0, -1 / 3.0, 8 / 9.0]) {
      #expect(abs(result.value - expected) < 1e-12, "\(result)")
    }
    #expect(!record.detectors.contains { $0.detector == "offline-peaks" })
  }

  /// COCO has no neck and no root. Of the eight joints that both report the left shoulder is 300 pixels off, so 7/8 are
  /// near; with the midpoints of shoulders and hips it would be 8/10.
  @Test func midpointsOfOtherJointsDoNotCount() throws {
    let workspace = try Workspace.withSquats()
    var others = SquatClip.dataset("others", SquatClip.three)
    let shoulder = try #require(Skeleton.coco17.keypoints.firstIndex(of: "left_shoulder"))
    others.clips = others.clips.map { clip in
      var clip = clip
      clip.keypoints = clip.keypoints.map { keypoints in
        let (rows, channels) = (keypoints.frameCount, keypoints.channels.count)
        let values = keypoints.values.enumerated().map { $0 / rows == shoulder * channels ? $1 + 300 : $1 }
        return Keypoints(
          times: keypoints.times, keypointCount: keypoints.keypointCount, channels: keypoints.channels,
          values: values)
      }
      return clip
    }
    try workspace.add(others)
    let outcome = try workspace.run("agreement", "estimators", "squats", "others", "--json")
    outcome.expectSuccess()
    struct Record: Decodable {
      struct Result: Decodable {
        var metric: String
        var value: Double?
        var low: Double?
        var method: String?
      }
      var subjects: Int
      var joints: [String]
      var metrics: [Result]
    }
    let record = try JSONDecoder().decode(Record.self, from: Data(outcome.output.utf8))
    #expect(record.subjects == 3 && record.joints.count == 17)
    #expect(!record.joints.contains("neck") && !record.joints.contains("root"))
    let near = try #require(record.metrics.first { $0.metric == "keypoints.pck" })
    #expect(near.value == 7 / 8.0 && near.low == 7 / 8.0 && near.method == "t on subject means")
    // The 9 joints that the reference never sees are not missing from the other.
    #expect(record.metrics.first { $0.metric == "keypoints.drop-out" }?.value == 0)
  }

  @Test func datasetsWithoutACommonClipAreRefused() throws {
    let workspace = try Workspace.withSquats()
    try workspace.add(
      SquatClip.dataset("others", [SquatClip(name: "dora_1", subject: "dora", squats: [SquatClip.deep])]))
    try workspace.run("agreement", "estimators", "squats", "others").expectFailure(
      5, saying: ["clips of the same name in both"])
  }

  /// In space each thigh of 200 runs 200 away from the camera too: at the knee the angle of v = (sin, cos) · 200 and
  /// depth 200 to the shank, straight down, has the cosine cos(k) / √2 in place of cos(k), so the two agree at 90° only.
  @Test func aRecordingInSpaceIsComparedByAnglesAndCounts() throws {
    let workspace = try Workspace.withSquats()
    var others = SquatClip.dataset("others", SquatClip.three)
    others.manifest.coordinates.unit = .metre
    others.manifest.channels = [.x, .y, .z, .confidence]
    let hips = Set(Skeleton.coco17.keypoints.indices.filter { Skeleton.coco17.keypoints[$0].hasSuffix("_hip") })
    others.clips = others.clips.map { clip in
      var clip = clip
      clip.keypoints = clip.keypoints.map { keypoints in
        let (rows, channels) = (keypoints.frameCount, keypoints.channels.count)
        // A column a keypoint and channel; the depth comes before the confidence.
        let values = (0..<keypoints.keypointCount).flatMap { keypoint -> [Float] in
          let start = keypoint * channels * rows
          let places = keypoints.values[start..<start + 2 * rows]
          let depth = [Float](repeating: hips.contains(keypoint) ? 200 : 0, count: rows)
          return places + depth + keypoints.values[start + 2 * rows..<start + 3 * rows]
        }
        return Keypoints(
          times: keypoints.times, keypointCount: keypoints.keypointCount, channels: others.manifest.channels,
          values: values)
      }
      return clip
    }
    try workspace.add(others)
    let outcome = try workspace.run("agreement", "estimators", "squats", "others", "--json")
    outcome.expectSuccess()
    struct Record: Decodable {
      struct Result: Decodable { var metric: String, value: Double? }
      struct Angle: Decodable {
        struct Limits: Decodable {
          struct Level: Decodable { var value: Double }
          var bias: Level
        }
        var angle: String, limits: Limits
      }
      var notes: [String], metrics: [Result], angles: [Angle]
    }
    let record = try JSONDecoder().decode(Record.self, from: Data(outcome.output.utf8))
    #expect(record.notes.count == 2 && record.notes[0].hasPrefix("squats is in the picture, others is in space: "))
    #expect(record.metrics.first { $0.metric == "keypoints.pck" }?.value == nil)
    let biases = SquatClip.three.map { clip in
      let inSpace = clip.kneeAngles.map { acos(cos($0 * .pi / 180) / 2.0.squareRoot()) * 180 / .pi }
      return zip(inSpace, clip.kneeAngles).map { $0 - $1 }.reduce(0, +) / Double(clip.kneeAngles.count)
    }
    let knee = try #require(record.angles.first { $0.angle == "left knee" })
    #expect(abs(knee.limits.bias.value - biases.reduce(0, +) / 3) < 1e-3)
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
    #expect(
      outcome.output.hasPrefix("Agreement of the 2 raters on form is excellent: one rating is worth 0.930 (ICC(A,1)"))
    #expect(outcome.output.contains("\ngraded, form: 2 raters, 4 graded, 4 by all of them\n"))
    #expect(outcome.output.contains("\nSYNTHETIC: generated data, not real people: graded.\n"))
    func value(_ metric: String) -> Substring? {
      outcome.output.split(separator: "\n").first { $0.hasPrefix(metric + " ") }?.split(separator: " ").dropFirst()
        .first
    }
    #expect(value("grades.icc-c-1") == "1.000")
    #expect(value("grades.icc-a-1") == "0.930")
    #expect(value("grades.human-pearson") == "1.000")
    #expect(value("grades.human-rmse") == "1.0")
    // The raters' variance is 2/4, and 1.96 · √2 · √(1/2) = 1.96.
    #expect(value("grades.sem-a") == "0.7" && value("grades.mdc-a") == "2.0" && value("grades.sem-c") == "0.0")
    let pair = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("A, B") })
    #expect(pair.split(separator: " ").suffix(4).joined(separator: " ") == "1.0 1.0 to 1.0", "\(pair)")

    let grades = try workspace.run("agreement", "raters", "graded", "--grades", "--csv")
    #expect(grades.output.hasPrefix("clip,subject,rep,criterion,A,B\nc1,s1,1,form,2,3\nc2,s2,1,form,4,5\n"))
    let latex = try workspace.run("agreement", "raters", "graded", "--criterion", "form", "--latex")
    #expect(
      latex.output.hasPrefix(
        "% SYNTHETIC: generated data, not real people: graded.\n\\begin{tabular}{llllrrrlr}\n\\toprule\n"
          + "judged & raters & metric & unit & value & low & high & interval & people \\\\\n\\midrule\n"))
    #expect(latex.output.contains("form & all & grades.icc-a-1 &  & 0.930 & "))
    let charts = try workspace.run("agreement", "raters", "graded", "--criterion", "form", "--charts", "charts")
    charts.expectSuccess()
    #expect(charts.output.contains("drew charts/raters.png: Too few people for a finding: 4 items of 4 people\n"))
    #expect(charts.output.contains("drew charts/limits-1.png: "))
    #expect(
      try workspace.holds(
        "rater,other rater,rank correlation of two,low,high,items\nB,A,1.00,", in: "charts/raters.png"))
  }

  private func rep(_ start: Double, _ end: Double, faults: [String] = []) -> String {
    let present = faults.map { "\"\($0)\":true" }.joined(separator: ",")
    return "{\"start\":\(start),\"end\":\(end),\"faults\":{\(present)},\"grades\":{}}"
  }

  private func labels(of rater: String, _ clips: [String: [String]]) -> String {
    let texts = clips.sorted { $0.key < $1.key }.map { clip, reps in
      "\"\(clip)\":{\"reps\":[\(reps.joined(separator: ","))],\"events\":[],\"intervals\":[],\"faults\":{},"
        + "\"grades\":{},\"noReps\":false,\"isUnsure\":false,\"isDone\":true,\"comment\":\"\"}"
    }
    return "{\"format\":\"bench-labels-1\",\"rater\":\"\(rater)\",\"clips\":{\(texts.joined(separator: ","))}}"
  }

  /// x marks a rep of anna and three of bert, y the first two of bert 0.1 s later: 3 of 4 reps are the same. y sees the
  /// fault in the second too. Judged by both are no no, yes yes, no yes, and x alone says no of the last: 3 of 7 are yes,
  /// 2/3 the same. κ is (2/3 − 4/9) / (5/9) = 2/5. The four have yes by 0, 1, 1/2 and 0, so 3/8: by chance
  /// 2 · 3/8 · 5/8 = 15/32, and AC1 is (2/3 − 15/32) / (17/32) = 19/51.
  @Test func filesOfRatersAreComparedRepByRep() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(
      labels(
        of: "x", ["anna_1": [rep(1, 3)], "bert_1": [rep(1, 3, faults: ["knees_in"]), rep(4, 6), rep(7, 9)]]),
      to: "x.json")
    try workspace.write(
      labels(
        of: "y",
        [
          "anna_1": [rep(1.1, 3.1)],
          "bert_1": [rep(1.1, 3.1, faults: ["knees_in"]), rep(4.1, 6.1, faults: ["knees_in"])],
        ]), to: "y.json")
    let outcome = try workspace.run("agreement", "raters", "squats", "--raters", "x.json", "y.json")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("x and y: 3 of 4 reps matched; ends are 0.10 s apart (median).\n"))
    let fault = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("knees_in") })
    #expect(fault.split(separator: " ")[1...2] == ["0.429", "0.667"])
    #expect(fault.contains(" 0.373") && fault.contains(" 0.400") && fault.hasSuffix(" 3"), "\(fault)")

    // One rater at two times.
    let again = try workspace.run("agreement", "raters", "squats", "--raters", "x.json", "x.json")
    #expect(again.output.hasPrefix("x 1 and x 2: 4 of 4 reps matched; ends are 0.00 s apart (median).\n"))
    try workspace.run("agreement", "raters", "squats", "--raters", "x.json").expectFailure(
      64, saying: ["at least two files"])
  }

  @Test func withoutACriterionSomethingElseMustBeJudged() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("agreement", "raters", "squats").expectFailure(
      5, saying: ["faults by two raters, or --criterion with one of form"])
  }

  @Test func tablesOfAComparisonAndALeaderboard() throws {
    let workspace = try Workspace.withSquats()
    let compared = try workspace.run(
      "compare", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=100", "--csv")
    // The report's path goes to standard error, beside the table.
    #expect(compared.code == 0 && compared.error.hasPrefix("report   reports/squat/compare-"))
    #expect(
      compared.output.hasPrefix(
        "detector,metric,unit,A,B,gain,low,high,p,adjusted p,people,clips,cases on both\nsquat-states,"))
    let board = ["leaderboard", "--datasets", "squats", "--detectors", "squat-states"]
    let latex = try workspace.run(board + ["--latex"])
    latex.expectSuccess()
    #expect(
      latex.output.hasPrefix(
        "% SYNTHETIC: generated data, not real people: squats.\n% squat, squats: 3 clips of 3 people\n"
          + "\\begin{tabular}{rl"))
    #expect(latex.output.contains("\n1 & squat-states & 1.000 ("))
    try workspace.run(board + ["--latex", "--json"]).expectFailure(
      64, saying: ["give one of --csv, --markdown, --latex and --json"])
  }

  /// Two reps of each of six people: reps of one person are alike, so whole people are drawn again. B gives one point more
  /// than A to every other person and one less to the rest: the error is 1 in every sample, and so are both ends. Where everybody is graded once, F it is.
  @Test(arguments: [(2, "BCa over subjects"), (1, "F")])
  func intervalsAreOverSubjects(repsEach: Int, method: String) throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset(
      "graded",
      (1...6).map { SquatClip(name: "c\($0)", subject: "s\($0)", squats: [SquatClip.deep, SquatClip.deep]) })
    dataset.manifest.criteria = [Manifest.Criterion(name: "form", minimum: 0, maximum: 20)]
    for index in dataset.clips.indices {
      dataset.clips[index].labels.grades = (0..<repsEach).flatMap { rep in
        let grade = Double(2 * index + 3 * rep + 2)
        return [("A", grade), ("B", grade + (index.isMultiple(of: 2) ? 1 : -1))].map {
          GroundTruth.Grade(rep: rep, rater: $0.0, criterion: "form", value: $0.1)
        }
      }
    }
    try workspace.add(dataset)
    let outcome = try workspace.run("agreement", "raters", "graded", "--criterion", "form", "--json")
    outcome.expectSuccess()
    struct Record: Decodable {
      struct Result: Decodable {
        var metric: String
        var value: Double?
        var low: Double?
        var high: Double?
        var method: String?
      }
      struct Pair: Decodable {
        var raters: [String]
        var metrics: [Result]
        var bias: Double?
      }
      var rated: Int
      var metrics: [Result]
      var pairs: [Pair]
    }
    let record = try JSONDecoder().decode(Record.self, from: Data(outcome.output.utf8))
    #expect(record.rated == 6 * repsEach)
    let error = try #require(record.metrics.first { $0.metric == "grades.human-rmse" })
    #expect(error.value == 1 && error.low == 1 && error.high == 1 && error.method == "BCa over subjects")
    let agreement = try #require(record.metrics.first { $0.metric == "grades.icc-a-1" })
    #expect(agreement.method == method)
    let (low, value, high) = (
      try #require(agreement.low), try #require(agreement.value), try #require(agreement.high)
    )
    #expect(low < value && value < high)
    #expect(record.pairs.map(\.raters) == [["A", "B"]] && record.pairs[0].bias == 0)
    #expect(record.pairs[0].metrics.map(\.metric) == ["grades.spearman", "grades.kappa-quadratic"])
  }

  @Test func aCriterionThatNobodyGradedIsRefused() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("agreement", "raters", "squats", "--criterion", "from").expectFailure(
      5, saying: ["dataset squats", "expected one of form", "did you mean form?"])
  }
}
