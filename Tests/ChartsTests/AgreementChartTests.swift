import Charts
import Testing

struct AgreementChartTests {
  @Test func blandAltmanNamesBiasAndLimits() throws {
    #expect(Examples.blandAltman.subtitle == "Knee angle · test · 4 reps of 2 people · 1 without both values")
    let texts = try Examples.texts(of: Examples.blandAltman)
    for text in [
      "bias +1.50 (−1.00 to +4.00)", "upper limit +7.00", "lower limit −4.00", "anna", "bert", "3 of 4 reps",
      "mean of a person", "from a person's mean to each rep",
    ] { #expect(texts.contains(text), "\(text) in \(texts)") }
    #expect(Examples.blandAltman.table.text[1] == ["anna", "91", "+2"])
  }

  @Test func withoutRepeatedMeasuresNoSubjectHasAMean() throws {
    let chart = BlandAltmanPlot(
      topic: "t", source: "", quantity: "q",
      pairs: [.init(subject: "a", measured: 1, reference: 2), .init(subject: "b", measured: 2, reference: 2)])
    let texts = try Examples.texts(of: chart)
    #expect(!texts.contains("mean of a person") && !texts.contains("from a person's mean to each rep"))
    let empty = BlandAltmanPlot(topic: "t", source: "", quantity: "q", pairs: [])
    #expect(try Examples.texts(of: empty).contains("No rep has both values."))
  }

  @Test func ratersHaveAgreementIntervalAndNumber() throws {
    #expect(
      Examples.raters.subtitle
        == "Agreement of the raters · test · 2 raters · 1 detector · weighted kappa · 1 to 20 reps in common")
    let texts = try Examples.texts(of: Examples.raters)
    for text in ["0.80", "[0.60, 0.95]", "n = 20", "0.50", "n = 12", "n/a", "two people", "a detector and a person"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
    #expect(
      Examples.raters.table.text == [
        ["rater", "other rater", "weighted kappa", "low", "high", "reps"], ["B", "A", "0.80", "0.60", "0.95", "20"],
        ["detector", "A", "0.50", "n/a", "n/a", "12"], ["detector", "B", "n/a", "n/a", "n/a", "1"],
      ])
  }

  /// Twenty reps of one person show nothing about people.
  @Test func ofFewPeopleNothingIsClaimed() throws {
    var chart = Examples.raters
    chart.people = 1
    #expect(chart.title == "Too few people for a finding: 20 reps of 1 person")
    #expect(chart.subtitle.hasSuffix(" · 1 to 20 reps in common · 1 person"))
    chart.people = 10
    #expect(chart.title == Examples.raters.title)
    // Both colour bars say what they begin and end with.
    #expect(try Examples.texts(of: chart).count { $0 == "≤ 0" } == 2)
  }

  @Test func agreementIsReadFromEitherHalf() {
    let cell = RaterCorrelations.Cell(Estimate(0.25), count: 4)
    let chart = RaterCorrelations(
      source: "", measure: "kappa", raters: ["A", "B"], cells: [[nil, cell], [nil, nil]])
    #expect(chart.table.text[1] == ["B", "A", "0.25", "n/a", "n/a", "4"])
  }
}
