import Scoring

/// Raters who do not agree: no detector can agree with all of them, and whom it is held against decides what it scores.
struct RaterDisagreement: DatasetCheck {
  let name = "rater-disagreement"
  let title = "raters disagree"
  let threshold = """
    Krippendorff's α below 0.667, the least for tentative conclusions (Krippendorff, Content Analysis, 2004), of ten things or \
    more with two raters each; interval differences for grades, nominal ones for faults; of fewer, a thing whose grades are \
    half of the scale apart
    """
  let remedy = "agree on the scale by examples and rate again; until then read every score beside the human ceiling"

  static let least = 0.667

  func findings(across dataset: CheckedDataset) -> [Finding] {
    RatedItems.all(dataset).compactMap { rated in
      let shared = rated.items.filter { $0.ratings.count > 1 }
      guard shared.count >= 10 else { return apart(shared, of: rated) }
      let raters = rated.raters
      let ratings = raters.map { rater in shared.map { $0.ratings[rater] } }
      guard let alpha = krippendorffAlpha(ratings, level: rated.isFault ? .nominal : .interval), alpha < Self.least
      else { return nil }
      let worst = shared.max { $0.spread < $1.spread }
      let example = worst.map { item -> String in
        let words = item.ratings.sorted { $0.key < $1.key }.map {
          "\($0.key) \(rated.isFault ? ($0.value == 1 ? "present" : "absent") : "\($0.value.rounded(toDecimals: 2))")"
        }
        return ", as of " + (item.rep.map { "rep \($0 + 1)" } ?? "the whole") + ": " + words.joined(separator: ", ")
      }
      return finding(
        .warning, in: worst?.clip, weight: 1 - alpha,
        "\(rated.subject): α \(alpha.rounded(toDecimals: 2)) of \(raters.count) raters on \(shared.count)"
          + (example ?? ""))
    }
  }

  /// The thing whose grades are furthest apart, of too few for an α.
  private func apart(_ shared: [RatedItems.Item], of rated: RatedItems) -> Finding? {
    guard !rated.isFault, let worst = shared.max(by: { $0.spread < $1.spread }), worst.spread * 2 >= rated.range,
      worst.spread > 0
    else { return nil }
    let words = worst.ratings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rounded(toDecimals: 2))" }
    return finding(
      .warning, in: worst.clip, weight: worst.spread / rated.range,
      "\(rated.subject) of \(worst.rep.map { "rep \($0 + 1)" } ?? "the whole"): \(words.joined(separator: ", ")); "
        + "\(shared.count) graded more than once")
  }
}

extension RatedItems.Item {
  /// How far its ratings are apart.
  fileprivate var spread: Double { (ratings.values.max() ?? 0) - (ratings.values.min() ?? 0) }
}
