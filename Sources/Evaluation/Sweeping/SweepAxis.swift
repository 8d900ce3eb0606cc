import Coaching

/// A parameter that a sweep varies, and over what: `reps.squat-states.bottomAngle=70...110:2`.
public struct SweepAxis: Hashable, Sendable {
  public enum Extent: Hashable, Sendable {
    /// At least one value, none of them twice.
    case values([Double])
    /// Any value in it: only a sample of settings can be taken.
    case range(ClosedRange<Double>)
  }

  public let detector: String
  public let parameter: Parameter
  public let extent: Extent

  /// Reads values (`80,90,100`), a range with a step (`70...110:2`) or one without (`70...110`).
  ///
  /// - Throws: `EvaluationError.usage` where the text is none of these, or a value is not one of the parameter.
  public init(_ text: String, of detectors: [DetectorDefinition]) throws {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2, !sides[1].isEmpty else {
      throw EvaluationError.usage(
        "expected <kind>.<detector>.<parameter>=<values> with values such as 80,90,100 or 70...110:2, found \(text)")
    }
    func assignment(_ value: some StringProtocol) throws -> Assignment {
      try Assignment("\(sides[0])=\(value)", of: detectors)
    }
    let range = sides[1].split(separator: "...", omittingEmptySubsequences: false)
    let isRange = range.count > 1
    let ends = range.last?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    let listed = isRange ? [] : sides[1].split(separator: ",", omittingEmptySubsequences: false)
    let first = try assignment(isRange ? range[0] : listed[0])
    guard let detector = detectors.first(where: { $0.profile.name == first.detector }),
      let parameter = detector.parameters.first(where: { $0.name == first.parameter })
    else { throw EvaluationError.usage("\(text): expected a parameter of a detector") }
    self.detector = first.detector
    self.parameter = parameter
    guard isRange else {
      let values = try listed.map { try assignment($0).value }
      guard Set(values).count == values.count else {
        throw EvaluationError.usage("\(text): expected each value once")
      }
      extent = .values(values)
      return
    }
    guard parameter.unit != .toggle else {
      throw EvaluationError.usage("\(text): expected off,on for a parameter that is off or on")
    }
    guard range.count == 2, ends.count <= 2 else {
      throw EvaluationError.usage("\(text): expected a range such as 70...110:2, found \(sides[1])")
    }
    let last = try assignment(ends[0]).value
    guard first.value < last else {
      throw EvaluationError.usage("\(text): expected a range that goes up, found \(sides[1])")
    }
    guard ends.count == 2 else {
      extent = .range(first.value...last)
      return
    }
    guard let step = Double(ends[1]), step.isFinite, step > 0 else {
      throw EvaluationError.usage("\(text): expected a step above 0, found \(ends[1])")
    }
    extent = .values(try Self.values(from: first.value, through: last, by: step, of: text))
  }

  private static func values(
    from first: Double, through last: Double, by step: Double, of text: String
  ) throws -> [Double] {
    let steps = ((last - first) / step + 1e-9).rounded(.down)
    guard steps < Double(SweepPlan.limit) else {
      throw EvaluationError.usage("\(text): expected at most \(SweepPlan.limit) values; take a longer step")
    }
    // 0.1 + 2 x 0.1 is to be 0.3, as a person types it.
    return (0...Int(steps)).map { ((first + Double($0) * step) * 1e9).rounded() / 1e9 }
  }

  /// The value at a part of the way, 0 to below 1, with as many decimals as a ten thousandth of a range needs, so that a
  /// person can type it.
  func value(at part: Double) -> Double {
    switch extent {
    case .values(let values): return values[min(values.count - 1, Int(part * Double(values.count)))]
    case .range(let range):
      let span = range.upperBound - range.lowerBound
      var scale = 1.0
      while span * scale < 10_000, scale < 1e9 { scale *= 10 }
      let value = ((range.lowerBound + part * span) * scale).rounded() / scale
      return min(max(value, range.lowerBound), range.upperBound)
    }
  }
}
