import Evaluation
import Testing

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0.0625, 3, "0.063"), (-0.0004, 3, "0.000"), (-0.0005, 3, "−0.001"), (12, 0, "12"), (1234.5678, 1, "1234.6"),
    (0.05, 1, "0.1"), (.infinity, 2, "∞"), (.nan, 2, "n/a"),
  ])
  func fixed(_ value: Double, _ decimals: Int, _ text: String) {
    #expect(NumberText.fixed(value, decimals: decimals) == text)
  }

  @Test func signed() {
    #expect(NumberText.signed(0.125, unit: "reps") == "+0.125")
    #expect(NumberText.signed(-12.34, unit: "ms") == "−12.3")
    #expect(NumberText.signed(0, unit: "ms") == "0")
    // Not nothing, but less than is shown.
    #expect(NumberText.signed(-0.0001, unit: "reps") == "±0")
    #expect(NumberText.signed(nil, unit: "ms") == "n/a")
  }

  @Test func whatIsUndefinedIsNoNumber() { #expect(NumberText.value(nil, unit: "reps") == "n/a") }

  @Test func onlyANumberHasAUnit() {
    #expect(NumberText.quantity(0.25, unit: "reps") == "0.250 reps")
    #expect(NumberText.quantity(0.9, unit: "") == "0.900")
    #expect(NumberText.quantity(nil, unit: "ms") == "n/a" && NumberText.quantity(.nan, unit: "ms") == "n/a")
  }

  @Test func plain() {
    #expect(NumberText.plain(90) == "90")
    #expect(NumberText.plain(0.3) == "0.3")
  }
}
