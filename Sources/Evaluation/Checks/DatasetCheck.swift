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
  /// What to do about it.
  var remedy: String { get }

  func findings(in clip: CheckedClip) -> [Finding]
  func findings(across dataset: CheckedDataset) -> [Finding]
}

extension DatasetCheck {
  public func findings(in clip: CheckedClip) -> [Finding] { [] }
  public func findings(across dataset: CheckedDataset) -> [Finding] { [] }

  func finding(
    _ severity: Finding.Severity, in clip: String? = nil, from start: Double? = nil, to end: Double? = nil,
    weight: Double, _ found: String
  ) -> Finding {
    Finding(
      check: name, severity: severity, clip: clip, start: start.map { $0.rounded(toDecimals: 3) },
      end: end.map { $0.rounded(toDecimals: 3) }, found: found, weight: weight)
  }
}

extension Double {
  func rounded(toDecimals decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}

/// A share as checks write it: `2.5 %`.
func percent(_ share: Double) -> String { "\((share * 100).rounded(toDecimals: 1)) %" }
