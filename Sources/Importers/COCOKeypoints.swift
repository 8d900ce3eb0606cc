import Datasets
import PoseModel

/// COCO keypoints: a JSON file of annotations (`images`, `annotations`, `categories`) or of results
/// (`[{"image_id", "category_id", "keypoints", "score"}]`).
///
/// `keypoints` holds x, y and v, in pixels with y down. In annotations v is 0 for a keypoint that is not labelled, which is
/// missing here, 1 for a hidden one, whose confidence becomes 0.5, and 2 for a visible one: 1. Results have flags like these
/// or a confidence; 0 is missing.
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
  /// One a clip.
  private let recordings: [PoseRecording]

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
    let documents = try files.clips.map { clip in
      (clip, try COCODocument(InputFile(clip.files[0].path, in: files.directory)))
    }
    let skeleton = documents[0].1.skeleton
    let heights = Set(documents.flatMap { $0.1.images.values.map(\.height) })
    if let height = heights.first, height != nil, options.size != nil {
      throw ImportOptionError.known(option: .size, file: path, found: "the size of each image")
    }
    var shape = PoseShape(skeleton: skeleton, unit: .pixels)
    // Images of one size stay in pixels; those of several sizes are brought to image heights.
    let known = heights.compactMap(\.self)
    if !heights.contains(nil), let height = known.first {
      let unit = known.count == 1 ? CoordinateSystem.Unit.pixel(height: Double(height)) : .imageHeight
      shape.unit = .other(CoordinateSystem(unit: unit, yAxis: .down))
    }
    var clips: [ToolClip] = []
    var recordings: [PoseRecording] = []
    for (clip, document) in documents {
      let parts = try document.recordings(shape, rate: options.fps ?? 30, scaled: known.count > 1)
      for part in parts {
        var own = clip
        if parts.count > 1 { own.name += "_\(PortableName.near(part.name))" }
        guard !clips.contains(where: { $0.name == own.name }) else {
          throw DataError(
            file: "\(files.directory)/\(clip.files[0].path)", clip: own.name,
            expected: "a name of its own for each clip",
            found: "it for two")
        }
        clips.append(own)
        recordings.append(part.recording)
      }
    }
    files.clips = clips
    self.recordings = recordings
    source = try ToolSource(files, shape, tool: "a tool for COCO", format: Self.format, path: path, options: options)
  }

  public var manifest: Manifest { source.manifest }
  public var remarks: [String] { source.remarks }
  public var clipCount: Int { recordings.count }

  public func digest() throws -> ContentHash {
    var seen: Set<String> = []
    return try ContentHash.files(
      source.clips.map { $0.files[0].path }.filter { seen.insert($0).inserted }, in: source.directory)
  }

  public func clip(_ index: Int) throws -> Clip { try read(index).clip }

  public func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) {
    let clip = source.clips[index]
    let poses = try recordings[index].poses(clip: clip.name, coordinates: manifest.coordinates)
    return (
      Clip(info: source.info(clip, rate: poses.rate), keypoints: poses.keypoints, labels: Labels()), poses.remarks
    )
  }
}
