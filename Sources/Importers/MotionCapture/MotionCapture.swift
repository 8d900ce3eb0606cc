import Datasets
import Files
import Foundation
import PoseModel

/// Recordings in one motion capture format: the shared part of all importers, without the reading of files.
///
/// Each file is scanned once when it is found, for its marker set, unit, up axis and the subject's dimensions, and read
/// again when its clip is needed; one frame at a time, to need no more memory than the clip.
///
/// - The **marker set** is the one that gives most joints. A file that gives neither both legs nor both arms is an
///   error.
/// - The **unit** is the file's; if it has none, the one in which a leg has a human length (`LengthUnit`).
/// - **Up** is the axis of the format or the file; if neither defines it, the one along which the shoulders are above
///   the ankles. A file in which they are not above each other along that axis is an error: the person lies down or the
///   file has other axes.
/// - A marker at 0,0,0 is lost.
/// - The **subject** is the file's, or the name of its folder below the imported one; without either, every clip counts
///   as its own subject.
struct MotionCapture: Sendable {
  /// The properties of a format.
  struct Format: Sendable {
    /// The name on the command line.
    var name: String
    /// The ending of the files' names.
    var ending: String
    /// The origin of such data, for the manifest.
    var source: String
    /// Opens a file in a folder.
    var open: @Sendable (_ file: String, _ directory: String, ImportOptions) throws -> any PointMotion
    /// Further files in the folder that belong to the recording of the named file.
    var companions: @Sendable (_ file: String, _ directory: String) -> [String] = { _, _ in [] }
  }

  let manifest: Manifest
  private(set) var remarks: [String] = []
  private let format: Format
  private let options: ImportOptions
  private let exercise: String
  private let directory: String
  private var recordings: [Recording] = []

  private struct Recording: Sendable {
    /// Within the folder.
    var file: String
    var info: Clip.Info
    var centres: JointCentres
    var metresPerUnit: Double
    var up: WorldAxis
  }

  static func recognises(_ path: String, ending: String) -> Bool {
    guard let folder = SourceFolder(path) else {
      return path.lowercased().hasSuffix(".\(ending)") && FileManager.default.fileExists(atPath: path)
    }
    return (try? folder.files(endingIn: [ending], limit: 1).isEmpty) == false
  }

  init(_ path: String, as format: Format, _ options: ImportOptions) throws {
    self.format = format
    self.options = options
    let sets = try options.mapping.map { [try MarkerSet(yaml: InputFile($0))] } ?? MarkerSet.builtIn.get()
    let files: [String]
    if let folder = SourceFolder(path) {
      directory = folder.path
      files = try folder.files(endingIn: [format.ending])
      guard !files.isEmpty else {
        throw DataError(file: path, expected: "files that end in .\(format.ending)", found: "none")
      }
    } else {
      let url = URL(fileURLWithPath: path)
      directory = url.deletingLastPathComponent().path
      files = [url.lastPathComponent]
    }
    guard let exercise = options.exercise else {
      throw ImportOptionError.needed(format: format.name, path: path, options: [.exercise])
    }
    self.exercise = exercise
    manifest = Manifest(
      name: options.name ?? PortableName.near(pathOf: path) ?? format.name, version: "1", licence: "unknown",
      source: format.source + ", markers or bones turned into joint centres", origin: .recorded,
      skeleton: Skeleton.motionCapture.name, coordinates: CoordinateSystem(unit: .metre, yAxis: .up),
      channels: [.x, .y, .z])
    var names: [String: String] = [:]
    var errors: [DataError] = []
    for file in files {
      do {
        let motion = try format.open(file, directory, options)
        let clip = Self.clipName(file)
        if let other = names.updateValue(file, forKey: clip) {
          throw DataError(file: motion.file, clip: clip, expected: "a file of another name than \(other)", found: file)
        }
        try survey(motion, file: file, clip: clip, sets: sets)
      } catch let error as DataError {
        errors.append(error)
      }
    }
    if let error = Self.summary(of: errors, among: files.count) { throw error }
  }

