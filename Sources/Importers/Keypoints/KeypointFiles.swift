import Datasets
import Files
import PoseModel

/// Keypoints of any estimator, as a table, JSON, JSON Lines or an array of NumPy, in any layout: read in four steps, a
/// file of code each.
///
/// 1. The container (`KeypointContainer`) finds frames, people and points: `KeypointText`, `KeypointJSON`,
///    `KeypointArrays`, `PrintedLandmarks`.
/// 2. The points' names or numbers tell the skeleton, a file of `Skeletons`: `SkeletonChoice`.
/// 3. Names, ranges and what a body looks like tell what the numbers mean: `KeypointMeaning`.
/// 4. `PoseRecording` orders frames by their times and chooses the subject.
///
/// One file is one recording, one frame if it has no more, or several recordings that a column or keys tell apart.
public struct KeypointFiles: PoseTool {
  public static let format = "keypoints"
  public static let summary =
    "keypoints of any estimator as CSV, JSON, .npy, .npz, Parquet or HDF5, in any layout, also .gz"
  public static let options: Set<ImportOption> = [
    .fps, .size, .exercise, .view, .subject, .folders, .skeleton, .axes, .person, .labels,
  ]
  static let tool = "a pose estimator"
  package static let endings =
    ["csv", "tsv", "txt", "json", "jsonl", "ndjson", "npy", "npz", "sto", "xml", "skeleton"] + PackedContent.endings
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool {
    switch KeypointContainer(file, isSample: true) {
    case .array(let file): return KeypointArrays.isOurs(file)
    case .text(let file): return KeypointText(file.head) != nil
    case .printed: return true
    case .json(let file): return KeypointJSON.isOurs(file)
    }
  }

  static func complaint(_ file: InputFile) -> DataError? {
    if PointReader.isKnown(PathParts(PackedContent.unpackedName(file.name)).stem) {
      return DataError(
        file: file.name, expected: "all points in one file, such as a table with a column joint",
        found: "one that is called by a joint")
    }
    return switch KeypointContainer(file, isSample: true) {
    case .array(let file): KeypointArrays.complaint(file)
    case .text(let file): KeypointText.complaint(file.head)
    case .json(let file): KeypointJSON.complaint(file.head)
    case .printed: nil
    }
  }

  static func grouping(_ path: String) -> ToolFiles.Grouping {
    // A table of the clips may lie beside JSON or arrays.
    let files = ["json", "npy", "csv", "tsv", "txt"].lazy
      .compactMap { try? SourceFolder(path)?.files(endingIn: [$0], limit: looked) }.first { $0.count > 1 }
    guard let files else { return .clipPerFile }
    let frames = files.lazy.compactMap { file -> Bool? in
      guard let input = try? InputFile(file, in: path) else { return false }
      switch KeypointContainer(input) {
      // A recording may begin before somebody comes.
      case .json(let input): return KeypointJSON.isFrame(input) ? true : KeypointJSON.isEmptyFrame(input) ? nil : false
      case .text(let input): return KeypointText.isFrame(input)
      case .array(let input): return KeypointArrays.isFrame(input)
      case .printed: return false
      }
    }
    let told = Array(frames.prefix(2))
    return !told.isEmpty && told.allSatisfy { $0 } ? .framePerFile : .clipPerFile
  }

  /// How many files may begin a recording without a person.
  private static let looked = 100

  public var account: [String] {
    guard let meaning = source.shape.meaning, let path = source.clips.first?.files.first,
      let file = try? source.open(path)
    else { return [] }
    let lines = [
      "points: \(meaning.given) of the \(meaning.skeleton.keypoints.count) of \(meaning.skeleton.name)",
      "numbers: \(meaning.channels.map { "\($0)" }.joined(separator: ", ")), \(meaning.unit?.rawValue ?? "of no known unit"), "
        + "y \(meaning.yAxis == .up ? "upwards" : "downwards")",
    ]
    guard let table = KeypointContainer(file, isSample: true).table, let text = KeypointText(table.head) else {
      return lines
    }
    return lines + text.account(meaning, labels: source.options.labels)
  }

