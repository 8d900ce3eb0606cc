import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// How the predictions of two versions differ on recordings that nobody labelled: what changed and by how much over
/// people, never which version is right.
public struct PredictionDrift: Sendable {
  /// The predictions of one version.
  public struct Version: Sendable {
    public let name: String
    public let files: [InputFile]

    public init(_ name: String, files: [InputFile]) { (self.name, self.files) = (name, files) }
  }

  public struct Side: Hashable, Sendable, Encodable {
    public let name: String
    public let files: [String]
    public let clips: Int
    /// `nil` if nothing names the people.
    public let people: Int?
  }

  /// Where the clips' people come from.
  public enum People: Sendable {
    /// The files' own column `subject`, if there is one.
    case column
    /// The part of a clip's name before this text: `anna` of `anna_1` for `_`.
    case names(before: String)
    /// A table with the columns `clip` and `subject`, such as a dataset's `clips.csv`.
    case table(InputFile)
  }

  /// What a person's predictions are compared with.
  public enum Pairing: String, Hashable, Sendable, Encodable {
    /// Those of the other version on the same clips.
    case clips
    /// Those of the other version on other clips of the person.
    case people
    /// Nothing of the person's: the versions' people are two groups.
    case groups
  }

  /// A clip that the versions count differently.
  public struct Recount: Hashable, Sendable, Encodable {
    /// `nil` if the files name none.
    public let detector: String?
    public let clip: String
    public let before: Int
    public let after: Int
  }

  /// The version of the JSON, docs/drift.schema.json.
  public let format = 1
  public let before: Side
  public let after: Side
  public let pairing: Pairing
  /// The clips that are compared on both sides; `nil` if they are others.
  public let sharedClips: Int?
  /// Of the shared clips, those with any other prediction; `nil` if the clips are others.
  public let changedClips: Int?
  public let measures: [Measure]
  /// Of the shared clips, the greatest differences first.
  public let recounts: [Recount]
  /// What is left out and why, in sentences.
  public let notes: [String]

  /// The fewest people of each group for a claim, as for a pass of the gate.
  public static let fewestInGroup = GateRule.fewestSubjects

  /// The fewest people for a claim.
  public var fewestPeople: Int { pairing == .groups ? Self.fewestInGroup : ShownChange.fewestSubjects }

  /// - Parameters:
  ///   - columns: The files' column names: `["clip": "id"]`.
  ///   - numbers: Columns with a number to compare too, such as a cost.
  ///   - areOtherClips: Whether clips are others on each side even if their names are the same.
  /// - Throws: `DataError` with file and line for invalid predictions, and for a clip of two people;
  ///   `EvaluationError.missing` if no detector is on both sides, or no number.
  public init(
    from before: Version, to after: Version, columns: [String: String] = [:], numbers: [String] = [],
    people: People = .column, areOtherClips: Bool = false
  ) throws {
    let names = try PeopleNames(people)
    let sides = try [before, after].map {
      try DriftSide($0, columns: columns, numbers: numbers, people: names)
    }
    let (old, new) = (sides[0], sides[1])
    let hasPeople = !old.people.isEmpty && !new.people.isEmpty
    let shared = old.clips.intersection(new.clips)
    let sharedPeople = Set(old.people.values).intersection(new.people.values)
    if !areOtherClips, 2 * shared.count >= min(old.clips.count, new.clips.count) {
      pairing = .clips
    } else if hasPeople,
      2 * sharedPeople.count >= min(Set(old.people.values).count, Set(new.people.values).count)
    {
      pairing = .people
    } else {
      pairing = .groups
    }
    self.before = old.side(hasPeople: hasPeople)
    self.after = new.side(hasPeople: hasPeople)
    let detectors = try Self.detectors(old, new)
    let isPaired = pairing == .clips
    let comparisons = detectors.map { pair in
      DriftComparison(
        detector: detectors.count > 1 ? pair.name : nil, old: pair.old, new: pair.new,
        clips: isPaired ? shared : nil)
    }
    let all = comparisons.flatMap { $0.measures(numbers: numbers) }
    let found = all.filter { !$0.old.isEmpty && !$0.new.isEmpty }
    guard !found.isEmpty else {
      throw EvaluationError.missing(
        what: "\(before.name) and \(after.name)", expected: "a count, confidence, grade or the like in both",
        found: "none")
    }
    let known: (old: [String: String], new: [String: String])? =
      hasPeople ? (old: old.people, new: new.people) : nil
    measures = Self.inferred(found, known, pairing)
    sharedClips = isPaired ? shared.count : nil
    changedClips = isPaired ? Set(comparisons.flatMap(\.changedClips)).count : nil
    recounts = isPaired ? comparisons.flatMap(\.recounts).sorted(by: Self.isGreater) : []
    notes =
      Self.notes(old, new, shared: isPaired ? shared : nil, hasPeople, detectors.map(\.name))
      + all.filter { $0.old.isEmpty != $0.new.isEmpty }.map { values in
        "\(values.name) is in \(values.old.isEmpty ? after.name : before.name) only"
      }
  }

