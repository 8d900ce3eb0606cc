import Charts
import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Reports
import Scoring
import Statistics

/// A detector's predictions on one clip, and which of them are right, on one screen.
struct ReplayScreen {
  let clip: ReplayedClip
  let plan: ReplayPlan
  /// What mends the clip, and the number of mistakes that it does not mend; `nil` if not asked for.
  let fixes: (shown: [ParameterFix], others: Int)?
  private let evidence: CountEvidence?

  init(_ clip: ReplayedClip, by plan: ReplayPlan, fixes: (shown: [ParameterFix], others: Int)?) {
    (self.clip, self.plan, self.fixes) = (clip, plan, fixes)
    evidence = clip.countEvidence
  }

  var blocks: [TextBlock] {
    let result = clip.result
    let origin = clip.manifest.origin == .synthetic ? "SYNTHETIC, " : ""
    let about =
      "\(origin)\(result.exercise), \(result.frames) frames at \(NumberText.plain(result.fps)) fps, true count "
      + (result.trueCount.map(String.init) ?? "unknown")
    let parts: [[TextBlock]] = [
      clip.conclusion.blocks, reasons, fixes.map { mending($0.shown, others: $0.others) } ?? [],
      [.gap, .labelled("\(result.id): ", TonedText(about), indent: 2), .line(TonedText(rule))], confidence, reps,
      strokes, [.gap], events,
    ]
    return parts.flatMap(\.self)
  }

  private var events: [TextBlock] {
    let events = clip.timeline.events.sorted { $0.reported < $1.reported }
    guard !events.isEmpty else { return [.line("\(clip.setting.name) has no prediction for this clip")] }
    let rows = events.map { event -> [String] in
      let (kind, words) = event.words
      return [seconds(event.reported.seconds) + " s", kind, words]
    }
    return [.line("events, by the time of their report:"), Self.table(rows, right: [0])]
  }

  private static func table(_ rows: [[String]], right: Set<Int>) -> TextBlock {
    .columns(TextTable(rows.map { TextTable.Row($0) }, right: right, indent: 2))
  }

  /// Why reps and strokes were missed, and detections are false.
  private var reasons: [TextBlock] {
    let isJudgedOnly = clip.strokes == nil && clip.outcome?.reps == nil
    let missed = (clip.outcome?.missed ?? []).map { (rep: $0.rep, reason: $0.reason) }
    var wrong: [(rep: Int, reason: RepReason)] = []
    for (index, rep) in (clip.outcome?.reps ?? []).enumerated() {
      if let reason = rep.reason { wrong.append((rep: index, reason: reason)) }
    }
    for (index, reason) in (clip.strokeReasons?.wrong ?? [:]).sorted(by: { $0.key < $1.key }) {
      wrong.append((rep: index, reason: reason))
    }
    return Self.facts(
      "missed", missed, of: clip.strokes == nil ? "rep" : "stroke", state: isJudgedOnly ? " not judged" : "")
      + misnamed + misjudged + countClues + Self.facts("invented", wrong, of: "detection")
  }

  /// Each reason, or of many one of each cause: what follows stays on the screen.
  private static func facts(
    _ label: String, _ reasons: [(rep: Int, reason: RepReason)], of noun: String, state: String = ""
  ) -> [TextBlock] {
    guard reasons.count > mostFacts else {
      return reasons.map { TextBlock.fact(label, "\(noun) \($0.rep + 1)\(state): \($0.reason.words)") }
    }
    return RepReason.groups(reasons, of: noun, state: state).map { TextBlock.fact(label, $0.words) }
  }

  private static let mostFacts = 5

  /// The strokes that were found and named otherwise than labelled.
  private var misnamed: [TextBlock] {
    let all = clip.misnamedStrokes.map { stroke in
      var reason = stroke.reason
      reason.words = "labelled \(stroke.label), \(reason.words)"
      return (rep: stroke.truth, reason: reason)
    }
    return Self.facts("misnamed", all, of: "stroke")
  }

