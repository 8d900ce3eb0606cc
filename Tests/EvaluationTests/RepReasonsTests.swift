import Coaching
import Foundation
import PoseModel
import Scoring
import Statistics
import Testing

@testable import Evaluation
@testable import Pipeline

/// Why a rep was missed, on signals made by hand: ten frames a second, one label from 1 to 3 s.
@Suite struct RepReasonsTests {
  static let rep = Rep(start: Microseconds(1_000_000), end: Microseconds(3_000_000), turn: Microseconds(2_000_000))
  static let tolerance = Microseconds(500_000)
  static let matching = RepMatching(instant: .end, tolerance: tolerance)

  static func seconds(_ value: Double) -> Microseconds { Microseconds(Int64((value * 1e6).rounded())) }

  static func rep(_ start: Double, _ end: Double) -> Rep { Rep(start: seconds(start), end: seconds(end)) }

  /// Straight lines through points of time and value, a frame each tenth of a second.
  static func trace(_ rule: CountingRule, _ points: (Double, Double)...) -> CountingTrace {
    let frames = Int((points[points.count - 1].0 * 10).rounded())
    let values = (0...frames).map { frame -> Float in
      let time = Double(frame) / 10
      let next = points.firstIndex { $0.0 >= time - 1e-9 } ?? points.count - 1
      guard next > 0 else { return Float(points[0].1) }
      let (from, to) = (points[next - 1], points[next])
      return Float(from.1 + (to.1 - from.1) * (time - from.0) / (to.0 - from.0))
    }
    return CountingTrace(rule: rule, times: (0...frames).map { Microseconds(frame: $0, rate: 10) }, values: values)
  }

  static func rule(_ detector: String, _ values: [String: Double] = [:]) throws -> CountingRule {
    let registry = DetectorRegistry(
      DetectorRegistry.builtIn.detectors + (try BuiltInExercises.exercises.map(\.definition)))
    return try #require(try DetectorSetting(registry.detector(named: detector), replacing: values).countingRule)
  }

