import Scoring
import Statistics

/// How bad a setting is for some subjects: the smaller the better.
///
/// Subjects without a value weigh more than any loss: a setting that says nothing of the hard subjects must not win by
/// silence. A metric for which zero is best is judged by each subject's distance from 0.
struct TuneCost: Comparable, Hashable, Sendable {
  /// Subjects without a value.
  let missing: Int
  /// The mean loss of the others, to nine decimals: what summing rounds differently is equal. Infinite where nobody has
  /// a value.
  let loss: Double

  /// - Parameter subject: whose value is not looked at; `nil` for nobody's.
  init(_ bySubject: [String: Double?], without subject: String?, _ direction: Metric.Direction) {
    let others = bySubject.sorted { $0.key < $1.key }.filter { $0.key != subject }.map(\.value)
    let losses = others.compactMap { $0 }.map { direction.loss(from: 0, to: $0) }
    missing = others.count - losses.count
    loss = mean(losses).map { ($0 * 1e9).rounded() / 1e9 } ?? .infinity
  }

  static func < (a: TuneCost, b: TuneCost) -> Bool {
    a.missing != b.missing ? a.missing < b.missing : a.loss < b.loss
  }
}