  /// What explains a wrong count of reps whose times are not labelled.
  private var countClues: [TextBlock] {
    guard let evidence, let truth = clip.result.trueCount, let count = clip.outcome?.count else { return [] }
    return evidence.clues(counted: count, true: truth).map { .fact($0.label, $0.words) }
  }

  /// The reps that a detector that counts nothing judged otherwise than people.
  private var misjudged: [TextBlock] {
    let all = clip.misjudgedSentences
    let rest = all.count - Self.mostFacts
    return all.prefix(Self.mostFacts).map { TextBlock.fact("wrong", $0) }
      + (rest > 0 ? [TextBlock.fact("wrong", "\(rest) more")] : [])
  }

  /// What would mend the clip, and at which cost.
  private func mending(_ fixes: [ParameterFix], others: Int) -> [TextBlock] {
    let sentences = fixes.flatMap { fix -> [String] in
      guard let subject = fix.subject else { return fix.sentences }
      return fix.sentences.prefix(1).map { "\(subject): \($0)" }
    }
    let blocks = (fixes.isEmpty ? ["none needed: nothing is missed, misnamed or invented"] : sentences)
      .map { TextBlock.fact("fix", $0) }
    let rest =
      others > 0 ? [TextBlock.line("\(NumberText.count(others, "more mistake")): see the player, by --html FILE")] : []
    guard let best = fixes.first?.changes.first else { return blocks + rest }
    let suite = plan.suite.map { " --suite \($0.name)" } ?? ""
    let set = "--set \(clip.setting.profile.path).\(best.parameter.name)=\(NumberText.plain(best.after))"
    let step = Conclusion.Step("one clip chose it; see what it does to all:", "bench compare\(suite) \(set)")
    return blocks + rest + [.step(step)]
  }

  /// How the clip was replayed and matched.
  private var rule: String {
    let matching = clip.matching
    let rule =
      if clip.setting.profile.kind == .swing, let tolerance = matching.tolerance {
        "strokes match within \(NumberText.plain(tolerance.seconds)) s of their contact"
      } else {
        "reps match \(matching.words("their"))"
      }
    return "\(plan.suite.map { "suite \($0.name)" } ?? "no suite"): \(rule)"
      + (plan.smoothing.map { ", smoothing \($0)" } ?? "")
  }

  /// The confidence of the count, and the evidence against it.
  private var confidence: [TextBlock] {
    guard let confidence = clip.outcome?.countConfidence else { return [] }
    let abstains = confidence < CountConfidence.threshold ? ": the detector abstains" : ""
    let words = "\(NumberText.fixed(confidence, decimals: 2)) that the count is off by one at most\(abstains)"
    let doubts = clip.doubts?.words ?? []
    let evidence = doubts.isEmpty ? "" : "; doubts: \(doubts.joined(separator: ", "))"
    return [.labelled("confidence ", TonedText(words + evidence), indent: 2)]
  }

  private var reps: [TextBlock] {
    guard let found = FoundReps(clip) else { return [] }
    guard let marked = found.marked else {
      guard !clip.labels.hasNegativeTime else { return phantoms }
      guard clip.result.trueCount == nil else {
        let margins = (evidence?.counted ?? [:]).sorted { $0.key < $1.key }.map { index, reason in
          TextBlock.fact("counted", "detection \(index + 1): \(reason.words)")
        }
        return [.line("reps: not compared, as their times are not labelled")] + margins
      }
      return [.line("reps: not compared, as they are not labelled"), .step(labelling)]
    }
    func row(_ side: String, _ rep: FoundReps.Item, _ wrong: String) -> [String] {
      [side, "\(seconds(rep.start)) to \(seconds(rep.end)) s", rep.matched == true ? "matched" : wrong]
    }
    let rows = marked.map { row("true", $0, "missed") } + found.predicted.map { row("predicted", $0, "invented") }
    return [Self.summary("reps", found.matched, found.missed, found.false), Self.table(rows, right: [1])]
  }

