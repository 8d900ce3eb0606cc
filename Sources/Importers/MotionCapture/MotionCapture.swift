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
///   the ankles. If they are not along that axis, or if most other files of the folder with the same unit have another
///   one, the person lies down, and up is the axis along which the people in most of these files stand. Without such
///   files, up is the format's axis if all its files have it (`Format.fixesUp`); otherwise the file is an error.
/// - A marker at 0,0,0 is lost.
/// - **Exercise, subject and view** are those of the table of the clips, the options or the folders
///   (`ImportOptions.info`). Without a subject there, it is the file's, or the name of its folder below the imported
///   one; without either, every clip counts as its own subject.
///
/// A file that cannot be read is a clip whose reading throws. If none can be read, the first error is thrown at once.
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
    /// Whether the up axis of `PointMotion.upAxis` holds for every file, whatever the people in it do.
    var fixesUp = false
    /// Further files in the folder that belong to the recording of the named file.
    var companions: @Sendable (_ file: String, _ directory: String) -> [String] = { _, _ in [] }
  }

  let manifest: Manifest
  private(set) var remarks: [String] = []
  private let format: Format
  private let options: ImportOptions
  private let company: ClipCompany
  private let directory: String
  /// Within the folder; one per clip.
  private let files: [String]
  private var recordings: [Result<Recording, DataError>] = []

  fileprivate struct Recording: Sendable {
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
    let clips = files.map(Self.clip)
    company = try ClipCompany(of: clips, in: directory, isFolder: SourceFolder(path) != nil)
    try options.requireExercise(of: clips, company, format: format.name, path: path)
    remarks = company.remarks(on: clips)
    manifest = Manifest(
      name: options.name ?? PortableName.near(pathOf: path) ?? format.name, version: "1", licence: "unknown",
      source: format.source + ", markers or bones turned into joint centres", origin: .recorded,
      skeleton: Skeleton.motionCapture.name, coordinates: CoordinateSystem(unit: .metre, yAxis: .up),
      channels: [.x, .y, .z])
    var names: [String: String] = [:]
    var surveys: [Result<Survey, DataError>] = []
    for clip in clips {
      let found = try Result(ofClip: { () throws -> Survey in
        try options.requireFolders(of: clip, below: path, in: directory)
        let file = clip.files[0].path
        let motion = try format.open(file, directory, options)
        if let other = names.updateValue(file, forKey: clip.name) {
          throw DataError(
            file: motion.file, clip: clip.name, expected: "a file of another name than \(other)", found: file)
        }
        return try survey(motion, of: clip, sets: sets)
      })
      surveys.append(found)
    }
    let usual = UsualUpAxis(surveys)
    for found in surveys {
      guard case .success(var survey) = found else {
        recordings.append(found.map(\.recording))
        continue
      }
      let up = try Result(ofClip: { try survey.up.axis(besides: usual[survey], fixed: format.fixesUp) })
      recordings.append(
        up.map { up in
          survey.recording.up = up.axis
          return survey.recording
        })
      if case .success(let up) = up {
        remarks += survey.remarks + (up.reason.map { ["\(survey.file): \($0)"] } ?? [])
      }
    }
    let errors = recordings.compactMap(\.failure)
    if errors.count == recordings.count, var first = errors.first {
      let others = errors.dropFirst()
      if !others.isEmpty {
        first.found +=
          "\nand no other file can be read either:\n"
          + others.prefix(Self.mentioned).map(\.description).joined(separator: "\n")
          + (others.count > Self.mentioned ? "\n…" : "")
      }
      throw first
    }
  }

  /// How many files an error lists.
  private static let mentioned = 20

  var clipCount: Int { recordings.count }

  func digest() throws -> ContentHash {
    let files = Set(files.flatMap { [$0] + format.companions($0, directory) })
    return try ContentHash.files(files.sorted(), in: directory, settings: options.settings + company.settings)
  }

  /// A joint at this distance from the origin, in metres, is no place in a room. Clips keep single precision, in which
  /// far larger numbers are infinite.
  private static let farthest = 1e6

  /// The clip, with the number of joints lost with their markers, and the regularity of its frames.
  ///
  /// - Throws: `DataError` with the frame of a joint that is too far away.
  func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) {
    let recording = try recordings[index].get()
    let motion = try format.open(files[index], directory, options)
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

  /// The properties of a file from a first reading.
  fileprivate struct Survey {
    /// Within the folder.
    var file: String
    /// Its up axis is not known yet.
    var recording: Recording
    var up: UpAxis
    var remarks: [String]
  }

  private func survey(_ motion: any PointMotion, of clip: ToolClip, sets: [MarkerSet]) throws -> Survey {
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: motion.file, clip: clip.name, expected: expected, found: found)
    }
    let file = clip.files[0].path
    guard Clip.Info.frameRates.contains(motion.rate) else {
      throw failure("\(Clip.Info.frameRateDescription) frames a second", "\(motion.rate)")
    }
    guard motion.frameCount > 0 else { throw failure("at least one frame", "none") }
    try ClipSize.check(
      frames: motion.frameCount, of: Skeleton.motionCapture.keypoints.count * 3, file: motion.file, clip: clip.name)
    var (set, centres) = try Self.choice(of: sets, for: motion, clip: clip.name)
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
    var remarks = motion.remarks.map { "\(file): \($0)" }
    if !centres.missing.isEmpty {
      remarks.append(
        "\(file): no \(centres.missing.joined(separator: ", ")), as markers of \(set.name) are missing")
    }
    if motion.metresPerUnit == nil, options.unit == nil {
      remarks.append("\(file): one unit is \(metresPerUnit) m, judging by the length of the legs")
    }
    let person = motion.subject.map(Self.portable) ?? (options.folders == nil ? Self.folder(of: file) : nil)
    let info = options.info(clip, company.facts(of: clip), rate: motion.rate, person: person)
    return Survey(
      file: file,
      recording: Recording(info: info, centres: centres, metresPerUnit: metresPerUnit, up: motion.upAxis ?? .y),
      up: UpAxis(of: motion, bodies: bodies, given: options.up, clip: clip.name), remarks: remarks)
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

  /// The clip of a file, called like its path without its ending, as a portable name.
  private static func clip(_ file: String) -> ToolClip {
    let path = PathParts(file)
    let folders = path.folder.split(separator: "/").map(String.init)
    return ToolClip(
      name: portable(file.split(separator: ".").dropLast().joined(separator: ".").replacing("/", with: "_")),
      files: [ToolClip.File(path: file)], folders: folders, hasOwnFolder: folders.last == path.stem)
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

/// What one recording shows of the axis that points up.
private struct UpAxis {
  /// The given axis, or the one along which the people in the recording stand; an error without either.
  private let own: Result<WorldAxis, DataError>
  private let isGiven: Bool
  /// The axis of the file or its format.
  private let declared: WorldAxis?
  /// Whether people are seen.
  private let hasPeople: Bool

  /// The axis along which the people stand, if they do.
  var shown: WorldAxis? {
    guard hasPeople, !isGiven, case .success(let axis) = own else { return nil }
    return axis
  }

  /// - Parameter bodies: From the ankles to the shoulders, in some frames.
  init(of motion: any PointMotion, bodies: [SIMD3<Double>], given: WorldAxis?, clip: String) {
    isGiven = given != nil
    declared = motion.upAxis
    hasPeople = !bodies.isEmpty
    func failure(_ expected: String, _ found: String) -> Result<WorldAxis, DataError> {
      .failure(DataError(file: motion.file, clip: clip, expected: expected, found: found))
    }
    func median(_ axis: WorldAxis) -> Double {
      bodies.map { $0.dot(axis.vector) / $0.length }.medianOfFinite
    }
    let nearest = WorldAxis.allCases.max { median($0) < median($1) } ?? .y
    let isUpright = !bodies.isEmpty && median(nearest) > 0.7
    if let given {
      own = .success(given)
    } else if bodies.isEmpty, let axis = motion.upAxis {
      own = .success(axis)
    } else if bodies.isEmpty {
      own = failure("shoulders or hips and ankles to find the up axis, or --up", "no frame with both")
    } else if isUpright, declared == nil || declared == nearest {
      own = .success(nearest)
    } else {
      let expected = declared.map {
        "ankles below shoulders along \($0.rawValue), the up axis of the file or its format"
      }
      own = failure(
        (expected ?? "ankles below shoulders along an axis") + "; --up sets another axis, also if people lie down",
        isUpright ? "that along \(nearest.rawValue)" : "that along none")
    }
  }

  /// The axis, and a remark if neither the user nor the file gave it.
  ///
  /// - Parameters:
  ///   - usual: The axis in most recordings of the same kind, if there is one.
  ///   - fixed: Whether the declared axis holds whatever the people do.
  /// - Throws: `DataError` if the person does not stand along the declared axis, or along any, and nothing else shows
  ///   what is up.
  func axis(besides usual: WorldAxis?, fixed: Bool) throws -> (axis: WorldAxis, reason: String?) {
    if case .success(let axis) = own, isGiven || declared != nil || usual == nil || axis == usual {
      return (axis, isGiven || declared != nil ? nil : "\(axis.rawValue) points up, judging by the people in it")
    }
    if hasPeople, let usual, declared == nil || declared == usual {
      return (usual, "the person lies; \(usual.rawValue) points up, as in most files of the folder")
    }
    if hasPeople, fixed, let declared {
      return (declared, "the person lies; \(declared.rawValue) points up, as the format says")
    }
    return try (own.get(), nil)
  }
}

/// The axis that points up in most recordings of a folder with the same unit, as the people in them stand.
private struct UsualUpAxis {
  private struct Kind: Hashable {
    var folder: String
    var metresPerUnit: Double

    init(_ survey: MotionCapture.Survey) {
      folder = PathParts(survey.file).folder
      metresPerUnit = survey.recording.metresPerUnit
    }
  }

  private var counts: [Kind: [WorldAxis: Int]] = [:]

  init(_ surveys: [Result<MotionCapture.Survey, DataError>]) {
    for case .success(let survey) in surveys {
      if let axis = survey.up.shown { counts[Kind(survey), default: [:]][axis, default: 0] += 1 }
    }
  }

  /// `nil` if no axis is that of more than half of them.
  subscript(_ survey: MotionCapture.Survey) -> WorldAxis? {
    guard let counts = counts[Kind(survey)] else { return nil }
    let all = counts.values.reduce(0, +)
    return counts.first { $0.value * 2 > all }?.key
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

  public static var options: Set<ImportOption> { [.exercise, .subject, .folders, .mapping, .up, .unit] }

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
