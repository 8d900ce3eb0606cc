import Testing

@testable import Charts

struct ChartTableTests {
  private let table = ChartTable(
    ["name", .init("gain", unit: "reps", .signed(2))], .estimate("rate", .fixed(1)),
    rows: [
      ChartTable.row([.text("a, \"b\""), .number(1.0 / 3)], Estimate(0.25, lower: 0, upper: 0.5).cells()),
      [.undefined, .number(.infinity), .number(nil), .count(3), .empty],
    ])

  @Test func valuesStayAsTheyAreAndTextIsMadeOfThem() {
    #expect(table.rows[0].map(\.value) == [nil, 1.0 / 3, 0.25, 0, 0.5])
    #expect(table.rows[1].map(\.value) == [nil, nil, nil, 3, nil])
    #expect(
      table.text == [
        ["name", "gain (reps)", "rate", "low", "high"], ["a, \"b\"", "+0.33", "0.3", "0.0", "0.5"],
        ["n/a", "n/a", "n/a", "3", ""],
      ])
  }

  @Test func asCSVItIsQuoted() {
    #expect(table.csv == "name,gain (reps),rate,low,high\n\"a, \"\"b\"\"\",+0.33,0.3,0.0,0.5\nn/a,n/a,n/a,3,")
  }
}