  static func parts(_ file: InputFile) throws -> [ToolPart] {
    switch KeypointContainer(file) {
    case .array(let file): return try KeypointArrays.parts(file).map { ToolPart(name: $0) }
    case .printed: return []
    case .text(let file):
      guard let text = KeypointText(file) else { return [] }
      let repeatsHeader = text.repeatsHeader(in: file)
      guard !text.clips.isEmpty || repeatsHeader else { return [] }
      let found = try parts { body in
        var facts = ClipFacts()
        try text.forEachFrame(facts: &facts) { frame, _ in body(frame) }
      }.map {
        ToolPart(
          name: $0.name, subject: $0.subject, isNumbered: $0.name != nil && text.clips.isEmpty,
          repeatsHeader: repeatsHeader)
      }
      return found.isEmpty && repeatsHeader ? [ToolPart(repeatsHeader: true)] : found
    case .json(let file):
      let keys = try KeypointJSON.parts(file)
      guard keys.isEmpty else { return keys }
      var isThere = false
      var start = KeypointJSON(file.head)
      try? start.forEachFrame { frame, _ in
        isThere = frame.clip != nil
        throw EnoughRead()
      }
      guard isThere else { return KeypointJSON.subject(in: file).map { [ToolPart(subject: $0)] } ?? [] }
      return try parts { body in
        var json = KeypointJSON(file)
        try json.forEachFrame { frame, _ in body(frame) }
      }
    }
  }

  /// The recordings that frames name; without names if each frame names its own image, or all the same recording.
  private static func parts(_ frames: ((KeypointFrame) -> Void) throws -> Void) throws -> [ToolPart] {
    var names: [String] = []
    var subjects: [String: SubjectsOfName] = [:]
    var count = 0
    var last: String?
    try frames { frame in
      count += 1
      guard let clip = frame.clip else { return }
      if subjects[clip] == nil { names.append(clip) }
      subjects[clip, default: SubjectsOfName()].add(frame, isInterrupted: last != clip)
      last = clip
    }
    // Of several people in a recording, nobody is known to be its subject.
    func only(_ people: [String]) -> String? { people.count == 1 ? people.first : nil }
    let parts = names.flatMap { name -> [ToolPart] in
      guard let own = subjects[name], own.areApart else {
        return [ToolPart(name: name, subject: only(subjects[name]?.subjects ?? []))]
      }
      return own.subjects.map { ToolPart(name: KeypointFrame.name(of: name, by: $0), subject: $0) }
    }
    guard parts.count > 1, parts.count * 3 <= count else {
      let all = Set(subjects.values.flatMap(\.subjects))
      return only(Array(all)).map { [ToolPart(subject: $0)] } ?? []
    }
    return parts
  }

  /// The people of the frames of one name.
  private struct SubjectsOfName {
    /// In the order of their first frames.
    private(set) var subjects: [String] = []
    private var isMixed = false
    private var last: (subject: String?, key: Double?)?

    /// Whether each of several people has a recording of this name: after one's last frame, another's begin again, or
    /// those of another name come between.
    var areApart: Bool { subjects.count > 1 && !isMixed }

