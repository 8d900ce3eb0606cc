import Foundation
import Pipeline
import PoseModel
import Scoring
import Testing

@testable import Evaluation
@testable import Reports

/// A run's report whatever its clips are called.
@Suite struct RunReportTests {
  /// Thirty clips of thirty people, each counted `count` of 5 reps.
  private static func results(count: Int, names: [String]) -> RunResults {
    let error = Double(5 - count)
    let subjects = Dictionary(uniqueKeysWithValues: names.indices.map { ("data/s\($0)", Double?(error)) })
    return RunResults(
      bench: "test", suite: "sample", suiteVersion: 1,
      datasets: [
        RunResults.DatasetCard(
          name: "data", version: "1", content: "sha256:one", origin: .recorded, licence: "L", source: "S",
          clips: names.count, subjects: names.count)
      ],
      detectors: [RunResults.DetectorCard(name: "counter", kind: "reps", summary: "", parameters: [:], changed: [])],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero),
      metrics: [
        RunResults.MetricResult(
          detector: "counter", metric: "count.mae", summary: "", unit: "reps", direction: .lowerIsBetter, value: error,
          pooled: error, interval: nil, bySubject: subjects, undefinedClips: 0, clips: names.count, undefined: "never",
          isListed: true, margin: 0.5)
      ],
      clips: names.enumerated().map { index, name in
        ClipResult(
          name: name, dataset: "data", subject: "s\(index)", exercise: "squat", trueCount: 5,
          counts: ["counter": count])
      }, measured: [:], slices: [])
  }

  /// A clip of each of some people who do five reps.
  private static func results(counts: [Int]) -> RunResults {
    var results = results(count: 5, names: counts.indices.map { "c\($0)" })
    for (index, count) in counts.enumerated() { results.clips[index].outcomes["counter"]?.count = count }
    let errors = counts.map { Double(abs($0 - 5)) }
    results.metrics = [metric("count.mae", .lowerIsBetter, errors, margin: 0.5)]
    return results
  }

  private static func metric(
    _ name: String, _ direction: Metric.Direction, _ values: [Double], margin: Double? = nil
  ) -> RunResults.MetricResult {
    let people = values.enumerated().map { ("data/s\($0)", Double?($1)) }
    return RunResults.MetricResult(
      detector: "counter", metric: name, summary: "", unit: "", direction: direction,
      value: values.reduce(0, +) / Double(values.count), pooled: nil, interval: nil,
      bySubject: Dictionary(uniqueKeysWithValues: people), undefinedClips: 0, clips: values.count,
      undefined: "never", isListed: true, margin: margin)
  }

  private static func report(_ now: RunResults, since before: RunResults? = nil) throws -> RunReport {
    try RunReport(
      now, run: RunReport.Run(name: "run", created: "2026-03-01T10:00:00Z", origin: nil),
      baseline: before.map { Baseline($0) })
  }

  private static func report(names: [String]) throws -> RunReport {
    try RunReport(
      results(count: 3, names: names), run: RunReport.Run(name: "run", created: "2026-03-01T10:00:00Z", origin: nil),
      baseline: Baseline(results(count: 5, names: names)))
  }

  /// Each name takes 10 bytes escaped for 4, and one more stands in the summary: five clips are more than 60 kB, two are
  /// 30 kB.
  @Test func aPullRequestsFormFitsWhateverClipsAreCalled() throws {
    let names = (0..<30).map { String(repeating: "<b>|", count: 1000) + "\($0)" }
    let text = try Self.report(names: names).pullRequest()
    #expect(text.utf8.count <= 65_536)
    #expect(
      text.hasPrefix(
        "### sample: REGRESSION: count error 0.000 → 2.000 reps, worse for 30 of 30 people\n"))
    #expect(text.contains("\nand 28 more that are wrong or changed\n"))
    #expect(!text.contains("<b>"))
  }

  @Test func aClipsNameStartsNothingInAnyForm() throws {
    let names = ["<script>alert(1)</script>", "](javascript:a) @octocat", "a|b\u{1B}[2J"] + (0..<27).map { "c\($0)" }
    let report = try Self.report(names: names)
    let html = try report.html()
    #expect(!html.contains("<script>alert") && html.contains("&lt;script&gt;alert(1)"))
    // The page's own script sorts tables, and its policy allows no other.
    #expect(html.components(separatedBy: "<script").count == 2 && html.contains("; script-src 'sha256-"))
    let short = try report.pullRequest()
    #expect(!short.contains("<script") && !short.contains("@octocat"))
    // A bracket that is escaped ends no link.
    #expect(!short.replacing("\\]", with: "").contains("](javascript"))
    for text in [html, short, report.terminal.text] { #expect(!text.contains("\u{1B}")) }
  }

  @Test func theVerdictIsFirstAndSaysForWhom() throws {
    let report = try Self.report(names: (0..<30).map { "c\($0)" })
    let comment = report.model([], for: .comment(clips: 5)).sections
    #expect(comment.count > 1 && !comment[0].isFolded && comment.dropFirst().allSatisfy(\.isFolded))
    let model = report.model([], for: .file)
    #expect(model.outcome == "REGRESSION" && model.isRegression)
    #expect(model.title == "count error 0.000 → 2.000 reps, worse for 30 of 30 people")
    #expect(model.summary[0] == "Counts right on 0 of 30 clips, 30 fewer than in the baseline (30).")
    #expect(model.summary[1] == "Look first at c0: counter counted 5 → 3, true 5.")
    let changed = try #require(model.sections.first { $0.anchor == "people" })
    #expect(
      changed.items == [
        "count error (count.mae) of counter is worse by 2.000 reps (gain −2.000, 95 % −2.000 to −2.000): worse for 30 of 30 "
          + "people (s0, s1, s10, s11, s12 and 25 more)."
      ])
    // Everyone lost two reps.
    #expect(changed.table?.rows.count == 30 && changed.table?.rows[0].cells.map(\.text) == ["s0", "0", "2", "−2"])
    let clips = try #require(model.sections.first { $0.anchor == "clips" })
    #expect(clips.table?.rows.count == 10 && clips.notes == ["and 20 more that are wrong or changed"])
    #expect(
      clips.table?.rows.first?.cells.map(\.text) == [
        "c0", "s0", "unknown", "3", "5", "n/a", "counted 5 → 3, true 5, farther",
      ])
    #expect(model.sections.contains { $0.texts.contains { $0.hasPrefix("All clips are alike") } })
  }

  /// All forms have the sentences and rows of one model.
  @Test func everyFormSaysTheSame() throws {
    let report = try Self.report(names: (0..<30).map { "c\($0)" })
    let (html, terminal, short) = (try report.html(), report.terminal.text, try report.pullRequest())
    let file =
      try report.files().first { $0.name == "report.md" }.map { String(decoding: $0.data, as: UTF8.self) } ?? ""
    let model = report.model([], for: .terminal)
    let sections = model.sections.filter(\.isShort).flatMap { $0.texts + $0.items }
    for sentence in [model.title] + model.summary + sections {
      for (form, text) in [("page", html), ("terminal", terminal), ("comment", short), ("file", file)] {
        #expect(text.contains(sentence), "\(form): \(sentence)")
      }
    }
    let row = "count error (count.mae) of counter"
    for text in [html, terminal, short, file] { #expect(text.components(separatedBy: row).count > 2) }
    // On a page every clip can be found, in the other forms the ten to look at first.
    #expect(html.matches(of: /<tr data-wrong data-changed data-view="unknown" data-person="data\/s\d+">/).count == 30)
    #expect(file.matches(of: /\n\| c\d+ \|/).count == 10 && file.contains("\nand 20 more that are wrong or changed\n"))
    // The picture of who changed comes before any section, light and dark.
    let picture = try #require(
      file.range(
        of: "srcset=\"changes-dark.png\"><img src=\"changes.png\" alt=\"Count error better for none of 30 people"))
    #expect(picture.lowerBound < (try #require(file.range(of: "\n## "))).lowerBound)
  }

  @Test func onlyWhereSomethingCountsAreClipsCalledRight() throws {
    func texts(_ kind: String) throws -> [String] {
      var results = Self.results(count: 5, names: ["a"])
      results.detectors[0].kind = kind
      let report = try RunReport(
        results, run: RunReport.Run(name: "run", created: "2026-03-01T10:00:00Z", origin: nil), baseline: nil,
        reasonWithoutBaseline: "nobody made one")
      return [
        try report.files().filter { $0.name == "report.md" }.map { String(decoding: $0.data, as: UTF8.self) }.joined(),
        try report.html(), report.terminal.text,
      ]
    }
    for text in try texts("reps") { #expect(text.contains("Every labelled clip is counted right")) }
    for text in try texts("swing") {
      #expect(!text.contains("counted right") && text.contains("No clip has labels"))
    }
    for text in try texts("other") { #expect(!text.contains("counted right") && !text.contains("Worst clip")) }
  }

  /// What no checkout has must be imported first, and be told by its hash.
  @Test func theCommandsBringInWhatIsNotInTheRepository() throws {
    var results = Self.results(count: 5, names: ["a"])
    func commands() throws -> [String] {
      let report = try RunReport(
        results, run: RunReport.Run(name: "run", created: "", origin: nil), baseline: nil)
      return report.model([], for: .file).sections.flatMap(\.commands)
    }
    #expect(try commands() == ["bench run --suite sample"])
    results.datasets[0].isImported = true
    #expect(
      try commands() == [
        "# data version 1, content sha256:one: not in the repository", "bench dataset import --from path/to/data",
        "bench run --suite sample",
      ])
  }

  /// Of twelve people everyone lost or gained 1 in three metrics. In two others half of them lost 1 and half gained 0.5,
  /// or the other way round, which may be chance.
  @Test func clearLossesComeFirstAndWhatMayBeChanceLast() throws {
    func values(_ first: Double, _ second: Double) -> [Double] { (0..<12).map { $0 % 2 == 0 ? first : second } }
    func metrics(_ changes: [(Double, Double)]) -> [RunResults.MetricResult] {
      let names: [(String, Metric.Direction, Double?)] = [
        ("reps.f1", .higherIsBetter, nil), ("reps.recall", .higherIsBetter, nil),
        ("reps.precision", .higherIsBetter, nil), ("count.mae", .lowerIsBetter, nil),
        ("count.exact", .higherIsBetter, 0.5),
      ]
      return zip(names, changes).map { Self.metric($0.0, $0.1, values($1.0, $1.1), margin: $0.2) }
    }
    var before = Self.results(counts: [Int](repeating: 5, count: 12))
    var now = before
    before.metrics = metrics([(10, 10), (10, 10), (10, 10), (10, 10), (10, 10)])
    now.metrics = metrics([(11, 9.5), (9, 10.5), (11, 11), (11, 11), (9, 9)])
    let report = try Self.report(now, since: before)
    let sentences = report.changes
    let named = sentences.map { $0.firstMatch(of: #/\((\S+)\) of counter/#).map { String($0.output.1) } }
    #expect(named == ["count.exact", "count.mae", "reps.precision", "reps.recall", "reps.f1"])
    #expect(sentences.map { $0.hasSuffix(" It may be chance.") } == [false, false, false, true, true])
    // Three are open, the others a click away.
    let sections = report.model([], for: .file).sections
    #expect(sections.first { $0.anchor == "people" }?.items == Array(sentences.prefix(3)))
    let others = try #require(sections.first { $0.heading == "2 more metrics that changed" })
    #expect(others.items == Array(sentences.suffix(2)) && others.isFolded)
    // Green and red are for what is clear alone.
    let row = #/<tr class="(better|worse)"><th scope="row"><a href="#each-person">[^<]*\((\S+)\) of counter</#
    let coloured = try report.html().matches(of: row).map { "\($0.output.1) \($0.output.2)" }
    #expect(coloured == ["better reps.precision", "worse count.mae", "worse count.exact"])
  }

  /// Counts of clips with five reps each.
  @Test func rightCountsAreComparedWithTheBaselines() throws {
    func finding(_ before: [Int], _ now: [Int]) throws -> String {
      try Self.report(Self.results(counts: now), since: Self.results(counts: before)).conclusion.finding
    }
    #expect(try finding([5, 3], [5, 3]) == "Counts right on 1 of 2 clips, as in the baseline.")
    #expect(
      try finding([5, 3], [3, 5]) == "Counts right on 1 of 2 clips, as many as in the baseline but on other clips.")
    #expect(try finding([5, 3, 3], [5, 5, 5]) == "Counts right on 3 of 3 clips, 2 more than in the baseline (1).")
    #expect(try finding([5, 5, 5], [3, 5, 5]) == "Counts right on 2 of 3 clips, 1 fewer than in the baseline (3).")
    // Of a clip of another exercise it has no count, which is no lack of a label.
    var others = Self.results(counts: [5, 5, 3])
    others.clips[1].outcomes = [:]
    #expect(try Self.report(others).conclusion.finding == "Counts right on 1 of 2 clips.")
    others.clips[0].trueCount = nil
    #expect(
      try Self.report(others).conclusion.finding
        == "Counts right on 0 of 1 clip. 1 clip without a labelled count.")
  }

  /// All of another detector's counts are wrong now. The counts of the shown one, which all stay right, bear its name.
  @Test func theResultNamesItsDetectorBesideAVerdictOnAnother() throws {
    func results(_ share: Double) -> RunResults {
      var results = Self.results(counts: [Int](repeating: 5, count: 12))
      results.detectors.append(
        RunResults.DetectorCard(name: "other", kind: "reps", summary: "", parameters: [:], changed: []))
      var watched = Self.metric("count.exact", .higherIsBetter, [Double](repeating: share, count: 12))
      watched.detector = "other"
      results.metrics.append(watched)
      return results
    }
    let report = try Self.report(results(0), since: results(1))
    #expect(report.title.hasPrefix("other collapsed: "), "\(report.title)")
    let named = "counter counts right on 12 of 12 clips, as in the baseline."
    #expect(report.conclusion.finding == named && report.model([], for: .comment(clips: 5)).summary.first == named)
  }

  /// The second clip is of an exercise that nobody does there: nothing is counted right in it, now or before.
  @Test func clipsWithoutTheExerciseAreNoRightCounts() throws {
    func results(_ counts: [Int]) -> RunResults {
      var results = Self.results(counts: counts)
      results.clips[1].exercise = "walk"
      results.clips[1].trueCount = nil
      results.negatives = ["walk"]
      return results
    }
    let finding = try Self.report(results([5, 2]), since: results([3, 0])).conclusion.finding
    #expect(finding == "Counts right on 1 of 1 clip, 1 more than in the baseline (0).")
  }

  /// Two reps are counted in the 30 s of a walk: 4 a minute. Where time within another clip is negative too, these are
  /// not all of its phantoms, nor its length all of that time.
  @Test func phantomsOfLessThanAMinuteAreCounted() throws {
    var results = Self.results(counts: [5, 2])
    (results.clips[1].exercise, results.clips[1].trueCount, results.clips[1].duration) = ("walk", nil, 30)
    results.negatives = ["walk"]
    results.metrics.append(Self.metric("count.phantoms", .lowerIsBetter, [4]))
    let few = try Self.report(results).conclusion.finding
    #expect(few.contains("Counts 2 reps in 30 s while nobody does the exercise."), "\(few)")
    results.metrics[1].clips = 2
    let rate = try Self.report(results).conclusion.finding
    #expect(rate.contains("Counts 4 reps a minute while nobody does the exercise."), "\(rate)")
  }

  /// The second clip is of another exercise, the third lacks a label.
  @Test func onlyClipsThatTheDetectorGetsLackALabel() throws {
    var results = Self.results(counts: [5, 5, 5])
    results.clips[1].outcomes["counter"] = nil
    results.clips[2].trueCount = nil
    let finding = try Self.report(results).conclusion.finding
    #expect(finding == "Counts right on 1 of 1 clip. 1 clip without a labelled count.")
  }

  /// The suite's own datasets may have a clip of the same name.
  @Test func aClipOfOtherDatasetsIsNamedWithItsOwn() throws {
    var results = Self.results(counts: [1, 5])
    results.replacesDatasets = true
    let next = try Self.report(results).conclusion.next
    #expect(next.map(\.command) == ["bench replay data/c0 --suite sample --chart"])
  }

  /// The first clip was off by four before and is so now, the second was right and is off by one, the third is closer to
  /// the true count than it was, the last is right.
  @Test func whatBrokeStandsBeforeWhatIsWorst() throws {
    let report = try Self.report(Self.results(counts: [1, 4, 4, 5]), since: Self.results(counts: [1, 5, 3, 5]))
    #expect(report.listedClips.map(\.name) == ["c1", "c0", "c2", "c3"])
    #expect(report.firstClip == "Look first at c1: counter counted 5 → 4, true 5.")
    let rows = try report.html().matches(of: #/<tr data-[^>]*><th scope="row">(c\d)</#).map { String($0.output.1) }
    #expect(rows == ["c1", "c0", "c2", "c3"])
  }

  /// Ten clips from the front, of which two are right, and ten from the side, of which all are; the worst is off by four.
  /// Half of one score survives noise, and a quarter of another the loss of frames.
  @Test func theConclusionSaysWhereAndUnderWhatItIsWeakest() throws {
    var results = Self.results(counts: (0..<20).map { $0 == 4 ? 1 : $0 < 2 || $0 >= 10 ? 5 : 3 })
    for index in results.clips.indices { results.clips[index].view = index < 10 ? "front" : "side" }
    let most = "Counts right on 12 of 20 clips. Most errors: front views (2 of 10 right)."
    #expect(try Self.report(results).conclusion.finding == most)
    func ladder(_ metric: String, _ text: String, from before: Double, to after: Double) -> Robustness.Ladder {
      func score(_ value: Double) -> Robustness.Score {
        Robustness.Score(Self.metric(metric, .higherIsBetter, [value]))
      }
      return Robustness.Ladder(
        perturbation: text, axis: "", detector: "counter", metric: metric, unit: "", direction: .higherIsBetter,
        margin: nil, undisturbed: score(before),
        steps: [Robustness.Step(text: text, strength: 1, score: score(after))])
    }
    results.robustness = Robustness(
      seed: 1,
      ladders: [
        ladder("count.exact", "noise=2%", from: 1, to: 0.5), ladder("reps.f1", "drop=50%", from: 0.8, to: 0.2),
        ladder("reps.recall", "jitter=5ms", from: 1, to: 0.9),
      ])
    let conclusion = try Self.report(results).conclusion
    let weakest = "Weakest under drop=50%: \(Metric.plainName(of: "reps.f1")) of counter 0.800 → 0.200, 25 % survives."
    #expect(conclusion.finding == "\(most) \(weakest)")
    // The command needs the detector's name only if it is not the suite's first.
    #expect(conclusion.next.map(\.command) == ["bench replay c4 --suite sample --chart"])
    results.detectors.insert(
      RunResults.DetectorCard(name: "grader", kind: "form", summary: "", parameters: [:], changed: []), at: 0)
    let next = try Self.report(results).conclusion.next
    #expect(next.map(\.command) == ["bench replay c4 --suite sample --detector counter --chart"])
    (results.detectors[1].parameters, results.detectors[1].changed) = (["low": 0.5, "high": 2], ["low"])
    results.smoothing = "average:5"
    let changed = try Self.report(results).conclusion.next
    #expect(
      changed.map(\.command) == [
        "bench replay c4 --suite sample --detector counter --set \(results.detectors[1].kind).counter.low=0.5 "
          + "--smooth average:5 --chart"
      ])
  }

  /// What a reader must know of the data stands before any number, in each form.
  @Test func everyFormHasTheWarnings() throws {
    var results = Self.results(counts: [5, 3])
    results.datasets[0].caveat = "Filmed indoors."
    var made = results.datasets[0]
    (made.name, made.origin, made.caveat) = ("made", .synthetic, nil)
    results.datasets.append(made)
    let report = try Self.report(results)
    let terminal = report.terminal.text
    #expect(terminal.contains("\nNote: data: Filmed indoors.\nSYNTHETIC: made: generated motion, not real people.\n"))
    let note = "> **Note.** data: Filmed indoors.\n\n> **SYNTHETIC.** made: generated motion, not real people.\n"
    #expect(try report.pullRequest().contains("\n\(note)"))
    let file = try #require(try report.files().first { $0.name == "report.md" })
    #expect(String(decoding: file.data, as: UTF8.self).contains("\n\(note)"))
    let html = try report.html()
    #expect(html.contains("<summary><b>Note:</b> data</summary>data: Filmed indoors.</details>"))
    #expect(
      html.contains(
        "<summary><b>SYNTHETIC:</b> made is generated data, not real people</summary>made: generated motion, not real "
          + "people.</details>"))
    // A dataset of people without a caveat needs no warning.
    results.datasets = [results.datasets[0]]
    results.datasets[0].caveat = nil
    #expect(try !Self.report(results).html().contains("class=\"warning\""))
  }

  @Test func withoutABaselineThereIsNoVerdictButAReason() throws {
    let report = try RunReport(
      Self.results(count: 3, names: ["a"]), run: RunReport.Run(name: "run", created: "", origin: nil), baseline: nil,
      reasonWithoutBaseline: "nobody made one")
    let model = report.model([], for: .file)
    #expect(model.outcome == "NO VERDICT" && model.title == "Counts right on 0 of 1 clip")
    #expect(model.summary.last == "Not compared: nobody made one.")
    #expect(model.sections.first { $0.anchor == "metrics" }?.table?.header == ["metric", "now (95 %)", "margin"])
  }
}

extension [TextBlock] {
  /// All that a terminal shows of them.
  var text: String {
    map { block in
      switch block {
      case .heading(let text), .paragraph(let text), .item(let text), .code(let text): text
      case .table(let rows): rows.map { $0.joined(separator: " ") }.joined(separator: "\n")
      case .gap, .labelled, .step, .columns: ""
      }
    }.joined(separator: "\n")
  }
}
