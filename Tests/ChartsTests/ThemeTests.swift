import Foundation
import Charts
import Testing

struct ThemeTests {
  /// The least contrast of grey text on white that the guidelines allow is that of #767676, 4.54.
  @Test func contrastIsThatOfTheGuidelines() {
    let white = Color(0xFFFFFF)
    #expect(abs(Color(0x000000).contrast(with: white) - 21) < 1e-9)
    #expect(abs(Color(0x767676).contrast(with: white) - 4.54) < 0.005)
    #expect(abs(white.contrast(with: Color(0x767676)) - 4.54) < 0.005)
    #expect(white.contrast(with: white) == 1)
  }

  @Test(arguments: [("light", Theme.light), ("dark", Theme.dark)])
  func marksStandOut(name: String, theme: Theme) {
    for meaning in [SemanticColor.truth, .prediction, .better, .worse, .uncertain, .neutral, .focus] {
      let contrast = theme[meaning].contrast(with: theme[.background])
      #expect(contrast >= 3, "\(meaning) in the \(name) theme: \(contrast)")
    }
  }

  @Test(arguments: [("light", Theme.light), ("dark", Theme.dark)])
  func textsAreReadable(name: String, theme: Theme) {
    // Texts on the page and on the band of tolerance, and the numbers in bars.
    let pairs: [(SemanticColor, SemanticColor)] = [
      (.ink, .background), (.quiet, .background), (.worse, .background), (.ink, .tolerance), (.background, .truth),
      (.background, .prediction), (.background, .worse), (.ink, .grid),
    ]
    for (text, ground) in pairs {
      let contrast = theme[text].contrast(with: theme[ground])
      #expect(contrast >= 4.5, "\(text) on \(ground) in the \(name) theme: \(contrast)")
    }
  }

  /// Two meanings must be further apart than twice the difference that is just seen, about 0.02 in Oklab, for people
  /// with either kind of red–green or with blue–yellow blindness.
  ///
  /// The simulations are those of Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color
  /// Vision Deficiency, 2009, at full severity.
  @Test(arguments: [("light", Theme.light), ("dark", Theme.dark)])
  func meaningsAreToldApartWithoutFullColourVision(name: String, theme: Theme) {
    let meanings: [SemanticColor] = [.truth, .prediction, .better, .worse, .uncertain, .focus]
    for (vision, matrix) in Self.visions {
      for (index, one) in meanings.enumerated() {
        for other in meanings[..<index] {
          let distance = Self.distance(theme[one], theme[other], seenThrough: matrix)
          #expect(distance > 0.04, "\(one) and \(other) in the \(name) theme, \(vision): \(distance)")
        }
      }
    }
  }

  /// In print without colours, a mark of something worse is a square: never a disc, as others are.
  @Test func worseIsSeenWithoutColours() throws {
    let color = Theme.light[.worse]
    let fill =
      "fill=\"#"
      + [color.red, color.green, color.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
    let charts: [any Chart] = [
      Examples.scatter, Examples.subjects, Examples.grades, Examples.paired, Examples.gains, Examples.ladder,
    ]
    for chart in charts {
      let groups = String(decoding: try svg(chart), as: UTF8.self).components(separatedBy: "<g ")
      let worse = groups.filter { $0.prefix(while: { $0 != ">" }).contains(fill) }
      #expect(worse.contains { $0.contains("<rect ") }, "\(type(of: chart))")
      #expect(!worse.contains { $0.contains("<circle ") }, "\(type(of: chart))")
    }
  }

  /// A predicted rep without a true one is an outline, as a true one without a predicted one is.
  @Test func inventedRepsAreSeenWithoutColours() throws {
    func area(_ isMatched: Bool, _ meaning: SemanticColor) throws -> Int {
      let chart = ClipTimeline(
        clip: "c", source: "", signals: [], trueReps: [],
        predictedReps: [TimedRep(start: 0, end: 1, isMatched: isMatched)])
      return try PNGFile(png(chart)).pixels.count { $0 == Picture.value(meaning) }
    }
    #expect(try area(true, .prediction) > 20_000 && area(false, .prediction) == 0)
    // A bar is some 1,000 points wide and 40 high, its outline 2.5 points wide.
    let outline = try area(false, .worse)
    #expect(outline > 1000 && outline < 10_000)
  }

  @Test func darkChartsAreDark() throws {
    for chart in Examples.all {
      let picture = try PNGFile(png(chart, theme: .dark))
      let background = Theme.dark[.background]
      let wanted = UInt32(background.red) << 16 | UInt32(background.green) << 8 | UInt32(background.blue)
      #expect(picture.pixels.count { $0 == wanted } > picture.pixels.count / 3, "\(type(of: chart))")
      #expect(!picture.pixels.contains(0xFFFFFF), "\(type(of: chart))")
    }
  }

  @Test func meaningsHaveColoursOfTheirOwnInTheDarkToo() {
    #expect(Set(SemanticColor.allCases.map { Theme.dark[$0] }).count == SemanticColor.allCases.count)
  }

  private static let visions: [(String, [[Double]])] = [
    ("full", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ("no red", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    (
      "no green", [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    (
      "no blue", [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
  ]

  private static func distance(_ one: Color, _ other: Color, seenThrough matrix: [[Double]]) -> Double {
    let (a, b) = (oklab(one, matrix), oklab(other, matrix))
    return zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  /// Ottosson, A perceptual color space for image processing, 2020.
  private static func oklab(_ color: Color, _ matrix: [[Double]]) -> [Double] {
    func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
      matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }
    let linear = [color.red, color.green, color.blue].map { value -> Double in
      let part = Double(value) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    let cones = product(
      [
        [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ], product(matrix, linear).map { min(max($0, 0), 1) })
    return product(
      [
        [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
      ], cones.map { cbrt($0) })
  }
}
