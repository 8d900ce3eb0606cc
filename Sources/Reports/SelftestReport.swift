import Charts
import Evaluation
import Files
import Foundation
import Statistics

/// The report of a self-test of the gate.
public struct GateSelftestReport: Sendable {
  public let selftest: GateSelftest

  public init(_ selftest: GateSelftest) { self.selftest = selftest }

  /// The number of settings and simulations, and the claimed error rates.
  public var headline: String { selftest.headline }

  /// A row for each kind of gains and number of subjects, with its worst correlation; the first row names the columns.
  public var table: [[String]] {
    let alarms = GateSimulation.gatingMetrics.map { $0 == 1 ? "false alarm: 1 metric" : "\($0)" }
    return [
      ["gains", "people"] + alarms
        + ["wrong pass", "1 SD loss found", "any of 8", "1 SD loss stops", "harmless stops: 0, ¼, ½ margin lost", ""]
    ] + selftest.groups.map(row)
  }

  private func row(_ group: GateSelftest.Group) -> [String] {
    func cell(_ rate: Double?) -> String { rate.map(GateSelftest.percent) ?? "" }
    var alarms = GateSimulation.gatingMetrics.map { count in
      cell(group.falseAlarm(metrics: count)) + (group.outOfReach[count] == nil ? "" : "*")
    }
    // Settings from a suite have as many gating metrics as the suite.
    let own = group.results.first?.rates.falseRegressions.keys.first { !GateSimulation.gatingMetrics.contains($0) }
    if let own { alarms[0] = "\(cell(group.falseAlarm(metrics: own))) with \(own)" }
    let holds = group.results.allSatisfy(selftest.holds)
    return [group.gains, "\(group.subjects)"] + alarms + [
      group.isRefused ? "refused" : cell(group.highestWrongPass) + (group.passOutOfReach == nil ? "" : "*"),
      cell(group.shownLoss), cell(group.shownOfEight), cell(group.stoppedLoss),
      group.stoppedHarmless.map(GateSelftest.percent).joined(separator: ", "), holds ? "" : "NOT AS CLAIMED",
    ]
  }

  /// The gate's rule compared with other rules: worst error rates in the settings with a claimed rate, and detected
  /// losses.
  public var rules: [[String]] {
    let counts = GateSimulation.gatingMetrics.map { $0 == 1 ? "false alarm: 1 metric" : "\($0)" }
    let people = GateSelftest.comparedPeople.map { "\($0)" }
    let losses = ["1 SD loss found", "any of 8"].flatMap { what in
      people.prefix(1).map { "\(what): \($0) people" } + people.dropFirst()
    }
    let rows = selftest.ruleRates.map { rule in
      let rates = rule.falseAlarms + [rule.wrongPass] + rule.shownLosses + rule.shownOfEight
      return [rule.name ?? "this gate"] + rates.map { $0.map(GateSelftest.percent) ?? "" }
    }
    let header = ["rule"] + counts + ["wrong pass"] + losses
    return [header] + rows
  }

  /// The errors with any number of looks, a row for each kind of gains; the first row names the columns.
  public var looks: [[String]] {
    let rows = (selftest.sequential?.errors ?? []).map { errors in
      [
        errors.gains,
        (errors.falseRegressions.map(GateSelftest.percent) ?? "") + (errors.regressionsOutOfReach == nil ? "" : "*"),
        GateSelftest.percent(errors.wrongPasses) + (errors.passesOutOfReach == nil ? "" : "*"),
        selftest.holds(errors) ? "" : "NOT AS CLAIMED",
      ]
    }
    return [
      [
        "any number of looks up to \(SequentialSimulation.mostSubjects) people", "ever a false alarm",
        "ever a wrong pass", "",
      ]
    ]
      + rows
  }

  /// The people that decisions need with one look and with any number, a row for each effect.
  public var lookedAtPeople: [[String]] {
    func cell(_ average: Double, _ one: Int) -> String {
      "\(NumberText.plain(average, decimals: 1)) (\(NumberText.plain(100 * average / Double(one), decimals: 0)) %)"
    }
    let rows = (selftest.sequential?.people ?? []).map { people in
      [
        NumberText.plain(people.effect), "\(people.oneLookToShow)", cell(people.averageToShow, people.oneLookToShow),
        "\(people.oneLookToPass)", cell(people.averageToPass, people.oneLookToPass),
      ]
    }
    return [
      ["loss beyond the margin, or margin, in SD", "people to show it: one look", "any", "to pass: one look", "any"]
    ]
      + rows
  }

