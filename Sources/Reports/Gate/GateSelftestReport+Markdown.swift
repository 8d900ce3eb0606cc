import Evaluation

extension GateSelftestReport {
  /// The report as GitHub-flavoured Markdown.
  var markdown: String {
    let closed = selftest.failingClosed.dropFirst()
    let pictures = pictures.flatMap { picture in
      [
        "![\(picture.chart.title)](\(picture.file))",
        Markdown.details("The same as text", Markdown.table(picture.chart.table)),
      ]
    }
    let sections =
      [
        "# Self-test of the gate", "\(headline).", "**\(verdict.prefix(1).uppercased() + verdict.dropFirst()).**",
        "## Error rates", explanation, Markdown.table(table),
      ] + pictures + [
        "## What is missing never passes",
        Markdown.table([["missing", "the gate says"]] + closed.map { [$0.what, $0.answer] }),
      ]
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var explanation: String {
    """
    - A false alarm is a regression on any metric where nothing changed; in `10 beside 10 lost`, on one of ten metrics \
    that did not change beside ten that lost two standard deviations. A wrong pass is one of a true loss of exactly the \
    margin.
    - Each row is the worst of the correlations of a subject's reps (0, 0.2, 0.5) where its gains have reps.
    - `refused`: with so few subjects no change passes.
    - `selftest.json` beside this report holds every rate.
    """
  }
}
