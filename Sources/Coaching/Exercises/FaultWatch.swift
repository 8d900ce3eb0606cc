import PoseModel

/// Watches for one fault of an exercise.
struct FaultWatch: Sendable {
  private struct Watched: Sendable {
    let signal: Int
    let phase: Int?
    let isAbove: Bool
    let threshold: Float
    var statistic: SignalStatistic

    func holds(for value: Float) -> Bool { isAbove ? value > threshold : value < threshold }
  }

  let name: String
  let deduction: Double
  let cue: Cue
  private var conditions: [Watched]

  init(_ fault: ExerciseFault, _ values: ParameterValues) {
    name = fault.name
    deduction = values[fault.deduction]
    cue = Cue(fault.message, fault.severity, fault: fault.name)
    conditions = fault.conditions.map {
      Watched(
        signal: $0.signal, phase: $0.phase, isAbove: $0.bound == .above, threshold: Float(values[$0.threshold]),
        statistic: SignalStatistic($0.statistic))
    }
  }

  /// Forgets the last rep.
  mutating func reset() {
    for index in conditions.indices { conditions[index].statistic.reset() }
  }

  /// Takes the next frame of a rep, or of its finish.
  mutating func add(_ values: [Float], phase: RepCycle.Phase, turns: Bool) {
    for index in conditions.indices {
      guard conditions[index].phase.map({ $0 == phase.rawValue }) ?? (phase != .start) else { continue }
      conditions[index].statistic.add(values[conditions[index].signal], turns: turns)
    }
  }

  /// Whether the rep that was taken frame by frame has the fault.
  var isPresent: Bool { conditions.allSatisfy { $0.holds(for: $0.statistic.value) } }

  /// Whether this frame has the fault.
  func isPresent(in values: [Float]) -> Bool {
    for index in conditions.indices where !conditions[index].holds(for: values[conditions[index].signal]) {
      return false
    }
    return true
  }
}

extension [FaultWatch] {
  /// The most severe of those that are present, the first of several.
  func worst(_ isPresent: (FaultWatch) -> Bool) -> FaultWatch? {
    var worst: FaultWatch?
    for watch in self where isPresent(watch) {
      if let found = worst, found.cue.priority >= watch.cue.priority { continue }
      worst = watch
    }
    return worst
  }
}
