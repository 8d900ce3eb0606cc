import Foundation
import Pipeline
import PoseModel
import Statistics

/// The clips on which costs are measured after a replay, and their poses as far as they fit in memory.
struct CostSample {
  /// Each part of it is spread over all clips.
  let order: [Int]
  /// Poses of clips that need not be decoded again.
  private(set) var kept: [Int: PoseSequence] = [:]
  /// The settings to measure.
  private(set) var timed: Set<Int> = []
  private let early: Set<Int>
  /// Memory for poses that are kept, in bytes.
  private var room = 64 << 20

  /// The number of clips that are measured first.
  private static let earlyClips = 512

  init(clips: Int) {
    let step = max(1, (clips + Self.earlyClips - 1) / Self.earlyClips)
    order = (0..<step).flatMap { Array(stride(from: $0, to: clips, by: step)) }
    early = Set(order.prefix(Self.earlyClips))
  }

  mutating func keep(_ poses: PoseSequence, of clip: Int, timed own: Set<Int>) {
    timed.formUnion(own)
    guard early.contains(clip), poses.byteCount <= room else { return }
    room -= poses.byteCount
    kept[clip] = poses
  }
}

extension SuiteRun {
  /// Timed blocks after which no further clip is measured, unless the suite asks for a percentile that needs more: p99
  /// needs 662, p99.9 6,636.
  private static let costBlocks = 2_000

  /// The same for other programs, which take longer: p99 needs 662.
  private static let outsideBlocks = 700

  /// The update costs by detector: one clip after the other on a separate thread, with nothing else running.
  ///
  /// - Parameters:
  ///   - sample: The clips.
  ///   - progress: Called before each clip; if it throws, the rest is skipped.
  func updateCosts(
    _ sample: CostSample, progress: @escaping @Sendable () throws -> Void
  ) async throws -> [String: UpdateCost] {
    let percentiles = suite.percentiles.filter { $0.quantity == .cost }.map(\.samplesNeeded)
    let enough = settings.map { percentiles.reduce($0.outside == nil ? Self.costBlocks : Self.outsideBlocks, max) }
    return try await onThreadOfItsOwn {
      var costs = settings.map { _ in UpdateCost() }
      var blocks = settings.map { _ in 0 }
      for index in sample.order {
        let clip = clips[index].clip
        let open = sample.timed.filter { isReplayed($0, on: clip) && blocks[$0] < enough[$0] }.sorted()
        guard !open.isEmpty else { continue }
        try progress()
        let poses = try sample.kept[index] ?? prepared(index).poses
        for setting in open {
          if settings[setting].outside == nil {
            costs[setting].measure(settings[setting], on: poses)
          } else {
            let told = try prepared(index).outsideAnswers(settings[setting])?.nanoseconds ?? []
            costs[setting].add(UpdateCost(told: told))
          }
          blocks[setting] += costs[setting].byClip.last?.count ?? 0
        }
      }
      return Dictionary(uniqueKeysWithValues: zip(settings.map(\.name), costs))
    }
  }

  /// Measures the cost ratios in the suite, like `updateCosts`; empty if it has none.
  ///
  /// - Parameter parameters: Each detector's parameters at the baseline, measured in turns with the current ones if
  ///   they differ.
  ///
  /// - Returns: The ratios by detector.
  func costRatios(beside parameters: [String: [String: Double]]) async throws -> [String: MeasuredCostRatios] {
    try await onThreadOfItsOwn {
      var measured: [String: MeasuredCostRatios] = [:]
      for choice in suite.costs {
        guard let setting = settings.first(where: { $0.name == choice.detector }) else { continue }
        measured[setting.name] = try onClips(ofDetector: setting.name).costRatios(
          of: setting, at: parameters[setting.name], margin: choice.margin)
      }
      return measured
    }
  }

  private func costRatios(
    of setting: DetectorSetting, at baseline: [String: Double]?, margin: Double?
  ) throws -> MeasuredCostRatios {
    // Parameters that the detector no longer accepts cannot be measured.
    let other = baseline.flatMap { values in
      values == setting.values.values ? nil : try? DetectorSetting(setting.definition, replacing: values)
    }
    let update = { InterleavedCost.update(of: setting) }
    var (toReference, toBaseline): ([Double], [Double]) = ([], [])
    for index in clips.indices {
      let poses = try prepared(index).poses
      if let ratio = InterleavedCost.ratio(of: update, to: InterleavedCost.reference, on: poses) {
        toReference.append(ratio)
      }
      if let other,
        let ratio = InterleavedCost.ratio(of: update, to: { InterleavedCost.update(of: other) }, on: poses)
      {
        toBaseline.append(ratio)
      }
    }
    return MeasuredCostRatios(
      toReference: CostRatio(byClip: toReference), toBaseline: other.map { _ in CostRatio(byClip: toBaseline) },
      margin: margin)
  }
}

/// Runs work that must not share its thread with tasks.
private func onThreadOfItsOwn<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  // The thread does not inherit the task's.
  let reading = DataReading.current
  return try await withCheckedThrowingContinuation { continuation in
    let thread = Thread {
      continuation.resume(with: Result { try DataReading.$current.withValue(reading, operation: body) })
    }
    // The stack size of a main thread.
    thread.stackSize = 8 << 20
    thread.start()
  }
}

extension RunResults.MeasuredCost {
  /// - Parameter percentiles: Further percentiles in the suite.
  init(_ cost: UpdateCost, percentiles: [Suite.PercentileChoice] = []) {
    let sorted = cost.samples.sorted()
    let asked = percentiles.compactMap { choice in
      quantile(choice.percent / 100, ofSorted: sorted).map { (p: choice.percent / 100, value: $0) }
    }
    let quantiles = cost.quantiles + asked
    let kept = min(sorted.count, 2000)
    self.init(
      blocks: sorted.count, framesPerBlock: UpdateCost.blockSize,
      quantiles: Dictionary(
        quantiles.map { (percentileName($0.p * 100), $0.value) }, uniquingKeysWith: { first, _ in first }),
      intervals: Dictionary(
        quantiles.compactMap { quantile in
          RunResults.MetricResult.Bounds(quantile: quantile.p, ofClusters: cost.byClip, called: "clips").map {
            (percentileName(quantile.p * 100), $0)
          }
        }, uniquingKeysWith: { first, _ in first }),
      clockFloor: quantile(0.5, of: cost.floor),
      samples: (0..<kept).map { sorted[$0 * sorted.count / kept] })
  }
}
