import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Testing

/// What is said of a plank that is held right, too high or too low.
@Suite struct PlankClaimTests {
  static let detectors = ["live-plank", "exercise-plank"]

  /// The share of the held time that is called so.
  private func share(_ name: String, of form: ShownForm, by detector: String, preset: String? = nil) throws -> Double {
    let definition = try #require(try FormClaimTests.definitions().first { $0.profile.name == detector })
    let values = try preset.map { try #require(definition.preset(named: $0)).values } ?? [:]
    let events = form.events(of: try DetectorSetting(definition, replacing: values), from: .side)
    let held = try #require(form.recording.truth.intervals.first)
    let times = form.recording.poses[.side]?.times.map(\.seconds).filter { held.start < $0 && $0 < held.end } ?? []
    let said = times.count { time in
      let phase = events.last { event in
        if case .phase = event.kind { event.time.seconds <= time } else { false }
      }
      return phase?.kind == .phase(name)
    }
    return Double(said) / Double(times.count)
  }

  @Test func rightAndWrongHipsAreTold() throws {
    let forms = try ShownForm.all(of: "plank")
    for form in forms {
      let truth = form.fault ?? "correct"
      for (detector, preset) in [("exercise-plank", nil), ("live-plank", "corrected")] {
        let share = try share(truth, of: form, by: detector, preset: preset)
        #expect(share > 0.9, "\(detector) calls \(share) of \(truth) so")
      }
    }
    // By the document, hips are right that are as high as the shoulders, which on forearms those of a bent body are.
    let high = try #require(forms.first { $0.fault == "hips_high" })
    #expect(try share("correct", of: high, by: "live-plank") > 0.9)
    let right = try #require(forms.first { $0.fault == nil })
    #expect(try share("correct", of: right, by: "live-plank") > 0.9)
  }
}
