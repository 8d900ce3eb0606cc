import Coaching
import Datasets
import PoseModel
import Scoring

/// How recordings reach a detector, and what their labels are called.
public struct ReplayConditions: Sendable {
  /// What goes wrong with a recording before anything else; `nil` for nothing.
  public var perturbations: Perturbations?
  /// What the poses go through before a detector sees them; `nil` for nothing.
  public var smoothing: Smoothing?
  /// Through which clips are replayed live too; `nil` for no live replay, which doubles the work.
  public var camera: LiveCamera?
  /// New names for labels of events and intervals: a slice played on the forehand side is a forehand.
  public var labels: [String: String]
  /// Whether subjects of the same name are one person in all datasets, whatever the datasets say.
  public var sharesPeople: Bool

  public init(
    perturbations: Perturbations? = nil, smoothing: Smoothing? = nil, camera: LiveCamera? = nil,
    labels: [String: String] = [:], sharesPeople: Bool = false
  ) {
    self.sharesPeople = sharesPeople
    self.perturbations = perturbations
    self.smoothing = smoothing
    self.camera = camera
    self.labels = labels
  }

  /// The name that stands before a subject's: the same in datasets of the same people.
  func people(of manifest: Manifest) -> String { sharesPeople ? "shared" : manifest.people ?? manifest.name }
}

/// A clip decoded once, as detectors get it: every replay of a dataset's clip begins here.
public struct PreparedClip: Sendable {
  public let info: Clip.Info
  /// The dataset's name.
  public let dataset: String
  /// The dataset's, or the name that several datasets give to the same people.
  let people: String
  /// With the labels' new names.
  public let groundTruth: GroundTruth
  /// As the detectors see them: perturbed, then smoothed.
  public let poses: PoseSequence
  private var signals: SignalTable
  /// What a live camera lets through.
  private var live: LiveView?
  /// How much later than it is known anything is said.
  private let delay: Microseconds

  private struct LiveView: Sendable {
    let camera: LiveCamera
    let poses: PoseSequence
    var signals: SignalTable
  }

  /// Decodes a clip and measures signals on it.
  ///
  /// - Parameter signals: those of the detectors that it will be replayed to; more can be measured later.
  /// - Throws: `EvaluationError.missing` for a clip with labels only, or one that can't be perturbed so.
  public init(
    _ stored: StoredClip, of dataset: StoredDataset, in store: Store, under conditions: ReplayConditions,
    measuring signals: [any Signal] = []
  ) throws {
    let manifest = dataset.manifest
    let clip = try store.clip(stored, of: dataset)
    var recorded = try clip.poses(manifest)
    if let perturbations = conditions.perturbations, let skeleton = Skeleton.named(manifest.skeleton) {
      recorded = try perturbations.poses(recorded, of: skeleton, clip: "\(manifest.name)/\(clip.info.name)")
    }
    func seen(_ poses: PoseSequence) -> PoseSequence {
      conditions.smoothing.map { poses.smoothed(by: $0) } ?? poses
    }
    info = clip.info
    self.dataset = manifest.name
    people = conditions.people(of: manifest)
    groundTruth = clip.labels.renamed(conditions.labels)
    poses = seen(recorded)
    self.signals = SignalTable(signals, on: poses)
    // What smooths the poses sees only the frames that the camera lets through.
    live = conditions.camera.map { camera in
      let poses = seen(recorded.selecting(camera.framesSeen(recorded.times)))
      return LiveView(camera: camera, poses: poses, signals: SignalTable(signals, on: poses))
    }
    delay = conditions.perturbations?.delay ?? .zero
  }

  /// `squat-sample/s01_side_1`
  public var id: String { "\(dataset)/\(info.name)" }

  /// `squat-sample/s01`; the same in datasets of the same people.
  public var subject: String { "\(people)/\(info.subject)" }

  /// What keeping it takes, roughly.
  var byteCount: Int {
    poses.byteCount + signals.byteCount + (live.map { $0.poses.byteCount + $0.signals.byteCount } ?? 0)
  }

  /// Measures those of these signals that are not measured yet.
  public mutating func measure(_ more: [any Signal]) {
    signals = signals.adding(more, on: poses)
    if let live { self.live?.signals = live.signals.adding(more, on: live.poses) }
  }

