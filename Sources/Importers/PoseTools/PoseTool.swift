import Datasets
import Files
import Foundation
import PoseModel

/// A format of a pose estimation tool, one file per format: it recognises and reads the tool's files; everything else
/// is shared.
///
/// The user must give what such files lack: frames a second, the exercise, and the image's size if positions are shares
/// of the image. Without `--subject` or folders of subjects, every clip counts as its own subject.
protocol PoseTool: FileEndings {
  /// The tool's name: `OpenPose`.
  static var tool: String { get }
  static var grouping: ToolFiles.Grouping { get }
  /// Whether a file is a frame or a recording, if a tool writes both.
  static func grouping(_ path: String) -> ToolFiles.Grouping
  /// Whether a file is one of the tool's, by its first bytes.
  static func isOurs(_ file: InputFile) -> Bool
  /// What of a file that is not the tool's comes nearest to it and does not fit; `nil` if nothing does.
  static func complaint(_ file: InputFile) -> DataError?
  /// The shape of a recording's poses, from its first files.
  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape

  var source: ToolSource { get }
  init(_ source: ToolSource)
  /// The recordings in a file, if there are several, or the only one with what the file says of it.
  static func parts(_ file: InputFile) throws -> [ToolPart]
  /// Reads one of a recording's files.
  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws
}

/// The properties of a tool's files, known before they are read.
struct ToolSource: Sendable {
  let directory: String
  let clips: [ToolClip]
  let shape: PoseShape
  let options: ImportOptions
  let manifest: Manifest
  let remarks: [String]
  /// The files next to the recordings that describe them.
  let company: ClipCompany
  /// The aspect of images of unknown size, if several recordings together show it.
  var usualAspect: Double?

  /// This many recordings suffice to infer the usual aspect.
  static let toldBy = 8

  func path(_ file: ToolClip.File) -> String { "\(directory)/\(file.path)" }

  func open(_ file: ToolClip.File) throws -> InputFile {
    let input = try InputFile(unpacking: file.path, in: directory)
    try input.requireReadableSize()
    return input
  }
}

extension PoseTool {
  public static var options: Set<ImportOption> { [.fps, .size, .exercise, .view, .subject, .folders, .person] }

  public static func recognises(_ path: String) -> Bool { ToolFiles.begins(path, endings: endings, isOurs: isOurs) }

  static func grouping(_ path: String) -> ToolFiles.Grouping { grouping }
  static func parts(_ file: InputFile) throws -> [ToolPart] { [] }
  static func complaint(_ file: InputFile) -> DataError? { nil }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    var files = try ToolFiles(
      path, endings: endings, grouping: grouping(path), format: format, isOurs: isOurs, complaint: complaint)
    try files.split(parts)
    let shape = try shape(of: files, options)
    var source = try ToolSource(files, shape, tool: tool, format: format, path: path, options: options)
    if source.lacksSize { source.usualAspect = try Self(source).usualAspect() }
    return [Self(source)]
  }

  /// The shape of the first recording that can be read.
  ///
  /// - Throws: The `DataError` of the first one if none can be read.
  private static func shape(of files: ToolFiles, _ options: ImportOptions) throws -> PoseShape {
    var unreadable: DataError?
    for clip in files.clips {
      switch try Result(ofClip: { try shape(clip, in: files.directory, options) }) {
      case .success(let shape): return shape
      case .failure(let error): unreadable = unreadable ?? error
      }
    }
    throw unreadable ?? DataError(file: files.directory, expected: "a recording", found: "none")
  }

  /// The aspect inferred from the limbs of the first recordings together, for recordings that show none alone.
  private func usualAspect() throws -> Double? {
    var doubt: Float = 0
    for clip in source.clips.prefix(ToolSource.toldBy) {
      var recording = PoseRecording(source.shape, clock: source.shape.clock, file: source.directory)
      recording.part = clip.part
      // Errors in a file are reported when it is imported.
      do { for file in clip.files { try read(file, into: &recording) } } catch is DataError { continue }
      doubt += recording.portraitDoubt
    }
    return PoseRecording.aspect(portraitDoubt: doubt)
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
    var recording = PoseRecording(source.shape, clock: source.shape.clock, file: file)
    recording.size = source.size(of: clip)
    recording.part = clip.part
    recording.person = source.options.person
    for file in clip.files { try read(file, into: &recording) }
    if clip.files.count == 1, let remark = try ForeignText.remark(InputFile(clip.files[0].path, in: source.directory)) {
      recording.notes.append(remark)
    }
    let facts = try source.finish(&recording, of: clip)
    let poses = try recording.poses(clip: clip.name, coordinates: manifest.coordinates)
    let (labels, remarks) = LabelColumns.labels(source.options.labels, of: poses.labels)
    return (
      Clip(info: source.options.info(clip, facts, rate: poses.rate), keypoints: poses.keypoints, labels: labels),
      poses.remarks + (remarks.isEmpty ? [] : ["\(clip.name): \(remarks.joined(separator: "; "))"])
    )
  }
}

