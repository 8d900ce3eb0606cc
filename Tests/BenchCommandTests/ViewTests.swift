import Foundation
import PoseModel
import Testing

/// `bench view` as a browser sees it.
@Suite struct ViewTests {
  /// The command while it serves.
  private final class View {
    let workspace: Workspace
    private let process: Process
    private let client: LoopbackClient
    private let token: String
    private let port: String
    private let file: String
    let said: String

    convenience init(_ workspace: Workspace, _ arguments: String..., environment: [String: String] = [:]) throws {
      try self.init(workspace, arguments: arguments, environment: environment)
    }

    init(_ workspace: Workspace, arguments: [String], environment: [String: String] = [:]) throws {
      self.workspace = workspace
      let process = Process.bench(
        try BenchExecutable.command(["view"] + arguments), in: workspace.project, environment: environment)
      file = workspace.outside + "/view-\(UUID().uuidString)"
      try Data().write(to: URL(fileURLWithPath: file))
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
      try process.run()
      var said = ""
      while process.isRunning, !said.contains("Ctrl-C") {
        usleep(20_000)
        said = try String(contentsOfFile: file, encoding: .utf8)
      }
      self.said = said
      let found = try #require(said.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n/#))
      (port, token) = (String(found.1), String(found.2))
      client = LoopbackClient(try #require(UInt16(port)))
      self.process = process
    }

    deinit { if process.isRunning { process.terminate() } }

    func get(_ path: String) throws -> LoopbackClient.Answer {
      try client.ask(["GET /\(token)/\(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"])
    }

    /// Labels a clip of the dataset mine.
    func label(_ clip: String, _ before: String, _ after: String) throws -> Int {
      try post("labels", #"{"clip":"mine/\#(clip)","before":\#(before),"after":\#(after)}"#).status
    }

    func post(_ path: String, _ json: String) throws -> LoopbackClient.Answer {
      try client.ask(
        [
          "POST /\(token)/\(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Content-Type: application/json",
          "Content-Length: \(json.utf8.count)",
        ], body: json)
    }

    func json<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
      let answer = try get(path)
      #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
      return try JSONDecoder().decode(type, from: answer.body)
    }

    /// The page, and its policy.
    func page() throws -> (html: String, policy: String) {
      let answer = try get("")
      #expect(answer.status == 200)
      let name = "Content-Security-Policy: "
      let policy = try #require(answer.headers.first { $0.hasPrefix(name) })
      return (String(decoding: answer.body, as: UTF8.self), String(policy.dropFirst(name.count)))
    }

    /// All that it has printed.
    func printed() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    func end() -> Int32 {
      process.interrupt()
      process.waitUntilExit()
      return process.exitCode
    }
  }

  private struct Clip: Decodable {
    struct Span: Decodable { var start: Double }
    struct Model: Decodable { var id: String }
    var id: String
    var found: [Span]
    var before: [Span]?
    var video: String?
    var model: [Model]
  }

  /// What the page knows as it opens.
  private struct Facts: Decodable {
    struct Slider: Decodable {
      var name: String
      var low: Double
      var high: Double
      var step: Double
      var value: Double
    }
    var parameters: [Slider]

    init(_ html: String) throws {
      let start = try #require(html.range(of: "id=\"view-facts\">")).upperBound
      let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
      self = try JSONDecoder().decode(Self.self, from: Data(html[start..<end].utf8))
    }

    func slider(_ name: String) throws -> Slider { try #require(parameters.first { $0.name == name }) }
  }

  private struct Score: Decodable {
    struct Clip: Decodable {
      var words: String
      var isWrong: Bool
      var change: String?
    }
    struct Metric: Decodable {
      var name: String
      var before: String
      var now: String
      var change: String?
    }
    var finding: String
    var clips: [Clip]
    var metrics: [Metric]
    var options: String
    var sides: [String]

    func metric(_ name: String) throws -> Metric { try #require(metrics.first { $0.name == name }) }
  }

  init() { signal(SIGINT, SIG_DFL) }

