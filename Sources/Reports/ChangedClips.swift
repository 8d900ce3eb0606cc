import Coaching
import Evaluation
import Files
import Foundation
import Pipeline

extension Player {
  private static let (mostWorse, mostOthers) = (4, 2)

  /// The clips that a comparison changed, each with what side A finds: first those that got worse.
  ///
  /// - Parameters:
  ///   - before: The run of side A; `nil` if it cannot be replayed.
  ///   - after: The run of side B.
  ///   - detectors: The two detectors that are compared; `nil` for two sides of a suite.
  /// - Throws: `DataError` if a recording cannot be read.
  public static func changed(
    _ comparison: Comparison, from before: RunResults?, to after: RunResults,
    detectors: (before: String, after: String)? = nil, in catalogue: DatasetCatalogue, registry: DetectorRegistry
  ) throws -> [Entry] {
    var seen: Set<String> = []
    let changes = comparison.clipChanges.filter { seen.insert($0.clip).inserted }
    let worse = changes.filter { ($0.gain ?? 0) < 0 }.prefix(mostWorse)
    let others = changes.filter { ($0.gain ?? 0) >= 0 }.prefix(mostOthers)
    var sides = (
      before: before.map { RunClips($0, in: catalogue, registry: registry) },
      after: RunClips(after, in: catalogue, registry: registry)
    )
    var room = fixRoom
    var sessions: [String: ReplaySession] = [:]
    let smoothings = [before, after].map { "smoothing \($0?.smoothing ?? "none")" }
    return try (worse + others).compactMap { change -> Entry? in
      let names = detectors ?? (before: change.detector, after: change.detector)
      guard let clip = after.clips.first(where: { $0.id == change.clip }) else { return nil }
      do {
        let now = try sides.after.replay(clip, detector: names.after)
        let old = before?.clips.first { $0.id == change.clip }
        let then = try old.flatMap { try sides.before?.replay($0, detector: names.before) }
        let session =
          try sessions[names.after]
          ?? ReplaySession(
            after, detector: names.after, replacing: { _ in ReplayChanges() }, in: catalogue, registry: registry,
            threads: availableCores)
        sessions[names.after] = session
        return Entry(
          title: "\(clip.name): \(change.words)", clip: now, before: then, model: try model(for: now, in: session),
          fixes: try fixes(for: now, in: session, room: &room), sides: smoothings[0] == smoothings[1] ? [] : smoothings)
      } catch EvaluationError.missing {
        return nil
      }
    }
  }
}
