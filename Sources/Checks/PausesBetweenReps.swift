import Pipeline
import PoseModel

/// Finds reps whose labelled ends lie in pauses, where nobody can agree on an end.
struct PausesBetweenReps: DatasetCheck {
  let name = "rep-pauses"
  let title = "people pause between reps: a label and a detector end them differently"
  let threshold = """
    a median pause above 0.5 s, the usual tolerance of ends: the time between labelled reps or, where one label follows \
    another at once, the time within 15 % of the rep's range from the pose at the end
    """
  let remedy = "match reps by turning points: set matching: { turn: inside } in the suite, as bench init does"

  private static let tolerance = Microseconds(500_000)

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let all = dataset.members.map(\.pauses)
    let pauses = all.reduce(RepPauses(), +)
    guard pauses.exceed(Self.tolerance), let median = pauses.median else { return [] }
    let long = pauses.seconds.count { $0 > Self.tolerance.seconds }
    return [
      finding(
        .note, weight: median,
        "people pause for \(median.rounded(toDecimals: 1)) s (median) around the labelled end of a rep; longer than "
          + "0.5 s at \(long) of \(pauses.seconds.count) ends")
    ]
  }
}
