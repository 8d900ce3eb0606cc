import Datasets
import Files
import Foundation
import PoseModel

/// UI-PRMD: repetitions of rehabilitation exercises by motion capture, one file per repetition.
///
/// `Segmented Movements/Vicon/Positions/m01_s01_e01_positions.txt` has a correct repetition, `Incorrect Segmented
/// Movements/…/m01_s01_e01_positions_inc.txt` an incorrect one: lines of 39 Plug-in Gait markers x 3 in millimetres, z
/// up, 100 a second. A marker of three zeros, or with a NaN, is lost. Takes the whole set, one of its folders, or a
/// folder of such files; the Kinect's files and the angles are left out.
///
/// The markers become joint centres (`JointCentres`) in metres: x and z lie in the floor, as the laboratory's x and y, and
/// y points up. A clip is one repetition, from its first frame to its last, and has the fault `incorrect` or not.
///
/// - Source: Vakanski et al., A Data Set of Human Body Movements for Physical Rehabilitation Exercises, Data 3(1), 2018.
public struct UIPRMD: Importer {
  public static let format = "ui-prmd"
  public static let summary = "UI-PRMD motion capture: [Incorrect ]Segmented Movements/Vicon/Positions/*.txt"

  public let manifest: Manifest
  public let remarks: [String] = []
  private let directory: String
  private var recordings: [Recording] = []

  private struct Recording {
    /// Within the folder.
    var file: String
    var info: Clip.Info
    var isIncorrect: Bool
  }

