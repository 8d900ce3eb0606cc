import PoseModel
import Scoring

/// A metric with what computes it from clips.
struct Measure: Sendable {
  var metric: Metric
  /// Whether truth and prediction may change places.
  var isSymmetric: Bool
  /// Whether a perfect prediction is known to have the best value.
  var hasBest = true
  var value: @Sendable ([MeasuredClip]) -> Double?

  init(
    _ metric: Metric, isSymmetric: Bool = false, hasBest: Bool = true,
    _ value: @escaping @Sendable ([MeasuredClip]) -> Double?
  ) {
    self.metric = metric
    self.isSymmetric = isSymmetric
    self.hasBest = hasBest
    self.value = value
  }

  static let all: [Measure] = grades + raters + classes + scores + events + segments + keypoints + cues

  private static let grades: [Measure] =
    [
      Measure(.pearson, isSymmetric: true) { pearson($0.flatMap(\.grades.truth), $0.flatMap(\.grades.predicted)) },
      Measure(.kendallTauB, isSymmetric: true) {
        kendallTauB($0.flatMap(\.grades.truth), $0.flatMap(\.grades.predicted))
      },
      Measure(.rootMeanSquareError, isSymmetric: true) { errors($0).rootMeanSquare },
      Measure(.relativeL2) { errors($0).relativeL2 },
      Measure(.blandAltmanBias) { limits($0)?.bias },
      Measure(.blandAltmanLower) { limits($0)?.lower },
      Measure(.blandAltmanUpper) { limits($0)?.upper },
    ]
    + KappaWeighting.allCases.map { weighting in
      Measure(.cohenKappa(weighting), isSymmetric: true) {
        cohenKappa(
          $0.flatMap(\.grades.truth), $0.flatMap(\.grades.predicted), labels: [1, 2, 3, 4, 5], weighting: weighting)
      }
    }

  private static let raters: [Measure] =
    IntraclassCorrelation.Form.allCases.map { form in
      Measure(.intraclassCorrelation(form), isSymmetric: true) {
        IntraclassCorrelation($0.flatMap(\.ratings))?.value(form)
      }
    }
    + MeasurementLevel.allCases.map { level in
      Measure(.krippendorffAlpha(level), isSymmetric: true) { clips in
        let reps = clips.flatMap(\.ratings)
        return krippendorffAlpha((0..<3).map { rater in reps.map { $0[rater] } }, level: level)
      }
    } + [
      Measure(.humanCeiling(of: .pearson), isSymmetric: true) { ceiling($0, pearson) },
      Measure(.humanCeiling(of: .kendallTauB), isSymmetric: true) { ceiling($0, kendallTauB) },
      Measure(.humanCeiling(of: .rootMeanSquareError), isSymmetric: true) {
        ceiling($0) { GradeErrors(truth: $1, predicted: $0).rootMeanSquare }
      },
    ]

  private static let classes: [Measure] =
    [
      Measure(.accuracy, isSymmetric: true) { confusion($0).accuracy },
      Measure(.balancedAccuracy) { confusion($0).macroRecall.value },
      Measure(.macroPrecision) { confusion($0).macroPrecision.value },
      Measure(.macroF1, isSymmetric: true) { confusion($0).macroF1.value },
      Measure(.matthewsCorrelation, isSymmetric: true) { confusion($0).matthewsCorrelation },
    ]
    + zip(Metric.classification(label: "down"), [\DetectionCounts.precision, \.recall, \.f1]).map { metric, share in
      let share = share as KeyPath<DetectionCounts, Double?> & Sendable
      return Measure(metric) { confusion($0).detections[0][keyPath: share] }
    }

  private static let scores: [Measure] = [
    Measure(.areaUnderROC) { binary($0).areaUnderROC },
    Measure(.averagePrecision) { binary($0).averagePrecision },
    Measure(.brier) { binary($0).brier },
    Measure(.expectedCalibrationError) { ReliabilityCurve(binary($0))?.expectedError },
  ]

  private static let events: [Measure] = [
    Measure(.percentageOfCorrectEvents) { clips in
      clips.map { PercentageOfCorrectEvents(truth: $0.events.truth, predicted: $0.events.predicted, tolerance: 2) }
        .reduce(PercentageOfCorrectEvents(), +).value
    },
    Measure(.spottingMeanAveragePrecision) { clips in
      func event(_ clip: MeasuredClip, _ segment: Segment) -> EventSpotting.Event {
        let frame = Int(segment.start.count / 10_000)
        return .init(
          clip: clip.name, label: segment.label, instant: EventInstant(time: segment.start, frame: frame))
      }
      return clips.map { clip in
        EventSpotting(
          truth: clip.segments.truth.map { event(clip, $0) },
          detections: zip(clip.segments.predicted, clip.certainties).map { .init(event(clip, $0), score: $1) })
      }.reduce(EventSpotting(), +).meanAveragePrecision(
        labels: MeasuredClip.labels, within: [.frames(1), .time(.milliseconds(25))]
      ).value
    },
  ]

