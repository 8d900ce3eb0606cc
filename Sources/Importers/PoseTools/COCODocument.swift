import Datasets
import Foundation
import PoseModel

/// Where in a COCO file the recordings of its clips are, in whatever order its parts stand.
///
/// Only that is kept, and of what follows each other in the file only the first place: a file of any size takes little
/// memory. Whoever wants a clip has its part of the file read again.
struct COCODocument: Sendable {
  /// The keypoints of each annotation.
  let names: KeypointNames
  /// Of all images; `nil` is in it where one does not say.
  let heights: Set<Int?>
  /// The clips by name, in the order of their names.
  var clips: [String] { parts.map(\.name) }
  private let parts: [Part]
  /// Whether the third value of a keypoint is 0, 1 or 2 rather than a confidence.
  private let hasFlags: Bool

  /// Elements of a list that follow each other.
  fileprivate struct Run {
    /// The first one's.
    var place: Int
    var count = 1
  }

  fileprivate struct Part {
    var name: String
    var images: [Run] = []
    var annotations: [Run] = []
  }

  /// - Throws: `DataError` where the file is no JSON, or is none of COCO's.
  init(_ input: InputFile) throws {
    var contents = Contents(file: input.name)
    var keypoints: [String] = []
    var hasImages = false
    var areAnnotationsRead = true
    try JSONReader.read(input) { json in
      if try json.kind() == .array { return try contents.readAnnotations(&json) }
      try json.object { json, key in
        switch key {
        case "images":
          try contents.readImages(&json)
          hasImages = true
        case "annotations":
          areAnnotationsRead = hasImages
          if hasImages { try contents.readAnnotations(&json) } else { try json.skip() }
        case "categories": try json.array { json in try Self.category(&json, names: &keypoints) }
        default: try json.skip()
        }
      }
    }
    if !areAnnotationsRead {
      // Only the images, which came later, say which clip each belongs to.
      try JSONReader.read(input) { json in
        try json.object { json, key in
          if case "annotations" = key { try contents.readAnnotations(&json) } else { try json.skip() }
        }
      }
    }
    guard let width = contents.width else {
      throw DataError(file: input.name, expected: "annotations with keypoints", found: "none")
    }
    names = try Self.keypoints(keypoints, count: width / 3, file: input.name)
    heights = contents.heights
    parts = contents.parts.sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
    hasFlags = contents.areFlags && (contents.isVisible || contents.hasImages)
  }

  /// Keypoints as the categories name them; without names 17 are COCO's.
  private static func keypoints(_ names: [String], count: Int, file: String) throws -> KeypointNames {
    guard names.count == count else {
      if count == Skeleton.coco17.keypoints.count { return KeypointNames(.coco17, count: count) }
      throw DataError(
        file: file, expected: "17 keypoints as COCO's, or as many names of joints in categories as there are keypoints",
        found: "\(count) keypoints and \(names.count) names")
    }
    guard let named = KeypointNames(names, file: file) else {
      throw DataError(
        file: file,
        expected: "keypoints in categories that are joints of the body, each once: "
          + Joint.allCases.map(\.name).joined(separator: ", "), found: names.prefix(40).joined(separator: ", "))
    }
    return named
  }

  private static func category(_ json: inout JSONReader, names: inout [String]) throws {
    try json.object { json, key in
      guard case "keypoints" = key, names.isEmpty else { return try json.skip() }
      try json.array { names.append(try $0.string()) }
    }
  }

