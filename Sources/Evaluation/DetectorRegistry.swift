import Coaching
import Datasets

/// The detectors that can be named in suites and on the command line.
public struct DetectorRegistry: Sendable {
  public let detectors: [DetectorDefinition]

  public init(_ detectors: [DetectorDefinition]) { self.detectors = detectors }

  public init(_ types: [any Detector.Type]) { self.init(types.map { DetectorDefinition($0) }) }

  /// With others, which replace those of the same name.
  public func adding(_ others: DetectorRegistry) -> DetectorRegistry {
    let names = Set(others.detectors.map(\.profile.name))
    return DetectorRegistry(detectors.filter { !names.contains($0.profile.name) } + others.detectors)
  }

  /// - Throws: `EvaluationError.missing` with the near names.
  public func detector(named name: String) throws -> DetectorDefinition {
    guard let detector = detectors.first(where: { $0.profile.name == name }) else {
      let names = detectors.map(\.profile.name)
      throw EvaluationError.missing(
        what: "detector", expected: "one of \(names.sorted().joined(separator: ", "))",
        found: "none called " + NearNames.question(name, in: names))
    }
    return detector
  }
}