  private static func isGreater(_ a: Recount, than b: Recount) -> Bool {
    let (one, other) = (abs(a.after - a.before), abs(b.after - b.before))
    return one == other ? (a.clip, a.detector ?? "") < (b.clip, b.detector ?? "") : one > other
  }

  /// The detectors of both sides: those of the same name, or the only one of each.
  private static func detectors(
    _ old: DriftSide, _ new: DriftSide
  ) throws -> [(name: String, old: [String: DriftClip], new: [String: DriftClip])] {
    let same = Set(old.detectors.keys).intersection(new.detectors.keys).sorted()
    if same.isEmpty, let one = old.detectors.first, let other = new.detectors.first, old.detectors.count == 1,
      new.detectors.count == 1
    {
      return [(one.key, one.value, other.value)]
    }
    guard !same.isEmpty else {
      throw EvaluationError.missing(
        what: "\(old.name) and \(new.name)", expected: "predictions of a detector in both",
        found: old.detectors.isEmpty || new.detectors.isEmpty
          ? "none"
          : "\(old.detectors.keys.sorted().joined(separator: ", ")) and "
            + new.detectors.keys.sorted().joined(separator: ", "))
    }
    return same.map { ($0, old.detectors[$0] ?? [:], new.detectors[$0] ?? [:]) }
  }

  private static func notes(
    _ old: DriftSide, _ new: DriftSide, shared: Set<String>?, _ hasPeople: Bool, _ detectors: [String]
  ) -> [String] {
    var notes: [String] = []
    if let shared {
      for side in [old, new] where side.clips.count > shared.count {
        let only = NumberText.count(side.clips.count - shared.count, "clip")
        notes.append("left out: \(only) of \(side.name) that the other version has not")
      }
    }
    for side in [old, new] where hasPeople && side.people.count < side.clips.count {
      let unnamed = NumberText.count(side.clips.count - side.people.count, "clip")
      notes.append("left out: \(unnamed) of \(side.name) without a person")
    }
    for side in [old, new] where detectors.count < side.detectors.count {
      let only = Set(side.detectors.keys).subtracting(detectors).sorted()
      notes.append("left out: the detectors \(Excerpt.list(only)) of \(side.name)")
    }
    let reading = "--number NAME compares one, --columns count_confidence=NAME reads the probability of a count"
    return notes + (old.remarks + new.remarks).map { "\($0): \(reading)" }
  }
}

extension PredictionDrift {
  /// A number of the predictions, on both sides.
  public struct Measure: Hashable, Sendable {
    /// `nil` if the files name one at most.
    public let detector: String?
    /// `count`, `abstention rate`, `fault: shallow`
    public let name: String
    /// `reps a clip`, `ms`; empty for shares, probabilities and columns of numbers.
    public let unit: String
    /// The mean over people of their clips' means; without people, the mean over clips.
    public fileprivate(set) var before: Double
    public fileprivate(set) var after: Double
    /// The 95 % interval of the difference over people; `nil` if there is none.
    public fileprivate(set) var interval: Interval?
    /// `t over people`, `t over two groups`; `nil` without an interval.
    public fileprivate(set) var method: String?
    /// The people behind each side's mean, the same ones if they are paired; `nil` if nothing names them.
    public fileprivate(set) var peopleBefore: Int?
    public fileprivate(set) var peopleAfter: Int?
    /// Paired people whose own mean rose, fell or stayed the same; `nil` if they are not paired.
    public fileprivate(set) var higher: Int?
    public fileprivate(set) var lower: Int?
    public fileprivate(set) var same: Int?
    /// Whether a rise or a fall is shown for people like these, corrected for the other measures; `nil` if it may be
    /// chance.
    public fileprivate(set) var shown: Direction?

    public enum Direction: String, Hashable, Sendable, Encodable {
      case higher, lower
    }

    public var difference: Double { after - before }

    fileprivate init(_ found: DriftValues, before: Double, after: Double) {
      (detector, name, unit) = (found.detector, found.name, found.unit)
      (self.before, self.after) = (before, after)
    }
  }

