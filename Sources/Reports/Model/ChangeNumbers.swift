import Evaluation

/// What changed since the baseline. A gain is above 0 for better, in the metric's unit; `low` and `high` are its 95 %
/// interval.
struct ChangeNumbers: Encodable {
  struct Answer: Encodable {
    var outcome: String
    var reason: String
    var detail: String?
  }

  struct Metric: Encodable {
    var detector: String
    var metric: String
    var baseline: Double?
    var gain: Double?
    /// By subject.
    var gains: [String: Double]
    /// How many subjects got better or worse, how many did not change, and how many have a value on one side only.
    var better: Int
    var worse: Int
    var same: Int
    var oneSided: Int
    var low: Double?
    var high: Double?
    var margin: Double?
    /// The verdict on a metric that gates.
    var outcome: String?
  }

  struct Slice: Encodable {
    var dimension: String
    var slice: String
    var detector: String
    var metric: String
    /// The means of the subjects with a value on both sides.
    var baseline: Double?
    var value: Double?
    var gain: Double?
    var low: Double?
    var high: Double?
    /// Over all slices, after Benjamini and Hochberg.
    var adjustedP: Double?
    /// With a value on both sides.
    var subjects: Int
    var clips: Int
  }

  struct Count: Encodable {
    var clip: String
    var detector: String
    var baseline: Int
    var count: Int
    var truth: Int?
  }

  /// Of the suite's metrics, and of the clips.
  struct Summary: Encodable {
    var metrics: Int
    var better: Int
    var worse: Int
    var neither: Int
    /// Whose gain has a 95 % interval that leaves 0 out.
    var shown: Int
    /// Changed clips by how they were filmed.
    var changedClips: [String: Int]
  }

  var format = 2
  var verdict: Answer
  var summary: Summary
  var metrics: [Metric]
  var slices: [Slice]
  /// `squat-states.bottomAngle: 90.0 → 95.0`
  var parameters: [String]
  /// Counts that are others than at the baseline.
  var counts: [Count]
  /// Of what else the detectors said of a clip.
  var answers: [ClipChange]
}
