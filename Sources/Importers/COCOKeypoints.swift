import Datasets
import PoseModel

/// COCO keypoints: a JSON file of annotations (`images`, `annotations`, `categories`) or of results
/// (`[{"image_id", "category_id", "keypoints", "score"}]`).
///
/// `keypoints` holds x, y and v, in pixels with y down. In annotations v is 0 for a keypoint that is not labelled, which is
/// missing here, 1 for a hidden one, whose confidence becomes 0.5, and 2 for a visible one: 1. Results have flags like these
/// or a confidence; 0 is missing. Keypoints are COCO's 17, or those that `categories` names (`KeypointNames`).
///
/// An image belongs to the clip of its `video_id` or `vid_id`, else of the folder of its `file_name`; without either, the
/// file is one clip. Its frame is its `frame_id`; else the number of its file's name, where names differ in one number
/// only; else images follow each other by their ids. Results have no images: `image_id` is the frame. A `track_id` or
/// `person_id` is the same person in all frames; annotations of a crowd (`iscrowd`) are left out.
///
/// - Source: COCO, "Data format", 2. Keypoint detection, and "Results format", cocodataset.org/#format-data; `track_id`
///   and `vid_id` as in PoseTrack 2018.
public struct COCOKeypoints: FileEndings {
  public static let format = "coco"
  public static let summary = "COCO keypoints as JSON: annotations with images, or a list of results"
  public static let options: Set<ImportOption> = [.fps, .size, .exercise, .view, .subject, .folders]

  /// Where a clip's recording is.
  private enum Place: Sendable {
    /// The file holds no other, and is read when the clip is.
    case file(String, PoseShape, rate: Double, scaled: Bool)
    /// One of several of a file, which was read once for all.
    case memory(PoseRecording)
  }

  private let source: ToolSource
  /// One a clip.
  private let places: [Place]

  static let endings = ["json"]

  static func isOurs(_ file: InputFile) -> Bool {
    guard let outline = JSONOutline(file) else { return false }
    return outline.has("images[].file_name", .string) || outline.has("annotations[].keypoints[]", .number)
      || outline.has("[].image_id", .number) && outline.has("[].keypoints[]", .number)
  }

  public static func recognises(_ path: String) -> Bool { ToolFiles.begins(path, endings: endings, isOurs: isOurs) }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try COCOKeypoints(from: path, options: options)]
  }

  private init(from path: String, options: ImportOptions) throws {
    var files = try ToolFiles(
      path, endings: Self.endings, grouping: .clipPerFile, format: Self.format, isOurs: Self.isOurs)
    var names: [KeypointNames] = []
    var heights: Set<Int?> = []
    var counts: [Int] = []
    // One file in memory at a time.
    for clip in files.clips {
      let document = try COCODocument(InputFile(clip.files[0].path, in: files.directory))
      names.append(document.names)
      heights.formUnion(document.images.values.map(\.height))
      counts.append(document.clipCount)
    }
    if let height = heights.first, height != nil, options.size != nil {
      throw ImportOptionError.known(option: .size, file: path, found: "the size of each image")
    }
    if let other = names.firstIndex(where: { $0.skeleton.name != names[0].skeleton.name }) {
      throw DataError(
        file: "\(files.directory)/\(files.clips[other].files[0].path)",
        expected: "the keypoints of \(names[0].skeleton.name), as in the files before",
        found: "those of \(names[other].skeleton.name)")
    }
    var shape = PoseShape(skeleton: names[0].skeleton, unit: .pixels, names: names[0])
    // Images of one size stay in pixels; those of several sizes are brought to image heights.
    let known = heights.compactMap(\.self)
    if !heights.contains(nil), let height = known.first {
      let unit = CoordinateSystem.Unit.pixel(height: known.count == 1 ? Double(height) : 1)
      shape.unit = .other(CoordinateSystem(unit: unit, yAxis: .down))
    }
    var clips: [ToolClip] = []
    var places: [Place] = []
    for (clip, count) in zip(files.clips, counts) {
      let rate = options.fps ?? 30
      let scaled = known.count > 1
      var parts: [(clip: ToolClip, place: Place)] = []
      if count == 1 {
        parts = [(clip, .file(clip.files[0].path, shape, rate: rate, scaled: scaled))]
      } else {
        let document = try COCODocument(InputFile(clip.files[0].path, in: files.directory))
        for part in try document.recordings(shape, rate: rate, scaled: scaled) {
          var own = clip
          own.name += "_\(PortableName.near(part.name))"
          parts.append((own, .memory(part.recording)))
        }
      }
      for part in parts {
        guard !clips.contains(where: { $0.name == part.clip.name }) else {
          throw DataError(
            file: "\(files.directory)/\(clip.files[0].path)", clip: part.clip.name,
            expected: "a name of its own for each clip",
            found: "it for two")
        }
        clips.append(part.clip)
        places.append(part.place)
      }
    }
    files.clips = clips
    self.places = places
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

  private func recording(_ place: Place) throws -> PoseRecording {
    switch place {
    case .memory(let recording): return recording
    case .file(let path, let shape, let rate, let scaled):
      let file = try InputFile(path, in: source.directory)
      guard let only = try COCODocument(file).recordings(shape, rate: rate, scaled: scaled).first else {
        throw DataError(file: file.name, expected: "annotations with keypoints", found: "none")
      }
      return only.recording
    }
  }

  public func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) {
    let clip = source.clips[index]
    let poses = try recording(places[index]).poses(clip: clip.name, coordinates: manifest.coordinates)
    return (
      Clip(info: source.info(clip, rate: poses.rate), keypoints: poses.keypoints, labels: Labels()), poses.remarks
    )
  }
}
