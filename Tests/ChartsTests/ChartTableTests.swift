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

  @Test func forOtherProgramsNumbersAreNotRounded() {
    #expect(
      table.written(as: .csv)
        == "name,gain (reps),rate,low,high\n\"a, \"\"b\"\"\",0.3333333333333333,0.25,0,0.5\n,,,3,\n")
  }

  @Test func forPapers() {
    let table = ChartTable(
      ["name", .init("a|b", .fixed(1))], rows: [[.text("50 % of_x"), .number(-0.25)], [.text("{\\}"), .undefined]])
    #expect(
      table.written(as: .markdown) == "| name | a\\|b |\n| --- | --- |\n| 50 % of_x | −0.3 |\n| {\\} | n/a |\n")
    #expect(
      table.written(as: .latex) == """
        \\begin{tabular}{lr}
        \\toprule
        name & a|b \\\\
        \\midrule
        50 \\% of\\_x & $-$0.3 \\\\
        \\{\\textbackslash{}\\} & n/a \\\\
        \\bottomrule
        \\end{tabular}

        """)
    #expect(table.written(as: .markdown, below: ["a"]).hasPrefix("> a\n\n| name |"))
    #expect(table.written(as: .latex, below: ["a", "b"]).hasPrefix("% a\n% b\n\\begin"))
    #expect(table.written(as: .csv, below: ["a"]) == table.written(as: .csv))
  }
}
