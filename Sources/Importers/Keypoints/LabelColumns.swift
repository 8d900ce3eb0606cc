import PoseModel

/// Columns of a table of keypoints that label its frames, as `--labels` names them: numbers of reps become reps, other
/// values intervals.
enum LabelColumns {
  /// Whether a column's name says that it labels frames.
  static func isLabel(_ name: String) -> Bool {
    let plain = FrameKey.plain(name)
    return names.contains(plain) || isRep(plain) || JointName.words(name).last.map(kinds.contains) ?? false
  }

  /// Words at the end of a label's name: `pose_label`, `squat_phase`.
  private static let kinds: Set = ["label", "class", "phase", "stage"]

  private static let names: Set = [
    "label", "labels", "class", "classname", "phase", "stage", "action", "activity", "state", "target", "annotation",
    "fault", "faults", "error", "mistake", "form", "posture", "movement", "exercise", "swingphase", "exercisephase",
  ]

  private static func isRep(_ plain: String) -> Bool {
    ["rep", "repid", "repno", "repnum", "repnumber", "repindex", "repidx", "repetition"].contains(plain)
  }

  /// The labels of a clip. Frames of the same value in a row are one label, which ends where the next value begins, or
  /// at the last frame.
  ///
  /// - Parameters:
  ///   - names: The columns.
  ///   - frames: The time of each frame with its values, one a column, in order of time.
  /// - Returns: Them, with remarks on what was decided.
  static func labels(
    _ names: [String], of frames: [(time: Microseconds, values: [String])]
  ) -> (labels: GroundTruth, remarks: [String]) {
    var truth = GroundTruth()
    var remarks: [String] = []
    for (column, name) in names.enumerated() {
      let areReps = isRep(FrameKey.plain(name))
      var segments: [Segment] = []
      var start = 0
      for place in frames.indices.dropFirst() {
        let value = frames[start].values[column]
        guard frames[place].values[column] != value || place == frames.count - 1 else { continue }
        segments.append(Segment(start: frames[start].time, end: frames[place].time, label: value))
        start = place
      }
      let kept = segments.filter { !isNothing($0.label) && !(areReps && isZero($0.label)) }
      if areReps {
        truth.reps = kept.map { Rep(start: $0.start, end: $0.end) }
        truth.repCount = kept.count
        if segments.contains(where: { isZero($0.label) }) {
          remarks.append("\(name) 0 is read as no rep")
        }
      } else {
        truth.intervals += kept
      }
      remarks.append("\(name): \(kept.count) \(areReps ? "reps" : "intervals")")
    }
    truth.intervals.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    return (truth, remarks)
  }

  private static func isNothing(_ value: String) -> Bool {
    ["", "nan", "none", "null", "na", "-"].contains(value.lowercased())
  }

  private static func isZero(_ value: String) -> Bool { Double(value).map { $0 <= 0 } ?? false }
}
