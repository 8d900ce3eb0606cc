import TestSupport

extension TestGenerator {
  /// A number that a chart may meet: mostly plain, sometimes missing, infinite or huge.
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    switch Int.random(in: 0..<40, using: &self) {
    case 0: .nan
    case 1: .infinity
    case 2: -.infinity
    case 3: .greatestFiniteMagnitude
    case 4: -1e300
    case 5: .leastNonzeroMagnitude
    default: Double.random(in: range, using: &self)
    }
  }

  /// A name that a file may bear: short, long, empty, not ASCII, with control characters.
  mutating func name() -> String {
    let names = [
      "", "a", "squat-s01-side", "stu1_27.mp4", "Übung_ñ", "深蹲-03", "jj\u{0}\u{7}zero", "line\nbreak", "🏋️‍♀️ set 2",
      String(repeating: "very-long-", count: 40), "e\u{301}\u{302}\u{303}", "العربية",
    ]
    return names.randomElement(using: &self) ?? ""
  }

  mutating func list<Element>(
    upTo limit: Int, _ make: (inout TestGenerator) -> Element
  ) -> [Element] {
    let count =
      Bool.random(using: &self) ? Int.random(in: 0...limit, using: &self) : Int.random(in: 0...3, using: &self)
    return (0..<count).map { _ in make(&self) }
  }
}
