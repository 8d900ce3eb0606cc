import Datasets
import Evaluation
import Pipeline
import PoseModel
import Scoring

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

  /// How many reps a counter finds in a clip, and how many of them it ends within the tolerance of the label.
  struct Ends: Sendable {
    var matched = 0
    var same = 0

    init() {}

    /// By the counter of the clip's exercise; nothing without one.
    init(_ clip: Clip, in poses: PoseSequence) {
      guard let reps = clip.labels.reps, !reps.isEmpty, let counter = PausesBetweenReps.counters[clip.info.exercise]
      else { return }
      let found = counter.reps(in: poses)
      for pair in RepMatching.turnInside.pairs(truth: reps, predicted: found) {
        matched += 1
        if (found[pair.predicted].end - reps[pair.truth].end).magnitude <= tolerance { same += 1 }
      }
    }
  }

  /// The exercises' own counters at their defaults.
  private static let counters: [String: DetectorSetting] = {
    let rules = (try? BuiltInExercises.exercises).map { DetectorRegistry($0).detectors } ?? []
    let counters = rules.filter(\.profile.tasks.counts).compactMap { try? DetectorSetting($0) }
    return Dictionary(counters.map { ($0.profile.exercise, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let all = dataset.members.map(\.pauses)
    let pauses = all.reduce(RepPauses(), +)
    guard pauses.exceed(Self.tolerance), let median = pauses.median else { return [] }
    let long = pauses.seconds.count { $0 > Self.tolerance.seconds }
    let (matched, same) = dataset.members.reduce(into: (0, 0)) { $0 = ($0.0 + $1.ends.matched, $0.1 + $1.ends.same) }
    let convention =
      matched > 0
      ? "; the exercise's counter ends \(matched - same) of \(matched) reps more than 0.5 s from the label" : ""
    return [
      finding(
        .note, weight: median,
        "people pause for \(median.rounded(toDecimals: 1)) s (median) around the labelled end of a rep; longer than "
          + "0.5 s at \(long) of \(pauses.seconds.count) ends\(convention)")
    ]
  }
}
