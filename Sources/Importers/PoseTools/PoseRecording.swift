import Files
import PoseModel
import RealModule

/// The people that a tool found in the frames of a recording, before one subject is chosen.
///
/// Frames may come in any order. A duplicate frame counts once, with its first values. A keypoint at 0,0 was not found:
/// tools write it that way.
struct PoseRecording {
  /// The identity of a frame.
  enum Clock: Sendable {
    /// Its number, at this frame rate.
    case frames(rate: Double)
    /// Its time in microseconds.
    case times
  }

  struct Person {
    /// The frame's number or time.
    var frame: Int
    /// The tool's number for the person, the same in all frames.
    var track: Int?
  }

  let skeleton: Skeleton
  let channels: [Channel]
  private var clock: Clock
  /// The number of the skeleton's keypoints in the files.
  private let given: Int
  /// The name of the file in errors or, for several, of their folder.
  let file: String
  /// Keypoint by keypoint, channel by channel, person after person.
  private(set) var values: [Float] = []
  private(set) var people: [Person] = []
  /// Numbers or times of all frames, including those without a person.
  private(set) var frames = FrameNumbers()
  private(set) var repeated = 0
  /// Those of them that came again after a higher one.
  private var restarted = 0
  private(set) var missingKeypoints = 0
  /// The importer's remarks on the recording.
  var notes: [String] = []
  /// The facts about it in its files.
  var facts = ClipFacts()
  /// The size of its image, if known before it is read.
  var size: ImageSize?
  /// What the file says of it, if anything.
  var part: ToolPart?
  /// Who of several people is the subject.
  var person: PersonChoice?
  /// Whether the people are the views of several cameras.
  var hasViews = false
  /// The values of the columns of labels, by the number or time of the frame.
  var labels: [Int: [String]] = [:]

  /// The assumed frame rate if it is unknown, per second.
  static let usualRate = 30.0

  init(_ shape: PoseShape, clock: Clock, file: String) {
    skeleton = shape.skeleton
    channels = shape.channels
    self.clock = clock
    self.file = file
    given = shape.given ?? shape.names?.count ?? shape.skeleton.keypoints.count
  }

  var hasConfidences: Bool { channels.contains(.confidence) }

  /// The number of values per person.
  var width: Int { skeleton.keypoints.count * channels.count }

  /// Adds a frame; returns whether it is new.
  ///
  /// - Parameter isRepeat: Whether a known frame may come again with another person.
  /// - Throws: `DataError` if there are more than a clip may have.
  @discardableResult
  mutating func begin(_ frame: Int, isRepeat: Bool = false) throws -> Bool {
    guard frames.insert(frame) else {
      if !isRepeat {
        repeated += 1
        if let last = frames.last, frame < last { restarted += 1 }
      }
      return false
    }
    try ClipSize.check(frames: frames.count, of: width, file: file)
    return true
  }

  /// Counts a person who came twice in a frame.
  mutating func countRepeat() { repeated += 1 }

  /// Reserves memory for about this many people.
  mutating func reserve(_ people: Int) {
    values.reserveLargePages(min(people * width, ClipSize.most))
    self.people.reserveCapacity(min(people, ClipSize.most / width))
  }

  /// Adds a person to a frame.
  ///
  /// - Precondition: `pose` has `width` values.
  /// - Throws: `DataError` if all people together have more numbers than a clip may have; the subject is chosen among
  ///   all of them.
  mutating func add(_ pose: some Collection<Float>, to frame: Int, track: Int? = nil) throws {
    precondition(pose.count == width)
    if frames.insert(frame) { try ClipSize.check(frames: frames.count, of: width, file: file) }
    guard (people.count + 1) * width <= ClipSize.most else {
      throw DataError(
        file: file, expected: "at most \(ClipSize.most / width) people in all frames of a recording together",
        found: "\(people.count + 1) in \(frames.count) frames; split the recording into clips")
    }
    people.append(Person(frame: frame, track: track))
    let start = values.count
    values.append(contentsOf: pose)
    let step = channels.count
    missingKeypoints += values.withUnsafeMutableBufferPointer { values in
      var missing = 0
      for keypoint in stride(from: start, to: values.count, by: step) {
        if values[keypoint] == 0, values[keypoint + 1] == 0 {
          values[keypoint] = .nan
          values[keypoint + 1] = .nan
        }
        if !values[keypoint].isFinite { missing += 1 }
      }
      return missing
    }
  }

  /// Whether frames are told apart by their times.
  var hasTimes: Bool {
    if case .times = clock { true } else { false }
  }

  /// Tells frames apart by their times, not their numbers.
  mutating func useTimes() { clock = .times }

  /// Sets the frame rate of its frame numbers.
  mutating func rate(_ rate: Double) { clock = .frames(rate: rate) }

  /// Multiplies all coordinates; z has the scale of x.
  mutating func scale(x: Double, y: Double) {
    guard x != 1 || y != 1 else { return }
    for (offset, channel) in channels.enumerated() where channel != .confidence {
      let factor = Float(channel == .y ? y : x)
      for place in stride(from: offset, to: values.count, by: channels.count) {
        let value = values[place] * factor
        values[place] = value.isInfinite ? .nan : value
      }
    }
  }

