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

  private let source: ToolSource
  /// One a file.
  private let documents: [COCODocument]
  /// Which part of which document each clip is.
  private let places: [(document: Int, part: Int)]
  private let shape: PoseShape
  /// Frames a second.
  private let rate: Double
  /// Whether positions become image heights.
  private let isScaled: Bool

  static let endings = ["json"]

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
    let documents = try files.clips.map { try COCODocument(InputFile($0.files[0].path, in: files.directory)) }
    let heights = documents.reduce(into: Set<Int?>()) { $0.formUnion($1.heights) }
    if let height = heights.first, height != nil, options.size != nil {
      throw ImportOptionError.known(option: .size, file: path, found: "the size of each image")
    }
    let names = documents[0].names
    if let other = documents.firstIndex(where: { $0.names.skeleton.name != names.skeleton.name }) {
      throw DataError(
        file: "\(files.directory)/\(files.clips[other].files[0].path)",
        expected: "the keypoints of \(names.skeleton.name), as in the files before",
        found: "those of \(documents[other].names.skeleton.name)")
    }
    var shape = PoseShape(skeleton: names.skeleton, unit: .pixels, names: names)
    // Images of one size stay in pixels; those of several sizes are brought to image heights.
    let known = heights.compactMap(\.self)
    if !heights.contains(nil), let height = known.first {
      let unit = CoordinateSystem.Unit.pixel(height: known.count == 1 ? Double(height) : 1)
      shape.unit = .other(CoordinateSystem(unit: unit, yAxis: .down))
    }
    var clips: [ToolClip] = []
    var taken: Set<String> = []
    var places: [(document: Int, part: Int)] = []
    for (document, clip) in zip(documents.indices, files.clips) {
      for (part, name) in documents[document].clips.enumerated() {
        var own = clip
        if documents[document].clips.count > 1 { own.name += "_\(PortableName.near(name))" }
        guard taken.insert(own.name).inserted else {
          throw DataError(
            file: "\(files.directory)/\(clip.files[0].path)", clip: own.name,
            expected: "a name of its own for each clip",
            found: "it for two")
        }
        clips.append(own)
        places.append((document, part))
      }
    }
    files.clips = clips
    self.documents = documents
    self.places = places
    self.shape = shape
    rate = options.fps ?? 30
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
    let place = places[index]
    let recording = try documents[place.document].recording(
      place.part, from: InputFile(clip.files[0].path, in: source.directory), shape, rate: rate, isScaled: isScaled)
    let poses = try recording.poses(clip: clip.name, coordinates: manifest.coordinates)
    return (
      Clip(info: source.info(clip, rate: poses.rate), keypoints: poses.keypoints, labels: Labels()), poses.remarks
    )
  }
}
