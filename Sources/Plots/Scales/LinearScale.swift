/// Equal distances for equal differences.
public struct LinearScale: Scale {
  /// The values at the axis' two ends.
  public let domain: ClosedRange<Double>
  /// Whether ticks stand at whole numbers only, as counts need.
  public let isWhole: Bool

  /// A scale from one value to another.
  ///
  /// Bounds that are not finite, further than 1e300 from 0, or too close together to be told apart are replaced by
  /// ones that can be drawn.
  public init(_ domain: ClosedRange<Double>, isWhole: Bool = false) {
    let lower = Self.drawable(domain.lowerBound, otherwise: 0)
    let upper = Self.drawable(domain.upperBound, otherwise: lower)
    // Below 1e-290 a step would be too small to be counted.
    let least = max(max(abs(lower), abs(upper)) * 1e-9, 1e-290)
    self.domain = upper - lower > least ? lower...upper : lower - max(0.5, least)...upper + max(0.5, least)
    self.isWhole = isWhole
  }

  /// A scale that holds all finite `values`, its ends moved outwards to round values about a `count`th of it apart.
  /// No finite value: 0 to 1.
  public init(covering values: some Sequence<Double>, count: Int = 6, isWhole: Bool = false) {
    let finite = values.filter { $0.isFinite && abs($0) <= 1e300 }
    guard let least = finite.min(), let greatest = finite.max() else {
      self.init(0...1, isWhole: isWhole)
      return
    }
    let tight = LinearScale(least...greatest, isWhole: isWhole).domain
    let step = TickStep(span: tight.upperBound - tight.lowerBound, count: count, least: isWhole ? .one : nil)
    let lower = step.multiple((step.count(in: tight.lowerBound) + 1e-9).rounded(.down))
    let upper = step.multiple((step.count(in: tight.upperBound) - 1e-9).rounded(.up))
    self.init(min(lower, least)...max(upper, greatest), isWhole: isWhole)
  }

  public func fraction(of value: Double) -> Double? {
    guard value.isFinite else { return nil }
    // Halved, so that the difference of two numbers near 1e300 stays finite.
    return (value / 2 - domain.lowerBound / 2) / (domain.upperBound / 2 - domain.lowerBound / 2)
  }

  public func ticks(atMost limit: Int) -> [Tick] {
    let span = domain.upperBound - domain.lowerBound
    var step = TickStep(span: span, count: max(1, limit), least: isWhole ? .one : nil)
    while true {
      let first = (step.count(in: domain.lowerBound) - 1e-9).rounded(.up)
      let last = (step.count(in: domain.upperBound) + 1e-9).rounded(.down)
      guard last - first + 1 > Double(max(1, limit)) else {
        return stride(from: first, through: last, by: 1).map { count in
          // Without a negative zero, which would be written with its sign.
          let value = step.multiple(count) + 0
          return Tick(value: value, label: step.label(value))
        }
      }
      step = step.next
    }
  }

  private static func drawable(_ bound: Double, otherwise fallback: Double) -> Double {
    bound.isFinite ? min(max(bound, -1e300), 1e300) : fallback
  }
}
