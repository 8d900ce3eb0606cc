import Datasets
import Foundation
import PoseModel

/// What a COCO file holds of people's keypoints, in whatever order its parts stand.
struct COCODocument {
  struct Image {
    var id: Int
    var name = ""
    var height: Int?
    var video: Int?
    var frame: Int?
  }

  struct Annotation {
    var image: Int?
    /// x, y and v of each keypoint.
    var pose: [Float] = []
    var track: Int?
    var isCrowd = false
  }

  /// The keypoints of each annotation.
  let names: KeypointNames
  /// By id; none in results.
  private(set) var images: [Int: Image] = [:]
  private var annotations: [Annotation] = []
  private let file: String

  init(_ file: InputFile) throws {
    self.file = file.name
    var images: [Int: Image] = [:]
    var annotations: [Annotation] = []
    var names: [String] = []
    try JSONReader.read(file) { json in
      if try json.kind() == .array {
        try json.array { json in annotations.append(try Self.annotation(&json)) }
        return
      }
      try json.object { json, key in
        switch key {
        case "images":
          try json.array { json in
            let image = try Self.image(&json)
            guard images.updateValue(image, forKey: image.id) == nil else {
              throw json.failure(expected: "each image id once", found: "\(image.id) twice")
            }
          }
        case "annotations": try json.array { json in annotations.append(try Self.annotation(&json)) }
        case "categories": try json.array { json in try Self.category(&json, names: &names) }
        default: try json.skip()
        }
      }
    }
    self.images = images
    self.annotations = annotations.filter { !$0.isCrowd && !$0.pose.isEmpty }
    guard !self.annotations.isEmpty else {
      throw DataError(file: file.name, expected: "annotations with keypoints", found: "none")
    }
    self.names = try Self.keypoints(names, count: self.annotations[0].pose.count / 3, file: file.name)
    if !images.isEmpty, let stray = self.annotations.first(where: { images[$0.image ?? -1] == nil }) {
      throw DataError(
        file: file.name, expected: "an image for each annotation", found: "image_id \(stray.image ?? -1) without")
    }
  }

  /// How many clips it holds, before its annotations are looked at.
  var clipCount: Int { max(Set(images.values.map(Self.clip)).count, 1) }

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

  /// The clips of the file by name, in the order of their names.
  ///
  /// - Parameter scaled: whether positions become image heights.
  func recordings(
    _ shape: PoseShape, rate: Double, scaled: Bool
  ) throws -> [(name: String, recording: PoseRecording)] {
    var frames: [Int: Int] = [:]
    var clips: [String: PoseRecording] = [:]
    var clipOfImage: [Int: String] = [:]
    for (clip, images) in Dictionary(grouping: images.values, by: Self.clip) {
      var recording = PoseRecording(shape, clock: .frames(rate: rate), file: file)
      for (image, frame) in Self.frames(images.sorted { $0.id < $1.id }) {
        frames[image.id] = frame
        clipOfImage[image.id] = clip
        try recording.begin(frame)
      }
      clips[clip] = recording
    }
    let hasFlags = hasFlags
    for annotation in annotations {
      guard let image = annotation.image, annotation.pose.count == names.places.count * 3 else {
        throw DataError(
          file: file, expected: "an image_id and \(names.places.count * 3) numbers for each annotation",
          found: "\(annotation.pose.count) numbers for image_id \(annotation.image.map { "\($0)" } ?? "none")")
      }
      let height = scaled ? Float(images[image]?.height ?? 1) : 1
      var pose = annotation.pose
      for start in stride(from: 0, to: pose.count, by: 3) {
        let value = pose[start + 2]
        pose[start] = value == 0 ? 0 : pose[start] / height
        pose[start + 1] = value == 0 ? 0 : pose[start + 1] / height
        pose[start + 2] = hasFlags ? value / 2 : value
      }
      try clips[clipOfImage[image] ?? "", default: PoseRecording(shape, clock: .frames(rate: rate), file: file)].add(
        names.pose(pose, channels: 3), to: frames[image] ?? image, track: annotation.track)
    }
    return clips.sorted { $0.key.compare($1.key, options: .numeric) == .orderedAscending }.map { ($0.key, $0.value) }
  }

  /// Whether the third value of a keypoint is 0, 1 or 2 rather than a confidence.
  private var hasFlags: Bool {
    var isVisible = false
    for annotation in annotations {
      for place in stride(from: 2, to: annotation.pose.count, by: 3) {
        let value = annotation.pose[place]
        guard value == 0 || value == 1 || value == 2 else { return false }
        isVisible = isVisible || value == 2
      }
    }
    return isVisible || !images.isEmpty
  }

  private static func clip(_ image: Image) -> String {
    if let video = image.video { return "video_\(video)" }
    return image.name.lastIndex(of: "/").map { String(image.name[..<$0]) } ?? ""
  }

  /// - Parameter images: those of one clip, by id.
  private static func frames(_ images: [Image]) -> [(image: Image, frame: Int)] {
    let numbers = images.compactMap(\.frame)
    if numbers.count == images.count, Set(numbers).count == numbers.count { return Array(zip(images, numbers)) }
    let byName = ImageFrames(images.map(\.name))
    let areNamed = byName.areNumbered && Set(images.map(\.name)).count == images.count
    return images.enumerated().map { ($1, areNamed ? byName[$1.name] : $0) }
  }

  private static func image(_ json: inout JSONReader) throws -> Image {
    var image = Image(id: -1)
    try json.object { json, key in
      switch key {
      case "id": image.id = try json.integer()
      case "file_name": image.name = try json.string()
      case "height":
        let height = try json.integer()
        guard (1...100_000).contains(height) else {
          throw json.failure(expected: "a height from 1", found: "\(height)")
        }
        image.height = height
      case "video_id" where try json.kind() == .number, "vid_id" where try json.kind() == .number:
        image.video = try json.integer()
      case "vid_id": image.video = Int(try json.string())
      case "frame_id" where try json.kind() == .number: image.frame = try json.integer()
      default: try json.skip()
      }
    }
    return image
  }

  private static func annotation(_ json: inout JSONReader) throws -> Annotation {
    var annotation = Annotation()
    try json.object { json, key in
      switch key {
      case "image_id": annotation.image = try json.integer()
      case "keypoints": try json.coordinates(into: &annotation.pose)
      case "track_id" where try json.kind() == .number, "person_id" where try json.kind() == .number:
        annotation.track = try json.integer()
      case "iscrowd" where try json.kind() == .number: annotation.isCrowd = try json.integer() == 1
      default: try json.skip()
      }
    }
    return annotation
  }

  private static func category(_ json: inout JSONReader, names: inout [String]) throws {
    try json.object { json, key in
      guard case "keypoints" = key, names.isEmpty else { return try json.skip() }
      try json.array { names.append(try $0.string()) }
    }
  }
}
