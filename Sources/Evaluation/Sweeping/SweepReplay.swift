import Coaching
import PoseModel
import Scoring

/// A clip with its poses and every signal that has been measured on them.
struct MeasuredClip: Sendable {
  fileprivate var scored: ScoredClip
  fileprivate let poses: PoseSequence
  fileprivate var table: SignalTable
  /// What a live camera lets through, where that is looked at.
  fileprivate let live: PoseSequence?
  fileprivate var liveTable: SignalTable?

  /// What keeping it takes, roughly.
  var byteCount: Int {
    let frame = Joint.count * Channel.count * MemoryLayout<Float>.stride
    return (poses.frameCount + (live?.frameCount ?? 0)) * frame + table.byteCount + (liveTable?.byteCount ?? 0)
  }

  /// Measures what of these signals is not yet.
  mutating func measure(_ signals: [any Signal]) {
    table = table.adding(signals, on: poses)
    if let live { liveTable = liveTable?.adding(signals, on: live) }
  }
}

/// Plays a clip to a detector at many settings, and keeps a tally of each.
struct SweepReplay<Family: MetricFamily>: Sendable {
  private let settings: [DetectorSetting]
  private let signals: [any Signal]
  private let run: SuiteRun
  private let family: Family
  /// A live replay doubles the work, and only one family looks at it.
  private let isLive: Bool

  init(_ settings: [DetectorSetting], on run: SuiteRun, family: Family) {
    self.settings = settings
    self.run = run
    self.family = family
    isLive = family is LatencyMetrics
    var seen: Set<AnyHashable> = []
    let all: [any Signal] = settings.flatMap(\.signals)
    signals = all.filter { signal in seen.insert(AnyHashable(signal)).inserted }
  }

  /// Reads a clip and measures what the settings need.
  func measured(clip index: Int) throws -> MeasuredClip {
    let (dataset, stored) = run.clips[index]
    let clip = try run.store.clip(stored, of: dataset)
    let recorded = try clip.poses(dataset.manifest)
    let poses = run.suite.smoothed(recorded)
    let live = isLive ? run.suite.smoothed(recorded.selecting(run.suite.camera.framesSeen(recorded.times))) : nil
    return MeasuredClip(
      scored: ScoredClip(
        name: clip.info.name, subject: run.subject(ofClip: index), frames: poses.times,
        truth: run.suite.renamed(Truth(clip.labels)),
        prediction: Prediction()),
      poses: poses, table: SignalTable(signals, on: poses), live: live,
      liveTable: live.map { SignalTable(signals, on: $0) })
  }

  /// The same of a clip that was read before.
  func measured(_ clip: MeasuredClip) -> MeasuredClip {
    var clip = clip
    clip.measure(signals)
    return clip
  }

  /// In the order of the settings.
  func tallies(of clip: MeasuredClip) -> [Family.Tally] {
    var scored = clip.scored
    return settings.map { setting in
      let events = Replay.events(of: setting, on: clip.poses, clip.table)
      var liveEvents: [Event] = []
      if let live = clip.live, let liveTable = clip.liveTable {
        liveEvents = Replay.liveEvents(of: setting, onSeen: live, liveTable, camera: run.suite.camera)
      }
      scored.prediction = Replay.prediction(
        events, live: liveEvents, of: setting.profile, until: clip.poses.times.last ?? .zero)
      return family.tally(scored)
    }
  }
}

extension SuiteRun {
  /// `squat-sample/s01`, as in a run's results.
  func subject(ofClip index: Int) -> String {
    "\(clips[index].dataset.manifest.name)/\(clips[index].clip.info.subject)"
  }

  /// What the clips are from.
  var datasetCards: [RunResults.DatasetCard] {
    var cards: [RunResults.DatasetCard] = []
    for dataset in clips.map(\.dataset) where !cards.contains(where: { $0.name == dataset.manifest.name }) {
      let manifest = dataset.manifest
      let own = clips.filter { $0.dataset.id == dataset.id }
      cards.append(
        RunResults.DatasetCard(
          name: manifest.name, version: manifest.version, content: dataset.content?.description ?? "unfinished",
          origin: manifest.origin, caveat: manifest.caveat, licence: manifest.licence, source: manifest.source,
          clips: own.count, subjects: Set(own.map(\.clip.info.subject)).count,
          isImported: dataset.folder == nil ? true : nil))
    }
    return cards
  }
}
