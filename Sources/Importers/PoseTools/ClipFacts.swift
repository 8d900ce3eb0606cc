import Datasets
import Files
import Foundation
import PoseModel

/// Facts about a clip besides its poses; `nil` if unknown.
struct ClipFacts: Hashable, Sendable {
  var fps: Double?
  var size: ImageSize?
  var exercise: String?
  var subject: String?
  var view: String?

  /// Adds facts that are not known yet.
  mutating func add(_ other: ClipFacts) {
    fps = fps ?? other.fps
    size = size ?? other.size
    exercise = exercise ?? other.exercise
    subject = subject ?? other.subject
    view = view ?? other.view
  }
}

/// The files next to recordings that describe them: a table of the clips, and their videos.
///
/// The table is a CSV file in the imported folder whose columns are `clip` (or `video`, `file`, `name`: the clip, its
/// file or its video, with or without folders and ending) and some of `width`, `height`, `fps`, `exercise`, `subject` and
/// `view`; other columns are ignored. A video is an MP4 or MOV file that is called like the clip's file or its folder.
struct ClipCompany: Sendable {
  struct Video: Sendable {
    /// Within the imported folder.
    var file: String
    var size: ImageSize
    var fps: Double?
    /// The time of each frame in microseconds, if they lie unevenly.
    var times: [Int]

    var facts: ClipFacts { ClipFacts(fps: fps, size: size) }
  }

  /// The table's file, within the imported folder.
  private(set) var table: String?
  private var rows: [String: ClipFacts] = [:]
  private var videos: [String: Video] = [:]
  private var directory: String

  /// - Throws: `DataError` with file and line if the table has an invalid value, or lists a clip twice.
  init(of clips: [ToolClip], in directory: String, isFolder: Bool) throws {
    self.directory = directory
    let folder = SourceFolder(directory)
    for name in try folder?.names(endingIn: "csv") ?? [] where isFolder || name != clips.first?.files.first?.path {
      guard let header = folder?.firstLine(of: name), let columns = Columns(header) else { continue }
      if let table {
        throw DataError(
          file: "\(directory)/\(name)", expected: "one table of the clips, which is \(table)", found: "another")
      }
      table = name
      rows = try Self.rows(InputFile(name, in: directory), columns)
    }
    for clip in clips {
      guard let file = clip.files.first?.path, let video = try Self.video(beside: file, in: directory) else { continue }
      videos[clip.name] = video
    }
  }

  func facts(of clip: ToolClip) -> ClipFacts {
    guard !rows.isEmpty else { return ClipFacts() }
    let file = clip.files.first?.path ?? ""
    return [clip.name, file, Self.stem(file), Self.stem(Self.last(file)), clip.folders.last ?? ""].lazy
      .compactMap { rows[$0.lowercased()] }.first ?? ClipFacts()
  }

  func video(of clip: ToolClip) -> Video? { videos[clip.name] }

  /// The clips without a row in the table.
  func remarks(on clips: [ToolClip]) -> [String] {
    guard let table else { return [] }
    let others = clips.filter { facts(of: $0) == ClipFacts() }
    guard let first = others.first else { return ["clips as \(table) describes them"] }
    return [
      "clips as \(table) describes them, but not \(first.name)"
        + (others.count > 1 ? " and \(others.count - 1) more, which it does not list" : ", which it does not list")
    ]
  }

  /// All its facts, for the hash that tells whether an import would give the same result.
  var settings: [String] {
    let table = rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return table + videos.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.facts) \($0.value.times)" }
  }

  private static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private static func stem(_ path: String) -> String {
    let parts = PathParts(PackedContent.unpackedName(path))
    return PathParts.join(parts.folder, parts.stem)
  }

  // MARK: The table

  /// The columns of such a table.
  private struct Columns {
    let clip: String
    let others: [String: String]

    private static let clips = ["clip", "video", "file", "filename", "name", "clip_name", "video_name", "file_name"]
    static let facts = ["width", "height", "fps", "exercise", "subject", "view"]

    /// `nil` if a header is of another table.
    init?(_ header: String) {
      let names = header.split(separator: ",").map { $0.trimmingCharacters(in: ["\"", " ", "\r"]) }
      let byMeaning = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
      guard let clip = Self.clips.lazy.compactMap({ byMeaning[$0] }).first else { return nil }
      let others = byMeaning.filter { Self.facts.contains($0.key) }
      guard !others.isEmpty, names.count <= 30, KeypointColumns(names) == nil else { return nil }
      // A dataset folder's own table names the poses.
      guard byMeaning["poses"] == nil else { return nil }
      self.clip = clip
      self.others = others
    }
  }

  private static func rows(_ file: InputFile, _ columns: Columns) throws -> [String: ClipFacts] {
    let table = try CSVTable(
      file, required: [columns.clip] + columns.others.values.sorted(), ignoringOthers: true)
    var rows: [String: ClipFacts] = [:]
    for row in table.rows {
      func text(_ name: String) throws -> String? {
        guard let column = columns.others[name], let text = try row.textIfPresent(column) else { return nil }
        guard name == "view" || PortableName.isValid(text) else {
          throw row.failure(column, expected: PortableName.description)
        }
        return text
      }
      var facts = ClipFacts()
      if let column = columns.others["fps"] { facts.fps = try row.numberIfPresent(column) }
      if let fps = facts.fps, !Clip.Info.frameRates.contains(fps) {
        throw row.failure(columns.others["fps"] ?? "fps", expected: "\(Clip.Info.frameRateDescription) frames a second")
      }
      if let wide = columns.others["width"], let high = columns.others["height"],
        let width = try row.integerIfPresent(wide), let height = try row.integerIfPresent(high)
      {
        guard let size = ImageSize(width: width, height: height) else {
          throw row.failure(wide, expected: "the width of an image in pixels")
        }
        facts.size = size
      }
      facts.exercise = try text("exercise")
      facts.subject = try text("subject")
      facts.view = try text("view")
      if let view = facts.view, !["front", "side", "oblique"].contains(view) {
        throw row.failure(columns.others["view"] ?? "view", expected: "front, side or oblique")
      }
      let name = try row.text(columns.clip).lowercased()
      for key in Set([name, stem(name), stem(last(name))]) {
        if let other = rows[key], other != facts {
          throw row.failure(columns.clip, expected: "each clip once")
        }
        rows[key] = facts
      }
    }
    return rows
  }

  // MARK: Videos

  private static func video(beside file: String, in directory: String) throws -> Video? {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    for stem in [stem(file), folder] where !stem.isEmpty {
      for ending in ["mp4", "mov", "MP4", "MOV", "m4v"] {
        let path = "\(stem).\(ending)"
        guard FileManager.default.fileExists(atPath: "\(directory)/\(path)"),
          let header = try? VideoHeader(InputFile(path, in: directory))
        else { continue }
        return Video(
          file: path, size: header.size, fps: header.fps, times: header.isVariable ? header.times : [])
      }
    }
    return nil
  }
}
