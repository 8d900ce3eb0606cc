import Evaluation
import Files
import Pipeline

/// A recipe for a chart from stored data: its name, its input, and its pictures in `bench draw` and a run's report.
///
/// Each recipe is in the file of its chart and listed in `all`.
public struct ChartRecipe: Sendable {
  /// All recipes, in the order of `bench draw --help`.
  public static let all: [ChartRecipe] = [
    .counts, .errors, .coverage, .people, .grades, .limits, .raters, .confusion, .roc, .precisionRecall, .reliability,
    .latency, .timeline, .timelines, .skeletons, .swing, .gains, .changes, .robustness, .history, .sweep, .tuning,
    .power,
    .selftest, .leaderboard, .card,
  ]

  /// A picture of a chart, with notes on its making.
  public struct Picture: Sendable {
    /// Distinguishes pictures of the same recipe in file names; empty if there is only one.
    public var part: String
    public var chart: any Chart
    /// Printed notes, one sentence each.
    public var notes: [String]
    /// The file's text chunks.
    public var metadata: [(key: String, value: String)]

    init(_ chart: any Chart, part: String = "", notes: [String] = [], metadata: [(key: String, value: String)]) {
      (self.part, self.chart, self.notes, self.metadata) = (part, chart, notes, metadata)
    }

    /// - Parameters:
    ///   - picture: A picture of a report.
    ///   - count: The number of pictures in the report.
    init(_ picture: ReportPicture, of count: Int, notes: [String] = [], metadata: [(key: String, value: String)]) {
      self.init(picture.chart, part: count > 1 ? picture.name : "", notes: notes, metadata: metadata)
    }

    /// `counts.png`, `confusion-swing-peaks.png`
    public func file(of recipe: ChartRecipe) -> String {
      PortableName.near(part.isEmpty ? "\(recipe.name).png" : "\(recipe.name)-\(part).png")
    }
  }

  /// An option of a chart.
  public enum Choice: String, CaseIterable, Sendable {
    case run, with, detector, clip, metric, from, set, dataset
  }

  public let name: String
  /// One sentence.
  public let summary: String
  /// Its input data and the options that select it.
  public let needs: String
  /// The options that the chart reads.
  public let takes: Set<Choice>
  private let inReport: @Sendable (ReportedRun) -> [ReportPicture]
  private let make: @Sendable (ChartContext) throws -> [Picture]

  /// - Parameter inReport: Makes the chart's pictures for a run's report.
  init(
    _ name: String, _ summary: String, needs: String, takes: Set<Choice>,
    inReport: @escaping @Sendable (ReportedRun) -> [ReportPicture] = { _ in [] },
    make: @escaping @Sendable (ChartContext) throws -> [Picture]
  ) {
    (self.name, self.summary, self.needs, self.takes) = (name, summary, needs, takes)
    (self.inReport, self.make) = (inReport, make)
  }

  /// A chart of one counter of a run.
  ///
  /// - Parameters:
  ///   - reported: Its picture in a run's report; `nil` for none.
  ///   - chart: Takes the run and the counter.
  init(
    _ name: String, _ summary: String, inReport reported: (file: String, heading: String, isAside: Bool)? = nil,
    ofCounter chart: @escaping @Sendable (RunResults, String) -> any Chart
  ) {
    self.init(
      name, summary, needs: "a run; --detector", takes: [.run, .detector],
      inReport: { run in
        guard let reported, let counter = run.results.counter else { return [] }
        return [
          ReportPicture(
            file: reported.file, heading: reported.heading, chart: chart(run.results, counter),
            isAside: reported.isAside)
        ]
      }
    ) { context in
      let run = try context.storedRun()
      return [Picture(chart(run.results, try context.counter(run.results)), metadata: run.metadata)]
    }
  }

  /// - Returns: At least one picture.
  /// - Throws: `EvaluationError.missing` if data for the chart is missing, `DataError` if it cannot be read,
  ///   `EvaluationError.usage` for options that select nothing.
  public func pictures(of context: ChartContext) throws -> [Picture] { try make(context) }

  /// The charts that a run has data for, in the order of its report.
  public static func pictures(of run: ReportedRun) -> [ReportPicture] {
    let pictures = all.flatMap { $0.inReport(run) }
    return ReportPicture.Part.allCases.flatMap { part in pictures.filter { $0.part == part } }
  }

  /// - Throws: `EvaluationError.usage` for an option that none of the charts accepts, or that contradicts a given file.
  public static func require(_ choices: Set<Choice>, of recipes: [ChartRecipe]) throws {
    for choice in Choice.allCases where choices.contains(choice) {
      guard !recipes.contains(where: { $0.takes.contains(choice) }) else { continue }
      let takers = all.filter { $0.takes.contains(choice) }.map(\.name)
      throw EvaluationError.usage(
        "--\(choice.rawValue): expected a chart that takes it, such as \(takers.joined(separator: ", ")), found "
          + recipes.map(\.name).joined(separator: ", "))
    }
    for recipe in recipes where choices.contains(.from) && recipe.takes.isSuperset(of: [.from, .run]) {
      guard let extra = Choice.allCases.first(where: { [.run, .with].contains($0) && choices.contains($0) }) else {
        continue
      }
      throw EvaluationError.usage(
        "\(recipe.name): expected either --from, whose file has both sides, or --run and --with, found --from and "
          + "--\(extra.rawValue)")
    }
  }

  /// - Throws: `EvaluationError.usage` with the near names.
  public static func named(_ name: String) throws -> ChartRecipe {
    let names = all.map(\.name)
    guard let recipe = all.first(where: { $0.name == name }) else {
      throw EvaluationError.usage(
        "expected a chart of bench draw list, found \(NearNames.question(name, in: names))")
    }
    return recipe
  }
}

/// A run with the parts that its report shows.
public struct ReportedRun: Sendable {
  public var results: RunResults
  /// The clips that the report shows individually.
  public var replayed: [ReplayedClip]
  /// Their headings: `cleo_1: counted 0, true 1`.
  public var headings: [String]

  public init(_ results: RunResults, replayed: [ReplayedClip], headings: [String]) {
    (self.results, self.replayed, self.headings) = (results, replayed, headings)
  }
}

/// A chart in a report, and its place.
public struct ReportPicture: Sendable {
  /// The place in a report, in this order.
  public enum Part: Hashable, CaseIterable, Sendable {
    case clip, allClips, robustness, latency
  }

  /// The file within the report's folder; a portable name.
  public let file: String
  public var heading: String
  public var chart: any Chart
  public var part: Part
  /// The metric that it shows subject by subject; `nil` for none.
  public var change: MetricChange?
  /// Whether it is collapsed at first, and left out of a page.
  public var isAside: Bool

  public init(
    file: String, heading: String, chart: any Chart, part: Part = .allClips, isAside: Bool = false,
    change: MetricChange? = nil
  ) {
    self.change = change
    // A part of it may be a detector's name, which in a foreign store may be any text.
    (self.file, self.heading, self.chart, self.part) = (PortableName.near(file), heading, chart, part)
    self.isAside = isAside
  }

  /// The alternative text.
  public var alternative: String { "\(chart.title): \(chart.subtitle)" }

  /// The file's name without its extension.
  var name: String { file.hasSuffix(".png") ? String(file.dropLast(4)) : file }
}
