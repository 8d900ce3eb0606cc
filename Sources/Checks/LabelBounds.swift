import Datasets
import Files
import PoseModel

/// Finds reps that overlap, are empty, or turn before they start or after they end: such reps cannot be matched one to
/// one.
struct RepTimes: DatasetCheck {
  let name = "rep-times"
  let title = "reps overlap or are empty"
  let threshold = "any: a rep must end after it starts, turn in between, and start no earlier than the last one ends"
  let remedy = "correct the times in reps.csv, or delete a rep that does not exist"

  func findings(in clip: CheckedClip) -> [Finding] {
    let reps = clip.clip.labels.reps ?? []
    let locations = clip.locations.reps
    return reps.indices.compactMap { index in
      let rep = reps[index]
      func problem(_ text: String) -> Finding {
        finding(
          .problem, in: clip.name, from: rep.start.seconds, to: rep.end.seconds,
          at: locations.indices.contains(index) ? locations[index] : nil, weight: 1, "rep \(index + 1) \(text)")
      }
      if rep.end == rep.start { return problem("is empty") }
      if rep.end < rep.start { return problem("ends before it starts") }
      if let turn = rep.turn, turn < rep.start || turn > rep.end {
        return problem("turns before its start or after its end, at \(turn.seconds.rounded(toDecimals: 3)) s")
      }
      if index > 0, rep.start < reps[index - 1].end {
        return problem("starts before rep \(index) ends, at \(reps[index - 1].end.seconds.rounded(toDecimals: 3)) s")
      }
      return nil
    }
  }
}

/// Finds labels of something that the recording does not contain.
struct LabelBounds: DatasetCheck {
  let name = "label-bounds"
  let title = "labels lie outside the clip, or name a rep that does not exist"
  let threshold =
    "any: from one frame before the first frame to one after the last; empty intervals; grades and faults of reps that do not exist"
  let remedy = "correct the labels, or the times of the poses that were labelled"

  func findings(in clip: CheckedClip) -> [Finding] {
    let labels = clip.clip.labels
    let locations = clip.locations
    var found: [Finding] = []
    for (index, interval) in labels.intervals.enumerated() where interval.end <= interval.start {
      found.append(
        finding(
          .problem, in: clip.name, from: interval.start.seconds, to: interval.end.seconds,
          at: Self.location(locations.intervals, index), weight: 1, "interval \(interval.label) is empty"))
    }
    if let times = clip.clip.keypoints?.times, let first = times.first, let last = times.last {
      let frame = Microseconds(frame: 1, rate: clip.clip.info.fps)
      func look(_ start: Microseconds, _ end: Microseconds, _ place: FileLocation?, _ what: String) {
        let beyond = max((first - frame - start).seconds, (end - last - frame).seconds)
        guard beyond > 0 else { return }
        found.append(
          finding(
            .problem, in: clip.name, from: start.seconds, to: end.seconds, at: place, weight: beyond,
            "\(what) is \(beyond.rounded(toDecimals: 2)) s outside "
              + "\(first.seconds.rounded(toDecimals: 2))…\(last.seconds.rounded(toDecimals: 2)) s"))
      }
      for (index, rep) in (labels.reps ?? []).enumerated() {
        look(rep.start, rep.end, Self.location(locations.reps, index), "rep \(index + 1)")
      }
      for (index, event) in labels.events.enumerated() {
        look(event.time, event.time, Self.location(locations.events, index), "event \(event.label)")
      }
      for (index, interval) in labels.intervals.enumerated() {
        look(interval.start, interval.end, Self.location(locations.intervals, index), "interval \(interval.label)")
      }
    }
    return found + unknownReps(clip)
  }

  /// The first row of each rated rep that does not exist.
  private func unknownReps(_ clip: CheckedClip) -> [Finding] {
    let labels = clip.clip.labels
    let count = labels.repCount ?? 0
    var locations: [Int: FileLocation?] = [:]
    for (index, fault) in labels.faults.enumerated().reversed() {
      if let rep = fault.rep { locations[rep] = Self.location(clip.locations.faults, index) }
    }
    for (index, grade) in labels.grades.enumerated().reversed() {
      if let rep = grade.rep { locations[rep] = Self.location(clip.locations.grades, index) }
    }
    return locations.keys.filter { $0 >= count }.sorted().map { rep in
      finding(
        .problem, in: clip.name, at: locations[rep] ?? nil, weight: 1,
        "rep \(rep + 1) is rated, but the clip has " + (count == 0 ? "none that are marked or counted" : "\(count)"))
    }
  }

  private static func location(_ locations: [FileLocation], _ index: Int) -> FileLocation? {
    locations.indices.contains(index) ? locations[index] : nil
  }
}
