import Datasets
import PoseModel

/// Labels of what the recording does not show.
struct LabelBounds: DatasetCheck {
  let name = "label-bounds"
  let title = "labels lie outside of the clip"
  let threshold =
    "any: from one frame before the first frame to one after the last; grades and faults of reps that there are"
  let remedy = "correct the labels, or the times of the poses they were made on"

  func findings(in clip: CheckedClip) -> [Finding] {
    let labels = clip.clip.labels
    var found: [Finding] = []
    if let times = clip.clip.keypoints?.times, let first = times.first, let last = times.last {
      let frame = Microseconds(frame: 1, rate: clip.clip.info.fps)
      func look(_ start: Microseconds, _ end: Microseconds, _ what: String) {
        let beyond = max((first - frame - start).seconds, (end - last - frame).seconds)
        guard beyond > 0 else { return }
        found.append(
          finding(
            .problem, in: clip.name, from: start.seconds, to: end.seconds, weight: beyond,
            "\(what) is \(beyond.rounded(toDecimals: 2)) s outside of "
              + "\(first.seconds.rounded(toDecimals: 2))…\(last.seconds.rounded(toDecimals: 2)) s"))
      }
      for (index, rep) in (labels.reps ?? []).enumerated() { look(rep.start, rep.end, "rep \(index + 1)") }
      for event in labels.events { look(event.time, event.time, "event \(event.label)") }
      for interval in labels.intervals { look(interval.start, interval.end, "interval \(interval.label)") }
    }
    if let count = labels.repCount {
      let unknown = Set((labels.grades.compactMap(\.rep) + labels.faults.compactMap(\.rep)).filter { $0 >= count })
      for rep in unknown.sorted() {
        found.append(finding(.problem, in: clip.name, weight: 1, "rep \(rep + 1) is graded, of \(count)"))
      }
    }
    return found
  }
}
