/// Chooses the subject among the people in each frame: at first the most confident person, then the person nearest to
/// the subject's last position.
///
/// - Everyone is tracked. Tracks and people are paired from the nearest pair up, as long as the distance is below
///   `distanceLimit`; ties go to the higher score, then to the older track, then to the earlier person in the list. A
///   subject hidden by another person is therefore not confused with that person. The distance is the mean over the
///   joints that both poses have, in trunk lengths of the track, from the positions predicted by its last velocity.
/// - While there is no subject, it becomes the person with the highest score of at least `minimumScore`; of equal
///   scores the larger person, then the earlier in the list.
/// - If nobody in a frame is the subject, the frame has none. After more than `patience` without the subject, it is
///   lost and a new one is chosen.
///
/// The same frames always give the same choices.
public struct SubjectSelection: Sendable {
  /// The rule for switching to another subject.
  public struct Settings: Hashable, Sendable {
    /// In trunk lengths. Two people side by side are a breadth of shoulders apart, 0.259 of stature, and a trunk is
    /// 0.288 (Drillis and Contini 1966, as in Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009,
    /// figure 4.1): 0.9.
    public var distanceLimit: Float = 0.9
    /// 1 s, the `maxAge` of a track in tfjs-models' pose-detection.
    public var patience = Microseconds(1_000_000)
    /// The same as in MoveNet's own tracker: 0.25.
    public var minimumScore: Float = 0.25
    /// Joints at or below it are not compared; MoveNet's card recommends 0.3.
    public var minimumConfidence: Float = 0.3
    /// How long a person out of sight is assumed to keep their velocity: 0.25 s, about the time to turn round.
    public var longestPrediction = Microseconds(250_000)

    public init() {}
  }

  /// Why the subject differs from the frame before.
  public enum Change: Hashable, Sendable {
    /// The first subject.
    case found
    /// The patience ran out and nobody else is present.
    case lost
    /// Another subject than the last one, or the same after a loss.
    case changed
  }

  /// The subject of one frame.
  public struct Choice: Hashable, Sendable {
    /// Index of the subject among the frame's people; `nil` if absent.
    public var index: Int?
    /// Why it differs from the frame before; `nil` if it is the same.
    public var change: Change?

    public init(index: Int? = nil, change: Change? = nil) {
      self.index = index
      self.change = change
    }
  }

  /// Counts over all frames so far.
  public struct Counts: Hashable, Sendable {
    /// Frames seen so far.
    public var frames: Int
    /// Frames with more than one person.
    public var crowded: Int
    /// Frames without the subject.
    public var missing: Int
    /// Times that the patience ran out.
    public var losses: Int
    /// Times that another person, or the same after a loss, became the subject.
    public var changes: Int

    public init(frames: Int = 0, crowded: Int = 0, missing: Int = 0, losses: Int = 0, changes: Int = 0) {
      self.frames = frames
      self.crowded = crowded
      self.missing = missing
      self.losses = losses
      self.changes = changes
    }
  }

  /// The rule for switching to another subject.
  public let settings: Settings
  /// The counts so far.
  public private(set) var counts = Counts()
  private var tracks: PersonTracks
  /// The track of the subject.
  private var subject: Int?
  private var hadSubject = false

  public init(_ settings: Settings = Settings()) {
    self.settings = settings
    tracks = PersonTracks(settings)
  }

  /// Processes the next frame's people. Does not allocate once it has seen this many people in a frame.
  ///
  /// - Parameters:
  ///   - people: Everybody found by the estimator in the frame, in any order.
  ///   - time: Later than every earlier time.
  public mutating func update(_ people: some RandomAccessCollection<DetectedPerson>, at time: Microseconds) -> Choice {
    counts.frames += 1
    if people.count > 1 { counts.crowded += 1 }
    tracks.update(people, at: time)
    var isLost = false
    if let track = subject {
      if let index = tracks.person(of: track) { return Choice(index: index) }
      guard !tracks.isFollowed(track) else {
        counts.missing += 1
        return Choice()
      }
      subject = nil
      isLost = true
      counts.losses += 1
    }
    guard let index = mostConfident(people), let track = tracks.track(of: index) else {
      counts.missing += 1
      return Choice(change: isLost ? .lost : nil)
    }
    subject = track
    defer { hadSubject = true }
    if hadSubject { counts.changes += 1 }
    return Choice(index: index, change: hadSubject ? .changed : .found)
  }

  private func mostConfident(_ people: some RandomAccessCollection<DetectedPerson>) -> Int? {
    var best: (index: Int, score: Float, size: Float)?
    for (index, person) in people.enumerated() where person.score >= settings.minimumScore {
      guard tracks.track(of: index) != nil else { continue }
      let size = TrackedPose.size(of: person.pose, above: settings.minimumConfidence)
      if let best, (person.score, size) <= (best.score, best.size) { continue }
      best = (index, person.score, size)
    }
    return best?.index
  }
}