    /// - Parameter isInterrupted: Whether the frame before has another name.
    mutating func add(_ frame: KeypointFrame, isInterrupted: Bool) {
      let key = frame.number.map(Double.init) ?? frame.time
      if let last, last.subject != frame.subject {
        let beginsAgain = key.flatMap { key in last.key.map { key < $0 } } ?? isInterrupted
        let isNew = frame.subject.map { !subjects.contains($0) } ?? false
        if !beginsAgain || !isNew { isMixed = true }
      }
      if let subject = frame.subject, !subjects.contains(subject) { subjects.append(subject) }
      last = (frame.subject, key)
    }
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    var sample = KeypointSample()
    for isWorld in [false, true] where sample.people.isEmpty {
      sample = KeypointSample()
      sample.isWorld = isWorld
      // A folder may begin with frames without a person.
      for file in clip.files.prefix(200) where !sample.isEnough {
        try sample.add(
          InputFile(unpacking: file.path, in: directory), part: clip.part, subject: clip.part?.subject,
          time: file.time)
      }
    }
    let file = "\(directory)/\(clip.files[0].path)"
    sample.use(labels: options.labels)
    guard !sample.people.isEmpty else { throw try nobody(in: clip, directory: directory) }
    let word = KeypointMeaning.Word(
      skeleton: options.skeleton.flatMap(EstimatorSkeleton.named), axes: options.axes, exercise: options.exercise,
      size: sample.facts.size ?? options.size)
    let meaning = try KeypointMeaning(sample.points, people: sample.people, word: word, file: file)
    var shape = PoseShape(
      skeleton: meaning.skeleton.stored.skeleton, channels: meaning.channels, unit: Self.unit(meaning),
      yAxis: meaning.yAxis, hasTimes: sample.hasTimes)
    shape.facts = sample.facts
    shape.isWorld = sample.isWorld
    shape.turns = sample.turns
    shape.isCrowded = sample.isCrowded || sample.turns > 1
    shape.given = meaning.given
    shape.meaning = meaning
    shape.told = meaning.isOfSquare ? nil : meaning.unit
    var remarks: [String] = []
    switch meaning.unit {
    case .pixels: remarks.append("coordinates are pixels, inferred from their range")
    case .metres:
      remarks.append(
        "coordinates are metres about the hips, inferred from their range: the movement of the hips is lost")
    case .space, .centimetres, .millimetres:
      remarks.append("coordinates are \(meaning.unit?.rawValue ?? ""), as the limbs keep their lengths")
    case .image, nil: break
    }
    remarks += meaning.remarks
    remarks += sample.remarks
    shape.remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    shape.rate = sample.rate
    return shape
  }

  /// Why a recording has nobody.
  ///
  /// - Throws: The `DataError` of a file that cannot be read.
  private static func nobody(in clip: ToolClip, directory: String) throws -> DataError {
    var frames = 0
    for file in clip.files {
      var facts = ClipFacts()
      try forEachFrame(
        KeypointContainer(InputFile(unpacking: file.path, in: directory)), isWorld: false, part: clip.part,
        facts: &facts
      ) { _, _ in frames += 1 }
    }
    return DataError(
      file: "\(directory)/\(clip.files[0].path)",
      expected: frames == 0 ? "at least one frame" : "a frame with a person", found: "none")
  }

  private static func unit(_ meaning: KeypointMeaning) -> PoseShape.Unit {
    if meaning.isOfSquare { return .pixels }
    switch meaning.unit {
    case .image, nil: return .image
    case .pixels: return .pixels
    case .metres, .space, .centimetres, .millimetres:
      return .other(CoordinateSystem(unit: .metre, yAxis: meaning.yAxis))
    }
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    guard let meaning = source.shape.meaning else { return }
    // A file of one frame has no steps between times.
    guard recording.frames.isEmpty, file.frame == nil else {
      recording.facts.add(ClipFacts(fps: source.shape.rate))
      return try read(input, file, meaning, into: &recording)
    }
    let start = recording
    // The first recording's times may be too coarse to tell frames apart, and this one's not, or the other way round.
    if let rate = source.shape.rate {
      let own = try sample(of: file, part: recording.part)
      if own.hasTimes {
        recording.useTimes()
        recording.notes.append("unlike in the first recording, each frame has its own time, which is used")
      } else {
        recording.facts.add(ClipFacts(fps: source.options.fps ?? own.rate ?? rate))
      }
    }
    try read(input, file, meaning, into: &recording)
    guard source.shape.hasTimes, recording.repeated * 10 > recording.frames.count,
      let rate = try sample(of: file, part: recording.part).rateOfRepeats
    else { return }
    recording = start
    recording.rate(rate)
    recording.facts.add(ClipFacts(fps: rate))
    recording.notes.append(KeypointSample.spread(rate: rate))
    try read(input, file, meaning, into: &recording)
  }

