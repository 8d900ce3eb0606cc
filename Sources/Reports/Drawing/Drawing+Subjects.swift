import Evaluation
import Plots

extension Drawing {
  static let subjects = Drawing(
    "subjects", "The count errors of each subject's clips, with their mean.", needs: "a run; --detector",
    takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.counter(run.results)
    let several = run.results.datasets.count > 1
    let clips = run.results.clips.compactMap { clip in
      clip.countError(detector).map { (several ? "\(clip.dataset)/\(clip.subject)" : clip.subject, Double($0)) }
    }
    let subjects = Dictionary(grouping: clips) { $0.0 }.map { name, own in
      CountErrorBySubject.Subject(name: name, errors: own.map(\.1))
    }
    let chart = CountErrorBySubject(
      source: run.source(detector), subjects: subjects, mean: run.report.bias(detector))
    return [Picture(chart, metadata: run.metadata)]
  }
}
