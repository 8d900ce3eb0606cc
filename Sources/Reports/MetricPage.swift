import Scoring
import Statistics

/// The list of all metrics as Markdown, for `docs/metrics.md`: a table for each topic, with links to the metrics'
/// definitions.
public struct MetricPage: Sendable {
  private let catalogue: MetricCatalogue

  public init(_ catalogue: MetricCatalogue) { self.catalogue = catalogue }

  /// The page, ending with a line feed. Its links are relative to a folder beside `Sources`.
  public var markdown: String {
    catalogue.sections.map { section in
      let links = section.groups.map { "[\($0)](../Sources/Scoring/\($0).swift)" }.joined(separator: ", ")
      let rows = section.metrics.map { metric in
        [
          metric.name, metric.summary, metric.direction.words, metric.unit, metric.rangeText,
          metric.aggregation.isPooled ? "pooled" : "mean of people", metric.undefined, metric.source,
          catalogue.suiteMetrics.contains(metric.name) ? "yes" : "",
        ]
      }
      return "### \(section.title)\n\nDefined in \(links).\n\n" + Markdown.table([Self.columns] + rows) + "\n"
    }.joined(separator: "\n")
  }

  private static let columns = [
    "metric", "measures", "direction", "unit", "range", "of several people", "n/a when", "source", "in suites",
  ]
}

extension Metric {
  /// The range of possible values: `−1 to 1`.
  public var rangeText: String {
    "\(NumberText.fixed(range.lowerBound, decimals: 0)) to \(NumberText.fixed(range.upperBound, decimals: 0))"
  }
}
