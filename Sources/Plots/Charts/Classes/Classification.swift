/// What a precision–recall and an ROC curve are drawn of: classifiers at each of their thresholds, on things of which
/// some are what is looked for and some are not.
public struct Classification: Hashable, Sendable {
  public var title: String
  /// Dataset, its origin and what is detected.
  public var source: String
  public var curves: [ThresholdCurve]
  /// What is classified, in the singular.
  public var kind: String
  /// How many things are there, and how many are not.
  public var positives: Int
  public var negatives: Int
  public var subjects: Int?
  /// Results to print beside the plot, worded by the caller: the area under the curve with its interval.
  public var remarks: [String]

  public init(
    title: String, source: String, curves: [ThresholdCurve], kind: String = "rep", positives: Int, negatives: Int,
    subjects: Int? = nil, remarks: [String] = []
  ) {
    self.title = title
    self.source = source
    self.curves = curves
    self.kind = kind
    self.positives = max(0, positives)
    self.negatives = max(0, negatives)
    self.subjects = subjects
    self.remarks = remarks
  }

  /// What is positive, as a share; `nil` for nothing at all.
  var positiveShare: Double? {
    positives + negatives > 0 ? Double(positives) / Double(positives + negatives) : nil
  }

  var subtitle: String {
    [source, NumberText.size(kind, positives + negatives, subjects: subjects), "\(positives) positive"]
      .joined(separator: " · ")
  }
}
