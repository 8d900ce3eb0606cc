import Datasets
import PoseModel

/// One way in which a dataset can spoil an evaluation, and how to find it.
///
/// Looks at clips one by one, and at what is kept of all of them, so that no more than one clip's poses are in memory.
public protocol DatasetCheck: Sendable {
  /// In output and JSON: `frozen-frames`.
  var name: String { get }
  /// What a person calls it: "the picture stands still".
  var title: String { get }
  /// From where on it is found, and why there.
  var threshold: String { get }
  /// What to do about it, where a finding says nothing else.
  var remedy: String { get }

  func findings(in clip: CheckedClip) -> [Finding]
  func findings(across dataset: CheckedDataset) -> [Finding]
}

extension DatasetCheck {
  public func findings(in clip: CheckedClip) -> [Finding] { [] }
  public func findings(across dataset: CheckedDataset) -> [Finding] { [] }

  /// - Parameters:
  ///   - place: where the label stands that it is about.
  ///   - remedy: what to do about this one; the check's own where nothing is given.
  func finding(
    _ severity: Finding.Severity, in clip: String? = nil, from start: Double? = nil, to end: Double? = nil,
    at place: FilePlace? = nil, weight: Double, _ found: String, remedy: String? = nil
  ) -> Finding {
    Finding(
      check: name, severity: severity, clip: clip, start: start.map { $0.rounded(toDecimals: 3) },
      end: end.map { $0.rounded(toDecimals: 3) }, file: place?.file, line: place?.line, found: found,
      remedy: remedy ?? self.remedy, weight: weight)
  }
}

extension Double {
  func rounded(toDecimals decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    // Adding 0 takes the sign from -0.
    return (self * scale).rounded() / scale + 0
  }
}

/// A share as checks write it: `2.5 %`.
func percent(_ share: Double) -> String { "\((share * 100).rounded(toDecimals: 1)) %" }
