import Charts
import Evaluation
import Pipeline
import Scoring
import Statistics

/// The first sentence of a command's output, and what to do about it.
public struct Conclusion: Hashable, Sendable {
  /// The next step, with a command if there is one.
  public struct Step: Hashable, Sendable {
    public var words: String
    public var command: String?

    public init(_ words: String, _ command: String? = nil) { (self.words, self.command) = (words, command) }
  }

  /// One plain sentence, or two.
  public var finding: String
  public var next: [Step]

  public init(_ finding: String, next: [Step] = []) { (self.finding, self.next) = (finding, next) }

  /// ` --dataset my-squats` for each of the datasets that replace a suite's.
  fileprivate static func options(_ datasets: [String]) -> String {
    datasets.map { " --dataset \(RunOrigin.quoted($0))" }.joined()
  }
}

// MARK: run

extension RunReport {
  /// The quality of the shown detector, compared with the baseline, and where it is wrong most often.
  public var conclusion: Conclusion {
    let sentences = [finding, phantoms, mostErrors, weakestPoint, otherCounter].compactMap(\.self)
    return Conclusion(sentences.joined(separator: " "), next: nextSteps)
  }

  private var finding: String {
    guard let detector = results.shownDetector else {
      return "\(NumberText.count(results.clips.count, "clip")) replayed; no detector of this suite is scored on labels."
    }
    let kind = results.detectors.first { $0.name == detector }?.kind
    if kind == "reps" { return countFinding(detector) }
    let totals = results.clips.map { results.mistakes(detector, on: $0) }
    if kind == "swing" { return strokeFinding(detector) }
    if let named = NamedSeconds(totals) {
      return
        "Names \(NumberText.fixed(named.right, decimals: 0)) of \(NumberText.fixed(named.labelled, decimals: 0)) "
        + "labelled seconds right."
    }
    if let finding = gradeFinding(detector) { return finding }
    // A scorer of form may count as well.
    let isCounted = results.clips.contains { $0.trueCount != nil && $0.outcomes[detector]?.count != nil }
    if !isCounted, let finding = faultFinding(detector) { return finding }
    return isCounted ? countFinding(detector) : "\(detector) cannot be scored: no clip is graded."
  }

  /// How far a detector's grades are from the raters'; `nil` without graded clips.
  private func gradeFinding(_ detector: String) -> String? {
    guard let error = results.metric(detector, "grades.mae"), let value = error.value else { return nil }
    let human = results.metric(detector, "grades.human-mae")?.value.map {
      " (typical human disagreement \(NumberText.value($0, unit: error.unit)))"
    }
    return "Grades differ from the raters' by \(NumberText.quantity(value, unit: error.unit)) on average\(human ?? "")."
  }

  /// The strokes that a detector finds and names right, and the detector of the suite that errs least, if it is another.
  private func strokeFinding(_ detector: String) -> String {
    func errors(_ name: String) -> StrokeErrors? { StrokeErrors(results.clips.map { results.mistakes(name, on: $0) }) }
    guard let own = errors(detector) else { return "No clip has labelled strokes." }
    let best = best(of: "swing", besides: detector, than: -own.count) { name in
      // A detector of other events has no strokes.
      errors(name).flatMap { $0.strokes == own.strokes ? -$0.count : nil } ?? .min
    }
    let other = best.flatMap { best in errors(best.name).map { "; \(best.name) errs less: \($0.words)" } } ?? ""
    return "\(detector) finds and names \(own.rightWords); \(own.words)\(other)."
  }

  /// The detector of a kind with the highest score above that of the shown one; `nil` if none is higher.
  private func best(
    of kind: String, besides detector: String, than own: Int, _ score: (String) -> Int
  ) -> (name: String, score: Int)? {
    results.detectors.filter { $0.kind == kind && $0.name != detector }.map { (name: $0.name, score: score($0.name)) }
      .filter { $0.score > own }.max { $0.score < $1.score }
  }

  /// How often a judge is right about what people judged for faults; `nil` if nobody did.
  private func faultFinding(_ detector: String) -> String? {
    guard let own = RightJudgements(of: detector, on: results.clips) else { return nil }
    return
      "\(detector) tells faulty from good on \(own.words); always the same answer is right on \(own.trivial)."
  }

