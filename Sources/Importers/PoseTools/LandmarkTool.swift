import Files
import PoseModel

/// A format of BlazePose's landmarks that users' own code writes, in many layouts. A conforming type finds the frames
/// of a file; this protocol infers the units of their numbers and times.
protocol LandmarkTool: PoseTool {
  /// Calls `body` with each frame of a file, in its order.
  ///
  /// - Parameters:
  ///   - isWorld: Whether to read world landmarks, which a file may have beside others.
  ///   - facts: Receives the file's facts about the recording, as far as it was read.
  static func forEachFrame(
    _ file: InputFile, isWorld: Bool, facts: inout ClipFacts, _ body: (LandmarkFrame) throws -> Void
  ) throws
}

extension LandmarkTool {
  /// Whether a file has a pose near its beginning.
  static func hasLandmarks(_ file: InputFile) -> Bool {
    let start = InputFile(name: file.name, bytes: file.bytes.prefix(LandmarkSample.length))
    return [false, true].contains { isWorld in
      var isThere = false
      var facts = ClipFacts()
      try? forEachFrame(start, isWorld: isWorld, facts: &facts) { frame in
        isThere = isThere || !frame.people.isEmpty
        if isThere { throw EnoughRead() }
      }
      return isThere
    }
  }

  /// The shape of a recording, from its first frames.
  static func landmarkShape(_ clip: ToolClip, in directory: String) throws -> PoseShape {
    var sample = LandmarkSample()
    for isWorld in [false, true] where sample.people.isEmpty {
      sample = LandmarkSample()
      sample.isWorld = isWorld
      // A folder may begin with frames without a person.
      for file in clip.files.prefix(200) where sample.people.count < LandmarkSample.count * LandmarkFrame.width {
        try sample.add(InputFile(file.path, in: directory), Self.self)
      }
    }
    let channels: [Channel] = [.x, .y, .z, .confidence]
    let kept = channels.filter { channel in
      stride(from: channel.index, to: sample.people.count, by: 4).contains { sample.people[$0].isFinite }
    }
    if sample.people.isEmpty { sample.isWorld = false }
    let told = LandmarkUnit(sample.people, channels: 4)
    let unit = told ?? .image
    var shape = PoseShape(
      skeleton: .blazePose33, channels: kept.count < 2 ? channels : kept, unit: unit.poseUnit,
      hasTimes: sample.hasTimes)
    shape.isWorld = sample.isWorld
    shape.facts = sample.facts
    shape.told = told
    if unit != .image { shape.remark = "coordinates are \(unit.rawValue), inferred from their range" }
    if unit == .metres { shape.remark? += ": the movement of the hips is lost" }
    if !sample.times.isEmpty, !sample.hasTimes {
      shape.remark =
        (shape.remark.map { $0 + "; " } ?? "") + "times are not used, as they do not increase from frame to frame"
    }
    return shape
  }

  /// Reads a file by its frames.
  func readLandmarks(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    var unit: TimeUnit?
    let places = source.shape.channels.map(\.index)
    var next = 0
    let isSingle = file.frame != nil
    var facts = ClipFacts()
    try Self.forEachFrame(input, isWorld: source.shape.isWorld, facts: &facts) { frame in
      var number = (isSingle ? file.frame : nil) ?? frame.number ?? next
      if source.shape.hasTimes {
        if unit == nil { unit = try frame.timeUnit ?? timeUnit(of: file) }
        guard let time = frame.time, let microseconds = unit?.microseconds(time) else {
          throw DataError(
            file: input.name, expected: "a time for each frame, as in the first ones", found: "a frame without")
        }
        number = microseconds
      }
      guard number.magnitude <= Self.greatestNumber else {
        throw DataError(file: input.name, expected: "a frame's number or time", found: "\(number)")
      }
      next = number + 1
      guard try recording.begin(number) else { return }
      for person in frame.people {
        let pose =
          places.count == 4
          ? person
          : stride(from: 0, to: person.count, by: 4).flatMap { start in places.map { person[start + $0] } }
        if pose.contains(where: \.isFinite) { try recording.add(pose, to: number) }
      }
    }
    recording.facts.add(facts)
    guard !recording.frames.isEmpty else {
      throw DataError(file: input.name, expected: "at least one frame", found: "none")
    }
  }

  /// Microseconds in 30,000 years.
  private static var greatestNumber: UInt { 1_000_000_000_000_000_000 }

  /// The unit of a recording's times, from those at its beginning.
  func timeUnit(of file: ToolClip.File) throws -> TimeUnit {
    let clip = source.clips.first { $0.files.contains(file) }
    var sample = LandmarkSample()
    for file in clip?.files.prefix(LandmarkSample.count) ?? [file] where sample.times.count < LandmarkSample.count {
      try sample.add(source.open(file), Self.self)
    }
    return TimeUnit(of: sample.times)
  }
}

/// The first frames of a recording.
struct LandmarkSample {
  var people: [Float] = []
  var times: [Double] = []
  var frames = 0
  var isWorld = false
  var facts = ClipFacts()

  /// This many frames suffice.
  static let count = 100
  /// The length of a file's part in which a pose shows its format.
  static let length = 1 << 16

  /// Whether each frame has a time, and nearly all are later than the one before.
  var hasTimes: Bool {
    guard !times.isEmpty, times.count == frames else { return false }
    let growing = zip(times, times.dropFirst()).count { $0 < $1 }
    return growing * 10 >= (times.count - 1) * 9
  }

  mutating func add(_ file: InputFile, _ tool: any LandmarkTool.Type) throws {
    var sample = self
    var facts = facts
    do {
      try tool.forEachFrame(file, isWorld: isWorld, facts: &facts) { frame in
        sample.frames += 1
        if let time = frame.time { sample.times.append(time) }
        for person in frame.people { sample.people += person }
        if sample.people.count >= Self.count * LandmarkFrame.width { throw EnoughRead() }
      }
    } catch is EnoughRead {
    } catch is DataError {
      // Reading the recording reveals it.
    }
    sample.facts = facts
    self = sample
  }
}

extension LandmarkUnit {
  fileprivate var poseUnit: PoseShape.Unit {
    switch self {
    case .image: .image
    case .pixels: .pixels
    case .metres: .other(CoordinateSystem(unit: .metre, yAxis: .down))
    }
  }
}
