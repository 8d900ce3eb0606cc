import Files
import PoseModel

/// Who of several people in a recording is the subject.
public enum PersonChoice: Hashable, Sendable {
  /// The one who appears largest.
  case largest
  /// The one whose joints move most about the body.
  case moving
  /// The one with this number in the files or, if they have none, in the order of appearance from 0 on.
  case number(Int)

  /// Reads `largest`, `moving` or a number; `nil` for anything else.
  public init?(_ text: String) {
    switch text {
    case "largest": self = .largest
    case "moving": self = .moving
    default:
      guard let number = Int(text) else { return nil }
      self = .number(number)
    }
  }
}

/// Chooses the subject among the people in each frame of a recording.
///
/// People have the numbers that a tool gives them, if each is at most once in a frame; otherwise `PersonTracks` numbers
/// them. The subject is whom the user names. Without a word it is the one who moves most, by half as much again as
/// anyone else and in half as many frames or more, or else the most confident one over all frames. Where people have no
/// numbers, `SubjectSelection` follows the subject from frame to frame. If no frame has more than one person, that
/// person is the subject.
struct SubjectChoice {
  /// One per frame, by its index in the recording; `nil` if the subject is absent.
  let people: [Int?]
  let remarks: [String]

  /// Someone over all frames.
  private struct Candidate {
    var number: Int
    /// The sum of confidences.
    var confidence: Float = 0
    var frames = 0
    /// The median length of the trunk, in the recording's unit.
    var size: Float = 0
    /// How far the joints move about the root, in trunk lengths: the mean of their ranges from the 10th to the 90th
    /// percentile.
    var movement: Float = 0
  }

  /// - Throws: `DataError` if nobody has the number that the user names.
  init(_ recording: PoseRecording, timeline: FrameTimeline, coordinates: CoordinateSystem) throws {
    let times = timeline.times
    if let alone = Self.alone(recording, timeline) {
      people = alone
      remarks = []
      return
    }
    var byFrame = [[Int]](repeating: [], count: times.count)
    for (index, person) in recording.people.enumerated() {
      if let frame = timeline.index(person.frame) { byFrame[frame].append(index) }
    }
    let crowded = byFrame.count { $0.count > 1 }
    let most = byFrame.map(\.count).max() ?? 0
    let noun = recording.hasViews ? "views" : "people"
    let several = "up to \(most) \(noun) in a frame, several in \(crowded) of \(byFrame.count)"
    let option = recording.person == nil ? "; to change it: --person largest or the number" : ""
    let system = Self.fixed(coordinates, recording)
    func detected(_ frame: Int) -> [DetectedPerson] {
      byFrame[frame].map { person in
        DetectedPerson(
          pose: PoseFrame(
            Array(recording.pose(person)), channels: recording.channels, at: times[frame],
            skeleton: recording.skeleton, coordinates: system))
      }
    }
    if let given = Self.givenNumbers(recording, byFrame: byFrame) {
      let (subject, reason) = try Self.subject(Self.candidates(recording, byFrame, given), recording)
      people = byFrame.map { frame in frame.first { given[$0] == subject } }
      let seen = people.count { $0 != nil }
      let chosen = recording.hasViews ? "view \(subject) is taken" : "the subject is number \(subject)"
      remarks = ["\(several): \(chosen), \(reason), in \(seen) frames\(option)"]
      return
    }
    var tracks = PersonTracks()
    var numbers = [Int?](repeating: nil, count: recording.people.count)
    for frame in byFrame.indices {
      tracks.update(detected(frame), at: times[frame])
      for (place, person) in byFrame[frame].enumerated() { numbers[person] = tracks.number(of: place) }
    }
    let candidates = Self.candidates(recording, byFrame, numbers)
    let choice =
      recording.person == nil && !Self.isClear(candidates)
      ? nil : try Self.subject(candidates, recording)
    var selection = SubjectSelection()
    var chosen: [Int?] = []
    for frame in byFrame.indices {
      var found = detected(frame)
      for (place, person) in byFrame[frame].enumerated() where choice != nil && numbers[person] == choice?.number {
        // Whom the user or the movement names is chosen first.
        found[place].score += 1
      }
      chosen.append(selection.update(found, at: times[frame]).index.map { byFrame[frame][$0] })
    }
    people = chosen
    let counts = selection.counts
    let first = recording.hasConfidences ? "the most confident person" : "the person with the most points"
    remarks = [
      "\(several): the subject is \(choice.map { "number \($0.number), \($0.reason)" } ?? first), "
        + "then the nearest one from frame to frame, in \(counts.frames - counts.missing) frames, changed "
        + "\(counts.changes) times\(option)"
    ]
  }