/// One of the people that an estimator found in a frame.
public struct DetectedPerson: Sendable {
  /// The joints, in image heights.
  public var pose: PoseFrame
  /// The estimator's confidence in the person as a whole: higher is better.
  public var score: Float
  /// The estimator's bounding box.
  public var box: PersonBox?

  public init(pose: PoseFrame, score: Float, box: PersonBox? = nil) {
    self.pose = pose
    self.score = score
    self.box = box
  }

  /// A person from an estimator that scores only keypoints: the score is the mean confidence of COCO's 17, a missing
  /// one counting 0. Of two equally certain people, the more complete one then scores higher.
  public init(pose: PoseFrame) {
    var sum: Float = 0
    for joint in MoveNetKeypoints.joints { sum += pose[joint, .confidence] }
    self.init(pose: pose, score: sum / Float(MoveNetKeypoints.joints.count))
  }
}

/// A box around a person, in image heights with y down.
public struct PersonBox: Hashable, Sendable {
  /// The box's left edge, in image heights.
  public var left: Float
  /// The box's top edge, in image heights; y grows down.
  public var top: Float
  /// The box's right edge, in image heights.
  public var right: Float
  /// The box's bottom edge, in image heights.
  public var bottom: Float

  public init(left: Float, top: Float, right: Float, bottom: Float) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }
}

extension PoseFrame {
  /// One frame of an estimator's keypoints on the common joints, mapped as a whole clip's are.
  ///
  /// - Parameters:
  ///   - values: Keypoint by keypoint in the skeleton's order, channel by channel.
  ///   - channels: The channels of each keypoint, in the order of its values.
  ///   - time: The time of the frame, in recording time.
  ///   - skeleton: Maps the keypoints to the common joints.
  ///   - coordinates: With a unit without a fixed size (`metre`, `relative`), the frame is scaled by its own trunk.
  /// - Precondition: `values` holds a value for each keypoint and channel.
  public init(
    _ values: [Float], channels: [Channel], at time: Microseconds, skeleton: Skeleton, coordinates: CoordinateSystem
  ) {
    let keypoints = Keypoints(
      times: [time], keypointCount: skeleton.keypoints.count, channels: channels, frames: values)
    self = PoseSequence(keypoints, skeleton: skeleton, coordinates: coordinates).frame(0)
  }
}

/// The people who are tracked from frame to frame, each separately.
public struct PersonTracks: Sendable {
  /// The limit of tfjs-models' pose-detection (`maxTracks`); further people are not tracked.
  private static let limit = 18

  private let settings: SubjectSelection.Settings
  private var tracks = [TrackedPose](repeating: TrackedPose(), count: limit)
  private var followed = [Bool](repeating: false, count: limit)
  /// The number of each track's person.
  private var numbers = [Int](repeating: 0, count: limit)
  private var started = 0
  /// The index in the last frame of each track's person.
  private var people = [Int?](repeating: nil, count: limit)
  /// Distances by track, then by person of the last frame; infinite if they cannot be the same.
  private var distances: [Float] = []

  /// Tracks people by the rule that `SubjectSelection` follows a subject by.
  public init(_ settings: SubjectSelection.Settings = SubjectSelection.Settings()) { self.settings = settings }

  /// The number of one of the last frame's people, from 0 on, the same in all frames in which they were tracked; `nil`
  /// for someone who is not tracked.
  public func number(of person: Int) -> Int? { track(of: person).map { numbers[$0] } }

  /// Whether the track is in use.
  func isFollowed(_ track: Int) -> Bool { followed[track] }

  /// The index of the track's person among those of the last frame.
  func person(of track: Int) -> Int? { people[track] }

  /// The track of one of the last frame's people.
  func track(of person: Int) -> Int? { people.firstIndex(of: person) }

  /// Matches everyone with the tracks, drops tracks out of sight for longer than the patience, and starts new ones.
  public mutating func update(_ found: some RandomAccessCollection<DetectedPerson>, at time: Microseconds) {
    for track in tracks.indices { people[track] = nil }
    measure(found, at: time)
    while let (track, person) = nearestPair(found) { take(found, person, as: track, at: time) }
    for track in tracks.indices where followed[track] && time - tracks[track].time > settings.patience {
      followed[track] = false
    }
    for (person, detected) in found.enumerated() where detected.score >= settings.minimumScore {
      guard track(of: person) == nil, let free = followed.firstIndex(of: false) else { continue }
      tracks[free].forget()
      followed[free] = true
      numbers[free] = started
      started += 1
      take(found, person, as: free, at: time)
    }
  }

