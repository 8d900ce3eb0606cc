import Foundation
import PoseModel
import Testing

/// The page that plays a clip.
@Suite struct ReplayPageTests {
  private struct Clip: Decodable {
    struct Span: Decodable {
      var start: Double
      var end: Double
      var isMatched: Bool
      var why: String?
      var name: String?
      var fix: [String]?
    }

    struct Series: Decodable {
      struct Guide: Decodable {
        var value: Double
      }

      var name: String
      var values: [Double?]
      var guides: [Guide]
    }

    struct Cue: Decodable {
      var time: Double
      var text: String
    }

    var id: String
    var times: [Double]
    var joints: [String]
    var reads: [Int]
    var box: [Double]
    var image: [Double]?
    var video: String?
    var poses: Data
    var signals: [Series]
    var truth: [Span]
    var found: [Span]
    var before: [Span]?
    var sides: [String]
    var isCounting: Bool
    var isCompared: Bool
    var cues: [Cue]
    var phases: [Span]
    var labels: [Span]
    var labelledFaults: [Span]
    var faults: [Span]
    var model: [Clip]

    /// The place of a joint in a frame from the left (0) or the top (1), in shares of the box; 65535 if it is missing.
    private func place(_ joint: String, _ frame: Int, _ axis: Int) throws -> Int {
      let at = 4 * (frame * joints.count + (try #require(joints.firstIndex(of: joint)))) + 2 * axis
      return Int(poses[at]) + 256 * Int(poses[at + 1])
    }

    func x(_ joint: String, _ frame: Int) throws -> Int { try place(joint, frame, 0) }
    func y(_ joint: String, _ frame: Int) throws -> Int { try place(joint, frame, 1) }
  }

  private func page(_ workspace: Workspace, _ arguments: String...) throws -> String {
    let outcome = try workspace.run(["replay", "cleo_1", "--suite", "squat", "--html", "clip.html"] + arguments)
    outcome.expectSuccess()
    #expect(outcome.output.hasSuffix("\nwrote clip.html\n"))
    let page = try workspace.text("clip.html")
    // The first sentence of the command is the page's.
    let finding = try #require(outcome.output.split(separator: "\n").first)
    #expect(page.contains("<h1>\(finding)</h1>"))
    return page
  }

  private func clip(in page: String) throws -> Clip {
    let start = try #require(page.range(of: "id=\"played-clips\">")).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    let clips = try JSONDecoder().decode([Clip].self, from: Data(page[start..<end].utf8))
    return try #require(clips.first)
  }

  /// The squat goes to 86.5°, stands at 170.5°, and takes 116 frames at 30 a second.
  @Test func aPageHoldsWhatTheReplayFound() throws {
    let page = try page(Workspace.withSquats())
    let scripts = try PageScripts(page)
    #expect(scripts.hashes.count == 1 && scripts.allowed == scripts.hashes)
    #expect(!scripts.policy.contains("media-src"))
    let clip = try clip(in: page)
    #expect(clip.id == "squats/cleo_1")
    #expect(clip.times.count == 58 && clip.times[0] == 0 && abs(clip.times[1] - 2.0 / 30) < 0.001)
    // Every second frame: a step is never one frame and then three.
    let steps = zip(clip.times, clip.times.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { abs($0 - 2.0 / 30) < 0.002 })
    #expect(clip.poses.count == clip.times.count * clip.joints.count * 4)
    // It reads the legs of either side.
    let legs = ["hip", "knee", "ankle"].flatMap { ["left_\($0)", "right_\($0)"] }
    #expect(Set(legs).isSubset(of: clip.reads.map { clip.joints[$0] }) && clip.box.max() == 1)
    // Standing, the trunk is 300 high of 300 + 200 + 200: shoulder, hip, knee and ankle are below each other in this ratio.
    let (shoulder, hip, ankle) = (
      try clip.y("left_shoulder", 0), try clip.y("left_hip", 0), try clip.y("left_ankle", 0)
    )
    #expect(abs(Double(hip - shoulder) / Double(ankle - shoulder) - 3.0 / 7) < 0.005)
    #expect(shoulder < hip && hip < ankle)
    // The ankle is at x 500 and the person's place, and y 900 of a recording 1000 high: there it is in the image behind the skeleton too.
    let image = try #require(clip.image)
    let (across, down) = (image[0] + (0.5 + SquatClip.three[2].place / 1000) * image[2], image[1] + 0.9 * image[2])
    #expect(abs(across - Double(try clip.x("left_ankle", 0)) / 65_534) < 0.001)
    #expect(abs(down - Double(ankle) / 65_534) < 0.001)
    let knee = try #require(clip.signals.first)
    #expect(knee.name == "knee angle" && knee.values.count == 58)
    #expect(abs(try #require(knee.values[0]) - 170.5) < 0.1)
    // Of every second frame the deepest is a frame from the bottom at most: 3° above it.
    #expect(try #require(knee.values.compactMap { $0 }.min()) < 86.5 + 3.1)
    #expect(knee.guides.map(\.value).contains(90))
    #expect(clip.truth.map(\.isMatched) == [true] && clip.found.map(\.isMatched) == [true] && clip.before == nil)
    // A second of standing, then 56 frames.
    #expect(clip.truth.map(\.start) == [1] && abs(clip.truth[0].end - 86.0 / 30) < 0.001)
    #expect(clip.phases.map(\.name) == ["descending", "bottom", "ascending", "standing"])
    // 170.5° − 3° a frame is below 90° first in frame 27 after the second of standing.
    #expect(abs(clip.phases[1].start - 57.0 / 30) < 0.001)
  }

  /// At 120° the squat to 110.5° counts too, which nobody labelled.
  @Test func aFalseDetectionIsShownAsOne() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run(
      "replay", "anna_1", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=120", "--html", "clip.html"
    ).expectSuccess()
    let page = try workspace.text("clip.html")
    // The cause stands below the finding.
    let cause = #/<p>Invented rep 2: no labelled rep ends within 0\.5 s; knee angle bottomed at 11[01]°/#
    #expect(page.contains(cause))
    let clip = try clip(in: page)
    #expect(clip.truth.map(\.isMatched) == [true, true])
    #expect(clip.found.map(\.isMatched) == [true, false, true])
    // The squat turns 9.5° beyond the threshold.
    let why = #/^no labelled rep ends within 0.5 s; knee angle bottomed at 11[01]°, counts < 120° \(bottomAngle\)$/#
    #expect(clip.found[0].why == nil && clip.found[2].why == nil)
    #expect(clip.found[1].why?.contains(why) == true, "\(clip.found[1].why ?? "")")
    let fix = try #require(clip.found[1].fix?.first)
    let drops = #/^bottomAngle 120 → 110(\.\d)? drops this, the clip counts 2, true 2; of 2 other clips none changes$/#
    #expect(fix.contains(drops), "\(fix)")
    #expect(clip.before?.map(\.isMatched) == [true, true])
  }

