import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Scoring
import Simulation
import Testing

/// What swing detectors find in generated tennis, with half-swings and steps between the strokes.
@Suite struct SwingClaimTests {
  static let detectors = ["swing-states", "swing-peaks", "swing-strokes"]

  /// A right-hander, another, and a left-hander.
  @Test(arguments: [0, 1, 2]) func strokesAreFoundAndNamed(subject: Int) throws {
    let generator = MotionGenerator(
      name: "shown", exercises: [Tennis()], seed: 4, subjects: subject + 1, clipsPerSubject: 1)
    let recording = TrueRecording(generator.scene(subject: subject, clip: 0).motion, lying: false, rate: 30)
    let truth = recording.truth.events
    #expect(truth.count >= 5)
    for name in Self.detectors {
      let setting = try DetectorSetting(try DetectorRegistry.builtIn.detector(named: name))
      let poses = try #require(recording.poses[.front])
      let strokes = Replay.events(of: setting, on: poses, SignalTable(setting.signals, on: poses)).compactMap { event in
        if case .stroke(let stroke) = event.kind { stroke } else { nil }
      }
      let pairs = matchEvents(
        truth: truth.compactMap { Microseconds(seconds: $0.time) }, predicted: strokes.map(\.contact),
        tolerance: Microseconds(300_000))
      let named = pairs.count { truth[$0.truth].label == strokes[$0.predicted].label }
      let words: Comment =
        "\(name): \(pairs.count) of \(truth.count) found, \(strokes.count) said, \(named) rightly named"
      #expect(pairs.count >= truth.count - 1, words)
      // No half-swing passes for a stroke. But a quick player's hand that goes up for a serve and rests there can be as fast
      // as the least stroke, and passes for one of its own before the contact.
      let found = Set(pairs.map(\.predicted))
      for (index, stroke) in strokes.enumerated() where !found.contains(index) {
        let isTakeBack = truth.contains {
          let lead = $0.time - stroke.contact.seconds
          return $0.label == "serve" && 0.4 < lead && lead < 1
        }
        #expect(isTakeBack, "\(name) says a stroke at \(stroke.contact.seconds) s")
      }
      #expect(named >= pairs.count - 1, words)
    }
  }
}
