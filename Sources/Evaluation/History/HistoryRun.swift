import Datasets
import Foundation

/// A run of the history: when, of what and by what, without its clips and metrics.
public struct HistoryRun: Sendable {
  /// `squat/2026-03-01T10-00-00Z`
  public var id: String
  /// ISO 8601, UTC.
  public var created: String
  /// With no metrics, no clips and nothing measured.
  public var head: RunResults
  /// `nil` for a run from before origins were kept.
  public var origin: RunOrigin?
  /// The releases that the run stands for: that it was marked with, then the tags at its commit.
  public var releases: [String]

  public var suite: String { head.suite }

  /// What was replayed: `squat-sample sha256:9c50…`, one after the other where there are several. Runs with the same
  /// have the same poses and labels before them.
  public var data: String {
    head.datasets.map { "\($0.name) \($0.content)" }.sorted().joined(separator: ", ")
  }

  /// The same for people: `squat-sample 9c50f74`.
  public var shortData: String {
    head.datasets.map { "\($0.name) \($0.content.replacing("sha256:", with: "").prefix(7))" }.sorted()
      .joined(separator: ", ")
  }

  /// What decides, beside the detectors, what a value means: runs that differ in it are not held against each other.
  var conditions: Conditions {
    Conditions(
      suite: suite, data: data, matching: head.matching, camera: head.camera, perturbation: head.perturbation)
  }

  struct Conditions: Hashable {
    var suite: String
    var data: String
    var matching: RunResults.Matching
    var camera: LiveCamera
    var perturbation: RunResults.Perturbation?
  }

  /// Parameters that are not at their defaults, what went wrong on purpose and a filter: `squat-states.bottomAngle=100
  /// perturbed=noise=2% smoothing=median:5`.
  public var changedSettings: [String] {
    head.detectors.flatMap { detector in
      detector.changed.sorted().compactMap { name in
        detector.parameters[name].map { "\(detector.name).\(name)=\($0.plainText)" }
      }
    } + (head.perturbation.map { ["perturbed=\($0.text)"] } ?? []) + (head.smoothing.map { ["smoothing=\($0)"] } ?? [])
  }
}

extension Double {
  /// Without needless decimals.
  fileprivate var plainText: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}

/// Which runs of the history are wanted.
public struct HistoryFilter: Hashable, Sendable {
  public var suite: String?
  public var detector: String?
  public var dataset: String?
  /// The beginning of a commit's hash.
  public var revision: String?
  /// What the run stands for: `v1.0`; `anyRelease` for any.
  public var release: String?
  /// ISO 8601: `2026-03-01`, or with the time behind it.
  public var since: String?
  /// No more than so many of the newest.
  public var last: Int?

  public init(
    suite: String? = nil, detector: String? = nil, dataset: String? = nil, revision: String? = nil,
    release: String? = nil, since: String? = nil, last: Int? = nil
  ) {
    self.suite = suite
    self.detector = detector
    self.dataset = dataset
    self.revision = revision
    self.release = release
    self.since = since
    self.last = last
  }

  /// Takes every run that stands for a release.
  public static let anyRelease = "any"

  func admits(_ run: HistoryRun) -> Bool {
    if let detector, !run.head.detectors.contains(where: { $0.name == detector }) { return false }
    if let dataset, !run.head.datasets.contains(where: { $0.name == dataset }) { return false }
    if let revision, run.origin?.revision?.hasPrefix(revision.lowercased()) != true { return false }
    if let release, release == Self.anyRelease ? run.releases.isEmpty : !run.releases.contains(release) { return false }
    // Times of the same form are in the order of their letters.
    if let since, run.created < since { return false }
    return true
  }
}