  private static func inferred(
    _ found: [DriftValues], _ people: (old: [String: String], new: [String: String])?, _ pairing: Pairing
  ) -> [Measure] {
    guard let people else {
      return found.compactMap { values in
        mean(values.old.values.sorted()).flatMap { before in
          mean(values.new.values.sorted()).map { Measure(values, before: before, after: $0) }
        }
      }
    }
    let means = found.map { values -> (values: DriftValues, old: [String: Double], new: [String: Double]) in
      (values, byPerson(values.old, people.old), byPerson(values.new, people.new))
    }
    return pairing == .groups ? grouped(means) : paired(means)
  }

  private static func byPerson(_ values: [String: Double], _ people: [String: String]) -> [String: Double] {
    var own: [String: [Double]] = [:]
    for (clip, value) in values.sorted(by: { $0.key < $1.key }) {
      if let person = people[clip] { own[person, default: []].append(value) }
    }
    return own.compactMapValues { mean($0) }
  }

  /// Each person with themselves.
  private static func paired(
    _ means: [(values: DriftValues, old: [String: Double], new: [String: Double])]
  ) -> [Measure] {
    let people = Set(means.flatMap { Set($0.old.keys).intersection($0.new.keys) }).sorted()
    let differences = means.map { own in
      people.map { person -> Double? in own.new[person].flatMap { new in own.old[person].map { new - $0 } } }
    }
    let shown = people.count < ShownChange.fewestSubjects ? means.map { _ in nil } : ShownChange.of(differences)
    return means.indices.compactMap { index -> Measure? in
      let own = means[index]
      let known = people.filter { own.old[$0] != nil && own.new[$0] != nil }
      guard let before = mean(known.compactMap { own.old[$0] }), let after = mean(known.compactMap { own.new[$0] })
      else { return nil }
      var measure = Measure(own.values, before: before, after: after)
      let gains = differences[index].compactMap(\.self)
      measure.interval = .studentT(gains)
      measure.method = measure.interval == nil ? nil : "t over people"
      (measure.peopleBefore, measure.peopleAfter) = (known.count, known.count)
      (measure.higher, measure.lower) = (gains.count { $0 > 0 }, gains.count { $0 < 0 })
      measure.same = gains.count { $0 == 0 }
      measure.shown = shown[index].map { $0 == .better ? Measure.Direction.higher : .lower }
      return measure
    }
  }

  /// Two groups of people. The few who are in both are alike in both: intervals are rather too wide than too narrow.
  private static func grouped(
    _ means: [(values: DriftValues, old: [String: Double], new: [String: Double])]
  ) -> [Measure] {
    means.compactMap { own -> Measure? in
      let old = own.old.sorted { $0.key < $1.key }.map(\.value)
      let new = own.new.sorted { $0.key < $1.key }.map(\.value)
      guard let before = mean(old), let after = mean(new) else { return nil }
      var measure = Measure(own.values, before: before, after: after)
      measure.interval = .differenceOfMeans(from: old, to: new)
      measure.method = measure.interval == nil ? nil : "t over two groups"
      (measure.peopleBefore, measure.peopleAfter) = (old.count, new.count)
      let level = 1 - GateRule.alpha / Double(means.count)
      guard min(old.count, new.count) >= fewestInGroup,
        let corrected = Interval.differenceOfMeans(from: old, to: new, level: level)
      else { return measure }
      measure.shown = corrected.low > 0 ? .higher : corrected.high < 0 ? .lower : nil
      return measure
    }
  }
}

/// A clip's predictions with its columns of numbers.
private struct DriftClip {
  var prediction: Prediction
  var numbers: [String: Double]
}

/// The values of a measure by clip, on each side.
private struct DriftValues {
  let detector: String?
  let name: String
  let unit: String
  let old: [String: Double]
  let new: [String: Double]
}

/// The people of clips, besides those that the files name themselves.
private enum PeopleNames {
  case column
  case names(before: String)
  /// By clip.
  case table([String: String])

  init(_ people: PredictionDrift.People) throws {
    switch people {
    case .column: self = .column
    case .names(let text): self = .names(before: text)
    case .table(let file):
      let table = try CSVTable(file, required: ["clip", PredictionFiles.subject], ignoringOthers: true)
      var people: [String: String] = [:]
      for row in table.rows {
        let (clip, person) = (try row.text("clip"), try row.text(PredictionFiles.subject))
        if let other = people.updateValue(person, forKey: clip), other != person {
          throw row.failure(PredictionFiles.subject, clip: clip, expected: "one person for a clip, \(other)")
        }
      }
      self = .table(people)
    }
  }

