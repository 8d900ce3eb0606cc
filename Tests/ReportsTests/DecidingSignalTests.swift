import Coaching
import Datasets
import Foundation
import Pipeline
import PoseModel
import Scoring
import Testing

@testable import Evaluation
@testable import Reports

/// The signal that decides, in the player of pages and of `bench view`.
@Suite struct DecidingSignalTests {
  /// A body whose joints go round circles of their own every π s, for 40 s, with two reps labelled where they may be.
  private struct Circles: DatasetSource {
    let manifest = Manifest(
      name: "circles", version: "1", licence: "CC0-1.0", source: "placed by hand", origin: .synthetic,
      skeleton: Skeleton.common.name, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down),
      channels: [.x, .y, .confidence])
    let clipCount = 1
    var labels = GroundTruth(
      reps: [20, 26].map { Rep(start: Microseconds($0 * 1_000_000), end: Microseconds(($0 + 3) * 1_000_000)) })

    func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "0", count: 64))) }

    func clip(_ index: Int) throws -> Clip {
      let frames = (0..<1200).flatMap { frame in
        Joint.allCases.flatMap { joint -> [Float] in
          let turn = Float(frame) / 15 + 0.7 * Float(joint.index)
          let place = Float(joint.index) / Float(Joint.count)
          return [0.3 + 0.4 * place + 0.15 * cos(turn), 0.2 + 0.6 * place + 0.15 * sin(turn), 0.9]
        }
      }
      return Clip(
        info: Clip.Info(
          name: "circles", subject: "nobody", exercise: "squat", view: "side", fps: 30, split: "test"),
        keypoints: Keypoints(
          times: (0..<1200).map { Microseconds(frame: $0, rate: 30) }, keypointCount: Joint.count,
          channels: manifest.channels, frames: frames), labels: labels)
    }
  }

  /// The clip in a store of its own.
  private struct Kept {
    private let folder: String
    private let store: Store
    private let dataset: StoredDataset
    private let clip: StoredClip

    init(_ source: Circles) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("circles-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      store = try Store(at: "\(folder)/store.sqlite")
      try store.importing(source)
      dataset = try #require(store.datasets().first)
      clip = try #require(store.clips(of: dataset).first)
    }

    func replay(_ setting: DetectorSetting) throws -> ReplayedClip {
      try ReplayedClip(
        clip, of: dataset, in: store, by: setting, under: ReplayConditions(),
        matching: RepMatching(instant: .end, tolerance: Microseconds(500_000)))
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
  }

  private struct Played: Decodable {
    struct Guide: Decodable { var value: Double }
    struct Moving: Decodable {
      var label: String
      var values: [Double?]
    }
    struct Series: Decodable {
      var name: String
      var unit: String
      var guides: [Guide]
      var moving: [Moving]
    }
    struct Span: Decodable {
      var isMatched: Bool
      var why: String?
    }
    var signals: [Series]
    var truth: [Span]
    var cause: String?
  }

  /// Whatever a detector counts by is drawn first, with what it has to reach, and says why a rep was missed.
  @Test func everyDetectorDrawsItFirst() throws {
    let circles = try Kept(Circles())
    defer { circles.remove() }
    func play(_ setting: DetectorSetting) throws -> (clip: ReplayedClip, played: Played) {
      let clip = try circles.replay(setting)
      let json = try #require(try Player.Entry(title: "circles", clip: clip).json())
      return (clip, try JSONDecoder().decode(Played.self, from: json))
    }
    var drawn: Set<String> = []
    let exercises = try BuiltInExercises.exercises
    for definition in DetectorRegistry.builtIn.detectors + exercises.map(\.definition) + exercises.compactMap(\.counter)
    {
      let setting = try DetectorSetting(definition)
      let (clip, played) = try play(setting)
      guard let counting = clip.counting, counting.values.contains(where: \.isFinite) else { continue }
      drawn.insert(setting.name)
      let first = try #require(played.signals.first, "\(setting.name)")
      let isTraced = setting.profile.kind == .swing && first.name == "faster wrist's speed"
      #expect(isTraced || first.name.hasPrefix(counting.rule.signal), "\(setting.name): \(first.name)")
      // Thresholds that follow the signal are unknown until it has moved, and a range or a network's score has none.
      let isKnown = counting.levels.contains { $0.turn.isFinite }
      #expect(
        !isKnown || !first.guides.isEmpty || first.moving.contains { $0.values.contains { $0 != nil } },
        "\(setting.name)")
      if definition.profile.tasks.counts {
        #expect(played.truth.allSatisfy { $0.isMatched || $0.why != nil }, "\(setting.name)")
      }
    }
    for name in ["squat-states", "reps-any", "reps-squat", "exercise-squat", "coach-squat", "judge-push-up"] {
      #expect(drawn.contains(name), "\(name)")
    }
    #expect(drawn.count > 30, "\(drawn.count)")
    // As long as nothing repeats clearly enough to be chosen, how clearly the best movement does.
    let strict = try DetectorSetting(
      DetectorRegistry.builtIn.detector(named: "reps-any"),
      replacing: ["periodicity": 1, "shortPeriodicity": 1, "clearPeriodicity": 1])
    let (_, unchosen) = try play(strict)
    #expect(
      unchosen.truth.count == 2 && unchosen.truth.allSatisfy { $0.why?.contains("autocorrelation peaked") ?? false })
    let clarity = unchosen.signals.first { $0.name == "autocorrelation of the best movement" }
    #expect(clarity?.guides.map(\.value) == [1])
  }

  /// Grades two reps at 30 s, of which the second begins before the label of the first ends.
  private struct Neighbours: Detector {
    static let profile = DetectorProfile(
      name: "neighbours", kind: .form, exercise: "squat", summary: "", source: "", tasks: [.grades("form")])
    static let parameters: [Parameter] = []
    private var isDone = false

    init(_ values: ParameterValues) throws(ParameterError) {}

    mutating func update(
      _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
    ) {
      for frame in 0..<poses.count where !isDone && poses.time(frame) >= Microseconds(30_000_000) {
        isDone = true
        for (start, end, grade, measure, value) in [(19.5, 22.7, 94.0, "lean", 1.0), (22.8, 26.1, 3.0, "tilt", 9.0)] {
          guard let start = Microseconds(seconds: start), let end = Microseconds(seconds: end) else { continue }
          let rep = Rep(start: start, end: end)
          let evidence = JudgedEvidence(measure, unit: "", value: value, sound: 0.5, limit: 50)
          events.append(Event(poses.time(frame), .grade(criterion: "form", value: grade, rep: rep), evidence: evidence))
          if grade < 50 { events.append(Event(poses.time(frame), .fault("tilts", rep: rep))) }
        }
      }
    }
  }

  /// The grade and measure behind a wrong judgement are those of the rep that was compared, not of a lower neighbour.
  @Test func aWrongJudgementNamesItsOwnMeasure() throws {
    let reps = [20, 23].map { Rep(start: Microseconds($0 * 1_000_000), end: Microseconds(($0 + 3) * 1_000_000)) }
    let faults = (0...1).map { GroundTruth.Fault(rep: $0, rater: "anna", name: "incorrect", present: true) }
    let circles = try Kept(Circles(labels: GroundTruth(reps: reps, faults: faults)))
    defer { circles.remove() }
    let judge = try DetectorSetting(DetectorRegistry([Neighbours.self]).detector(named: "neighbours"))
    #expect(
      try circles.replay(judge).misjudgedSentences == [
        "rep 1: labelled faulty, no fault reported, graded 94.0, faulty below 50; most faulty measure: lean 1.00, "
          + "sound 0.50"
      ])
  }

  /// Where only a count is labelled, a run keeps no reason: the screen of a run says at once what
  /// the replay shows of the worst clip.
  @Test func aRunSaysWhyItsWorstClipIsCountedWrong() throws {
    let circles = try Kept(Circles(labels: GroundTruth(repCount: 99)))
    defer { circles.remove() }
    let setting = try DetectorSetting(DetectorRegistry.builtIn.detector(named: "squat-states"))
    let clip = try circles.replay(setting)
    let why = try #require(clip.countEvidence?.clues(counted: clip.outcome?.count ?? 0, true: 99).first?.words)
    let results = RunResults(
      bench: "test", suite: "circles", suiteVersion: 1, datasets: [],
      detectors: [
        RunResults.DetectorCard(name: "squat-states", kind: "reps", summary: "", parameters: [:], changed: [])
      ], matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero), metrics: [], clips: [clip.result], measured: [:], slices: [])
    #expect(results.reasonWords("squat-states", on: clip.result) == nil)
    let report = try RunReport(
      results, run: RunReport.Run(name: "run", created: "2026-03-01T10:00:00Z", origin: nil), baseline: nil
    ) { _, _, _ in clip }
    let blocks = RunScreen(report, in: "reports").blocks
    #expect(Array(blocks.dropFirst().prefix(1)) == [.fact("why", "\(report.withoutDataset(clip.result.id)): \(why)")])
    #expect(report.firstClip?.hasSuffix("Why: \(why).") == true)
    // Pages say it too, whatever the moment.
    let player = try #require(try Player.Entry(title: "circles", clip: clip).json())
    #expect(try JSONDecoder().decode(Played.self, from: player).cause == clip.firstCause && clip.firstCause != nil)
  }
}
