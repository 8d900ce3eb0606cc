import Coaching
import PoseModel
import Scoring
import Statistics

/// What speaks for and against a count where the times of the reps are not labelled.
package struct CountEvidence: Sendable {
  /// How far each counted rep went beyond its threshold, by its index; without those of which it is unknown.
  package private(set) var counted: [Int: RepReason] = [:]
  /// The turns that did not count, though they went at least half of the way from the signal's median to the threshold,
  /// and why; the farthest first.
  package private(set) var nearly: [(start: Microseconds, turn: Microseconds, end: Microseconds, reason: RepReason)] =
    []

  /// The counted reps that went least beyond their threshold first.
  package var narrow: [(rep: Int, reason: RepReason)] {
    func margin(_ reason: RepReason) -> Double { abs((reason.value ?? .infinity) - (reason.limit ?? 0)) }
    return counted.map { (rep: $0.key, reason: $0.value) }.sorted {
      (margin($0.reason), $0.rep) < (margin($1.reason), $1.rep)
    }
  }

  /// Of a wrong count the turns that nearly counted, or the reps that only just did: at most three, with a label each.
  ///
  /// `turn at 4.67 s: knee angle bottomed at 111°, needs < 90° (bottomAngle)`
  package func clues(counted count: Int, true truth: Int) -> [(label: String, words: String)] {
    guard count <= truth else {
      return narrow.prefix(Self.clueLimit).map { ("narrow", "detection \($0.rep + 1): \($0.reason.words)") }
    }
    guard count < truth else { return [] }
    guard !nearly.isEmpty else { return [("near", "no other movement goes half of the way to the threshold")] }
    return nearly.prefix(Self.clueLimit).map {
      ("near", "turn at \(NumberText.fixed($0.turn.seconds, decimals: 2)) s: \($0.reason.words)")
    }
  }

  private static let clueLimit = 3

  /// - Parameter predicted: The counted reps.
  /// - Returns: `nil` for a rule that does not say where a rep turns.
  package init?(_ predicted: [Rep], matching: RepMatching, _ trace: CountingTrace) {
    guard let step = trace.rule.steps.first(where: { $0.stage == .turn }) else { return nil }
    for (index, rep) in predicted.enumerated() { counted[index] = RepReasons.margin(of: rep, trace) }
    var isCounted = [Bool](repeating: false, count: trace.times.count)
    for rep in predicted { for frame in trace.frames(rep.start, rep.end) { isCounted[frame] = true } }
    let shares = Self.shares(of: step, in: trace)
    var turns: [Range<Int>] = []
    var first: Int?
    for frame in shares.indices {
      if let begun = first, isCounted[frame] || shares[frame] < Self.back {
        turns.append(begun..<frame)
        first = nil
      }
      if first == nil, !isCounted[frame], shares[frame] >= Self.near { first = frame }
    }
    if let first { turns.append(first..<shares.count) }
    var isTaken = isCounted
    for frame in turns.joined() { isTaken[frame] = true }
    // The flank of a counted rep is no turn of its own.
    turns.removeAll { turn in
      (turn.lowerBound > 0 && isCounted[turn.lowerBound - 1])
        || (turn.upperBound < isCounted.count && isCounted[turn.upperBound])
    }
    let around = turns.map { turn in
      let before = (0..<turn.lowerBound).last { isTaken[$0] } ?? 0
      let after = (turn.upperBound..<shares.count).first { isTaken[$0] } ?? shares.count - 1
      return Rep(
        start: trace.times[(before + turn.lowerBound) / 2], end: trace.times[(turn.upperBound - 1 + after) / 2])
    }
    let reasons = RepReasons(truth: around, predicted: predicted, pairs: [], matching: matching) { trace }
    let found = turns.enumerated().compactMap { index, turn -> (turn: Range<Int>, frame: Int, reason: RepReason)? in
      guard let frame = turn.filter({ shares[$0].isFinite }).max(by: { shares[$0] < shares[$1] }) else { return nil }
      return reasons.missed[index].map { (turn: turn, frame: frame, reason: $0) }
    }
    nearly = found.sorted { shares[$0.frame] > shares[$1.frame] }.map {
      (
        start: trace.times[$0.turn.lowerBound], turn: trace.times[$0.frame],
        end: trace.times[$0.turn.upperBound - 1], reason: $0.reason
      )
    }
  }

  /// The share of the way from the signal's median to the threshold that makes a turn, and the share below which it is
  /// over: a noisy signal wavers around either.
  private static let (near, back) = (0.5, 0.25)

  /// How much of the way from the signal's median to the threshold is gone at each frame; NaN if unknown.
  private static func shares(of step: CountingRule.Step, in trace: CountingTrace) -> [Double] {
    // Values are comparable within one choice of the signal only.
    func choice(_ frame: Int) -> Int { trace.levels.indices.contains(frame) ? trace.levels[frame].choice : 0 }
    let known = trace.values.indices.filter { trace.values[$0].isFinite }
    let medians = Dictionary(grouping: known, by: choice).mapValues { frames in
      Double(frames.map { trace.values[$0] }.sorted()[frames.count / 2])
    }
    return trace.values.indices.map { frame in
      let level = trace.level(of: step, at: frame)
      guard let median = medians[choice(frame)], step.isAbove ? level > median : level < median else { return .nan }
      return (Double(trace.values[frame]) - median) / (level - median)
    }
  }
}
