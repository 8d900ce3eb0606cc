extension [TimedPhase] {
  /// These phases, cut where what people labelled changes, each part with whether people named it so too; `nil` where they
  /// labelled nothing.
  public func judged(by truth: [TimedPhase]) -> [(phase: TimedPhase, isRight: Bool?)] {
    let labelled = truth.filter(\.isComplete).sorted { $0.start < $1.start }
    let edges = Set(labelled.flatMap { [$0.start, $0.end] }).sorted()
    var parts: [(phase: TimedPhase, isRight: Bool?)] = []
    for phase in self where phase.isComplete {
      var start = phase.start
      for end in edges.filter({ phase.start < $0 && $0 < phase.end }) + [phase.end] where end > start {
        let middle = start + (end - start) / 2
        let names = labelled.filter { $0.start <= middle && middle < $0.end }.map(\.name)
        parts.append(
          (
            TimedPhase(start: start, end: end, name: phase.name),
            names.isEmpty ? nil : names.contains(phase.name)
          ))
        start = end
      }
    }
    return parts
  }

  /// How many seconds people labelled, and for how many of them these phases have the same name.
  public func agreement(with truth: [TimedPhase]) -> (labelled: Double, right: Double) {
    let right = judged(by: truth).filter { $0.isRight == true }.reduce(0) { $0 + $1.phase.end - $1.phase.start }
    return (truth.filter(\.isComplete).reduce(0) { $0 + $1.end - $1.start }, right)
  }
}

extension TimedPhase {
  var isComplete: Bool { start.isFinite && end.isFinite && start <= end }
}
