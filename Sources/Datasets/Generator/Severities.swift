/// How bad each fault is at one instant: 0 not there, 1 as bad as it gets.
public struct Severities: Hashable, Sendable {
  private var values: [Fault: Double] = [:]

  public init(_ values: [Fault: Double] = [:]) { self.values = values }

  public subscript(_ fault: Fault) -> Double {
    get { values[fault] ?? 0 }
    set { values[fault] = newValue }
  }

  /// On the way from `a` at 0 to `b` at 1.
  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    guard fraction < 1, a != b else { return b }
    var blend = Self()
    for fault in Set(a.values.keys).union(b.values.keys) { blend[fault] = .blend(a[fault], b[fault], fraction) }
    return blend
  }

  /// The truth about something that was done so, `hurry` of 0...1 being how hasty it was.
  func form(of faults: [Fault], hurry: Double = 0) -> PerformanceTruth.Form {
    PerformanceTruth.Form(
      severities: faults.map { PerformanceTruth.Judged(fault: $0.name, severity: self[$0]) },
      quality: max(92 - faults.map { self[$0] * $0.cost }.reduce(0, +) - 12 * hurry, 0))
  }
}
