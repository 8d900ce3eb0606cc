import Datasets
import Foundation

/// An element of `images`.
struct COCOImage {
  var id = -1
  var name = ""
  var height: Int?
  private var video: Int?
  private(set) var frame: Int?

  init(_ json: inout JSONReader) throws {
    try json.object { json, key in
      switch key {
      case "id": id = try json.integer()
      case "file_name": name = try json.string()
      case "height":
        let height = try json.integer()
        guard (1...100_000).contains(height) else {
          throw json.failure(expected: "a height from 1", found: "\(height)")
        }
        self.height = height
      case "video_id" where try json.kind() == .number, "vid_id" where try json.kind() == .number:
        video = try json.integer()
      case "vid_id": video = Int(try json.string())
      case "frame_id" where try json.kind() == .number: frame = try json.integer()
      default: try json.skip()
      }
    }
  }

  /// The name of the clip that it belongs to.
  var clip: String {
    if let video { return "video_\(video)" }
    return name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
  }
}

/// An element of `annotations`, or of results.
struct COCOAnnotation {
  var image: Int?
  /// x, y and v of each keypoint.
  var pose: [Float] = []
  var hasPose = false
  var track: Int?
  var isCrowd = false

  /// - Parameter isPostponed: whether somebody reads the pose later, and now only wants to know whether there is one.
  init(_ json: inout JSONReader, isPostponed: Bool = false) throws {
    try json.object { json, key in
      switch key {
      case "image_id": image = try json.integer()
      case "keypoints" where isPostponed: hasPose = try json.postponeNumbers()
      case "keypoints":
        try json.coordinates(into: &pose)
        hasPose = !pose.isEmpty
      case "track_id" where try json.kind() == .number, "person_id" where try json.kind() == .number:
        track = try json.integer()
      case "iscrowd" where try json.kind() == .number: isCrowd = try json.integer() == 1
      default: try json.skip()
      }
    }
  }
}

/// Which clip each image belongs to. Ids that follow each other in a clip, as they mostly do, are kept as one span.
struct COCOImageOwners {
  private var spans: [(ids: ClosedRange<Int>, clip: Int)] = []

  var isEmpty: Bool { spans.isEmpty }

  mutating func add(_ id: Int, of clip: Int) {
    if let last = spans.last, last.clip == clip, id > last.ids.upperBound, id - 1 == last.ids.upperBound {
      spans[spans.count - 1].ids = last.ids.lowerBound...id
    } else {
      spans.append((id...id, clip))
    }
  }

  /// Makes ready to be asked; says an id that was added twice.
  mutating func settle() -> Int? {
    spans.sort { $0.ids.lowerBound < $1.ids.lowerBound }
    return zip(spans, spans.dropFirst()).first { $0.ids.upperBound >= $1.ids.lowerBound }?.1.ids.lowerBound
  }

  subscript(id: Int) -> Int? {
    var range = 0..<spans.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      let span = spans[middle]
      if span.ids.contains(id) { return span.clip }
      range = id < span.ids.lowerBound ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return nil
  }
}