  /// How many times as much as anyone else the one who moves must move.
  private static let clearMovement: Float = 1.5

  /// Those who are seen often enough to be the subject, the one who moves most first.
  private static func present(_ candidates: [Candidate]) -> [Candidate] {
    let longest = candidates.map(\.frames).max() ?? 0
    return candidates.filter { $0.frames * 2 >= longest }.sorted { ($1.movement, $0.number) < ($0.movement, $1.number) }
  }

  private static func isClear(_ candidates: [Candidate]) -> Bool {
    let present = present(candidates)
    guard present.count > 1 else { return !present.isEmpty && candidates.count == 1 }
    return present[0].movement > clearMovement * present[1].movement
  }

  private static func subject(
    _ candidates: [Candidate], _ recording: PoseRecording
  ) throws -> (number: Int, reason: String) {
    let present = present(candidates)
    let noun = recording.hasViews ? "view" : "number"
    switch recording.person {
    case .number(let number):
      guard candidates.contains(where: { $0.number == number }) else {
        let known = candidates.map(\.number).sorted().prefix(20).map { "\($0)" }.joined(separator: ", ")
        throw DataError(file: recording.file, expected: "a person with the number \(number)", found: known)
      }
      return (number, "as --person says")
    case .largest:
      let largest = present.max { ($0.size, -$0.number) < ($1.size, -$1.number) }
      return (largest?.number ?? 0, recording.hasViews ? "where the person is the largest" : "who is the largest")
    case .moving:
      return (present.first?.number ?? 0, recording.hasViews ? "where the person moves most" : "who moves most")
    case nil:
      guard isClear(candidates), present.count > 1 else {
        guard let best = candidates.max(by: { ($0.confidence, -$0.number) < ($1.confidence, -$1.number) }) else {
          return (0, "the only one")
        }
        let moves =
          present.first.map { first in
            first.movement > 1.2 * best.movement ? ", though \(noun) \(first.number) moves more" : ""
          } ?? ""
        return (best.number, surest(best, of: candidates, recording) + moves)
      }
      let first = present[0]
      let times = (Double(first.movement / max(present[1].movement, 0.01)) * 10).rounded() / 10
      let who = recording.hasViews ? "where the person" : "who"
      return (first.number, "\(who) moves \(times.shortestDecimal) times as much as \(noun) \(present[1].number)")
    }
  }

  /// Why someone is chosen who does not move clearly more than others.
  private static func surest(_ best: Candidate, of candidates: [Candidate], _ recording: PoseRecording) -> String {
    guard !recording.hasConfidences else { return "the most confident overall" }
    // Without confidences each point that was found counts 1.
    let isFirst = candidates.contains { $0.number != best.number && $0.confidence == best.confidence }
    return (isFirst ? "the first of those with the most points" : "with the most points")
      + ", as no point has a confidence"
  }