  #if !os(macOS)
    /// The browser gets its display and the address, and no secret; it is not one of the checkout.
    @Test func theBrowserGetsNoSecret() throws {
      let workspace = try Workspace.withSquats()
      let place = workspace.outside
      try workspace.write(
        "#!/bin/sh\n(env; echo \"opened $*\") > \(place)/new\nmv \(place)/new \(place)/opened\n", to: "../bin/xdg-open")
      try workspace.write("#!/bin/sh\ntouch \(place)/ran\n", to: "xdg-open")
      try #require(try workspace.shell("chmod +x ../bin/xdg-open xdg-open").code == 0)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let view = try View(
        workspace, "--suite", "squat", "--open",
        environment: [
          "PATH": ".:\(place)/bin:\(path)", "BENCH_PASSPHRASE": "secret", "GITHUB_TOKEN": "secret", "DISPLAY": ":7",
        ])
      for _ in 0..<500 where !workspace.exists("../opened") { usleep(20_000) }
      let opened = try workspace.text("../opened")
      #expect(!opened.contains("secret") && !opened.contains("BENCH_"), "\(opened)")
      #expect(opened.contains("DISPLAY=:7\n") && opened.contains("opened http://127.0.0.1:"), "\(opened)")
      #expect(!workspace.exists("../ran"))
      #expect(view.end() == 0)
    }
  #endif

  /// Of six labelled squats, the one of cleo goes to 86.5° and the five others to 80.5°.
  @Test func parametersAreReplayed() throws {
    let view = try View(Workspace.withSquats(), "--suite", "squat")
    #expect(view.said.contains("/\nsquat, squat-states, SYNTHETIC, 3 clips\n"), "\(view.said)")
    let start: Score = try view.json("score")
    #expect(start.finding == "Counts right on 3 of 3 clips." && start.options.isEmpty && start.sides.isEmpty)
    #expect(start.clips.map(\.isWrong) == [false, false, false])
    #expect(start.metrics.allSatisfy { $0.now == $0.before && $0.change == nil })
    let changed: Score = try view.json("score?bottomAngle=84")
    #expect(changed.finding == "Counts right on 2 of 3 clips, before 3.")
    #expect(changed.clips.map(\.isWrong) == [false, false, true] && changed.clips[2].change == "worse")
    #expect(changed.clips[2].words == "counted 0, true 1, missed 1, invented 0")
    #expect(changed.clips[0].words.wholeMatch(of: /counted (\d), true \1/) != nil, "\(changed.clips[0].words)")
    #expect(changed.options == "--set reps.squat-states.bottomAngle=84")
    #expect(changed.sides == ["bottomAngle 90", "bottomAngle 84"])
    // Two of three people's counts are right; the third is off by the one rep that is missed.
    for (name, before, now) in [("count.exact", "1.000", "0.667"), ("count.mae", "0.000", "0.333")] {
      let metric = try changed.metric(name)
      #expect(metric.before == before && metric.now == now && metric.change == "worse", "\(name)")
    }
    let clip: Clip = try view.json("clip?clip=2&bottomAngle=84")
    #expect(clip.id == "squats/cleo_1" && clip.found.isEmpty && clip.before?.count == 1 && clip.video == nil)
    // Its rep is missed: anna's first one is shown beside it.
    #expect(clip.model.map(\.id) == ["squats/anna_1"])
    // Its squat goes to 86.5°, and no other squat is between that and 84°.
    let fix = try #require(view.json("fix?clip=2&missed=0&bottomAngle=84", as: [String].self).first)
    #expect(fix.contains(#/^bottomAngle 84 → 86\.[56] finds this, .*; of 2 other clips none changes$/#), "\(fix)")
    // At 90° it is found; there is no second rep; and a rep is missed or invented.
    for (path, status) in [
      ("fix?clip=2&missed=0", 422), ("fix?clip=2&missed=1", 422), ("fix?clip=2&invented=0", 422), ("fix?clip=2", 400),
      ("fix?clip=3&missed=0", 404),
    ] {
      #expect(try view.get(path).status == status, "\(path)")
    }
    let right: Clip = try view.json("clip?clip=0")
    #expect(right.before == nil && right.model.isEmpty)
    // Values that contradict each other, or are none.
    #expect(try view.get("score?bottomAngle=179").status == 422)
    #expect(try view.get("score?depth=1").status == 422)
    #expect(try view.get("score?bottomAngle=nan").status == 400)
    for path in ["clip", "clip?clip=3", "clip?clip=-1", "video?clip=0", "labels", "else", "../etc/passwd"] {
      #expect([400, 404].contains(try view.get(path).status), "\(path)")
    }
    #expect(try view.post("labels", "{}").status == 404)
    #expect(view.end() == 0)
  }

