extension SetPlanner {
  /// What a scenario asks for: no half reps, and faults in the reps of the scenario alone.
  ///
  /// Who lies or hangs for the exercise rests in the start posture; who does so on a bench or bar is there from the beginning
  /// to the end.
  mutating func plan(_ scenario: Scenario, in clip: ClipNumber) -> SetMotion {
    // Nobody hurries who shows how it is done.
    pace = max(pace, 1)
    let fault = scenario.fault(of: exercise.faults, onRequest: exercise.faultsOnRequest, in: clip) { $0.name }
    let stands = exercise is any StandingExercise
    let walks = stands && scenario == .fullWorkflow
    let getsDown = exercise is any ProneExercise && scenario == .fullWorkflow
    if walks { walk(.arriving) }
    if getsDown { pass(.arriving) }
    if stands { add(.stand, generator.uniform(0.4, 1.2)) }
    for (index, set) in scenario.sets(using: &generator).enumerated() {
      if index > 0 { pause(standing: stands) }
      if stands { add(.takeUp, generator.uniform(0.7, 1.1)) }
      hold(generator.uniform(0.5, 1.2))
      for (rep, severity) in set.enumerated() {
        fullRep(rep, severities: severity > 0 ? Severities([fault: severity]) : Severities(), tiredness: 0)
        if rep < set.count - 1 && generator.chance(0.4) { hold(generator.uniform(0.1, 0.5)) }
      }
      hold(generator.uniform(0.5, 1), to: 0, after: Severities())
      if stands { add(.putDown, generator.uniform(0.7, 1.1)) }
    }
    if stands { add(.stand, generator.uniform(0.6, 1.2)) } else { hold(generator.uniform(0.4, 0.8)) }
    if walks { walk(.leaving) }
    if getsDown { pass(.leaving) }
    return motion
  }

  /// The rest between two sets.
  private mutating func pause(standing stands: Bool) {
    let duration = generator.uniform(3.5, 6)
    if stands { add(.stand, duration) } else { hold(duration) }
  }
}