extension ToolSource {
  /// - Throws: `ImportOptionError` if neither the files nor the options give something that is needed.
  init(
    _ files: ToolFiles, _ shape: PoseShape, tool: String, format: String, path: String, options: ImportOptions
  ) throws {
    directory = files.directory
    clips = files.clips
    self.shape = shape
    self.options = options
    let company = try ClipCompany(of: files.clips, in: files.directory, isFolder: SourceFolder(path) != nil)
    self.company = company
    var remarks: [String] = []
    if shape.hasTimes, options.fps != nil {
      remarks.append("--fps is not used: \(path) has the time of each frame")
    }
    let sizes = files.clips.map { company.facts(of: $0).size ?? shape.facts.size }
    let coordinates = shape.coordinates(options.size, ofClips: sizes)
    try options.requireExercise(of: files.clips, company, format: format, path: path)
    for clip in clips { try options.requireFolders(of: clip, below: path, in: directory) }
    remarks += try options.folderNames(of: clips, in: directory)
    remarks += try options.subjectNames(of: clips, in: directory)
    if files.clips.contains(where: { $0.part?.isNumbered == true }) {
      remarks.append("a table's header comes again where its frames begin again: another recording begins there")
    }
    // poses.json is what formbench.poses records of the videos.
    let others = files.others.filter { $0 != company.table && PathParts($0).name != "poses.json" }
    if !others.isEmpty {
      remarks.append("left out \(others.count) files with other content, such as \(others[0])")
    }
    remarks += company.remarks(on: files.clips)
    if let remark = shape.remark { remarks.append(remark) }
    if let names = shape.names?.remark { remarks.append(names) }
    var caveats: [String] = []
    if options.subject == nil, options.folders?.contains(.subject) != true,
      !files.clips.allSatisfy({ company.facts(of: $0).subject ?? $0.part?.subject != nil })
    {
      caveats.append("The subjects were not specified: every clip counts as a subject of its own.")
    }
    var lengths = ""
    if case .pixels = shape.unit, coordinates.unit == .metre {
      // The format has no unit for them: it takes any length that is the same throughout a clip as a metre.
      let unit = shape.meaning?.isOfSquare == true ? "shares of a square input" : "pixels of an image of unknown height"
      lengths = "; lengths are \(unit), not metres"
      remarks.append("without --size the height of the image is unknown: lengths are scaled by each clip's trunk")
    }
    self.remarks = remarks
    manifest = Manifest(
      name: options.name ?? PortableName.near(pathOf: path) ?? format, version: "1", licence: "unknown",
      source: "poses as written by \(tool), imported as \(format)\(lengths)", origin: .recorded,
      caveat: caveats.isEmpty ? nil : caveats.joined(separator: " "), skeleton: shape.skeleton.name,
      coordinates: coordinates, channels: shape.channels)
  }

  /// Whether the size of an image can only be inferred from the limbs.
  var lacksSize: Bool {
    guard case .image = shape.unit, manifest.coordinates.unit == .imageHeight else { return false }
    return clips.count > 1 && clips.contains { size(of: $0) == nil }
  }

  /// The options that change the result.
  var settings: [String] {
    get throws {
      try options.settings + [shape.skeleton.name] + company.settings
        + (shape.names.map { $0.places.map { place in place.map { "\($0)" } ?? "-" } } ?? [])
    }
  }

  /// The size of a clip's image as far as it is known before the clip is read.
  func size(of clip: ToolClip) -> ImageSize? {
    company.facts(of: clip).size ?? options.size ?? company.video(of: clip)?.size
  }

