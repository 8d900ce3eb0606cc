import Datasets
import PoseModel

/// Labels of what the recording does not show.
struct LabelBounds: DatasetCheck {
  let name = "label-bounds"
  let title = "labels lie outside of the clip, or are of what there isn't"
  let threshold =
    "any: from one frame before the first frame to one after the last; empty intervals; grades and faults of reps that there aren't"
  let remedy = "correct the labels, or the times of the poses they were made on"

  func findings(in clip: CheckedClip) -> [Finding] {
    let labels = clip.clip.labels
    let places = clip.places
    var found: [Finding] = []
    for (index, interval) in labels.intervals.enumerated() where interval.end <= interval.start {
      found.append(
        finding(
          .problem, in: clip.name, from: interval.start.seconds, to: interval.end.seconds,
          at: Self.place(places.intervals, index), weight: 1, "interval \(interval.label) is empty"))
    }
    if let times = clip.clip.keypoints?.times, let first = times.first, let last = times.last {
      let frame = Microseconds(frame: 1, rate: clip.clip.info.fps)
      func look(_ start: Microseconds, _ end: Microseconds, _ place: FilePlace?, _ what: String) {
        let beyond = max((first - frame - start).seconds, (end - last - frame).seconds)
        guard beyond > 0 else { return }
        found.append(
          finding(
            .problem, in: clip.name, from: start.seconds, to: end.seconds, at: place, weight: beyond,
            "\(what) is \(beyond.rounded(toDecimals: 2)) s outside of "
              + "\(first.seconds.rounded(toDecimals: 2))…\(last.seconds.rounded(toDecimals: 2)) s"))
      }
      for (index, rep) in (labels.reps ?? []).enumerated() {
        look(rep.start, rep.end, Self.place(places.reps, index), "rep \(index + 1)")
      }
      for (index, event) in labels.events.enumerated() {
        look(event.time, event.time, Self.place(places.events, index), "event \(event.label)")
      }
      for (index, interval) in labels.intervals.enumerated() {
        look(interval.start, interval.end, Self.place(places.intervals, index), "interval \(interval.label)")
      }
    }
    return found + unknownReps(clip)
  }

  /// The first row of each rep that is rated and isn't there.
  private func unknownReps(_ clip: CheckedClip) -> [Finding] {
    let labels = clip.clip.labels
    let count = labels.repCount ?? 0
    var places: [Int: FilePlace?] = [:]
    for (index, fault) in labels.faults.enumerated().reversed() {
      if let rep = fault.rep { places[rep] = Self.place(clip.places.faults, index) }
    }
    for (index, grade) in labels.grades.enumerated().reversed() {
      if let rep = grade.rep { places[rep] = Self.place(clip.places.grades, index) }
    }
    return places.keys.filter { $0 >= count }.sorted().map { rep in
      finding(
        .problem, in: clip.name, at: places[rep] ?? nil, weight: 1,
        "rep \(rep + 1) is rated, of " + (count == 0 ? "none that are marked or counted" : "\(count)"))
    }
  }

  private static func place(_ places: [FilePlace], _ index: Int) -> FilePlace? {
    places.indices.contains(index) ? places[index] : nil
  }
}
