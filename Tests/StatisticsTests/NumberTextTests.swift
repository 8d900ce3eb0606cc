import Statistics
import Testing

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0.0625, 3, "0.063"), (-0.0004, 3, "0.000"), (-0.0005, 3, "−0.001"), (12, 0, "12"), (1234.5678, 1, "1234.6"),
    (0.05, 1, "0.1"), (.infinity, 2, "∞"), (-.infinity, 2, "−∞"), (.nan, 2, "n/a"), (-0.0, 1, "0.0"), (0.5, 0, "1"),
    (-2.5, 0, "−3"), (9.996, 2, "10.00"), (0.2125, 3, "0.213"), (12.05, 2, "12.05"), (1e13, 3, "10000000000000.000"),
    (1e14 + 0.5, 2, "100000000000000.50"), (1e15, 2, "1e+15"), (-1.236e20, 0, "−1.24e+20"),
  ])
  func fixed(_ value: Double, _ decimals: Int, _ text: String) {
    #expect(NumberText.fixed(value, decimals: decimals) == text)
  }

  @Test func signedWithAUnit() {
    #expect(NumberText.signed(0.125, unit: "reps") == "+0.125")
    #expect(NumberText.signed(-12.34, unit: "ms") == "−12.3")
    #expect(NumberText.signed(0, unit: "ms") == "0")
    // Not nothing, but less than is shown.
    #expect(NumberText.signed(-0.0001, unit: "reps") == "±0")
    #expect(NumberText.signed(nil, unit: "ms") == "n/a")
  }

  @Test(arguments: [
    (1.5, "+1.5", "+1.50"), (-1.25, "−1.25", "−1.25"), (0, "0", "0.00"), (0.001, "0", "0.00"), (-0.001, "0", "0.00"),
    (3, "+3", "+3.00"), (.nan, "n/a", "n/a"), (.infinity, "n/a", "n/a"),
  ])
  func signed(_ value: Double, _ text: String, _ withZeros: String) {
    #expect(NumberText.signed(value) == text)
    #expect(NumberText.signed(value, keepingZeros: true) == withZeros)
  }

  @Test func whatIsUndefinedIsNoNumber() { #expect(NumberText.value(nil, unit: "reps") == "n/a") }

  @Test func onlyANumberHasAUnit() {
    #expect(NumberText.quantity(0.25, unit: "reps") == "0.250 reps")
    #expect(NumberText.quantity(0.9, unit: "") == "0.900")
    #expect(NumberText.quantity(nil, unit: "ms") == "n/a" && NumberText.quantity(.nan, unit: "ms") == "n/a")
  }

  @Test func intervalHasBothEnds() {
    #expect(NumberText.interval(Interval(low: -0.1, high: 0.25, level: 0.95), unit: "reps") == "−0.100 to 0.250")
    #expect(NumberText.interval(nil, unit: "reps") == nil)
  }

  @Test func plain() {
    #expect(NumberText.plain(90) == "90")
    #expect(NumberText.plain(0.3) == "0.3")
    // As it is typed in an option.
    #expect(NumberText.plain(-0.05) == "-0.05")
    #expect(NumberText.plain(.nan) == "n/a")
    #expect(NumberText.plain(12, decimals: 2) == "12" && NumberText.plain(12.5, decimals: 2) == "12.5")
    #expect(NumberText.plain(100, decimals: 0) == "100" && NumberText.plain(.infinity, decimals: 2) == "n/a")
  }

  @Test(arguments: [
    (0, "0"), (0.12345, "0.123"), (1.2345, "1.23"), (9.996, "10"), (12.34, "12.3"), (99.96, "100"), (1234.5, "1235"),
    (9_999_999, "9999999"), (12_345_678, "1.23e+07"), (-10_000_000, "−1e+07"), (0.000012345, "1.23e-05"),
    (9.999e-8, "1e-07"), (1.5e300, "1.5e+300"), (-.leastNonzeroMagnitude, "−4.94e-324"), (.nan, "n/a"),
  ])
  func significant(_ value: Double, _ text: String) { #expect(NumberText.significant(value) == text) }

  @Test func closingZerosAreKeptInColumns() {
    #expect(NumberText.significant(10, keepingZeros: true) == "10.0")
    #expect(NumberText.significant(9, keepingZeros: true) == "9.00")
  }

  @Test func countsHaveAPlural() {
    #expect(NumberText.count(1, "clip") == "1 clip" && NumberText.count(3, "clip") == "3 clips")
    #expect(NumberText.size("clip", 24, subjects: 8) == "24 clips of 8 people")
    #expect(NumberText.size("clip", 2, subjects: 1) == "2 clips of 1 person")
    #expect(NumberText.size("clip", 1, subjects: nil) == "1 clip")
  }
}
