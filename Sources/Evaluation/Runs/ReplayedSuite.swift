import Coaching
import Scoring

/// A run together with what it was scored from, so that parts of it can be scored again.
public struct ReplayedSuite: Sendable {
  public internal(set) var results: RunResults
  /// What each detector is, in the order of `results.detectors`.
  public let profiles: [DetectorProfile]
  /// By clip, in the order of `results.clips`, then by detector, in that of `results.detectors`.
  let scored: [[ScoredClip]]
  let matching: RepMatching
}
