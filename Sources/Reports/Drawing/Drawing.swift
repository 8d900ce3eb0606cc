import Datasets
import Evaluation
import Foundation
import Plots

/// A chart that `bench draw` makes of what is stored: its name, what it needs, and how it is made.
///
/// Each is a file of its own, `Drawing+<Name>.swift`, and stands in `all`.
public struct Drawing: Sendable {
  /// A picture of it, and what a reader must know of how it came to be.
  public struct Picture: Sendable {
    /// What tells it from others of the same drawing, for file names; empty where there is one only.
    public var part: String
    public var chart: any Chart
    /// Printed, a sentence each.
    public var notes: [String]
    /// For the file's text chunks.
    public var metadata: [(key: String, value: String)]

    /// - Parameter picture: of a report, of which there are so many.
    init(
      _ picture: ReportPicture, of count: Int, notes: [String] = [], metadata: [(key: String, value: String)]
    ) {
      self.init(
        picture.chart, part: count > 1 ? picture.file.trimmingSuffix(".png") : "", notes: notes, metadata: metadata)
    }

    init(
      _ chart: any Chart, part: String = "", notes: [String] = [], metadata: [(key: String, value: String)]
    ) {
      (self.part, self.chart, self.notes, self.metadata) = (part, chart, notes, metadata)
    }

    /// `counts.png`, `confusion-swing-peaks.png`
    public func file(of drawing: Drawing) -> String {
      part.isEmpty ? "\(drawing.name).png" : "\(drawing.name)-\(part).png"
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
  private let make: @Sendable (DrawingMaterial) throws -> [Picture]

  init(
    _ name: String, _ summary: String, needs: String, takes: Set<Choice>,
    make: @escaping @Sendable (DrawingMaterial) throws -> [Picture]
  ) {
    (self.name, self.summary, self.needs, self.takes, self.make) = (name, summary, needs, takes, make)
  }

  /// - Returns: at least one picture.
  /// - Throws: `EvaluationError.missing` where what is stored lacks what the chart needs, `DataError` where it can't be
  ///   read, `EvaluationError.usage` for options that pick nothing.
  public func pictures(of material: DrawingMaterial) throws -> [Picture] { try make(material) }

  /// In the order in which they are listed.
  public static let all: [Drawing] = [
    .counts, .errors, .subjects, .grades, .limits, .raters, .confusion, .roc, .precisionRecall, .reliability, .latency,
    .timeline, .timelines, .skeletons, .swing, .gains, .changes, .robustness, .history, .sweep, .tuning, .power,
    .selftest, .card,
  ]

  /// - Throws: `EvaluationError.usage` where something is asked for that none of the charts takes, or of a chart that a
  ///   file holds already.
  public static func require(_ choices: Set<Choice>, of drawings: [Drawing]) throws {
    for choice in Choice.allCases where choices.contains(choice) {
      guard !drawings.contains(where: { $0.takes.contains(choice) }) else { continue }
      let takers = all.filter { $0.takes.contains(choice) }.map(\.name)
      throw EvaluationError.usage(
        "--\(choice.rawValue): expected a chart that takes it, as \(takers.joined(separator: ", ")), found "
          + drawings.map(\.name).joined(separator: ", "))
    }
    for drawing in drawings where choices.contains(.from) && drawing.takes.isSuperset(of: [.from, .run]) {
      guard let extra = Choice.allCases.first(where: { [.run, .with].contains($0) && choices.contains($0) }) else {
        continue
      }
      throw EvaluationError.usage(
        "\(drawing.name): expected --from, whose file holds both sides, or --run and --with, found --from and "
          + "--\(extra.rawValue)")
    }
  }

  /// - Throws: `EvaluationError.usage` with the near names.
  public static func named(_ name: String) throws -> Drawing {
    let names = all.map(\.name)
    guard let drawing = all.first(where: { $0.name == name }) else {
      throw EvaluationError.usage(
        "expected one of the charts \(names.joined(separator: ", ")), found \(NearNames.question(name, in: names))")
    }
    return drawing
  }
}
