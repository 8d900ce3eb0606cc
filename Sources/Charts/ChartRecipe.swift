import Evaluation
import Files

/// How a chart is made of what is stored: its name, what it needs, and what `bench draw` and the report of a run show of
/// it.
///
/// Each stands in the file of its chart, and here in `all`.
public struct ChartRecipe: Sendable {
  /// In the order in which they are listed.
  public static let all: [ChartRecipe] = [
    .counts, .errors, .subjects, .grades, .limits, .raters, .confusion, .roc, .precisionRecall, .reliability, .latency,
    .timeline, .timelines, .skeletons, .swing, .gains, .changes, .robustness, .history, .sweep, .tuning, .power,
    .selftest, .card,
  ]

  /// A picture of a chart, and what a reader must know of how it came to be.
  public struct Picture: Sendable {
    /// What tells it from others of the same recipe, for file names; empty where there is one only.
    public var part: String
    public var chart: any Chart
    /// Printed, a sentence each.
    public var notes: [String]
    /// For the file's text chunks.
    public var metadata: [(key: String, value: String)]

    init(_ chart: any Chart, part: String = "", notes: [String] = [], metadata: [(key: String, value: String)]) {
      (self.part, self.chart, self.notes, self.metadata) = (part, chart, notes, metadata)
    }

    /// - Parameter picture: of a report, of which there are so many.
    init(_ picture: ReportPicture, of count: Int, notes: [String] = [], metadata: [(key: String, value: String)]) {
      self.init(picture.chart, part: count > 1 ? picture.name : "", notes: notes, metadata: metadata)
    }

    /// `counts.png`, `confusion-swing-peaks.png`
    public func file(of recipe: ChartRecipe) -> String {
      PortableName.near(part.isEmpty ? "\(recipe.name).png" : "\(recipe.name)-\(part).png")
    }
  }

  /// What may be asked for of a chart.
  public enum Choice: String, CaseIterable, Sendable {
    case run, with, detector, clip, metric, from, set, dataset
  }

  public let name: String
  /// One sentence.
  public let summary: String
  /// What it is made of and which options pick it.
  public let needs: String
  /// What may be asked for; anything else would be silently without effect.
  public let takes: Set<Choice>
  private let inReport: @Sendable (ReportedRun) -> [ReportPicture]
  private let make: @Sendable (ChartContext) throws -> [Picture]

  /// - Parameter inReport: what a run's report shows of it.
  init(
    _ name: String, _ summary: String, needs: String, takes: Set<Choice>,
    inReport: @escaping @Sendable (ReportedRun) -> [ReportPicture] = { _ in [] },
    make: @escaping @Sendable (ChartContext) throws -> [Picture]
  ) {
    (self.name, self.summary, self.needs, self.takes) = (name, summary, needs, takes)
    (self.inReport, self.make) = (inReport, make)
  }

  /// - Returns: at least one picture.
  /// - Throws: `EvaluationError.missing` where what is stored lacks what the chart needs, `DataError` where it can't be
  ///   read, `EvaluationError.usage` for options that pick nothing.
  public func pictures(of context: ChartContext) throws -> [Picture] { try make(context) }

  /// The charts that a run's results have something for, in the order of its report.
  public static func pictures(of run: ReportedRun) -> [ReportPicture] {
    let pictures = all.flatMap { $0.inReport(run) }
    return ReportPicture.Part.allCases.flatMap { part in pictures.filter { $0.part == part } }
  }

  /// - Throws: `EvaluationError.usage` where something is asked for that none of the charts takes, or of a chart that a
  ///   file holds already.
  public static func require(_ choices: Set<Choice>, of recipes: [ChartRecipe]) throws {
    for choice in Choice.allCases where choices.contains(choice) {
      guard !recipes.contains(where: { $0.takes.contains(choice) }) else { continue }
      let takers = all.filter { $0.takes.contains(choice) }.map(\.name)
      throw EvaluationError.usage(
        "--\(choice.rawValue): expected a chart that takes it, as \(takers.joined(separator: ", ")), found "
          + recipes.map(\.name).joined(separator: ", "))
    }
    for recipe in recipes where choices.contains(.from) && recipe.takes.isSuperset(of: [.from, .run]) {
      guard let extra = Choice.allCases.first(where: { [.run, .with].contains($0) && choices.contains($0) }) else {
        continue
      }
      throw EvaluationError.usage(
        "\(recipe.name): expected --from, whose file holds both sides, or --run and --with, found --from and "
          + "--\(extra.rawValue)")
    }
  }

  /// - Throws: `EvaluationError.usage` with the near names.
  public static func named(_ name: String) throws -> ChartRecipe {
    let names = all.map(\.name)
    guard let recipe = all.first(where: { $0.name == name }) else {
      throw EvaluationError.usage(
        "expected one of the charts \(names.joined(separator: ", ")), found \(NearNames.question(name, in: names))")
    }
    return recipe
  }
}

/// A run as its report shows it.
public struct ReportedRun: Sendable {
  public var results: RunResults
  /// The clips that the report shows one by one.
  public var replayed: [ReplayedClip]
  /// Above each of them: `cleo_1: counted 0, true 1`.
  public var headings: [String]

  public init(_ results: RunResults, replayed: [ReplayedClip], headings: [String]) {
    (self.results, self.replayed, self.headings) = (results, replayed, headings)
  }
}

/// A chart in a report, and where it stands.
public struct ReportPicture: Sendable {
  /// Where in a report it stands, in this order.
  public enum Part: Hashable, CaseIterable, Sendable {
    case clip, allClips, robustness, latency
  }

  /// Within the report's folder; a portable name.
  public let file: String
  public var heading: String
  public var chart: any Chart
  public var part: Part
  /// Whether readers open it themselves where there is little room.
  public var isFolded: Bool
  /// Whether readers open it themselves where there is room too.
  public var isAside: Bool

  public init(
    file: String, heading: String, chart: any Chart, part: Part = .allClips, isFolded: Bool = true,
    isAside: Bool = false
  ) {
    // A part of it may be a detector's name, and a foreign store may hold any text as one.
    (self.file, self.heading, self.chart, self.part) = (PortableName.near(file), heading, chart, part)
    (self.isFolded, self.isAside) = (isFolded, isAside)
  }

  /// What it shows, for those who do not see it.
  public var alternative: String { "\(chart.title): \(chart.subtitle)" }

  /// The file's name without its extension.
  var name: String { file.hasSuffix(".png") ? String(file.dropLast(4)) : file }
}
