import Files
import Foundation
import PoseModel

/// Projects of VIA 3, the VGG video annotator, and of VIA 2, `.json`: temporal segments and single frames with their
/// attributes.
///
/// A segment's `z` is two times in seconds, an interval; one time is a point. Each attribute is a track with the
/// attribute's name; its label is the option's text or the written text. Each ticked option gives one label, and an
/// attribute without any gives none. A drawn region's attributes count at the region's time. The clip has the file's
/// name. VIA 2 annotates images (`VIAImages`).
///
/// - Source: VIA 3 code documentation (`via-3.x.y/CodeDoc.md`) and `_metadata_on_change` and similar functions of
/// `src/js`,
///   github.com/ox-vgg/via, Visual Geometry Group, University of Oxford.
enum VIA: LabelFormat {
  static let name = "via"
  static let summary = "projects of VIA 3 and VIA 2, *.json"
  static let ending = "json"

  static func recognises(_ file: InputFile) -> Bool {
    let start = file.beginning
    return start.contains("\"vid_list\"") || start.contains("\"fid_list\"") || isOfImages(start)
  }

  /// Whether it is a VIA 2 file: a project, whose settings come first, or an export of its annotations.
  private static func isOfImages(_ start: String) -> Bool {
    start.contains("\"_via_settings\"") || start.contains("\"_via_img_metadata\"")
      || (start.contains("\"filename\"") && start.contains("\"regions\""))
  }

  struct Attribute {
    var name = ""
    var options: [String: String] = [:]

    /// The labels of a value: a text, an option's number, or the numbers of all ticked options separated by commas.
    ///
    /// - Parameter mapping: Decides whether the attribute's track has a meaning without a label.
    func labels(_ value: String, _ mapping: LabelMapping) -> [String] {
      if let option = options[value] { return [option] }
      if value.isEmpty { return mapping.takesUnlabelled(name) ? [""] : [] }
      let ticked = value.split(separator: ",").map { options[String($0)] }
      return ticked.contains(nil) ? [value] : ticked.compactMap(\.self)
    }
  }

  private struct Metadata {
    var key: String
    var view = ""
    var times: [Double] = []
    var values: [(id: String, value: String)] = []
  }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    if isOfImages(file.beginning) { return try VIAImages.annotations(file) }
    var files: [String: String] = [:]
    var views: [String: [String]] = [:]
    var attributes: [String: Attribute] = [:]
    var metadata: [Metadata] = []
    try JSONReader.read(file) { json in
      try json.object { json, key in
        switch key {
        case "file": try json.object { json, key in files[key.text] = try fileName(&json) }
        case "view": try json.object { json, key in views[key.text] = try fileIDs(&json) }
        case "attribute": try json.object { json, key in attributes[key.text] = try attribute(&json) }
        case "metadata":
          try json.object { json, key in
            metadata.append(try read(&json, key: key.text))
            try LabelImport.checkCount(metadata.count, file)
          }
        default: try json.skip()
        }
      }
    }
    return try metadata.flatMap { data -> [Annotation] in
      func failure(_ expected: String, _ found: String) -> DataError {
        DataError(file: file.name, expected: "\(expected) of metadata \(data.key.prefix(40))", found: found)
      }
      guard !data.times.isEmpty else { return [] }
      let times = try data.times.map { seconds in
        guard let time = Microseconds(seconds: seconds), time >= .zero else {
          throw failure("times in seconds from 0", "\(seconds)")
        }
        return time
      }
      guard times.count <= 2, times[times.count - 1] >= times[0] else {
        throw failure("one time or a start and an end after it", data.times.map { "\($0)" }.joined(separator: ", "))
      }
      let names = (views[data.view] ?? []).compactMap { files[$0] }
      guard !names.isEmpty else { throw failure("a view with a file", "view \(data.view.prefix(40))") }
      return try data.values.flatMap { id, value in
        guard let attribute = attributes[id] else { throw failure("a known attribute", id) }
        return attribute.labels(value, mapping).map { label in
          Annotation(
            file: file.name, recordings: names, track: attribute.name, label: label, start: .time(times[0]),
            end: times.count == 2 && times[1] > times[0] ? .time(times[1]) : nil)
        }
      }
    }
  }

  private static func fileName(_ json: inout JSONReader) throws -> String {
    var name = ""
    try json.object { json, key in
      switch key {
      case "fname": name = try json.string()
      default: try json.skip()
      }
    }
    return name
  }

  private static func fileIDs(_ json: inout JSONReader) throws -> [String] {
    var ids: [String] = []
    try json.object { json, key in
      switch key {
      case "fid_list": try json.array { json in ids.append(try text(&json)) }
      default: try json.skip()
      }
    }
    return ids
  }

  /// An attribute with the texts of its options.
  static func attribute(_ json: inout JSONReader) throws -> Attribute {
    var attribute = Attribute()
    try json.object { json, key in
      switch key {
      case "aname": attribute.name = try json.string()
      case "options": try json.object { json, key in attribute.options[key.text] = try text(&json) }
      default: try json.skip()
      }
    }
    return attribute
  }

  private static func read(_ json: inout JSONReader, key: String) throws -> Metadata {
    var data = Metadata(key: key)
    try json.object { json, key in
      switch key {
      case "vid": data.view = try text(&json)
      case "z": try json.array { json in data.times.append(try json.number()) }
      case "av": try json.object { json, key in data.values.append((key.text, try text(&json))) }
      default: try json.skip()
      }
    }
    return data
  }

  /// A text, or a number as one.
  private static func text(_ json: inout JSONReader) throws -> String {
    try json.kind() == .number ? "\(try json.integer())" : try json.string()
  }
}

