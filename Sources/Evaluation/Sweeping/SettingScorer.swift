import Scoring

/// Scores a detector at settings that come in batches, as a search asks for them.
protocol SettingScoring: Actor {
  /// The settings' scores, in their order. Parallel across clips; they do not depend on the number of threads.
  ///
  /// - Parameter progress: called with the number of clips done.
  func settings(
    _ settings: [(values: [Double], setting: DetectorSetting)], threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws -> [SweepResults.Setting]
}

/// Scores settings on a run's clips, each clip read once and each signal measured once for all batches, as long as
/// there is room to keep them.
actor SettingScorer<Family: MetricFamily>: SettingScoring {
  private let run: SuiteRun
  private let family: Family
  private let metric: Metric
  /// The room for clips that are kept from one batch to the next, bytes.
  private let room: Int
  private var kept: [Int: MeasuredClip] = [:]
  private var used = 0

  init(_ family: Family, metric: Metric, on run: SuiteRun, room: Int) {
    self.family = family
    self.metric = metric
    self.run = run
    self.room = room
  }

  func settings(
    _ settings: [(values: [Double], setting: DetectorSetting)], threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws -> [SweepResults.Setting] {
    let count = run.clips.count
    let replay = SweepReplay(settings.map(\.setting), on: run, family: family)
    let isKeeping = room > 0
    let values = settings.map(\.values)
    return try await withThrowingTaskGroup(of: (Int, [Family.Tally], MeasuredClip?).self) { group in
      var pool = SweepPool(family, metric: metric, settings: values.count)
      var waiting: [Int: [Family.Tally]] = [:]
      var (next, running) = (0, 0)
      func start() {
        // Tallies pool in the clips' order, so that no order of finishing rounds differently; behind a slow clip only a
        // few may wait.
        while running < max(1, threads), next < count, next < pool.clips + 8 * max(1, threads) {
          let index = next
          let known = kept[index]
          next += 1
          running += 1
          group.addTask {
            let clip = try known.map { replay.measured($0) } ?? replay.measured(clip: index)
            return (index, replay.tallies(of: clip), isKeeping ? clip : nil)
          }
        }
      }
      start()
      while let (index, tallies, clip) = try await group.next() {
        running -= 1
        if let clip { keep(clip, at: index) }
        waiting[index] = tallies
        while let tallies = waiting.removeValue(forKey: pool.clips) {
          pool.add(tallies, subject: run.subject(ofClip: pool.clips))
        }
        try progress(pool.clips)
        start()
      }
      return pool.settings(values: values)
    }
  }

  /// Keeps a clip where there is room; what was kept of it before stays where what is new does not fit.
  private func keep(_ clip: MeasuredClip, at index: Int) {
    let more = clip.byteCount - (kept[index]?.byteCount ?? 0)
    guard used + more <= room else { return }
    used += more
    kept[index] = clip
  }
}

/// Opens the family of a metric.
enum SettingScorers {
  /// - Parameter room: for clips that are kept from one batch to the next, bytes; 0 where there is one batch.
  static func scorer(
    of metric: Metric, _ family: any MetricFamily, on run: SuiteRun, room: Int = 0
  ) -> any SettingScoring {
    func open<Family: MetricFamily>(_ family: Family) -> any SettingScoring {
      SettingScorer(family, metric: metric, on: run, room: room)
    }
    return open(family)
  }
}
