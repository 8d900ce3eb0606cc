import Coaching
import Evaluation
import Pipeline
import PoseModel
import Scoring
import Testing

@Suite struct MetricFamiliesTests {
  private static let matching = RepMatching(instant: .end, tolerance: Microseconds(500_000))

  private func cooldown(of profile: DetectorProfile) throws -> Microseconds {
    let families = MetricFamilies.families(for: profile, matching: Self.matching)
    return try #require(families.compactMap { $0 as? CueMetrics }.first).cooldown
  }

  @Test func repeatsAreJudgedByTheCooldownThatIsDeclared() throws {
    let parameter = Parameter("pause", 2.5, in: 0...60, .seconds, "", source: "")
    let declared = DetectorProfile(
      name: "coach", kind: .form, exercise: "squat", summary: "", source: "",
      tasks: [.cues(every: parameter)])
    #expect(try cooldown(of: declared) == Microseconds(2_500_000))
    let silent = DetectorProfile(
      name: "coach", kind: .form, exercise: "squat", summary: "", source: "", tasks: [.cues(cooldown: nil)])
    #expect(try cooldown(of: silent) == Microseconds(4_000_000))
  }

  /// Who can be set to wait between two cues says so.
  @Test func everyDetectorDeclaresTheCooldownThatItHas() throws {
    let registry = try DetectorRegistry.builtIn.adding(DetectorRegistry(BuiltInExercises.exercises))
    let names: Set = ["speechCooldown", "cueCooldown", "repeatTime"]
    var declared = 0
    for definition in registry.detectors {
      let parameter = definition.parameters.first { names.contains($0.name) }
      #expect(
        definition.profile.tasks.cooldown == parameter.flatMap { Microseconds(seconds: $0.defaultValue) },
        "\(definition.profile.name)")
      if parameter != nil { declared += 1 }
    }
    #expect(declared > 15)
  }
}
