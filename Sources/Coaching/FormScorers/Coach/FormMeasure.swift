/// One thing that is measured of a repetition, and how good which value is.
///
/// Worth 100 points up to `good`, none from `worst` on, and falling in a straight line between; either may be the greater.
public struct FormMeasure: Hashable, Sendable {
  /// `depth`; its parameters are `depthGood` and `depthWorst`.
  public var name: String
  /// What is wrong where it is worth too little.
  public var fault: FormFault
  /// What it counts towards. A part is worth as much as the worst of its measures.
  public var part: FormPart
  public var good: Parameter
  public var worst: Parameter

  /// - Parameter summary: what is measured, to go on from “at”: `depth at which …`.
  init(
    _ name: String, _ fault: FormFault, of part: FormPart, good: Double, worst: Double, in range: ClosedRange<Double>,
    _ unit: Parameter.Unit, _ summary: String, source: String
  ) {
    self.name = name
    self.fault = fault
    self.part = part
    self.good = Parameter(
      "\(name)Good", good, in: range, unit, "Full points for the \(part.name) up to here: \(summary).", source: source)
    self.worst = Parameter(
      "\(name)Worst", worst, in: range, unit, "No points for the \(part.name) from here on: \(summary).",
      source: source)
  }
}