  private func countFinding(_ detector: String) -> String {
    // A suite of several exercises has clips that the detector does not take.
    let clips = results.countedClips(of: detector)
    guard let own = results.rightCounts(of: detector) else {
      let counted = "\(NumberText.count(clips.count, "clip")) counted"
      return results.scorer.flatMap(gradeFinding).map { "\($0) \(counted), none with a labelled count." }
        ?? "\(counted), none scored: no clip has a labelled count."
    }
    let isNamed = isVerdictAboutAnother || betterCounter(than: detector) != nil
    let counter = isNamed ? "\(detector) counts" : "Counts"
    // Clips of other exercises, which the detector does not get, may well be labelled.
    let without = clips.count - own.clips
    return
      "\(counter) \(own.words)\(sinceBaseline(detector, own))."
      + (without > 0 ? " \(NumberText.count(without, "clip")) without a labelled count." : "")
  }

  /// Whether the verdict names another detector than the shown one, which the result must then name too.
  private var isVerdictAboutAnother: Bool {
    guard let verdict, verdict.outcome != .pass else { return false }
    return verdict.metrics.contains {
      $0.outcome == verdict.outcome && $0.change.detector != results.shownDetector
    }
  }

  /// The other counter of the suite that is right on the most clips, if these are more.
  private func betterCounter(than detector: String) -> (name: String, score: Int)? {
    let counted = results.countedClips(of: detector)
    func right(_ name: String) -> Int { RightCounts(of: name, on: counted)?.right ?? 0 }
    return best(of: "reps", besides: detector, than: right(detector), right)
  }

  private var otherCounter: String? {
    results.counter.flatMap(betterCounter).map { "\($0.name) counts right on \($0.score)." }
  }

  /// What the shown detector counts while nobody does the exercise, if anything, and in which clips most.
  private var phantoms: String? {
    guard let detector = results.shownDetector, let rate = results.metric(detector, PhantomMetrics.rate),
      let value = rate.value, value > 0
    else { return nil }
    let worst = (results.slices ?? []).filter {
      $0.metricID == MetricID(detector, rate.metric) && [.exercise, .label].contains($0.dimension)
        && !$0.slice.hasPrefix("without ")
    }.max { ($0.value ?? 0) < ($1.value ?? 0) }
    let most = worst.flatMap { slice in
      slice.value.map { ", most in \(slice.slice) (\(NumberText.plain($0, decimals: 1)))" }
    }
    // Of less than a minute a rate says more than was seen.
    if let own = results.phantoms(of: detector), own.seconds < 60 {
      return
        "Counts \(NumberText.count(own.count, "rep")) in \(NumberText.plain(own.seconds, decimals: 0)) s while nobody "
        + "does the exercise."
    }
    return "Counts \(NumberText.plain(value, decimals: 1)) reps a minute while nobody does the exercise\(most ?? "")."
  }

  /// `, as in the baseline`
  private func sinceBaseline(_ detector: String, _ own: RightCounts) -> String {
    guard let comparison else { return "" }
    guard let gained = comparison.gainedRightCounts(of: detector) else { return ", as in the baseline" }
    if gained == 0 { return ", as many as in the baseline but on other clips" }
    return ", \(abs(gained)) \(gained > 0 ? "more" : "fewer") than in the baseline (\(own.right - gained))"
  }

  /// The weakest slice, if a counter is wrong clearly more often there than elsewhere.
  private var mostErrors: String? {
    guard let detector = results.counter, detector == results.shownDetector else { return nil }
    return CountedSlice.weakest(of: results.counted(detector)).map {
      "Most errors: \($0.name) (\($0.right) of \($0.clips) right)."
    }
  }

  /// The metric that loses the largest share of its score under perturbation.
  private var weakestPoint: String? {
    let ladders = (results.robustness?.ladders ?? []).filter { $0.survives != nil }
    guard let worst = ladders.min(by: { ($0.survives ?? 1) < ($1.survives ?? 1) }), let last = worst.steps.last else {
      return nil
    }
    return "Weakest under \(last.text): \(Metric.plainName(of: worst.metric)) of \(worst.detector) "
      + "\(NumberText.value(worst.undisturbed.value, unit: worst.unit)) → "
      + "\(NumberText.value(last.score.value, unit: worst.unit)), \(RobustnessText.share(worst.survives)) survives."
  }