  /// The limbs of some of the people, with x so many times as long.
  private func proportions(stretch: Double) -> LimbProportions {
    let step = max(1, people.count / Self.lookedAt)
    let places = Array(stride(from: 0, to: people.count, by: step))
    let some = Keypoints(
      times: [Microseconds](frames: places.count, rate: 30), keypointCount: skeleton.keypoints.count,
      channels: channels, frames: values, places: places)
    return LimbProportions(
      PoseSequence(
        some, skeleton: skeleton, coordinates: CoordinateSystem(unit: .image(aspect: stretch), yAxis: .down)))
  }

  /// So many frames that come again are another recording's.
  private static let fewestRestarted = 10

  /// This many people suffice to infer the unit and the limbs' lengths.
  private static let lookedAt = 200

  /// Notes that swapped image width and height would fit a person much better.
  ///
  /// - Parameter stretch: The factor that converts x to image heights.
  mutating func warnOfAspect(_ aspect: Double, stretch: Double) {
    guard let ratio = proportions(stretch: stretch).ratio(toExchanged: aspect), ratio >= LimbProportions.absurdRatio
    else { return }
    notes.append(
      aspect < 1
        ? "the limbs fit a landscape image, not portrait: import again with the image's size, such as --size 1920x1080"
        : "the limbs fit a portrait image, not landscape: import again with the image's size, such as --size 1080x1920")
  }

  private static let (portrait, landscape) = (9.0 / 16, 16.0 / 9)

  /// The logarithm of how much less the limbs agree in an image of 9:16 than in one of 16:9; 0 if too few are seen.
  var portraitDoubt: Float {
    let limbs = proportions(stretch: 1)
    guard let high = limbs.spread(stretch: Float(Self.portrait)),
      let wide = limbs.spread(stretch: Float(Self.landscape))
    else { return 0 }
    return Float.log(max(high, 0.01) / max(wide, 0.01))
  }

  /// 9:16 or 16:9; `nil` if both are plausible.
  static func aspect(portraitDoubt doubt: Float) -> Double? {
    guard abs(doubt) >= Float.log(LimbProportions.clearRatio) else { return nil }
    return doubt < 0 ? portrait : landscape
  }

  /// The image's aspect, inferred from the limbs, with a note.
  ///
  /// - Parameter usual: The aspect inferred from recordings of the same folder.
  /// - Throws: `DataError` if neither gives it.
  mutating func guessAspect(of clip: String, usual: Double?) throws -> Double {
    let told = Self.aspect(portraitDoubt: portraitDoubt)
    guard let aspect = told ?? usual else {
      throw DataError(
        file: file, clip: clip,
        expected: "the size of the image, as --size WxH or in a table clips.csv of clip,width,height",
        found: "none, and limbs that fit both 9:16 and 16:9")
    }
    notes.append(
      "the image's size is unknown: assumed \(aspect < 1 ? "9:16" : "16:9"), "
        + (told == nil ? "as in other clips" : "which fits the limbs of a person") + "; to change it: --size WxH")
    return aspect
  }

  /// Refuses landmarks of another kind than those of the first recording.
  ///
  /// - Throws: `DataError`.
  func require(_ unit: NumberUnit, of clip: String) throws {
    guard [.image, .pixels, .metres].contains(unit) else { return }
    let step = max(1, people.count / Self.lookedAt)
    let some = stride(from: 0, to: people.count, by: step).flatMap { pose($0) }
    let hips = [Joint.leftHip, .rightHip].compactMap { joint -> Int? in
      if case .keypoint(let place)? = skeleton[joint] { place } else { nil }
    }
    guard let found = NumberUnit(some, width: width, channels: channels.count, hips: hips), found != unit else {
      return
    }
    throw DataError(
      file: file, clip: clip, expected: "\(unit.rawValue), as in the first recording; import others separately",
      found: found.rawValue)
  }

  /// Gives each frame its time in a video; returns whether it could, as all frames are the video's.
  ///
  /// - Parameter times: In microseconds, one a frame of the video.
  mutating func take(times: [Int]) throws -> Bool {
    let numbers = frames.sorted
    guard let lowest = numbers.first, let highest = numbers.last, !times.isEmpty else { return false }
    // Numbers begin with 1 if the last is the count of frames.
    let first = lowest >= 1 && highest == times.count ? 1 : 0
    guard lowest >= first, highest - first < times.count, numbers.count * 10 >= times.count * 9 else { return false }
    renumber { times[$0 - first] }
    clock = .times
    return true
  }

  /// Renumbers every frame.
  mutating func renumber(_ number: (Int) -> Int) {
    var renumbered = FrameNumbers()
    for frame in frames.sorted { renumbered.insert(number(frame)) }
    frames = renumbered
    for index in people.indices { people[index].frame = number(people[index].frame) }
    labels = Dictionary(labels.map { (number($0.key), $0.value) }) { first, _ in first }
  }

