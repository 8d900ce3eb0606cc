import Datasets
import Foundation

/// What VIA 2, the VGG image annotator, says of a video's frames, which are images to it.
///
/// An image is the frame of its recording that the last number of its name says, from 0: `anna_0012.png` is frame 12 of
/// `anna`, as is `anna/0012.png`. An attribute of the image, or of a region in it, is a track of the attribute's name with
/// its value as the label; each option that is ticked is one. A value that is on images which follow each other among those
/// of the recording that the file lists is an interval, one on an image by itself a point.
struct VIAImages {
  private struct Mark: Hashable {
    var track: String
    var label: String
  }

  private struct Recording {
    var images: Set<Int> = []
    var marks: [Mark: Set<Int>] = [:]
    var order: [Mark] = []
  }

  private let file: InputFile
  private var recordings: [String: Recording] = [:]
  private var order: [String] = []

  init(_ file: InputFile) { self.file = file }

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

  /// - Parameter values: attributes with their values.
  mutating func add(_ values: [(String, String)], image: String, line: Int?) throws {
    let stem = image.lastIndex(of: ".").map { String(image[..<$0]) } ?? image
    guard let name = NumberedName(stem), name.number <= 1_000_000_000 else {
      throw DataError(
        file: file.name, line: line, expected: "an image of a video's frame, with its number in its name",
        found: String(image.prefix(60)).debugDescription)
    }
    let recording = name.prefix.trimmingCharacters(in: ["_", "-", ".", "/", "\\", " "])
    if recordings[recording] == nil { order.append(recording) }
    recordings[recording, default: Recording()].images.insert(name.number)
    for (track, label) in values where !label.isEmpty {
      let mark = Mark(track: track, label: label)
      if recordings[recording]?.marks[mark] == nil { recordings[recording]?.order.append(mark) }
      recordings[recording]?.marks[mark, default: []].insert(name.number)
    }
  }

  /// Values by attribute: a text, or an object of options that are ticked.
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

  var annotations: [Annotation] {
    order.flatMap { name -> [Annotation] in
      guard let recording = recordings[name] else { return [] }
      let images = recording.images.sorted()
      return recording.order.flatMap { mark -> [Annotation] in
        let marked = recording.marks[mark] ?? []
        return images.split { !marked.contains($0) }.compactMap { run in
          guard let first = run.first, let last = run.last else { return nil }
          return Annotation(
            file: file.name, recordings: [name, file.stem].filter { !$0.isEmpty }, track: mark.track,
            label: mark.label, start: .frame(first), end: first == last ? nil : .frame(last))
        }
      }
    }
  }
}
