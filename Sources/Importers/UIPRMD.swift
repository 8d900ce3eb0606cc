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
/// The files of one person, movement and kind are consecutive cuts of one recording: they are joined into sets where the
/// markers go on from one file to the next (`isContinuous`). With `--sets` such a set is cut into sets of varied length
/// at the authors' boundaries, with `--single` each repetition is a clip.
///
/// The markers become joint centres (`JointCentres`) in metres: x and z lie in the floor, as the laboratory's x and y, and
/// y points up. Each repetition goes from its first frame to that of the next, and has the fault `incorrect` or not.
///
/// - Source: Vakanski et al., A Data Set of Human Body Movements for Physical Rehabilitation Exercises, Data 3(1), 2018.
public struct UIPRMD: Importer {
  public static let format = "ui-prmd"
  public static let summary = "UI-PRMD motion capture: [Incorrect ]Segmented Movements/Vicon/Positions/*.txt"
  public static let options: Set<ImportOption> = [.exercise, .sets, .single]
  public static let takesSeveralExercises = true

  public let manifest: Manifest
  public private(set) var remarks: [String] = []
  private let directory: String
  private var recordings: [Recording] = []
  private let settings: [String]

  /// The clip of one repetition or several.
  private struct Recording {
    /// Within the folder, one per repetition.
    var files: [String]
    var info: Clip.Info
    var isIncorrect: Bool
  }

  /// A repetition's file.
  private struct Repetition: Sendable {
    /// Within the folder.
    var file: String
    var number: Int
    /// The markers in the first two and the last two frames; `nil` for a file that cannot be read.
    var first: [[SIMD3<Double>]]?
    var last: [[SIMD3<Double>]]?
  }

