import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// A first suite for a dataset: the text of its file, in which every key has a value and a comment.
public struct SuiteTemplate: Sendable {
  /// The suite's name, which is the dataset's.
  public let name: String
  /// The content of `datasets/suites/<name>.yaml`.
  public let text: String
  /// The detectors that it names.
  public let detectors: [String]
  /// Whether predictions from files take the place of the detectors.
  public let isReplaced: Bool
  public let metricCount: Int
  /// How many of its metrics have a margin.
  public let gatingCount: Int

  /// A metric for a first suite.
  private struct Choice: Sendable {
    var metric: String
    /// `nil` for one that is shown and does not gate.
    var margin: Double?
    /// Whether the margin is a share of the criterion's scale.
    var isOfScale = false
    /// Whether a dataset can score it.
    var isLabelled: @Sendable (Labels) -> Bool
  }

  private static let choices = [
    Choice(metric: "count.exact", margin: 0.05) { $0.hasCounts },
    Choice(metric: "count.off-by-one", margin: 0.05) { $0.hasCounts },
    Choice(metric: "count.mae", margin: 0.2) { $0.hasCounts },
    Choice(metric: "count.bias", margin: nil) { $0.hasCounts },
    Choice(metric: "reps.f1", margin: 0.03) { $0.hasReps },
    Choice(metric: "reps.timing-error", margin: nil) { $0.hasReps },
    Choice(metric: "latency.report", margin: 100) { $0.hasReps },
    Choice(metric: "grades.mae", margin: 0.03, isOfScale: true) { $0.hasGrades },
    Choice(metric: "grades.spearman", margin: nil) { $0.hasGrades },
    Choice(metric: "faults.any.f1", margin: 0.05) { $0.hasFaults },
    Choice(metric: "strokes.f1", margin: 0.03) { $0.hasTimes },
    Choice(metric: "strokes.accuracy", margin: 0.05) { $0.hasTimes },
    Choice(metric: "classes.accuracy", margin: 0.05) { $0.hasIntervals },
    Choice(metric: "classes.macro-f1", margin: 0.05) { $0.hasIntervals },
  ]

  /// The labels of the clips that a detector can be scored on.
  private struct Labels {
    var (hasCounts, hasReps, hasGrades, hasFaults, hasTimes, hasIntervals) = (false, false, false, false, false, false)

    init(_ clips: [StoredClip], for profile: DetectorProfile) {
      for labels in clips.map(\.labels) {
        hasCounts = hasCounts || labels.repCount != nil
        hasReps = hasReps || labels.reps?.isEmpty == false
        hasGrades = hasGrades || labels.grades.contains { $0.criterion == profile.tasks.criterion }
        hasFaults = hasFaults || labels.faults.contains { profile.tasks.faults.contains($0.name) }
        hasIntervals = hasIntervals || !labels.intervals.isEmpty
        hasTimes = hasTimes || !labels.events.isEmpty || !labels.intervals.isEmpty
      }
    }
  }

