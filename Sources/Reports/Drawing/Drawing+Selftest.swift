import Evaluation
import Plots

extension Drawing {
  static let selftest = Drawing(
    "selftest", "How often the gate is wrong, by kind of gains and number of subjects, and what more subjects show.",
    needs: "what bench selftest gate found: --from its selftest.json, or the suite's newest", takes: [.from]
  ) { material in
    let file = try material.studyFile("selftest", remedy: "")
    return try material.pictures(of: GateSelftestReport(GateSelftest(file: file)).study, file: file)
  }
}
