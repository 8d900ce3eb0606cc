import Foundation
import Charts
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct SVGTests {
  /// What an XML parser finds in a file.
  private final class Elements: NSObject, XMLParserDelegate {
    var root: [String: String] = [:]
    var counts: [String: Int] = [:]
    var texts: [String: String] = [:]
    private var open: [String] = []

    init(_ file: [UInt8]) throws {
      super.init()
      let parser = XMLParser(data: Data(file))
      parser.delegate = self
      guard parser.parse() else { throw parser.parserError ?? CocoaError(.formatting) }
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      if open.isEmpty { root = attributes }
      counts[name, default: 0] += 1
      open.append(name)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { texts[open.last ?? "", default: ""] += text }
  }

  @Test(arguments: [(1200.0, 1.0), (400, 1), (400, 2)])
  func hasTheSizeOfThePNGFile(width: Double, scale: Double) throws {
    let elements = try Elements(svg(Examples.errors, width: width, scale: scale))
    let picture = try PNGFile(png(Examples.errors, width: width, scale: scale))
    #expect(elements.root["width"] == "\(picture.width)px" && elements.root["height"] == "\(picture.height)px")
    #expect(elements.root["viewBox"] == "0 0 \(picture.width) \(picture.height)")
  }

  /// Every text that is drawn is a text of the file, as wide as it was measured; none is an outline.
  @Test func allChartsAreWellFormedAndHoldTheirTexts() throws {
    for chart in Examples.all {
      let elements = try Elements(svg(chart, metadata: [("Suite", "a <b> & \u{1}c")]))
      #expect(elements.texts["title"] == chart.title && elements.root["role"] == "img")
      #expect(elements.texts["desc"] == "\(chart.subtitle)\nSuite: a <b> & \\u{01}c")
      let texts = try Examples.texts(of: chart).map { $0.replacing("\u{A0}", with: " ") }
      #expect(elements.texts["text"] == texts.joined(), "\(type(of: chart))")
      #expect(elements.counts["text"] == texts.count && elements.counts["use"] == nil, "\(type(of: chart))")
      #expect(elements.counts["image"] == nil, "\(type(of: chart))")
    }
  }

  @Test func textsNameTheirFontAndWidth() throws {
    let file = String(decoding: try svg(Examples.scatter), as: UTF8.self)
    #expect(file.contains(#"font-family="DejaVu Sans, Verdana, sans-serif""#))
    #expect(file.matches(of: #/<text [^>]*textLength="[0-9.]+"/#).count == file.matches(of: #/<text /#).count)
  }

  /// Browsers ignore `xml:space` on a group, and would stretch `−1  (4 → 3)` over its lost space.
  @Test func spacesAreKept() throws {
    let file = String(decoding: try svg(Examples.errors), as: UTF8.self)
    let spaced = file.matches(of: #/<text ([^>]*)>[^<]*  [^<]*</text>/#).map(\.output.1)
    #expect(!spaced.isEmpty && spaced.allSatisfy { $0.contains(#"xml:space="preserve""#) })
  }

  /// The mark of the starting value is a dashed outline: clockwise from the top right, as in the PNG file.
  @Test func dashesBeginAtTheTopRight() throws {
    let file = String(decoding: try svg(Examples.heatMap), as: UTF8.self)
    let dashed = file.matches(of: #/<g [^>]*stroke-dasharray[^>]*>\n<path d="([^"]*)"/#).map(\.output.1)
    #expect(dashed.contains { $0.wholeMatch(of: #/M[^a-z]*v[0-9.]+h-[0-9.]+v-[0-9.]+z/#) != nil }, "\(dashed)")
  }

  @Test func coordinatesAreHundredthsOfAPixel() throws {
    let file = String(decoding: try svg(Examples.scatter), as: UTF8.self)
    let paths = file.matches(of: #/ d="([^"]*)"/#).map(\.output.1)
    #expect(!paths.isEmpty && paths.allSatisfy { $0.firstMatch(of: #/\.[0-9]{3}/#) == nil })
    #expect(!file.contains("fill-opacity:1;"))
  }

  @Test func aUsualChartIsSmall() throws {
    for chart in Examples.all {
      let size = try svg(chart).count
      #expect(size < 60 * 1024, "\(type(of: chart)): \(size) bytes")
    }
  }

  /// Of 300 points no two neighbours have the same style, 780 ticks stand in 65 cells, and a signal has 18,000 values.
  @Test func aFullChartIsSmallToo() throws {
    let grades = GradeAgreement(
      source: "test",
      items: (0..<300).map { index in
        let mean = 50 + Double(index) / 10
        return GradedItem(name: "\(index)", score: mean + (index.isMultiple(of: 2) ? 1 : 20), mean: mean)
      }, humanBand: 5)
    let people = (1...12).map { "person \($0)" }
    let settings = (0..<65).map { index in
      SweptSetting(
        values: ["x": Double(index % 13), "y": Double(index / 13)], score: Estimate(Double(index) / 10), bestFor: people
      )
    }
    let sweep = SweepHeatMap(
      topic: "t", source: "s", parameters: (SweptParameter("x"), SweptParameter("y")), metric: "m", best: .lowest,
      settings: settings, optimum: 0,
      base: settings[1], subjects: people.count)
    let times = (0..<18_000).map { Double($0) / 30 }
    let timeline = ClipTimeline(
      clip: "c", source: "s", duration: 600,
      signals: [
        SignalSeries(name: "angle", unit: "°", times: times, values: times.map { Float(90 + 80 * sin($0)) })
      ], trueReps: [], predictedReps: [])
    for chart in [grades, sweep, timeline] as [any Chart] {
      let size = try svg(chart).count
      #expect(size < 60 * 1024, "\(type(of: chart)): \(size) bytes")
    }
  }

  /// Of a level signal that begins with one value of 0 a single step is left; another 0 of one frame adds two.
  @Test func thinnedLinesKeepTheirPeaks() throws {
    func steps(_ peak: Float) throws -> Int {
      var values = [Float](repeating: 100, count: 3001)
      (values[0], values[1500]) = (0, peak)
      let timeline = ClipTimeline(
        clip: "c", source: "s", duration: 100,
        signals: [SignalSeries(name: "a", unit: "", times: values.indices.map { Double($0) / 30 }, values: values)],
        trueReps: [], predictedReps: [])
      let paths = String(decoding: try svg(timeline), as: UTF8.self).matches(of: #/ d="([^"]*)"/#).map(\.output.1)
      let signal = try #require(paths.max { $0.count < $1.count })
      #expect(signal.count < 1200)
      return signal.count { $0 == "l" || $0 == "v" }
    }
    #expect(try steps(100) == 1)
    #expect(try steps(0) == 3)
  }

  /// A terminal or a CI runner that prints the file does not obey its texts.
  @Test func foreignTextIsVisible() throws {
    let elements = try Elements(svg(Examples.scatter, metadata: [("Suite", "a\n::error ::b\n##[error]c\u{202E}d")]))
    let lines = try #require(elements.texts["desc"]).split(separator: "\n").suffix(3)
    #expect(lines == ["Suite: a", "\\u{3A}:error ::b", "#\\u{23}[error]c\\u{202E}d"])
  }

  @Test func equalInputGivesEqualBytes() throws {
    let first = try svg(Examples.scatter)
    _ = try svg(Examples.errors, theme: .dark)
    #expect(try svg(Examples.scatter) == first)
    let dark = try svg(Examples.scatter, theme: .dark)
    #expect(dark != first)
    // Both may be pasted into one page.
    func ids(_ file: [UInt8]) -> Set<Substring> {
      Set(String(decoding: file, as: UTF8.self).matches(of: #/id="([^"]*)"/#).map(\.output.1))
    }
    #expect(!ids(first).isEmpty && ids(first).isDisjoint(with: ids(dark)))
  }
}
