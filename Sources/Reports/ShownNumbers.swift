import Charts
import Evaluation

/// What a report shows beside the run's results: counts, the worst clips, and the facts of its pictures.
struct ShownNumbers: Encodable {
  struct Worst: Encodable {
    var clip: String
    var detector: String
    var mistakes: ClipMistakes
  }

  /// The facts that a picture shows, as they were computed: the table below it has them rounded.
  struct Table: Encodable {
    var file: String
    /// Title and subtitle.
    var words: String
    var columns: [String]
    var rows: [[Cell]]

    /// - Parameter table: `nil` for none.
    init(file: String, words: String, _ table: ChartTable?) {
      (self.file, self.words) = (file, words)
      columns = table?.columns.map(\.title) ?? []
      rows = table?.rows.map { $0.map(Cell.init) } ?? []
    }

    /// A number, a text, or null for what is undefined or empty.
    struct Cell: Encodable {
      private let cell: ChartTable.Cell

      init(_ cell: ChartTable.Cell) { self.cell = cell }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch cell {
        case .number, .count:
          if let value = cell.value { try container.encode(value) } else { try container.encodeNil() }
        case .text(let text): try container.encode(text)
        case .undefined, .empty: try container.encodeNil()
        }
      }
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
