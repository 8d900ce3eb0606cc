import Evaluation
import Foundation
import Testing

/// What a sweep finds, prints and leaves behind.
///
/// The squats of `SquatClip.three` turn at 80.5°, at 86.5° (cleo's, which counts) and at 110.5° (anna's second, which does
/// not): a bottom of 80° counts none, 84° all but cleo's, 90° all, 114° one of anna's too many.
@Suite struct SweepTests {
  static let bottoms = "reps.squat-states.bottomAngle=80,84,90,114"

  private func sweep(_ workspace: Workspace, _ arguments: String...) throws -> SweepResults {
    let outcome = try workspace.run(["sweep", "--suite", "squat", "--json"] + arguments)
    outcome.expectSuccess(beside: "sweep.md")
    return try JSONDecoder().decode(SweepResults.self, from: Data(outcome.output.utf8))
  }

  @Test func countsErrorsByHand() throws {
    let results = try sweep(Workspace.withSquats(), "--sweep", Self.bottoms, "--metric", "count.mae")
    // Errors of anna, bert and cleo, who do 2, 3 and 1 squats that count.
    let errors: [Double?] = [2, 1.0 / 3, 0, 1.0 / 3]
    #expect(results.settings.map(\.value) == errors)
    #expect(results.optimum == 2 && results.basePosition == 2)
    let (anna, bert, cleo) = ("squats/anna", "squats/bert", "squats/cleo")
    let best: [[String]] = [[], [anna, bert], [anna, bert, cleo], [bert, cleo]]
    #expect(results.settings.map(\.bestFor) == best)
  }

