/// A fault that comes back.
struct Habit<Fault: Hashable & Sendable>: Hashable, Sendable {
  var fault: Fault
  /// In how many of the reps.
  var probability: Double
  /// 0...1, on average.
  var severity: Double

  /// The habits of the subject of this number: every `faults.count + 1`th has none, the others one of the faults in turn
  /// and perhaps a second, milder one.
  static func draw(index: Int, among faults: [Fault], using generator: inout SeededGenerator) -> [Self] {
    guard index % (faults.count + 1) > 0 else { return [] }
    let main = (index - 1) % (faults.count + 1)
    var habits = [
      Self(fault: faults[main], probability: generator.uniform(0.45, 0.8), severity: generator.uniform(0.35, 0.9))
    ]
    guard faults.count > 1 else { return habits }
    let other = faults[(main + generator.integer(1...faults.count - 1)) % faults.count]
    if generator.chance(0.4) {
      habits.append(
        Self(fault: other, probability: generator.uniform(0.15, 0.35), severity: generator.uniform(0.2, 0.6)))
    }
    return habits
  }

  /// Which habits show in one rep and how much: more of them, and more, in a tired body.
  static func severities(
    of habits: [Self], tiredness: Double, using generator: inout SeededGenerator
  ) -> [Fault: Double] {
    var severities: [Fault: Double] = [:]
    for habit in habits where generator.chance(min(habit.probability + 0.25 * tiredness, 1)) {
      severities[habit.fault] = min(max(habit.severity + 0.2 * tiredness + generator.normal(0, sd: 0.15), 0.05), 1)
    }
    return severities
  }
}
