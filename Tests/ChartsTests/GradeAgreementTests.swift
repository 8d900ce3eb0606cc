import Charts
import Testing

struct GradeAgreementTests {
  @Test func saysHowMuchItRestsOn() throws {
    #expect(
      Examples.grades.subtitle
        == "Form score and raters' mean · test · 2 reps of 1 person · 3 raters · 1 without score or grade")
    let texts = try Examples.texts(of: Examples.grades)
    #expect(texts.contains("Spearman n/a: one rep"))
    #expect(texts.contains("typical human disagreement: ±5"))
  }

  /// With a band of 5 on each side: 70 to 90 is farther, 70 to 73 is not. Eighths of 64 are 8 items.
  @Test func whatIsFartherThanARaterIsCounted() throws {
    func chart(_ count: Int) -> GradeAgreement {
      GradeAgreement(
        source: "test",
        items: (0..<count).map { GradedItem(name: "r\($0)", score: $0 % 4 == 0 ? 90 : 73, mean: 70) }, humanBand: 5)
    }
    let many = try Examples.texts(of: chart(64))
    #expect(many.contains("as close as a rater: 48 of 64") && many.contains("farther: 16"))
    #expect(many.contains("average score by grade") && !many.contains("lowest to highest grade"))
    let few = try Examples.texts(of: chart(8))
    #expect(few.contains("farther: 2") && few.contains("lowest to highest grade"))
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