  private mutating func measure(_ found: some RandomAccessCollection<DetectedPerson>, at time: Microseconds) {
    distances.removeAll(keepingCapacity: true)
    for track in tracks.indices {
      for person in found {
        let distance =
          followed[track] ? tracks[track].distance(to: person.pose, at: time, settings) ?? .infinity : .infinity
        distances.append(distance < settings.distanceLimit ? distance : .infinity)
      }
    }
  }

  private func nearestPair(_ found: some RandomAccessCollection<DetectedPerson>) -> (track: Int, person: Int)? {
    var best: (track: Int, person: Int, distance: Float, score: Float)?
    for track in tracks.indices where followed[track] && people[track] == nil {
      for (person, detected) in found.enumerated() {
        let distance = distances[track * found.count + person]
        guard distance.isFinite, self.track(of: person) == nil else { continue }
        if let best, (distance, -detected.score) >= (best.distance, -best.score) { continue }
        best = (track, person, distance, detected.score)
      }
    }
    return best.map { ($0.track, $0.person) }
  }

  private mutating func take(
    _ found: some RandomAccessCollection<DetectedPerson>, _ person: Int, as track: Int, at time: Microseconds
  ) {
    people[track] = person
    tracks[track].follow(found[found.index(found.startIndex, offsetBy: person)].pose, at: time, settings)
  }
}

/// The last position and velocity of a person, to recognise them in the next frame.
struct TrackedPose: Sendable {
  /// The time at which the person was last seen.
  private(set) var time = Microseconds.zero
  /// The joints' positions in image heights; NaN if not seen.
  private var places = [SIMD2<Float>](repeating: unseen, count: Joint.count)
  /// The velocity in image heights a second.
  private var velocity = SIMD2<Float>.zero
  /// The trunk's length, in image heights; NaN before it was known.
  private var trunk = Float.nan

  private static let unseen = SIMD2<Float>(repeating: .nan)
  /// The fewest common joints of poses that can be compared.
  private static let fewestJoints = 3
  /// The trunk's share of stature (Drillis and Contini 1966).
  private static let trunkOfStature: Float = 0.288

  mutating func forget() {
    for index in places.indices { places[index] = Self.unseen }
    velocity = .zero
    trunk = .nan
  }

  /// Continues the track with the pose.
  mutating func follow(_ pose: PoseFrame, at now: Microseconds, _ settings: SubjectSelection.Settings) {
    let seconds = Float((now - time).seconds)
    var moved = SIMD2<Float>.zero
    var count: Float = 0
    for joint in Joint.allCases {
      let place = Self.place(joint, pose, above: settings.minimumConfidence)
      let before = places[joint.index]
      if before.x.isFinite && place.x.isFinite {
        moved += place - before
        count += 1
      }
      places[joint.index] = place
    }
    velocity = count > 0 && seconds > 0 && now - time <= settings.longestPrediction ? moved / (count * seconds) : .zero
    time = now
    let length = Self.size(of: pose, above: settings.minimumConfidence)
    if length > 0 { trunk = length }
  }

  /// The mean distance of the common joints from their predicted positions, in trunk lengths; `nil` if there are too
  /// few.
  func distance(to pose: PoseFrame, at now: Microseconds, _ settings: SubjectSelection.Settings) -> Float? {
    let shift = velocity * Float(min(now - time, settings.longestPrediction).seconds)
    var sum: Float = 0
    var count = 0
    for joint in Joint.allCases {
      let apart = Self.place(joint, pose, above: settings.minimumConfidence) - places[joint.index] - shift
      guard apart.x.isFinite && apart.y.isFinite else { continue }
      sum += (apart * apart).sum().squareRoot()
      count += 1
    }
    guard count >= Self.fewestJoints, trunk > 0 else { return nil }
    return sum / (Float(count) * trunk)
  }

  /// The trunk's length from neck to root; if one is not seen, an estimate from the height of the visible joints.
  static func size(of pose: PoseFrame, above confidence: Float) -> Float {
    let trunk = place(.neck, pose, above: confidence) - place(.root, pose, above: confidence)
    let length = (trunk * trunk).sum().squareRoot()
    guard !(length > 0) else { return length }
    var low = SIMD2<Float>(repeating: .infinity)
    var high = SIMD2<Float>(repeating: -.infinity)
    for joint in Joint.allCases {
      let point = place(joint, pose, above: confidence)
      guard point.x.isFinite else { continue }
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let reach = high - low
    guard reach.x.isFinite && reach.x >= 0 else { return 0 }
    return (reach * reach).sum().squareRoot() * trunkOfStature
  }

  private static func place(_ joint: Joint, _ pose: PoseFrame, above confidence: Float) -> SIMD2<Float> {
    guard pose[joint, .confidence] > confidence else { return unseen }
    let place = SIMD2(pose[joint, .x], pose[joint, .y])
    return place.x.isFinite && place.y.isFinite ? place : unseen
  }
}