  /// Gives a recording its rate and its picture's size, as its table says, else the file, else the options, else the
  /// video next to it; assumed if all lack it.
  ///
  /// - Returns: All that is known of the clip.
  func finish(_ recording: inout PoseRecording, of clip: ToolClip) throws -> ClipFacts {
    let hasTimes = recording.hasTimes
    var facts = company.facts(of: clip)
    facts.add(recording.facts)
    if !hasTimes, let fps = recording.facts.fps, let given = options.fps, fps != given, facts.fps == fps {
      recording.notes.append("--fps is not used: the file gives \(fps.shortestDecimal)")
    }
    if let size = recording.facts.size, let given = options.size, size != given, facts.size == size {
      recording.notes.append("--size is not used: the file gives \(size.width)x\(size.height)")
    }
    facts.add(ClipFacts(fps: options.fps, size: options.size))
    let video = company.video(of: clip)
    let isTimed = try !hasTimes && facts.fps == nil && video.map { try recording.take(times: $0.times) } == true
    if let video, !video.times.isEmpty, !hasTimes, !isTimed {
      recording.notes.append(
        "\(video.file) has a variable frame rate, which is not used: "
          + (facts.fps == nil ? "it has \(video.times.count) frames" : "another is given"))
    }
    if let video, facts.size == nil || facts.fps == nil && !hasTimes {
      recording.notes.append(
        "as \(video.file) says: \(video.facts.fps.map { "\($0.shortestDecimal) frames a second, " } ?? "")"
          + "\(video.size.width)x\(video.size.height)"
          + (isTimed ? ", a variable rate: each frame has its own time" : ""))
    }
    if let video { facts.add(video.facts) }
    if !hasTimes, !isTimed {
      if facts.fps == nil {
        recording.notes.append(
          "the frame rate is unknown: assumed \(PoseRecording.usualRate.shortestDecimal) a second; change it: --fps N")
      }
      recording.rate(facts.fps ?? PoseRecording.usualRate)
    }
    if let told = shape.told { try recording.require(told, of: clip.name) }
    switch (shape.unit, manifest.coordinates.unit) {
    case (.image, .image(let aspect)):
      let own = facts.size?.aspect ?? aspect
      recording.scale(x: own / aspect, y: 1)
      recording.warnOfAspect(own, stretch: aspect)
    case (.image, _):
      let aspect = try facts.size?.aspect ?? recording.guessAspect(of: clip.name, usual: usualAspect)
      recording.scale(x: aspect, y: 1)
      if facts.size != nil { recording.warnOfAspect(aspect, stretch: 1) }
    case (.pixels, .pixel(let height)):
      guard let size = facts.size else {
        throw DataError(
          file: recording.file, clip: clip.name, expected: "the size of its image, as of other clips", found: "none")
      }
      recording.scale(x: height / Double(size.height), y: height / Double(size.height))
    default: break
    }
    return facts
  }
}

extension ImportOptions {
  /// - Throws: `ImportOptionError` if the exercise of a clip is neither in the table, nor an option, nor a folder.
  func requireExercise(of clips: [ToolClip], _ company: ClipCompany, format: String, path: String) throws {
    guard exercise == nil, folders?.contains(.exercise) != true else { return }
    guard clips.allSatisfy({ company.facts(of: $0).exercise != nil }) else {
      throw ImportOptionError.needed(format: format, path: path, options: [.exercise])
    }
  }

  /// - Throws: `DataError` if the folders between the imported path and a clip are not those of `folders`.
  func requireFolders(of clip: ToolClip, below path: String, in directory: String) throws {
    guard let folders, !folders.isEmpty else { return }
    for (meaning, name) in zip(folders, clip.folders)
    where meaning != FolderMeaning.any && PortableName.near(name).isEmpty {
      throw DataError(
        file: "\(directory)/\(clip.files[0].path)", clip: clip.name,
        expected: "a folder whose name has letters from A to Z or digits, as the name of its \(meaning.rawValue)",
        found: "\(name); rename it, to p01, say")
    }
    guard clip.folders.count != folders.count else { return }
    // A recording's own folder needs no meaning.
    if clip.hasOwnFolder, clip.folders.count == folders.count + 1 { return }
    throw DataError(
      file: "\(directory)/\(clip.files[0].path)", clip: clip.name,
      expected:
        "\(folders.count) folders between \(path) and it, as in --folders (- is a folder without a meaning)",
      found: "\(clip.folders.count)")
  }

