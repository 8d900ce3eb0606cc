import Datasets
import Files
import Foundation
import PoseModel

/// COCO keypoints: a JSON file of annotations (`images`, `annotations`, `categories`) or of results
/// (`[{"image_id", "category_id", "keypoints", "score"}]`).
///
/// `keypoints` holds x, y and v, in pixels with y down. In annotations v is 0 for a keypoint that is not labelled, which is
/// missing here, 1 for a hidden one, whose confidence becomes 0.5, and 2 for a visible one: 1. Results have flags like these
/// or a confidence; 0 is missing. Keypoints are COCO's 17, or those that `categories` names (`KeypointNames`).
///
/// An image belongs to the clip of its `video_id` or `vid_id`, or else of the folder in its `file_name`; without
/// either, the file is one clip. Its frame is its `frame_id`, or else the number in its file name if names differ only
/// in one number; otherwise images are ordered by id. Results have no images: `image_id` is the frame. A `track_id` or
/// `person_id` is the same person in all frames; annotations of a crowd (`iscrowd`) are left out.
///
/// - Source: COCO, "Data format", 2. Keypoint detection, and "Results format", cocodataset.org/#format-data; `track_id`
///   and `vid_id` as in PoseTrack 2018.
public struct COCOKeypoints: FileEndings {
  public static let format = "coco"
  public static let summary = "COCO keypoints as JSON: annotations with images, or a list of results"
  public static let options: Set<ImportOption> = [.fps, .size, .exercise, .view, .subject, .folders, .person]

  private let source: ToolSource
  /// One per file that can be read.
  private let documents: [COCODocument]
  /// The document and part of each clip; of a file that cannot be read, why it cannot.
  private let places: [Result<(document: Int, part: Int), DataError>]
  private let shape: PoseShape
  /// Whether positions are converted to image heights.
  private let isScaled: Bool

  package static let endings = ["json"]

  static func isOurs(_ file: InputFile) -> Bool {
    JSONOutline.tells(file) { outline in
      outline.has("images[].file_name", .string) || outline.has("annotations[].keypoints[]", .number)
        || outline.has("[].image_id", .number) && outline.has("[].keypoints[]", .number)
    }
  }

  public static func recognises(_ path: String) -> Bool { ToolFiles.begins(path, endings: endings, isOurs: isOurs) }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try COCOKeypoints(from: path, options: options)]
  }

  private init(from path: String, options: ImportOptions) throws {
    var files = try ToolFiles(
      path, endings: Self.endings, grouping: .clipPerFile, format: Self.format, isOurs: Self.isOurs)
    let directory = files.directory
    let found = try files.clips.map { clip in
      try Result(ofClip: { try COCODocument(InputFile(clip.files[0].path, in: directory)) })
    }
    let documents = found.compactMap { try? $0.get() }
    if documents.isEmpty, let error = found.first?.failure { throw error }
    let heights = documents.reduce(into: Set<Int?>()) { $0.formUnion($1.heights) }
    let names = documents[0].names
    var shape = PoseShape(skeleton: names.skeleton, unit: .pixels, names: names)
    // Images of one size stay in pixels; with several sizes, positions are converted to image heights.
    let known = heights.compactMap(\.self)
    if !heights.contains(nil), let height = known.first {
      let unit = CoordinateSystem.Unit.pixel(height: known.count == 1 ? Double(height) : 1)
      shape.unit = .other(CoordinateSystem(unit: unit, yAxis: .down))
      if options.size != nil { shape.remark = "--size is not used: \(path) has the size of each image" }
    }
    var clips: [ToolClip] = []
    var taken: Set<String> = []
    var places: [Result<(document: Int, part: Int), DataError>] = []
    var next = 0
    for (result, clip) in zip(found, files.clips) {
      guard case .success(let document) = result else {
        if let error = result.failure {
          clips.append(clip)
          places.append(.failure(error))
        }
        continue
      }
      defer { next += 1 }
      guard document.names.skeleton.name == names.skeleton.name else {
        clips.append(clip)
        places.append(
          .failure(
            DataError(
              file: "\(directory)/\(clip.files[0].path)",
              expected: "the keypoints of \(names.skeleton.name), as in the files before",
              found: "those of \(document.names.skeleton.name)")))
        continue
      }
      for (part, name) in document.clips.enumerated() {
        var own = clip
        if document.clips.count > 1 { own.name += "_\(PortableName.near(name))" }
        guard taken.insert(own.name).inserted else {
          throw DataError(
            file: "\(files.directory)/\(clip.files[0].path)", clip: own.name,
            expected: "a unique name for each clip",
            found: "two clips with it")
        }
        clips.append(own)
        places.append(.success((document: next, part: part)))
      }
    }
    files.clips = clips
    if documents.count > 1, documents.allSatisfy(\.isImage) {
      let remark = "each file has one image and is a clip of one frame: to import recordings, join the files of each"
      shape.remark = [shape.remark, remark].compactMap(\.self).joined(separator: "; ")
    }
    self.documents = documents
    self.places = places
    self.shape = shape
    isScaled = known.count > 1
    source = try ToolSource(files, shape, tool: "a tool for COCO", format: Self.format, path: path, options: options)
  }

  public var manifest: Manifest { source.manifest }
  public var remarks: [String] { source.remarks }
  public var clipCount: Int { places.count }

  public func digest() throws -> ContentHash {
    var seen: Set<String> = []
    return try ContentHash.files(
      source.clips.map { $0.files[0].path }.filter { seen.insert($0).inserted }, in: source.directory,
      settings: source.settings)
  }

  public func clip(_ index: Int) throws -> Clip { try read(index).clip }

  public func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) {
    let clip = source.clips[index]
    let place = try places[index].get()
    var recording = try documents[place.document].recording(
      place.part, from: InputFile(clip.files[0].path, in: source.directory), shape, isScaled: isScaled)
    recording.person = source.options.person
    let facts = try source.finish(&recording, of: clip)
    let poses = try recording.poses(clip: clip.name, coordinates: manifest.coordinates)
    return (
      Clip(
        info: source.options.info(clip, facts, rate: poses.rate), keypoints: poses.keypoints, labels: GroundTruth()),
      poses.remarks
    )
  }
}

