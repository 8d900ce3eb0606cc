import Datasets
import Foundation
import PoseModel

/// Projects of VIA 3, the VGG video annotator, and of VIA 2, `.json`: temporal segments and single frames with their
/// attributes.
///
/// A segment's `z` is two times in seconds, an interval; one time is a point. Each attribute of it is a track of the
/// attribute's name, with the option's text, or what was written, as the label; each option that is ticked is one, and an
/// attribute without any says nothing. A drawn region's attributes count at the region's time. The clip is known by the
/// file's name. VIA 2 annotates images (`VIAImages`).
///
/// - Source: VIA 3 code documentation (`via-3.x.y/CodeDoc.md`) and `_metadata_on_change` and its like of `src/js`,
///   github.com/ox-vgg/via, Visual Geometry Group, University of Oxford.
enum VIA: LabelFormat {
  static let name = "via"
  static let summary = "projects of VIA 3 and VIA 2, *.json"
  static let ending = "json"

  static func recognises(_ file: InputFile) -> Bool {
    let start = file.beginning
    return start.contains("\"vid_list\"") || start.contains("\"fid_list\"") || isOfImages(start)
  }

  /// Whether it is of VIA 2: a project, whose settings come first, or an export of its annotations.
  private static func isOfImages(_ start: String) -> Bool {
    start.contains("\"_via_settings\"") || start.contains("\"_via_img_metadata\"")
      || (start.contains("\"filename\"") && start.contains("\"regions\""))
  }

  struct Attribute {
    var name = ""
    var options: [String: String] = [:]

    /// What a value says: a text, an option's number, or the numbers of all that are ticked with commas between them.
    ///
    /// - Parameter mapping: whether the attribute's track says something without a label.
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
