/// Chooses, frame by frame, which of the people in the picture is the subject: the most confident one at first, then
/// whoever is nearest to where the subject was last seen.
///
/// - Everyone is followed: of all pairs of a followed person and one in the frame the nearest is the same person, then the
///   nearest of the rest, as long as they are nearer than `distanceLimit`; of equal distances the higher score, then who
///   was followed first, then the earlier in the list. So a subject that another person hides is not taken for that
///   person. The distance is the mean over the joints that both poses have, in lengths of the followed one's trunk, to
///   where they would be at the last velocity.
/// - While there is no subject, it becomes the person with the highest score of at least `minimumScore`; of equal scores
///   the larger person, then the earlier in the list.
/// - A frame in which nobody is the subject has none. After more than `patience` without, the subject is lost and the
///   choice begins anew.
///
/// The same frames always give the same choices.
public struct SubjectSelection: Sendable {
  public struct Settings: Hashable, Sendable {
    /// In trunk lengths. Two people side by side are a breadth of shoulders apart, 0.259 of stature, and a trunk is
    /// 0.288 (Drillis and Contini 1966, as in Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009,
    /// figure 4.1): 0.9.
    public var distanceLimit: Float = 0.9
    /// 1 s, the `maxAge` of a track in tfjs-models' pose-detection.
    public var patience = Microseconds(1_000_000)
    /// As MoveNet's own tracker: 0.25.
    public var minimumScore: Float = 0.25
    /// Joints at or below it are not compared; MoveNet's card recommends 0.3.
    public var minimumConfidence: Float = 0.3
    /// How long somebody out of sight is taken to keep their velocity: 0.25 s, about as long as it takes to turn round.
    public var longestPrediction = Microseconds(250_000)

    public init() {}
  }

  public enum Change: Hashable, Sendable {
    /// The first subject.
    case found
    /// The patience ran out and nobody else is there.
    case lost
    /// Another subject than the last one, or the same after it was lost.
    case changed
  }

  public struct Choice: Hashable, Sendable {
    /// Position of the subject among the frame's people; `nil` where it is not there.
    public var index: Int?
    public var change: Change?

    public init(index: Int? = nil, change: Change? = nil) {
      self.index = index
      self.change = change
    }
  }

  /// What became of all frames so far.
  public struct Counts: Hashable, Sendable {
    public var frames: Int
    /// Frames with more than one person.
    public var crowded: Int
    /// Frames without the subject.
    public var missing: Int
    /// Times that the patience ran out.
    public var losses: Int
    /// Times that another one, or the same after a loss, became the subject.
    public var changes: Int

    public init(frames: Int = 0, crowded: Int = 0, missing: Int = 0, losses: Int = 0, changes: Int = 0) {
      self.frames = frames
      self.crowded = crowded
      self.missing = missing
      self.losses = losses
      self.changes = changes
    }
  }

  public let settings: Settings
  public private(set) var counts = Counts()
  private var tracks: PersonTracks
  /// The track of the subject.
  private var subject: Int?
  private var hadSubject = false

  public init(_ settings: Settings = Settings()) {
    self.settings = settings
    tracks = PersonTracks(settings)
  }

  /// Takes the next frame's people. Does not allocate once it has seen as many people in a frame.
  ///
  /// - Parameter time: later than every time before it.
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
