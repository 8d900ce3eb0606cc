import Coaching
import Datasets
import PoseModel
import Scoring

/// The preparation of recordings for a detector, and the new names of their labels.
public struct ReplayConditions: Sendable {
  /// The perturbation of a recording, before everything else; `nil` for none.
  public var perturbations: Perturbations?
  /// The smoothing of the poses before detection; `nil` for none.
  public var smoothing: Smoothing?
  /// The camera of the live replay, which doubles the work; `nil` for no live replay.
  public var camera: LiveCamera?
  /// New names for labels of events and intervals, for example forehand for a slice on the forehand side.
  public var labels: [String: String]
  /// Whether subjects with the same name are one person in all datasets, even if the datasets say otherwise.
  public var sharesPeople: Bool
  /// Whether a clip must have poses; false for predictions from files.
  public var needsPoses: Bool
  /// Whether programs get the clips at a later time and another place of the picture.
  public var isDisplaced = false
  /// Whether nobody does the exercise in clips of an exercise: what is counted there is a phantom.
  public var isNegative: @Sendable (_ exercise: String) -> Bool

  public init(
    perturbations: Perturbations? = nil, smoothing: Smoothing? = nil, camera: LiveCamera? = nil,
    labels: [String: String] = [:], sharesPeople: Bool = false, needsPoses: Bool = true,
    isNegative: @escaping @Sendable (_ exercise: String) -> Bool = { _ in false }
  ) {
    self.isNegative = isNegative
    self.sharesPeople = sharesPeople
    self.needsPoses = needsPoses
    self.perturbations = perturbations
    self.smoothing = smoothing
    self.camera = camera
    self.labels = labels
  }

  /// The prefix of subject names; datasets with the same people share it.
  package func people(of manifest: Manifest) -> String { sharesPeople ? PersonID.sharedPeople : manifest.ownPeople }
}

/// A clip, decoded once and ready for all replays.
public struct PreparedClip: Sendable {
  public let info: Clip.Info
  /// The dataset's name.
  public let dataset: String
  /// The dataset's name, or the shared name of several datasets with the same people.
  package let people: String
  /// The ground truth with the labels' new names.
  public let groundTruth: GroundTruth
  /// The poses for the detectors: perturbed, then smoothed.
  public let poses: PoseSequence
  private var signals: SignalTable
  /// The camera of the live replay; `nil` for none.
  private let camera: LiveCamera?
  /// What the camera sees of the clip; `nil` if it sees every frame, because the live replay is then the same.
  private var live: LiveView?
  /// The delay between an event and its report.
  private let delay: Microseconds
  /// The clip as seen by an external observer, with the poses of one of its replays.
  private let outside: @Sendable (PoseSequence) -> OutsideClip

  private struct LiveView: Sendable {
    let poses: PoseSequence
    var signals: SignalTable
  }

  /// Decodes a clip and measures signals on it.
  ///
  /// - Parameter signals: The signals of the detectors to replay; more can be measured later.
  ///
  /// - Throws: `EvaluationError.missing` for a clip without poses, or one that cannot be perturbed this way.
  public init(
    _ stored: StoredClip, of dataset: StoredDataset, in store: Store, under conditions: ReplayConditions,
    measuring signals: [any Signal] = []
  ) throws {
    let manifest = dataset.manifest
    let clip = try store.clip(stored, of: dataset)
    var recorded =
      clip.keypoints == nil && !conditions.needsPoses ? PoseSequence(unseenIn: clip) : try clip.poses(manifest)
    if let perturbations = conditions.perturbations, let skeleton = Skeleton.named(manifest.skeleton) {
      recorded = try perturbations.poses(recorded, of: skeleton, clip: clip.info.id(in: manifest))
    }
    func seen(_ poses: PoseSequence) -> PoseSequence {
      conditions.smoothing.map { poses.smoothed(by: $0) } ?? poses
    }
    info = clip.info
    self.dataset = manifest.name
    people = conditions.people(of: manifest)
    let (first, last) = (recorded.times.first ?? .zero, recorded.times.last ?? .zero)
    groundTruth =
      conditions.isNegative(clip.info.exercise)
      ? GroundTruth(negativeFrom: first, to: last, doing: clip.info.exercise)
      : clip.labels.renamed(conditions.labels).markingNegative(from: first, to: last)
    poses = seen(recorded)
    self.signals = SignalTable(signals, on: poses)
    // Smoothing sees only the frames that pass the camera.
    camera = conditions.camera
    live = conditions.camera.flatMap { camera in
      let frames = camera.framesSeen(recorded.times)
      guard frames.count < recorded.frameCount else { return nil }
      let poses = seen(recorded.selecting(frames))
      return LiveView(poses: poses, signals: SignalTable(signals, on: poses))
    }
    delay = conditions.perturbations?.delay ?? .zero
    let isAltered = conditions.perturbations != nil || conditions.smoothing != nil
    // Recorded keypoints are decoded again for detectors that read them: keeping them would double the memory.
    outside = { [info] poses in
      OutsideClip(
        id: info.id(in: manifest), fps: info.fps, manifest: manifest, poses: poses, isAltered: isAltered,
        isDisplaced: conditions.isDisplaced
      ) { try store.clip(stored, of: dataset) }
    }
  }

