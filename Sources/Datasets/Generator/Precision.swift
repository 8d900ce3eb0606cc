import PoseModel

/// How finely the numbers of a generated clip are written.
///
/// Motion goes through sines and square roots, whose last binary digit may differ between C libraries. Rounded to steps
/// far above that digit, the same seed gives the same dataset and content hash on every machine, but for a value that
/// lies within some 1e-15 of the middle between two steps: one dataset in about ten thousand.
public enum Precision: Hashable, Sendable {
  /// As computed: times to a microsecond, coordinates to the last digit of a Float.
  case full
  /// Times to a millisecond, coordinates to 1/10,000 of the image (a fifth of a pixel of 1080p), confidences alike.
  case decimal

  /// Steps of a coordinate or confidence in 1.
  public static let steps: Float = 10_000

  func rounded(_ values: [Float]) -> [Float] {
    self == .full ? values : values.map { ($0 * Self.steps).rounded() / Self.steps }
  }

  func instant(_ seconds: Double) -> Microseconds {
    switch self {
    case .full: Microseconds(Int64((seconds * 1e6).rounded()))
    case .decimal: Microseconds(Int64((seconds * 1e3).rounded()) * 1000)
    }
  }
}