  private var nextSteps: [Conclusion.Step] {
    let labels = unlabelledSteps
    guard let first else { return labels }
    let clip = results.nameToReplay(first.clip)
    return labels + [Conclusion.Step(first.step, results.commandToShow(clip, of: first.detector, run: run.name))]
  }

  /// How to label the clips without a count.
  private var unlabelledSteps: [Conclusion.Step] {
    guard let detector = results.counter else { return [] }
    let lacking = Set(
      results.clips.filter {
        $0.trueCount == nil && !results.isNegative($0) && $0.outcomes[detector]?.count != nil
      }.map(\.dataset))
    return results.datasets.filter { lacking.contains($0.name) }.map { dataset in
      dataset.isImported == true
        ? Conclusion.Step("label the clips:", "bench view --dataset \(RunOrigin.quoted(dataset.name)) --label")
        : Conclusion.Step("label the clips: rep_count in datasets/\(dataset.name)/clips.csv, or reps in reps.csv there")
    }
  }
}

extension RightCounts {
  /// `right on 12 of 15 clips`
  var words: String { "right on \(right) of \(NumberText.count(clips, "clip"))" }
}

extension RightJudgements {
  /// `12 of 15 reps`
  var words: String { "\(right) of \(NumberText.count(judged, areOfReps ? "rep" : "clip"))" }
}

extension StrokeErrors {
  /// `12 of 15 strokes right`
  var rightWords: String { "\(right) of \(NumberText.count(strokes, "stroke")) right" }

  /// `missed 2, invented 0, misnamed 1`
  var words: String { "missed \(missed), invented \(invented), misnamed \(misnamed)" }
}

extension RunResults {
  /// A clip as `bench replay` with the suite finds it, quoted for a shell: without its dataset if no other clip has its
  /// name. Of other datasets than the suite's, the suite may have clips of the same name.
  public func nameToReplay(_ id: String) -> String {
    guard replacesDatasets != true, let name = clips.first(where: { $0.id == id })?.name,
      clips.count(where: { $0.name == name }) == 1
    else { return RunOrigin.quoted(id) }
    return RunOrigin.quoted(name)
  }

  /// The command that shows a detector's clip as in this run.
  ///
  /// - Parameters:
  ///   - clip: Its name, quoted for a shell.
  ///   - isUsual: Whether the detector is the suite's first; `nil` if it is the run's first.
  ///   - run: The run's name within its suite, for what no replay shows; `nil` for the newest.
  public func commandToShow(
    _ clip: String, of detector: String, isUsual: Bool? = nil, run: String? = nil
  ) -> String {
    let isOther = !(isUsual ?? (detector == detectors.first?.name))
    // A replay has only the recorded poses.
    guard !isPredicted(detector), perturbation == nil else {
      return "bench draw timeline --suite \(suite) --clip \(clip)" + (isOther ? " --detector \(detector)" : "")
        + (run.map { " --run \($0)" } ?? "")
    }
    var parts = ["bench replay \(clip) --suite \(suite)"]
    if isOther { parts.append("--detector \(detector)") }
    if let card = detectors.first(where: { $0.name == detector }) {
      parts += card.changed.compactMap { name in
        card.parameters[name].map { "--set \(card.kind).\(detector).\(name)=\(NumberText.plain($0))" }
      }
    }
    if let smoothing { parts.append("--smooth \(smoothing)") }
    return (parts + ["--chart"]).joined(separator: " ")
  }
}

// MARK: history

extension RunHistory {
  /// Whether the newest run is better or worse on the gating metrics than the last release, or else than the run before.
  ///
  /// - Parameters:
  ///   - results: Of the newest run.
  ///   - detector: The only detector to compare; `nil` for all.
  /// - Throws: `DataError` if the run before cannot be read.
  public func conclusion(of results: RunResults, detector: String? = nil) throws -> Conclusion? {
    do {
      guard let step = try newestStep(results) else { return nil }
      let suite = Set(runs.map(\.suite)).count > 1 ? "Suite \(step.after.suite): " : ""
      guard let before = step.before, let comparison = step.comparison else {
        return Conclusion("\(suite)Nothing to compare the newest run with: no earlier one listed is on its data.")
      }
      let release = before.releases.first { !step.after.releases.contains($0) }
      let since = release.map { "release \($0)" } ?? "the run before"
      let own = comparison.metrics.filter { $0.isListed && (detector == nil || $0.detector == detector) }
      let gating = own.filter { $0.margin != nil }
      guard !own.isEmpty else { return Conclusion("\(suite)No metric of the newest run was measured in \(since).") }
      let finding = MetricChange.finding(
        gating.isEmpty ? own : gating, names: ComparisonNames(comparison.results), of: "the newest run")
      let unchanged = "Nothing changed on any \(gating.isEmpty ? "" : "gating ")metric"
      return Conclusion(finding.map { "\(suite)\($0), since \(since)." } ?? "\(suite)\(unchanged) since \(since).")
    } catch let error as EvaluationError {
      return Conclusion("The newest run is not compared: \(error).")
    }
  }
}