  /// `squat-sample/s01_side_1`
  public var id: String { ClipID(dataset: dataset, clip: info.name).description }

  /// `squat-sample/s01`; equal in datasets of the same people.
  public var subject: String { PersonID(people: people, subject: info.subject).description }

  /// The approximate size in memory, in bytes.
  package var byteCount: Int {
    poses.byteCount + signals.byteCount + (live.map { $0.poses.byteCount + $0.signals.byteCount } ?? 0)
  }

  /// Measures the missing signals.
  public mutating func measure(_ more: [any Signal]) {
    signals = signals.adding(more, on: poses)
    if let live { self.live?.signals = live.signals.adding(more, on: live.poses) }
  }

  /// One value per frame.
  ///
  /// - Precondition: The signal was measured.
  func values(of signal: any Signal) -> [Float] { Array(signals.values(of: signal)) }

  /// The decisive signal of a setting's counter, one value per frame.
  ///
  /// - Precondition: The setting's signals were measured.
  func counted(by setting: DetectorSetting) -> [(value: Float, levels: CountedLevels)] {
    Replay.counted(by: setting, on: poses, signals)
  }
}

/// A detector's output on a clip.
public struct ClipReplay: Sendable {
  /// The events in the order of their reports.
  public let events: [Event]
  /// The events as a prediction for scoring, with those of the live replay if there was one.
  public let prediction: Prediction
  /// The signals of an external detector, for timelines; empty for a detector in Swift, whose signals are in the clip.
  let series: [Timeline.Series]
  /// Whether an external program reported its time for each frame.
  package let isTimed: Bool
  /// The detectors of the replay and of the live replay after the last frame; empty for an external program.
  fileprivate let detectors: [any PoseObserver]

  /// The evidence against the count; `nil` if unknown.
  public var doubts: CountDoubts? { detectors.first?.countDoubts }
}

extension PreparedClip {
  /// Replays the clip to a new detector of a setting.
  ///
  /// - Precondition: The setting's signals were measured.
  /// - Throws: For an external detector that breaks the protocol.
  public func replay(_ setting: DetectorSetting) throws -> ClipReplay {
    try replay(setting, signals.columns(of: setting.signals), live: live?.signals.columns(of: setting.signals) ?? [])
  }

  /// - Parameters:
  ///   - columns: The columns of the setting's signals.
  ///   - liveColumns: The columns for the live replay.
  private func replay(_ setting: DetectorSetting, _ columns: [Int], live liveColumns: [Int]) throws -> ClipReplay {
    let (said, detector) = try answers(of: setting, on: poses, signals, columns)
    if let prediction = said.prediction {
      return ClipReplay(
        events: said.events, prediction: prediction, series: said.series, isTimed: false, detectors: [])
    }
    let events = late(said.events)
    var detectors = [detector]
    let live = try camera.map { camera in
      guard let live = self.live else { return late(said.events, by: camera.estimator) }
      let (said, detector) = try answers(of: setting, on: live.poses, live.signals, liveColumns)
      detectors.append(detector)
      return late(said.events, by: camera.estimator)
    }
    return ClipReplay(
      events: events,
      prediction: Prediction(
        events, confidence: said.countConfidence, live: live, of: setting.profile.tasks,
        until: poses.times.last ?? .zero),
      series: said.series, isTimed: !said.nanoseconds.isEmpty, detectors: detectors.compactMap(\.self))
  }