  private func read(
    _ input: InputFile, _ file: ToolClip.File, _ meaning: KeypointMeaning, into recording: inout PoseRecording
  ) throws {
    let container = KeypointContainer(input)
    // Most tables have named columns and are read at the speed of their numbers.
    if recording.part?.name == nil, recording.part?.repeatsHeader != true, file.frame == nil,
      source.options.labels.isEmpty, let table = container.table,
      try readPlainTable(table, file, meaning, into: &recording)
    {
      return
    }
    try readFrames(container, file, part: recording.part, meaning, into: &recording)
  }

  private func readFrames(
    _ container: KeypointContainer, _ file: ToolClip.File, part: ToolPart?, _ meaning: KeypointMeaning,
    into recording: inout PoseRecording
  ) throws {
    var unit: TimeUnit?
    var (next, rows) = (0, 0)
    let turns = source.shape.turns
    let isSingle = file.frame != nil
    var tracks: [String: Int] = [:]
    var present: Set<[Int]> = []
    let region = meaning.isOfSquare ? ModelSquare(recording.size) : nil
    var facts = ClipFacts()
    var places: [Int?] = []
    var headers = 0
    try Self.forEachFrame(
      container, isWorld: source.shape.isWorld, part: part, labels: source.options.labels, facts: &facts
    ) { frame, points in
      // Points are named once, and few files name more of them later.
      for id in points.ids.dropFirst(places.count) { places.append(meaning.place(id)) }
      var number = (isSingle ? file.frame : nil) ?? frame.number ?? (turns > 1 ? rows / turns : next)
      rows += 1
      if recording.hasTimes {
        if unit == nil { unit = try frame.timeUnit ?? timeUnit(of: file, part: part) }
        guard let time = frame.time ?? file.time, let microseconds = (frame.timeUnit ?? unit)?.microseconds(time) else {
          throw DataError(
            file: container.file.name, expected: "a time for each frame, as in the first ones",
            found: "a frame without")
        }
        number = microseconds
      }
      guard number.magnitude <= Self.greatestNumber else {
        throw DataError(file: container.file.name, expected: "a frame's number or time", found: "\(number)")
      }
      next = number + 1
      let isCrowded = source.shape.isCrowded && frame.people.first?.track == nil
      let isNew = try recording.begin(number, isRepeat: isCrowded || frame.people.first?.track != nil)
      if isNew, !frame.labels.isEmpty { recording.labels[number] = frame.labels }
      if frame.isBelowHeader { headers += 1 }
      for person in frame.people {
        let track = person.track.map { name in
          Int(name) ?? tracks[name]
            ?? {
              tracks[name] = tracks.count + 1
              return tracks.count
            }()
        }
        guard isNew || isCrowded || track.map({ present.contains([number, $0]) }) == false else {
          if track != nil { recording.countRepeat() }
          continue
        }
        if let track { present.insert([number, track]) }
        if person.isView { recording.hasViews = true }
        var pose = meaning.pose(person.values, at: places)
        region?.convert(&pose, channels: meaning.channels.count)
        if pose.contains(where: \.isFinite) { try recording.add(pose, to: number, track: track) }
      }
    }
    recording.facts.add(facts)
    if headers > 0 {
      recording.notes.append(
        "the header comes again \(headers == 1 ? "once" : "\(headers) times") and is left out; if a recording begins "
          + "there, split the file")
    }
    // A frame's file without a frame is one in which nobody was found.
    if let frame = file.frame {
      if rows == 0, !recording.hasTimes { _ = try recording.begin(frame, isRepeat: false) }
      return
    }
    guard !recording.frames.isEmpty else {
      throw DataError(file: container.file.name, expected: "at least one frame", found: "none")
    }
  }

