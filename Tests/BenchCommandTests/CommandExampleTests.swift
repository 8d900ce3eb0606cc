import Datasets
import Foundation
import PoseModel
import Testing

/// The examples count what is there, each in its language, and speak as the protocol's schema says.
@Suite struct CommandExampleTests {
  /// Frames on which the arm is straight enough, or bent enough, are known: the elbow stands at 170.5° for ten frames, then
  /// twice goes down to 80.5° and up again by 3° a frame and stands for ten.
  private static let angles: [Double] = {
    let still = [Double](repeating: 170.5, count: 10)
    let bend = (0..<60).map { 170.5 - 3 * Double(min($0, 60 - $0)) }
    return still + bend + still + bend + still
  }()

  static let dataset: Dataset = {
    let skeleton = Skeleton.coco17
    let frames = angles.flatMap { angle -> [Float] in
      let radians = angle * .pi / 180
      return skeleton.keypoints.flatMap { keypoint -> [Float] in
        switch keypoint {
        case "left_shoulder": [500 + Float(200 * sin(radians)), 500 + Float(200 * cos(radians)), 0.9]
        case "left_elbow": [500, 500, 0.9]
        case "left_wrist": [500, 700, 0.9]
        default: [.nan, .nan, 0]
        }
      }
    }
    let keypoints = Keypoints(
      times: angles.indices.map { Microseconds(frame: $0, rate: 30) }, keypointCount: skeleton.keypoints.count,
      channels: [.x, .y, .confidence], frames: frames)
    let info = Clip.Info(name: "anna_1", subject: "anna", exercise: "push-up", view: "side", fps: 30, split: "")
    return Dataset(
      manifest: Manifest(
        name: "push-ups", version: "1", licence: "CC0-1.0", source: "placed by hand", origin: .synthetic,
        skeleton: skeleton.name, coordinates: CoordinateSystem(unit: .pixel(height: 1000), yAxis: .down),
        channels: [.x, .y, .confidence]),
      clips: [Clip(info: info, keypoints: keypoints, labels: GroundTruth(repCount: 2))])
  }()

  private static let examples = ModuleOrderTests.checkout.appending(path: "examples")

