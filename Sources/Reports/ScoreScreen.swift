import Evaluation
import Pipeline
import Scoring
import Statistics

extension ExternalScore {
  /// The most missed reps that are shown.
  private static let shownReps = 10

  /// The score on one screen.
  ///
  /// - Parameter files: The files of the predictions.
  public func screen(of files: [String]) -> [TextBlock] {
    let people = NumberText.count(Set(clips.map(\.subject)).count, "person")
    let size = "\(NumberText.count(clips.count, "clip")) of \(people)"
    let parts: [[TextBlock]] = [
      Conclusion(finding).blocks, [.gap, .line("\(files.joined(separator: ", ")): \(size)")], data,
      [.gap, .columns(table)], missedReps,
    ]
    return parts.flatMap(\.self)
  }

  private var finding: String {
    guard detector.counts, let own = RightCounts(clips.map(\.countError)) else {
      let pce = metrics.first { $0.metric == Metric.percentageOfCorrectEvents.name && $0.value != nil }
      let clips = NumberText.count(clips.count, "clip")
      guard let known = pce ?? metrics.first(where: { $0.value != nil }) else {
        return "\(clips) predicted, none scored: no clip has a label for these predictions."
      }
      let name = Metric.plainName(of: known.metric)
      return "\(name.prefix(1).uppercased())\(name.dropFirst()): \(NumberText.quantity(known.value, unit: known.unit)) "
        + "on \(clips)."
    }
    return "Counts \(own.words)."
  }

  /// Where the labels come from, and clips without a prediction.
  private var data: [TextBlock] {
    var blocks: [TextBlock] = []
    if clipsFromFile > 0 {
      blocks.append(.line("true counts of \(clipsFromFile) clips from the file's own true_count"))
    }
    if !unpredicted.isEmpty {
      let names = unpredicted.prefix(5).joined(separator: ", ") + (unpredicted.count > 5 ? ", …" : "")
      let clips = "\(NumberText.count(unpredicted.count, "clip")) without a prediction"
      let verb = unpredicted.count == 1 ? "is" : "are"
      let score = detector.counts ? "zero reps" : "if nothing was found"
      blocks.append(.line("\(clips) \(verb) scored as \(score): \(names)"))
    }
    if let matchingNote { blocks.append(.words(matchingNote)) }
    return blocks
  }

  private var table: TextTable {
    let rows = metrics.map { metric -> [String] in
      let name = [Metric.plainName(of: metric.metric), metric.unit].filter { !$0.isEmpty }.joined(separator: ", ")
      // A value over all clips together uses clips without a value of their own.
      let isUndefined = metric.undefinedClips > 0 && metric.isPooled != true
      let undefined = isUndefined ? " (\(NumberText.count(metric.undefinedClips, "clip")) n/a)" : ""
      let value = metric.value.map { NumberText.fixed($0, decimals: 4) } ?? "n/a"
      return [metric.metric, value, NumberText.interval(metric), name + undefined]
    }
    return TextTable([["metric", "value", "95 % interval", ""]] + rows, right: [1, 2])
  }

  /// Those that were nearly matched first.
  private var missedReps: [TextBlock] {
    guard !missed.isEmpty else { return [] }
    let sorted = missed.sorted { ($0.rep.reason.cause == .offset ? 0 : 1) < ($1.rep.reason.cause == .offset ? 0 : 1) }
    let shown = sorted.prefix(Self.shownReps).map { clip, missed in
      TextBlock.fact("missed", "\(clip), rep \(missed.rep + 1): \(missed.reason.words)")
    }
    let others = missed.count - shown.count
    return [TextBlock.gap] + shown + (others > 0 ? [TextBlock.fact("", "and \(others) more")] : [])
  }
}