  /// The counted reps of a clip in which nobody does the exercise for some of the time.
  private var phantoms: [TextBlock] {
    let counted = (clip.outcome?.reps ?? []).map { (rep: $0.rep, isPhantom: clip.labels.isNegative($0.rep)) }
    let rows = counted.map { rep, isPhantom in
      ["predicted", "\(seconds(rep.start)) to \(seconds(rep.end)) s", isPhantom ? "invented" : "not compared"]
    }
    return [
      .line("reps: invented \(counted.count(where: \.isPhantom)), while nobody does the exercise"),
      Self.table(rows, right: [1]),
    ]
  }

  /// The command that labels the clip.
  private var labelling: Conclusion.Step {
    clip.isImported
      ? Conclusion.Step("label it:", "bench dataset label \(RunOrigin.quoted(clip.result.dataset)) --from LABELS")
      : Conclusion.Step("label it: rep_count in datasets/\(clip.result.dataset)/clips.csv, or reps in reps.csv there")
  }

  private var strokes: [TextBlock] {
    guard let found = FoundStrokes(clip) else { return [] }
    guard clip.labels.hasStrokeLabels else { return [.line("strokes: not compared, as they are not labelled")] }
    func row(_ side: String, _ stroke: FoundStrokes.Item, _ wrong: String) -> [String] {
      [side, "\(seconds(stroke.contact)) s", stroke.label, stroke.matched ? "matched" : wrong]
    }
    let rows = found.marked.map { row("true", $0, "missed") } + found.predicted.map { row("predicted", $0, "invented") }
    return [Self.summary("strokes", found.matched, found.missed, found.false), Self.table(rows, right: [1])]
  }

  private static func summary(_ what: String, _ matched: Int?, _ missed: Int?, _ wrong: Int?) -> TextBlock {
    .line("\(what): matched \(matched ?? 0), missed \(missed ?? 0), invented \(wrong ?? 0)")
  }

  private func seconds(_ time: Double) -> String { NumberText.fixed(time, decimals: 2) }
}

extension Event {
  /// The kind of event and its content.
  var words: (kind: String, words: String) {
    func seconds(_ time: Microseconds) -> String { NumberText.fixed(time.seconds, decimals: 2) }
    func span(_ rep: Rep) -> String { "from \(seconds(rep.start)) to \(seconds(rep.end)) s" }
    return switch kind {
    case .rep(let rep): ("rep", span(rep))
    case .phase(let phase): ("phase", phase)
    case .grade(let criterion, let value, let rep):
      ("grade", "\(criterion) \(NumberText.fixed(value, decimals: 1)) for the rep \(span(rep))")
    case .fault(let fault, let rep): ("fault", "\(fault) in the rep \(span(rep))")
    case .stroke(let stroke):
      (
        "stroke",
        "\(stroke.label ?? "unknown"), contact at \(seconds(stroke.contact)), from \(seconds(stroke.start)) to "
          + "\(seconds(stroke.end)) s"
      )
    case .cue(let cue): ("cue", "\"\(cue.text)\" (\(cue.priority) priority)")
    case .haptic(let pattern): ("haptic", pattern.rawValue)
    }
  }
}

extension CountDoubts {
  /// `3 movements of unclear size`; without those that hardly matter.
  fileprivate var words: [String] {
    [
      unclear > 0 ? NumberText.count(unclear, "movement") + " of unclear size" : nil,
      longGaps > 0 ? NumberText.count(longGaps, "long pause") + " between reps" : nil,
      idle >= 0.5 ? "\(NumberText.fixed(idle, decimals: 1)) rep lengths without a rep before and after" : nil,
      unseen >= 0.01 ? "unseen for \(NumberText.fixed(100 * unseen, decimals: 0)) % of the time" : nil,
    ].compactMap(\.self)
  }
}
