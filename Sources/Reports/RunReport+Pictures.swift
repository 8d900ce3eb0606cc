import Coaching
import Evaluation
import Plots

extension RunReport {
  typealias Picture = ReportPicture

  /// The charts that these results have something for, in the order of the report.
  var pictures: [Picture] {
    var pictures: [Picture] = []
    pictures += zip(replayed, timelines).enumerated().map { index, clip in
      Picture(
        file: "timeline-\(index + 1).png", heading: heading(of: clip.0.result), chart: clip.1, part: .clip,
        isFolded: index > 0, isAside: index > 0)
    }
    if let counter = results.counter {
      pictures += [
        Picture(file: "counts.png", heading: "Predicted and true counts", chart: counts(counter)),
        Picture(
          file: "count-errors.png", heading: "Count error of each clip", chart: countErrors(counter), isAside: true),
      ]
    }
    if let scorer = results.scorer, let chart = grades(scorer) {
      pictures.append(Picture(file: "grades.png", heading: "Form score and graders", chart: chart))
    }
    pictures += confusions
    pictures += ladders
    pictures.append(Picture(file: "latency.png", heading: "Latency", chart: latency, part: .latency, isAside: true))
    return pictures
  }

  /// `cleo_1: counted 0, true 1, 1 rep missed or made up`
  private func heading(of clip: ClipResult) -> String {
    guard let detector = results.shownDetector, results.worstClips(detector).contains(where: { $0.id == clip.id })
    else { return clip.name }
    return "\(clip.name): \(mistakeWords.sentence(results.mistakes(detector, on: clip)))"
  }

  /// Of the clips that were replayed.
  var timelines: [ClipTimeline] {
    replayed.map { ClipTimeline($0, of: results, source: "\(sources) · \($0.setting.name)") }
  }

  /// The clips whose reps both people and the detector counted.
  private func counted(_ counter: String) -> [CountedClip] {
    results.clips.compactMap { clip in
      guard let truth = clip.trueCount, let count = clip.outcomes[counter]?.count else { return nil }
      return CountedClip(clip: clip.name, truth: Double(truth), predicted: Double(count))
    }
  }

  var subjects: Int { Set(results.clips.map { "\($0.dataset)/\($0.subject)" }).count }

  func counts(_ counter: String) -> CountScatter {
    CountScatter(
      source: "\(sources) · \(counter)", clips: counted(counter), subjects: subjects,
      remarks: ["count.exact", "count.off-by-one", "count.mae"].compactMap { remark(counter, $0) })
  }

  func countErrors(_ counter: String) -> CountErrorByClip {
    CountErrorByClip(
      source: "\(sources) · \(counter)", clips: counted(counter), subjects: subjects, mean: bias(counter))
  }

  /// `MAE 0.417 reps (95 % 0.1 to 0.7)`
  func remark(_ detector: String, _ name: String) -> String? {
    results.metric(detector, name).map { metric in
      "\(name) " + NumberText.quantity(metric.value, unit: metric.unit)
        + " (95 % \(NumberText.interval(metric)))"
    }
  }

  func bias(_ counter: String) -> Estimate? {
    guard let metric = results.metric(counter, "count.bias"), let value = metric.value else { return nil }
    return Estimate(value, lower: metric.interval?.low, upper: metric.interval?.high)
  }

  func grades(_ scorer: String) -> GradeAgreement? {
    let graded = results.clips.flatMap { clip in
      (clip.outcomes[scorer]?.graded ?? []).map { (clip: clip, grade: $0) }
    }
    guard !graded.isEmpty else { return nil }
    return GradeAgreement(
      source: "\(sources) · \(scorer)", kind: graded.contains { $0.grade.rep != nil } ? "rep" : "clip",
      items: graded.map { clip, grade in
        GradedItem(
          name: grade.rep.map { "\(clip.name) rep \($0 + 1)" } ?? clip.name, score: grade.predicted ?? .nan,
          mean: grade.mean ?? .nan, lowest: grade.sortedRatings.first ?? .nan, highest: grade.sortedRatings.last ?? .nan
        )
      },
      subjects: Set(graded.map { "\($0.clip.dataset)/\($0.clip.subject)" }).count,
      raters: Set(graded.flatMap(\.grade.ratings.keys)).count,
      humanBand: results.metric(scorer, "grades.human-mae")?.value,
      remarks: ["grades.spearman", "grades.mae", "grades.human-spearman", "grades.human-mae"].compactMap {
        remark(scorer, $0)
      })
  }

  var latency: LatencyChart {
    func delays(_ get: (ClipResult.Outcome) -> [Double], _ metric: String) -> LatencyPanel {
      guard let counter = results.counter else { return .unavailable("no detector here counts reps") }
      let samples = results.clips.compactMap { $0.outcomes[counter] }.flatMap(get)
      guard !samples.isEmpty else { return .unavailable("no rep is matched") }
      let median = results.metric(counter, metric)?.pooled
      return .measured([
        LatencySeries(name: counter, samples: samples, quantiles: median.map { [.init("p50", $0)] } ?? [])
      ])
    }
    let costs = results.measured.sorted { $0.key < $1.key }.filter { !$0.value.samples.isEmpty }
    return LatencyChart(
      source: sources,
      updateCost: costs.isEmpty
        ? .unavailable("no clip is as long as a block of frames")
        : .measured(
          costs.map { name, cost in
            LatencySeries(
              name: name, samples: cost.samples,
              quantiles: cost.quantiles.sorted { $0.value < $1.value }.map { .init($0.key, $0.value) })
          }),
      clockFloor: costs.compactMap(\.value.clockFloor).max(),
      reportLateness: delays(\.reportDelays, "latency.report"), cameraToCue: delays(\.liveDelays, "latency.live"))
  }
}

extension ClipTimeline {
  /// What a counter made of a clip of a run. Where the detector counts nothing, or nobody marked the reps, they are not
  /// compared.
  init(_ clip: ClipResult, detector: String, source: String) {
    let predicted = clip.outcomes[detector]?.reps ?? []
    let found = Set(predicted.compactMap(\.matches))
    self.init(
      clip: clip.name, detector: detector, source: source, duration: clip.duration, signals: [],
      trueReps: (clip.trueReps ?? []).enumerated().map {
        TimedRep(start: $1.start, end: $1.end, turn: $1.turn, isMatched: found.contains($0))
      },
      predictedReps: predicted.map {
        TimedRep(start: $0.rep.start, end: $0.rep.end, turn: $0.rep.turn, isMatched: $0.matches != nil)
      }, comparesReps: clip.trueReps != nil && clip.outcomes[detector]?.reps != nil)
  }
}

extension Timeline {
  public var signals: [SignalSeries] {
    series.map { series in
      SignalSeries(
        name: series.name, unit: series.unit, times: times, values: series.values,
        thresholds: series.guides.map { Threshold(label: $0.label, value: $0.value) })
    }
  }
}

extension String {
  func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}