  /// Microseconds in 30,000 years.
  private static var greatestNumber: UInt { 1_000_000_000_000_000_000 }

  static func forEachFrame(
    _ container: KeypointContainer, isWorld: Bool, part: ToolPart?, labels: [String] = [], facts: inout ClipFacts,
    _ body: (KeypointFrame, PointList) throws -> Void
  ) throws {
    var elapsed: Double?
    func add(_ frame: KeypointFrame, _ points: PointList) throws {
      guard frame.time == nil, let step = frame.step else { return try body(frame, points) }
      var timed = frame
      let time = elapsed.map { $0 + step } ?? 0
      (elapsed, timed.time) = (time, time)
      try body(timed, points)
    }
    guard labels.isEmpty || container.table != nil else {
      throw DataError(
        file: container.file.name, expected: "a table, whose columns --labels names", found: "another file")
    }
    switch container {
    case .array(let file):
      try KeypointArrays(file, isWorld: isWorld, part: part?.name).forEachFrame(facts: &facts, body)
    case .printed(let file): if !isWorld { try PrintedLandmarks(file)?.forEachFrame(body) }
    case .text(let file):
      guard !isWorld else { return }
      guard var text = KeypointText(file) else {
        throw DataError(file: file.name, line: 1, expected: "columns of keypoints", found: "others")
      }
      try text.take(labels: labels)
      try text.forEachFrame(facts: &facts) { frame, points in
        if part?.name.map(frame.isOf) ?? true { try add(frame, points) }
      }
    case .json(let file):
      var json = KeypointJSON(file, isWorld: isWorld, part: part?.place)
      defer { facts.add(json.facts) }
      try json.forEachFrame { frame, points in
        if part?.place != nil || part?.name.map(frame.isOf) ?? true { try add(frame, points) }
      }
    }
  }

  /// The unit of a recording's times, from those at its beginning.
  private func timeUnit(of file: ToolClip.File, part: ToolPart?) throws -> TimeUnit {
    TimeUnit(of: try sample(of: file, part: part).times)
  }

  /// The beginning of a recording.
  private func sample(of file: ToolClip.File, part: ToolPart?) throws -> KeypointSample {
    let clip = source.clips.first { $0.files.contains(file) }
    var beginning = KeypointSample()
    beginning.isWorld = source.shape.isWorld
    for file in clip?.files.prefix(KeypointSample.count) ?? [file] where beginning.times.count < KeypointSample.count {
      try beginning.add(source.open(file), part: part, time: file.time)
    }
    return beginning
  }

