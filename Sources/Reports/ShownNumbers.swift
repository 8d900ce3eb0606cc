import Charts
import Evaluation
import Pipeline

/// The numbers that a report adds to the run's results: counts, the worst clips, and the data of its pictures.
struct ShownNumbers: Encodable {
  struct Worst: Encodable {
    var clip: String
    var detector: String
    var mistakes: ClipMistakes
  }

  /// The data of a picture, not rounded; the table below the picture rounds it.
  struct Table: Encodable {
    var file: String
    /// Title and subtitle.
    var words: String
    var columns: [String]
    var rows: [[Cell]]

    init(_ picture: ReportPicture) {
      (file, words) = (picture.file, picture.alternative)
      columns = picture.chart.table.columns.map(\.title)
      rows = picture.chart.table.rows.map { $0.map(Cell.init) }
    }

    /// A number, a text, or null if undefined or empty.
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
  /// The level of every interval unless stated otherwise.
  var level: Double
  /// The seed for resampling.
  var seed: UInt64
  /// All clips, the most important first.
  var worst: [Worst]
  /// The pictures in the order of the report, without those of measured values, which are stored separately.
  var pictures: [Table]
}
