import Coaching
import Datasets
import Evaluation
import Foundation
import Pipeline
import PoseModel
import Statistics
import Testing

/// Every exercise that comes along, on a body whose joints all move: an app and a replay hear the same.
@Suite struct BuiltInExercisesReplayTests {
  /// Joints on circles of their own around a standing or lying body, some of them out of sight for some frames.
  static let poses: PoseSequence = {
    var random = SeededGenerator(seed: 7)
    let places = Joint.allCases.map { _ in
      (
        x: Float.random(in: 0.3...0.7, using: &random), y: Float.random(in: 0.2...0.9, using: &random),
        speed: Float.random(in: 1...4, using: &random)
      )
    }
    var values: [Float] = []
    for index in 0..<1_500 {
      let time = Float(index) / 30
      for joint in Joint.allCases {
        let place = places[joint.index]
        values += [
          place.x + 0.15 * cos(place.speed * time), place.y + 0.15 * sin(place.speed * time), 0.1 * cos(time),
          (index + joint.index * 11) % 97 == 0 ? 0.1 : 0.9,
        ]
      }
    }
    return PoseSequence(
      Keypoints(
        times: (0..<1_500).map { Microseconds(frame: $0, rate: 30) }, keypointCount: Joint.count,
        channels: Channel.allCases, frames: values),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }()

  @Test func anAppAndAReplayHearTheSameInOrder() throws {
    var said = 0
    for exercise in try BuiltInExercises.exercises {
      func live(_ base: some PoseObserver) -> [Event] {
        var detector = LiveDetector(base)
        return (0..<Self.poses.frameCount).flatMap { detector.update(Self.poses.frame($0)) }
      }
      let definition = exercise.definition
      let events = live(try definition.detector(ParameterValues(definition.parameters)))
      let setting = try DetectorSetting(definition)
      let replayed = Replay.events(of: setting, on: Self.poses, SignalTable(setting.signals, on: Self.poses))
      #expect(events == replayed, "\(exercise.name)")
      #expect(zip(events, events.dropFirst()).allSatisfy { $0.reported <= $1.reported }, "\(exercise.name)")
      #expect(events.allSatisfy { $0.time <= $0.reported }, "\(exercise.name)")
      said += events.count
    }
    #expect(said > 100)
  }
}