  /// One value a frame.
  ///
  /// - Precondition: the signal was measured.
  func values(of signal: any Signal) -> [Float] { Array(signals.values(of: signal)) }

  /// The value that a setting's detector counts by, one a frame.
  ///
  /// - Precondition: the setting's signals were measured.
  func countedValues(_ setting: DetectorSetting) -> [Float] {
    Replay.countedValues(of: setting, on: poses, signals)
  }
}

/// What a detector says of a clip.
public struct ClipReplay: Sendable {
  /// In the order in which they were said.
  public let events: [Event]
  /// The events as scoring reads them, with those of the live replay where there was one.
  public let prediction: Prediction
}

extension PreparedClip {
  /// Plays the clip to a fresh detector of a setting.
  ///
  /// - Precondition: the setting's signals were measured.
  public func replay(_ setting: DetectorSetting) -> ClipReplay {
    let events = late(Replay.events(of: setting, on: poses, signals))
    let live = live.map { live in
      late(Replay.events(of: setting, on: live.poses, live.signals), by: live.camera.estimator)
    }
    return ClipReplay(
      events: events,
      prediction: Prediction(events, live: live, of: setting.profile, until: poses.times.last ?? .zero))
  }

  /// What is said, when it comes.
  private func late(_ events: [Event], by more: Microseconds = .zero) -> [Event] {
    let delay = delay + more
    guard delay > .zero else { return events }
    return events.map { Event(time: $0.time, reported: $0.reported + delay, kind: $0.kind) }
  }

  /// A prediction of the clip beside its ground truth.
  func labelled(_ prediction: Prediction) -> LabelledPrediction {
    LabelledPrediction(
      name: info.name, subject: subject, frames: poses.times, groundTruth: groundTruth, prediction: prediction)
  }

  /// The same on scoring's side: replays the clip and tallies what was said, once for everything that reads it.
  func scored(_ setting: DetectorSetting, by families: [any MetricFamily], matching: RepMatching) -> ScoredReplay {
    let replay = replay(setting)
    let labelled = labelled(replay.prediction)
    let tallies = ClipTallies(labelled, of: families)
    return ScoredReplay(
      replay: replay, tallies: tallies,
      outcome: ClipResult.Outcome(labelled, tallies, by: families, of: setting.profile, matching: matching) {
        countingTrace(setting)
      })
  }

  /// The clip among a run's results, without outcomes.
  var result: ClipResult {
    ClipResult(
      name: info.name, dataset: dataset, subject: info.subject, people: people == dataset ? nil : people,
      exercise: info.exercise, view: info.view,
      fps: info.fps, frames: poses.frameCount,
      duration: (poses.times.last ?? .zero).seconds - (poses.times.first ?? .zero).seconds,
      trueCount: groundTruth.repCount, trueReps: groundTruth.reps?.map(ClipResult.RepSpan.init), outcomes: [:])
  }
}

/// What one detector says of one clip, and what of it is right.
struct ScoredReplay: Sendable {
  let replay: ClipReplay
  let tallies: ClipTallies
  let outcome: ClipResult.Outcome
}

extension Clip {
  /// The clip's poses on the common joints.
  ///
  /// - Throws: `EvaluationError.missing` for a clip with labels only.
  public func poses(_ manifest: Manifest) throws -> PoseSequence {
    guard let keypoints, let skeleton = Skeleton.named(manifest.skeleton) else {
      throw EvaluationError.missing(what: "clip \(info.name)", expected: "poses", found: "labels only")
    }
    return PoseSequence(keypoints, skeleton: skeleton, coordinates: manifest.coordinates)
  }
}

extension PoseSequence {
  /// What keeping it takes, roughly.
  var byteCount: Int { frameCount * Joint.count * Channel.count * MemoryLayout<Float>.stride }
}

extension GroundTruth {
  /// With other names for the labels of events and intervals.
  func renamed(_ names: [String: String]) -> GroundTruth {
    guard !names.isEmpty else { return self }
    var renamed = self
    for index in events.indices { renamed.events[index].label = names[events[index].label] ?? events[index].label }
    for index in intervals.indices {
      renamed.intervals[index].label = names[intervals[index].label] ?? intervals[index].label
    }
    return renamed
  }
}
