import Datasets

/// Who said what of the same thing: a criterion's grades, or words on a fault, of each rep or clip.
struct RatedItems {
  struct Item {
    let clip: String
    let rep: Int?
    /// A fault's word is 1 where it is present, 0 where not.
    var ratings: [String: Double]
  }

  /// `criterion form`, `fault shallow`.
  let subject: String
  let isFault: Bool
  /// The scale's length.
  let range: Double
  private(set) var items: [Item] = []

  var raters: [String] { Set(items.flatMap(\.ratings.keys)).sorted() }

  /// All that raters were asked of a dataset.
  static func all(_ dataset: CheckedDataset) -> [RatedItems] {
    var grades: [String: [String: Item]] = [:]
    var faults: [String: [String: Item]] = [:]
    for member in dataset.members {
      func add(_ rep: Int?, _ rater: String, _ value: Double, to items: inout [String: Item]) {
        let key = "\(member.info.name) \(rep ?? -1)"
        items[key, default: Item(clip: member.info.name, rep: rep, ratings: [:])].ratings[rater] = value
      }
      for grade in member.labels.grades {
        add(grade.rep, grade.rater, grade.grade, to: &grades[grade.criterion, default: [:]])
      }
      for fault in member.labels.faults {
        add(fault.rep, fault.rater, fault.present ? 1 : 0, to: &faults[fault.fault, default: [:]])
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
