/// Raters who say the same of everything where others tell things apart: they did not look, or have another scale.
struct RaterVariation: DatasetCheck {
  let name = "constant-raters"
  let title = "a rater says the same of everything"
  let threshold = """
    ten grades all alike where another rater's of the same things differ; all words on a fault alike where, by the share that \
    others give of the same things, chance would do that in less than one of a hundred
    """
  let remedy = "ask the rater again, or leave their labels out and say so"

  static let fewest = 10

  func findings(across dataset: CheckedDataset) -> [Finding] {
    RatedItems.all(dataset).flatMap { rated in
      rated.raters.compactMap { rater -> Finding? in
        let items = rated.items.filter { $0.ratings[rater] != nil }
        let own = Set(items.compactMap { $0.ratings[rater] })
        guard items.count >= Self.fewest, own.count == 1, let value = own.first else { return nil }
        let others = items.flatMap { item in item.ratings.filter { $0.key != rater }.values }
        guard others.count >= Self.fewest else { return nil }
        if rated.isFault {
          let share = Double(others.count { $0 == value }) / Double(others.count)
          var chance = 1.0
          for _ in items { chance *= share }
          guard chance < 0.01 else { return nil }
        } else if Set(others).count == 1 {
          return nil
        }
        let word = rated.isFault ? (value == 1 ? "present" : "absent") : "\(value.rounded(toDecimals: 3))"
        return finding(
          .warning, weight: Double(items.count), "\(rater), \(rated.subject): \(items.count) times \(word)")
      }
    }
  }
}
