import Coaching
import Foundation
import Testing

@testable import Evaluation

/// The suites and baselines of this checkout.
@Suite struct ShippedSuitesTests {
  private static let project = Project(
    root: URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL.path)

  /// With fewer no change passes, or hardly any: a gate that nothing ever passes is no example.
  @Test func everySuiteHasTwelvePeopleAndItsBaseline() throws {
    let registry = try Self.project.registry(adding: .builtIn)
    #expect(Self.project.suiteNames.count >= 13)
    for name in Self.project.suiteNames {
      let suite = try Self.project.suite(named: name, registry: registry)
      let baseline = try Baseline(file: Self.project.baselineFile(name), suite: name)
      let people = Set(baseline.metrics.flatMap(\.bySubject.keys))
      #expect(people.count >= 12, "\(name): \(people.count)")
      let pins = Dictionary(uniqueKeysWithValues: suite.datasets.map { ($0.name, $0.content.description) })
      #expect(baseline.datasets == pins && baseline.suiteVersion == suite.version, "\(name)")
    }
  }
}
