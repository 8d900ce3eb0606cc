import Evaluation

extension GateSelftestReport {
  public var study: StudyReport {
    get throws {
      StudyReport(
        kind: "selftest", suite: selftest.suite, version: selftest.bench, datasets: [], content: content,
        pictures: pictures, json: try stableJSON(selftest),
        marks: (selftest.datasets ?? [:]).isEmpty ? [] : [("Content", contentWords)])
    }
  }

  /// `squat-sample sha256:…`, as in the pictures of runs.
  private var contentWords: String {
    (selftest.datasets ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  private var content: StudyModel {
    var model = StudyModel()
    model.title = "self-test of the gate"
    model.summary = ["\(verdict.prefix(1).uppercased() + verdict.dropFirst()).", "\(headline)."]
    model.sections = [
      SectionModel(heading: "Error rates", table: TableModel(table)),
      SectionModel(
        heading: "What is missing never passes",
        table: TableModel(
          [["missing", "the gate says"]] + selftest.failingClosed.dropFirst().map { [$0.what, $0.answer] })
      ),
    ]
    model.method = [
      "A false alarm is a regression on any metric where nothing changed; in 10 beside 10 lost, on one of ten metrics "
        + "that did not change beside ten that lost two standard deviations. A wrong pass is one of a true loss of exactly "
        + "the margin.",
      "Each row is the worst of the correlations of a subject's reps (0, 0.2, 0.5) where its gains have reps.",
      "refused: with so few subjects no change passes.", "selftest.json beside this report holds every rate.",
    ]
    model.limits = [
      "The gains are simulated: the rates are those of the gate's rule on such gains, not of any one release."
    ]
    return model
  }
}