  /// The folders with a meaning whose names a dataset writes in another way, one remark each: `the subject Zoë is called
  /// Zoe`.
  ///
  /// - Throws: `DataError` if two folders would have one name: two people must not become one.
  func folderNames(of clips: [ToolClip], in directory: String) throws -> [String] {
    var remarks: [String] = []
    for (place, meaning) in (folders ?? []).enumerated() where meaning != FolderMeaning.any {
      let named = clips.filter { place < $0.folders.count }.map { (name: $0.folders[place], path: $0.files[0].path) }
      remarks += try Self.portable(
        named, in: directory, meaning: meaning.rawValue,
        expected: "folders whose names differ in letters from A to Z and digits, as names of a \(meaning.rawValue)")
    }
    return remarks
  }

  /// Remarks on the subjects that files name, which the options may overrule.
  ///
  /// - Throws: `DataError` if a dataset cannot write a name, or would write two alike.
  func subjectNames(of clips: [ToolClip], in directory: String) throws -> [String] {
    let named = clips.compactMap { clip in clip.part?.subject.map { (name: $0, path: clip.files[0].path) } }
    guard !named.isEmpty else { return [] }
    let option = subject != nil ? "--subject" : folders?.contains(.subject) == true ? "--folders" : nil
    if let option { return ["the names of people in the files are not used: \(option) gives them"] }
    if let other = named.first(where: { PortableName.near($0.name).isEmpty }) {
      throw DataError(
        file: "\(directory)/\(other.path)",
        expected: "names of people with letters from A to Z or digits, or one name for all (--subject NAME)",
        found: other.name)
    }
    return try Self.portable(
      named, in: directory, meaning: "subject",
      expected: "people whose names differ in letters from A to Z and digits")
  }

  /// The names that a dataset writes in another way, one remark each.
  ///
  /// - Throws: `DataError` if two would be the same.
  private static func portable(
    _ named: [(name: String, path: String)], in directory: String, meaning: String, expected: String
  ) throws -> [String] {
    var remarks: [String] = []
    let groups = Dictionary(grouping: named) { PortableName.near($0.name) }.sorted { $0.key < $1.key }
    for (near, own) in groups {
      if let other = own.first(where: { $0.name != own[0].name }) {
        throw DataError(
          file: "\(directory)/\(other.path)", expected: expected,
          found: "\(own[0].name) and \(other.name), both \(near); rename one of them")
      }
      if own[0].name != near { remarks.append("the \(meaning) \(own[0].name) is called \(near)") }
    }
    return remarks
  }

  /// The description of a clip, from its table, the options, its folders and its file.
  ///
  /// - Parameter person: The subject if none of them names it; `nil` for the clip itself.
  func info(_ clip: ToolClip, _ facts: ClipFacts, rate: Double, person: String? = nil) -> Clip.Info {
    func folder(_ meaning: FolderMeaning) -> String? {
      folders?.firstIndex(of: meaning).map { PortableName.near(clip.folders[$0]) }
    }
    let own = clip.part?.subject.map { PortableName.near($0) }
    return Clip.Info(
      name: clip.name, subject: facts.subject ?? subject ?? folder(.subject) ?? own ?? person ?? clip.name,
      exercise: facts.exercise ?? exercise ?? folder(.exercise) ?? "",
      view: facts.view ?? view ?? folder(.view) ?? "", fps: rate, split: folder(.split) ?? "")
  }
}

/// The recordings below a path, by the names of their files.
///
/// A clip is a file or, if a tool writes one file per frame, the files of a folder whose names differ only in the last
/// number. Its name joins the folders between the path and the file, and the file: `anna/squat/03.json` below the path
/// is `anna_squat_03`. A folder with the recording's own name, which some tools make for each video, is not repeated:
/// `squat_03/squat_03_000000000000.json` is `squat_03`. Characters that a name cannot have become `-`. Hidden files are
/// left out; links that lead out of the folder are refused.
struct ToolFiles {
  enum Grouping: Sendable {
    /// Each file is a recording.
    case clipPerFile
    /// Each file is a frame.
    case framePerFile
  }

