import Coaching
import Datasets

/// The detectors that can be named in suites and on the command line.
public struct DetectorRegistry: Sendable {
  public let types: [any Detector.Type]

  /// The detectors that come with this package.
  public static let builtIn = DetectorRegistry([SquatStates.self, SquatPosture.self])

  public init(_ types: [any Detector.Type]) { self.types = types }

  /// With an app's own detectors, which replace those of the same name.
  public func adding(_ others: [any Detector.Type]) -> DetectorRegistry {
    let names = Set(others.map { $0.profile.name })
    return DetectorRegistry(types.filter { !names.contains($0.profile.name) } + others)
  }

  /// - Throws: `EvaluationError.missing` with the near names.
  public func detector(named name: String) throws -> any Detector.Type {
    guard let type = types.first(where: { $0.profile.name == name }) else {
      throw EvaluationError.missing(
        what: "detector", expected: "one of \(types.map { $0.profile.name }.sorted().joined(separator: ", "))",
        found: "none called " + NearNames.question(name, in: types.map { $0.profile.name }))
    }
    return type
  }
}
