import Datasets
import Pipeline
import Scoring
import Statistics

/// Whether the predictions of a suite's programs depend on the motion alone: the clips are replayed once more as they
/// are, and once later and at another place of the picture, each time by new processes: those of the run may know the
/// clips.
///
/// A program whose predictions on the same recording differ gives its scores by luck. One that scores worse on the same
/// motion at another time and place knows the recordings. A loss of more than a metric's margin stops a release.
public struct ProgramCheck: Sendable {
  public private(set) var objections = Objections(
    remedy:
      "Fix the program's random seed, and let its answers depend on the motion alone (docs/detector-protocol.md)")

  /// The most frames that are replayed again; of more, clips are sampled.
  private static let mostFrames = 200_000
  private static let seed: UInt64 = 1

  /// - Parameters:
  ///   - run: The run; of one whose clips were tallied elsewhere nothing is checked, which is a finding.
  ///   - results: Its results.
  /// - Throws: Errors of the programs.
  public init(_ run: SuiteRun, _ results: RunResults, threads: Int) async throws {
    guard run.clipCount == results.clips.count else {
      objections.findings = Self.programs(of: run).map {
        "\($0) was replayed elsewhere: nothing shows here whether it predicts the same when it is asked again, and on the "
          + "same motion elsewhere in the picture. Gate once without --tallies"
      }
      return
    }
    let programs = Self.programs(of: run, results)
    guard !programs.isEmpty else { return }
    let sample = run.onClips(Self.sample(of: results, for: programs)).onDetectors(programs)
    CommandProcesses.endAll()
    let again = try await sample.replay(version: results.bench, threads: threads).results
    CommandProcesses.endAll()
    let elsewhere = try await sample.displaced().replay(version: results.bench, threads: threads).results
    let (first, here, there) = (Predictions(results), Predictions(again), Predictions(elsewhere))
    for program in programs {
      let clips = again.clips.filter { $0.outcomes[program] != nil }.map(\.id)
      let move = "on the same motion some seconds later and elsewhere in the picture"
      if let words = Self.changed(from: first, to: here, on: clips, by: program) {
        objections.faults.append("\(program) predicts otherwise when it is asked again: \(words)")
      } else if let words = Self.changed(from: here, to: there, on: clips, by: program) {
        if let loss = Self.loss(from: again, to: elsewhere, program) {
          objections.faults.append("\(program) scores worse \(move): \(loss), with other predictions \(words)")
        } else {
          objections.findings.append("\(program) predicts otherwise \(move): \(words)")
        }
      }
    }
  }

  /// A note that a program's predictions differ when a tenth of its clips are replayed once more; `nil` if they do not.
  ///
  /// - Throws: Errors of the programs.
  public static func repeatNote(_ run: SuiteRun, _ results: RunResults, threads: Int) async throws -> String? {
    let programs = programs(of: run, results)
    guard !programs.isEmpty else { return nil }
    let sample = run.onClips(sample(of: results, for: programs, share: 0.1)).onDetectors(programs)
    CommandProcesses.endAll()
    let again = try await sample.replay(version: results.bench, threads: threads).results
    let (first, second) = (Predictions(results), Predictions(again))
    let notes = programs.compactMap { program in
      let clips = again.clips.filter { $0.outcomes[program] != nil }.map(\.id)
      return changed(from: first, to: second, on: clips, by: program).map {
        "\(program) predicts otherwise when it is asked again, \($0): its scores are luck in part. Fix its random seed"
      }
    }
    return notes.isEmpty ? nil : notes.joined(separator: ". ")
  }

  /// The programs that can be asked again: none on corrupted poses, and on clips that were tallied elsewhere.
  private static func programs(of run: SuiteRun, _ results: RunResults) -> [String] {
    guard results.perturbation == nil, run.clipCount == results.clips.count else { return [] }
    return programs(of: run)
  }

  private static func programs(of run: SuiteRun) -> [String] {
    run.settings.filter { $0.outside?.needsPoses ?? false }.map(\.name)
  }

  /// The clips on which a program's predictions differ, in words; `nil` for none.
  private static func changed(
    from one: Predictions, to other: Predictions, on clips: [String], by program: String
  ) -> String? {
    let changed = clips.filter { !one.agrees(with: other, on: $0, by: program) }
    guard let clip = changed.first else { return nil }
    let counts = [one, other].compactMap { $0.clips[clip]?[program]?.count }
    let isOther = counts.count == 2 && counts[0] != counts[1]
    let example = isOther ? ", such as \(clip): \(counts[0]) → \(counts[1])" : ""
    return "on \(changed.count) of \(NumberText.count(clips.count, "clip"))\(example)"
  }

  /// The predictions of a run by clip and detector.
  private struct Predictions {
    let clips: [String: [String: Baseline.ClipPrediction]]

    init(_ results: RunResults) { clips = Baseline(allOf: results).clips }

    func agrees(with other: Self, on clip: String, by detector: String) -> Bool {
      guard let mine = clips[clip]?[detector] else { return other.clips[clip]?[detector] == nil }
      return mine.isSame(as: other.clips[clip]?[detector])
    }
  }

  /// The clips to replay again, in their order: a random share of all, or as many of them as have so many frames.
  private static func sample(of results: RunResults, for programs: [String], share: Double = 1) -> [Int] {
    let clips = results.clips.indices.filter { index in programs.contains { results.clips[index].outcomes[$0] != nil } }
    var random = SeededGenerator(seed: seed)
    var frames = 0
    let most = Int((share * Double(clips.count)).rounded(.up))
    let chosen = clips.shuffled(using: &random).prefix(most).prefix { index in
      defer { frames += results.clips[index].frames }
      return frames < mostFrames
    }
    return chosen.sorted()
  }

  /// The gating metric that loses more than its margin, in words; `nil` for none.
  private static func loss(from here: RunResults, to elsewhere: RunResults, _ program: String) -> String? {
    for metric in here.metrics where metric.detector == program {
      guard let margin = metric.margin, let before = metric.value else { continue }
      let after = elsewhere.metric(program, metric.metric)?.value
      guard let after, metric.direction.loss(from: before, to: after) <= margin else {
        return "\(metric.metric) \(NumberText.value(before, unit: metric.unit)) → "
          + NumberText.value(after, unit: metric.unit)
      }
    }
    return nil
  }
}
