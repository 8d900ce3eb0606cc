import Charts
import Testing

struct PowerChartTests {
  @Test func simulatedRatesHaveTheirIntervals() throws {
    #expect(
      Examples.errorRates.table.text == [
        ["gains", "subjects", "false alarm (%)", "low (%)", "high (%)", "wrong pass (%)", "low (%)", "high (%)"],
        ["normal", "10", "1.25", "1", "2", "2", "n/a", "n/a"], ["loss", "8", "", "", "", "", "", ""],
      ])
    #expect(try Examples.texts(of: Examples.errorRates).contains("95 % interval"))
    var rates = Examples.errorRates
    #expect(rates.subtitle == "Errors · test")
    rates.rows[0].wrongPass = nil
    #expect(rates.subtitle == "Errors · test; no point where that error cannot happen or no rate is claimed")
    rates = Examples.errorRates
    rates.rows[1].wrongPass = Estimate(0.01)
    let texts = try Examples.texts(of: rates)
    // A panel for each kind of gains, with the same numbers of subjects.
    #expect(texts.count { $0 == "normal" } == 1 && texts.count { $0 == "loss" } == 1)
    #expect(texts.count { $0 == "8" } == 2 && texts.count { $0 == "10" } == 2 && !texts.contains("exceeds the claim"))
    rates.limit = 0.015
    #expect(try Examples.texts(of: rates).contains("exceeds the claim"))
    #expect(
      Examples.power.table.text == [
        ["subjects", "detects it", "low", "high"], ["10", "0.250", "0.200", "0.300"], ["20", "1.000", "n/a", "n/a"],
      ])
    #expect(try Examples.texts(of: Examples.power).contains("95 % interval"))
  }
}
