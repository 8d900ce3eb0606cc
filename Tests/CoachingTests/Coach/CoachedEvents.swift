import Coaching
import PoseModel

/// What a detector said, sorted by kind.
struct CoachedEvents {
  var all: [Event]

  /// Feeds the frames one by one.
  init<Base: Detector>(_ type: Base.Type, _ frames: [PoseFrame], replacing: [String: Double] = [:]) throws {
    var detector = LiveDetector(try Base(replacing: replacing))
    all = frames.flatMap { detector.update($0) }
  }

  var reps: [Rep] { all.compactMap { if case .rep(let rep) = $0.kind { rep } else { nil } } }
  var faults: [String] { all.compactMap { if case .fault(let name, _) = $0.kind { name } else { nil } } }
  var cues: [Cue] { all.compactMap { if case .cue(let cue) = $0.kind { cue } else { nil } } }
  var phases: [String] { all.compactMap { if case .phase(let phase) = $0.kind { phase } else { nil } } }
  var haptics: [HapticPattern] { all.compactMap { if case .haptic(let pattern) = $0.kind { pattern } else { nil } } }

  func grades(_ criterion: String = "form") -> [Double] {
    all.compactMap { event in
      if case .grade(criterion, let value, _) = event.kind { value } else { nil }
    }
  }
}