  /// Without a slash at its end.
  let directory: String
  var clips: [ToolClip] = []
  /// Files with the tool's ending but other content.
  private(set) var others: [String] = []

  /// - Throws: `DataError` if there is no such file, or two recordings have the same name.
  init(
    _ path: String, endings: [String], grouping: Grouping, format: String, isOurs: (InputFile) -> Bool,
    complaint: (InputFile) -> DataError? = { _ in nil }
  ) throws {
    let paths: [String]
    if let folder = SourceFolder(path) {
      directory = folder.path
      paths = try folder.files(endingIn: endings)
    } else {
      let slash = path.lastIndex(of: "/")
      directory = slash.map { String(path[..<$0]) } ?? "."
      paths = [slash.map { String(path[path.index(after: $0)...]) } ?? path]
    }
    var groups: [String: [ToolClip.File]] = [:]
    var order: [String] = []
    for path in paths {
      let (key, frame) = Self.place(path, grouping)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(ToolClip.File(path: path, frame: frame))
    }
    var names: [String: String] = [:]
    for key in order {
      guard let files = groups[key], let first = files.first else { continue }
      // A frame without a person may not identify its format. A file that cannot be opened is an error when it is read.
      guard
        files.prefix(Self.looked).contains(where: {
          (try? InputFile(unpacking: $0.path, in: directory)).map(isOurs) ?? true
        })
      else {
        others.append(first.path)
        continue
      }
      let (name, folders, hasOwnFolder) = Self.name(key, directory: directory)
      if let other = names.updateValue(first.path, forKey: name) {
        throw DataError(
          file: "\(directory)/\(first.path)", expected: "a unique clip name, found \(name)",
          found: "the same for \(other)")
      }
      clips.append(ToolClip(name: name, files: files, folders: folders, hasOwnFolder: hasOwnFolder))
    }
    guard !clips.isEmpty else {
      if let other = others.first {
        let file = try InputFile(unpacking: other, in: directory)
        try file.requireWhole()
        if let error = complaint(file) { throw error }
      }
      throw DataError(
        file: path, expected: "files of format \(format), ending in .\(endings.joined(separator: " or ."))",
        found: others.isEmpty ? "none" : "other files, such as \(others[0])")
    }
  }

  /// Replaces each file of several recordings by these.
  ///
  /// - Parameter parts: Those in a file; empty if it is one recording of which it says nothing.
  /// - Throws: `DataError` if two recordings have the same name.
  mutating func split(_ parts: (InputFile) throws -> [ToolPart]) throws {
    var all: [ToolClip] = []
    for clip in clips {
      let found =
        clip.files.count == 1 && clip.files[0].frame == nil
        // Reading reveals a file that cannot be opened.
        ? try (try? InputFile(unpacking: clip.files[0].path, in: directory)).map(parts) ?? [] : []
      for part in found {
        var own = clip
        own.part = part
        if let name = part.name {
          let near = PortableName.near(PathParts(name).stem)
          own.name = clips.count == 1 && !near.isEmpty && !part.isNumbered ? near : "\(clip.name)_\(near)"
        }
        all.append(own)
      }
      if found.isEmpty { all.append(clip) }
    }
    var seen: [String: String] = [:]
    for clip in all {
      let part = clip.part?.name
      if let other = seen.updateValue(part ?? "", forKey: clip.name), let part {
        throw DataError(
          file: "\(directory)/\(clip.files[0].path)", expected: "recordings whose names differ in letters and digits",
          found: "\(other) and \(part)")
      }
    }
    clips = all
  }

  /// Whether the first file with the tool's ending is the tool's, without listing the rest.
  static func begins(_ path: String, endings: [String], isOurs: (InputFile) -> Bool) -> Bool {
    let paths = (try? SourceFolder(path)?.files(endingIn: endings, limit: looked)) ?? [""]
    return paths.contains { file in
      let whole = file.isEmpty ? path : "\(path)/\(file)"
      guard hasEnding(whole, endings), let input = try? PackedContent.open(InputFile(whole), at: whole) else {
        return false
      }
      return isOurs(input)
    }
  }

