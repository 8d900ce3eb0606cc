import Datasets
import Files
import Foundation
import PoseModel

/// Tennis shots cut to 30 frames, with MoveNet's keypoints: `PLAYER/shots/forehand_001.csv` and the like.
///
/// A file has `joint_y,joint_x` for 13 joints, MoveNet's without eyes and ears, in 0…1 of a square crop, y down, and the
/// column `shot`: `forehand`, `backhand`, `serve` or `neutral`. A stroke is an interval over the clip and an event on its
/// frame 15; a neutral clip has neither. Takes the folder of the players or one player's.
///
/// The crop follows the player and changes its size from frame to frame: only proportions within a frame have a
/// meaning.
///
/// - Source: github.com/antoinekeller/tennis_shot_recognition, `dataset/` and `extract_human_pose.py`.
public struct TennisShots: Importer {
  public static let format = "tennis-shots"
  public static let summary = "tennis shots of 30 frames with MoveNet poses: PLAYER/shots/{forehand,…}_001.csv"

  public let manifest: Manifest
  public let remarks: [String] = []
  private let directory: String
  private var shots: [(file: String, info: Clip.Info)] = []

  public static func recognises(_ path: String) -> Bool {
    guard let root = SourceFolder(path), let folders = try? shotFolders(in: root) else { return false }
    return folders.contains { folder in
      let files = (try? folder.names(endingIn: "csv")) ?? []
      return files.contains { folder.firstLine(of: $0)?.wholeMatch(of: /nose_y,nose_x,.*,shot/) != nil }
    }
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try TennisShots(from: path, name: options.name)]
  }

  public init(from path: String, name: String?) throws {
    guard let root = SourceFolder(path) else {
      throw DataError(file: path, expected: "a folder with PLAYER/shots/*.csv", found: "no folder")
    }
    directory = root.path
    manifest = Manifest(
      name: name ?? Self.format, version: "1", licence: "unknown",
      source: "github.com/antoinekeller/tennis_shot_recognition, MoveNet on broadcast tennis", origin: .recorded,
      caveat: """
        Shots were marked by hand; a shot lies only roughly on frame 15 of its 30. The videos' frame rate is not \
        stated: 30 frames a second are assumed. The crop around the player changes from frame to frame.
        """,
      skeleton: Skeleton.coco17.name, coordinates: CoordinateSystem(unit: .relative, yAxis: .down), channels: [.x, .y])
    for folder in try Self.shotFolders(in: root) {
      let player = String(folder.path.dropLast("/shots".count).split(separator: "/").last ?? "player")
      for file in try folder.names(endingIn: "csv") {
        let clip = "\(player)_\(file.dropLast(4))"
        shots.append(
          (
            String("\(folder.path)/\(file)".dropFirst(root.path.count + 1)),
            Clip.Info(name: clip, subject: player, exercise: "tennis", view: "", fps: Self.rate, split: "")
          ))
      }
    }
    guard !shots.isEmpty else { throw DataError(file: path, expected: "PLAYER/shots/*.csv", found: "none") }
  }

  public var clipCount: Int { shots.count }

  private static let rate = 30.0
  private static let strokeFrame = 15
  private static let joints = Skeleton.coco17.keypoints.filter { !$0.hasSuffix("_eye") && !$0.hasSuffix("_ear") }
  static let labels: Set = ["forehand", "backhand", "serve", "neutral"]

  private static func shotFolders(in root: SourceFolder) throws -> [SourceFolder] {
    if let own = try root.folder("shots") { return [own] }
    return try root.names().compactMap { try root.folder("\($0)/shots") }
  }

  public func digest() throws -> ContentHash { try ContentHash.files(shots.map(\.file), in: directory) }

  public func clipName(_ index: Int) throws -> String { shots[index].info.name }

  public func clip(_ index: Int) throws -> Clip {
    let shot = shots[index]
    try PortableName.require(shot.info.name, of: "\(directory)/\(shot.file)")
    let table = try CSVTable(
      InputFile(shot.file, in: directory), required: Self.joints.flatMap { ["\($0)_y", "\($0)_x"] } + ["shot"])
    var grid = try FrameGrid(
      frameCount: table.rows.count, keypointCount: Skeleton.coco17.keypoints.count, channels: manifest.channels,
      file: table.file)
    let places = Self.joints.compactMap { Skeleton.coco17.keypoints.firstIndex(of: $0) }
    var label: String?
    for (frame, row) in table.rows.enumerated() {
      let text = try row.text("shot")
      guard Self.labels.contains(text) else {
        throw row.failure(
          clip: shot.info.name, expected: "one of \(Self.labels.sorted().joined(separator: ", ")) in column shot",
          found: NearNames.question(text, in: Self.labels))
      }
      if let label, label != text {
        throw row.failure(clip: shot.info.name, expected: "the label of the rows above, \(label)", found: text)
      }
      label = text
      for (joint, place) in zip(Self.joints, places) {
        grid.set(frame, keypoint: place, channel: 0, try row.coordinate("\(joint)_x"))
        grid.set(frame, keypoint: place, channel: 1, try row.coordinate("\(joint)_y"))
      }
    }
    guard let label, table.rows.count > Self.strokeFrame else {
      throw DataError(
        file: table.file, clip: shot.info.name, expected: "more than \(Self.strokeFrame) frames",
        found: "\(table.rows.count)")
    }
    var labels = GroundTruth()
    if label != "neutral" {
      let end = Microseconds(frame: grid.frameCount, rate: Self.rate)
      labels.events = [LabelledInstant(time: Microseconds(frame: Self.strokeFrame, rate: Self.rate), label: label)]
      labels.intervals = [Segment(start: .zero, end: end, label: label)]
    }
    return Clip(info: shot.info, keypoints: grid.keypoints(rate: Self.rate), labels: labels)
  }
}
