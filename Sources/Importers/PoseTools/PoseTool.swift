import Datasets
import PoseModel

/// A format of a tool that finds poses in videos: one file a format, which says what its files look like and how one is
/// read; the rest is the same for all.
///
/// What such files lack has to be said: frames a second, what people do, and, where positions are shares of the image, its
/// size. Without `--subject` or folders of subjects every clip counts as a subject of its own.
protocol PoseTool: FileEndings {
  /// Who writes such files: `OpenPose`.
  static var tool: String { get }
  static var grouping: ToolFiles.Grouping { get }
  /// Whether a file is a frame, where a tool writes both.
  static func grouping(_ path: String) -> ToolFiles.Grouping
  /// Whether a file is one of the tool's, by how it begins.
  static func isOurs(_ file: InputFile) -> Bool
  /// What a recording's poses are made of, by its first files.
  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape

  var source: ToolSource { get }
  init(_ source: ToolSource)
  /// Reads one of a recording's files.
  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws
}

/// What is known of a tool's files before they are read.
struct ToolSource: Sendable {
  let directory: String
  let clips: [ToolClip]
  let shape: PoseShape
  let options: ImportOptions
  let manifest: Manifest
  let remarks: [String]

  func path(_ file: ToolClip.File) -> String { "\(directory)/\(file.path)" }

  func open(_ file: ToolClip.File) throws -> InputFile { try InputFile(file.path, in: directory) }
}

extension PoseTool {
  public static var options: Set<ImportOption> { [.fps, .size, .exercise, .view, .subject, .folders] }

  public static func recognises(_ path: String) -> Bool { ToolFiles.begins(path, endings: endings, isOurs: isOurs) }

  static func grouping(_ path: String) -> ToolFiles.Grouping { grouping }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    let files = try ToolFiles(path, endings: endings, grouping: grouping(path), format: format, isOurs: isOurs)
    let shape = try shape(files.clips[0], in: files.directory, options)
    return [Self(try ToolSource(files, shape, tool: tool, format: format, path: path, options: options))]
  }

  public var manifest: Manifest { source.manifest }
  public var remarks: [String] { source.remarks }
  public var clipCount: Int { source.clips.count }

  public func digest() throws -> ContentHash {
    try ContentHash.files(
      source.clips.flatMap { $0.files.map(\.path) }, in: source.directory, settings: source.settings)
  }

  public func clip(_ index: Int) throws -> Clip { try read(index).clip }

  public func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) {
    let clip = source.clips[index]
    let file = clip.files.count == 1 ? source.path(clip.files[0]) : source.directory
    var recording = PoseRecording(
      source.shape, clock: source.shape.hasTimes ? .times : .frames(rate: source.options.fps ?? 30), file: file)
    for file in clip.files { try read(file, into: &recording) }
    let poses = try recording.poses(clip: clip.name, coordinates: manifest.coordinates)
    return (
      Clip(info: source.info(clip, rate: poses.rate), keypoints: poses.keypoints, labels: Labels()), poses.remarks
    )
  }
}

extension ToolSource {
  /// - Throws: `ImportOptionError` where something is missing that neither the files nor the options say.
  init(
    _ files: ToolFiles, _ shape: PoseShape, tool: String, format: String, path: String, options: ImportOptions
  ) throws {
    directory = files.directory
    clips = files.clips
    self.shape = shape
    self.options = options
    let folders = options.folders ?? []
    if shape.hasTimes, options.fps != nil {
      throw ImportOptionError.known(option: .fps, file: path, found: "the time of each frame")
    }
    let coordinates = shape.coordinates(options.size)
    var needed: [ImportOption] = []
    if options.fps == nil, !shape.hasTimes { needed.append(.fps) }
    if coordinates == nil { needed.append(.size) }
    if options.exercise == nil, !folders.contains(.exercise) { needed.append(.exercise) }
    guard needed.isEmpty, let coordinates else {
      throw ImportOptionError.needed(format: format, path: path, options: needed)
    }
    for clip in clips where !folders.isEmpty && clip.folders.count != folders.count {
      // A recording's own folder need not stand for anything.
      if clip.hasOwnFolder, clip.folders.count == folders.count + 1 { continue }
      throw DataError(
        file: "\(directory)/\(clip.files[0].path)", clip: clip.name,
        expected:
          "\(folders.count) folders between \(path) and it, as --folders says (- is one that stands for nothing)",
        found: "\(clip.folders.count)")
    }
    var remarks: [String] = []
    if !files.others.isEmpty {
      remarks.append("left out \(files.others.count) files that hold something else, such as \(files.others[0])")
    }
    if let names = shape.names?.remark { remarks.append(names) }
    var caveats: [String] = []
    if options.subject == nil, !folders.contains(.subject) {
      caveats.append("Who is in which clip was not said: every clip counts as a subject of its own.")
    }
    if coordinates.unit == .metre {
      remarks.append("without --size the height of the image is not known: lengths are scaled by each clip's trunk")
    }
    self.remarks = remarks
    manifest = Manifest(
      name: options.name ?? PortableName.near(pathOf: path) ?? format, version: "1", licence: "unknown",
      source: "poses as written by \(tool), imported as \(format)", origin: .recorded,
      caveat: caveats.isEmpty ? nil : caveats.joined(separator: " "), skeleton: shape.skeleton.name,
      coordinates: coordinates, channels: shape.channels)
  }

  /// What was said that changes what is made of the files.
  var settings: [String] {
    get throws {
      try options.settings + [shape.skeleton.name]
        + (shape.names.map { $0.places.map { place in place.map { "\($0)" } ?? "-" } } ?? [])
    }
  }

  /// What is known of a clip by its folders and the options.
  func info(_ clip: ToolClip, rate: Double) -> Clip.Info {
    func folder(_ meaning: FolderMeaning) -> String? {
      options.folders?.firstIndex(of: meaning).map { PortableName.near(clip.folders[$0]) }
    }
    return Clip.Info(
      name: clip.name, subject: options.subject ?? folder(.subject) ?? clip.name,
      exercise: options.exercise ?? folder(.exercise) ?? "", view: options.view ?? folder(.view) ?? "", fps: rate,
      split: folder(.split) ?? "")
  }
}