  /// All unreadable files in one error, to save one import per file.
  private static func summary(of errors: [DataError], among files: Int) -> DataError? {
    guard var first = errors.first else { return nil }
    let others = errors.dropFirst()
    if others.isEmpty, files > 1 {
      first.found +=
        "\nand nothing is imported; move it elsewhere to import the other"
        + (files == 2 ? " file" : " \(files - 1) files")
    } else if !others.isEmpty {
      first.found +=
        "\nand nothing is imported, as \(others.count) more can't be read; move them elsewhere to import the rest:\n"
        + others.prefix(mentioned).map(\.description).joined(separator: "\n")
        + (others.count > mentioned ? "\n…" : "")
    }
    return first
  }

  /// How many files an error lists.
  private static let mentioned = 20

  var clipCount: Int { recordings.count }

  func digest() throws -> ContentHash {
    let files = Set(recordings.flatMap { [$0.file] + format.companions($0.file, directory) })
    return try ContentHash.files(files.sorted(), in: directory, settings: options.settings)
  }

  /// A joint at this distance from the origin, in metres, is no place in a room. Clips keep single precision, in which
  /// far larger numbers are infinite.
  private static let farthest = 1e6

  /// The clip, with the number of joints lost with their markers, and the regularity of its frames.
  ///
  /// - Throws: `DataError` with the frame of a joint that is too far away.
  func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) {
    let recording = recordings[index]
    let motion = try format.open(recording.file, directory, options)
    let count = motion.frameCount
    let width = Skeleton.motionCapture.keypoints.count * 3
    var values = [Float](repeating: .nan, count: count * width)
    var found = 0
    try motion.forEachFrame { frame, points in
      let centres = recording.centres.centres(points, scale: recording.metresPerUnit)
      var keypoint = 0
      while keypoint < centres.count {
        let point = recording.up.upright(centres[keypoint])
        let start = keypoint * 3 * count + frame
        if !point.isMissing {
          let distance = max(abs(point.x), abs(point.y), abs(point.z))
          guard distance < Self.farthest else {
            throw DataError(
              file: motion.file, clip: recording.info.name, expected: "joints within 1,000 km of the origin",
              found: "one at \(distance) m in frame \(frame)")
          }
          found += 1
          values[start] = Float(point.x)
          values[start + count] = Float(point.y)
          values[start + 2 * count] = Float(point.z)
        }
        keypoint += 1
      }
    }
    let times = try Self.times(motion)
    var remarks: [String] = []
    let total = count * recording.centres.rules.count { $0 != nil }
    if found < total { remarks.append("\(total - found) of \(total) joints not found, as markers were lost") }
    let steps = zip(times, times.dropFirst()).map { ($1 - $0).seconds * 1000 }.sorted()
    if let shortest = steps.first, let longest = steps.last, longest > 1.5 * steps[steps.count / 2] {
      remarks.append(
        "frames lie \(shortest.rounded(to: 1).shortestDecimal) to \(longest.rounded(to: 1).shortestDecimal) ms apart")
    }
    let name = recording.info.name
    return (
      Clip(
        info: recording.info,
        keypoints: Keypoints(
          times: times, keypointCount: Skeleton.motionCapture.keypoints.count, channels: manifest.channels,
          values: values), labels: GroundTruth()),
      remarks.isEmpty ? [] : ["\(name): \(remarks.joined(separator: "; "))"]
    )
  }

  // MARK: Inspecting a file

  private mutating func survey(_ motion: any PointMotion, file: String, clip: String, sets: [MarkerSet]) throws {
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: motion.file, clip: clip, expected: expected, found: found)
    }
    guard (0.01...1000).contains(motion.rate) else {
      throw failure("0.01 to 1000 frames a second", "\(motion.rate)")
    }
    guard motion.frameCount > 0 else { throw failure("at least one frame", "none") }
    try ClipSize.check(
      frames: motion.frameCount, of: Skeleton.motionCapture.keypoints.count * 3, file: motion.file, clip: clip)
    var (set, centres) = try Self.choice(of: sets, for: motion, clip: clip)
    // The subject's dimensions, and legs and bodies in the file's own unit.
    var measures: [[Double]] = [[], [], []]
    var legs: [Double] = []
    var bodies: [SIMD3<Double>] = []
    let step = max(motion.frameCount / Self.sampled, 1)
    try motion.forEachFrame(every: step) { _, points in
      let all = centres.measures(points, scale: 1)
      for index in 0..<3 { measures[index].append(all[index]) }
    }
    let widths = SIMD3(measures[0].medianOfFinite, measures[1].medianOfFinite, measures[2].medianOfFinite)
    // Whatever the unit, offsets of millimetres hardly change a leg's length and direction.
    let guess = options.unit ?? motion.metresPerUnit
    var rough = centres
    rough.take(widths * (guess ?? 1))
    try motion.forEachFrame(every: step) { _, points in
      let body = BodyAxis(rough.centres(points, scale: guess ?? 1))
      if let leg = body.leg { legs.append(leg) }
      if let long = body.long { bodies.append(long) }
    }
    let leg = legs.medianOfFinite
    let metresPerUnit: Double
    if let guess {
      metresPerUnit = guess
      if options.unit == nil, leg.isFinite, !(0.25...1.6).contains(leg) {
        throw failure("a leg of 0.25 to 1.6 m in the file's unit; --unit sets another", "\(leg.rounded(to: 3)) m")
      }
    } else if let unit = LengthUnit(leg: leg) {
      metresPerUnit = unit.metres
    } else {
      throw failure(
        "legs of human length in m, mm, cm or in; --unit sets the length of one unit in metres",
        leg.isFinite ? "legs \(leg.rounded(to: 3)) units long" : "no legs")
    }
    centres.take(widths * metresPerUnit)
    let up = try self.up(of: motion, bodies: bodies, clip: clip)
    recordings.append(
      Recording(
        file: file,
        info: Clip.Info(
          name: clip, subject: options.subject ?? motion.subject.map(Self.portable) ?? Self.folder(of: file) ?? clip,
          exercise: exercise, view: "", fps: motion.rate, split: ""), centres: centres,
        metresPerUnit: metresPerUnit, up: up))
    if !centres.missing.isEmpty {
      remarks.append(
        "\(file): no \(centres.missing.joined(separator: ", ")), as markers of \(set.name) are missing")
    }
    if motion.upAxis == nil, options.up == nil {
      remarks.append("\(file): \(up.rawValue) points up, judging by the people in it")
    }
    if motion.metresPerUnit == nil, options.unit == nil {
      remarks.append("\(file): one unit is \(metresPerUnit) m, judging by the length of the legs")
    }
  }

  /// The maximum number of frames for the dimensions, evenly over the recording.
  private static let sampled = 2000

  private static func choice(
    of sets: [MarkerSet], for motion: any PointMotion, clip: String
  ) throws -> (set: MarkerSet, centres: JointCentres) {
    let choices = sets.map { ($0, JointCentres($0, names: motion.names)) }
    let best = choices.max {
      ($1.1.missing.count, $0.1.landmarkCount) < ($0.1.missing.count, $1.1.landmarkCount)
    }
    guard let best, best.1.hasLimbs else {
      let missing = best.map { "\($0.1.missing.joined(separator: ", ")) can't be computed by \($0.0.name)'s rules" }
      throw DataError(
        file: motion.file, clip: clip,
        expected: "markers of both legs or both arms of one of the sets \(sets.map(\.name).joined(separator: ", "))",
        found: "\(Self.list(motion.names)), from which "
          + (missing ?? "nothing can be computed") + "; --mapping takes a file that names them")
    }
    return best
  }

  /// At most as many names as a person reads.
  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "no markers" : names.prefix(120).joined(separator: ", ") + (names.count > 120 ? ", …" : "")
  }

  private func up(of motion: any PointMotion, bodies: [SIMD3<Double>], clip: String) throws -> WorldAxis {
    if let up = options.up { return up }
    guard !bodies.isEmpty else {
      if let axis = motion.upAxis { return axis }
      throw DataError(
        file: motion.file, clip: clip, expected: "shoulders or hips and ankles to find the up axis, or --up",
        found: "no frame with both")
    }
    func median(_ axis: WorldAxis) -> Double {
      bodies.map { $0.dot(axis.vector) / $0.length }.medianOfFinite
    }
    let nearest = WorldAxis.allCases.max { median($0) < median($1) } ?? .y
    let isUpright = median(nearest) > 0.7
    if isUpright, motion.upAxis == nil || motion.upAxis == nearest { return nearest }
    let expected = motion.upAxis.map {
      "ankles below shoulders along \($0.rawValue), the up axis of the file or its format"
    }
    throw DataError(
      file: motion.file, clip: clip,
      expected: (expected ?? "ankles below shoulders along an axis")
        + "; --up sets another axis, also if people lie down",
      found: isUpright ? "that along \(nearest.rawValue)" : "that along none")
  }

  private static func times(_ motion: any PointMotion) throws -> [Microseconds] {
    guard let times = motion.times else {
      return [Microseconds](frames: motion.frameCount, rate: motion.rate)
    }
    return try times.map { seconds in
      guard let time = Microseconds(seconds: seconds) else {
        throw DataError(file: motion.file, expected: "times in seconds", found: "\(seconds)")
      }
      return time
    }
  }

  /// The file's path without its ending, as a portable name.
  private static func clipName(_ file: String) -> String {
    portable(file.split(separator: ".").dropLast().joined(separator: ".").replacing("/", with: "_"))
  }

  private static func portable(_ text: String) -> String {
    let name = String(text.map { PortableName.isValid("a\($0)") ? $0 : "-" })
    return PortableName.isValid(name) ? name : PortableName.near("clip-\(name)")
  }

  private static func folder(of file: String) -> String? {
    let parts = file.split(separator: "/")
    return parts.count > 1 ? portable(parts.dropLast().joined(separator: "_")) : nil
  }
}

