import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import TestSupport
import Testing

/// Clips that are tallied in parts, and merged into the run or sweep that one machine makes.
@Suite struct TallyTests {
  private static let checkout = Project(
    root: URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL.path)

  /// Squats have reps, grades, faults and cues, tennis has strokes and names for them.
  @Test(arguments: ["squat", "tennis"]) func shardsInAnyOrderMakeTheSameRun(_ suite: String) async throws {
    let workspace = try Workspace()
    let registry = try Self.checkout.registry(adding: .builtIn)
    let run = try SuiteRun(
      Self.checkout.suite(named: suite, registry: registry), in: Self.checkout,
      store: Store(at: "\(workspace.outside)/store.sqlite"), registry: registry)
    let whole = try stableJSON(try await run.replay(version: "test", threads: 2).results)
    let plan = try TallyPlan(run, options: [], version: "test", in: Self.checkout)
    var generator = TestGenerator(seed: 22)
    for count in [1, 2, 7] {
      var paths: [String] = []
      for number in 1...count {
        let shard = try #require(Shard("\(number)/\(count)"))
        paths.append(workspace.path("\(suite)-\(number)-\(count).jsonl"))
        let positions = shard.positions(of: run.clipCount)
        let file = try TallyWriter(paths[number - 1], plan: plan, shard: shard, clips: positions.count)
        try await run.tally(positions, to: file, beside: [:], threads: 2)
      }
      paths.shuffle(using: &generator)
      if count == 7 {
        // Some first, then these with the rest.
        let first = workspace.path("first.jsonl")
        try TallyFiles(Array(paths[..<4])).write(to: first) { _ in }
        paths[..<4] = [first]
      }
      var merged = try await SuiteRun(
        run.suite, from: .tallies(TallyFiles(paths)), in: Self.checkout,
        store: Store(at: "\(workspace.outside)/store.sqlite"),
        registry: registry
      ).results(version: "test", threads: 2)
      #expect(Set(merged.measured.keys) == Set(run.settings.map(\.name)))
      // Each whole block of 64 frames of each clip is timed once.
      let blocks = merged.clips.filter { $0.outcomes[run.settings[0].name] != nil }.reduce(0) { $0 + $1.frames / 64 }
      #expect(merged.measured[run.settings[0].name]?.blocks == blocks)
      merged.measured = [:]
      #expect(try stableJSON(merged) == whole, "\(suite) in \(count)")
    }
  }

  @Test(.needsPython) func aCommandsTalliesMakeTheSameRun() throws {
    let project = try CommandProject.counting()
    try project.run("run", "--suite", "squat", "--allow-commands").expectSuccess()
    var whole = try project.workspace.results()
    for shard in ["1/2", "2/2"] {
      try project.run("tally", "--suite", "squat", "--shard", shard, "--to", "\(shard.prefix(1)).jsonl").expectSuccess()
    }
    try project.run("merge", "2.jsonl", "1.jsonl").expectSuccess()
    var merged = try project.workspace.results()
    #expect(merged.measured["knee"]?.blocks == whole.measured["knee"]?.blocks)
    (whole.measured, merged.measured) = ([:], [:])
    #expect(try stableJSON(merged) == stableJSON(whole))
  }

