import PoseModel

/// What must hold of a clip's poses, and of its labels beside them, when they are read and when they are written.
struct ClipCheck {
  let manifest: Manifest
  let skeleton: Skeleton
  /// What errors call a file of the folder.
  let path: (String) -> String

  /// - Throws: `DataError` of the poses, or of the labels beside them.
  func check(_ clip: Clip, posesFile: String) throws {
    try checkPoses(clip, posesFile: posesFile)
    try checkLabels(clip)
  }

  /// - Throws: `DataError` where there is no frame, times do not grow from 0, a value is infinite, or the keypoints are not
  ///   those of the manifest.
  func checkPoses(_ clip: Clip, posesFile: String) throws {
    guard let keypoints = clip.keypoints else { return }
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: posesFile, clip: clip.info.name, expected: expected, found: found)
    }
    guard keypoints.keypointCount == skeleton.keypoints.count else {
      throw failure("\(skeleton.keypoints.count) keypoints (\(skeleton.name))", "\(keypoints.keypointCount)")
    }
    guard keypoints.channels == manifest.channels else {
      throw failure(
        "channels \(manifest.channels.map(\.name).joined(separator: ", "))",
        keypoints.channels.map(\.name).joined(separator: ", "))
    }
    guard let first = keypoints.times.first else { throw failure("at least one frame", "none") }
    guard first >= .zero else { throw failure("times from 0", "\(first.decimalSeconds) s") }
    for (earlier, later) in zip(keypoints.times, keypoints.times.dropFirst()) where later <= earlier {
      throw failure("a time after \(earlier.decimalSeconds) s", "\(later.decimalSeconds) s")
    }
    for (earlier, later) in zip(keypoints.times, keypoints.times.dropFirst())
    where later - earlier > ClipSize.longestPause {
      throw failure("a time at most an hour after \(earlier.decimalSeconds) s", "\(later.decimalSeconds) s")
    }
    if let place = keypoints.values.firstInfinity {
      let (column, frame) = place.quotientAndRemainder(dividingBy: keypoints.frameCount)
      let (keypoint, channel) = column.quotientAndRemainder(dividingBy: keypoints.channels.count)
      throw failure(
        "numbers or NaN",
        "an infinity in frame \(frame), \(skeleton.keypoints[keypoint]) \(keypoints.channels[channel].name)")
    }
  }

  /// - Parameter places: where the labels stand; errors then name the line.
  /// - Throws: `DataError` where a label ends more than a frame after the last one.
  func checkLabels(_ clip: Clip, places: LabelPlaces = LabelPlaces()) throws {
    guard let last = clip.keypoints?.times.last else { return }
    let end = last + Microseconds(frame: 1, rate: clip.info.fps)
    func check(
      _ time: Microseconds, _ kind: DatasetFile, _ places: [FilePlace], _ index: Int, _ what: @autoclosure () -> String
    ) throws {
      guard time > end else { return }
      let line = places.indices.contains(index) ? places[index].line : nil
      throw DataError(
        file: path(kind.rawValue), line: line, clip: clip.info.name,
        expected: "\(what()) by \(end.decimalSeconds) s, when the clip ends", found: "\(time.decimalSeconds) s")
    }
    for (index, rep) in (clip.labels.reps ?? []).enumerated() {
      try check(rep.end, .reps, places.reps, index, "rep \(index + 1) to end")
    }
    for (index, event) in clip.labels.events.enumerated() {
      try check(event.time, .events, places.events, index, "event \(Excerpt.of(event.label))")
    }
    for (index, interval) in clip.labels.intervals.enumerated() {
      try check(
        interval.end, .intervals, places.intervals, index, "interval \(Excerpt.of(interval.label)) to end")
    }
  }
}