  /// The settings without a claimed rate, with the reasons, one sentence each.
  var unclaimed: [String] {
    let passes = selftest.groups.compactMap { group in
      group.passOutOfReach.map {
        "No rate of wrong passes is claimed for \(group.gains), \(group.subjects) people: \($0)."
      }
    }
    let looks = (selftest.sequential?.errors ?? []).flatMap { errors in
      [("false alarms", errors.regressionsOutOfReach), ("wrong passes", errors.passesOutOfReach)].compactMap {
        what, reason in
        reason.map { "With any number of looks no rate of \(what) is claimed for \(errors.gains): \($0)." }
      }
    }
    return passes + looks
      + selftest.groups.filter { !$0.outOfReach.isEmpty }.map { group in
        let counts = group.outOfReach.sorted { $0.key < $1.key }
        let reasons =
          Set(counts.map(\.value)).count == 1
          ? counts.prefix(1).map(\.value) : counts.map { "with \($0.key) metric\($0.key == 1 ? "" : "s") \($0.value)" }
        return "No false alarm rate is claimed for \(group.gains), \(group.subjects) people: "
          + "\(reasons.joined(separator: "; "))."
      }
  }

  /// The claims besides the error rates.
  private var claims: String {
    func percent(_ share: Double) -> String { "\(NumberText.plain(100 * share, decimals: 0)) %" }
    let harmless = GateSelftest.mostHarmlessStopped.sorted { $0.key < $1.key }
      .map { "at most \(percent($0.value)) from \($0.key) people on" }
    return "Claimed besides the error rates: of 1 SD losses at least \(percent(GateSelftest.leastStopped)) stop, from "
      + "\(GateSelftest.fewestForStops) people on; of changes that lose at most a quarter of the margin "
      + "\(harmless.joined(separator: ", "))."
  }

  /// The conclusion of the self-test.
  public var verdict: String {
    selftest.holds
      ? "all rates stay within their limits in every setting, and no missing part passes"
      : "not all rates of the gate are as claimed"
  }
}

extension GateSelftestReport {
  public var study: StudyReport {
    get throws {
      StudyReport(
        kind: "selftest", suite: selftest.suite, version: selftest.bench, datasets: [], content: content,
        pictures: selftest.pictures, json: try stableJSON(selftest),
        marks: (selftest.datasets ?? [:]).isEmpty ? [] : [("Content", contentWords)])
    }
  }

  /// `squat-sample sha256:…`, as in the metadata of a run's pictures.
  private var contentWords: String {
    (selftest.datasets ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  private var content: StudyContent {
    var model = StudyContent()
    model.title = "self-test of the gate"
    model.summary = ["\(verdict.prefix(1).uppercased() + verdict.dropFirst()).", "\(headline)."]
    model.sections = [
      SectionModel(heading: "Error rates", table: TableModel(table)),
      SectionModel(heading: "The gate's rule compared with others", table: TableModel(rules)),
      SectionModel(heading: "Any number of looks", table: TableModel(looks)),
      SectionModel(heading: "People needed", table: TableModel(lookedAtPeople)),
      SectionModel(
        heading: "Missing parts never pass",
        table: TableModel(
          [["missing", "verdict"]] + selftest.failingClosed.dropFirst().map { [$0.what, $0.answer] })
      ),
    ]
    model.method = [
      "A false alarm is a regression on any metric if the true mean gain is 0 and no loss is accepted. A wrong pass is a "
        + "pass if the true loss equals the margin. A 1 SD loss is one standard deviation beyond the margin, on the only "
        + "metric or on all of eight. Stopped: a regression, or a loss beyond the margin that is more likely than "
        + "\(NumberText.plain(100 * GateRule.stopAt, decimals: 0)) %; harmless changes have a margin of one standard "
        + "deviation.",
      "With any number of looks, the gate is asked after each person from the eighth to the "
        + "\(SequentialSimulation.mostSubjects)th. People needed: for a power of 80 %; with any number of looks on average.",
      "Each row shows the worst of the simulated correlations between metrics. Other rules run on a twentieth of the "
        + "simulations; their detected losses are for normal gains.",
      "refused: with so few people no change passes. *: no rate is claimed, see below.", claims,
      "All rates are in selftest.json beside this report.",
    ]
    model.limits =
      ["The gains are simulated: the rates describe the gate's rule on such gains, not on a single release."]
      + unclaimed
    return model
  }
}