  /// The suite, not a label, says that nobody squats in the clip of cleo, whose one squat is counted.
  @Test func phantomsAreFailures() throws {
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[2].info.exercise = "walking"
    dataset.clips[2].labels = GroundTruth()
    let workspace = try Workspace()
    let suite = SquatSuite(content: try workspace.add(dataset))
    try workspace.write(suite.yaml + "negatives: others\n", to: "datasets/suites/squat.yaml")
    let view = try View(workspace, "--suite", "squat")
    let start: Score = try view.json("score")
    #expect(start.finding == "Counts right on 2 of 2 clips.")
    #expect(start.clips.map(\.isWrong) == [false, false, true])
    #expect(start.clips[2].words == "counted 1 while nobody does the exercise")
    #expect(view.end() == 0)
  }

  /// Strokes are compared, though no clip has a count.
  @Test func strokesAreSummedUp() throws {
    let workspace = try Workspace()
    try workspace.write(
      "exercise: tennis\nseed: 5\nsubjects: 1\nclips_per_subject: 1\n", to: "datasets/rallies/recipe.yaml")
    let view = try View(workspace, "--dataset", "rallies", "--detector", "swing-states")
    let finding = try view.json("score", as: Score.self).finding
    #expect(
      finding.wholeMatch(
        of: #/Finds and names \d of \d strokes right; missed \d, invented \d, misnamed \d\./#) != nil, "\(finding)")
  }

  @Test func aPageAllowsItselfAlone() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(Data([1, 2, 3]), to: "datasets/squats/poses/anna_1.MP4")
    try workspace.write(Data([4, 5]), to: "datasets/squats/videos/bert_1.webm")
    try workspace.write(Data([6]), to: "datasets/squats/cleo_1.mov")
    let view = try View(workspace, "--dataset", "squats")
    let (html, policy) = try view.page()
    #expect(html.contains("squats/cleo_1"))
    #expect(policy.contains("default-src 'none'") && policy.contains("connect-src 'self'"))
    #expect(!policy.contains("script-src 'unsafe") && !policy.contains("http:"))
    // No other page may show it in a frame and have its user click in it.
    #expect(policy.contains("frame-ancestors 'none'"))
    let scripts = try PageScripts(html, policy: policy)
    #expect(scripts.hashes.count == 2 && scripts.allowed == scripts.hashes)
    #expect(try view.json("clip?clip=0", as: Clip.self).video == "video?clip=0")
    for (clip, type, size) in [(0, "mp4", 3), (1, "webm", 2), (2, "quicktime", 1)] {
      let answer = try view.get("video?clip=\(clip)")
      #expect(answer.body.count == size && answer.headers.contains("Content-Type: video/\(type)"), "\(clip)")
    }
    // A hundredth of 20° to 170° is 1.5°: the step is the next smaller of 1, 2 and 5. Of 0 s to 10 s it is 0.1 s.
    let facts = try Facts(html)
    let (bottom, cooldown) = (try facts.slider("bottomAngle"), try facts.slider("cooldown"))
    #expect(bottom.low == 20 && bottom.high == 170 && bottom.step == 1 && bottom.value == 90)
    #expect(cooldown.low == 0 && cooldown.high == 10 && abs(cooldown.step - 0.1) < 1e-9 && cooldown.value == 0.5)
  }

  /// As an import names clips from a folder a person; two people's videos may have one name.
  @Test func videosInAFolderAPerson() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(Data([1, 2, 3]), to: "films/anna/1.mp4")
    try workspace.write(Data([4, 5]), to: "films/bert/1.mp4")
    let view = try View(workspace, "--dataset", "squats", "--videos", "films")
    for (clip, size) in [(0, 3), (1, 2)] {
      #expect(try view.get("video?clip=\(clip)").body.count == size, "\(clip)")
    }
    #expect(try view.get("video?clip=2").status == 404)
  }