  /// A suite on the project's own detectors for the dataset's exercises or, where it has none, on built-in ones.
  ///
  /// - Parameters:
  ///   - registry: The built-in detectors and the project's own.
  ///   - isPredicted: Whether it scores predictions from files, for which clips need no poses.
  ///   - margins: Those that the dataset's people can show; `nil` for the usual ones.
  ///   - told: A run of the usual metrics: those of its predictions from files that are undefined are left out.
  /// - Throws: `EvaluationError.missing` if the dataset has no clips with poses, or no labels that score a detector.
  public init(
    for dataset: StoredDataset, clips all: [StoredClip], in store: Store, registry: DetectorRegistry,
    isPredicted: Bool = false, margins: ShowableMargins? = nil, told: RunResults? = nil
  ) throws {
    name = dataset.manifest.name
    let clips = isPredicted ? all : all.filter(\.hasPoses)
    let exercises = Set(clips.map(\.info.exercise)).sorted()
    guard let content = dataset.content, !clips.isEmpty else {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "clips with poses to make a suite for",
        found: all.isEmpty || !clips.isEmpty
          ? "none" : "labels only; for predictions from files, run: bench init \(name) --predictions FILE")
    }
    let faults = Set(clips.flatMap { $0.labels.faults.map(\.name) })
    let candidates = try Self.candidates(for: exercises, with: faults, in: registry)
    let unreported = faults.subtracting(candidates.flatMap(\.tasks.faults)).sorted()
    let isSwing = candidates.contains { $0.kind == .swing }
    let matching =
      try isSwing
      ? RepMatching(instant: .turn, tolerance: Microseconds(250_000))
      : RepMatching(instant: .end, tolerance: Microseconds(500_000)).fitting(clips.map { (dataset, $0) }, in: store)
        .rule
    let scored = candidates.map {
      Self.scored($0, on: clips, of: dataset.manifest, matching: matching, told: told)
    }.filter { !$0.metrics.isEmpty }
    guard !scored.isEmpty else {
      throw EvaluationError.missing(
        what: "dataset \(name)",
        expected:
          "labels that score \(candidates.map(\.name).joined(separator: ", ")): counts, reps, grades, faults or "
          + "intervals",
        found: "none; label them with: bench view --dataset \(name) --label")
    }
    detectors = scored.map(\.detector)
    let isReplaced = told.map { told in !scored.contains { told.isPredicted($0.detector) } } ?? false
    self.isReplaced = isReplaced
    let metrics = scored.flatMap { scored in scored.metrics.map { Self.line($0, of: scored.detector, margins) } }
    metricCount = metrics.count
    gatingCount = scored.flatMap(\.metrics).count { $0.margin != nil }
    let width = metrics.map(\.line.count).max() ?? 0
    let gating = scored.flatMap(\.metrics).first { $0.margin != nil }?.metric.name
    let notes = Self.note(unreported, margins) + Self.power(margins, gating, ofSuite: name)
    text = """
      # Metrics that a change must not make worse on \(name). Compare with the baseline: bench gate --suite \(name)
      # Keys: docs/dataset-format.md of form-bench. Verdicts: docs/verdicts.md.

      # The name of this file.
      suite: \(name)

      # Raise it when you change what is measured.
      version: 1

      # The recordings, pinned to their content. After new clips, bench baseline accept --suite \(name) --against BRANCH
      # renews the content; after another change, bench dataset show \(name) prints it.
      datasets:
      - name: \(name)
        content: \(content)

      # Only clips of these exercises.
      exercises: [\(exercises.joined(separator: ", "))]

      # The detectors to run; bench detector list shows all. To set a parameter of one, add
      #   parameters: { NAME: 95 }
      # A detector runs on the clips of its own exercise. To choose others, add
      #   exercises: [squat, front-squat]\(isReplaced ? Self.replacement : "")
      detectors:
      \(detectors.map { "- name: \($0)" }.joined(separator: "\n"))

      \(Self.text(of: matching, isSwing: isSwing))

      # The app's camera, and the milliseconds that its pose estimator takes for a frame: for latency.live.
      camera: { fps: 30, estimator_ms: 30 }

      # The metrics; bench metric list shows all. A metric with a margin gates: the margin is the largest harmless loss, in the
      # metric's unit. Next to a margin, floor: 0.8 sets the worst accepted value. Metrics without a margin are only
      # shown.
      metrics:
      \(metrics.map { $0.line.padded(to: width) + "  # \($0.summary)" }.joined(separator: "\n"))\(notes)

      # What is neither a regression nor a pass stops if a loss beyond a margin is more likely than this.
      stop_at: \(NumberText.plain(GateRule.stopAt))

      # Optional:
      # Ask the gate as often as you like while you record more people.
      # looks: any
      # Smooth every pose before detection, as the app does: average:5, median:5 or one-euro.
      # smoothing: one-euro
      # Count reps in clips of other exercises, in which nobody does these, as phantoms: others, or a list.
      # negatives: others
      # Rename labels of the datasets.
      # labels: { foreslice: forehand }
      # Whether a person's name in two datasets is one person (shared) or not (separate).
      # people: separate

      """
  }

  /// A detector, and the metrics that the labels can score.
  private struct Scored {
    var detector: String
    /// With the usual margins; `nil` for a metric that does not gate.
    var metrics: [(metric: Metric, margin: Double?)]
  }

  private static func scored(
    _ profile: DetectorProfile, on clips: [StoredClip], of manifest: Manifest, matching: RepMatching, told: RunResults?
  ) -> Scored {
    let known = MetricFamilies.families(for: profile, matching: matching).flatMap(\.metrics)
    let labels = Labels(clips, for: profile)
    let scale = manifest.criteria.first { $0.name == profile.tasks.criterion }.map { $0.maximum - $0.minimum } ?? 1
    let chosen = choices.filter { choice in
      choice.isLabelled(labels) && told?.isUndefined(choice.metric, of: profile.name) != true
    }
    return Scored(
      detector: profile.name,
      metrics: chosen.compactMap { choice in
        known.first { $0.name == choice.metric }.map { metric in
          (metric: metric, margin: choice.margin.map { choice.isOfScale ? $0 * scale : $0 })
        }
      })
  }

  /// A metric's line in the file, and its comment.
  private static func line(
    _ chosen: (metric: Metric, margin: Double?), of detector: String, _ margins: ShowableMargins?
  ) -> (line: String, summary: String) {
    let (metric, usual) = chosen
    let id = MetricID(detector, metric.name)
    let margin = usual.map { max($0, margins?.margin(id) ?? 0) }
    let people = "With \(margins?.subjects ?? 0) people"
    var note: String?
    if margins?.isUnshown(id) == true {
      note = "\(people) no margin can be shown: nearly every change will be MAYBE WORSE."
    } else if let usual, let margin, margin > usual {
      note = "\(people) a margin of \(NumberText.plain(usual)) can't be shown, \(NumberText.plain(margin)) can."
    }
    return (
      line: "- { detector: \(detector), metric: \(metric.name)"
        + (margin.map { ", margin: \(NumberText.plain($0))" } ?? "") + " }",
      summary: ["\(metric.plainName).", metric.summary, note].compactMap(\.self).joined(separator: " ")
    )
  }

  /// What becomes of the detectors, as a comment above them.
  private static let replacement = """

    # With --predictions FILE, its predictions take the place of these detectors, and reports call them predictions.
    # Without a file these detectors are replayed.
    """

  /// What the metrics cannot gate, as comments below them; empty if nothing.
  private static func note(_ unreported: [String], _ margins: ShowableMargins?) -> String {
    let faults =
      unreported.isEmpty
      ? ""
      : """

      # No detector here reports these labelled faults: \(unreported.joined(separator: ", ")). A detector in another
      # language lists those that it reports as faults: of its file.
      """
    let people = margins?.subjects ?? GateRule.fewestSubjects
    let few =
      people >= GateRule.fewestSubjects || people == 0
      ? ""
      : """

      # With \(people) people no change passes unless nothing changes: at least \(GateRule.fewestSubjects) are needed.
      """
    return faults + few
  }

  /// How to find the margins that people can show, as a comment, where they are unknown: programs were not tried.
  private static func power(_ margins: ShowableMargins?, _ metric: String?, ofSuite name: String) -> String {
    guard margins?.subjects == 0, let metric else { return "" }
    return """

      # The margins are the usual ones. What these people can show:
      #   bench power --suite \(name) --metric \(metric)
      """
  }

  /// The rule of matching, with a comment.
  private static func text(of matching: RepMatching, isSwing: Bool) -> String {
    if matching == .turnInside {
      return """
        # A predicted rep matches the true one that its turning point lies in: people pause between reps, where nobody can
        # agree on an end.
        matching: { turn: inside }
        """
    }
    return isSwing
      ? """
      # A predicted stroke matches a true one if their contacts are at most this many seconds apart.
      matching: { instant: turn, tolerance_s: 0.25 }
      """
      : """
      # A predicted rep matches a true one if their ends are at most this many seconds apart.
      matching: { instant: end, tolerance_s: 0.5 }
      """
  }

  /// The project's own detectors for these exercises, else the exercises' rules, else a built-in detector, else a rep
  /// counter for any exercise; besides rules that find none of the labelled faults, built-in scorers that do.
  private static func candidates(
    for exercises: [String], with faults: Set<String>, in registry: DetectorRegistry
  ) throws -> [DetectorProfile] {
    let known = try BuiltInExercises.exercises
    // As the project has them: its own file may replace a built-in rule.
    let all = Dictionary(registry.detectors.map { ($0.profile.name, $0.profile) }) { first, _ in first }
    let rules = DetectorRegistry(known).detectors.map { all[$0.profile.name] ?? $0.profile }
    let builtIn = DetectorRegistry.builtIn.detectors.map(\.profile)
    let shipped = Set((rules + builtIn + known.compactMap(\.counter?.profile)).map(\.name))
    let own = registry.detectors.map(\.profile).filter {
      !shipped.contains($0.name) && ($0.exercise.isEmpty || exercises.contains($0.exercise))
    }
    if !own.isEmpty { return own }
    func fitting(_ profiles: [DetectorProfile]) -> [DetectorProfile] {
      profiles.filter { exercises.contains($0.exercise) }
    }
    func finds(_ profile: DetectorProfile) -> Bool { !faults.isDisjoint(with: profile.tasks.faults) }
    let judges = fitting(builtIn).filter { $0.kind == .form && !$0.tasks.counts && finds($0) }
    let fit =
      fitting(rules).isEmpty
      ? fitting(builtIn) : fitting(rules) + (fitting(rules).contains(where: finds) ? [] : judges)
    return fit.isEmpty ? builtIn.filter { $0.exercise.isEmpty && $0.kind == .reps } : fit
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension RunResults {
  /// Whether predictions from files give a metric no value.
  fileprivate func isUndefined(_ metric: String, of detector: String) -> Bool {
    // Predictions that name no detector take the place of all.
    let name = isPredicted(detector) ? detector : PredictedDetector.usualName
    return isPredicted(name) && self.metric(name, metric)?.value == nil
  }
}
