import Evaluation
import Plots

extension Drawing {
  static let tuning = Drawing(
    "tuning", "What to expect of a tuned detector beside its optimistic score, and what each search chose.",
    needs: "what bench tune found: --from its tune.json, or the suite's newest", takes: [.from]
  ) { material in
    let file = try material.studyFile("tune", remedy: "--detector <detector> --metric <metric>")
    return try material.pictures(of: TuneReport(TuneResults(file: file)).study, file: file)
  }
}