// MARK: compare

extension ComparisonReport {
  /// The better side, the decisive metric and the number of people it changed for.
  public var conclusion: Conclusion {
    let clips = Set(comparison.clipChanges.map(\.clip)).count
    let onClips = clips == 0 ? "" : " \(clips) of \(NumberText.count(comparison.clips, "clip")) changed."
    guard let finding = MetricChange.finding(comparison.metrics, names: names) else {
      let metrics = comparison.metrics
      let isScored = metrics.isEmpty || metrics.contains { $0.before != nil || $0.after != nil }
      return Conclusion(
        clips == 0 && comparison.comparesPredictions
          ? "No change: A and B predict the same on \(NumberText.count(comparison.clips, "clip"))."
          : isScored
            ? "No metric of the suite changed\(clips == 0 ? "." : ", but predictions did:")\(onClips)"
            : "No side can be called better: these clips have no labels for the suite's metrics.\(onClips)")
    }
    return Conclusion("\(finding).\(onClips)", next: nextSteps)
  }

  private var nextSteps: [Conclusion.Step] {
    guard let change = comparison.clipChanges.first,
      comparison.results.detectors.contains(where: { $0.name == change.detector }),
      !comparison.results.isPredicted(change.detector)
    else { return [] }
    let isOneOfSeveral = comparison.results.datasets.count > 1
    let clip = isOneOfSeveral ? RunOrigin.quoted(change.clip) : comparison.results.nameToReplay(change.clip)
    return [
      Conclusion.Step(
        "look first at the clip that changed most:",
        pair?.commandToShow(clip, of: after, isUsual: false)
          ?? comparison.results.commandToShow(clip, of: change.detector))
    ]
  }
}

// MARK: sweep, tune, power

extension SweepReport {
  /// - Parameters:
  ///   - path: The detector's path, as `--set` takes it: `reps.squat-states`.
  ///   - datasets: Those that replaced the suite's.
  public func conclusion(path: String, datasets: [String] = []) -> Conclusion {
    guard let position = results.optimum else { return Conclusion("\(results.finding).") }
    let best = results.settings[position]
    if best.values == results.base.values || results.base.isOnPlateau {
      return Conclusion("\(results.finding).", next: [Conclusion.Step("keep the default")])
    }
    let assignments = results.axes.map {
      " --set \(path).\($0.parameter)=\(NumberText.plain($0.value(in: best.values)))"
    }
    return Conclusion(
      "\(results.finding).",
      next: [
        Conclusion.Step(
          "see which clips it changes:",
          "bench compare --suite \(results.suite)\(Conclusion.options(datasets))\(assignments.joined())"),
        Conclusion.Step("check it on people who were not in this sweep, by --dataset"),
      ])
  }
}

extension TuneReport {
  /// Whether tuning helped people that it had not seen.
  ///
  /// - Parameters:
  ///   - file: The path of the parameter file.
  ///   - datasets: Those that replaced the suite's.
  public func conclusion(file: String, datasets: [String] = []) -> Conclusion {
    guard let interval = results.gain?.interval, interval.low > 0 else {
      return Conclusion("\(results.finding).", next: [Conclusion.Step("keep the default parameters")])
    }
    return Conclusion(
      "\(results.finding).",
      next: [
        Conclusion.Step(
          "see which clips it changes:",
          "bench compare --suite \(results.suite)\(Conclusion.options(datasets)) --parameters \(RunOrigin.quoted(file))"
        ),
        Conclusion.Step("gate it in a suite of other people: a gate refuses those that it was tuned on"),
      ])
  }
}

