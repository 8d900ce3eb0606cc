import Coaching
import PoseModel
import Scoring

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

  /// In the order of the settings.
  func tallies(ofClip index: Int) throws -> [Family.Tally] {
    let (dataset, stored) = run.clips[index]
    let clip = try run.store.clip(stored, of: dataset)
    let recorded = try clip.poses(dataset.manifest)
    let poses = run.suite.smoothed(recorded)
    let table = SignalTable(signals, on: poses)
    let live = isLive ? run.suite.smoothed(recorded.selecting(run.suite.camera.framesSeen(recorded.times))) : nil
    let liveTable = live.map { SignalTable(signals, on: $0) }
    var scored = ScoredClip(
      name: clip.info.name, subject: run.subject(ofClip: index), frames: poses.times,
      truth: run.suite.renamed(Truth(clip.labels)),
      prediction: Prediction())
    return settings.map { setting in
      let events = Replay.events(of: setting, on: poses, table)
      var liveEvents: [Event] = []
      if let live, let liveTable {
        liveEvents = Replay.liveEvents(of: setting, onSeen: live, liveTable, camera: run.suite.camera)
      }
      scored.prediction = Replay.prediction(
        events, live: liveEvents, of: setting.profile, until: poses.times.last ?? .zero)
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
          clips: own.count, subjects: Set(own.map(\.clip.info.subject)).count))
    }
    return cards
  }
}
