import Coaching
import Datasets
import Pipeline
import PoseModel
import Scoring
import Statistics

extension SuiteRun {
  /// The results of `replay` and the cost of the detectors' updates, measured afterwards with nothing else running; of
  /// clips that were tallied elsewhere, the results that one machine would have had.
  ///
  /// - Parameter parameters: Each detector's parameters at the baseline, for `costRatios`.
  public func results(
    version: String, threads: Int, beside parameters: [String: [String: Double]] = [:],
    progress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> RunResults {
    if let tallies { return try await results(of: tallies, threads: threads, progress: progress) }
    var sample = CostSample(clips: clips.count)
    var parts: [TalliedClip] = []
    try await replay(threads: threads, progress: progress) { index, clip, poses, timed in
      sample.keep(poses, of: index, timed: timed)
      parts.append(clip)
    }
    let results = try withoutCosts(parts, head(version: version))
    let costs = try await updateCosts(sample) { try progress(clips.count) }
    let ratios = try await costRatios(beside: parameters)
    try progress(clips.count)
    return adding(TallyCosts(updates: costs, ratios: ratios), to: results)
  }

  /// Replays and scores, without costs. Parallel across clips; the results do not depend on the number of threads.
  ///
  /// - Parameter progress: Called with the number of finished clips.
  public func replay(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> ReplayedSuite {
    var parts: [TalliedClip] = []
    try await replay(threads: threads, progress: progress) { _, clip, _, _ in parts.append(clip) }
    return try replayed(parts, head(version: version))
  }

  /// Writes the tallies of some clips, and the costs of the detectors' updates on them, to a file.
  ///
  /// - Parameters:
  ///   - positions: The clips' positions among all of the run.
  ///   - parameters: Each detector's parameters at the baseline, for `costRatios`.
  public func tally(
    _ positions: [Int], to file: TallyWriter, beside parameters: [String: [String: Double]], threads: Int,
    progress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) async throws {
    let part = onClips(positions)
    var sample = CostSample(clips: positions.count)
    try await part.replay(threads: threads, progress: progress) { index, clip, poses, timed in
      sample.keep(poses, of: index, timed: timed)
      try file.append(TallyLine(position: positions[index], id: clip.result.id, clip))
    }
    let costs = try await part.updateCosts(sample) { try progress(positions.count) }
    try file.finish(TallyCosts(updates: costs, ratios: try await part.costRatios(beside: parameters)))
  }

  /// The results of a run whose clips were tallied elsewhere: the same as if they had been replayed here.
  ///
  /// - Parameter progress: Called with the number of clips that have been read.
  /// - Throws: `DataError` with file and line, `EvaluationError.missing` if clips are missing.
  private func results(
    of files: TallyFiles, threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws -> RunResults {
    let parts = try await parts(of: files, threads: threads, progress: progress)
    return adding(files.costs, to: try withoutCosts(parts, files.plan.run))
  }

  /// The results on some of the clips, without costs: replayed here, or read from the tallies of all clips.
  ///
  /// - Parameter ids: `squat-sample/s01_side_1`, as in a run's results.
  func results(onClips ids: Set<String>, version: String, threads: Int) async throws -> RunResults {
    guard let tallies else {
      let positions = clips.indices.filter { ids.contains(id(ofClip: $0)) }
      return try await onClips(positions).replay(version: version, threads: threads).results
    }
    let all = try await parts(of: tallies, threads: threads) { _ in }
    return try replayed(all.filter { ids.contains($0.result.id) }, tallies.plan.run).results
  }

  private func parts(
    of files: TallyFiles, threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws -> [TalliedClip] {
    var parts: [TalliedClip] = []
    parts.reserveCapacity(files.clipCount)
    try await files.forEach(TalliedClip.self, families: families, threads: threads, progress: progress) {
      parts.append($0)
    }
    return parts
  }

  /// Each setting's.
  private var families: [[any MetricFamily]] {
    settings.map { MetricFamilies.families(for: $0.profile, matching: suite.matching) }
  }

  /// - Parameter take: Called in order with each clip's index, its tallies, its poses as the detectors saw them, and the
  ///   settings whose cost can be measured on it: programs that report their time, and detectors in Swift.
  private func replay(
    threads: Int, progress: @Sendable (Int) throws -> Void,
    take: (Int, TalliedClip, PoseSequence, Set<Int>) throws -> Void
  ) async throws {
    let families = families
    try await inOrder(clips.count, threads: threads) { index in
      {
        let replayed = settings.indices.filter { isReplayed($0, on: clips[index].clip) }
        let clip = try prepared(index, measuring: replayed.flatMap { settings[$0].signals }, isLive: true)
        let part = try scored(clip, by: replayed, families)
        var tallied = part.clip
        // Most of the time on a clip with labels alone would be spent here.
        if clips[index].clip.hasPoses { tallied.recording = CopiedPeople.recording(clip.poses) }
        return (tallied, clip.poses, part.timed)
      }
    } take: { index, part in
      try take(index, part.0, part.1, part.2)
      try progress(index + 1)
    }
  }

  /// The results before any clip.
  func head(version: String) throws -> RunResults {
    RunResults(
      bench: version, suite: suite.name, suiteVersion: suite.version, datasets: datasetCards,
      detectors: try detectorCards(), matching: RunResults.Matching(suite.matching), camera: suite.camera,
      smoothing: suite.smoothing?.description, labels: suite.labels.isEmpty ? nil : suite.labels,
      perturbation: perturbation,
      metrics: [], clips: [], measured: [:], tunings: tunings.isEmpty ? nil : tunings,
      peopleNote: peopleNote, looks: suite.looks == .any ? .any : nil, negatives: negatives.isEmpty ? nil : negatives,
      matchingNote: matchingNote, draftNote: draftNote,
      predicted: predicted.isEmpty ? nil : predicted, replacesDatasets: replacesDatasets ? true : nil)
  }

  /// The clips that do not judge a detector, because their labels began as its reps; `nil` for none.
  private var draftNote: String? {
    let notes = settings.compactMap { setting -> String? in
      let count = clips.count { $0.clip.labels.draft == setting.name }
      return count == 0
        ? nil : "\(NumberText.count(count, "clip")) labelled from a draft of \(setting.name), not judged on them"
    }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  /// The exercises whose clips are time without reps.
  private var negatives: [String] { Set(clips.map(\.clip.info.exercise)).filter(suite.isNegative).sorted() }

  /// The results of all clips, without costs. Reads no clip of the run: they may have been replayed elsewhere.
  private func replayed(_ all: [TalliedClip], _ head: RunResults) throws -> ReplayedSuite {
    let families = families
    var results = head
    results.clips = all.map(\.result)
    let tallies = TallyTable(
      subjects: results.clips.map(\.person), labels: all.map(\.groundTruth), clips: all.map(\.tallies),
      families: families)
    results.metrics = try metrics(tallies, anchors(all, families), results)
    var replayed = ReplayedSuite(results: results, groundTruth: all.map(\.groundTruth), tallies: tallies)
    replayed.results.slices = replayed.sliceResults
    return replayed
  }

  /// The results of all clips, replayed here or read from tally files, before their costs.
  ///
  /// - Throws: `EvaluationError.missing` if the clips are too short for the percentiles of costs in the suite.
  private func withoutCosts(_ all: [TalliedClip], _ head: RunResults) throws -> RunResults {
    var results = try replayed(all, head).results
    results.copyNote = CopiedPeople(all).note
    let blocks = results.clips.reduce(0) { $0 + $1.frames / UpdateCost.blockSize }
    for choice in suite.percentiles where choice.quantity == .cost { try choice.require(samples: blocks) }
    return results
  }

  /// The results with the costs of their detectors; a program that does not say how long it takes has none.
  private func adding(_ costs: TallyCosts, to results: RunResults) -> RunResults {
    var results = results
    for setting in settings {
      let cost = costs.updates[setting.name] ?? UpdateCost()
      guard setting.outside == nil || !cost.samples.isEmpty else { continue }
      results.measured[setting.name] = RunResults.MeasuredCost(
        cost, percentiles: suite.percentiles.filter { $0.quantity == .cost && $0.detector == setting.name })
    }
    for (detector, ratios) in costs.ratios { results.measured[detector]?.ratios = ratios }
    return results
  }

  /// The clip's tallies, and the settings whose cost can be measured on it.
  ///
  /// - Parameter replayed: The settings that are replayed on it.
  private func scored(
    _ clip: PreparedClip, by replayed: [Int], _ families: [[any MetricFamily]]
  ) throws -> (clip: TalliedClip, timed: Set<Int>) {
    let labelsFrames = families.joined().contains { type(of: $0).needsFrames }
    var tallied = TalliedClip(
      result: clip.result, groundTruth: clip.groundTruth, frames: labelsFrames ? clip.poses.times : [], tallies: [])
    var timed: Set<Int> = []
    for (number, (setting, families)) in zip(settings, families).enumerated() {
      guard replayed.contains(number) else {
        tallied.tallies.append(nil)
        continue
      }
      let scored = try clip.scored(setting, by: families, matching: suite.matching)
      tallied.result.outcomes[setting.name] = scored.outcome
      tallied.tallies.append(scored.tallies)
      if setting.outside == nil || scored.replay.isTimed { timed.insert(number) }
    }
    return (tallied, timed)
  }

  /// The corruption of the poses for the results; `nil` for none.
  var perturbation: RunResults.Perturbation? {
    perturbations.map {
      RunResults.Perturbation(text: $0.text, seed: $0.seed, notes: notes(on: $0.steps.map { type(of: $0).profile }))
    }
  }

  /// Deviations from the perturbations' descriptions because of missing data.
  func notes(on perturbations: [PerturbationProfile]) -> [String] {
    let flat = datasets.filter { !$0.manifest.channels.contains(.z) }.map(\.manifest.name)
    guard !flat.isEmpty else { return [] }
    return perturbations.compactMap { profile in
      profile.withoutDepth.map { "\(profile.name): without depth \(flat.joined(separator: ", ")) \($0)" }
    }
  }

  /// For each setting.
  private func anchors(_ clips: [TalliedClip], _ families: [[any MetricFamily]]) -> [Anchors] {
    let labelled = clips.map { clip in
      LabelledPrediction(
        name: clip.result.name, subject: clip.result.person, frames: clip.frames, groundTruth: clip.groundTruth,
        prediction: Prediction())
    }
    return families.enumerated().map { setting, families in
      let own = clips.indices.filter { suite.detectors[setting].takes(clips[$0].result.exercise) }
      return Anchors(of: families, on: own.map { labelled[$0] })
    }
  }

  /// The first of these that a detector has is listed where the suite lists no metric of it: every detector is watched.
  private static let mainMetrics = [
    "count.exact", "strokes.f1", "classes.accuracy", "faults.any.f1", "grades.spearman",
  ]

  /// The suite's own metrics in its order, one of each detector without any, then the others: of predictions from files
  /// those that they allow, as without a suite.
  private func metrics(
    _ tallies: TallyTable, _ anchors: [Anchors], _ run: RunResults
  ) throws -> [RunResults.MetricResult] {
    var results = settings.enumerated().flatMap { index, setting in
      anchors[index].beside(tallies.results(of: index, called: setting.name))
    }
    let listed = try suite.metrics.map { choice in
      guard
        let index = results.firstIndex(where: { $0.metricID == choice.metricID })
      else {
        throw EvaluationError.missing(
          what: "metric \(choice.metric)", expected: "a metric of \(choice.detector)", found: "none of that name")
      }
      var result = results.remove(at: index)
      result.isListed = true
      result.margin = choice.margin
      result.floor = choice.floor
      return result
    }
    let percentiles = try suite.percentiles.compactMap { try percentile($0, run) }
    let unlisted = settings.map(\.name).filter { name in !suite.metrics.contains { $0.detector == name } }
    let watched = unlisted.compactMap { name -> RunResults.MetricResult? in
      let places = Self.mainMetrics.compactMap { main in
        results.firstIndex { $0.metricID == MetricID(name, main) }
      }
      guard let place = places.first else { return nil }
      var result = results.remove(at: place)
      result.isListed = true
      return result
    }
    let others = results.filter { result in
      guard let detector = predicted.first(where: { $0.name == result.detector }) else { return true }
      return detector.families(matching: suite.matching).contains { $0.metrics.contains { $0.name == result.metric } }
    }
    return listed + percentiles + watched + others
  }

  /// A percentile of a latency over all reps; `nil` for a percentile of the update cost, which is measured.
  ///
  /// - Throws: `EvaluationError.missing` if uncorrupted recordings have too few reps for it.
  private func percentile(_ choice: Suite.PercentileChoice, _ run: RunResults) throws -> RunResults.MetricResult? {
    func delays(_ clips: [ClipResult]) -> [Double] {
      clips.compactMap { $0.outcomes[choice.detector] }.flatMap {
        choice.quantity == .report ? $0.reportDelays.map(LatencyMetrics.lateness) : $0.liveDelays
      }
    }
    guard choice.quantity != .cost else { return nil }
    let all = delays(run.clips)
    // A perturbation may leave too few: the value is then undefined, in a run that cannot gate.
    if run.perturbation == nil { try choice.require(samples: all.count) }
    let clips = run.clips.filter { $0.outcomes[choice.detector] != nil }
    let isDefined = all.count >= choice.samplesNeeded
    let value = isDefined ? quantile(choice.percent / 100, of: all) : nil
    let delaysBySubject = Dictionary(grouping: clips, by: \.person).mapValues(delays)
    let subjects = delaysBySubject.mapValues { own -> Double? in
      own.count >= choice.samplesNeeded ? quantile(choice.percent / 100, of: own) : nil
    }
    return RunResults.MetricResult(
      detector: choice.detector, metric: choice.name, summary: "The \(choice.percent)th percentile over all reps.",
      unit: "ms", direction: .lowerIsBetter, value: value, pooled: value,
      interval: isDefined
        ? RunResults.MetricResult.Bounds(
          quantile: choice.percent / 100, ofClusters: delaysBySubject.sorted { $0.key < $1.key }.map(\.value),
          called: "subjects") : nil,
      bySubject: subjects,
      undefinedClips: clips.count { delays([$0]).count < choice.samplesNeeded }, clips: clips.count,
      undefined: "fewer than \(choice.samplesNeeded) reps are reported", isListed: true)
  }
}