extension PowerReport {
  public var conclusion: Conclusion {
    let show = "\(finding)."
    guard let subjectsToShow else {
      return Conclusion(show, next: [Conclusion.Step("ask for a larger --loss, or gate on a metric that varies less")])
    }
    let needed = max(subjectsToShow, subjectsToSpare ?? .max)
    let spare = subjectsToSpare.map { "with \(NumberText.count($0, "person"))" } ?? "with no number that was tried"
    let step =
      needed <= subjectsAtHand
      ? "there are enough people for that, and harmless changes seldom stop"
      : needed == .max
        ? "gate on a metric that varies less, or widen the margin"
        : "record \(NumberText.count(needed - subjectsAtHand, "more person"))"
    return Conclusion(
      show, next: [Conclusion.Step("\(step): \(spare) a harmless change stops in at most 1 of 10 cases")])
  }
}

// MARK: agreement

extension RaterAgreement {
  /// How well one rater's grade predicts another's.
  ///
  /// - Source: the words are Koo and Li's, A Guideline of Selecting and Reporting Intraclass Correlation Coefficients,
  ///   J Chiropr Med 15(2), 2016: below 0.5 poor, below 0.75 moderate, below 0.9 good, else excellent.
  public var conclusion: Conclusion {
    let people = "\(raters.count) raters on \(criterion.name)"
    guard let result = results.first(where: { $0.metric.name == "grades.icc-a-1" }), let value = result.value else {
      return Conclusion(
        "Agreement of the \(people) is undefined: too few reps are graded by all of them.",
        next: [Conclusion.Step("have every rater grade the same reps")])
    }
    let word = value < 0.5 ? "poor" : value < 0.75 ? "moderate" : value < 0.9 ? "good" : "excellent"
    let range = NumberText.interval(result.interval, unit: "").map { ", 95 % \($0)" } ?? ""
    let next =
      value < 0.75
      ? Conclusion.Step("agree on what each grade means, then grade again")
      : Conclusion.Step("use the mean of the raters as the ground truth")
    return Conclusion(
      "Agreement of the \(people) is \(word): one rating is worth \(NumberText.value(value, unit: "")) "
        + "(ICC(A,1)\(range)).", next: [next])
  }
}

extension RaterReport {
  /// The agreement of grades; without a criterion that of the reps of the first two files, otherwise that of the fault
  /// on which raters agree least.
  public var conclusion: Conclusion {
    if let grades { return grades.conclusion }
    if let pair = reps.first {
      let end = pair.differences.first { $0.instant == .end }.map {
        "; ends are \(NumberText.fixed($0.median, decimals: 2)) s apart (median)"
      }
      return Conclusion(
        "\(pair.raters.joined(separator: " and ")): \(pair.matched) of \(pair.marked) reps matched\(end ?? "").")
    }
    let worst = faults.min { ($0.ac1.value ?? 1, $0.fault) < ($1.ac1.value ?? 1, $1.fault) }
    return Conclusion(
      worst.map {
        "Raters agree least on \($0.fault): AC1 \(NumberText.value($0.ac1.value, unit: "")), "
          + "\(NumberText.value($0.same.value, unit: "")) of the judgements are the same."
      } ?? "No fault is judged by two raters.")
  }
}

extension EstimatorAgreement {
  public func conclusion(of other: String, beside reference: String) -> Conclusion {
    guard let result = results.first(where: { $0.metric.name == "keypoints.pck" }), let value = result.value else {
      guard let widest = angles.max(by: { abs($0.limits.bias.value) < abs($1.limits.bias.value) }) else {
        return Conclusion("\(other) and \(reference) cannot be compared: no joint is in both.")
      }
      let bias = NumberText.fixed(abs(widest.limits.bias.value), decimals: 1)
      return Conclusion(
        "Angles of \(other) are within \(bias)° of those of \(reference) on average, the \(widest.angle) farthest; "
          + "places are not compared.")
    }
    return Conclusion(
      "\(NumberText.fixed(value * 100, decimals: 0)) % of the joints of \(reference) are near the same place in \(other)."
    )
  }
}

// MARK: replay

