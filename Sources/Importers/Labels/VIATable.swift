import Datasets
import Foundation
import PoseModel

/// CSV exports of VIA 2 and 3, `.csv`.
///
/// Of VIA 3 both: all annotations, whose attributes and their options stand in a comment before them, and temporal segments,
/// in which an attribute's option is the number by which the project knows it. What stands for what is as in a project
/// (`VIA`). Of VIA 2 the annotations of images, as `VIAImages` takes them.
///
/// - Source: `export_to_via3_csv` and `export_to_temporal_segments_csv` of VIA 3, `src/js/_via_import_export.js`, and
///   `parse_csv_header_line` of VIA 2, github.com/ox-vgg/via, Visual Geometry Group, University of Oxford.
enum VIATable: LabelFormat {
  static let name = "via-csv"
  static let summary = "CSV exports of VIA 3 and VIA 2, *.csv"
  static let ending = "csv"

  private static let headerKey = "# CSV_HEADER = "
  private static let imageColumns = ["filename", "file_attributes", "region_attributes"]

  static func recognises(_ file: InputFile) -> Bool {
    let start = file.beginning
    return start.hasPrefix("# Exported using VGG Image Annotator")
      || start.drop { $0 == "#" }.hasPrefix("filename,file_size,file_attributes,region_count,")
  }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    let (table, attributes) = try content(file)
    if table.columns.contains("filename") { return try images(table, file) }
    return try table.rows.flatMap { row -> [Annotation] in
      let times: [Microseconds]
      if table.columns.contains("temporal_coordinates") {
        times = try value(row, "temporal_coordinates", of: file) { json in
          var seconds: [Double] = []
          try json.array { json in seconds.append(try json.number()) }
          return try seconds.map { try time($0, row) }
        }
      } else {
        times = try ["temporal_segment_start", "temporal_segment_end"].compactMap { try row.numberIfPresent($0) }.map {
          try time($0, row)
        }
      }
      guard let start = times.first else { return [] }
      guard times.count <= 2, times[times.count - 1] >= start else {
        throw row.failure(
          expected: "one time or a start and an end after it",
          found: times.map { "\($0.seconds)" }.joined(separator: ", "))
      }
      let files = try value(row, "file_list", of: file) { json in
        var names: [String] = []
        try json.array { json in names.append(try json.string()) }
        return names
      }
      return try value(row, "metadata", of: file) { try VIAImages.attributes(&$0) }.flatMap { key, value in
        let attribute = attributes[key] ?? VIA.Attribute(name: key)
        return attribute.labels(value, mapping).map { label in
          Annotation(
            file: file.name, line: row.line, recordings: files, track: attribute.name, label: label,
            start: .time(start), end: times[times.count - 1] > start ? .time(times[times.count - 1]) : nil)
        }
      }
    }
  }

  /// The table behind the comments, and the attributes that these tell.
  private static func content(_ file: InputFile) throws -> (CSVTable, [String: VIA.Attribute]) {
    var lines = try file.text().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    var attributes: [String: VIA.Attribute] = [:]
    var columns: [String] = []
    for index in lines.indices {
      guard lines[index].hasPrefix("#") else { break }
      let line = lines[index].trimmingCharacters(in: .whitespacesAndNewlines)
      // A line that is empty keeps its number.
      lines[index] = ""
      if line.hasPrefix("#filename,") {
        lines[index] = String(line.dropFirst())
        columns = imageColumns
        break
      } else if line.hasPrefix(headerKey) {
        lines[index] = String(line.dropFirst(headerKey.count))
        columns = ["file_list", "metadata"]
        columns +=
          line.contains("temporal_coordinates")
          ? ["temporal_coordinates"] : ["temporal_segment_start", "temporal_segment_end"]
      } else if line.hasPrefix("# ATTRIBUTE = ") {
        let text = Data(line.dropFirst("# ATTRIBUTE = ".count).utf8)
        attributes = try located(index + 1) {
          try JSONReader.read(InputFile(name: file.name, bytes: text)) { json in
            var attributes: [String: VIA.Attribute] = [:]
            try json.object { json, key in attributes[key.text] = try VIA.attribute(&json) }
            return attributes
          }
        }
      }
    }
    let rest = InputFile(name: file.name, bytes: Data(lines.joined(separator: "\n").utf8))
    return (
      try CSVTable(rest, required: columns.isEmpty ? imageColumns : columns, ignoringOthers: true), attributes
    )
  }

  private static func images(_ table: CSVTable, _ file: InputFile) throws -> [Annotation] {
    var images = VIAImages(file)
    for row in table.rows {
      let values = try ["file_attributes", "region_attributes"].flatMap { column in
        try value(row, column, of: file) { try VIAImages.attributes(&$0) }
      }
      try images.add(values, image: try row.text("filename"), line: row.line)
    }
    return images.annotations
  }

  private static func time(_ seconds: Double, _ row: CSVRow) throws -> Microseconds {
    guard let time = Microseconds(seconds: seconds), time >= .zero else {
      throw row.failure(expected: "times in seconds from 0", found: "\(seconds)")
    }
    return time
  }

  /// A field of JSON.
  private static func value<Value>(
    _ row: CSVRow, _ column: String, of file: InputFile, _ read: (inout JSONReader) throws -> Value
  ) throws -> Value {
    let field = InputFile(name: file.name, bytes: Data(try row.text(column).utf8))
    return try located(row.line) { try JSONReader.read(field, read) }
  }

  /// Errors in a line of the file know only the line of the JSON in it.
  private static func located<Value>(_ line: Int, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch var error as DataError {
      error.line = line
      throw error
    }
  }
}
