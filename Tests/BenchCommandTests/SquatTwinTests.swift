import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Importers
import Pipeline
import PoseModel
import Statistics
import TestSupport
import Testing

/// The squat analyser's state machine as a file says of every clip what the one in code says, event by event.
@Suite struct SquatTwinTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let file = """
    exercise: squat-twin
    summary: Counts squats by the knee angle.
    source: "squat form analyser: State Machine for Rep Counting"
    joints: [hip, knee, ankle]
    signals:
      knee: { angle: [hip, knee, ankle] }
    count:
      signal: knee
      start: { name: standingAngle, value: 160, range: [90, 180] }
      turn: { name: bottomAngle, value: 90, range: [20, 170] }
      hysteresis: { value: 5, range: [0, 45] }
      cooldown: { value: 0.5, range: [0, 10] }
      minimum_duration: 0
      phases: [standing, descending, bottom, ascending]
    """

  /// The reps and phases of `squat-states` and of the file.
  private func events(on poses: PoseSequence, replacing values: [String: Double] = [:]) throws -> (
    code: [Event], file: [Event]
  ) {
    let exercise = try ExerciseDefinition(yaml: InputFile(name: "squat-twin.yaml", bytes: Data(Self.file.utf8)))
    let settings = [
      try DetectorSetting(DetectorDefinition(SquatStates.self), replacing: values),
      try DetectorSetting(exercise.definition, replacing: values),
    ]
    let table = SignalTable(settings.flatMap(\.signals), on: poses)
    let said = settings.map { setting in
      Replay.events(of: setting, on: poses, table).filter { event in
        switch event.kind {
        case .rep, .phase: true
        default: false
        }
      }
    }
    return (said[0], said[1])
  }

  @Test func onTheSample() throws {
    let folder = try DatasetFolder(Self.package.appendingPathComponent("datasets/squat-sample").path)
    var count = 0
    for index in folder.clips.indices {
      let events = try events(on: folder.clip(index).poses(folder.manifest))
      #expect(events.code == events.file, "\(folder.clips[index].info.name)")
      count += events.code.count
    }
    #expect(folder.clips.count == 36 && count > 100)
  }

  /// A walk of the knee angle with jumps and frames without a person, at the defaults and at other values.
  @Test(arguments: 1...20) func onRandomMotion(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var keypoints: [Float] = []
    var angle = 170.0
    for _ in 0..<3_000 {
      angle = min(180, max(30, angle + .random(in: -25...25, using: &random)))
      if .random(in: 0...1, using: &random) < 0.02 { angle = .random(in: 30...180, using: &random) }
      let isSeen = Double.random(in: 0...1, using: &random) > 0.1
      for joint in Joint.allCases {
        // The ankle below the knee, the hip at the angle from it.
        let turned = angle * .pi / 180
        let place: (Double, Double)? =
          switch joint {
          case .leftAnkle: (0.5, 0.8)
          case .leftKnee: (0.5, 0.6)
          case .leftHip: (0.5 + 0.2 * sin(turned), 0.6 + 0.2 * cos(turned))
          default: nil
          }
        keypoints += place.map { [Float($0.0), Float($0.1), .nan, isSeen ? 0.9 : 0.2] } ?? [.nan, .nan, .nan, 0]
      }
    }
    let poses = PoseSequence(
      Keypoints(
        times: (0..<3_000).map { Microseconds(frame: $0, rate: 30) }, keypointCount: Joint.count,
        channels: Channel.allCases, frames: keypoints),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
    let values: [[String: Double]] = [
      [:], ["bottomAngle": 110, "standingAngle": 150, "hysteresis": 0], ["cooldown": 3],
    ]
    for values in values {
      let events = try events(on: poses, replacing: values)
      #expect(events.code == events.file, "seed \(seed), \(values)")
      #expect(events.code.count > 20)
    }
  }

  /// Squats and all that is none: both must be wrong in the same way, too. Of long sets every n-th clip.
  @Test(arguments: [
    ("repcount-pose", 1), ("ui-prmd", 2), ("exercise-correction", 1), ("pushfit", 2), ("golf-swing", 6),
    ("tennis-shots", 20), ("tennis-stream", 1),
  ])
  func onTheRecordings(_ format: String, _ step: Int) throws {
    guard let recordings = Shared.recordings(format) else { return }
    let importer = try #require(Importers.sets.first { $0.format == format })
    var frames = 0
    var count = 0
    for source in try Importers.datasets(importer, from: recordings, options: ImportOptions()) {
      for index in stride(from: 0, to: source.clipCount, by: step) {
        let clip = try source.clip(index)
        let poses = try clip.poses(source.manifest)
        frames += poses.frameCount
        let flat = try events(on: poses, replacing: ["usesDepth": 0])
        let deep = try events(on: poses, replacing: ["usesDepth": 1])
        let agreeInPicture = flat.code == flat.file
        #expect(agreeInPicture, "\(clip.info.name)")
        // A file measures in the picture where depth is guessed, and for the first second everywhere. What began in it
        // is over after sixteen, when a person who began in a lunge stands.
        let later = Microseconds(16_000_000)
        let agreeInSpace =
          format == "ui-prmd"
          ? deep.file.filter { $0.time > later } == deep.code.filter { $0.time > later } : deep.file == flat.code
        #expect(agreeInSpace, "\(clip.info.name)")
        count += flat.code.count + deep.code.count
      }
    }
    #expect(frames > 1_000)
    if format == "repcount-pose" { #expect(count > 1_000) }
  }
}
