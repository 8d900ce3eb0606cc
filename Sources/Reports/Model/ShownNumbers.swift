import Evaluation
import Foundation

/// What a report shows beside the run's results: counts, the worst clips, and the facts of its pictures.
struct ShownNumbers: Encodable {
  struct Worst: Encodable {
    var clip: String
    var detector: String
    var mistakes: ClipMistakes
  }

  /// The facts that a picture shows, as the table below it has them.
  struct Table: Encodable {
    enum Cell: Encodable {
      case number(Double)
      case text(String)

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
      }
    }

    var file: String
    /// Title and subtitle.
    var words: String
    var columns: [String]
    var rows: [[Cell]]

    init(file: String, words: String, _ table: [[String]]) {
      (self.file, self.words) = (file, words)
      columns = table.first ?? []
      rows = table.dropFirst().map { $0.map { text in Self.number(text).map(Cell.number) ?? .text(text) } }
    }

    /// `−4`, `+1.5`; a word that `Double` would take for a number is none.
    private static func number(_ text: String) -> Double? {
      guard text.contains(where: \.isNumber) else { return nil }
      return Double(text.replacing("−", with: "-"))
    }
  }

  var detectors: Int
  var clips: Int
  var subjects: Int
  /// Of every interval for which nothing else is said.
  var level: Double
  /// What resamples are drawn with.
  var seed: UInt64
  /// The worst first, then the others that the report has a timeline of.
  var worst: [Worst]
  /// In the order of the report; of latency without a table, which is apart as it is measured.
  var pictures: [Table]
}