/// The marks of VIA 2, the VGG image annotator, on a video's frames (`ImageMarks`).
///
/// An attribute of the image, or of a region in it, is a track with the attribute's name and its value as the label;
/// each ticked option gives one label.
struct VIAImages {
  private var marks: ImageMarks

  init(_ file: InputFile) { marks = ImageMarks(file) }

  var annotations: [Annotation] { marks.annotations() }

  /// A project (`_via_img_metadata`) or an export of its annotations: images by their keys.
  static func annotations(_ file: InputFile) throws -> [Annotation] {
    var images = VIAImages(file)
    try JSONReader.read(file) { json in
      try json.object { json, key in
        switch key {
        case "_via_img_metadata": try json.object { json, _ in try images.add(&json) }
        case _ where key.text.hasPrefix("_via"): try json.skip()
        default: try images.add(&json)
        }
      }
    }
    return images.annotations
  }

  private mutating func add(_ json: inout JSONReader) throws {
    var name = ""
    var values: [(String, String)] = []
    try json.object { json, key in
      switch key {
      case "filename": name = try json.string()
      case "file_attributes": values += try Self.attributes(&json)
      case "regions":
        try json.array { json in
          try json.object { json, key in
            switch key {
            case "region_attributes": values += try Self.attributes(&json)
            default: try json.skip()
            }
          }
        }
      default: try json.skip()
      }
    }
    try add(values, image: name, line: nil)
  }

  /// - Parameter values: Attributes with their values.
  mutating func add(_ values: [(String, String)], image: String, line: Int?) throws {
    try marks.add(values.map { ImageMarks.Mark(track: $0, label: $1) }, image: image, line: line)
  }

  /// Values by attribute: a text, or an object of ticked options.
  static func attributes(_ json: inout JSONReader) throws -> [(String, String)] {
    var values: [(String, String)] = []
    try json.object { json, key in
      switch try json.kind() {
      case .string: values.append((key.text, try json.string()))
      case .number: values.append((key.text, "\(try json.integer())"))
      case .object:
        let attribute = key.text
        try json.object { json, key in
          if try json.kind() == .boolean {
            if try json.boolean() { values.append((attribute, key.text)) }
          } else {
            try json.skip()
          }
        }
      default: try json.skip()
      }
    }
    return values
  }
}

/// CSV exports of VIA 2 and 3, `.csv`.
///
/// VIA 3 has two: all annotations, with attributes and their options in a comment at the start, and temporal segments,
/// where an option is given by its number in the project. The mapping is that of a project (`VIA`). VIA 2 exports
/// annotations of images, which `VIAImages` reads.
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

  /// The table after the comments, and the attributes in these.
  private static func content(_ file: InputFile) throws -> (CSVTable, [String: VIA.Attribute]) {
    var lines = try file.text().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    var attributes: [String: VIA.Attribute] = [:]
    var columns: [String] = []
    for index in lines.indices {
      guard lines[index].hasPrefix("#") else { break }
      let line = lines[index].trimmingCharacters(in: .whitespacesAndNewlines)
      // An empty line keeps its number.
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

  /// Errors in a field have only the line within its JSON.
  private static func located<Value>(_ line: Int, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch var error as DataError {
      error.line = line
      throw error
    }
  }
}