  private static func candidates(
    _ recording: PoseRecording, _ byFrame: [[Int]], _ numbers: [Int?]
  ) -> [Candidate] {
    let skeleton = recording.skeleton
    let step = recording.channels.count
    let confidence = recording.channels.firstIndex(of: .confidence)
    func place(_ joint: Joint, _ pose: ArraySlice<Float>) -> SIMD2<Float> {
      func at(_ keypoint: Int) -> SIMD2<Float> {
        let start = pose.startIndex + keypoint * step
        return SIMD2(pose[start], pose[start + 1])
      }
      switch skeleton[joint] {
      case .keypoint(let keypoint)?: return at(keypoint)
      case .midpoint(let a, let b)?: return (at(a) + at(b)) / 2
      case nil: return SIMD2(repeating: .nan)
      }
    }
    var found: [Int: Candidate] = [:]
    var sizes: [Int: [Float]] = [:]
    var places: [Int: [[SIMD2<Float>]]] = [:]
    for person in byFrame.joined() {
      guard let number = numbers[person] else { continue }
      let pose = recording.pose(person)
      var candidate = found[number] ?? Candidate(number: number)
      candidate.frames += 1
      for keypoint in stride(from: pose.startIndex, to: pose.endIndex, by: step) where pose[keypoint].isFinite {
        let value = confidence.map { pose[keypoint + $0] } ?? 1
        if value.isFinite { candidate.confidence += value }
      }
      found[number] = candidate
      let root = place(.root, pose)
      let trunk = place(.neck, pose) - root
      let length = (trunk * trunk).sum().squareRoot()
      guard length > 0 else { continue }
      sizes[number, default: []].append(length)
      places[number, default: []].append(Self.moved.map { (place($0, pose) - root) / length })
    }
    return found.values.map { candidate in
      var candidate = candidate
      let lengths = sizes[candidate.number, default: []].sorted()
      if !lengths.isEmpty { candidate.size = lengths[lengths.count / 2] }
      candidate.movement = movement(places[candidate.number, default: []])
      return candidate
    }
  }

  private static let moved: [Joint] = [
    .leftWrist, .rightWrist, .leftElbow, .rightElbow, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
  ]

  private static func movement(_ places: [[SIMD2<Float>]]) -> Float {
    var ranges: [Float] = []
    for joint in moved.indices {
      for axis in 0..<2 {
        let values = places.map { $0[joint][axis] }.filter(\.isFinite).sorted()
        guard values.count >= 10 else { continue }
        ranges.append(values[values.count * 9 / 10] - values[values.count / 10])
      }
    }
    return ranges.isEmpty ? 0 : ranges.reduce(0, +) / Float(ranges.count)
  }

  /// The person of each frame; `nil` if a frame has several.
  private static func alone(_ recording: PoseRecording, _ timeline: FrameTimeline) -> [Int?]? {
    var people = [Int?](repeating: nil, count: timeline.times.count)
    for (index, person) in recording.people.enumerated() {
      guard let frame = timeline.index(person.frame) else { continue }
      guard people[frame] == nil else { return nil }
      people[frame] = index
    }
    return people
  }

  /// The tool's numbers of people; `nil` if someone has none, or a number appears twice in a frame.
  private static func givenNumbers(_ recording: PoseRecording, byFrame: [[Int]]) -> [Int?]? {
    for frame in byFrame {
      var seen: Set<Int> = []
      for person in frame {
        guard let track = recording.people[person].track, seen.insert(track).inserted else { return nil }
      }
    }
    return recording.people.map(\.track)
  }

  /// The same coordinates with a fixed size, as people cannot be tracked if every frame has its own scale.
  private static func fixed(_ coordinates: CoordinateSystem, _ recording: PoseRecording) -> CoordinateSystem {
    switch coordinates.unit {
    case .image, .pixel: return coordinates
    case .metre, .relative:
      var extent: Float = 0
      for y in stride(from: 1, to: recording.values.count, by: recording.channels.count) {
        if recording.values[y].isFinite { extent = max(extent, abs(recording.values[y])) }
      }
      return CoordinateSystem(unit: .pixel(height: extent > 0 ? Double(extent) : 1), yAxis: coordinates.yAxis)
    }
  }
}
