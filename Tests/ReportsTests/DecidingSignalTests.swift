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

    func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "0", count: 64))) }

    func clip(_ index: Int) throws -> Clip {
      let frames = (0..<1200).flatMap { frame in
        Joint.allCases.flatMap { joint -> [Float] in
          let turn = Float(frame) / 15 + 0.7 * Float(joint.index)
          let place = Float(joint.index) / Float(Joint.count)
          return [0.3 + 0.4 * place + 0.15 * cos(turn), 0.2 + 0.6 * place + 0.15 * sin(turn), 0.9]
        }
      }
      let reps = [20, 26].map { Rep(start: Microseconds($0 * 1_000_000), end: Microseconds(($0 + 3) * 1_000_000)) }
      return Clip(
        info: Clip.Info(
          name: "circles", subject: "nobody", exercise: "squat", view: "side", fps: 30, split: "test"),
        keypoints: Keypoints(
          times: (0..<1200).map { Microseconds(frame: $0, rate: 30) }, keypointCount: Joint.count,
          channels: manifest.channels, frames: frames), labels: GroundTruth(reps: reps))
    }
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
  }

  /// Whatever a detector counts by is drawn first, with what it has to reach, and says why a rep was missed.
  @Test func everyDetectorDrawsItFirst() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("circles-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try Store(at: "\(folder)/store.sqlite")
    try store.importing(Circles())
    let dataset = try #require(store.datasets().first)
    let stored = try #require(store.clips(of: dataset).first)
    func play(_ setting: DetectorSetting) throws -> (clip: ReplayedClip, played: Played) {
      let clip = try ReplayedClip(
        stored, of: dataset, in: store, by: setting, under: ReplayConditions(),
        matching: RepMatching(instant: .end, tolerance: Microseconds(500_000)))
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
}
