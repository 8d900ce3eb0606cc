import Datasets
import PoseModel

/// The people that a tool found in the frames of a recording, on the way to the poses of one subject.
///
/// Frames may come in any order. A frame that comes twice counts once, as it was first. A keypoint at 0,0 was not found: so
/// tools write it.
struct PoseRecording {
  /// What a frame is known by.
  enum Clock: Sendable {
    /// Its number, at so many frames a second.
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
  let clock: Clock
  /// As many of the skeleton's keypoints as the files have.
  private let given: Int
  /// What errors call the file or, of several, their folder.
  let file: String
  /// Keypoint by keypoint, channel by channel, person after person.
  private(set) var values: [Float] = []
  private(set) var people: [Person] = []
  /// Numbers or times of all frames that there are, also those without anybody.
  private(set) var frames = FrameNumbers()
  private(set) var repeated = 0
  private(set) var missingKeypoints = 0
  /// What the importer has to say of the recording.
  var notes: [String] = []

  init(_ shape: PoseShape, clock: Clock, file: String) {
    skeleton = shape.skeleton
    channels = shape.channels
    self.clock = clock
    self.file = file
    given = shape.given ?? shape.names?.count ?? shape.skeleton.keypoints.count
  }

  /// Values of one person.
  var width: Int { skeleton.keypoints.count * channels.count }

  /// Notes that there is such a frame; says whether it is new.
  ///
  /// - Throws: `DataError` where there are more than a clip may have.
  @discardableResult
  mutating func begin(_ frame: Int) throws -> Bool {
    guard frames.insert(frame) else {
      repeated += 1
      return false
    }
    try ClipSize.check(frames: frames.count, of: width, file: file)
    return true
  }

  /// Makes room for about so many people, so that memory need not grow with them.
  mutating func reserve(_ people: Int) {
    values.reserveLargePages(min(people * width, ClipSize.most))
    self.people.reserveCapacity(min(people, ClipSize.most / width))
  }

  /// Adds a person to a frame.
  ///
  /// - Precondition: `pose` has `width` values.
  /// - Throws: `DataError` where all people together have more numbers than a clip may have: the subject is chosen of all.
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

  /// Gives each frame another number.
  mutating func renumber(_ number: (Int) -> Int) {
    var renumbered = FrameNumbers()
    for frame in frames.sorted { renumbered.insert(number(frame)) }
    frames = renumbered
    for index in people.indices { people[index].frame = number(people[index].frame) }
  }

  /// A person's values, from those of all.
  func pose(_ person: Int) -> ArraySlice<Float> { values[person * width..<(person + 1) * width] }
}

extension PoseRecording {
  /// In how many frames there is somebody.
  private var peopled: Int {
    var seen = FrameNumbers()
    for person in people { seen.insert(person.frame) }
    return seen.count
  }

  /// The recording as a clip's poses, with what is to be said of it.
  struct Poses {
    var keypoints: Keypoints
    /// Nominal frames a second.
    var rate: Double
    var remarks: [String]
  }

  /// - Parameter coordinates: how the numbers are to be read.
  /// - Throws: `DataError` where there is no frame, or frames are too far apart to be of one recording.
  func poses(clip: String, coordinates: CoordinateSystem) throws -> Poses {
    let timeline = try FrameTimeline(frames.sorted, clock: clock, width: width, file: file, clip: clip)
    let choice = SubjectChoice(self, timeline: timeline, coordinates: coordinates)
    var remarks = notes + timeline.remarks + choice.remarks
    let empty = frames.count - peopled
    if empty > 0 { remarks.append("nobody found in \(empty) of \(frames.count) frames") }
    if repeated > 0 {
      remarks.append(
        repeated == 1 ? "1 frame there twice, the first taken" : "\(repeated) frames there twice, the first taken")
    }
    let missing = missingKeypoints - people.count * (skeleton.keypoints.count - given)
    if missing > 0 { remarks.append("\(missing) of \(people.count * given) keypoints not found") }
    return Poses(
      keypoints: Keypoints(
        times: timeline.times, keypointCount: skeleton.keypoints.count, channels: channels, frames: values,
        places: choice.people),
      rate: timeline.rate, remarks: remarks.isEmpty ? [] : ["\(clip): \(remarks.joined(separator: "; "))"])
  }
}
