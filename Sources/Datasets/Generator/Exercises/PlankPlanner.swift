/// Decides how one subject holds a plank in one clip: from lying to lying, with faults in between.
struct PlankPlanner: Sendable {
  let subject: Subject
  let camera: Camera
  let faults: [Fault]
  var generator: SeededGenerator
  private var arrival: FloorPassage?
  private var stages: [PlankMotion.Stage] = []
  private var departure: FloorPassage?

  init(subject: Subject, camera: Camera, faults: [Fault], generator: SeededGenerator) {
    self.subject = subject
    self.camera = camera
    self.faults = faults
    self.generator = generator
  }

  /// - Parameter holding: without, the person stays on the floor for as long.
  mutating func plan(holding: Bool) -> PlankMotion {
    lie(generator.uniform(0.8, 2))
    if holding {
      hold(generator.uniform(-2, 3), generator.uniform(3, 6))
      holdByTurns()
      hold(generator.uniform(-2, 3), generator.uniform(2, 5))
    } else {
      stages[0].length += 15
    }
    lie(generator.uniform(0.5, 1.5))
    return motion
  }

  /// What a scenario asks for: a set is a time off the floor. In the full workflow someone walks up and off.
  mutating func plan(_ scenario: Scenario, in clip: ClipNumber) -> PlankMotion {
    let fault = scenario.fault(of: faults, in: clip) { $0.name }
    if scenario == .fullWorkflow {
      arrival = passage(.arriving)
      straighten(0.3)
    }
    lie(generator.uniform(0.8, 2))
    switch scenario {
    case .perfectForm: hold(generator.uniform(-2, 3), generator.uniform(10, 15))
    case .needsCorrection(_, let severity): hold(fault, severity, generator.uniform(10, 15))
    case .fullWorkflow:
      for set in 0..<2 {
        if set > 0 { lie(generator.uniform(3.5, 6)) }
        hold(generator.uniform(-2, 3), generator.uniform(4, 6))
        hold(fault, generator.uniform(0.4, 0.9), generator.uniform(2, 4))
        hold(generator.uniform(-2, 3), generator.uniform(2, 4))
      }
    }
    lie(generator.uniform(0.5, 1.5))
    if scenario == .fullWorkflow {
      straighten(0.3)
      departure = passage(.leaving)
    }
    return motion
  }

  private mutating func passage(_ kind: FloorPath.Kind) -> FloorPassage {
    FloorPassage(
      kind, of: subject, to: PlankMotion.support(of: subject.body, bend: 0), before: camera,
      using: &generator)
  }

  private var motion: PlankMotion {
    PlankMotion(subject: subject, arrival: arrival, stages: stages, departure: departure, faults: faults)
  }

  /// Two to four times a fault or none.
  private mutating func holdByTurns() {
    var last = ""
    for _ in 0..<generator.integer(2...4) {
      let fault = generator.chance(0.5) ? Fault.hipsHigh : .hipsSag
      let label = last == fault.name || last == "" ? fault.name : (generator.chance(0.5) ? "correct" : fault.name)
      let severity = generator.uniform(0.4, 1)
      if label == last || label == "correct" {
        hold(generator.uniform(-2, 3), generator.uniform(2, 5))
        last = "correct"
      } else {
        hold(fault, severity, generator.uniform(2, 5))
        last = label
      }
    }
  }

  private mutating func lie(_ seconds: Double) { stage(nil, bend: PlankMotion.lying, severity: 0, for: seconds) }

  /// Off the floor on the way down or up, not to hold it.
  private mutating func straighten(_ seconds: Double) { stage(nil, bend: 0, severity: 0, for: seconds) }

  /// Without a fault, the hips bent by so many degrees.
  private mutating func hold(_ bend: Double, _ seconds: Double) {
    stage("correct", bend: bend, severity: 0, for: seconds)
  }

  private mutating func hold(_ fault: Fault, _ severity: Double, _ seconds: Double) {
    stage(fault.name, bend: Prone.bend(Severities([fault: severity])), severity: severity, for: seconds)
  }

  private mutating func stage(_ label: String?, bend: Double, severity: Double, for seconds: Double) {
    let change = stages.isEmpty ? 0 : generator.uniform(0.7, 1.3)
    let start = stages.last.map { $0.start + $0.length } ?? arrival?.duration ?? 0
    stages.append(
      PlankMotion.Stage(
        start: start, change: change, length: change + seconds, bend: bend, label: label, severity: severity))
  }
}
