import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Simulation

/// A set of an exercise that shows one thing: perfect form, or one fault in every rep.
struct ShownForm {
  /// `nil` for perfect form.
  let fault: String?
  let recording: TrueRecording

  /// Perfect form and each fault that the generator can act out, each by another person.
  static func all(of name: String, severity: Double = 1) throws -> [ShownForm] {
    guard let exercise = Exercises.named(name) else { return [] }
    let lying = exercise.framing.length > exercise.framing.height
    func shown(_ scenario: Scenario, _ fault: String?, subject: Int) -> ShownForm {
      let generator = MotionGenerator(
        name: "shown", exercises: [exercise], scenarios: [scenario], seed: 4, subjects: subject + 1, clipsPerSubject: 1)
      let motion = generator.scene(subject: subject, clip: 0).motion
      return ShownForm(fault: fault, recording: TrueRecording(motion, lying: lying, reps: 4))
    }
    // A subject's first clip shows the fault of the subject's number, in turn.
    return [shown(.perfectForm, nil, subject: 0)]
      + faults(of: exercise).enumerated().map { shown(.needsCorrection(severity: severity), $1, subject: $0) }
      + faultsOnRequest(of: exercise).enumerated().map {
        shown(.needsCorrection(of: $1, severity: severity), $1, subject: $0)
      }
  }

  /// In the order in which scenarios show them.
  static func faults(of exercise: any Exercise) -> [String] {
    switch exercise {
    case let repetition as any RepetitionExercise: repetition.faults.map { $0.name }
    case let plank as Plank: plank.faults.map { $0.name }
    case is Squat: Simulation.SquatFault.usual.map { $0.rawValue }
    default: []
    }
  }

  /// Those that scenarios show where they are asked for by name.
  static func faultsOnRequest(of exercise: any Exercise) -> [String] {
    switch exercise {
    case let repetition as any RepetitionExercise: repetition.faultsOnRequest.map { $0.name }
    case is Squat: Simulation.SquatFault.onRequest.map { $0.rawValue }
    default: []
    }
  }

  /// What a detector says of it.
  func events(of setting: DetectorSetting, from view: TrueRecording.View) -> [Event] {
    guard let poses = recording.poses[view] else { return [] }
    return Replay.events(of: setting, on: poses, SignalTable(setting.signals, on: poses))
  }

  /// In how many of the true reps each fault was reported; reports on anything else count for a rep of their own.
  func reported(_ events: [Event]) -> [String: Int] {
    let reps = recording.truth.reps ?? []
    var places: [String: Set<Int>] = [:]
    for (index, event) in events.enumerated() {
      guard case .fault(let fault, let rep) = event.kind else { continue }
      let place = reps.firstIndex { rep.start.seconds < $0.turn && $0.turn < rep.end.seconds }
      places[fault, default: []].insert(place ?? -1 - index)
    }
    return places.mapValues(\.count)
  }
}

extension [Event] {
  var repCount: Int { count { if case .rep = $0.kind { true } else { false } } }
}