  /// The first file below a path with one of these endings.
  ///
  /// - Throws: `DataError` if it cannot be read, or a link leads outside.
  static func first(_ path: String, endings: [String]) throws -> InputFile? {
    guard let folder = SourceFolder(path) else {
      return hasEnding(path, endings) ? try PackedContent.open(InputFile(path), at: path) : nil
    }
    return try folder.files(endingIn: endings, limit: 1).first.map { try InputFile(unpacking: $0, in: folder.path) }
  }

  /// The maximum number of files in a folder that are opened to recognise it.
  private static let looked = 20

  private static func hasEnding(_ path: String, _ endings: [String]) -> Bool {
    endings.contains { path.lowercased().hasSuffix(".\($0)") }
  }

  /// The key of a file's recording, and the file's frame in it.
  private static func place(_ path: String, _ grouping: Grouping) -> (key: String, frame: Int?) {
    let parts = PackedContent.unpackedName(path).split(separator: "/")
    let file = parts.last ?? ""
    let stem = file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex)
    let folder = parts.dropLast().map { "\($0)/" }.joined()
    guard grouping == .framePerFile else { return (folder + stem, nil) }
    guard let name = NumberedName(stem) else { return (folder + stem, nil) }
    // Names are distinguished by both parts, and called by the one before the number.
    return ("\(folder)\(name.prefix)\u{0}\(name.suffix)", name.number)
  }

  private static let frameWords: Set = ["frame", "frames", "img", "image", "landmarks", "pose"]

  /// A recording's name, its folders, and whether the last of them has its name.
  private static func name(
    _ key: String, directory: String
  ) -> (name: String, folders: [String], hasOwnFolder: Bool) {
    let path = key.split(separator: "\u{0}", omittingEmptySubsequences: false).first ?? ""
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let folders = Array(parts.dropLast())
    let own = PortableName.near(parts.last ?? "")
    // frame_0001.json is a frame of the recording in its folder.
    let isFrame = key.contains("\u{0}") && frameWords.contains(own.lowercased()) && !folders.isEmpty
    let hasOwnFolder = isFrame || !own.isEmpty && folders.last.map(PortableName.near) == own
    let words = hasOwnFolder ? folders : parts
    let name = PortableName.near(words.joined(separator: "_"))
    // Recordings whose frames are only numbers have the name of the imported folder.
    let called =
      name.isEmpty ? PortableName.near(directory.split(separator: "/").last.map(String.init) ?? "clip") : name
    return (called, folders, hasOwnFolder)
  }
}

/// A recording as its file describes it.
struct ToolPart: Hashable, Sendable {
  /// Its name; `nil` if it is the file's only one.
  var name: String?
  /// Who performs.
  var subject: String?
  /// Whether its name only counts the tables that were joined in the file.
  var isNumbered = false
  /// Whether a table's header comes again within it.
  var repeatsHeader = false
  /// Its place in JSON, if it stands there as a whole.
  var place: Place?

  struct Place: Hashable, Sendable {
    /// Its bytes.
    var range: Range<Int>
    /// The document without all recordings.
    var rest: Data
  }
}

/// A recording among the files that a tool wrote.
struct ToolClip: Hashable, Sendable {
  struct File: Hashable, Sendable {
    /// The path within the imported folder.
    var path: String
    /// The last number in the name, if each frame is a file.
    var frame: Int?

    /// That number as a time; `nil` if it only counts.
    var time: Double? { frame.flatMap { KeypointFrame.isClock($0) ? Double($0) : nil } }
  }

  var name: String
  var part: ToolPart?
  var files: [File]
  /// The folders between the path of the import and the files.
  var folders: [String]
  /// Whether the last of them has the recording's name.
  var hasOwnFolder: Bool
}

/// A name with a number in it: `walk_000000000012_keypoints` is frame 12 of `walk`.
///
/// The number is the last run of digits; the parts before and after it are the same in all frames of a recording.
struct NumberedName: Hashable, Sendable {
  var prefix: String
  var number: Int
  var suffix: String

  init?(_ name: some StringProtocol) {
    let bytes = Array(name.utf8)
    func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
    guard let last = bytes.lastIndex(where: isDigit) else { return nil }
    var first = last
    while first > 0, last - first < 17, isDigit(bytes[first - 1]) { first -= 1 }
    prefix = String(decoding: bytes[..<first], as: UTF8.self)
    number = bytes[first...last].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    suffix = String(decoding: bytes[(last + 1)...], as: UTF8.self)
  }
}
