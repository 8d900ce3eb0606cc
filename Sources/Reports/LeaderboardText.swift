import Charts
import Evaluation
import Files
import Scoring
import Statistics

/// A leaderboard as tables.
public struct LeaderboardText: Sendable {
  public let board: Leaderboard

  public init(_ board: Leaderboard) { self.board = board }

  /// The best detector of each exercise, by the first metric, and what has none.
  public var finding: String {
    let leaders = board.sections.prefix(Self.told).compactMap(best)
    let more = board.sections.count - Self.told
    let missing = Set(board.sections.filter { !$0.isCovered }.map(\.exercise)).sorted()
    let metric = board.metrics.first.map { Metric.plainName(of: $0) } ?? ""
    let sentences = [
      leaders.isEmpty
        ? (missing.count == Set(board.sections.map(\.exercise)).count
          ? "" : "No detector can be ranked: these clips have no labels for \(metric).")
        : "Best \(leaders.joined(separator: "; "))\(more > 0 ? "; and \(more) more below" : "").",
      missing.isEmpty ? "" : "No detector with \(metric) is made for \(missing.joined(separator: ", ")).",
    ]
    return sentences.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The sections that the finding tells.
  private static let told = 3

  /// `on squat: exercise-squat, exact counts 0.972; the next has 0.750`; `nil` without a ranked detector.
  private func best(_ section: Leaderboard.Section) -> String? {
    let ranked = section.rows.filter { $0.place != nil && $0.values.first?.value != nil }
    guard let first = ranked.first, let value = first.values.first else { return nil }
    func text(_ row: Leaderboard.Row) -> String {
      row.values.first.map { NumberText.quantity($0.value, unit: $0.unit) } ?? NumberText.missing
    }
    let metric = "\(Metric.plainName(of: value.metric)) \(text(first))"
    let others = ranked.dropFirst().filter { $0.place == first.place }.map(\.name)
    let next = ranked.first { $0.place != first.place }
    return "on \(section.exercise): \(first.name), \(metric)"
      + (others.isEmpty ? "" : ", no better than \(Excerpt.list(others)) beyond chance")
      + (next.map { "; the next has \(text($0))" } ?? "")
  }

  /// The board on one screen.
  public var screen: [TextBlock] {
    let sections = board.sections.flatMap { section -> [TextBlock] in
      let heading = TextBlock.line(TonedText(title(section), .bold))
      guard !section.rows.isEmpty else { return [.gap, heading, .words("no detector supports this exercise")] }
      let rows = table(section).text
      return [.gap, heading, .columns(TextTable(rows, right: Set([0] + (2..<rows[0].count))))]
    }
    return Conclusion(finding).blocks + caveats.map { TextBlock.words($0, .unsure) } + sections
      + [.gap, .words(method, .dim)]
  }

  /// A sentence on the generated datasets, and one for each detector trained on recordings.
  public var caveats: [String] {
    let generated = board.datasets.filter { $0.origin == .synthetic }.map(\.name)
    let trained = Dictionary(
      board.sections.flatMap(\.rows).compactMap { row in row.trainedOn.map { (row.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    return GeneratedData.caveats(generated)
      + trained.sorted { $0.key < $1.key }.map {
        "\($0.key) was trained on \($0.value): its scores on those recordings are optimistic."
      }
  }

  public let method =
    "Ranges are 95 % intervals over people. Detectors share a place if their difference from the first of them may be "
    + "chance. Offline peaks reads the whole recording at once, which no app can."

  /// `squat, squat-sample: 36 clips of 12 people`
  public func title(_ section: Leaderboard.Section) -> String {
    "\(section.exercise), \(section.dataset): \(NumberText.count(section.clips, "clip")) of "
      + NumberText.count(section.people, "person")
  }

  /// A row for each detector and reference, a column for each metric.
  public func table(_ section: Leaderboard.Section) -> ChartTable {
    ChartTable(
      ["place", "detector"], board.metrics.map { .init(Metric.plainName(of: $0)) },
      rows: section.rows.map { row in
        ChartTable.row(
          [
            row.place.map { .count($0) } ?? .empty,
            .text(row.role == .offlinePeaks ? Leaderboard.Role.offlinePeaks.rawValue : row.name),
          ], row.values.map { .text(cell($0)) })
      })
  }

  /// `0.611 (0.411 to 0.780)`
  private func cell(_ value: Leaderboard.Value) -> String {
    guard value.value != nil else { return NumberText.missing }
    func text(_ number: Double) -> String { NumberText.value(number, unit: value.unit) }
    let range = value.low.flatMap { low in value.high.map { " (\(text(low)) to \(text($0)))" } } ?? ""
    return NumberText.quantity(value.value, unit: value.unit) + range
  }

  /// The board in a format. CSV is one tidy table with a row for each value.
  public func written(as format: ChartTable.FileFormat) -> String {
    switch format {
    case .csv: tidy.written(as: .csv)
    case .markdown: markdown
    case .latex:
      caveats.map { "% \($0.visibleLine)\n" }.joined()
        + board.sections.map { "% \(title($0).visibleLine)\n" + table($0).written(as: .latex) }
        .joined(separator: "\n")
    }
  }

  private var markdown: String {
    let data = board.datasets.map { "\($0.name) \($0.content.prefix(19))" }
    let lines =
      ["# Leaderboard", "", finding, ""] + tables
      + [method, "", "Data: \(data.joined(separator: ", ")).", ""] + caveats.flatMap { ["> \($0)", ""] }
    return lines.joined(separator: "\n")
  }

  /// A heading and a table a section, in Markdown.
  var tables: [String] {
    var lines: [String] = []
    for section in board.sections {
      lines += ["## \(title(section))", ""]
      guard !section.rows.isEmpty else {
        lines += ["No detector supports this exercise.", ""]
        continue
      }
      lines += table(section).written(as: .markdown).split(separator: "\n").map(String.init) + [""]
    }
    return lines
  }

  /// A row for each value.
  private var tidy: ChartTable {
    let origin = Dictionary(uniqueKeysWithValues: board.datasets.map { ($0.name, $0.origin.rawValue) })
    return ChartTable(
      [
        "exercise", "dataset", "origin", "clips", "people", "place", "role", "detector", "metric", "value", "low",
        "high",
      ],
      rows: board.sections.flatMap { section -> [[ChartTable.Cell]] in
        func row(_ rest: [ChartTable.Cell]) -> [ChartTable.Cell] {
          [
            .text(section.exercise), .text(section.dataset), .text(origin[section.dataset, default: ""]),
            .count(section.clips), .count(section.people),
          ] + rest
        }
        guard !section.rows.isEmpty else { return [row(Array(repeating: .empty, count: 7))] }
        return section.rows.flatMap { own in
          own.values.map { value in
            row([
              own.place.map { .count($0) } ?? .empty, .text(own.role.rawValue), .text(own.name), .text(value.metric),
              .number(value.value), .number(value.low), .number(value.high),
            ])
          }
        }
      })
  }
}
