import Datasets
import Files
import Foundation
import PoseModel

/// Golf swings with eight labelled instants and MediaPipe's poses: `events.csv` and `poses/ID_poses.csv`.
///
/// `events.csv` has `id,player,view,slow,fps` and the frames of `address,toe_up,mid_backswing,top,mid_downswing,impact,
/// mid_follow_through,finish`. A pose file has `frame` and, for each of BlazePose's 33 landmarks, `_x,_y,_z,_visibility`
/// in 0…1 of the image, y down. An absent frame shows no person.
///
/// Face-on is the view `front`, down the line `side` (the target line runs beside the golfer), all others are
/// `oblique`. The name of a slow-motion clip ends in `_slow`; its times are those of the film.
///
/// The image is assumed to be square, like GolfDB's clips of 160 x 160: the shoulders, seen face-on, are then 0.7 of
/// the trunk, as in people.
///
/// - Source: McNally et al., GolfDB: A Video Database for Golf Swing Sequencing, 2019.
public struct GolfSwing: Importer {
  public static let format = "golf-swing"
  public static let summary = "golf swings with eight events and MediaPipe poses: events.csv, poses/ID_poses.csv"

  public let manifest: Manifest
  public private(set) var remarks: [String] = []
  private let directory: String
  private var swings: [Swing] = []

  private struct Swing {
    var file: String
    var info: Clip.Info
    /// One per event, in order.
    var frames: [Int]
  }

  public static func recognises(_ path: String) -> Bool {
    guard let folder = SourceFolder(path), folder.contains("poses"), let header = folder.firstLine(of: "events.csv")
    else { return false }
    return Set(events).isSubset(of: header.split(separator: ",").map(String.init))
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try GolfSwing(from: path, name: options.name)]
  }

  public init(from path: String, name: String?) throws {
    directory = SourceFolder(path)?.path ?? path
    manifest = Manifest(
      name: name ?? Self.format, version: "1", licence: "unknown",
      source: "GolfDB (McNally et al. 2019) with MediaPipe's poses", origin: .recorded,
      caveat: """
        Clips whose name ends in _slow are slow motion by an unknown factor: their times are the film's. The image is \
        assumed to be square.
        """,
      skeleton: Skeleton.blazePose33.name,
      coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down), channels: [.x, .y, .z, .confidence])
    let file = try InputFile("events.csv", in: directory)
    let table = try CSVTable(
      file, required: ["id", "player", "view", "slow", "fps"] + Self.events, ignoringOthers: true)
    var lines: [String: Int] = [:]
    var absent: [String] = []
    for row in table.rows {
      let id = try row.text("id")
      guard PortableName.isValid(id) else { throw row.failure("id", expected: PortableName.description) }
      if let line = lines.updateValue(row.line, forKey: id) {
        throw row.failure(clip: id, expected: "each clip once", found: "it also on line \(line)")
      }
      let swing = try Self.swing(row, id: id)
      if SourceFolder(directory)?.contains(swing.file) == true { swings.append(swing) } else { absent.append(id) }
    }
    if !absent.isEmpty { remarks.append("left out \(absent.count) clips without a pose file, such as \(absent[0])") }
    guard !swings.isEmpty else {
      throw DataError(file: file.name, expected: "a clip with a pose file", found: "none")
    }
  }

  public var clipCount: Int { swings.count }

  /// In their order; labels and columns.
  static let events = [
    "address", "toe_up", "mid_backswing", "top", "mid_downswing", "impact", "mid_follow_through", "finish",
  ]
  private static let views = ["face-on": "front", "down-the-line": "side", "other": "oblique"]

  private static func swing(_ row: CSVRow, id: String) throws -> Swing {
    let view = try row.text("view")
    guard let side = views[view] else {
      throw row.failure(
        clip: id, expected: "one of \(views.keys.sorted().joined(separator: ", ")) in column view",
        found: NearNames.question(view, in: views.keys))
    }
    let fps = try row.number("fps")
    guard Clip.Info.frameRates.contains(fps) else {
      throw row.failure("fps", expected: "\(Clip.Info.frameRateDescription) frames a second")
    }
    var frames: [Int] = []
    for event in events {
      let frame = try row.integer(event)
      guard frame >= frames.last ?? 0 else {
        throw row.failure(event, clip: id, expected: "a frame number from \(frames.last ?? 0), as events are in order")
      }
      frames.append(frame)
    }
    return Swing(
      file: "poses/\(id)_poses.csv",
      info: Clip.Info(
        name: id + (try row.flag("slow") ? "_slow" : ""), subject: try row.text("player"), exercise: "golf-swing",
        view: side, fps: fps, split: ""), frames: frames)
  }

  public func digest() throws -> ContentHash {
    try ContentHash.files(["events.csv"] + swings.map(\.file), in: directory)
  }

  public func clipName(_ index: Int) throws -> String { swings[index].info.name }

  public func clip(_ index: Int) throws -> Clip {
    let swing = swings[index]
    let landmarks = Skeleton.blazePose33.keypoints
    let suffixes = ["_x", "_y", "_z", "_visibility"]
    let columns = landmarks.map { landmark in suffixes.map { landmark + $0 } }
    let table = try CSVTable(
      InputFile(swing.file, in: directory), required: ["frame"] + columns.joined(), ignoringOthers: true)
    let numbers = try FrameGrid.numbers(table, column: "frame")
    let (seen, finish) = (numbers.last ?? 0, swing.frames.last ?? 0)
    guard finish <= seen + FrameGrid.longestGap else {
      throw DataError(
        file: "\(directory)/events.csv", clip: swing.info.name,
        expected: "a finish by frame \(seen + FrameGrid.longestGap), as the last pose is of frame \(seen)",
        found: "\(finish)")
    }
    var grid = try FrameGrid(
      frameCount: max(seen, finish) + 1, keypointCount: landmarks.count, channels: manifest.channels, file: table.file)
    for (row, frame) in zip(table.rows, numbers) {
      for landmark in landmarks.indices {
        for channel in suffixes.indices {
          grid.set(frame, keypoint: landmark, channel: channel, try row.coordinate(columns[landmark][channel]))
        }
      }
    }
    let events = zip(Self.events, swing.frames).map {
      LabelledInstant(time: Microseconds(frame: $1, rate: swing.info.fps), label: $0)
    }
    return Clip(info: swing.info, keypoints: grid.keypoints(rate: swing.info.fps), labels: GroundTruth(events: events))
  }
}
