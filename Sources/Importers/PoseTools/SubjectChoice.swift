import PoseModel

/// Which of the people in each frame of a recording is its subject.
///
/// Where a tool numbers people, each number once a frame, the subject is the number whose keypoints' confidences have the
/// greatest sum over all frames, the lowest number of equal ones. Otherwise people are followed by `SubjectSelection`, which
/// begins with the most confident one. Where no frame has more than one person, that person is the subject.
struct SubjectChoice {
  /// One a frame, by its place in the recording; `nil` where the subject is not there.
  let people: [Int?]
  let remarks: [String]

  init(_ recording: PoseRecording, timeline: FrameTimeline, coordinates: CoordinateSystem) {
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
    let several = "up to \(most) people in a frame, several in \(crowded) of \(byFrame.count)"
    if let track = Self.bestTrack(recording, byFrame: byFrame) {
      people = byFrame.map { frame in frame.first { recording.people[$0].track == track } }
      let seen = people.count { $0 != nil }
      remarks = ["\(several): the subject is number \(track), the surest in all, in \(seen) frames"]
      return
    }
    var selection = SubjectSelection()
    let system = Self.fixed(coordinates, recording)
    var chosen: [Int?] = []
    for (frame, candidates) in byFrame.enumerated() {
      let found = candidates.map { person in
        DetectedPerson(
          pose: PoseFrame(
            Array(recording.pose(person)), channels: recording.channels, at: times[frame],
            skeleton: recording.skeleton, coordinates: system))
      }
      chosen.append(selection.update(found, at: times[frame]).index.map { candidates[$0] })
    }
    people = chosen
    let counts = selection.counts
    remarks = [
      "\(several): the subject is the surest person and who is nearest from then on, in "
        + "\(counts.frames - counts.missing) frames, changed \(counts.changes) times"
    ]
  }

  /// The person of each frame; `nil` where a frame has several.
  private static func alone(_ recording: PoseRecording, _ timeline: FrameTimeline) -> [Int?]? {
    var people = [Int?](repeating: nil, count: timeline.times.count)
    for (index, person) in recording.people.enumerated() {
      guard let frame = timeline.index(person.frame) else { continue }
      guard people[frame] == nil else { return nil }
      people[frame] = index
    }
    return people
  }

  /// The tool's number of the subject; `nil` where people have none, or one twice in a frame.
  private static func bestTrack(_ recording: PoseRecording, byFrame: [[Int]]) -> Int? {
    var sums: [Int: Float] = [:]
    let confidence = recording.channels.firstIndex(of: .confidence)
    for frame in byFrame {
      var seen: Set<Int> = []
      for person in frame {
        guard let track = recording.people[person].track, seen.insert(track).inserted else { return nil }
        let pose = recording.pose(person)
        for keypoint in stride(from: pose.startIndex, to: pose.endIndex, by: recording.channels.count)
        where pose[keypoint].isFinite {
          let value = confidence.map { pose[keypoint + $0] } ?? 1
          if value.isFinite { sums[track, default: 0] += value }
        }
      }
    }
    return sums.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
  }

  /// The same coordinates with a size of their own, since people can't be followed where every frame is scaled by itself.
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