  @Test func aSweepsTalliesMakeTheSameSweep() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve)
    let sweep = [
      "--suite", "squat", "--sweep", "reps.squat-states.bottomAngle=70...130", "--sample", "20", "--seed", "3",
      "--perturb", "noise=10%", "--metric", "reps.timing-error",
    ]
    let whole = try workspace.run(["sweep", "--json"] + sweep)
    for shard in ["1/2", "2/2"] {
      try workspace.run(["tally", "--shard", shard, "--to", "\(shard.prefix(1)).jsonl"] + sweep).expectSuccess()
    }
    let merged = try workspace.run("merge", "2.jsonl", "1.jsonl", "--json")
    #expect(merged.code == 0 && merged.output == whole.output)
    #expect(try JSONDecoder().decode(SweepResults.self, from: Data(whole.output.utf8)).base.value != 0)
  }

  /// Each of three files has one clip: anna's, bert's and cleo's.
  private static func tallied() throws -> Workspace {
    let names = ["a", "b", "c"].enumerated()
    return try Workspace.withSquats(
      after: names.map { ["tally", "--suite", "squat", "--shard", "\($0 + 1)/3", "--to", "\($1).jsonl"] })
  }

  @Test func mixesAreRefused() throws {
    let workspace = try Self.tallied()
    func refuses(_ code: Int32, _ files: [String], _ parts: [String]) throws {
      try workspace.run(["merge"] + files).expectFailure(code, saying: parts)
      #expect(!workspace.exists("reports"))
    }
    /// A file with one text replaced.
    func changed(_ old: String, _ new: String) throws {
      try workspace.write(workspace.text("c.jsonl"), to: "d.jsonl")
      try workspace.replace(old, with: new, in: "d.jsonl")
    }
    try refuses(
      5, ["a.jsonl", "c.jsonl"],
      [
        "all 3 clips of suite squat, found 2, without the shards 2/3; tally 2/3 with: "
          + "bench tally --suite=squat --shard 2/3 --to 2-of-3.jsonl"
      ])
    try refuses(
      1, ["a.jsonl", "b.jsonl", "c.jsonl", "b.jsonl"],
      ["b.jsonl:2: clip squats/bert_1: expected each clip once, found it also at b.jsonl:2"])
    func refusesChange(_ old: String, _ new: String, _ parts: String...) throws {
      try changed(old, new)
      try refuses(1, ["a.jsonl", "b.jsonl", "d.jsonl"], parts)
    }
    try refusesChange("\"bench\":\"", "\"bench\":\"9.", "d.jsonl:1: expected tallies of bench ", "found bench 9.")
    try refusesChange("\"content\":\"sha256:", "\"content\":\"sha256:0", "d.jsonl:1: expected dataset squats sha256:")
    try refusesChange("\"squat.yaml\":\"sha256:", "\"squat.yaml\":\"sha256:0", "expected file squat.yaml sha256:")
    try refusesChange("\"bottomAngle\":9", "\"bottomAngle\":8", "detector squat-states.bottomAngle 90.0, as in a.jsonl")
    try refusesChange(
      "\"format\":2,\"options\"", "\"format\":3,\"options\"", "d.jsonl:1: expected format 2, found format 3")
    try refusesChange("{\"clip\":2,", "{\"clip\":7,", "d.jsonl:2: expected one of the 3 clips, found 7")
    try refusesChange(
      "\n{\"end\":", "\n{\"cut\":", "d.jsonl:3: expected 1 clip and the end, found 1 clip: the file was cut off")
    try refusesChange("\n{\"end\":", "\n{}\n{\"end\":", "d.jsonl:4: expected nothing after the end")
    try refusesChange(
      "\"groundTruth\":", "\"truth\":",
      "d.jsonl:2: clip squats/cleo_1: expected the tallies of a clip, found tally without ")
    try refuses(1, ["datasets/suites/squat.yaml"], ["squat.yaml:1: expected the head of a file of bench tally"])
    // The same of all files, and not of this project.
    try workspace.replace("margin: 0.2", with: "margin: 0.3", in: "datasets/suites/squat.yaml")
    try refuses(1, ["a.jsonl", "b.jsonl", "c.jsonl"], ["a.jsonl:1: expected file squat.yaml", "as in this project"])
  }

  @Test func otherOptionsAreRefused() throws {
    let workspace = try Self.tallied()
    try workspace.run(
      "tally", "--suite", "squat", "--shard", "3/3", "--to", "c.jsonl", "--set", "reps.squat-states.bottomAngle=80"
    ).expectSuccess()
    try workspace.run("merge", "a.jsonl", "b.jsonl", "c.jsonl").expectFailure(
      1, saying: ["c.jsonl:1: expected tallies with --suite=squat, as in a.jsonl, found --suite=squat --set="])
  }

  /// At 84° cleo's squat is lost of three people's, at 75° those of all twelve; the recordings are gone where the gate
  /// decides.
  @Test(arguments: [(nil, 0), ("84", 3), ("75", 2)] as [(String?, Int32)])
  func aGateJudgesTallies(_ angle: String?, code: Int32) throws {
    let workspace = try BaselineTests.accepted(code == 2 ? SquatClip.twelve : SquatClip.three)
    let set = angle.map { ["--set", "reps.squat-states.bottomAngle=\($0)"] } ?? []
    let replayed = try workspace.run(["gate", "--suite", "squat", "--json"] + set)
    for shard in ["1/2", "2/2"] {
      try workspace.run(
        ["tally", "--suite", "squat", "--shard", shard, "--to", "\(shard.prefix(1)).jsonl"] + set
      ).expectSuccess()
    }
    try workspace.remove("datasets/squats/poses")
    let judge = ["--suite", "squat", "--tallies", "1.jsonl", "2.jsonl"] + set
    let gate = ["gate", "--json", "--store", "other.sqlite"] + judge
    let tallied = try workspace.run(gate)
    #expect(replayed.code == code && tallied.code == code)
    #expect(tallied.output == replayed.output)
    // The baseline from tallies is the one from a replay.
    try workspace.run(["baseline", "accept", "--store", "other.sqlite"] + judge).expectSuccess()
    let passed = try workspace.run(gate)
    #expect(passed.code == 0, "\(passed.error)")
    try workspace.run("gate", "--suite", "squat", "--tallies", "1.jsonl").expectFailure(
      angle == nil ? 5 : 64, saying: [angle == nil ? "without the shards 2/2" : "--tallies needs the options"])
    guard angle == nil else { return }
    try workspace.run("gate", "--suite", "squat", "--tallies", "1.jsonl", "2.jsonl", "--smooth", "average:3")
      .expectFailure(
        64, saying: ["--tallies needs the options of bench tally: expected --suite=squat", "--smooth=average:3"])
    try workspace.write("clip,count\nanna_1,2\n", to: "counts.csv")
    try workspace.run(gate + ["--predictions", "counts.csv"]).expectFailure(
      64, saying: ["--tallies have their own predictions: leave out --predictions"])
  }

  @Test func clipsAreNamedOnStandardInput() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.shell(
      """
      printf 'cleo_1\\nsquats/anna_1\\n' | $bench tally --suite squat --clips - --to a.jsonl
      echo bert_1 > names && $bench tally --suite squat --clips names --to b.jsonl && $bench merge a.jsonl b.jsonl
      """)
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("tallied  2 clips of 3: a.jsonl\ntallied  1 clip of 3: b.jsonl\n"))
    #expect(try workspace.results().clips.map(\.name) == ["anna_1", "bert_1", "cleo_1"])
    try workspace.write("anna_1\nbrt_1\n", to: "names")
    try workspace.run("tally", "--suite", "squat", "--clips", "names", "--to", "c.jsonl").expectFailure(
      1, saying: ["names:2: expected a clip of the run, once, found", "did you mean bert_1"])
    #expect(!workspace.exists("c.jsonl"))
    for arguments in [
      ["--shard", "0/3"], ["--shard", "4/3"], ["--shard", "1/3", "--clips", "names"], ["--metric", "x"],
    ] {
      #expect(try workspace.run(["tally", "--suite", "squat", "--to", "c"] + arguments).code == 64)
    }
  }
}
