import Coaching
import Foundation
import Pipeline
import PoseModel
import Testing

/// A detector that reports nothing of squats, or not with its defaults. It conforms in its own test file.
protocol ExampleDetector: Detector {
  static var example: DetectorTests.Example { get }
}

/// What holds for every detector.
@Suite struct DetectorTests {
  static let all = DetectorRegistry.builtInTypes

  /// Poses in which a detector with these values reports something.
  struct Example {
    var poses: PoseSequence
    var values: [String: Double] = [:]

    var frames: [PoseFrame] { (0..<poses.frameCount).map { poses.frame($0) } }
  }

  static func example(of type: any Detector.Type) -> Example {
    (type as? any ExampleDetector.Type)?.example ?? Example(poses: squats)
  }

  /// Squats of many depths and leans, the arms bending in between, with frames missing, in a plane of known depth,
  /// from a fixed recipe.
  static let squats = PoseSequence(
    (0..<2_000).map { index in
      let phase = Double(index) / 20
      let figure = StickFigure(
        knee: 125 + 50 * cos(phase) - 10 * sin(phase / 7), lean: 20 + 20 * sin(phase / 3),
        travel: 0.05 + 0.04 * sin(phase / 5),
        confidence: index % 37 == 0 ? 0.1 : 0.9)
      var frame = figure.frame(at: Double(index) / 30)
      frame.bendArms(to: 115 + 55 * cos(phase / 1.3))
      frame.setHips(depth: 0)
      return frame
    })

  /// The events of a replay in blocks of frames.
  static func replay(
    _ type: any Detector.Type, _ poses: PoseSequence, _ values: [String: Double] = [:], block: Int
  ) throws -> [Event] {
    func run<Base: Detector>(_ type: Base.Type) throws -> [Event] {
      var detector = try Base(replacing: values)
      let table = SignalTable(detector.signals, on: poses)
      let columns = table.columns(of: detector.signals)
      var events: [Event] = []
      for start in stride(from: 0, to: poses.frameCount, by: block) {
        let range = start..<min(start + block, poses.frameCount)
        poses.withPoses(range) { poses in
          table.withSignals(columns, range) { detector.update(poses, $0, events: &events) }
        }
      }
      return events
    }
    return try run(type)
  }

  /// The events in an app, frame by frame.
  static func live(
    _ type: any Detector.Type, _ frames: [PoseFrame], _ values: [String: Double] = [:]
  ) throws -> [Event] {
    func run<Base: Detector>(_ type: Base.Type) throws -> [Event] {
      var detector = LiveDetector(try Base(replacing: values))
      return frames.flatMap { detector.update($0) }
    }
    return try run(type)
  }

  @Test(arguments: all.indices)
  func anAppAndAReplayHearTheSame(_ index: Int) throws {
    let type = Self.all[index]
    let example = Self.example(of: type)
    let expected = try Self.live(type, example.frames, example.values)
    #expect(
      !expected.isEmpty,
      "\(type.profile.name) reports nothing of squats: add `extension \(type): ExampleDetector` to its test file")
    for block in [1, 7, 256, 5_000] {
      #expect(try Self.replay(type, example.poses, example.values, block: block) == expected)
    }
  }

  @Test(arguments: all.indices)
  func eventsComeInOrderAndNeverBeforeTheyHappen(_ index: Int) throws {
    let type = Self.all[index]
    let example = Self.example(of: type)
    let events = try Self.live(type, example.frames, example.values)
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.reported <= $1.reported })
    #expect(events.allSatisfy { $0.time <= $0.reported })
  }

  @Test(arguments: all.indices)
  func parametersAreDocumentedAndDefaultsAndPresetsAllowed(_ index: Int) throws {
    let type = Self.all[index]
    #expect(Set(type.parameters.map(\.name)).count == type.parameters.count)
    for parameter in type.parameters {
      #expect(parameter.range.contains(parameter.defaultValue), "\(parameter.name)")
      #expect(!parameter.summary.isEmpty && !parameter.source.isEmpty, "\(parameter.name)")
    }
    for preset in type.presets {
      #expect(throws: Never.self) { try ParameterValues(type.parameters, replacing: preset.values) }
    }
    #expect(type.profile.name.wholeMatch(of: /[a-z0-9-]+/) != nil)
    #expect(!type.profile.summary.isEmpty && !type.profile.source.isEmpty)
  }
}

extension PoseSequence {
  /// Frames of a square image, y downwards.
  init(_ frames: [PoseFrame]) {
    let values = frames.flatMap { frame in
      Joint.allCases.flatMap { joint in Channel.allCases.map { frame[joint, $0] } }
    }
    self.init(
      Keypoints(times: frames.map(\.time), keypointCount: Joint.count, channels: Channel.allCases, frames: values),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }
}
