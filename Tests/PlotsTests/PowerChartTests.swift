import Plots
import Testing

struct PowerChartTests {
  @Test func simulatedRatesHaveTheirIntervals() throws {
    #expect(
      Examples.errorRates.table == [
        ["gains", "setting", "false alarm", "wrong pass"], ["normal", "10 subjects", "1.25 % [1, 2]", "2 %"],
        ["loss", "8 subjects", "", ""],
      ])
    #expect(try Examples.texts(of: Examples.errorRates).contains("95 % interval"))
    #expect(
      Examples.power.table == [
        ["subjects", "shown"], ["10", "0.250 [0.200, 0.300]"], ["20", "1.000"],
      ])
    #expect(try Examples.texts(of: Examples.power).contains("95 % interval"))
  }
}