  /// - Returns: The detector after the last frame too, if it is one in Swift.
  private func answers(
    of setting: DetectorSetting, on poses: PoseSequence, _ signals: SignalTable, _ columns: [Int]
  ) throws -> (OutsideAnswers, (any PoseObserver)?) {
    if let observer = setting.outside { return (try observer.answers(on: outside(poses)), nil) }
    let (events, detector) = Replay.run(setting, on: poses, signals, columns)
    return (OutsideAnswers(events: events, countConfidence: detector.countConfidence), detector)
  }

  /// The predictions of an external program on the prepared clip; `nil` for a detector in Swift.
  package func outsideAnswers(_ setting: DetectorSetting, frameByFrame: Bool = false) throws -> OutsideAnswers? {
    try setting.outside?.answers(on: outside(poses), frameByFrame: frameByFrame)
  }

  /// The events, reported later.
  private func late(_ events: [Event], by more: Microseconds = .zero) -> [Event] {
    let delay = delay + more
    guard delay > .zero else { return events }
    return events.map { event in
      var event = event
      event.reported = event.reported + delay
      return event
    }
  }

  /// A prediction of the clip with its ground truth.
  package func labelled(_ prediction: Prediction) -> LabelledPrediction {
    LabelledPrediction(
      name: info.name, subject: subject, frames: poses.times, groundTruth: groundTruth, prediction: prediction)
  }

  /// Replays the clip and tallies the predictions once for all readers.
  package func scored(
    _ setting: DetectorSetting, by families: [any MetricFamily], matching: RepMatching
  ) throws -> ScoredReplay {
    let replay = try replay(setting)
    let labelled = labelled(replay.prediction)
    let tallies = ClipTallies(labelled, of: families)
    return ScoredReplay(
      replay: replay, tallies: tallies,
      outcome: ClipResult.Outcome(
        labelled, tallies, by: families, of: setting.profile, matching: matching,
        own: OwnSignal(replay.series, at: poses.times)
      ) { countingTrace(setting) })
  }

  /// The tallies of one family at each setting of a batch.
  ///
  /// Of equal settings, and of settings that the detector knows to predict the same, only the first is replayed.
  ///
  /// - Precondition: The batch's signals were measured.
  package func tallies<Family: MetricFamily>(
    of batch: SettingBatch, by family: Family
  ) throws -> SettingTallies<Family.Tally> {
    let columns = batch.columns(in: signals)
    let liveColumns = live.map { batch.columns(in: $0.signals) }
    var labelled = labelled(Prediction())
    var tallies: [Family.Tally] = []
    var places: [Family.Tally: Int] = [:]
    var settings = [Int](repeating: 0, count: batch.settings.count)
    for run in batch.runs {
      var detectors: [any PoseObserver] = []
      var place = 0
      var replayed = Double.nan
      for (value, index) in run {
        let isAlike = !detectors.isEmpty && detectors.allSatisfy { $0.reportsAlike(with: value, of: batch.varied) }
        if !isAlike, value != replayed {
          let list = batch.lists[index]
          let replay = try replay(batch.settings[index], columns[list], live: liveColumns?[list] ?? [])
          labelled.prediction = replay.prediction
          detectors = replay.detectors
          let tally = family.tally(labelled)
          place = places[tally] ?? tallies.count
          if place == tallies.count {
            places[tally] = place
            tallies.append(tally)
          }
          replayed = value
        }
        settings[index] = place
      }
    }
    return SettingTallies(subject: subject, tallies: tallies, settings: settings)
  }

  /// The clip's entry in a run's results, without outcomes.
  package var result: ClipResult {
    ClipResult(
      name: info.name, dataset: dataset, subject: info.subject, people: people == dataset ? nil : people,
      exercise: info.exercise, view: info.view,
      fps: info.fps, frames: poses.frameCount,
      duration: (poses.times.last ?? .zero).seconds - (poses.times.first ?? .zero).seconds,
      trueCount: groundTruth.repCount, trueReps: groundTruth.reps?.map(ClipResult.RepSpan.init), outcomes: [:])
  }
}

