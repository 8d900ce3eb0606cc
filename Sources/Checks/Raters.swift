import Datasets
import Scoring

/// Finds raters who left out items that others rated: a mean over raters then comes from other people in one clip than
/// in the next.
struct RaterSilence: DatasetCheck {
  let name = "silent-raters"
  let title = "a rater left out items that others rated"
  let threshold = """
    in the clips that a rater labelled at all, this rater's label is missing for ten items or more, and for more than a \
    fifth of the items that others graded on a criterion or judged for a fault; or this rater is missing from three \
    clips or more, and from more than a fifth, and no other rater stands in
    """
  let remedy = "have the missing items rated, or leave that rater out of the criterion"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    var clips: [String: Set<String>] = [:]
    for member in dataset.members {
      for rater in member.labels.grades.map(\.rater) + member.labels.faults.map(\.rater) {
        clips[rater, default: []].insert(member.info.name)
      }
    }
    return RatedItems.all(dataset).flatMap { rated in
      clips.sorted { $0.key < $1.key }.compactMap { rater, own -> Finding? in
        let asked = rated.items.filter { own.contains($0.clip) }
        let silent = asked.filter { $0.ratings[rater] == nil }
        if silent.count >= 10, silent.count * 5 > asked.count {
          let share = Double(silent.count) / Double(asked.count)
          return finding(
            .warning, in: silent[0].clip, weight: share,
            "\(rater), \(rated.subject): nothing on \(silent.count) of \(asked.count)")
        }
        return absence(of: rater, in: rated)
      }
    }
  }

  /// Clips that a rater left out although others rated them on the same criterion.
  private func absence(of rater: String, in rated: RatedItems) -> Finding? {
    let done = rated.items.filter { $0.ratings[rater] != nil }
    let clips = Set(done.map(\.clip))
    let left = rated.items.filter { !clips.contains($0.clip) && !$0.ratings.isEmpty }
    let missing = Set(left.map(\.clip)).sorted()
    let all = missing.count + clips.count
    guard clips.count >= 3, missing.count >= 3, missing.count * 5 > all else { return nil }
    // Where raters take turns, others stand in for them.
    let others = Double(done.reduce(0) { $0 + $1.ratings.count - 1 }) / Double(done.count)
    let standIns = Double(left.reduce(0) { $0 + $1.ratings.count }) / Double(left.count)
    guard others > 0, standIns < others + 0.25 else { return nil }
    return finding(
      .warning, in: missing[0], weight: Double(missing.count) / Double(all),
      "\(rater), \(rated.subject): nothing on \(missing.count) of \(all) clips")
  }
}

/// Finds raters who label everything alike while others see differences: they did not look, or use another scale.
struct RaterVariation: DatasetCheck {
  let name = "constant-raters"
  let title = "a rater gives everything the same label"
  let threshold = """
    ten identical grades while another rater's grades of the same items differ; identical labels for a fault, if \
    chance would give them in less than 1 % of cases at the rate of the other raters
    """
  let remedy = "ask the rater again, or leave their labels out and report it"

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

/// Finds raters who disagree: no detector can agree with all of them, and its score depends on the rater it is compared
/// with.
struct RaterDisagreement: DatasetCheck {
  let name = "rater-disagreement"
  let title = "raters disagree"
  let threshold = """
    Krippendorff's α below 0.667, the lowest for tentative conclusions (Krippendorff, Content Analysis, 2004), with \
    ten items or more and two raters each; interval differences for grades, nominal ones for faults; with fewer items, \
    one whose grades are half of the scale apart
    """
  let remedy =
    "agree on the scale with examples and rate again; until then compare every score with the typical human disagreement"

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

  /// The item whose grades are furthest apart, if there are too few for an α.
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
  /// The difference between its highest and lowest rating.
  fileprivate var spread: Double { (ratings.values.max() ?? 0) - (ratings.values.min() ?? 0) }
}

/// Each rater's label of the same item: grades on a criterion, or judgements of a fault, per rep or clip.
struct RatedItems {
  struct Item {
    let clip: String
    let rep: Int?
    /// A fault is 1 if present, 0 if absent.
    var ratings: [String: Double]
  }

  /// `criterion form`, `fault shallow`.
  let subject: String
  let isFault: Bool
  /// The length of the scale.
  let range: Double
  private(set) var items: [Item] = []

  var raters: [String] { Set(items.flatMap(\.ratings.keys)).sorted() }

  /// Everything that raters were asked about in a dataset.
  static func all(_ dataset: CheckedDataset) -> [RatedItems] {
    var grades: [String: [String: Item]] = [:]
    var faults: [String: [String: Item]] = [:]
    for member in dataset.members {
      func add(_ rep: Int?, _ rater: String, _ value: Double, to items: inout [String: Item]) {
        let key = "\(member.info.name) \(rep ?? -1)"
        items[key, default: Item(clip: member.info.name, rep: rep, ratings: [:])].ratings[rater] = value
      }
      for grade in member.labels.grades {
        add(grade.rep, grade.rater, grade.value, to: &grades[grade.criterion, default: [:]])
      }
      for fault in member.labels.faults {
        add(fault.rep, fault.rater, fault.present ? 1 : 0, to: &faults[fault.name, default: [:]])
      }
    }
    let scales = Dictionary(
      dataset.manifest.criteria.map { ($0.name, $0.maximum - $0.minimum) }, uniquingKeysWith: { first, _ in first })
    func made(_ name: String, _ items: [String: Item], isFault: Bool, range: Double) -> RatedItems {
      RatedItems(
        subject: "\(isFault ? "fault" : "criterion") \(name)", isFault: isFault, range: range,
        items: items.sorted { $0.key < $1.key }.map(\.value))
    }
    return grades.sorted { $0.key < $1.key }.map { made($0.key, $0.value, isFault: false, range: scales[$0.key] ?? 1) }
      + faults.sorted { $0.key < $1.key }.map { made($0.key, $0.value, isFault: true, range: 1) }
  }
}
