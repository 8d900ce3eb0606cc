import Evaluation
import Plots

extension Drawing {
  static let confusion = Drawing(
    "confusion", "What each detector of strokes or postures takes for what.", needs: "a run; --detector",
    takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let results = run.results
    let named = results.detectors.map(\.name).filter { results.classes($0) != nil }
    let wanted = try material.detector(in: results, having: "strokes or postures that people named") {
      named.contains($0)
    }
    let pictures = run.report.confusions.filter { picture in
      material.detector == nil || picture.file == "classes-\(wanted).png"
    }
    return pictures.map { picture in
      let detector = picture.file.trimmingSuffix(".png").dropFirst("classes-".count)
      return Picture(
        picture.chart, part: material.detector == nil && pictures.count > 1 ? String(detector) : "",
        metadata: run.metadata)
    }
  }
}
