import Coaching
import Foundation
import PoseModel
import TestSupport
import Testing

/// The two ways in which a study saves work, on random movements at random settings: a block of frames skips those that
/// change nothing, and settings that a detector knows to be alike are replayed once.
@Suite struct ThresholdTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let definition: DetectorDefinition
    /// The parameters that are set, and how far.
    let ranges: [String: ClosedRange<Double>]
    /// The parameters by which settings must be found alike.
    let alike: Set<String>
    var testDescription: String { definition.profile.name }
  }

  static func cases() throws -> [Case] {
    let hand = ["start": -1.02 ... -0.95, "turn": -0.8 ... -0.4, "hysteresis": 0...0.05, "minimumDuration": 0...0.5]
    func raise(_ name: String, _ exercise: ExerciseDefinition, alike: Set<String>) -> Case {
      var exercise = exercise
      exercise.name = name
      return Case(definition: exercise.definition, ranges: hand, alike: alike)
    }
    typealias Fixture = ExerciseFixture
    func fault(phase: Int? = nil) -> ExerciseFault {
      Fixture.fault("low", .normal, costs: 20, .maximum, phase: phase, .below, -0.3)
    }
    let knee = ["upAngle": 130...165.0, "downAngle": 80...120.0, "hysteresis": 0...8.0, "minimumRepTime": 0...1.0]
    return [
      Case(
        definition: DetectorDefinition(SquatStates.self),
        ranges: ["standingAngle": 130...170, "bottomAngle": 70...115, "hysteresis": 0...7, "cooldown": 0...2],
        alike: ["bottomAngle"]),
      Case(definition: DetectorDefinition(LiveTrainer<LiveSquat>.self), ranges: knee, alike: ["downAngle"]),
      Case(definition: DetectorDefinition(LiveTrainer<LivePushUp>.self), ranges: knee, alike: ["downAngle"]),
      Case(definition: DetectorDefinition(LiveTrainer<LiveLunge>.self), ranges: knee, alike: ["downAngle"]),
      raise("plain", try Fixture.raise(), alike: ["turn"]),
      raise("forgetful", try Fixture.raise(forget: 0.2), alike: ["turn"]),
      raise("averaged", try Fixture.raise(average: 0.2), alike: ["turn"]),
      raise("judged", try Fixture.raise(faults: [fault()], finish: 0.2, attempt: -0.85), alike: ["turn"]),
      raise("phases", try Fixture.raise(faults: [fault(phase: 2)], attempt: -0.85), alike: []),
      raise("adaptive", try Fixture.raise(faults: [fault()], adapts: true), alike: ["start", "turn", "hysteresis"]),
    ]
  }

  /// Knees, elbows and so hands that bend between rest and random depths with jitter; some frames are not seen, and some
  /// come late.
  private func poses(_ random: inout TestGenerator) -> PoseSequence {
    var (times, values): ([Microseconds], [Float]) = ([], [])
    var (seconds, depth, phase) = (0.0, 0.5, 0.0)
    for _ in 0..<400 {
      seconds += random.chance(0.02) ? 0.5 : 1 / 30
      phase += 0.12
      if phase > 2 * .pi { (phase, depth) = (0, random.number(in: 0.1...1)) }
      let bend = depth * (1 - cos(phase)) / 2
      let confidence: Float = random.chance(0.97) ? 0.9 : random.chance(0.5) ? 0.1 : .nan
      let figure = StickFigure(knee: 172 - 105 * bend + random.number(in: -4...4), confidence: confidence)
      var frame = figure.frame(at: seconds)
      frame.bendArms(to: 165 - 110 * bend + random.number(in: -4...4))
      times.append(frame.time)
      for joint in Joint.allCases { for channel in Channel.allCases { values.append(frame[joint, channel]) } }
    }
    return PoseSequence(
      Keypoints(times: times, keypointCount: Joint.count, channels: Channel.allCases, frames: values),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }

  /// The events of the whole clip at once, and what the detector has become.
  private func replay(
    _ base: some PoseObserver, on poses: PoseSequence
  ) -> (events: [Event], detector: any PoseObserver) {
    var detector = base
    let table = SignalTable(detector.signals, on: poses)
    let (columns, frames) = (table.columns(of: detector.signals), 0..<poses.frameCount)
    var events: [Event] = []
    poses.withPoses(frames) { poses in
      table.withSignals(columns, frames) { detector.update(poses, $0, events: &events) }
    }
    return (events, detector)
  }

  private func frameByFrame(_ base: some PoseObserver, on poses: PoseSequence) -> (events: [Event], counted: Float) {
    var detector = LiveDetector(base)
    let events = (0..<poses.frameCount).flatMap { detector.update(poses.frame($0)) }
    return (events, detector.base.countedValue)
  }

  @Test(arguments: try cases()) func theSameAsTheSlowWay(_ tested: Case) throws {
    let names = tested.ranges.keys.sorted()
    let hasPhases = !tested.definition.profile.tasks.labels.isEmpty
    func predicted(_ events: [Event]) -> [Event] {
      events.filter { if case .phase = $0.kind { hasPhases } else { true } }
    }
    var (alike, different, reps) = (Set<String>(), Set<String>(), 0)
    for seed in 0..<12 as Range<UInt64> {
      var random = TestGenerator(seed: seed)
      let poses = poses(&random)
      var values = Dictionary(uniqueKeysWithValues: names.map { ($0, random.number(in: tested.ranges[$0] ?? 0...1)) })
      if seed % 3 == 0 { values["hysteresis"] = 0 }
      let all = try ParameterValues(tested.definition.parameters, replacing: values)
      let (events, detector) = replay(try tested.definition.detector(all), on: poses)
      let slow = frameByFrame(try tested.definition.detector(all), on: poses)
      #expect(events == slow.events, "seed \(seed), \(values)")
      #expect(detector.countedValue == slow.counted || (detector.countedValue.isNaN && slow.counted.isNaN))
      reps += events.reps.count
      for name in names {
        for _ in 0..<8 {
          var others = values
          others[name] = random.number(in: tested.ranges[name] ?? 0...1)
          let other = try tested.definition.detector(
            ParameterValues(tested.definition.parameters, replacing: others))
          let isAlike = detector.reportsAlike(with: others[name] ?? 0, of: name)
          if isAlike { alike.insert(name) } else { different.insert(name) }
          guard isAlike else { continue }
          #expect(predicted(replay(other, on: poses).events) == predicted(events), "seed \(seed), \(values), \(others)")
        }
      }
    }
    #expect(alike == tested.alike)
    #expect(reps > 10 && !different.isEmpty)
  }
}

extension TestGenerator {
  fileprivate mutating func number(in range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }
}
