import Evaluation
import Plots

extension Drawing {
  static let sweep = Drawing(
    "sweep", "A metric over one parameter as a curve, over two as a heat map.",
    needs: "what bench sweep found: --from its sweep.json, or the suite's newest", takes: [.from]
  ) { material in
    let file = try material.studyFile("sweep", remedy: "--sweep <kind>.<detector>.<parameter>=<values>")
    return try material.pictures(of: SweepReport(SweepResults(file: file)).study, file: file)
  }
}
