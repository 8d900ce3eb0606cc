import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Simulation
import Testing

/// What is said of how people stand, lie and are seen in generated motion.
@Suite struct PostureClaimTests {
  static let detectors = ["pose-class", "distance-guide", "pose-quality"]

  private func phases(_ detector: String, preset: String? = nil, on poses: PoseSequence) throws -> [Event] {
    let definition = try DetectorRegistry.builtIn.detector(named: detector)
    let values = try preset.map { try #require(definition.preset(named: $0)).values } ?? [:]
    let setting = try DetectorSetting(definition, replacing: values)
    return Replay.events(of: setting, on: poses, SignalTable(setting.signals, on: poses)).filter {
      if case .phase = $0.kind { true } else { false }
    }
  }

  private func phase(_ events: [Event], at time: Double) -> String? {
    guard case .phase(let name) = events.last(where: { $0.time.seconds <= time })?.kind else { return nil }
    return name
  }

  private func motion(_ exercise: any Exercise) -> any SimulatedMotion {
    MotionGenerator(
      name: "shown", exercises: [exercise], scenarios: [.perfectForm], seed: 4, subjects: 1, clipsPerSubject: 1
    ).scene(subject: 0, clip: 0).motion
  }

  /// What people do in the start posture, if that is plain, and where each rep turns.
  @Test func posturesAreNamed() throws {
    let expected: [(exercise: any Exercise, start: String?, turn: String?)] = [
      (Squat(), "standing", "squatting"), (PushUp(), "plank", "plank"), (Deadlift(), "standing", "standing"),
      (ShoulderPress(), "standing", "hands-up"), (FrontRaise(), "standing", "standing"), (SitUp(), "lying", "sitting"),
      (PullUp(), "hands-up", nil),
    ]
    for (exercise, start, turn) in expected {
      let lying = exercise.framing.length > exercise.framing.height
      let recording = TrueRecording(motion(exercise), lying: lying, reps: 3)
      let events = try phases("pose-class", on: try #require(recording.poses[.side]))
      if let start { #expect(phase(events, at: 0.4) == start, "\(exercise.name) begins") }
      for rep in recording.truth.reps ?? [] {
        if let turn { #expect(phase(events, at: rep.turn) == turn, "\(exercise.name) turns") }
      }
    }
    let plank = TrueRecording(motion(Plank()), lying: true)
    let held = try #require(plank.truth.intervals.first)
    let events = try phases("pose-class", on: try #require(plank.poses[.side]))
    #expect(phase(events, at: (held.start + held.end) / 2) == "plank")
    // Before and after the hold the hips are on the floor, 0.1 trunk lengths above the elbows, and the shoulders as high.
    #expect(phase(events, at: 0.5) == "lying" && events.last?.kind == .phase("lying"))
  }

  /// From face to feet a body is seven eighths of its stature: right between 0.46 and 0.62 of the image.
  @Test(arguments: [(0.45, "too_far"), (0.62, "optimal"), (0.85, "too_close")]) func distance(
    _ stature: Double, _ expected: String
  ) throws {
    let recording = TrueRecording(motion(Squat()), lying: false, reps: 2, stature: stature)
    let poses = try #require(recording.poses[.side])
    let turn = try #require(recording.truth.reps?.first?.turn)
    for preset in [nil, "corrected"] {
      #expect(phase(try phases("distance-guide", preset: preset, on: poses), at: 0.4) == expected)
    }
    // By the document every frame is judged by itself: at the bottom of a squat a person is short, and too far.
    #expect(phase(try phases("distance-guide", on: poses), at: turn) == (stature > 0.8 ? "optimal" : "too_far"))
    #expect(phase(try phases("distance-guide", preset: "corrected", on: poses), at: turn) == expected)
  }

  /// The guide counts any joints, required or not, so that a body without feet is acceptable, and leaves stability at 1, so
  /// that one that trembles is. The preset `corrected` sees both.
  @Test func qualityGoesByWhatIsSeen() throws {
    let poses = try #require(TrueRecording(motion(Squat()), lying: false, reps: 2).poses[.side])
    func said(_ perturbations: String, preset: String? = nil) throws -> Set<String> {
      let seen = try Perturbations(perturbations, seed: 1).poses(poses, of: .coco17, clip: "squat")
      return Set(
        try phases("pose-quality", preset: preset, on: seen).compactMap { event in
          if case .phase(let name) = event.kind { name } else { nil }
        })
    }
    #expect(try said("fps=1000") == ["acceptable"])
    // (14 - 2) joints that are seen over 8 that are required is 1.5, where 0.8 is enough; of the required 6 of 8 are 0.75.
    #expect(try said("occlude=ankle") == ["acceptable"])
    #expect(try said("occlude=ankle", preset: "corrected") == ["unacceptable"])
    #expect(try said("noise=20%") == ["acceptable"])
    #expect(try said("noise=20%", preset: "corrected").contains("unacceptable"))
  }
}
