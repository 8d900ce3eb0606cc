import Evaluation
import Foundation
import Plots

extension Drawing {
  static let sweep = Drawing(
    "sweep", "A metric over one parameter as a curve, over two as a heat map.",
    needs: "sweep.json of bench sweep: --from FILE, or the suite's newest"
  ) { material in
    let file = try material.file ?? material.newestSweep()
    let results = try SweepResults(file: file)
    let pictures = SweepReport(results).pictures
    let metadata = [
      (key: "Software", value: "bench \(results.bench)"), (key: "Suite", value: results.suite),
      (key: "Content", value: results.datasets.map { "\($0.name) \($0.content)" }.joined(separator: ", ")),
    ]
    return pictures.map { picture in
      Picture(
        picture.chart, part: pictures.count > 1 ? picture.file.trimmingSuffix(".png") : "", notes: ["from \(file)"],
        metadata: metadata)
    }
  }
}

extension DrawingMaterial {
  fileprivate func newestSweep() throws -> String {
    let folder = project.reportFolder(suite)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard let newest = names.filter({ $0.hasPrefix("sweep-") }).max() else {
      throw EvaluationError.missing(
        what: "suite \(suite)", expected: "a sweep in \(folder)",
        found: "none; make one with: bench sweep --suite \(suite) --sweep <kind>.<detector>.<parameter>=<values>")
    }
    return "\(folder)/\(newest)/sweep.json"
  }
}
