/// What one panel of a `LatencyChart` has to show.
public enum LatencyPanel: Hashable, Sendable {
  case measured([LatencySeries])
  /// Nothing was measured, and why.
  case unavailable(String)

  var series: [LatencySeries] {
    switch self {
    case .measured(let series): series
    case .unavailable: []
    }
  }

  /// All that the panel's scale should hold.
  var values: [Double] { series.flatMap { $0.samples + $0.quantiles.map(\.value) } }

  /// "480 blocks", or `nil` where nothing was measured.
  func count(_ singular: String) -> String? {
    series.isEmpty ? nil : NumberText.count(series.reduce(0) { $0 + $1.finite.count }, singular)
  }
}