/// Settings of one detector that are replayed on the same clips.
package struct SettingBatch: Sendable {
  package let settings: [DetectorSetting]
  /// The distinct signals of all settings.
  package let signals: [any Signal]
  /// The distinct lists of signals, as indices in `signals`.
  private let places: [[Int]]
  /// The index of each setting's list.
  fileprivate let lists: [Int]
  /// The parameter with the most values.
  fileprivate let varied: String
  /// Settings that differ only in one parameter, with its value, in its order.
  fileprivate let runs: [[(value: Double, setting: Int)]]

  package init(_ settings: [DetectorSetting]) {
    self.settings = settings
    signals = SignalTable.different(settings.flatMap(\.signals))
    let place = Dictionary(uniqueKeysWithValues: zip(signals.map { AnyHashable($0) }, 0...))
    var known: [[Int]: Int] = [:]
    var places: [[Int]] = []
    lists = settings.map { setting in
      let own = setting.signals.compactMap { place[AnyHashable($0)] }
      if let list = known[own] { return list }
      places.append(own)
      known[own] = places.count - 1
      return places.count - 1
    }
    self.places = places
    let names = settings.first?.definition.parameters.map(\.name) ?? []
    func value(_ name: String, _ setting: Int) -> Double { settings[setting].values.values[name] ?? .nan }
    let counts = names.map { name in Set(settings.indices.map { value(name, $0) }).count }
    let most = counts.indices.max { counts[$0] < counts[$1] }
    let varied = most.map { names[$0] } ?? ""
    self.varied = varied
    let others = names.filter { $0 != varied }
    runs = Dictionary(grouping: settings.indices) { setting in others.map { value($0, setting) } }.values
      .sorted { $0[0] < $1[0] }.map { run in run.map { (value(varied, $0), $0) }.sorted { $0 < $1 } }
  }

  /// The columns of each list.
  fileprivate func columns(in table: SignalTable) -> [[Int]] {
    let columns = table.columns(of: signals)
    return places.map { $0.map { columns[$0] } }
  }
}

/// The predictions of one detector on one clip, and their tallies.
package struct ScoredReplay: Sendable {
  package let replay: ClipReplay
  package let tallies: ClipTallies
  package let outcome: ClipResult.Outcome
}

extension Clip {
  /// The clip's poses on the common joints.
  ///
  /// - Throws: `EvaluationError.missing` for a clip without poses.
  public func poses(_ manifest: Manifest) throws -> PoseSequence {
    guard let keypoints, let skeleton = Skeleton.named(manifest.skeleton) else {
      throw EvaluationError.missing(what: "clip \(info.name)", expected: "poses", found: "labels only")
    }
    return PoseSequence(keypoints, skeleton: skeleton, coordinates: manifest.coordinates)
  }
}

extension PoseSequence {
  /// Empty frames at the nominal rate until the last label, for a clip without poses.
  fileprivate init(unseenIn clip: Clip) {
    let labels = clip.labels
    let ends = (labels.reps ?? []).map(\.end) + labels.events.map(\.time) + labels.intervals.map(\.end)
    let last = Int(((ends.max() ?? .zero).seconds * clip.info.fps).rounded(.up))
    let skeleton = Skeleton.common
    let times = (0...last).map { Microseconds(frame: $0, rate: clip.info.fps) }
    let keypoints = Keypoints(
      times: times, keypointCount: skeleton.keypoints.count, channels: [.x, .y],
      values: [Float](repeating: .nan, count: times.count * skeleton.keypoints.count * 2))
    self.init(keypoints, skeleton: skeleton, coordinates: CoordinateSystem(unit: .imageHeight, yAxis: .down))
  }

  /// The approximate size in memory, in bytes.
  package var byteCount: Int { frameCount * Joint.count * Channel.count * MemoryLayout<Float>.stride }
}

extension GroundTruth {
  /// The ground truth of a clip in which nobody does the exercise, but something else.
  fileprivate init(negativeFrom start: Microseconds, to end: Microseconds, doing activity: String) {
    self.init(intervals: [Segment(start: start, end: end, label: PhantomMetrics.label(doing: activity))])
  }

  /// The ground truth with the whole clip as negative time, if it is labelled as without reps and has no such time yet.
  fileprivate func markingNegative(from start: Microseconds, to end: Microseconds) -> GroundTruth {
    guard repCount == 0, end > start, !intervals.contains(where: { PhantomMetrics.isNegative($0.label) }) else {
      return self
    }
    var marked = self
    marked.intervals.append(Segment(start: start, end: end, label: PhantomMetrics.label))
    return marked
  }

  /// The ground truth with new names for the labels of events and intervals.
  package func renamed(_ names: [String: String]) -> GroundTruth {
    guard !names.isEmpty else { return self }
    var renamed = self
    for index in events.indices { renamed.events[index].label = names[events[index].label] ?? events[index].label }
    for index in intervals.indices {
      renamed.intervals[index].label = names[intervals[index].label] ?? intervals[index].label
    }
    return renamed
  }
}