/// The places of the clips' recordings in a COCO file, with its parts in any order.
///
/// Only the places are kept, and for consecutive entries only the first: even a large file takes little memory. A
/// clip's part of the file is read again when the clip is needed.
struct COCODocument: Sendable {
  /// The keypoints of each annotation.
  let names: KeypointNames
  /// Of all images; contains `nil` if an image does not give its height.
  let heights: Set<Int?>
  /// The clips by name, in the order of their names.
  var clips: [String] { parts.map(\.name) }
  /// Whether it has a single image.
  var isImage: Bool { parts.count == 1 && parts[0].images.reduce(0) { $0 + $1.count } == 1 }
  private let parts: [Part]
  /// Whether the third value of each keypoint is a flag (0, 1 or 2) instead of a confidence.
  private let hasFlags: Bool

  /// Consecutive elements of a list.
  fileprivate struct Run {
    /// The place of the first one.
    var place: Int
    var count = 1
  }

  fileprivate struct Part {
    var name: String
    var images: [Run] = []
    var annotations: [Run] = []
  }

  /// - Throws: `DataError` if the file is not JSON, or not a COCO file.
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
      // Only the images, which came later, assign each annotation to a clip.
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

  /// The keypoints in the categories; 17 keypoints without names are COCO's.
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
  ///   - part: Its index in `clips`.
  ///   - input: The file that this was made from.
  ///   - isScaled: Whether positions are converted to image heights.
  func recording(
    _ part: Int, from input: InputFile, _ shape: PoseShape, isScaled: Bool
  ) throws -> PoseRecording {
    var recording = PoseRecording(shape, clock: .frames(rate: PoseRecording.usualRate), file: input.name)
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

/// Collected while reading a file.
private struct Contents {
  let file: String
  /// In the order of the file.
  var parts: [COCODocument.Part] = []
  var heights: Set<Int?> = []
  /// The count of numbers in the first annotation.
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
      // Poses are read with their clip; here they only give the number and kind of keypoints.
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
          throw json.failure(expected: "a height of 1 or more", found: "\(height)")
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

  /// The name of its clip.
  var clip: String {
    if let video { return "video_\(video)" }
    return name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
  }
}

/// An element of `annotations`, or of a list of results.
struct COCOAnnotation {
  var image: Int?
  /// x, y and v of each keypoint.
  var pose: [Float] = []
  var hasPose = false
  var track: Int?
  var isCrowd = false

  /// - Parameter isPostponed: Whether the pose is read later and only its presence matters now.
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

/// The clip of each image. Consecutive ids in one clip, the usual case, are kept as one span.
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

  /// Prepares for look-ups; returns an id that was added twice.
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

/// The frames of a clip's images: their `frame_id`; or else the numbers in their file names, if each image has its own
/// name; or else the order of their ids.
///
/// Only numbers are kept of images: a clip may have half a million.
struct COCOFrames {
  private struct Frame {
    var image: Int
    /// `nil` until known.
    var number: Int?
    /// The index of its name.
    var place: Int
    var height: Int32
  }

  private var frames: [Frame] = []
  private var names = ImageFrames()

  /// - Parameter count: The expected number of images.
  init(count: Int) { frames.reserveCapacity(count) }

  mutating func add(_ image: COCOImage) {
    frames.append(
      Frame(
        image: image.id, number: image.frame, place: names.place(of: image.name), height: Int32(image.height ?? 1)))
  }

  /// Numbers the frames after the last image, and prepares for look-ups.
  ///
  /// - Returns: The numbers in the order of the images' ids.
  mutating func settle() -> [Int] {
    frames.sort { $0.image < $1.image }
    let given = frames.compactMap(\.number)
    if given.count == frames.count, Set(given).count == given.count { return given }
    let named = names.count == frames.count ? names.numbers : nil
    for index in frames.indices { frames[index].number = named?[frames[index].place] ?? index }
    return frames.compactMap(\.number)
  }

  /// The frame of an image, and the image's height.
  subscript(image: Int) -> (number: Int, height: Int)? {
    var below = 0
    var above = frames.count
    while below < above {
      let middle = (below + above) / 2
      if frames[middle].image < image { below = middle + 1 } else { above = middle }
    }
    guard below < frames.count, frames[below].image == image, let number = frames[below].number else { return nil }
    return (number, Int(frames[below].height))
  }
}
