import ArgumentParser
import Plots

/// How large a picture is, and in which colours.
struct PictureOptions: ParsableArguments {
  enum ThemeName: String, CaseIterable, ExpressibleByArgument {
    case light, dark

    var theme: Theme { self == .light ? .light : .dark }
  }

  @Option(help: "The colours.")
  var theme = ThemeName.light

  @Option(
    help: ArgumentHelp(
      "The width in pixels at scale 1; a chart lays itself out for it, and beyond 1200 grows as a whole.",
      valueName: "pixels"))
  var width = 1200.0

  @Option(help: "Multiplies the pixels: 2 for a display of twice the density.")
  var scale = 1.0

  func validate() throws {
    guard (200...8000).contains(width) else { throw ValidationError("--width takes 200 to 8000, found \(width)") }
    guard (0.5...4).contains(scale) else { throw ValidationError("--scale takes 0.5 to 4, found \(scale)") }
  }

  /// - Throws: `PlotError`.
  func png(_ chart: any Chart, metadata: [(key: String, value: String)]) throws -> [UInt8] {
    try Plots.png(chart, width: width, scale: scale, theme: theme.theme, metadata: metadata)
  }
}
