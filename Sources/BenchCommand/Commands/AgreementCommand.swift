import ArgumentParser
import Evaluation
import Files
import Reports
import Statistics

struct AgreementCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agreement",
    abstract: "Measure the agreement of two pose estimators, or of a dataset's raters.",
    discussion: "Example: bench agreement raters squat-sample --criterion form",
    subcommands: [Estimators.self, Raters.self])

  struct Estimators: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare one estimator's keypoints with another's on the same clips.",
      discussion: """
        Each estimator is a dataset; clips are matched by name. The first is the reference: a joint agrees if it is \
        within a fifth of the reference's torso. Only joints that both estimators report count. Both need image \
        coordinates.

        Example: bench agreement estimators squats-vision squats-movenet
        """)

    @Argument(help: "The dataset of the reference estimator.") var reference: String
    @Argument(help: "The dataset of the other estimator.") var other: String
    @Flag(help: "Print the agreement as JSON.") var json = false
    @OptionGroup var storage: StoreOptions

    func run() throws {
      let store = try storage.open()
      let catalogue = DatasetCatalogue(project: storage.project, store: store)
      let agreement = try EstimatorAgreement(
        reference: catalogue.dataset(named: reference), other: catalogue.dataset(named: other), in: store)
      if json {
        Terminal.out(String(decoding: try stableJSON(agreement), as: UTF8.self))
        return
      }
      var lines =
        Terminal.opening(agreement.conclusion(of: other, beside: reference)) + [
          "",
          "\(other) against \(reference): \(Terminal.count(agreement.clips.count, "clip")) of "
            + Terminal.count(agreement.subjects, "subject"), "",
        ]
      lines += AgreementCommand.table(agreement.results, undefined: "clip")
      if !agreement.leftOut.isEmpty {
        lines += ["", "left out, in one dataset only: \(agreement.leftOut.joined(separator: ", "))"]
      }
      Terminal.out(lines.joined(separator: "\n"))
    }
  }

  struct Raters: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measure the agreement of a dataset's raters with each other.",
      discussion: "Example: bench agreement raters squat-sample --criterion form")

    @Argument(help: "The dataset.") var dataset: String
    @Option(help: "The graded criterion.") var criterion: String
    @Flag(help: "Print the agreement as JSON.") var json = false
    @OptionGroup var storage: StoreOptions

    func run() throws {
      let store = try storage.open()
      let agreement = try RaterAgreement(
        DatasetCatalogue(project: storage.project, store: store).dataset(named: dataset), criterion: criterion,
        in: store)
      if json {
        Terminal.out(String(decoding: try stableJSON(agreement), as: UTF8.self))
        return
      }
      var lines =
        Terminal.opening(agreement.conclusion) + [
          "",
          "\(dataset), \(criterion): \(agreement.raters.count) raters, \(agreement.rated) graded, "
            + "\(agreement.ratedByAll) by all of them", "",
        ]
      lines += AgreementCommand.table(agreement.results, undefined: "rater")
      let number = { (result: AgreementResult) in
        let value = result.value.map { NumberText.fixed($0, decimals: 3) } ?? "n/a"
        let bounds = result.interval.map {
          " (\(NumberText.fixed($0.low, decimals: 3)) to \(NumberText.fixed($0.high, decimals: 3)))"
        }
        return value + (bounds ?? "")
      }
      let points = { (value: Double?) in value.map { NumberText.fixed($0, decimals: 1) } ?? "n/a" }
      let rows = agreement.pairs.map { pair in
        [
          pair.raters.joined(separator: ", "), number(pair.spearman), number(pair.kappa), points(pair.limits?.bias),
          "\(points(pair.limits?.lower)) to \(points(pair.limits?.upper))",
        ]
      }
      let header = ["raters", "rank correlation", "κ, quadratic", "second − first", "limits of agreement"]
      lines += [""] + Terminal.table([header] + rows, right: [1, 2, 3, 4], indent: 0)
      Terminal.out(lines.joined(separator: "\n"))
    }
  }

  /// The results as lines.
  private static func table(_ results: [AgreementResult], undefined: String) -> [String] {
    let rows = results.map { result in
      [
        result.metric.name, result.value.map { NumberText.value($0, unit: result.metric.unit) } ?? "n/a",
        result.interval.map {
          "\(NumberText.value($0.low, unit: result.metric.unit)) to \(NumberText.value($0.high, unit: result.metric.unit))"
        } ?? "",
        [
          result.metric.plainName, result.metric.unit, result.method ?? "",
          result.undefined == 0 ? "" : "\(Terminal.count(result.undefined, undefined)) n/a",
        ].filter { !$0.isEmpty }.joined(separator: ", "),
      ]
    }
    return Terminal.table([["metric", "value", "95 % interval", ""]] + rows, right: [1, 2], indent: 0)
  }
}
