import Charts
import Testing

struct PowerChartTests {
  @Test func simulatedRatesHaveTheirIntervals() throws {
    #expect(
      Examples.errorRates.table.text == [
        ["gains", "setting", "false alarm (%)", "low (%)", "high (%)", "wrong pass (%)", "low (%)", "high (%)"],
        ["normal", "10 subjects", "1.25", "1", "2", "2", "n/a", "n/a"], ["loss", "8 subjects", "", "", "", "", "", ""],
      ])
    #expect(try Examples.texts(of: Examples.errorRates).contains("95 % interval"))
    #expect(
      Examples.power.table.text == [
        ["subjects", "detects it", "low", "high"], ["10", "0.250", "0.200", "0.300"], ["20", "1.000", "n/a", "n/a"],
      ])
    #expect(try Examples.texts(of: Examples.power).contains("95 % interval"))
  }
}
