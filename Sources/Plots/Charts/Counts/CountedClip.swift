/// One clip with the reps that people counted and those that the detector counted.
public struct CountedClip: Hashable, Sendable {
  public var clip: String
  /// In reps; NaN where it is missing.
  public var truth: Double
  /// In reps, not always whole: some systems predict a mean. NaN where it is missing.
  public var predicted: Double

  public init(clip: String, truth: Double, predicted: Double) {
    self.clip = clip
    self.truth = truth
    self.predicted = predicted
  }

  /// Predicted less true: above 0 where reps were made up, below 0 where reps were lost.
  public var error: Double { predicted - truth }

  var isComplete: Bool { error.isFinite }
  var isExact: Bool { error == 0 }
  var isWithinOne: Bool { abs(error) <= 1 }

  /// "12 → 15".
  var change: String { "\(NumberText.plain(truth)) → \(NumberText.plain(predicted))" }

  /// The greatest error first, and of equal ones the clip named first.
  static func worstFirst(_ left: CountedClip, _ right: CountedClip) -> Bool {
    (abs(right.error), left.clip) < (abs(left.error), right.clip)
  }

  /// "24 clips of 8 subjects · 15 exact, 21 within one rep · 1 without a count".
  static func summary(of clips: [CountedClip], subjects: Int?) -> [String] {
    let complete = clips.filter(\.isComplete)
    let missing = clips.count - complete.count
    let exact = complete.count(where: \.isExact)
    let near = complete.count(where: \.isWithinOne)
    return [NumberText.size("clip", clips.count, subjects: subjects), "\(exact) exact, \(near) within one rep"]
      + (missing > 0 ? ["\(missing) without a count"] : [])
  }
}
