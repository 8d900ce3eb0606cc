import Evaluation
import Statistics

/// Every detector on recorded people, as the page `docs/people.md`.
public struct PeopleText: Sendable {
  public let study: PeopleStudy

  public init(_ study: PeopleStudy) { self.study = study }

  /// The agreement of generated with recorded people, in a sentence.
  public var finding: String {
    guard let agreement = study.agreement else {
      return "Too few detectors are scored on both generated and recorded people to compare their ranks."
    }
    let range = NumberText.interval(agreement.interval, unit: "").map { " (95 % \($0) over people)" } ?? ""
    let words =
      switch agreement.interval {
      case let interval? where interval.low > 0: "Generated people rank counters like recorded ones, not alike"
      case let interval? where interval.high < 0: "Generated people rank counters the other way round"
      default: "It is not shown that generated people rank counters as recorded ones do"
      }
    return "\(words): rank correlation \(NumberText.value(agreement.correlation, unit: ""))\(range), "
      + "\(agreement.pairs) pairs of a counter with a set, \(agreement.sets) sets."
  }

  private static let titles = ["Counts and phantoms", "Judgements of form", "Strokes"]

  public var markdown: String {
    var lines = [
      "# Detectors on recorded people", "",
      "Claims about people are made here and nowhere else. Written by `bench people --output docs/people.md`; the "
        + "recordings are the [public sets](public-sets.md), which are not shipped. Sets in space are also projected to "
        + "the image of a camera in front (`-front`) and at the side (`-side`). `-sample` is generated data, not real "
        + "people.", "", finding, "",
    ]
    if !study.absent.isEmpty { lines += ["Not in the store: \(study.absent.joined(separator: ", ")).", ""] }
    for (title, board) in zip(Self.titles, study.boards) where !board.sections.isEmpty {
      lines += ["## \(title)", ""]
      lines += LeaderboardText(board).tables.map { $0.hasPrefix("## ") ? "#" + $0 : $0 }
    }
    guard let text = study.boards.first.map(LeaderboardText.init) else { return lines.joined(separator: "\n") }
    lines += [
      text.method,
      "",
      "Phantoms are reps counted per minute of clips of the set's other exercises, and for generated people of "
        + "negatives-sample; counters for any exercise are right to count other exercises. Reps match by turning points where people pause between them.",
      "",
    ]
    let trained = Set(study.boards.flatMap { LeaderboardText($0).caveats }.filter { !$0.hasPrefix("SYNTHETIC") })
    for caveat in trained.sorted() { lines += ["> \(caveat)", ""] }
    return lines.joined(separator: "\n")
  }
}
