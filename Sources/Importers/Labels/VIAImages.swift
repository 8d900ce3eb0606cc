import Datasets

/// What VIA 2, the VGG image annotator, says of a video's frames (`ImageMarks`).
///
/// An attribute of the image, or of a region in it, is a track of the attribute's name with its value as the label; each
/// option that is ticked is one.
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

  /// - Parameter values: attributes with their values.
  mutating func add(_ values: [(String, String)], image: String, line: Int?) throws {
    try marks.add(values.map { ImageMarks.Mark(track: $0, label: $1) }, image: image, line: line)
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
}