  /// `counted 0 of 0` beside labelled reps would say that it missed them.
  @Test func aFormScorerThatCountsNothingHasNoCount() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "anna_1", "--detector", "squat-posture", "--html", "clip.html")
    outcome.expectSuccess()
    let first = #/^squat-posture (is \d+\.\d points from the raters' grades|reports \d+ events? in anna_1)/#
    #expect(outcome.output.contains(first), "\(outcome.output.prefix(200))")
    let clip = try clip(in: workspace.text("clip.html"))
    #expect(!clip.isCounting && !clip.isCompared && clip.found.isEmpty && clip.truth.count == 2)
  }

  /// The squat to 86.5° turns in the first 3 s, in which nobody squats: a phantom, 20 a minute.
  @Test func aPhantomIsShownAsInvented() throws {
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[2].labels = GroundTruth(
      intervals: [Segment(start: .zero, end: Microseconds(3_000_000), label: "negative-walking")])
    let workspace = try Workspace()
    try workspace.add(dataset)
    let outcome = try workspace.run("replay", "cleo_1", "--html", "clip.html")
    outcome.expectSuccess()
    #expect(outcome.output.contains("squat-states invents 1 rep in cleo_1 while nobody does the exercise."))
    #expect(outcome.output.contains("reps: invented 1, while nobody does the exercise\n"))
    #expect(!outcome.output.contains("not compared") && !outcome.output.contains("label it"))
    struct Record: Decodable {
      struct Rep: Decodable { var matched: Bool? }
      struct Reps: Decodable {
        var matched: Int?
        var missed: Int?
        var `false`: Int?
        var predicted: [Rep]
      }
      var reps: Reps
    }
    let json = try workspace.run("replay", "cleo_1", "--json").output
    let reps = try JSONDecoder().decode(Record.self, from: Data(json.utf8)).reps
    #expect(reps.matched == 0 && reps.missed == 0 && reps.false == 1 && reps.predicted.map(\.matched) == [false])
    let clip = try clip(in: workspace.text("clip.html"))
    #expect(clip.isCounting && clip.isCompared && clip.found.map(\.isMatched) == [false])
    let why = #/^nobody does the exercise here; knee angle bottomed at 8[67]°, counts < 90° \(bottomAngle\)$/#
    #expect(clip.found[0].why?.contains(why) == true, "\(clip.found[0].why ?? "")")
    let drops =
      #/^bottomAngle 90 → 86\.\d drops this, the clip counts 0; of 2 other clips none changes; phantoms a minute 20\.0 → 0\.0$/#
    #expect(clip.found[0].fix?.contains { $0.contains(drops) } == true, "\(clip.found[0].fix ?? [])")
    try workspace.run("replay", "cleo_1", "--chart", "--output", "clip.svg").expectSuccess()
    let title = "<title>No true rep, 1 invented: nobody does the exercise here; knee angle bottomed at 8"
    #expect(try workspace.text("clip.svg").contains(title))
  }

  /// The left ankle is missing in frames 40 to 45, of which the page has 40, 42 and 44.
  @Test func aMissingJointIsLeftOutAndOwnRepsAreTheModel() throws {
    let again = SquatClip(name: "cleo_2", subject: "cleo", squats: [SquatClip.deep])
    var dataset = SquatClip.dataset("squats", SquatClip.three + [again])
    let whole = try #require(dataset.clips[2].keypoints)
    var values = whole.values
    let ankle = try #require(Skeleton.coco17.keypoints.firstIndex(of: "left_ankle"))
    for channel in 0..<2 {
      let column = (ankle * whole.channels.count + channel) * whole.times.count
      for frame in 40..<46 { values[column + frame] = .nan }
    }
    dataset.clips[2].keypoints = Keypoints(
      times: whole.times, keypointCount: whole.keypointCount, channels: whole.channels, values: values)
    let workspace = try Workspace()
    try workspace.add(dataset)
    try workspace.run(
      "replay", "cleo_1", "--dataset", "squats", "--set", "reps.squat-states.bottomAngle=84", "--html", "clip.html"
    ).expectSuccess()
    let clip = try clip(in: workspace.text("clip.html"))
    for frame in 19...23 {
      let isThere = frame == 19 || frame == 23
      let (x, y) = (try clip.x("left_ankle", frame), try clip.y("left_ankle", frame))
      #expect(isThere ? x < 65_535 && y < 65_535 : x == 65_535 && y == 65_535, "\(frame)")
      #expect(try clip.y("right_ankle", frame) < 65_535)
    }
    // Anna's and bert's squats are deep too, but another person's.
    #expect(clip.model.map(\.id) == ["squats/cleo_2"])
  }

  /// A video is played from where it lies, and only a page with one may play any.
  @Test func aVideoIsNamedFromThePage() throws {
    let workspace = try Workspace.withSquats()
    func page(_ file: String, _ more: String...) throws -> String {
      try workspace.run(["replay", "cleo_1", "--suite", "squat", "--html", file] + more).expectSuccess()
      return try workspace.text(file)
    }
    try workspace.write(Data([1]), to: "datasets/squats/videos/cleo_1.webm")
    try workspace.write(Data([1]), to: "my films/day 2/cleo_1.MP4")
    try workspace.write(Data([1]), to: "my films/cleo_1.txt")
    try workspace.write("", to: "pages/of/mine/a.txt")
    let own = try page("clip.html")
    #expect(try clip(in: own).video == "datasets/squats/videos/cleo_1.webm")
    #expect(try PageScripts(own).policy.hasSuffix("; media-src 'self' file:"))
    let given = try page("pages/of/mine/clip.html", "--videos", "my films")
    #expect(try clip(in: given).video == "../../../my%20films/day%202/cleo_1.MP4")
  }

  @Test func aChangedSettingIsShownBesideTheSuites() throws {
    let clip = try clip(in: page(Workspace.withSquats(), "--set", "reps.squat-states.bottomAngle=84"))
    #expect(clip.found.isEmpty && clip.before?.count == 1)
    #expect(clip.truth.map(\.why) == ["knee angle bottomed at 87°, needs < 84° (bottomAngle)"])
    #expect(clip.sides == ["bottomAngle 90", "bottomAngle 84"])
    let fix = try #require(clip.truth[0].fix?.first)
    let finds = #/^bottomAngle 84 → 86\.[56] finds this, the clip counts 1, true 1; of 2 other clips none changes$/#
    #expect(fix.contains(finds), "\(fix)")
  }

  /// Anna squats deep: from 1 s, 60 frames.
  @Test func aClipWithoutACorrectRepHasOneOfAnother() throws {
    let workspace = try Workspace.withSquats()
    #expect(try clip(in: page(workspace)).model.isEmpty)
    let model = try #require(clip(in: page(workspace, "--set", "reps.squat-states.bottomAngle=84")).model.first)
    #expect(model.id == "squats/anna_1" && model.truth.map(\.start) == [1] && model.truth.map(\.end) == [3])
    #expect(model.times.first == 1 && model.times.last == 3 && model.poses.count == 31 * model.joints.count * 4)
    // Another view is no model.
    var dataset = SquatClip.dataset("other", SquatClip.three)
    dataset.clips[0].info.view = "front"
    dataset.clips[1].info.view = "front"
    try workspace.add(dataset)
    try workspace.run(
      "replay", "cleo_1", "--dataset", "other", "--set", "reps.squat-states.bottomAngle=84", "--html", "clip.html"
    ).expectSuccess()
    #expect(try clip(in: workspace.text("clip.html")).model.isEmpty)
  }

  /// A fault is one that most raters who looked for it saw; a rep with one is found, but no correct rep.
  @Test func labelledFaultsAreShown() throws {
    func fault(_ rep: Int?, _ rater: String, _ name: String, _ present: Bool) -> GroundTruth.Fault {
      GroundTruth.Fault(rep: rep, rater: rater, name: name, present: present)
    }
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[2].labels.faults = [
      fault(0, "dora", "knees_in", true), fault(0, "emil", "knees_in", true), fault(0, "fred", "knees_in", false),
      fault(0, "dora", "heels_up", true), fault(0, "emil", "heels_up", false),
    ]
    dataset.clips[0].labels.faults = [fault(nil, "dora", "rounded", true)]
    let workspace = try Workspace()
    try workspace.add(dataset)
    try workspace.run("replay", "cleo_1", "--html", "clip.html").expectSuccess()
    let clip = try clip(in: workspace.text("clip.html"))
    #expect(clip.labelledFaults.map(\.name) == ["knees_in"] && clip.labelledFaults.map(\.start) == [1])
    #expect(clip.truth.map(\.isMatched) == [true])
    // Every rep of anna's is in a clip with a fault.
    #expect(clip.model.map(\.id) == ["squats/bert_1"])
  }

  /// Only the page's own script runs, whatever the words of an exercise are.
  @Test func wordsOfAnExerciseAreNoScript() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(
      """
      exercise: dip
      summary: Dips.
      source: a test
      joints: [hip, knee, ankle]
      signals:
        knee: { angle: [hip, knee, ankle] }
      count:
        signal: knee
        start: { value: 160, range: [90, 180], source: a test }
        turn: { value: 90, range: [20, 170], source: a test }
      faults:
      - fault: always
        message: "</script><script>alert(1)</script>"
        severity: high
        when:
        - { signal: knee, statistic: minimum, above: { value: 20, range: [10, 170], source: a test } }

      """, to: "exercises/dip.yaml")
    let outcome = try workspace.run("replay", "cleo_1", "--detector", "exercise-dip", "--html", "clip.html")
    outcome.expectSuccess()
    let page = try workspace.text("clip.html")
    #expect(page.contains("alert(1)"))
    #expect(page.components(separatedBy: "<script").count == 3 && page.components(separatedBy: "</script").count == 3)
    let scripts = try PageScripts(page)
    #expect(scripts.hashes.count == 1 && scripts.allowed == scripts.hashes)
    // No knee gets below 20°, so that the one rep has the fault, which nobody labelled; its cue comes with the rep.
    let clip = try clip(in: page)
    #expect(clip.faults.map(\.name) == ["always"] && clip.labelledFaults.isEmpty)
    #expect(clip.faults.map(\.start) == clip.found.map(\.start))
    #expect(clip.cues.map(\.text) == ["</script><script>alert(1)</script>"])
    #expect(clip.cues.map(\.time) == clip.found.map(\.end))
  }
}
