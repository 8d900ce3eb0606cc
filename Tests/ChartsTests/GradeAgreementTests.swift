import Charts
import Testing

struct GradeAgreementTests {
  @Test func saysHowMuchItRestsOn() throws {
    #expect(
      Examples.grades.subtitle
        == "Form score and raters' mean · test · 2 reps of 1 subject · 3 raters · 1 without score or grade")
    let texts = try Examples.texts(of: Examples.grades)
    #expect(texts.contains("Spearman n/a: one rep"))
    #expect(texts.contains("typical human disagreement: ±5"))
  }

  @Test func listsTheGradesAndWhatIsMissing() {
    #expect(
      Examples.grades.table.text == [
        ["rep", "score", "raters' mean", "lowest", "highest"], ["r1", "80", "70", "60", "75"],
        ["r2", "n/a", "70", "60", "75"],
      ])
  }

  @Test func withoutOneGradeItSaysSo() throws {
    let chart = GradeAgreement(source: "test", kind: "clip", items: [])
    #expect(try Examples.texts(of: chart).contains("No clip has both a score and a grade."))
  }
}