  /// A project with the examples in it.
  private func project() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.add(Self.dataset)
    try Self.copy(to: workspace)
    return workspace
  }

  /// Puts the examples into a project.
  static func copy(to workspace: Workspace) throws {
    for folder in ["detectors", "coach"] {
      try FileManager.default.copyItem(
        at: examples.appending(path: folder), to: URL(fileURLWithPath: workspace.path(folder)))
    }
  }

  private func expectTwo(_ detector: String, in workspace: Workspace) throws {
    let environment = ["XDG_STATE_HOME": workspace.outside + "/state"]
    let outcome = try workspace.run(
      "replay", "anna_1", "--detector", detector, "--json", "--allow-commands", environment: environment)
    #expect(outcome.code == 0, "\(outcome.error)")
    struct Said: Decodable {
      struct Reps: Decodable {
        struct Rep: Decodable {
          var start: Double
          var turn: Double
          var end: Double
          var reported: Double
        }
        var predicted: [Rep]
      }
      var reps: Reps
    }
    let reps = try JSONDecoder().decode(Said.self, from: Data(outcome.output.utf8)).reps.predicted
    // The last frame at 150° or above is 6 after the ten (152.5°), the lowest is 30 after, and 150° is passed again 54 after
    // (152.5°). The second bend comes 70 frames later.
    try #require(reps.count == 2)
    for (rep, first) in zip(reps, [10, 80]) {
      let times = [first + 6, first + 30, first + 54].map { Microseconds(frame: $0, rate: 30).seconds }
      #expect([rep.start, rep.turn, rep.end] == times)
      #expect(rep.reported == rep.end)
    }
    try workspace.run("detector", "check", detector, environment: environment).expectSuccess()
  }

  @Test(.needsPython) func pythonCounts() throws { try expectTwo("pushup-python", in: project()) }

  @Test(.needsNode) func javaScriptCounts() throws { try expectTwo("pushup-node", in: project()) }

  @Test(.needsCompiler) func cPlusPlusCounts() throws {
    let workspace = try project()
    let compiler = try #require(Interpreter.compiler)
    let built = try workspace.shell("\(compiler) -std=c++17 -O0 -Wall -Wextra -o coach/pushup coach/pushup.cpp")
    built.expectSuccess()
    try expectTwo("pushup-cpp", in: workspace)
  }

  /// With the package, and installed by nothing but a path.
  @Test(.needsPython, arguments: ["generator", "class"]) func thePackageCounts(way: String) throws {
    let workspace = try project()
    let package = ModuleOrderTests.checkout.appending(path: "python").path
    let generator = """
      import sys; sys.path.insert(0, "\(package)"); import formbench
      def counter(clip, frames):
          straight, turn, lowest = None, None, 180
          for frame in frames:
              bend = frame.angle("left_shoulder", "left_elbow", "left_wrist")
              frame.signals = [bend]
              if bend >= clip.parameters["up"]:
                  if straight is not None and lowest < clip.parameters["down"]:
                      yield formbench.rep(straight, frame.time, turn)
                  straight, lowest = frame.time, 180
              elif bend < lowest:
                  turn, lowest = frame.time, bend
      formbench.serve(counter, timed=True)

      """
    let object = """
      import sys; sys.path.insert(0, "\(package)"); import formbench
      class Counter:
          def __init__(self, clip): self.clip, self.straight, self.turn, self.lowest = clip, None, None, 180
          def update(self, frame):
              events, bend = [], frame.angle("left_shoulder", "left_elbow", "left_wrist")
              if bend >= self.clip.parameters["up"]:
                  if self.straight is not None and self.lowest < self.clip.parameters["down"]:
                      events = [formbench.rep(self.straight, frame.time, self.turn)]
                  self.straight, self.lowest = frame.time, 180
              elif bend < self.lowest:
                  self.turn, self.lowest = frame.time, bend
              return events
      formbench.serve(Counter)

      """
    try workspace.write(way == "class" ? object : generator, to: "coach/pushup.py")
    try expectTwo("pushup-python", in: workspace)
  }

  @Test(.needsPython) func thePackagesOwnTests() async throws {
    let workspace = try Workspace()
    let tests = ModuleOrderTests.checkout.appending(path: "python/tests").path
    let bench = try BenchExecutable.path()
    let done = try await aside {
      try workspace.shell(
        "FORMBENCH_BENCH='\(bench)' PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s '\(tests)'")
    }
    #expect(done.code == 0, "\(done.error)")
  }

  /// Every line of both sides, as `jsonschema` sees it where Python has that, and a few by hand where not.
  @Test(.needsPython, arguments: ["recorded", "normalised"]) func theLinesFollowTheSchema(poses: String) throws {
    let workspace = try project()
    try workspace.replace("poses: normalised", with: "poses: \(poses)", in: "detectors/pushup-python.yaml")
    try workspace.replace(
      "command: [python3, coach/pushup.py]",
      with: "command: [/bin/sh, -c, \"tee sent | python3 coach/pushup.py | tee said\"]",
      in: "detectors/pushup-python.yaml")
    try workspace.run(
      "replay", "anna_1", "--detector", "pushup-python", "--allow-commands",
      environment: ["XDG_STATE_HOME": workspace.outside + "/state"]
    ).expectSuccess()
    let sent = try workspace.text("sent").split(separator: "\n")
    let said = try workspace.text("said").split(separator: "\n")
    let count = Self.angles.count
    #expect(sent.count == count + 2 && said.count == count + 1)
    let start = try #require(sent.first)
    let expected =
      poses == "recorded"
      ? #""unit":"pixels","size":[null,1000.0],"y":"down","skeleton":"coco-17","joints":["nose","left_eye","#
      : #""unit":"image heights","size":[null,null],"y":"down","skeleton":"common","joints":["nose","left_eye","#
    #expect(
      start.starts(with: #/{"type":"start","protocol":1,"clip":"clip-[0-9a-f]{12}","fps":30\.0,/#)
        && start.contains(expected)
    )
    #expect(start.hasSuffix(#""channels":["x","y","confidence"],"parameters":{"down":110.0,"up":150.0}}"#))
    #expect(sent[1].hasPrefix(#"{"type":"frame","frame":0,"time":0,"keypoints":[null,"#))
    #expect(sent[1].contains(poses == "recorded" ? "[500.0,700.0,0.9]" : "[0.5,0.5,0.9]"))
    #expect(sent.last == #"{"type":"end"}"#)
    let schema = ModuleOrderTests.checkout.appending(path: "docs/detector-protocol.schema.json").path
    let checked = try workspace.shell(
      """
      cat >check.py <<'END'
      import json, sys
      try:
          import jsonschema
      except ImportError:
          sys.exit("SKIPPED: this Python has no jsonschema")
      validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
      lines = [json.loads(line) for name in ("sent", "said") for line in open(name)]
      for line in lines:
          validator.validate(line)
      wrong = [{"type": "frame"}, {"type": "end", "frames": 1}, {"events": [{"type": "rep", "start": 1}]}, {"event": []}]
      assert all(not validator.is_valid(line) for line in wrong)
      print(len(lines))
      END
      python3 check.py '\(schema)'
      """)
    guard !checked.error.contains("SKIPPED") else {
      print("theLinesFollowTheSchema: the schema was not applied, \(checked.error)")
      return
    }
    #expect(checked.code == 0 && checked.output == "\(2 * count + 3)\n", "\(checked)")
  }

  // MARK: What a program is told

  /// What the start and the first frame say of a recording, in its own unit or in image heights.
  struct Told: Sendable, CustomTestStringConvertible {
    var unit: CoordinateSystem.Unit
    var yAxis: CoordinateSystem.YAxis
    var poses = "recorded"
    var start: String
    var point: String

    var testDescription: String { "\(poses), \(start)" }
  }

  static let told = [
    Told(
      unit: .image(aspect: 2), yAxis: .up, start: #""unit":"image","size":[2.0,1.0],"y":"up","skeleton":"coco-17""#,
      point: "[0.25,0.75,0.125,0.5]"),
    Told(
      unit: .pixel(height: 1000), yAxis: .up, start: #""unit":"pixels","size":[null,1000.0],"y":"up""#,
      point: "[0.25,0.75,0.125,0.5]"),
    Told(
      unit: .metre, yAxis: .up, start: #""unit":"metres","size":[null,null],"y":"up""#, point: "[0.25,0.75,0.125,0.5]"),
    Told(
      unit: .relative, yAxis: .down, start: #""unit":"relative","size":[null,null],"y":"down""#,
      point: "[0.25,0.75,0.125,0.5]"),
    // An image is twice as wide as high: x and the depth, which has its unit, are doubled. Up is less than 0.
    Told(
      unit: .image(aspect: 2), yAxis: .up, poses: "normalised",
      start: #""unit":"image heights","size":[null,null],"y":"down","skeleton":"common""#,
      point: "[0.5,-0.75,0.25,0.5]"),
  ]

  /// A project with two frames at 25 a second, of which only the left elbow is known, and a detector that writes down
  /// what it is sent.
  private func listening(_ unit: CoordinateSystem.Unit, _ yAxis: CoordinateSystem.YAxis, poses: String) throws
    -> Workspace
  {
    let workspace = try Workspace()
    var dataset = Self.dataset
    dataset.manifest.coordinates = CoordinateSystem(unit: unit, yAxis: yAxis)
    dataset.manifest.channels = [.x, .y, .z, .confidence]
    dataset.clips[0].info.fps = 25
    let frame = Skeleton.coco17.keypoints.flatMap { keypoint -> [Float] in
      keypoint == "left_elbow" ? [0.25, 0.75, 0.125, 0.5] : [.nan, .nan, .nan, 0]
    }
    dataset.clips[0].keypoints = Keypoints(
      times: [0, 1].map { Microseconds(frame: $0, rate: 25) }, keypointCount: Skeleton.coco17.keypoints.count,
      channels: dataset.manifest.channels, frames: frame + frame)
    var suite = SquatSuite(content: try workspace.add(dataset))
    (suite.dataset, suite.exercise) = ("push-ups", "push-up")
    suite.detectors = ["- name: listener"]
    suite.metrics = [("listener", "count.exact", nil)]
    try workspace.write(suite.yaml, to: "datasets/suites/squat.yaml")
    try workspace.write("tee sent | {\n\(CommandProject.silent)}\n", to: "coach/listener")
    try workspace.write(
      "detector: listener\ncommand: [/bin/sh, coach/listener]\nkind: reps\nexercise: push-up\nposes: \(poses)\n",
      to: "detectors/listener.yaml")
    return workspace
  }

  private func run(_ workspace: Workspace, _ arguments: String...) throws -> Outcome {
    try workspace.run(
      ["run", "--suite", "squat", "--allow-commands", "--jobs", "1"] + arguments,
      environment: ["XDG_STATE_HOME": workspace.outside + "/state"])
  }

  @Test(arguments: told) func theStartSaysTheUnit(_ told: Told) throws {
    let workspace = try listening(told.unit, told.yAxis, poses: told.poses)
    try run(workspace).expectSuccess()
    let sent = try workspace.text("sent").split(separator: "\n")
    let start = try #require(sent.first)
    #expect(start.starts(with: #/{"type":"start","protocol":1,"clip":"clip-[0-9a-f]{12}","fps":25\.0,/#), "\(start)")
    #expect(start.contains(told.start), "\(start)")
    #expect(start.contains(#""channels":["x","y","z","confidence"]"#), "\(start)")
    #expect(sent[1].contains(told.point), "\(sent[1])")
    #expect(sent[2].hasPrefix(#"{"type":"frame","frame":1,"time":0.04,"#), "\(sent[2])")
  }

  /// Perturbed poses go back to the recording's unit and the way in which its y grows; from a unit without a size there
  /// is no way back.
  @Test func perturbedPosesKeepTheUnit() throws {
    let workspace = try listening(.image(aspect: 2), .up, poses: "recorded")
    try run(workspace, "--perturb", "noise=0%").expectSuccess()
    let sent = try workspace.text("sent").split(separator: "\n")
    #expect(sent[0].contains(#""unit":"image","size":[2.0,1.0],"y":"up""#))
    #expect(sent[1].contains("[0.25,0.75,0.125,0.5]"), "\(sent[1])")
    for unit in [CoordinateSystem.Unit.metre, .relative] {
      try run(listening(unit, .up, poses: "recorded"), "--perturb", "noise=0%").expectFailure(
        64, saying: ["clip push-ups/anna_1: perturbed", "expected a detector with poses: normalised"])
    }
  }
}