  /// At 84° two of three counts were right. A later run, at 90°, is not what is asked for.
  @Test func aNamedRunIsShownWithItsOwnParameters() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84").expectSuccess()
    let older = try #require(try workspace.store().runs(ofSuite: "squat").first).id
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let view = try View(workspace, older)
    #expect(view.said.contains("/\nRun \(older), squat-states, 3 clips\n"), "\(view.said)")
    let facts = try Facts(view.page().html)
    #expect(try facts.slider("bottomAngle").value == 84)
    #expect(try view.json("score", as: Score.self).finding == "Counts right on 2 of 3 clips.")
    let changed: Score = try view.json("score?bottomAngle=90")
    #expect(changed.finding == "Counts right on 3 of 3 clips, before 2." && changed.clips[2].change == "better")
    for (name, before, now) in [("count.exact", "0.667", "1.000"), ("count.mae", "0.333", "0.000")] {
      let metric = try changed.metric(name)
      #expect(metric.before == before && metric.now == now && metric.change == "better", "\(name)")
    }
    #expect(changed.options == "--set reps.squat-states.bottomAngle=90")
  }

  /// A clip's labels as the page sends them.
  private func labels(_ reps: String, isDone: Bool = true, isUnsure: Bool = false, more: String = "") -> String {
    #"{"reps":[\#(reps)],"events":[],"intervals":[],"faults":{},"grades":{},"noReps":false,"isUnsure":\#(isUnsure),"#
      + #""isDone":\#(isDone),"comment":""\#(more)}"#
  }

  /// What is done can be imported as it was written; what is not, or is unsure, is left out.
  @Test func labelsAreImported() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("mine", SquatClip.three)
    for index in dataset.clips.indices { dataset.clips[index].labels = GroundTruth() }
    // The detector is of the exercise that most clips have.
    for index in 1...2 { dataset.clips[index].info.exercise = "lunge" }
    try workspace.add(dataset, in: "incoming")
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectSuccess()
    let view = try View(workspace, "--dataset", "mine", "--label", "--rater", "Anna B.")
    #expect(view.said.contains("/\nmine, exercise-lunge, SYNTHETIC, 3 clips\n"), "\(view.said)")
    #expect(view.said.contains("labels of Anna B. in labels/mine-Anna-B.json\n"), "\(view.said)")
    let first = labels(#"{"start":1,"turn":2,"end":3,"faults":{"shallow":true},"grades":{}}"#)
    let both = labels(
      #"{"start":1,"turn":2,"end":3,"faults":{"shallow":true},"grades":{}},"#
        + #"{"start":4.25,"end":5,"faults":{},"grades":{}}"#, more: #","draft":"exercise-lunge""#)
    #expect(try view.label("anna_1", "null", first) == 200)
    #expect(try view.label("anna_1", first, both) == 200)
    let unsure = labels(#"{"start":0.5,"end":1.5,"faults":{},"grades":{}}"#, isUnsure: true)
    #expect(try view.label("cleo_1", "null", unsure) == 200)
    // Seen before the second change; after the clip's end; of no clip.
    #expect(try view.label("anna_1", first, "null") == 409)
    #expect(try view.label("bert_1", "null", labels(#"{"start":1,"end":999,"faults":{},"grades":{}}"#)) == 422)
    #expect(try view.label("nobody", "null", "null") == 400)
    struct Labels: Decodable {
      struct Rep: Decodable { var start: Double }
      var reps: [Rep]
    }
    #expect(try view.json("labels", as: [String: Labels].self)["mine/anna_1"]?.reps.map(\.start) == [1, 4.25])
    #expect(view.end() == 0)
    let next = "\nnext     import the labels: bench dataset label mine --from labels/mine-Anna-B.json\n"
    #expect(try view.printed().hasSuffix(next))
    for _ in 0..<2 {
      let imported = try workspace.run("dataset", "label", "mine", "--from", "labels/mine-Anna-B.json")
      imported.expectSuccess()
      let words = [
        "labelled 1 clip of mine: 1 draft, 2 faults, 2 reps, content sha256:",
        "note: left out 1 clip marked as unsure: cleo_1",
      ]
      #expect(words.allSatisfy(imported.output.contains), "\(imported.output)")
    }
    try workspace.run("dataset", "export", "mine", "--to", "out").expectSuccess()
    #expect(try workspace.text("out/reps.csv") == "clip,rep,start_s,end_s,turn_s\nanna_1,1,1,3,2\nanna_1,2,4.25,5,\n")
    #expect(try workspace.text("out/drafts.csv") == "clip,detector\nanna_1,exercise-lunge\n")
    #expect(try workspace.text("out/faults.csv").contains("anna_1,1,Anna B.,shallow,1\nanna_1,2,Anna B.,shallow,0\n"))
    // The folder says it again.
    try workspace.run("dataset", "import", "folder", "--from", "out", "--name", "again").expectSuccess()
    try workspace.run("dataset", "export", "again", "--to", "twice").expectSuccess()
    #expect(try workspace.text("twice/drafts.csv") == "clip,detector\nanna_1,exercise-lunge\n")
  }

  /// A detector is not judged on labels that began as its own reps; others are.
  @Test func aDraftDoesNotJudgeItsDetector() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[0].labels.draft = "squat-states"
    dataset.clips[1].labels.draft = "reps-any"
    let suite = SquatSuite(content: try workspace.add(dataset))
    try workspace.write(suite.yaml, to: "datasets/suites/squat.yaml")
    let run = try workspace.run("run", "--suite", "squat")
    run.expectSuccess()
    #expect(run.output.contains("Counts right on 2 of 2 clips"), "\(run.output)")
    #expect(
      run.output.contains("drafts   1 clip labelled from a draft of squat-states, not judged on them"), "\(run.output)")
  }

