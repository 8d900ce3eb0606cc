/// The people who are followed from frame to frame, each by itself.
struct PersonTracks: Sendable {
  /// As many as tfjs-models' pose-detection follows (`maxTracks`); whoever comes when all are taken is not followed.
  private static let limit = 18

  private let settings: SubjectSelection.Settings
  private var tracks = [TrackedPose](repeating: TrackedPose(), count: limit)
  private var followed = [Bool](repeating: false, count: limit)
  /// The person of the last frame that a track was seen in.
  private var people = [Int?](repeating: nil, count: limit)
  /// By track, then person of the last frame: how far apart they are, infinite where they cannot be the same.
  private var distances: [Float] = []

  init(_ settings: SubjectSelection.Settings) { self.settings = settings }

  /// Whether the track still waits for its person.
  func isFollowed(_ track: Int) -> Bool { followed[track] }

  /// Where the track's person stands among those of the last frame.
  func person(of track: Int) -> Int? { people[track] }

  /// The track of one of the last frame's people.
  func track(of person: Int) -> Int? { people.firstIndex(of: person) }

  /// Finds everyone again, gives up those out of sight for longer than the patience, and begins to follow the others.
  mutating func update(_ found: some RandomAccessCollection<DetectedPerson>, at time: Microseconds) {
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
