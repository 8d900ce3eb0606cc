import Datasets
import Files
import Foundation
import PoseModel
import Scoring
@testable import Evaluation

/// A store with runs whose values are made by hand; gone after the test.
final class KeptRuns: Sendable {
  let store: Store
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("history-\(UUID().uuidString)").path
    store = try Store(at: folder + "/store.sqlite")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Keeps a run of suite `sample` on the day of that number, with a `count.mae` (less is better) for each subject.
  @discardableResult
  func add(
    day: Int, _ values: [Double?], data: String = "one", angle: Double = 90, counts: [String: Int] = [:],
    revision: String? = nil, hasChanges: Bool = false, release: String? = nil, suite: String = "sample"
  ) throws -> String {
    let names = values.indices.map { String(format: "data/s%02d", $0) }
    var results = SampleResults.results(
      [
        SampleResults.metric(values: Dictionary(uniqueKeysWithValues: zip(names, values))),
        SampleResults.metric("count.exact", values: ["data/s00": 1], lowerIsBetter: false),
      ], counts: counts)
    results.suite = suite
    results.datasets[0].content = "sha256:\(data)"
    results.detectors[0].parameters["angle"] = angle
    results.detectors[0].changed = angle == 90 ? [] : ["angle"]
    let origin = revision.map {
      RunOrigin(
        arguments: ["run", "--suite", suite], revision: $0, hasChanges: hasChanges,
        machine: RunOrigin.Machine(system: "a system", architecture: "x86_64", processor: "", cores: 2),
        versions: ["bench": "test"])
    }
    let date = String(format: "2026-03-%02dT10:00:00Z", day)
    let id = "\(suite)/\(day)"
    try store.add(
      StoredRun(
        id: id, suite: suite, created: date, results: String(decoding: try stableJSON(results), as: UTF8.self),
        origin: origin.map { String(decoding: try stableJSON($0), as: UTF8.self) }, release: release))
    return id
  }

  func blame(_ metric: String = "count.mae") throws -> MetricBlame {
    try MetricBlame(RunHistory(in: store).trend(of: metric))
  }
}