  func person(of clip: String, told: String?) -> String? {
    let name = ClipID(clip)?.clip ?? clip
    switch self {
    case .column: return told
    case .names(let text):
      let whole = text.contains("/") ? clip : name
      guard let end = whole.firstRange(of: text), end.lowerBound > whole.startIndex else { return nil }
      return String(whole[..<end.lowerBound])
    case .table(let people): return people[clip] ?? people[name]
    }
  }
}

/// The predictions of one version by detector and clip.
private struct DriftSide {
  let name: String
  private let files: [String]
  /// By detector.
  private(set) var detectors: [String: [String: DriftClip]] = [:]
  let clips: Set<String>
  /// By clip, where known.
  let people: [String: String]
  /// On columns that are not read.
  let remarks: [String]

  init(
    _ version: PredictionDrift.Version, columns: [String: String], numbers: [String], people names: PeopleNames
  ) throws {
    let files = try PredictionFiles(
      version.files, columns: columns, besides: PredictionFiles.Besides(people: true, numbers: numbers))
    name = version.name
    self.files = files.sources.map(\.file)
    remarks = files.remarks
    clips = Set(files.entries.map(\.clip))
    var told: [String: PredictionFiles.Entry] = [:]
    for entry in files.entries {
      guard let subject = entry.subject else { continue }
      if let other = told[entry.clip]?.subject, other != subject {
        throw entry.failure(expected: "one person for a clip, \(other)", found: subject)
      }
      told[entry.clip] = entry
    }
    var people: [String: String] = [:]
    for clip in clips { people[clip] = names.person(of: clip, told: told[clip]?.subject) }
    self.people = people
    for (detector, entries) in Dictionary(grouping: files.entries, by: \.detector) {
      let detector = detector ?? PredictedDetector.usualName
      detectors[detector] = try Self.clips(of: entries, files, called: detector)
    }
  }

  private static func clips(
    of entries: [PredictionFiles.Entry], _ files: PredictionFiles, called detector: String
  ) throws -> [String: DriftClip] {
    let byClip = Dictionary(grouping: entries, by: \.clip)
    let targets = byClip.keys.sorted().map { clip in
      PredictionJoin.Target(
        id: clip, info: Clip.Info(name: clip, subject: "", exercise: "", view: "", fps: 30, split: ""),
        labels: GroundTruth(), end: nil)
    }
    let predicted = try PredictionJoin(targets, others: [], datasets: []).detector(
      entries, of: files, called: detector, declared: nil, criteria: [], scales: [:])
    return byClip.reduce(into: [:]) { clips, own in
      var numbers: [String: [Double]] = [:]
      for entry in own.value {
        for (column, number) in entry.numbers { numbers[column, default: []].append(number) }
      }
      clips[own.key] = DriftClip(
        prediction: predicted.clips[own.key] ?? Prediction(), numbers: numbers.compactMapValues { mean($0) })
    }
  }

  func side(hasPeople: Bool) -> PredictionDrift.Side {
    PredictionDrift.Side(
      name: name, files: files, clips: clips.count, people: hasPeople ? Set(people.values).count : nil)
  }
}

/// One detector on both sides.
private struct DriftComparison {
  let detector: String?
  private let old: [String: DriftClip]
  private let new: [String: DriftClip]
  /// The clips of both sides, if they are the same.
  private let shared: [String]?

  /// - Parameter clips: The clips to which both sides are restricted; `nil` if they are others.
  init(detector: String?, old: [String: DriftClip], new: [String: DriftClip], clips: Set<String>?) {
    self.detector = detector
    guard let clips else {
      (self.old, self.new, shared) = (old, new, nil)
      return
    }
    let both = clips.filter { old[$0] != nil && new[$0] != nil }
    self.old = old.filter { both.contains($0.key) }
    self.new = new.filter { both.contains($0.key) }
    shared = both.sorted()
  }

  var changedClips: [String] { (shared ?? []).filter { old[$0]?.prediction != new[$0]?.prediction } }

  var recounts: [PredictionDrift.Recount] {
    (shared ?? []).compactMap { clip in
      guard let before = old[clip]?.prediction.count, let after = new[clip]?.prediction.count, before != after
      else { return nil }
      return PredictionDrift.Recount(detector: detector, clip: clip, before: before, after: after)
    }
  }