  /// Reads a table with named columns of numbers that are stored as they are; returns whether it is one.
  private func readPlainTable(
    _ input: InputFile, _ file: ToolClip.File, _ meaning: KeypointMeaning, into recording: inout PoseRecording
  ) throws -> Bool {
    guard meaning.isPlain, !meaning.isOfSquare, let text = KeypointText(input.head),
      case .columns(let columns) = text.layout, text.isPlain, columns.person == nil, columns.step == nil,
      text.clips.isEmpty, !source.shape.isCrowded
    else { return false }
    let channels = recording.channels
    let wanted = columns.places.compactMap { column -> (place: Int, name: String)? in
      guard let place = meaning.place(column.point), let offset = channels.firstIndex(of: column.channel) else {
        return nil
      }
      return (place * channels.count + offset, column.name)
    }
    guard Set(wanted.map(\.name)).count == wanted.count else { return false }
    if !columns.facts.isEmpty {
      var facts = ClipFacts()
      do {
        try Self.forEachFrame(.text(input), isWorld: false, part: nil, facts: &facts) { _, _ in throw EnoughRead() }
      } catch is EnoughRead {}
      recording.facts.add(facts)
    }
    let hasTimes = recording.hasTimes
    let key = (hasTimes ? columns.time?.column : columns.number).map { text.names[$0] }
    if hasTimes, key == nil {
      throw DataError(
        file: input.name, line: 1, expected: "a column of times, as in the files before", found: "none")
    }
    // Times and frames as text are read frame by frame.
    if text.hasNamedFrames || hasTimes && text.hasClockTimes { return false }
    let unit = hasTimes ? try columns.time?.unit ?? timeUnit(of: file, part: nil) : .seconds
    var pose = [Float](repeating: .nan, count: recording.width)
    let places = wanted.map(\.place)
    // If there are times, frame numbers only show which frames are missing.
    let counter = hasTimes ? columns.number.map { text.names[$0] } : nil
    var numbers = FrameGaps()
    // Most files have all values in the order of a pose.
    let areAll = places == Array(pose.indices)
    var next = 0
    let names = wanted.map(\.name) + (counter.map { [$0] } ?? [])
    try NumericCSV(input, columns: names, key: key).forEachRow { row in
      var frame = next
      if hasTimes {
        frame = try row.microseconds(unit: unit.rawValue)
      } else if key != nil {
        frame = try row.integer()
      }
      next += 1
      guard try recording.begin(frame) else { return }
      if next == 1 { recording.reserve(input.bytes.count / max(row.byteCount, 1) * 9 / 8) }
      if counter != nil { numbers.add(row.values[places.count]) }
      let values = UnsafeBufferPointer(rebasing: row.values[..<places.count])
      guard values.contains(where: \.isFinite) else { return }
      if areAll { return try recording.add(values, to: frame) }
      for index in places.indices { pose[places[index]] = values[index] }
      try recording.add(pose, to: frame)
    }
    if let remark = numbers.remark { recording.notes.append(remark) }
    guard !recording.frames.isEmpty else {
      throw DataError(file: input.name, line: 2, expected: "at least one frame", found: "a header without rows")
    }
    return true
  }
}

extension InputFile {
  /// The part in which a pose shows a file's layout.
  var head: InputFile { InputFile(name: name, bytes: bytes.prefix(1 << 16)) }
}

/// The square into which MoveNet's image is put between bars.
///
/// - Source: Google, MoveNet.SinglePose model card, 2021; tensorflow.org/hub/tutorials/movenet, which pads the image.
private struct ModelSquare {
  private let region: InputRegion
  private let height: Float

  /// - Parameter size: The image's; without it the square is kept.
  init(_ size: ImageSize?) {
    region =
      size.map { InputRegion.letterbox(imageWidth: $0.width, imageHeight: $0.height) }
      ?? InputRegion(left: 0, top: 0, width: 1, height: 1)
    height = size.map { Float($0.height) } ?? 1
  }

  func convert(_ pose: inout [Float], channels: Int) {
    for start in stride(from: 0, to: pose.count, by: channels) where pose[start] != 0 || pose[start + 1] != 0 {
      let place = region.place(x: pose[start], y: pose[start + 1])
      (pose[start], pose[start + 1]) = (place.x * height, place.y * height)
    }
  }
}

/// The gaps in a table's frame numbers, if frames have times.
struct FrameGaps {
  private var last: Int?
  private var missing = 0
  private var example = ""

  /// Adds the next frame's number; one that is invalid or not greater is ignored.
  mutating func add(_ number: Float) {
    // Greater numbers of this type are not consecutive.
    guard let number = Int(exactly: number), number.magnitude <= 1 << 24 else { return }
    defer { last = number }
    guard let last, number > last + 1 else { return }
    if missing == 0 { example = number == last + 2 ? "\(last + 1)" : "\(last + 1) to \(number - 1)" }
    missing += number - last - 1
  }

  /// `nil` if there are no gaps.
  var remark: String? {
    missing == 0 ? nil : "frame numbers skip \(missing), first \(example); times are used as given"
  }
}