  public static func recognises(_ path: String) -> Bool {
    guard let root = SourceFolder(path) else { return false }
    return ((try? folders(in: root)) ?? []).contains { folder in
      (try? folder.names(endingIn: "txt"))?.contains { $0.wholeMatch(of: fileName) != nil } ?? false
    }
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try UIPRMD(from: path, name: options.name)]
  }

  public init(from path: String, name: String?) throws {
    guard let root = SourceFolder(path) else {
      throw DataError(file: path, expected: "a folder with m01_s01_e01_positions.txt and the like", found: "no folder")
    }
    directory = root.path
    manifest = Manifest(
      name: name ?? Self.format, version: "1", licence: "ODC Public Domain Dedication and Licence (PDDL) 1.0",
      source: "UI-PRMD (Vakanski et al. 2018), Vicon, markers turned into joint centres", origin: .recorded,
      caveat: "Each clip is one repetition of a healthy subject; the incorrect ones are acted.",
      skeleton: Skeleton.motionCapture.name, coordinates: CoordinateSystem(unit: .metre, yAxis: .up),
      channels: [.x, .y, .z])
    var files: [String: String] = [:]
    for folder in try Self.folders(in: root) {
      for file in try folder.names(endingIn: "txt") {
        guard let match = file.wholeMatch(of: Self.fileName) else { continue }
        let path = "\(folder.path)/\(file)"
        let clip = "m\(match.1)_s\(match.2)_e\(match.3)" + (match.4 ?? "")
        if let other = files.updateValue(path, forKey: clip) {
          throw DataError(file: path, clip: clip, expected: "each repetition once", found: "it in \(other) too")
        }
        recordings.append(
          Recording(
            file: String(path.dropFirst(root.path.count + 1)),
            info: Clip.Info(
              name: clip, subject: "s\(match.2)", exercise: Self.exercises[String(match.1)] ?? "", view: "",
              fps: Self.rate, split: ""), isIncorrect: match.4 != nil))
      }
    }
    guard !recordings.isEmpty else {
      throw DataError(file: path, expected: "m01_s01_e01_positions.txt and the like", found: "none")
    }
    recordings.sort { $0.info.name < $1.info.name }
    if recordings.allSatisfy(\.info.exercise.isEmpty) { try requireMovement(of: recordings[0]) }
  }

  public var clipCount: Int { recordings.count }

  /// - Throws: `DataError` for a recording of none of the ten movements.
  private func requireMovement(of recording: Recording) throws {
    guard recording.info.exercise.isEmpty else { return }
    let name = recording.info.name
    throw DataError(
      file: "\(directory)/\(recording.file)", clip: name, expected: "a movement from m01 to m10",
      found: String(name.prefix(3)))
  }

  private static let rate = 100.0

  private static var fileName: Regex<(Substring, Substring, Substring, Substring, Substring?)> {
    /m([0-9]{2})_s([0-9]{2})_e([0-9]{2})_positions(_inc)?\.txt/
  }

  /// The ten movements of table 1 of the source.
  static let exercises = [
    "01": "squat", "02": "hurdle-step", "03": "lunge", "04": "side-lunge", "05": "sit-to-stand",
    "06": "straight-leg-raise", "07": "shoulder-abduction", "08": "shoulder-extension", "09": "shoulder-rotation",
    "10": "shoulder-scaption",
  ]

  /// The folders of the set that may contain Vicon positions.
  private static func folders(in root: SourceFolder) throws -> [SourceFolder] {
    let kinds = ["Segmented Movements", "Incorrect Segmented Movements"]
    let relative = kinds.map { "\($0)/Vicon/Positions" } + ["Vicon/Positions", "Positions"]
    return [root] + (try relative.compactMap { try root.folder($0) })
  }

  public func digest() throws -> ContentHash { try ContentHash.files(recordings.map(\.file), in: directory) }

  public func clip(_ index: Int) throws -> Clip {
    let recording = recordings[index]
    try requireMovement(of: recording)
    let name = recording.info.name
    let path = "\(directory)/\(recording.file)"
    let rows = try NumberRows(InputFile(recording.file, in: directory), columnCount: Self.markers.count * 3)
    guard rows.rowCount > 1 else {
      throw DataError(file: path, clip: name, expected: "at least two frames", found: "\(rows.rowCount)")
    }
    let centres = try JointCentres(MarkerSet.named("plug-in-gait"), names: Self.markers)
    let frames = (0..<rows.rowCount).map { Self.points(rows, frame: $0) }
    let model = centres.measuring(frames)
    let metres = frames.flatMap { frame in
      frame.withUnsafeBufferPointer { model.centres($0, scale: 0.001) }.flatMap { point in
        let upright = WorldAxis.z.upright(point)
        return [Float(upright.x), Float(upright.y), Float(upright.z)]
      }
    }
    let times = [Microseconds](frames: frames.count, rate: Self.rate)
    return Clip(
      info: recording.info,
      keypoints: Keypoints(
        times: times, keypointCount: Skeleton.motionCapture.keypoints.count, channels: manifest.channels, frames: metres
      ),
      labels: GroundTruth(
        reps: [Rep(start: .zero, end: Microseconds(frame: rows.rowCount - 1, rate: Self.rate))],
        faults: [GroundTruth.Fault(rep: nil, rater: "dataset", name: "incorrect", present: recording.isIncorrect)]))
  }

  /// In the order of the columns.
  private static let markers =
    """
    LFHD RFHD LBHD RBHD C7 T10 CLAV STRN RBAK LSHO LUPA LELB LFRM LWRA LWRB LFIN RSHO RUPA RELB RFRM RWRA RWRB RFIN LASI \
    RASI LPSI RPSI LTHI LKNE LTIB LANK LHEE LTOE RTHI RKNE RTIB RANK RHEE RTOE
    """.split(separator: " ").map(String.init)

  private static func points(_ rows: NumberRows, frame: Int) -> [SIMD3<Double>] {
    markers.indices.map { marker in
      let start = frame * rows.columnCount + marker * 3
      let point = SIMD3(
        Double(rows.values[start]), Double(rows.values[start + 1]), Double(rows.values[start + 2]))
      return point == .zero || point.isMissing ? .missing : point
    }
  }
}