  /// Each metric is that of `bench run` with the same values set, to the last bit, with its interval and subjects.
  @Test func everySettingIsWhatARunOfItFinds() throws {
    // Two clips of one subject, which pool.
    let again = SquatClip(name: "anna_2", subject: "anna", squats: [SquatClip.justDeepEnough, SquatClip.half])
    let workspace = try Workspace.withSquats(SquatClip.three + [again])
    var runs: [[Double]: RunResults] = [:]
    func rerun(_ values: [Double]) throws -> RunResults {
      if let run = runs[values] { return run }
      let sets = zip(["bottomAngle", "standingAngle"], values).flatMap { ["--set", "reps.squat-states.\($0)=\($1)"] }
      try workspace.run(["run", "--suite", "squat"] + sets).expectSuccess()
      let run = try workspace.results()
      runs[values] = run
      return run
    }
    for metric in [
      "count.exact", "count.mae", "count.nmae", "count.bias", "reps.f1", "reps.timing-error", "latency.report",
      "latency.live", "latency.live-lost",
    ] {
      let results = try sweep(
        workspace, "--sweep", Self.bottoms, "--sweep", "reps.squat-states.standingAngle=150,160", "--metric", metric)
      #expect(results.settings.count == 8)
      for setting in results.settings {
        let found = try #require(
          try rerun(results.axes.map { $0.value(in: setting.values) }).metric("squat-states", metric))
        #expect(found.value == setting.value, "\(metric) at \(setting.values)")
        #expect(found.interval?.low == setting.interval?.low && found.interval?.high == setting.interval?.high)
        #expect(found.bySubject == setting.bySubject)
        #expect(found.undefinedClips == setting.undefinedClips)
      }
    }
  }

  /// Corrupted poses are a run's, with its seed.
  @Test func everySettingIsWhatAPerturbedRunOfItFinds() throws {
    let workspace = try Workspace.withSquats()
    let perturbed = ["--perturb", "noise=10%,dropout=20%,latency=60ms", "--seed", "3"]
    var runs: [Double: RunResults] = [:]
    func rerun(at angle: Double) throws -> RunResults {
      if let run = runs[angle] { return run }
      let set = ["--set", "reps.squat-states.bottomAngle=\(angle)"]
      try workspace.run(["run", "--suite", "squat"] + set + perturbed).expectSuccess()
      let run = try workspace.results()
      runs[angle] = run
      return run
    }
    for metric in ["count.mae", "latency.report", "latency.live"] {
      let outcome = try workspace.run(
        ["sweep", "--suite", "squat", "--json", "--sweep", Self.bottoms, "--metric", metric] + perturbed)
      outcome.expectSuccess(beside: "sweep.md")
      let results = try JSONDecoder().decode(SweepResults.self, from: Data(outcome.output.utf8))
      for setting in results.settings {
        let run = try rerun(at: results.axes[0].value(in: setting.values))
        #expect(results.perturbation == run.perturbation)
        let found = try #require(run.metric("squat-states", metric))
        #expect(found.value == setting.value, "\(metric) at \(setting.values)")
        #expect(found.bySubject == setting.bySubject)
      }
    }
    let told = try workspace.run(["sweep", "--suite", "squat", "--sweep", Self.bottoms] + perturbed)
    #expect(
      told.output.contains(
        "\nperturbed noise=10%,dropout=20%,latency=60ms, seed 3: the poses were corrupted on purpose"))
    let folder = try #require(workspace.names(in: "reports/squat").last { $0.hasPrefix("sweep-") })
    #expect(try workspace.text("reports/squat/\(folder)/sweep.md").contains("> **Perturbed.** noise=10%,"))
  }

  @Test func aFormScorerIsSweptAsWell() throws {
    let workspace = try Workspace.withSquats()
    let results = try sweep(
      workspace, "--sweep", "form.squat-posture.attemptAngle=120,140", "--metric", "grades.mae")
    try workspace.run("run", "--suite", "squat", "--set", "form.squat-posture.attemptAngle=120").expectSuccess()
    #expect(try workspace.results().metric("squat-posture", "grades.mae")?.value == results.settings[0].value)
  }

  @Test func theSameBytesOnAnyNumberOfThreads() throws {
    let workspace = try Workspace.withSquats()
    let texts = try ["1", "4"].map { jobs in
      let outcome = try workspace.run("sweep", "--suite", "squat", "--json", "--sweep", Self.bottoms, "--jobs", jobs)
      outcome.expectSuccess(beside: "sweep.md")
      return outcome.output
    }
    #expect(texts[0] == texts[1])
    #expect(try JSONText(texts[0]).hasSortedKeys)
  }

  @Test func settingsThatContradictThemselvesAreCounted() throws {
    let workspace = try Workspace.withSquats()
    // 150 + 5 is no less than 160 - 5.
    let outcome = try workspace.run(
      "sweep", "--suite", "squat", "--sweep", "reps.squat-states.bottomAngle=90,149,150,151")
    outcome.expectSuccess()
    #expect(outcome.output.contains("bottomAngle: 2 settings, exact counts (higher is better)\n"))
    #expect(
      outcome.output.contains("skipped  2 settings whose values contradict each other, such as bottomAngle 150:"))
    // Wilson's lower bound of 3 of 3: 3 / (3 + 1.96²) = 0.4385.
    let csv = try workspace.text("\(Self.folder(workspace))/sweep.csv").components(separatedBy: "\r\n")
    #expect(csv[0].hasPrefix("bottomAngle,metric,value,low,high,subjects,undefined_clips,clips,loss,"))
    #expect(csv[1] == "90.0,count.exact,1.0,0.4385029682449546,1.0,3,0,3,0.0,0.0,0.0,,true,true,true,3,")
    #expect(csv[3].hasPrefix("150.0,count.exact,,,,"))
    #expect(
      csv[3].hasSuffix(",bottomAngle + hysteresis (155.0°) must be less than standingAngle - hysteresis (155.0°)"))
    #expect(csv.count == 6)
  }

  @Test func noSettingIsPossible() throws {
    try Workspace.withSquats().run("sweep", "--suite", "squat", "--sweep", "reps.squat-states.bottomAngle=160,165")
      .expectFailure(64, saying: ["none of the 2 settings is possible: bottomAngle + hysteresis (165.0°)"])
  }

  @Test func theSummarySaysThatTheOptimumIsOptimistic() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("sweep", "--suite", "squat", "--sweep", "reps.squat-states.bottomAngle=80,84,114")
    outcome.expectSuccess()
    let lines = outcome.output.components(separatedBy: "\n")
    #expect(lines.filter { $0.count > 120 } == [])
    // Of 84° and 114°, both with one count wrong, the nearer to the suite's 90°, which no setting is.
    #expect(outcome.output.contains(#/\noptimum +84 +0\.667 /#))
    #expect(outcome.output.contains(#/\nplateau, default +90 +1\.000 /#))
    #expect(
      outcome.output.replacing("\n         ", with: " ").contains(
        "Do not quote it as the expected score on new people.")
    )
    let report = try workspace.text("\(Self.folder(workspace))/sweep.md")
    #expect(report.contains("> **Optimistic.** \(SweepResults.optimism)"))
    #expect(report.contains("> **SYNTHETIC.** squats: Nobody moved."))
  }

  @Test func anOptimumAtTheEndOfTheRangeIsNamed() throws {
    let workspace = try Workspace.withSquats()
    func output(_ values: String) throws -> String {
      try workspace.run("sweep", "--suite", "squat", "--sweep", "reps.squat-states.bottomAngle=\(values)").output
    }
    #expect(
      try output("80,84,90").contains(
        "\nedge     bottomAngle 90 is at the end of the tried range: try values beyond it\n"))
    #expect(try !output("80,84,90,114").contains("\nedge "))
  }

  @Test(arguments: [
    (["--sweep", "reps.squat-states.bottomAngle=80,90"], "curve.png"),
    (
      ["--sweep", "reps.squat-states.bottomAngle=80,90,155", "--sweep", "reps.squat-states.standingAngle=150,160"],
      "heat-map.png"
    ),
    (
      [
        "--sweep", "reps.squat-states.bottomAngle=80...90", "--sweep", "reps.squat-states.usesDepth=off,on", "--sample",
        "9",
      ], "bottomAngle.png"
    ),
  ])
  func thereIsAPictureOfEverySweep(arguments: [String], picture: String) throws {
    let workspace = try Workspace.withSquats()
    try workspace.run(["sweep", "--suite", "squat"] + arguments).expectSuccess()
    let folder = try Self.folder(workspace)
    #expect(try workspace.bytes("\(folder)/\(picture)").starts(with: PNGSignature.bytes))
    #expect(try workspace.text("\(folder)/sweep.md").contains("=\"\(picture)\""))
    #expect(Set(workspace.names(in: folder)).isSuperset(of: ["sweep.csv", "sweep.json", "sweep.md"]))
  }

  @Test(arguments: [
    (["--sweep", "reps.squat-states.bottomAngle=80,90", "--metric", "count.mea"], 5, "did you mean count.mae"),
    (["--sweep", "reps.squat-states.bottomAngle=80...90"], 64, "--sample"),
    (["--sweep", "reps.squat-states.bottomAngle=80,90", "--seed", "1"], 64, "--seed"),
    (["--sweep", "reps.squat-states.bottomAngle=80,90", "--perturb", "noize=2%"], 64, "did you mean noise?"),
    (["--sweep", "reps.squat-states.bottomAngle=80,90", "--sample", "0"], 64, "--sample"),
    (
      ["--sweep", "reps.squat-states.bottomAngle=80,90", "--set", "reps.squat-states.bottomAngle=85"], 64,
      "bottomAngle is both set and swept"
    ),
    (["--sweep", "reps.squat-states.bottomAngle=80,90", "--dataset", "others"], 5, "others"),
    ([], 64, "--sweep"),
  ])
  func refusesWhatItCannotDo(arguments: [String], code: Int32, words: String) throws {
    let workspace = try Workspace.withSquats()
    try workspace.run(["sweep", "--suite", "squat"] + arguments).expectFailure(code, saying: [words])
    #expect(workspace.names(in: "reports") == [])
  }

  private static func folder(_ workspace: Workspace) throws -> String {
    let names = workspace.names(in: "reports/squat")
    try #require(names.count == 1 && names[0].hasPrefix("sweep-"))
    return "reports/squat/\(names[0])"
  }
}
