import Coaching
import Files
import Foundation
import Testing

@testable import Evaluation

/// The suites and baselines of this checkout.
@Suite struct ShippedSuitesTests {
  private static let project = Project(
    root: URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL.path)

  /// With fewer no change passes, or hardly any: a gate that nothing ever passes is no example. The public sets are of
  /// ten people or more.
  @Test func everySuiteHasTwelvePeopleAndItsBaseline() throws {
    let registry = try Self.project.registry(adding: .builtIn)
    #expect(Self.project.suiteNames.count >= 13)
    for name in Self.project.suiteNames {
      let suite = try Self.project.suite(named: name, registry: registry)
      let baseline = try Baseline(file: Self.project.baselineFile(name), suite: name)
      let people = Set(baseline.metrics.flatMap(\.bySubject.keys))
      let least = suite.usesPublicSets(of: Self.project) ? 10 : 12
      #expect(people.count >= least, "\(name): \(people.count)")
      let pins = Dictionary(uniqueKeysWithValues: suite.datasets.map { ($0.name, $0.content.description) })
      #expect(baseline.datasets == pins && baseline.suiteVersion == suite.version, "\(name)")
    }
  }

  /// A suite needs the dataset that the entry's import makes, and the list of clips has as many as the entry says.
  @Test func publicSetsArePinnedOnce() throws {
    let sets = PublicSets(of: Self.project)
    #expect(sets.names.count >= 10)
    for name in sets.names {
      let set = try #require(try sets.set(named: name))
      if let path = set.importing.clips {
        let clips = try InputFile(path).text().split(separator: "\n")
        #expect(clips.count == set.clips, "\(name)")
      }
    }
    let registry = try Self.project.registry(adding: .builtIn)
    for suite in try Self.project.suiteNames.map({ try Self.project.suite(named: $0, registry: registry) }) {
      for pin in suite.datasets {
        guard let set = try sets.set(named: pin.name) else { continue }
        #expect(pin.content == set.content, "\(suite.name): \(pin.name)")
      }
    }
  }
}
