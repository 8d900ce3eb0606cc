import PoseModel

/// The frames of a rep, or of a part of a hold: how many were correct, and how long each fault lasted.
struct JudgedStretch: Sendable {
  private(set) var start: Microseconds?
  /// In the order in which they came up.
  private(set) var faults: [(fault: LiveFault, duration: Microseconds)] = []
  private var correct = 0
  private var judged = 0
  private var last: (fault: LiveFault?, time: Microseconds)?

  /// Share of correct frames in percent; `nil` where none was judged.
  var accuracy: Double? { judged > 0 ? 100 * Double(correct) / Double(judged) : nil }

  mutating func see(_ analysis: LiveAnalysis, at time: Microseconds) {
    if start == nil { start = time }
    // A fault lasts from the frame that has it until the next frame.
    if let last, let fault = last.fault { add(fault, for: time - last.time) }
    last = (analysis.fault, time)
    guard analysis.isJudged else { return }
    judged += 1
    if analysis.isCorrect { correct += 1 }
  }

  private mutating func add(_ fault: LiveFault, for duration: Microseconds) {
    for index in faults.indices where faults[index].fault == fault {
      faults[index].duration = faults[index].duration + duration
      return
    }
    faults.append((fault, duration))
  }

  /// Forgets what was; the frame at hand, where there is one, is the first.
  mutating func restart(with analysis: LiveAnalysis?, at time: Microseconds) {
    start = nil
    last = nil
    correct = 0
    judged = 0
    faults.removeAll(keepingCapacity: true)
    if let analysis { see(analysis, at: time) }
  }
}