  public static func recognises(_ path: String) -> Bool {
    guard let root = SourceFolder(path) else { return false }
    return ((try? folders(in: root)) ?? []).contains { folder in
      (try? folder.names(endingIn: "txt"))?.contains { $0.wholeMatch(of: fileName) != nil } ?? false
    }
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try UIPRMD(from: path, options)]
  }

  /// - Throws: `ImportOptionError` for a movement that the set does not have.
  private init(from path: String, _ options: ImportOptions) throws {
    guard let root = SourceFolder(path) else {
      throw DataError(file: path, expected: "a folder with m01_s01_e01_positions.txt and the like", found: "no folder")
    }
    directory = root.path
    let chosen = options.exercise.map { $0.split(separator: ",").map(String.init) }
    if let other = chosen?.first(where: { !Self.exercises.values.contains($0) }) {
      throw DataError(
        file: path,
        expected:
          "one of the movements \(Self.exercises.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", "))",
        found: NearNames.question(other, in: Self.exercises.values))
    }
    manifest = Manifest(
      name: options.name ?? Self.format, version: "2", licence: "ODC Public Domain Dedication and Licence (PDDL) 1.0",
      source: "UI-PRMD (Vakanski et al. 2018), Vicon, markers turned into joint centres", origin: .recorded,
      caveat: options.isSingle
        ? "Each clip is one repetition of a healthy subject; the incorrect ones are acted."
        : "Each clip is a set of a healthy subject, all correct or all incorrect; the incorrect ones are acted.",
      skeleton: Skeleton.motionCapture.name, coordinates: CoordinateSystem(unit: .metre, yAxis: .up),
      channels: [.x, .y, .z])
    settings = try options.settings
    var files: [String: String] = [:]
    // By movement, subject and kind.
    var series: [String: [(file: String, number: Int)]] = [:]
    for folder in try Self.folders(in: root) {
      for file in try folder.names(endingIn: "txt") {
        guard let match = file.wholeMatch(of: Self.fileName) else { continue }
        let path = "\(folder.path)/\(file)"
        let clip = "m\(match.1)_s\(match.2)_e\(match.3)" + (match.4 ?? "")
        if let other = files.updateValue(path, forKey: clip) {
          throw DataError(file: path, clip: clip, expected: "each repetition once", found: "it in \(other) too")
        }
        let exercise = Self.exercises[String(match.1)] ?? ""
        guard chosen?.contains(exercise) ?? true, let number = Int(match.3) else { continue }
        series["m\(match.1)_s\(match.2)" + (match.4 ?? ""), default: []].append(
          (String(path.dropFirst(root.path.count + 1)), number))
      }
    }
    guard !series.isEmpty else {
      throw DataError(
        file: path, expected: "m01_s01_e01_positions.txt and the like",
        found: files.isEmpty ? "none" : "other movements")
    }
    let names = series.keys.sorted()
    let all = series
    let found = concurrently(names.count) { Self.repetitions(all[names[$0]] ?? [], in: root.path) }
    var (continuous, boundaries, breaks) = (0, 0, [String]())
    for (name, repetitions) in zip(names, found) {
      var set: [Repetition] = []
      for repetition in repetitions {
        if let last = set.last {
          let isContinuous = last.number + 1 == repetition.number && Self.isContinuous(last, repetition)
          boundaries += 1
          if isContinuous { continuous += 1 } else { breaks.append("\(last.file) and \(repetition.file)") }
          if options.isSingle || !isContinuous {
            add(set, of: name, cutInto: options.sets)
            set = []
          }
        }
        set.append(repetition)
      }
      add(set, of: name, cutInto: options.sets)
    }
    if !options.isSingle, boundaries > 0 {
      remarks.append(
        "\(continuous) of \(boundaries) boundaries between repetitions are continuous: joined into "
          + "\(recordings.count) sets")
      remarks += breaks.map { "\($0) are not joined: the markers do not go on from one to the other" }
    }
    if recordings.allSatisfy(\.info.exercise.isEmpty) { try requireMovement(of: recordings[0]) }
  }

  public var clipCount: Int { recordings.count }

  /// Adds the clips of a continuous recording.
  private mutating func add(_ set: [Repetition], of name: String, cutInto lengths: ClosedRange<Int>?) {
    var rest = set[...]
    let isIncorrect = name.hasSuffix(Self.incorrectEnding)
    let base = isIncorrect ? String(name.dropLast(Self.incorrectEnding.count)) : name
    let parts = base.split(separator: "_")
    let sizes = lengths.map { SetLengths($0, seed: name).cut(set.count) } ?? [set.count]
    for size in sizes where size > 0 {
      let own = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      guard let first = own.first, let last = own.last else { continue }
      func episode(_ repetition: Repetition) -> String {
        (repetition.number < 10 ? "e0" : "e") + "\(repetition.number)"
      }
      let range = own.count > 1 ? "\(episode(first))-\(episode(last))" : episode(first)
      recordings.append(
        Recording(
          files: own.map(\.file),
          info: Clip.Info(
            name: "\(base)_\(range)" + (isIncorrect ? Self.incorrectEnding : ""), subject: String(parts[1]),
            exercise: Self.exercises[String(parts[0].dropFirst())] ?? "", view: "", fps: Self.rate, split: ""),
          isIncorrect: isIncorrect))
    }
  }

  /// The repetitions of one recording in their order.
  private static func repetitions(_ files: [(file: String, number: Int)], in directory: String) -> [Repetition] {
    files.sorted { $0.number < $1.number }.map { file, number in
      let rows = try? NumberRows(InputFile(file, in: directory), columnCount: markers.count * 3)
      func frames(_ places: (Int) -> [Int]) -> [[SIMD3<Double>]]? {
        rows.map { rows in places(rows.rowCount - 1).map { points(rows, frame: $0) } }
      }
      return Repetition(
        file: file, number: number, first: frames { [0, min(1, $0)] }, last: frames { [max(0, $0 - 1), $0] })
    }
  }

  /// Nine markers in ten that move no farther than this between two frames, in millimetres, are of one recording, and so
  /// are those that move no farther than this many times as far as in the frames before or after: people stand or turn
  /// between repetitions, or swing their arms. Between two recordings they move by decimetres.
  private static let (smallestStep, timesFarther) = (5.0, 3.0)

  /// Whether a recording goes on from one file to the next.
  ///
  /// A file that cannot be read is taken as a part of its set, which is then left out: once it is mended, the same sets
  /// are there.
  private static func isContinuous(_ a: Repetition, _ b: Repetition) -> Bool {
    guard let end = a.last, let beginning = b.first else { return true }
    let usual = max(step(end[0], end[1]) ?? 0, step(beginning[0], beginning[1]) ?? 0)
    return step(end[1], beginning[0]).map { $0 <= max(smallestStep, timesFarther * usual) } ?? false
  }

  /// How far nine markers in ten move from one frame to another at most, in millimetres; `nil` if none is in both.
  private static func step(_ a: [SIMD3<Double>], _ b: [SIMD3<Double>]) -> Double? {
    let steps = zip(a, b).map { $0.distance(to: $1) }.filter(\.isFinite).sorted()
    return steps.isEmpty ? nil : steps[(steps.count - 1) * 9 / 10]
  }

  /// - Throws: `DataError` for a recording of none of the ten movements.
  private func requireMovement(of recording: Recording) throws {
    guard recording.info.exercise.isEmpty else { return }
    let name = recording.info.name
    throw DataError(
      file: "\(directory)/\(recording.files[0])", clip: name, expected: "a movement from m01 to m10",
      found: String(name.prefix(3)))
  }

  private static let rate = 100.0

  private static var fileName: Regex<(Substring, Substring, Substring, Substring, Substring?)> {
    /m([0-9]{2})_s([0-9]{2})_e([0-9]{2})_positions(_inc)?\.txt/
  }

  private static let incorrectEnding = "_inc"

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

  public func digest() throws -> ContentHash {
    try ContentHash.files(recordings.flatMap(\.files), in: directory, settings: settings)
  }

  public func clip(_ index: Int) throws -> Clip {
    let recording = recordings[index]
    try requireMovement(of: recording)
    let name = recording.info.name
    let centres = try JointCentres(MarkerSet.named("plug-in-gait"), names: Self.markers)
    var frames: [[SIMD3<Double>]] = []
    var starts: [Int] = []
    for file in recording.files {
      let rows = try NumberRows(InputFile(file, in: directory), columnCount: Self.markers.count * 3)
      guard rows.rowCount > 1 else {
        throw DataError(
          file: "\(directory)/\(file)", clip: name, expected: "at least two frames", found: "\(rows.rowCount)")
      }
      starts.append(frames.count)
      frames += (0..<rows.rowCount).map { Self.points(rows, frame: $0) }
    }
    let model = centres.measuring(frames)
    let metres = frames.flatMap { frame in
      frame.withUnsafeBufferPointer { model.centres($0, scale: 0.001) }.flatMap { point in
        let upright = WorldAxis.z.upright(point)
        return [Float(upright.x), Float(upright.y), Float(upright.z)]
      }
    }
    let times = [Microseconds](frames: frames.count, rate: Self.rate)
    // A repetition ends where the next one begins.
    let ends = starts.dropFirst() + [frames.count - 1]
    return Clip(
      info: recording.info,
      keypoints: Keypoints(
        times: times, keypointCount: Skeleton.motionCapture.keypoints.count, channels: manifest.channels, frames: metres
      ),
      labels: GroundTruth(
        reps: zip(starts, ends).map { Rep(start: times[$0], end: times[$1]) },
        faults: starts.indices.map { rep in
          GroundTruth.Fault(
            rep: starts.count > 1 ? rep : nil, rater: "dataset", name: "incorrect", present: recording.isIncorrect)
        }))
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
      // Copies of the set differ in the digits after hundredths of a millimetre, which no camera measures.
      let point = SIMD3(rows.values[start], rows.values[start + 1], rows.values[start + 2]).inHundredths
      return point == .zero || point.isMissing ? .missing : point
    }
  }
}

extension SIMD3<Float> {
  fileprivate var inHundredths: SIMD3<Double> { (SIMD3<Double>(self) * 100).rounded(.toNearestOrAwayFromZero) / 100 }
}

/// The lengths of sets that a recording is cut into, drawn from a seed.
private struct SetLengths {
  let range: ClosedRange<Int>
  private var state: UInt64

  init(_ range: ClosedRange<Int>, seed: String) {
    self.range = range
    // FNV-1a, 64 bits.
    state = seed.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Lengths within the range that add up to `count`; what is too short for another set is one by itself.
  func cut(_ count: Int) -> [Int] {
    var (drawn, rest, lengths) = (self, count, [Int]())
    while rest > 0 {
      let possible = range.filter { $0 == rest || $0 + range.lowerBound <= rest }
      let length = possible.isEmpty ? min(rest, range.upperBound) : possible[drawn.next(below: possible.count)]
      lengths.append(length)
      rest -= length
    }
    return lengths
  }

  /// SplitMix64.
  private mutating func next(below count: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((bits ^ (bits >> 31)) % UInt64(count))
  }
}
