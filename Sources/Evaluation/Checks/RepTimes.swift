import Datasets
import PoseModel

/// Reps that overlap, are empty or turn outside of themselves: matched one to one, they can't be.
struct RepTimes: DatasetCheck {
  let name = "rep-times"
  let title = "reps overlap or are empty"
  let threshold = "any: a rep ends after it starts, turns in between, and starts no sooner than the one before ends"
  let remedy = "correct the times in reps.csv, or take a rep out that there isn't"

  func findings(in clip: CheckedClip) -> [Finding] {
    let reps = clip.clip.labels.reps ?? []
    let places = clip.places.reps
    return reps.indices.compactMap { index in
      let rep = reps[index]
      func problem(_ text: String) -> Finding {
        finding(
          .problem, in: clip.name, from: rep.start.seconds, to: rep.end.seconds,
          at: places.indices.contains(index) ? places[index] : nil, weight: 1, "rep \(index + 1) \(text)")
      }
      if rep.end == rep.start { return problem("is empty") }
      if rep.end < rep.start { return problem("ends before it starts") }
      if let turn = rep.turn, turn < rep.start || turn > rep.end {
        return problem("turns outside of itself, at \(turn.seconds.rounded(toDecimals: 3)) s")
      }
      if index > 0, rep.start < reps[index - 1].end {
        return problem("starts before rep \(index) ends, at \(reps[index - 1].end.seconds.rounded(toDecimals: 3)) s")
      }
      return nil
    }
  }
}
