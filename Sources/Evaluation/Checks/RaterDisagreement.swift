import Scoring

/// Raters who do not agree: no detector can agree with all of them, and whom it is held against decides what it scores.
struct RaterDisagreement: DatasetCheck {
  let name = "rater-disagreement"
  let title = "raters disagree"
  let threshold = """
    Krippendorff's α below 0.667, the least for tentative conclusions (Krippendorff, Content Analysis, 2004), of ten things or \
    more with two raters each; interval differences for grades, nominal ones for faults
    """
  let remedy = "agree on the scale by examples and rate again; until then read every score beside the human ceiling"

  static let least = 0.667

  func findings(across dataset: CheckedDataset) -> [Finding] {
    RatedItems.all(dataset).compactMap { rated in
      let shared = rated.items.filter { $0.ratings.count > 1 }
      guard shared.count >= 10 else { return nil }
      let raters = rated.raters
      let ratings = raters.map { rater in shared.map { $0.ratings[rater] } }
      guard let alpha = krippendorffAlpha(ratings, level: rated.isFault ? .nominal : .interval), alpha < Self.least
      else { return nil }
      func spread(_ item: RatedItems.Item) -> Double {
        (item.ratings.values.max() ?? 0) - (item.ratings.values.min() ?? 0)
      }
      let worst = shared.max { spread($0) < spread($1) }
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
}
