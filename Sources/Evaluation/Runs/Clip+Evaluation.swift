import Coaching
import Datasets
import PoseModel
import Scoring

extension Clip {
  /// The clip's poses on the common joints.
  ///
  /// - Throws: `EvaluationError.missing` for a clip with labels only.
  public func poses(_ manifest: Manifest) throws -> PoseSequence {
    guard let keypoints, let skeleton = Skeleton.named(manifest.skeleton) else {
      throw EvaluationError.missing(what: "clip \(info.name)", expected: "poses", found: "labels only")
    }
    return PoseSequence(keypoints, skeleton: skeleton, coordinates: manifest.coordinates)
  }
}

extension Truth {
  /// The labels as scoring reads them.
  public init(_ labels: Labels) {
    self.init(
      count: labels.repCount, reps: labels.reps,
      grades: labels.grades.map { Grade(rep: $0.rep, rater: $0.rater, criterion: $0.criterion, value: $0.grade) },
      faults: labels.faults.map { Fault(rep: $0.rep, rater: $0.rater, name: $0.fault, present: $0.present) },
      events: labels.events.map { LabelledInstant(time: $0.time, label: $0.label) },
      segments: labels.intervals.map { Segment(start: $0.start, end: $0.end, label: $0.label) })
  }
}

extension ClipResult.Outcome {
  init(_ clip: ScoredClip, matching: RepMatching, profile: DetectorProfile) {
    let predicted = clip.prediction.reps
    let pairs = matching.pairs(truth: clip.truth.reps ?? [], predicted: predicted?.map(\.rep) ?? [])
    let truthOf = Dictionary(uniqueKeysWithValues: pairs.map { ($0.predicted, $0.truth) })
    let delays = LatencyMetrics(matching: matching).tally(clip)
    let graded = profile.criterion.map { GradeMetrics(matching: matching, criterion: $0).tally(clip) } ?? []
    self.init(
      count: clip.prediction.count,
      reps: predicted?.enumerated().map { index, counted in
        ClipResult.PredictedRep(
          rep: ClipResult.RepTimes(counted.rep), reported: counted.reported.seconds, matches: truthOf[index])
      },
      graded: graded.map { ClipResult.GradedRep(rep: $0.rep, predicted: $0.predicted, ratings: $0.ratings) },
      reportDelays: delays.report, liveDelays: delays.live, classes: Self.classes(clip, matching, profile),
      judged: Self.judged(clip, matching, profile))
  }

  /// What people judged for faults; `nil` for a detector that neither grades nor finds faults.
  private static func judged(
    _ clip: ScoredClip, _ matching: RepMatching, _ profile: DetectorProfile
  ) -> [ClipResult.JudgedRep]? {
    guard profile.criterion != nil || !profile.faults.isEmpty else { return nil }
    return AnyFaultMetrics(matching: matching, criterion: profile.criterion).judged(clip).map {
      ClipResult.JudgedRep(rep: $0.rep, grade: $0.grade, isFaulty: $0.isFaulty, isReported: $0.isReported)
    }
  }

  /// As the metrics of a detector's kind count them.
  private static func classes(
    _ clip: ScoredClip, _ matching: RepMatching, _ profile: DetectorProfile
  ) -> ConfusionMatrix? {
    if profile.kind == .swing {
      return StrokeMetrics(tolerance: matching.tolerance, labels: profile.labels).confusion(clip)
    }
    return profile.labels.isEmpty ? nil : SegmentMetrics(labels: profile.labels).confusion(clip)
  }
}
