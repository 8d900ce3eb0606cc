extension SquatPlanner {
  /// What a scenario asks for: no half squats or other movement, and faults in the squats of the scenario alone.
  mutating func plan(_ scenario: Scenario, in clip: ClipNumber) -> SquatMotion {
    // Nobody hurries, stays above level thighs or leans the shanks in a way of their own, who shows how it is done.
    profile.descent = max(profile.descent, 1.5)
    profile.thighRise = min(profile.thighRise, -2)
    profile.fullShank = SquatProfile.usualShank
    let fault = scenario.fault(of: SquatFault.usual, onRequest: SquatFault.onRequest, in: clip) { $0.rawValue }
    if SquatFault.onRequest.contains(fault) { judged.append(fault) }
    holdArms()
    if scenario == .fullWorkflow { walk(.arriving) }
    stand(rest, generator.uniform(0.4, 1.2))
    for (index, set) in scenario.sets(using: &generator).enumerated() {
      if index > 0 { stand(rest, generator.uniform(3.5, 6)) }
      settle(from: rest, to: armsAtTop)
      for (rep, severity) in set.enumerated() {
        squat(fullRep(with: fault, severity), counts: true)
        if rep < set.count - 1 && generator.chance(0.4) { stand(armsAtTop, generator.uniform(0.1, 0.5)) }
      }
      stand(armsAtTop, generator.uniform(0.3, 0.6))
      settle(from: armsAtTop, to: rest)
    }
    stand(rest, generator.uniform(0.6, 1.2))
    if scenario == .fullWorkflow { walk(.leaving) }
    return motion()
  }

  /// A full squat in which the fault is measured to be so bad, and without any where that is 0.
  private mutating func fullRep(with fault: SquatFault, _ severity: Double) -> SquatMovement {
    let standing = profile.standing
    let slow = generator.normal(1, sd: 0.05, limit: 2)
    let thighRise = profile.thighRise + generator.normal(0, sd: 1, limit: 2)
    let pause = generator.chance(0.2) ? generator.uniform(0.3, 1) : 0.04
    var squat = SquatMovement(
      top: standing, bottom: profile.bottom(thighRise: thighRise, faults: [:], slack: 0, arms: armsAtBottom),
      end: standing,
      armsAtTop: armsAtTop, armsAtBottom: armsAtBottom, descent: profile.descent * slow, pause: pause,
      ascent: profile.ascent * slow, skew: generator.uniform(-0.3, 0.3))
    guard severity > 0 else { return squat }
    // How much of a fault makes it how bad depends on the body.
    var (low, high) = (-0.5, 1.7)
    while high - low > 1e-3 {
      let middle = (low + high) / 2
      switch fault {
      case .rushed:
        // To speed up and brake evenly is all that gravity leaves time for.
        (squat.descent, squat.pause, squat.skew) = (1.2 - 0.6 * middle, 0.04, 0)
      case .offBalance: squat.hipShift = max(middle, 0) * profile.body.widestHipShift(profile.stance)
      default:
        squat.bottom = profile.bottom(thighRise: thighRise, faults: [fault: middle], slack: 0, arms: armsAtBottom)
      }
      if self.severity(of: fault, in: squat) < severity { low = middle } else { high = middle }
    }
    return squat
  }

  private func severity(of fault: SquatFault, in squat: SquatMovement) -> Double {
    let segment = SquatMotion.Segment(start: 0, duration: squat.duration, activity: .squat(squat), counts: true)
    let motion = SquatMotion(
      body: profile.body, spot: Placement(), stance: profile.stance, standing: profile.standing, rest: rest,
      segments: [segment], swayPhases: .zero)
    return motion.reps.first?.severity(fault) ?? 0
  }
}