  /// A person's values, from those of all.
  func pose(_ person: Int) -> ArraySlice<Float> { values[person * width..<(person + 1) * width] }
}

extension PoseRecording {
  /// The number of frames with a person.
  private var peopled: Int {
    var seen = FrameNumbers()
    for person in people { seen.insert(person.frame) }
    return seen.count
  }

  /// The recording as a clip's poses, with remarks.
  struct Poses {
    var keypoints: Keypoints
    /// Nominal frames a second.
    var rate: Double
    var remarks: [String]
    /// The time of each frame that has values in columns of labels, with these.
    var labels: [(time: Microseconds, values: [String])]
  }

  /// - Parameter coordinates: The unit and axes of the numbers.
  /// - Throws: `DataError` if there is no frame, or frames are too far apart for one recording.
  func poses(clip: String, coordinates: CoordinateSystem) throws -> Poses {
    guard restarted < Self.fewestRestarted else {
      throw DataError(
        file: file, clip: clip,
        expected: "each frame once, or a column such as video, camera or person that tells recordings or people apart",
        found: "the numbers or times of \(restarted) frames again after higher ones")
    }
    let timeline = try FrameTimeline(frames.sorted, clock: clock, width: width, file: file, clip: clip)
    let labelled = frames.sorted.compactMap { frame -> (time: Microseconds, values: [String])? in
      guard let values = labels[frame], let index = timeline.index(frame) else { return nil }
      return (timeline.times[index], values)
    }
    let choice = try SubjectChoice(self, timeline: timeline, coordinates: coordinates)
    var remarks = notes + timeline.remarks + choice.remarks
    let empty = frames.count - peopled
    if empty > 0 { remarks.append("no person found in \(empty) of \(frames.count) frames") }
    if repeated > 0 {
      remarks.append(
        repeated == 1 ? "1 duplicate frame, the first used" : "\(repeated) duplicate frames, the first used")
    }
    let missing = missingKeypoints - people.count * (skeleton.keypoints.count - given)
    if missing > 0 { remarks.append("\(missing) of \(people.count * given) keypoints not found") }
    return Poses(
      keypoints: Keypoints(
        times: timeline.times, keypointCount: skeleton.keypoints.count, channels: channels, frames: values,
        places: choice.people),
      rate: timeline.rate, remarks: remarks.isEmpty ? [] : ["\(clip): \(remarks.joined(separator: "; "))"],
      labels: labelled)
  }
}

/// Thrown to stop reading a file whose beginning is enough.
struct EnoughRead: Error {}

/// The coordinates and keypoints of a source, as found in its files.
struct PoseShape: Sendable {
  enum Unit: Sendable {
    /// 0…1 of the image's width and height.
    case image
    case pixels
    /// Defined by the coordinate system.
    case other(CoordinateSystem)
  }

  var skeleton: Skeleton
  var channels: [Channel] = [.x, .y, .confidence]
  var unit: Unit
  var yAxis = CoordinateSystem.YAxis.down
  /// Whether the files give the time of each frame.
  var hasTimes = false
  /// Frames a second, where the files' times are too coarse to tell frames apart.
  var rate: Double?
  /// The keypoints of a file and their indices in the skeleton, if they differ from the skeleton's.
  var names: KeypointNames?
  /// The number of the skeleton's keypoints in the files; `nil` for all, or for those with names.
  var given: Int?
  /// Whether a frame's people follow each other without numbers, each under the frame's number or time.
  var isCrowded = false
  /// How many people take turns from frame to frame of the files, which are frames of as many people.
  var turns = 1
  /// Whether the keypoints are world landmarks, which files have beside others.
  var isWorld = false
  /// The first file's facts about its recording.
  var facts = ClipFacts()
  /// Notes for readers of results.
  var remark: String?
  /// The unit of the first recording's landmarks, if inferred from their range.
  var told: NumberUnit?
  /// What the numbers of a file mean, if that was decided by evidence.
  var meaning: KeypointMeaning?

  /// How a recording tells frames apart, if it is like the first.
  var clock: PoseRecording.Clock { hasTimes ? .times : .frames(rate: PoseRecording.usualRate) }

  /// The coordinate system of the numbers; pixels of an image of unknown size are a length that is constant within a
  /// clip.
  ///
  /// - Parameters:
  ///   - size: The size that was given for all clips.
  ///   - sizes: The size of each clip that says its own. With several sizes, positions are image heights.
  func coordinates(_ size: ImageSize?, ofClips sizes: [ImageSize?]) -> CoordinateSystem {
    let isOne = Set(sizes).count == 1
    let common = isOne ? sizes.first.flatMap(\.self) ?? size : nil
    switch unit {
    case .image:
      return CoordinateSystem(unit: common.map { .image(aspect: $0.aspect) } ?? .imageHeight, yAxis: yAxis)
    case .pixels:
      let isKnown = size != nil || sizes.allSatisfy { $0 != nil }
      return CoordinateSystem(
        unit: common.map { .pixel(height: Double($0.height)) } ?? (isKnown ? .imageHeight : .metre), yAxis: yAxis)
    case .other(let coordinates): return coordinates
    }
  }
}