  /// The measures of either side; one that a side lacks has no values there.
  func measures(numbers: [String]) -> [DriftValues] {
    let predictions = (old.values.map(\.prediction), new.values.map(\.prediction))
    let all = predictions.0 + predictions.1
    let criteria = Set(all.flatMap { $0.judged.flatMap(\.grades.keys) }).sorted()
    let faults = Set(all.flatMap { $0.judged.flatMap(\.faults) }).sorted()
    let strokes = Set(all.flatMap { $0.strokes.map(\.segment.label) }).sorted()
    let labels = Set(all.flatMap { $0.segments.map(\.label) }).sorted()
    let hasCues = all.contains { !$0.cues.isEmpty }
    let hasScores = all.contains { $0.strokes.contains { $0.score != 1 } }
    var found = [
      measure("count", "reps a clip") { $0.count.map(Double.init) },
      measure("share without a rep", "") { $0.count.map { $0 == 0 ? 1 : 0 } },
      measure("confidence", "") { $0.countConfidence },
      measure("abstention rate", "") { $0.countConfidence.map { $0 < CountConfidence.threshold ? 1 : 0 } },
      measure("rep duration", "s") { mean(($0.reps ?? []).map(\.rep.duration.seconds)) },
      measure("report delay", "ms") { prediction in
        mean((prediction.reps ?? []).compactMap { rep in rep.reported.map { ($0 - rep.rep.end).milliseconds } })
      },
    ]
    if !strokes.isEmpty { found.append(measure("number of strokes", "a clip") { Double($0.strokes.count) }) }
    for label in strokes where strokes.count > 1 {
      found.append(
        measure("stroke: \(label)", "a clip") { Double($0.strokes.count { $0.segment.label == label }) })
    }
    if hasScores { found.append(measure("stroke score", "") { mean($0.strokes.map(\.score)) }) }
    for label in labels {
      found.append(
        measure("label: \(label)", "s a clip") { prediction in
          prediction.segments.filter { $0.label == label }.reduce(0.0) { $0 + ($1.end - $1.start).seconds }
        })
    }
    for criterion in criteria {
      found.append(
        measure("grade: \(criterion)", "points") { mean($0.judged.compactMap { $0.grades[criterion] }) })
    }
    for fault in faults {
      found.append(
        measure("fault: \(fault)", "a clip") { Double($0.judged.count { $0.faults.contains(fault) }) })
    }
    if hasCues { found.append(measure("number of cues", "a clip") { Double($0.cues.count) }) }
    for column in numbers { found.append(values(column, "") { $0.numbers[column] }) }
    return found
  }

  private func measure(_ name: String, _ unit: String, _ value: (Prediction) -> Double?) -> DriftValues {
    values(name, unit) { value($0.prediction) }
  }

  private func values(_ name: String, _ unit: String, _ value: (DriftClip) -> Double?) -> DriftValues {
    var (before, after) = (old.compactMapValues(value), new.compactMapValues(value))
    if shared != nil, !before.isEmpty, !after.isEmpty {
      // On the same clips, a value on one side only has no counterpart.
      let both = Set(before.keys).intersection(after.keys)
      before = before.filter { both.contains($0.key) }
      after = after.filter { both.contains($0.key) }
    }
    return DriftValues(detector: detector, name: name, unit: unit, old: before, new: after)
  }
}

extension PredictionDrift: Encodable {
  private enum CodingKeys: String, CodingKey {
    case format, before, after, pairing, sharedClips, changedClips, measures, recounts, notes
  }
}

extension PredictionDrift.Measure: Encodable {
  private enum Key: String, CodingKey {
    case detector, measure, unit, before, after, difference, low, high, level, method, peopleBefore, peopleAfter
    case higher, lower, same, shown
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(detector, forKey: .detector)
    try container.encode(name, forKey: .measure)
    try container.encode(unit, forKey: .unit)
    try container.encode(before, forKey: .before)
    try container.encode(after, forKey: .after)
    try container.encode(difference, forKey: .difference)
    try container.encodeIfPresent(interval?.low, forKey: .low)
    try container.encodeIfPresent(interval?.high, forKey: .high)
    try container.encodeIfPresent(interval?.level, forKey: .level)
    try container.encodeIfPresent(method, forKey: .method)
    try container.encodeIfPresent(peopleBefore, forKey: .peopleBefore)
    try container.encodeIfPresent(peopleAfter, forKey: .peopleAfter)
    try container.encodeIfPresent(higher, forKey: .higher)
    try container.encodeIfPresent(lower, forKey: .lower)
    try container.encodeIfPresent(same, forKey: .same)
    try container.encodeIfPresent(shown, forKey: .shown)
  }
}
