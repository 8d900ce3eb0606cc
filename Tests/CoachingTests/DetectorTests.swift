import Coaching
import Foundation
import PoseModel
import Testing

/// What holds for every detector.
@Suite struct DetectorTests {
  static let all: [any Detector.Type] = [
    SquatStates.self, SquatPosture.self, DistanceGuide.self, PoseClassifier.self, PoseQuality.self, CoachSquat.self,
    CoachDeadlift.self, CoachBenchPress.self, LiveCoach<SquatAnalysis>.self, LiveCoach<DeadliftAnalysis>.self,
    LiveCoach<BenchPressAnalysis>.self, LiveTrainer<LiveSquat>.self, LiveTrainer<LivePlank>.self,
    LiveTrainer<LivePushUp>.self, LiveTrainer<LiveLunge>.self, RepsAny.self,
    FormJudge<SquatForm>.self, FormJudge<LungeForm>.self, PushUpJudge.self,
  ]

  /// Squats of many depths and leans, the arms bending in between, with frames missing, in a plane of known depth,
  /// from a fixed recipe.
  static let poses: PoseSequence = {
    var times: [Microseconds] = []
    var values: [Float] = []
    for index in 0..<2_000 {
      let phase = Double(index) / 20
      let figure = StickFigure(
        knee: 125 + 50 * cos(phase) - 10 * sin(phase / 7), lean: 20 + 20 * sin(phase / 3),
        travel: 0.05 + 0.04 * sin(phase / 5),
        confidence: index % 37 == 0 ? 0.1 : 0.9)
      var frame = figure.frame(at: Double(index) / 30)
      frame.bendArms(to: 115 + 55 * cos(phase / 1.3))
      frame.setHips(depth: 0)
      times.append(frame.time)
      for joint in Joint.allCases {
        for channel in Channel.allCases { values.append(frame[joint, channel]) }
      }
    }
    return PoseSequence(
      Keypoints(times: times, keypointCount: Joint.count, channels: Channel.allCases, frames: values),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }()

  func replay(_ type: any Detector.Type, block: Int) throws -> [Event] {
    func run<Base: Detector>(_ type: Base.Type) throws -> [Event] {
      var detector = try Base(replacing: [:])
      let table = SignalTable(detector.signals, on: Self.poses)
      let columns = table.columns(of: detector.signals)
      var events: [Event] = []
      for start in stride(from: 0, to: Self.poses.frameCount, by: block) {
        let range = start..<min(start + block, Self.poses.frameCount)
        Self.poses.withPoses(range) { poses in
          table.withSignals(columns, range) { detector.update(poses, $0, events: &events) }
        }
      }
      return events
    }
    return try run(type)
  }

  func live(_ type: any Detector.Type) throws -> [Event] {
    func run<Base: Detector>(_ type: Base.Type) throws -> [Event] {
      var detector = LiveDetector(try Base(replacing: [:]))
      return (0..<Self.poses.frameCount).flatMap { detector.update(Self.poses.frame($0)) }
    }
    return try run(type)
  }

  @Test(arguments: all.indices)
  func anAppAndAReplayHearTheSame(_ index: Int) throws {
    let type = Self.all[index]
    let expected = try live(type)
    #expect(!expected.isEmpty)
    for block in [1, 7, 256, 5_000] { #expect(try replay(type, block: block) == expected) }
  }

  @Test(arguments: all.indices)
  func eventsComeInOrderAndNeverBeforeTheyHappen(_ index: Int) throws {
    let events = try live(Self.all[index])
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.reported <= $1.reported })
    #expect(events.allSatisfy { $0.time <= $0.reported })
  }

  @Test(arguments: all.indices)
  func parametersAreDocumentedAndTheirDefaultsAllowed(_ index: Int) throws {
    let type = Self.all[index]
    #expect(Set(type.parameters.map(\.name)).count == type.parameters.count)
    for parameter in type.parameters {
      #expect(parameter.range.contains(parameter.defaultValue), "\(parameter.name)")
      #expect(!parameter.summary.isEmpty && !parameter.source.isEmpty, "\(parameter.name)")
    }
    #expect(type.profile.name.wholeMatch(of: /[a-z0-9-]+/) != nil)
    #expect(!type.profile.summary.isEmpty && !type.profile.source.isEmpty)
  }
}