  /// Why the label was missed by a detector that reports nothing.
  static func reason(
    _ trace: CountingTrace?, truth: [Rep] = [rep], predicted: [Rep] = []
  ) throws -> RepReason {
    let pairs = matching.pairs(truth: truth, predicted: predicted)
    return try #require(
      RepReasons(truth: truth, predicted: predicted, pairs: pairs, matching: matching) { trace }.missed[0])
  }

  /// Each kind of detector that counts, with a rep that turns too early.
  @Test(arguments: [
    ("squat-states", 175.0, 141.0, "knee angle bottomed at 141°, needs < 90° (bottomAngle)"),
    ("squat-posture", 175, 145, "knee angle bottomed at 145°, needs < 140° (attemptAngle)"),
    ("coach-squat", 1, 0.75, "hip height (share of standing) bottomed at 0.75, needs < 0.7 (attempt)"),
    ("coach-live-squat", 1, 0.75, "hip height (share of standing) bottomed at 0.75, needs < 0.7 (attempt)"),
    ("coach-bench-press", 170, 120, "elbow angle bottomed at 120°, needs < 118° (attempt)"),
    ("coach-deadlift", 90, 125, "hip angle peaked at 125°, needs > 130° (attempt)"),
    ("live-squat", 175, 130, "knee angle bottomed at 130°, needs < 120° (downAngle)"),
    ("exercise-shoulder-press", 0.3, 0.7, "hands height peaked at 0.70, needs > 0.8 trunk lengths (up)"),
  ])
  func aRepThatTurnsTooEarlyNamesItsThreshold(
    _ detector: String, _ rest: Double, _ turn: Double, _ words: String
  ) throws {
    let trace = Self.trace(try Self.rule(detector), (0, rest), (1, rest), (2, turn), (3, rest), (4, rest))
    let reason = try Self.reason(trace)
    #expect(reason.words == words)
    #expect(reason.cause == .threshold && abs((reason.value ?? 0) - turn) < 1e-4)
  }

  /// The rep from 1 to 3 s turns at 80°. Of the other two dips the one to 100° goes more than half of the way from the
  /// median, which is 175° less three dips' flanks, to 90°; the one to 140° does not: (175 + 90) / 2 = 132.5 at most.
  @Test func aCountWithoutTimesHasTheTurnsThatNearlyCounted() throws {
    let trace = Self.trace(
      try Self.rule("squat-states"), (0, 175), (1, 175), (2, 80), (3, 175), (4, 175), (5, 100), (6, 175), (7, 175),
      (8, 140), (9, 175), (10, 175))
    let evidence = try #require(CountEvidence([Self.rep], matching: Self.matching, trace))
    #expect(evidence.nearly.map(\.turn) == [Self.seconds(5)])
    #expect(evidence.nearly.map(\.reason.words) == ["knee angle bottomed at 100°, needs < 90° (bottomAngle)"])
    #expect(evidence.counted.mapValues(\.words) == [0: "knee angle bottomed at 80°, counts < 90° (bottomAngle)"])
    // A dip below 90° that does not come up again until the end is no rep: it does not end.
    let open = Self.trace(try Self.rule("squat-states"), (0, 175), (4, 175), (5, 85), (6, 120))
    let unended = try #require(CountEvidence([], matching: Self.matching, open))
    #expect(
      unended.nearly.map(\.reason.words) == ["knee angle rose only to 120°, needs > 160° to end (standingAngle)"])
    #expect(unended.counted.isEmpty)
    // On the way back it wavers around 132.5°, half of the way from 175° to 90°, and is one turn still.
    let wavering = Self.trace(
      try Self.rule("squat-states"), (0, 175), (4, 175), (5, 100), (5.2, 135), (5.4, 104), (6.4, 175), (8, 175))
    let one = try #require(CountEvidence([], matching: Self.matching, wavering))
    #expect(one.nearly.map(\.turn) == [Self.seconds(5)])
    // The one that counts by the least comes first.
    let two = Self.trace(
      try Self.rule("squat-states"), (0, 175), (1, 175), (2, 80), (3, 175), (4, 175), (5, 88), (6, 175))
    let both = try #require(CountEvidence([Self.rep, Self.rep(4, 6)], matching: Self.matching, two))
    #expect(both.narrow.map(\.rep) == [1, 0] && both.nearly.isEmpty)
  }

  @Test func everyDetectorThatCountsRepsDeclaresItsRule() throws {
    let definitions = DetectorRegistry.builtIn.detectors + (try BuiltInExercises.exercises.map(\.definition))
    for definition in definitions where definition.profile.tasks.counts || definition.profile.kind == .swing {
      #expect(try DetectorSetting(definition).countingRule != nil, "\(definition.profile.name)")
    }
  }

  @Test func aRepThatNeverBeginsOrNeverEndsSaysSo() throws {
    let rule = try Self.rule("squat-states")
    // Standing is left below 160 − 5.
    #expect(
      try Self.reason(Self.trace(rule, (0, 175), (1, 175), (2, 158), (3, 175))).words
        == "knee angle fell only to 158°, needs < 155° to begin (standingAngle − hysteresis)")
    // Until half a second after the label.
    let low = Self.trace(rule, (0, 175), (1, 175), (2, 80), (3, 150), (3.5, 151), (5, 175))
    #expect(try Self.reason(low).words == "knee angle rose only to 151°, needs > 160° to end (standingAngle)")
    // The next rep's own standing does not end this one.
    let next = Self.rep(3, 3.6)
    let merged = Self.trace(rule, (0, 175), (1, 175), (2, 80), (3, 140), (3.3, 80), (3.5, 175))
    #expect(
      try Self.reason(merged, truth: [Self.rep, next]).words
        == "knee angle rose only to 140°, needs > 160° to end (standingAngle)")
  }

  @Test func aValueIsShownWithAsManyDecimalsAsTellItFromTheThreshold() throws {
    let trace = Self.trace(try Self.rule("squat-states"), (0, 175), (1, 175), (2, 90.25), (3, 175))
    #expect(try Self.reason(trace).words == "knee angle bottomed at 90.3°, needs < 90° (bottomAngle)")
  }

  @Test func jointsThatAreNotSeenExplainAMissedRep() throws {
    let rule = try Self.rule("squat-states")
    var trace = Self.trace(rule, (0, 175), (1, 175), (2, 75), (3, 175))
    // 21 frames from 1 to 3 s, of which those from 1.4 to 2.6 s are not seen: 13 of 21.
    let blind = trace.values.indices.map { (14...26).contains($0) ? Float.nan : trace.values[$0] }
    trace = CountingTrace(rule: rule, times: trace.times, values: blind)
    let reason = try Self.reason(trace)
    #expect(reason.cause == .unseen && abs((reason.value ?? 0) - 13.0 / 21) < 1e-9)
    // At 1.3 s and at 2.7 s the line from 175° to 75° has fallen by 0.3 × 100°.
    #expect(
      reason.words
        == "knee angle not seen in 62 % of the rep; it bottomed at 145°, needs < 90° (bottomAngle)")
    trace = CountingTrace(rule: rule, times: trace.times, values: blind.map { _ in .nan })
    #expect(try Self.reason(trace).words == "knee angle not seen in the whole rep")
  }

  @Test func aRepThatIsTooFastOrTooSoonNamesTheTime() throws {
    // Below 145° at 2.0 and 2.1 s, above 150° at 2.2 s; from the first frame below to that above 0.2 s.
    let live = Self.trace(try Self.rule("live-squat"), (0, 175), (1.9, 175), (2, 100), (2.1, 100), (2.2, 175), (3, 175))
    #expect(try Self.reason(live).words == "takes 0.2 s, needs 0.5 s (minimumRepTime)")
    // A rep that ended at 2.5 s is another's; the next one is over at 2.8 s.
    let soon = Self.trace(
      try Self.rule("squat-states"), (0, 175), (2.4, 175), (2.6, 60), (2.8, 175), (3, 175))
    let before = Rep(start: Self.seconds(0.1), end: Self.seconds(2.4))
    let earlier = Self.rep(0.1, 2.4)
    let own = Self.rep(2.4, 3)
    let pairs = [(truth: 0, predicted: 0)]
    let reasons = RepReasons(
      truth: [earlier, own], predicted: [before], pairs: pairs, matching: Self.matching
    ) { soon }
    #expect(reasons.missed[1]?.words == "ends 0.4 s after the last counted rep, needs 0.5 s (cooldown)")
  }

  @Test func whatReachesAllThresholdsSaysThatNothingWasReported() throws {
    let trace = Self.trace(try Self.rule("squat-states"), (0, 175), (1, 175), (2, 80), (3, 175))
    let reason = try Self.reason(trace)
    #expect(reason.cause == .notReported)
    let unreported = "knee angle reaches all thresholds, but no rep is reported"
    #expect(reason.words == unreported)
    // The label ends at 3 s.
    let far = try Self.reason(trace, predicted: [Self.rep(7, 9), Self.rep(10, 12)])
    #expect(far.words == "\(unreported); detection 1, the nearest, ends 6.0 s after the label")
  }

  /// From 2.5 s on a detection touches the label for a quarter of it only; one from 1.2 to 4 s is the next rep's.
  @Test func whatReachesAllThresholdsAndIsReportedElsewhereSaysWhere() throws {
    let trace = Self.trace(try Self.rule("squat-states"), (0, 175), (1, 175), (2, 80), (3, 175), (5, 175))
    let late = try Self.reason(trace, predicted: [Self.rep(2.5, 4.5)])
    #expect(late.words == "detection 1 is near, but ends 1.5 s after the label (0.5 s allowed)")
    #expect(late.cause == .offset && late.value == 1.5 && late.limit == 0.5)
    let shared = try Self.reason(trace, truth: [Self.rep, Self.rep(3, 4.2)], predicted: [Self.rep(1.2, 4)])
    #expect(shared.words == "detection 1 covers it and rep 2" && shared.cause == .notReported)
  }

  @Test func thresholdsThatFollowTheSignalAskForItsRange() throws {
    let rule = try Self.rule("exercise-front-raise", ["adaptive": 1])
    let range = try #require(rule.range)
    #expect(rule.steps.map(\.threshold) == [nil, nil, nil])
    let half = range.value / 2
    let reason = try Self.reason(Self.trace(rule, (0, 0), (1, 0), (2, half), (3, 0)))
    #expect(reason.cause == .range && reason.parameter == range.parameter && abs((reason.value ?? 0) - half) < 1e-6)
  }

  /// Without a signal, as for another system's predictions.
  @Test func aDetectionOutsideTheToleranceSaysByHowMuch() throws {
    let late = try Self.reason(nil, predicted: [Self.rep(1.2, 3.7)])
    #expect(late.words == "found, but ends 0.7 s after the label (0.5 s allowed)")
    #expect(late.cause == .offset && late.value == 0.7 && late.limit == 0.5)
    #expect(
      try Self.reason(nil, predicted: [Self.rep(1, 2.49)]).words
        == "found, but ends 0.51 s before the label (0.5 s allowed)")
    // It overlaps by no more than half.
    #expect(try Self.reason(nil, predicted: [Self.rep(2.5, 4.5)]).words == "no detection ends within 0.5 s")
    #expect(try Self.reason(nil).words == "no detection ends within 0.5 s")
  }

  /// Of a program nothing is known but a signal and which parameters it is to be compared with: 170 at 1 s, 112 at 2 s.
  @Test func aProgramsOwnSignalSaysWhichGuideItDoesNotReach() throws {
    let values: [Float] = (0...40).map { frame in
      let distance = Float(abs(frame - 20))
      return distance >= 10 ? 170 : 112 + 5.8 * distance
    }
    func reason(_ guides: [(String, Double)], _ values: [Float]) throws -> RepReason {
      let series = Timeline.Series(
        name: "elbow angle", unit: "degrees", values: values,
        guides: guides.map { Guide(signal: 0, value: $0.1, label: $0.0) })
      let own = try #require(OwnSignal([series], at: values.indices.map { Microseconds(frame: $0, rate: 10) }))
      let reasons = RepReasons(truth: [Self.rep], predicted: [], pairs: [], matching: Self.matching, own: own) { nil }
      return try #require(reasons.missed[0])
    }
    let missed = try reason([("up", 150), ("down", 110)], values)
    #expect(missed.words == "elbow angle went from 112 to 170 degrees, does not reach down (110)")
    #expect(missed.cause == .threshold && missed.value == 112 && missed.limit == 110 && missed.parameter == "down")
    #expect(
      try reason([("up", 150), ("down", 120)], values).words
        == "no detection ends within 0.5 s; elbow angle went from 112 to 170 degrees, past up (150), down (120)")
    let unseen = try reason([("up", 150)], values.map { _ in .nan })
    #expect(unseen.cause == .unseen)
    #expect(unseen.words == "no detection ends within 0.5 s; elbow angle is unknown in all of it")
    let bent = Timeline.Series(
      name: "elbow angle", unit: "degrees", values: values, guides: [Guide(signal: 0, value: 120, label: "down")])
    let wrong = RepReasons(
      truth: [], predicted: [Self.rep], pairs: [], matching: Self.matching,
      own: OwnSignal([bent], at: values.indices.map { Microseconds(frame: $0, rate: 10) })
    ) { nil }.wrong[0]
    #expect(
      wrong?.words
        == "no labelled rep ends within 0.5 s; elbow angle went from 112 to 170 degrees, past down (120)")
  }

  @Test func aFalseDetectionSaysWhatItIs() {
    let predicted = [Self.rep(1, 3), Self.rep(1.5, 3.2), Self.rep(6, 7)]
    let pairs = Self.matching.pairs(truth: [Self.rep], predicted: predicted)
    let reasons = RepReasons(truth: [Self.rep], predicted: predicted, pairs: pairs, matching: Self.matching) { nil }
    #expect(reasons.missed.isEmpty)
    #expect(reasons.wrong[0] == nil)
    #expect(reasons.wrong[1]?.words == "second detection of rep 1")
    #expect(reasons.wrong[2]?.words == "no labelled rep ends within 0.5 s")
    let far = RepReasons(truth: [Self.rep], predicted: [Self.rep(1, 3.75)], pairs: [], matching: Self.matching) { nil }
    #expect(far.wrong[0]?.words == "rep 1 found, but ends 0.8 s after the label (0.5 s allowed)")
  }

  /// The squat turns 5° beyond the threshold of 90°.
  @Test func aFalseDetectionNamesTheThresholdThatItPassed() throws {
    let trace = Self.trace(try Self.rule("squat-states"), (0, 175), (5, 175), (6, 85), (7, 175), (8, 175))
    let reasons = RepReasons(
      truth: [], predicted: [Self.rep(5, 7)], pairs: [], matching: Self.matching
    ) { trace }
    let reason = try #require(reasons.wrong[0])
    #expect(
      reason.words == "no labelled rep ends within 0.5 s; knee angle bottomed at 85°, counts < 90° (bottomAngle)")
    #expect(reason.cause == .unlabelled && reason.value == 85 && reason.limit == 90)
    #expect(reason.signal == "knee angle" && reason.parameter == "bottomAngle")
  }

  /// Two labels that one detection covers: the nearer is found too late, the other is explained by the signal.
  @Test func oneDetectionExplainsOneLabel() throws {
    let truth = [Self.rep(1, 2), Self.rep(2, 3)]
    let reasons = RepReasons(truth: truth, predicted: [Self.rep(1, 3.75)], pairs: [], matching: Self.matching) { nil }
    #expect(reasons.missed[1]?.cause == .offset)
    #expect(reasons.missed[0]?.cause == .notReported)
  }

  @Test func aStrokeIsExplainedByTheWristsSpeed() throws {
    let rule = try Self.rule("swing-peaks")
    let trace = Self.trace(rule, (0, 0.1), (1.9, 0.1), (2, 1.1), (2.1, 0.1), (4, 0.1))
    let contact = LabelledInstant(time: Self.seconds(2), label: "serve")
    func matches(_ strokes: [Prediction.Stroke]) -> StrokeMetrics.Matches {
      StrokeMetrics(tolerance: Self.tolerance, labels: ["serve"]).matches(
        LabelledPrediction(
          name: "clip", subject: "anna", groundTruth: GroundTruth(events: [contact]),
          prediction: Prediction(strokes: strokes)))
    }
    let slow = matches([]).reasons(tolerance: Self.tolerance, in: []) { trace }
    #expect(
      slow.missed[0]?.words
        == "wrist speed peaked at 1.10, needs > 1.4 body heights/s (minimumPeakSpeed)")
    let late = Prediction.Stroke(
      segment: Segment(start: Self.seconds(1.8), end: Self.seconds(2.9), label: "serve"), contact: Self.seconds(2.6),
      reported: Self.seconds(3))
    let far = matches([late]).reasons(tolerance: Self.tolerance, in: []) { trace }
    #expect(far.missed[0]?.words == "found, but its contact is 0.6 s after the label (0.5 s allowed)")
  }

  /// 0.50 − 0.30 is 0.20.
  @Test func aNameSaysWhichScoreWonAndByHowMuch() {
    let shares = StrokeNaming.shares(["forehand": 0.3, "backhand": 0.5, "serve": 0.2])
    func words(labelled label: String, _ naming: StrokeNaming?) -> String {
      RepReason(named: "backhand", labelled: label, by: naming).words
    }
    #expect(words(labelled: "forehand", shares) == "named backhand with 0.50 of the score, 0.20 more than forehand")
    #expect(
      words(labelled: "serve", shares)
        == "named backhand with 0.50 of the score, 0.20 more than forehand; serve has 0.20")
    // A label that the detector does not score.
    #expect(words(labelled: "smash", shares) == words(labelled: "forehand", shares))
    #expect(words(labelled: "serve", .rule("the wrists are close")) == "named backhand: the wrists are close")
    #expect(words(labelled: "serve", nil) == "named backhand")
    let reason = RepReason(named: "backhand", labelled: "serve", by: shares)
    #expect(reason.cause == .misnamed && reason.value == 0.2 && reason.limit == 0.5)
  }

  /// On a body whose joints all move: every rep that a detector reports goes through its declared thresholds, by the value
  /// that the declared signal has.
  @Test func whatIsReportedFollowsTheDeclaredRule() throws {
    let definitions = DetectorRegistry.builtIn.detectors + (try BuiltInExercises.exercises.map(\.definition))
    let poses = BuiltInExercisesReplayTests.poses
    var checked: [String: Int] = [:]
    for definition in definitions where definition.profile.tasks.counts {
      let setting = try DetectorSetting(definition)
      let rule = try #require(setting.countingRule)
      // It counts what came before in hindsight, by another sum of its numbers.
      guard rule.learning == nil else { continue }
      let table = SignalTable(setting.signals, on: poses)
      let counted = Replay.counted(by: setting, on: poses, table)
      let trace = CountingTrace(
        rule: rule, times: poses.times, values: counted.map(\.value), levels: counted.map(\.levels))
      for event in Replay.events(of: setting, on: poses, table) {
        guard case .rep(let rep) = event.kind else { continue }
        let reason = RepReasons(truth: [rep], predicted: [], pairs: [], matching: Self.matching) { trace }.missed[0]
        #expect(reason?.cause == .notReported, "\(setting.name): \(reason?.words ?? "")")
        checked[setting.name, default: 0] += 1
      }
    }
    #expect(checked.count >= 12, "\(checked)")
  }

  /// Of every detector of reps, forms or strokes, the signal that decides can be drawn.
  @Test func everyDetectorHasADecidingSignal() throws {
    let definitions = DetectorRegistry.builtIn.detectors + (try BuiltInExercises.exercises.map(\.definition))
    let poses = BuiltInExercisesReplayTests.poses
    for definition in definitions where [.reps, .form, .swing].contains(definition.profile.kind) {
      let setting = try DetectorSetting(definition)
      guard definition.profile.tasks.counts || definition.profile.kind == .swing || setting.countingRule != nil else {
        // A posture that is held has signals with thresholds of its own.
        #expect(!setting.guides.isEmpty, "\(setting.name)")
        continue
      }
      #expect(setting.countingRule != nil, "\(setting.name)")
      let counted = Replay.counted(by: setting, on: poses, SignalTable(setting.signals, on: poses))
      let isTraced = SwingTrace.canTrace(setting.definition.parameters)
      #expect(isTraced || counted.contains { $0.value.isFinite }, "\(setting.name)")
    }
  }

  /// A rep that was over half a second before the movement was chosen by which it was counted.
  @Test func aRepThatIsCountedInHindsightSaysWhen() {
    let rule = CountingRule(
      signal: "movement", unit: "", steps: [.init(.turn, isAbove: true, nil, by: "turnShare")],
      learning: CountingRule.Limit(0.5, by: "periodicity"))
    let trace = CountingTrace(
      rule: rule, times: (1...5).map { Self.seconds(Double($0) / 2) }, values: [0, 1, 0, 0, 0],
      levels: (0..<5).map { frame in
        var levels = CountedLevels()
        if frame >= 3 { (levels.turn, levels.choice) = (0.5, 1) }
        return levels
      })
    let wrong = RepReasons(truth: [], predicted: [Self.rep(0.5, 1.5)], pairs: [], matching: Self.matching) { trace }
      .wrong[0]
    let words = wrong?.words ?? ""
    #expect(
      words.hasSuffix(
        "; counted in hindsight at 2.0 s, when a movement repeated with an autocorrelation > 0.5 (periodicity)"),
      "\(words)")
    #expect(wrong?.parameter == "periodicity" && wrong?.cause == .unlabelled)
  }

  /// Of a movement that usually goes from −3 to 1, −0.8 is 0.55 of its range: −1.4 covers 0.4 of it.
  @Test func aThresholdOfTheUsualRangeIsToldInSharesOfIt() {
    let rule = CountingRule(
      signal: "movement", unit: "",
      steps: [
        .init(.turn, isAbove: true, nil, by: "turnShare", ofUsual: 0.55),
        .init(.end, isAbove: false, nil, by: "turnShare", ofUsual: 0.55),
      ], greatest: 2)
    func reasons(_ values: [Float], truth: [Rep], predicted: [Rep]) -> RepReasons {
      var levels = CountedLevels()
      (levels.turn, levels.end, levels.usual) = (-0.8, -1.2, 4)
      let trace = CountingTrace(
        rule: rule, times: (1...5).map { Self.seconds(Double($0) / 2) }, values: values,
        levels: [CountedLevels](repeating: levels, count: 5))
      return RepReasons(truth: truth, predicted: predicted, pairs: [], matching: Self.matching) { trace }
    }
    let rep = Self.rep(0.5, 2.5)
    let short = reasons([-3, -1.4, -3, -3, -3], truth: [rep], predicted: []).missed[0]
    #expect(short?.words == "movement covers 0.40, needs > 0.55 of the usual range (turnShare)")
    #expect(short?.cause == .threshold && short?.unit == "of the usual range" && short?.limit == 0.55)
    let stuck = reasons([-3, 1, -0.8, -0.8, -0.8], truth: [rep], predicted: []).missed[0]
    #expect(stuck?.words == "movement comes back by 0.45, needs > 0.55 of the usual range to end (turnShare)")
    let whole = reasons([-3, 1, -3, -3, -3], truth: [rep], predicted: []).missed[0]
    let covers = "movement covers 1.00, counts > 0.55 of the usual range (turnShare)"
    #expect(whole?.cause == .notReported && whole?.words == "\(covers), but no rep is reported")
    let large = reasons([-3, 6, -3, -3, -3], truth: [rep], predicted: []).missed[0]
    #expect(large?.words == "movement covers 2.25 of the usual range; above 2 it is no rep")
    let wrong = reasons([-3, 1, -3, -3, -3], truth: [], predicted: [rep]).wrong[0]
    #expect(wrong?.words == "no labelled rep ends within 0.5 s; \(covers)")
  }

  /// A rep that turns above the moving threshold; and one before anything was known to repeat.
  @Test func aMovingThresholdIsNamedWhereItWasMissed() throws {
    var rule = CountingRule(
      signal: "hips height", unit: "trunk lengths",
      steps: [.init(.turn, isAbove: false, nil, by: "turnMargin"), .init(.end, isAbove: true, nil, by: "margin")])
    func missed(_ levels: [(turn: Float, end: Float)], clarity: [Float] = []) -> RepReason? {
      let values: [Float] = [1, 0.9, 0.62, 0.9, 1]
      let trace = CountingTrace(
        rule: rule, times: (1...5).map { Self.seconds(Double($0) / 2) }, values: values,
        levels: levels.enumerated().map { index, level in
          var levels = CountedLevels()
          (levels.turn, levels.end) = level
          if clarity.indices.contains(index) { levels.clarity = clarity[index] }
          return levels
        })
      return RepReasons(truth: [Self.rep(0.5, 2.5)], predicted: [], pairs: [], matching: Self.matching) { trace }
        .missed[0]
    }
    let near = missed([(0.5, 0.8), (0.5, 0.8), (0.55, 0.8), (0.5, 0.8), (0.5, 0.8)])
    #expect(near?.words == "hips height bottomed at 0.62, needs < 0.55 trunk lengths (turnMargin)")
    #expect(near?.parameter == "turnMargin")
    #expect(missed([(Float, Float)](repeating: (0.7, 0.95), count: 5))?.cause == .notReported)
    rule.learning = CountingRule.Limit(0.5, by: "periodicity")
    let unknown = [(turn: Float, end: Float)](repeating: (.nan, .nan), count: 5)
    #expect(missed(unknown)?.words == "nothing repeated clearly enough (periodicity)")
    let unclear = missed(unknown, clarity: [.nan, 0.25, 0.375, .nan, 0.125])
    #expect(
      unclear?.words
        == "nothing repeated clearly enough: autocorrelation peaked at 0.38, needs > 0.5 (periodicity)")
    #expect(unclear?.cause == .threshold && unclear?.value == 0.375 && unclear?.limit == 0.5)
    // How far it moves says nothing of a signal that is not chosen, but whether anything can be chosen.
    rule.range = CountingRule.Limit(0.6, by: "minimumRange")
    #expect(
      missed(unknown)?.words
        == "nothing repeated clearly enough: no movement is large and long enough (minimumRange)")
    #expect(missed(unknown, clarity: [0.375])?.words == unclear?.words)
  }
}