extension ReplayedClip {
  /// The most common reason why reps or strokes were missed, or else the first one's misnamed, or else why they were
  /// invented, or the first judgement is wrong; `nil` if nothing is, or the reason is unknown.
  ///
  /// `Missed rep 2: knee angle bottomed at 120°, needs < 90° (bottomAngle)`
  public var firstCause: String? {
    let noun = strokes == nil ? "rep" : "stroke"
    func most(_ reasons: [(rep: Int, reason: RepReason)]) -> String? {
      RepReason.groups(reasons, of: noun).first?.words
    }
    if let missed = most((outcome?.missed ?? []).map { (rep: $0.rep, reason: $0.reason) }) { return "Missed \(missed)" }
    if let own = misnamedStrokes.first {
      return "Misnamed stroke \(own.truth + 1): labelled \(own.label), \(own.reason.words)"
    }
    var invented = (strokeReasons?.wrong ?? [:]).map { (rep: $0.key, reason: $0.value) }
    for (index, rep) in (outcome?.reps ?? []).enumerated() {
      if let reason = rep.reason { invented.append((rep: index, reason: reason)) }
    }
    if let invented = most(invented) { return "Invented \(invented)" }
    if let wrong = misjudgedSentences.first { return "Wrong on \(wrong)" }
    guard let count = outcome?.count, let truth = result.trueCount else { return nil }
    let clue = countEvidence?.clues(counted: count, true: truth).first
    return clue.map { $0.words.prefix(1).uppercased() + $0.words.dropFirst() }
  }

  /// How many of the labelled reps or strokes the detector found, or what it reports without labels.
  public var conclusion: Conclusion {
    let name = setting.name
    if let strokes {
      guard labels.hasStrokeLabels else {
        return Conclusion(
          "\(name) reports \(NumberText.count(strokes.predicted.count, "event")) in \(result.name); this clip has no "
            + "labels for them.")
      }
      return found(
        "stroke", strokes.truth.count, strokes.pairs.count, strokes.predicted.count, misnamed: strokes.misnamed.count)
    }
    guard let outcome, let reps = outcome.reps else { return judgement }
    let matched = Set(reps.compactMap(\.matches)).count
    if let marked = result.trueReps { return found("rep", marked.count, matched, reps.count) }
    guard let count = result.trueCount else {
      guard labels.hasNegativeTime else {
        guard outcome.judged?.isEmpty ?? true else { return judgement }
        return Conclusion(
          "\(name) counts \(NumberText.count(reps.count, "rep")) in \(result.name), which has no labelled count.")
      }
      let phantoms = reps.count { labels.isNegative($0.rep) }
      let others = reps.count - phantoms
      return Conclusion(
        "\(name) invents \(phantoms == 0 ? "no rep" : NumberText.count(phantoms, "rep")) in \(result.name) while nobody "
          + "does the exercise\(others > 0 ? ", and counts \(others) at other times" : "").")
    }
    return Conclusion(
      "\(name) counts \(NumberText.count(reps.count, "rep")) in \(result.name), \(count == reps.count ? "as labelled" : "true \(count)")."
    )
  }

  /// How far the judgements of a detector that counts nothing are from people's.
  private var judgement: Conclusion {
    let mistakes = ClipMistakes(result, detector: setting.name, kind: setting.profile.kind.rawValue)
    let noun = (outcome?.judged ?? []).contains { $0.rep != nil } ? "rep" : "clip"
    let parts = [
      mistakes.gradeDistance.map { "is \(NumberText.fixed($0, decimals: 1)) points from the raters' grades" },
      mistakes.judged.map {
        "tells faulty from good on \($0 - (mistakes.misjudged ?? 0)) of \(NumberText.count($0, noun))"
      },
      NamedSeconds([mistakes]).map { named in
        "names \(NumberText.fixed(named.right, decimals: 1)) of \(NumberText.fixed(named.labelled, decimals: 1)) labelled "
          + "seconds right"
      },
    ].compactMap { $0 }
    guard !parts.isEmpty else {
      return Conclusion(
        "\(setting.name) reports \(NumberText.count(timeline.events.count, "event")) in \(result.name); this clip has no "
          + "labels for them.")
    }
    return Conclusion("\(setting.name) \(parts.joined(separator: " and ")) in \(result.name).")
  }