  private static let segments: [Measure] =
    [
      Measure(.segmentMeanAveragePrecision) { clips in
        clips.map { clip in
          SegmentDetection(
            truth: clip.segments.truth.map { .init(clip: clip.name, segment: $0) },
            detections: zip(clip.segments.predicted, clip.certainties).map {
              .init(clip: clip.name, segment: $0, score: $1)
            })
        }.reduce(SegmentDetection(), +).meanAveragePrecision(labels: MeasuredClip.labels).value
      },
      Measure(.segmentalEdit, isSymmetric: true) { clips in
        func labels(_ segments: [Segment]) -> [String] { segments.sorted { $0.start < $1.start }.map(\.label) }
        return clips.map { SegmentalEdit(truth: labels($0.segments.truth), predicted: labels($0.segments.predicted)) }
          .reduce(SegmentalEdit(), +).value
      },
      Measure(.frameAccuracy, isSymmetric: true) { clips in
        clips.map {
          FrameAccuracy(truth: $0.segments.truth, predicted: $0.segments.predicted, frames: MeasuredClip.frames)
        }.reduce(FrameAccuracy(), +).value
      },
    ]
    + [10, 25, 50].map { percent in
      Measure(.segmentalF1(percent: percent)) { clips in
        clips.map {
          DetectionCounts(
            truth: $0.segments.truth, predicted: $0.segments.predicted, overlap: Double(percent) / 100)
        }.reduce(DetectionCounts(), +).f1
      }
    }

  private static let keypoints: [Measure] = [
    Measure(.percentageOfCorrectKeypoints) { clips in
      clips.map {
        PercentageOfCorrectKeypoints(reference: $0.poses.reference, other: $0.poses.other, within: 0.5, of: .torso)
      }.reduce(PercentageOfCorrectKeypoints(), +).value
    },
    Measure(.objectKeypointSimilarity) { clips in
      clips.map { ObjectKeypointSimilarity(reference: $0.poses.reference, other: $0.poses.other) }
        .reduce(ObjectKeypointSimilarity(), +).value
    },
    Measure(.poseAcceleration) { $0.map { PoseJitter($0.poses.other) }.reduce(PoseJitter(), +).acceleration },
    Measure(.poseJerk) { $0.map { PoseJitter($0.poses.other) }.reduce(PoseJitter(), +).jerk },
    Measure(.keypointDropOut) { clips in
      clips.map { KeypointDropOut($0.poses.other, joints: [.leftKnee, .nose, .neck]) }
        .reduce(KeypointDropOut(), +).value
    },
  ]

  private static let cues: [Measure] = zip(
    Metric.cues, [\CueTally.perMinute, \.repeatShare, \.delay, \.missedShare, \.contradictionShare]
  ).map { metric, value in
    let value = value as KeyPath<CueTally, Double?> & Sendable
    // That a coach talks less is better, but not best where it says nothing.
    return Measure(metric, hasBest: metric.name != "cues.per-minute") { clips in
      clips.map {
        CueTally(
          cues: $0.cues, judgements: $0.judgements, duration: .milliseconds(10_000), cooldown: .milliseconds(2000))
      }.reduce(CueTally(), +)[keyPath: value]
    }
  }

  private static func errors(_ clips: [MeasuredClip]) -> GradeErrors {
    clips.map { GradeErrors(truth: $0.grades.truth, predicted: $0.grades.predicted) }.reduce(GradeErrors(), +)
  }

  private static func limits(_ clips: [MeasuredClip]) -> BlandAltman? {
    BlandAltman(differencesBySubject: clips.map { zip($0.grades.predicted, $0.grades.truth).map(-) })
  }

  private static func confusion(_ clips: [MeasuredClip]) -> ConfusionMatrix {
    clips.map { ConfusionMatrix(truth: $0.classes.truth, predicted: $0.classes.predicted, labels: MeasuredClip.labels) }
      .reduce(ConfusionMatrix(labels: MeasuredClip.labels), +)
  }

  private static func binary(_ clips: [MeasuredClip]) -> BinaryScores {
    clips.map { BinaryScores(truth: $0.scores.truth, scores: $0.scores.predicted) }.reduce(BinaryScores(), +)
  }

  private static func ceiling(_ clips: [MeasuredClip], _ agreement: ([Double], [Double]) -> Double?) -> Double? {
    humanCeiling(
      clips.flatMap(\.ratings).map { Dictionary(uniqueKeysWithValues: zip(["ann", "ben", "cay"], $0)) },
      agreement: agreement
    ).value
  }
}