  /// The recording of a clip.
  ///
  /// - Parameters:
  ///   - part: its position in `clips`.
  ///   - input: the file that this was made from.
  ///   - isScaled: whether positions become image heights.
  func recording(
    _ part: Int, from input: InputFile, _ shape: PoseShape, rate: Double, isScaled: Bool
  ) throws -> PoseRecording {
    var recording = PoseRecording(shape, clock: .frames(rate: rate), file: input.name)
    var frames = COCOFrames(count: parts[part].images.reduce(0) { $0 + $1.count })
    for run in parts[part].images {
      try JSONReader.read(input, from: run.place, count: run.count) { frames.add(try COCOImage(&$0)) }
    }
    for frame in frames.settle() { try recording.begin(frame) }
    recording.reserve(parts[part].annotations.reduce(0) { $0 + $1.count })
    for run in parts[part].annotations {
      try JSONReader.read(input, from: run.place, count: run.count) { json in
        let annotation = try COCOAnnotation(&json)
        let width = names.places.count * 3
        guard let image = annotation.image, annotation.pose.count == width else {
          throw DataError(
            file: input.name, expected: "an image_id and \(width) numbers for each annotation",
            found: "\(annotation.pose.count) numbers for image_id \(annotation.image.map { "\($0)" } ?? "none")")
        }
        let frame = frames[image]
        let pose = scaled(annotation.pose, by: isScaled ? Float(frame?.height ?? 1) : 1)
        try recording.add(names.pose(pose, channels: 3), to: frame?.number ?? image, track: annotation.track)
      }
    }
    return recording
  }

  private func scaled(_ pose: [Float], by height: Float) -> [Float] {
    var pose = pose
    for start in stride(from: 0, to: pose.count, by: 3) {
      let value = pose[start + 2]
      pose[start] = value == 0 ? 0 : pose[start] / height
      pose[start + 1] = value == 0 ? 0 : pose[start + 1] / height
      pose[start + 2] = hasFlags ? value / 2 : value
    }
    return pose
  }
}

/// What is gathered of a file on the way through it.
private struct Contents {
  let file: String
  /// In the order in which they come.
  var parts: [COCODocument.Part] = []
  var heights: Set<Int?> = []
  /// Numbers of the first annotation.
  var width: Int?
  /// Whether all third values are 0, 1 or 2, and one is 2.
  var areFlags = true
  var isVisible = false
  private var places: [String: Int] = [:]
  private var owners = COCOImageOwners()

  init(file: String) { self.file = file }

  var hasImages: Bool { !owners.isEmpty }

  private mutating func part(_ name: String) -> Int {
    if let place = places[name] { return place }
    places[name] = parts.count
    parts.append(COCODocument.Part(name: name))
    return parts.count - 1
  }

  mutating func readImages(_ json: inout JSONReader) throws {
    var last: Int?
    try json.array { json in
      let place = json.place
      let image = try COCOImage(&json)
      heights.insert(image.height)
      let part = part(image.clip)
      owners.add(image.id, of: part)
      Self.add(place, to: &parts[part].images, isNext: last == part)
      last = part
    }
    if let twice = owners.settle() {
      throw DataError(file: file, expected: "each image id once", found: "\(twice) twice")
    }
  }

  mutating func readAnnotations(_ json: inout JSONReader) throws {
    var last: Int?
    try json.array { json in
      let place = json.place
      // Poses are read with their clip; here they only tell how many keypoints there are, and of what kind.
      let annotation = try COCOAnnotation(&json, isPostponed: width != nil && !areFlags)
      if annotation.isCrowd || !annotation.hasPose {
        last = nil
        return
      }
      if width == nil { width = annotation.pose.count }
      note(flags: annotation.pose)
      let part = try part(of: annotation)
      Self.add(place, to: &parts[part].annotations, isNext: last == part)
      last = part
    }
  }

  private mutating func part(of annotation: COCOAnnotation) throws -> Int {
    guard hasImages else { return part("") }
    guard let image = annotation.image, let part = owners[image] else {
      throw DataError(
        file: file, expected: "an image for each annotation", found: "image_id \(annotation.image ?? -1) without")
    }
    return part
  }

  private mutating func note(flags pose: [Float]) {
    var place = 2
    while areFlags, place < pose.count {
      let value = pose[place]
      areFlags = value == 0 || value == 1 || value == 2
      isVisible = isVisible || value == 2
      place += 3
    }
  }

  private static func add(_ place: Int, to runs: inout [COCODocument.Run], isNext: Bool) {
    if isNext { runs[runs.count - 1].count += 1 } else { runs.append(COCODocument.Run(place: place)) }
  }
}