  /// Two raters' files on one page: their labels as they wrote them, and one who decides.
  @Test func twoRatersAreCompared() throws {
    let workspace = try Workspace.withSquats()
    for (rater, end) in [("anna", 3.0), ("ben", 3.5)] {
      let clip = labels(#"{"start":1,"end":\#(end),"faults":{},"grades":{}}"#)
      try workspace.write(
        #"{"format": "bench-labels-1", "rater": "\#(rater)", "clips": {"anna_1": \#(clip)}}"#, to: "\(rater).json")
    }
    let command = ["--suite", "squat", "--label", "--raters", "anna.json", "ben.json"]
    let view = try View(workspace, arguments: command + ["--rater", "carol"])
    struct Labels: Decodable {
      struct Rep: Decodable { var end: Double }
      var reps: [Rep]
    }
    let raters = try view.json("raters", as: [String: [String: Labels]].self)
    #expect(raters.mapValues { $0["squats/anna_1"]?.reps.map(\.end) } == ["anna": [3], "ben": [3.5]])
    #expect(try view.json("labels", as: [String: Labels].self).isEmpty)
    #expect(view.end() == 0)
    try workspace.run(["view"] + command + ["--rater", "ben"]).expectFailure(
      64, saying: ["--rater ben has labels among --raters"])
    try workspace.run("view", "--suite", "squat", "--label", "--rater", "carol", "--raters", "anna.json", "anna.json")
      .expectFailure(64, saying: ["both are of anna"])
  }

  @Test func whatCannotBeShownIsSaid() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("view").expectFailure(5, saying: ["no runs; make one with: bench run"])
    try workspace.run("view", "--suite", "squat", "--rater", "anna").expectFailure(
      64, saying: ["--rater, --raters and --output need --label"])
    try workspace.run("view", "--suite", "squat", "--label", "--rater", "").expectFailure(
      64, saying: ["give --rater NAME"])
    try workspace.run("view", "--suite", "squat", "--videos", "nowhere").expectFailure(
      1, saying: ["nowhere: expected a folder of videos, found no such folder"])
    try workspace.write(#"{"format": "bench-labels-1", "rater": "bert", "clips": {}}"#, to: "labels.json")
    try workspace.run("view", "--suite", "squat", "--label", "--rater", "anna", "--output", "labels.json")
      .expectFailure(
        1, saying: ["labels.json: expected labels of anna", "found those of bert"])
    // Clips of two datasets may have one name: their labels cannot be in one file.
    let other = try workspace.add(SquatClip.dataset("others", SquatClip.three))
    try workspace.replace(
      "detectors:\n", with: "- name: others\n  content: \(other)\ndetectors:\n", in: "datasets/suites/squat.yaml")
    try workspace.run("view", "--suite", "squat", "--label", "--rater", "anna").expectFailure(
      64, saying: ["--label is for one dataset at a time: give --dataset with one of others, squats"])
  }
}