  private func found(
    _ noun: String, _ labelled: Int, _ matched: Int, _ predicted: Int, misnamed: Int = 0
  ) -> Conclusion {
    let wrong = predicted - matched
    guard labelled > 0 else {
      return Conclusion(
        wrong > 0
          ? "\(setting.name) invents \(NumberText.count(wrong, noun)) in \(result.name), which has none."
          : "\(setting.name) finds no \(noun) in \(result.name), which has none.")
    }
    return Conclusion(
      "\(setting.name) finds \(matched) of \(NumberText.count(labelled, "labelled \(noun)")) in \(result.name)"
        + (misnamed > 0 ? ", names \(misnamed) wrong" : "") + (wrong > 0 ? " and invents \(wrong)." : "."))
  }
}

extension RepReason {
  /// Why reps were missed or invented: the two most common reasons, with an example each.
  ///
  /// `4 reps, such as rep 1: knee angle bottomed at 120°, needs < 90° (bottomAngle)`
  ///
  /// - Parameter reasons: With the index of the rep.
  static func summary(_ reasons: [(rep: Int, reason: RepReason)], of noun: String) -> String {
    let all = groups(reasons, of: noun)
    let others = all.dropFirst(2).reduce(0) { $0 + $1.count }
    return (all.prefix(2).map(\.words) + (others > 0 ? ["\(others) more"] : [])).joined(separator: "; ")
  }

  /// The reasons by cause and parameter, the most common first, with an example and how often each occurs.
  ///
  /// - Parameters:
  ///   - reasons: With the index of the rep.
  ///   - state: What follows the noun: ` not judged`.
  public static func groups(
    _ reasons: [(rep: Int, reason: RepReason)], of noun: String, state: String = ""
  ) -> [(words: String, count: Int)] {
    Dictionary(grouping: reasons) { "\($0.reason.cause.rawValue) \($0.reason.parameter ?? "")" }
      .values.map { $0.sorted { $0.rep < $1.rep } }
      .sorted { ($1.count, $0[0].rep) < ($0.count, $1[0].rep) }
      .map { group in
        let first = group[0]
        let example = "\(noun) \(first.rep + 1)\(group.count == 1 ? state : ""): \(first.reason.words)"
        let words = group.count == 1 ? example : "\(group.count) \(noun)s\(state), such as \(example)"
        return (words: words, count: group.count)
      }
  }
}

extension RunResults {
  /// Why a detector missed reps or strokes on a clip, or else why it invented reps; `nil` if it did neither, or the
  /// reasons are unknown.
  func reasonWords(_ detector: String, on clip: ClipResult) -> String? {
    guard let outcome = clip.outcomes[detector] else { return nil }
    if let missed = outcome.missed, !missed.isEmpty {
      let kind = detectors.first { $0.name == detector }?.kind
      return RepReason.summary(missed.map { (rep: $0.rep, reason: $0.reason) }, of: kind == "swing" ? "stroke" : "rep")
    }
    let invented = (outcome.reps ?? []).enumerated().compactMap { index, rep in
      rep.reason.map { (rep: index, reason: $0) }
    }
    return invented.isEmpty ? nil : RepReason.summary(invented, of: "detection")
  }

  /// Why a detector erred on a clip: as its results say, otherwise as a replay shows; `nil` if it did not err, or the
  /// reasons are unknown.
  ///
  /// - Parameter replay: Replays the clip; called only if the results do not say it.
  func reasonWords(
    _ detector: String, on clip: ClipResult, replay: () throws -> ReplayedClip?
  ) rethrows -> String? {
    if let known = reasonWords(detector, on: clip) { return known }
    guard let replay = try replay() else { return nil }
    if let invented = replay.strokeReasons?.wrong, !invented.isEmpty {
      return RepReason.summary(invented.map { (rep: $0.key, reason: $0.value) }, of: "detection")
    }
    if let misnamed = replay.strokeReasons?.misnamed, !misnamed.isEmpty {
      return RepReason.summary(misnamed.map { (rep: $0.key, reason: $0.value) }, of: "stroke")
    }
    if let first = replay.misjudgedSentences.first {
      let others = replay.misjudgedSentences.count - 1
      return first + (others > 0 ? "; and \(others) more" : "")
    }
    guard let count = clip.outcomes[detector]?.count, let truth = clip.trueCount else { return nil }
    return replay.countEvidence?.clues(counted: count, true: truth).first?.words
  }
}