/// The direction of a body in its coordinate system, in one frame.
private struct BodyAxis {
  /// Length of thigh plus shank, the mean of both sides.
  var leg: Double?
  /// From the middle of the ankles to the middle of the shoulders or, without shoulders, of the hips.
  var long: SIMD3<Double>?

  init(_ keypoints: [SIMD3<Double>]) {
    func at(_ joint: Joint) -> SIMD3<Double> {
      guard case .keypoint(let index)? = Skeleton.motionCapture[joint] else { return .missing }
      return keypoints[index]
    }
    let legs = Side.allCases.map { at($0.hip).distance(to: at($0.knee)) + at($0.knee).distance(to: at($0.ankle)) }
    let leg = (legs[0] + legs[1]) / 2
    if leg.isFinite { self.leg = leg }
    let ankles = (at(.leftAnkle) + at(.rightAnkle)) / 2
    let shoulders = (at(.leftShoulder) + at(.rightShoulder)) / 2
    let hips = (at(.leftHip) + at(.rightHip)) / 2
    let long = (shoulders.isMissing ? hips : shoulders) - ankles
    if !long.isMissing, long.length > 0 { self.long = long }
  }
}

extension Double {
  fileprivate func rounded(to digits: Int) -> Double {
    var factor = 1.0
    for _ in 0..<digits { factor *= 10 }
    return (self * factor).rounded() / factor
  }
}

/// An importer of motion capture: `MotionCapture` does everything but reading files.
protocol CaptureImporter: Importer {
  static var capture: MotionCapture.Format { get }
  var recordings: MotionCapture { get }

  init(_ recordings: MotionCapture)
}

extension CaptureImporter {
  public static func recognises(_ path: String) -> Bool { MotionCapture.recognises(path, ending: capture.ending) }

  public static var options: Set<ImportOption> { [.exercise, .subject, .mapping, .up, .unit] }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [Self(try MotionCapture(path, as: capture, options))]
  }

  public var manifest: Manifest { recordings.manifest }
  public var remarks: [String] { recordings.remarks }
  public var clipCount: Int { recordings.clipCount }
  public func digest() throws -> ContentHash { try recordings.digest() }
  public func clip(_ index: Int) throws -> Clip { try recordings.read(index).clip }
  public func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) { try recordings.read(index) }
}
