/// How both arms are held.
struct Arms: Hashable, Sendable {
  var left: ArmPosture
  var right: ArmPosture

  init(_ both: ArmPosture) {
    left = both
    right = both
  }

  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    var arms = a
    arms.left = .blend(a.left, b.left, fraction)
    arms.right = .blend(a.right, b.right, fraction)
    return arms
  }
}
