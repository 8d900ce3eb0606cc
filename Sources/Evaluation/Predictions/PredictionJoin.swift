import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// Joins the entries of files with the clips of a run.
struct PredictionJoin {
  /// A clip of the run.
  struct Target {
    let id: String
    let info: Clip.Info
    let labels: GroundTruth
    /// The end of the clip, after which no prediction may end; `nil` for a clip without poses.
    let end: Microseconds?
  }

  private let targets: [Target]
  private let names: [String: [Int]]
  private let ids: [String: Int]
  /// The names and ids of clips with other exercises.
  private let others: Set<String>
  private let datasets: [String]

  /// - Parameters:
  ///   - clips: The clips of the run, with their dataset's name.
  ///   - others: The other clips of its datasets.
  init(_ targets: [Target], others: [(dataset: String, clip: String)], datasets: [String]) {
    self.targets = targets
    self.datasets = datasets
    names = Dictionary(grouping: targets.indices) { targets[$0].info.name }
    ids = Dictionary(targets.indices.map { (targets[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    self.others = Set(others.flatMap { [$0.clip, ClipID(dataset: $0.dataset, clip: $0.clip).description] })
  }

  /// Whether a clip has a place or another exercise.
  private func isKnown(_ clip: String) -> Bool {
    ids[clip] != nil || names[clip].map { $0.count == 1 } ?? others.contains(clip)
  }

  /// The index of an entry's clip; `nil` for a clip with another exercise.
  ///
  /// - Throws: `DataError` for an unknown clip, or a clip in several datasets.
  private func place(of entry: PredictionFiles.Entry) throws -> Int? {
    if let place = ids[entry.clip] { return place }
    let found = names[entry.clip] ?? []
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw entry.failure(
        expected: "a clip of one dataset, \(found.map { targets[$0].id }.joined(separator: " or "))",
        found: "a name in several datasets")
    }
    if others.contains(entry.clip) { return nil }
    let name = entry.clip.contains("/") ? ids.keys.sorted() : names.keys.sorted()
    let place = datasets.count == 1 ? "dataset \(datasets[0])" : "the datasets \(datasets.joined(separator: ", "))"
    throw entry.failure(
      expected: "a clip of \(place)", found: "none called " + NearNames.question(entry.clip, in: name))
  }
}

extension PredictionJoin {
  /// The detector of some entries.
  ///
  /// - Parameters:
  ///   - entries: The entries of one detector.
  ///   - declared: The declared detector; `nil` to derive it from the entries and the clips' labels.
  ///   - criteria: The criteria of the datasets, the requested ones first.
  ///   - scales: The criteria with their scales, by dataset.
  /// - Throws: `DataError` with file and line for an entry with an unknown clip, an entry that repeats or contradicts
  ///   another one, and an entry that the declared detector cannot predict.
  func detector(
    _ entries: [PredictionFiles.Entry], of files: PredictionFiles, called name: String, declared: DetectorProfile?,
    criteria: [String], scales: [String: [Manifest.Criterion]]
  ) throws -> PredictedDetector {
    var placed: [(entry: PredictionFiles.Entry, place: Int)] = []
    var leftOut: Set<String> = []
    var (unknown, firstError): (Set<String>, DataError?) = ([], nil)
    for entry in entries where !unknown.contains(entry.clip) {
      // An error searches for similar names, which takes too long for each of many.
      guard firstError == nil || isKnown(entry.clip) else {
        unknown.insert(entry.clip)
        continue
      }
      do {
        if let place = try place(of: entry) { placed.append((entry, place)) } else { leftOut.insert(entry.clip) }
      } catch let error as DataError {
        firstError = error
        unknown.insert(entry.clip)
      }
    }
    if var error = firstError {
      if unknown.count > 1 { error.found += "; and \(NumberText.count(unknown.count - 1, "more such clip"))" }
      throw error
    }
    let profile = try declared ?? self.profile(of: entries, called: name, criteria: criteria)
    let read = Set(placed.map(\.entry.location.file))
    let sources = files.sources.filter { read.contains($0.file) }
    let source = declared?.source ?? "the files"
    let tellsReps = profile.tasks.counts && entries.contains { $0.kind == .reps || $0.event?.type == "rep" }
    if profile.tasks.counts, !tellsReps, let other = entries.first(where: { $0.event != nil }),
      !entries.contains(where: \.isCount)
    {
      throw DataError(
        file: other.location.file, expected: "reps or counts of \(name), which \(source) declares as a counter",
        found: "neither in these files")
    }
    var clips: [String: Prediction] = [:]
    let byPlace = Dictionary(grouping: placed, by: \.place)
    // In order: of several faults the same one is named each time.
    for (place, entries) in byPlace.sorted(by: { $0.key < $1.key }) {
      let join = ClipJoin(target: targets[place], profile: profile, source: source, scales: scales)
      clips[targets[place].id] = try join.prediction(entries.map(\.entry), tellsReps: tellsReps)
    }
    let unpredicted = targets.indices.filter { byPlace[$0] == nil }.map { targets[$0].id }
    for id in unpredicted {
      clips[id] =
        profile.tasks.counts ? (tellsReps ? Prediction(reps: []) : Prediction(count: 0)) : Prediction()
    }
    let tasks = profile.tasks
    return PredictedDetector(
      name: name, kind: profile.kind.rawValue,
      summary: declared?.summary ?? "Predictions from \(sources.map(\.file).joined(separator: ", ")).",
      counts: tasks.counts, criterion: tasks.criterion, faults: tasks.faults, strokes: tasks.strokes,
      postures: tasks.postures, speaks: tasks.speaks, sources: sources, clips: clips, unpredicted: unpredicted,
      leftOut: leftOut.count, tellsReps: tellsReps,
      tellsReports: clips.values.contains { ($0.reps ?? []).contains { $0.reported != nil } })
  }

  /// The profile of a detector with these entries, which could predict every labelled fault and label.
  private func profile(
    of entries: [PredictionFiles.Entry], called name: String, criteria: [String]
  ) throws -> DetectorProfile {
    func says(_ kind: PredictionFiles.Kind, _ words: EventWords.Kind) -> Bool {
      entries.contains { $0.kind == kind || $0.event?.type == words.rawValue }
    }
    let counts = says(.reps, .rep) || entries.contains { $0.kind == .counts || $0.isCount }
    let labels = targets.map(\.labels)
    // What is labelled and not predicted is missed.
    let saysNothing = entries.allSatisfy { $0.statement == .nothing && $0.kind == nil }
    func isMissed(_ isLabelled: (GroundTruth) -> Bool) -> Bool { saysNothing && labels.contains(where: isLabelled) }
    func names(_ key: String, of kind: EventWords.Kind, and labelled: [String]) -> [String] {
      let own = entries.compactMap { $0.event?.type == kind.rawValue ? $0.event?.texts[key] : nil }
      return Set(own + labelled).sorted()
    }
    let strokes =
      says(.events, .stroke) || isMissed { !$0.events.isEmpty }
      ? names("label", of: .stroke, and: labels.flatMap { $0.events.map(\.label) }) : nil
    let postures =
      says(.intervals, .phase) || isMissed { !$0.intervals.isEmpty }
      ? names("phase", of: .phase, and: labels.flatMap { $0.intervals.map(\.label) }) : []
    let faults =
      says(.faults, .fault) || entries.contains { $0.event?.type == "cue" }
      ? names("fault", of: .fault, and: labels.flatMap { $0.faults.map(\.name) }) : []
    var criterion: String?
    let graded = entries.filter { $0.event?.type == "grade" }
    if !graded.isEmpty {
      let named = Set(graded.compactMap { $0.event?.texts["criterion"] })
      criterion = criteria.first { named.isEmpty || named.contains($0) } ?? named.sorted().first
    }
    let kind: DetectorProfile.Kind =
      counts ? .reps : strokes != nil ? .swing : !postures.isEmpty ? .posture : .form
    return DetectorProfile(
      name: name, kind: kind, exercise: "", summary: "", source: "",
      tasks: DetectorTasks(
        counts: counts, givesConfidence: counts && entries.contains(where: \.isConfidence), criterion: criterion,
        faults: faults, strokes: strokes, postures: postures,
        speaks: entries.contains { $0.event?.type == "cue" }))
  }
}

extension PredictionFiles.Entry {
  var event: EventWords? { if case .event(let words) = statement { words } else { nil } }
  var isCount: Bool { if case .count = statement { true } else { false } }
  var isConfidence: Bool { if case .confidence = statement { true } else { false } }
}

/// Joins the entries of one clip.
private struct ClipJoin {
  let target: PredictionJoin.Target
  let profile: DetectorProfile
  /// The source of the names that the detector knows.
  let source: String
  /// By dataset.
  let scales: [String: [Manifest.Criterion]]

  private func failure(_ entry: PredictionFiles.Entry, _ expected: String, _ found: String) -> DataError {
    entry.failure(expected: expected, found: found)
  }

  /// `line 3`, or `file:3` for another file.
  private func place(_ other: PredictionFiles.Entry, from entry: PredictionFiles.Entry) -> String {
    other.location.file == entry.location.file
      ? "line \(other.location.line)" : "\(other.location.file):\(other.location.line)"
  }

  func prediction(_ entries: [PredictionFiles.Entry], tellsReps: Bool) throws -> Prediction {
    var prediction = Prediction()
    try takeReps(entries, tellsReps: tellsReps, into: &prediction)
    try takeJudgements(entries, into: &prediction)
    try takeStrokes(entries, into: &prediction)
    try takeSegments(entries, into: &prediction)
    for entry in entries {
      guard let words = entry.event, words.type == "cue" else { continue }
      try checked(entry) {
        guard profile.tasks.speaks else { throw words.objection("speaks: on in \(source)", "a cue without it") }
        let fault = try words.texts["fault"].map { try words.known($0, profile.tasks.faults, "faults", rules) }
        prediction.cues.append(
          Prediction.Cue(time: try words.time(words.times["time"] == nil ? "reported" : "time", rules), fault: fault))
      }
    }
    prediction.cues.sort { $0.time < $1.time }
    return prediction
  }

  private var rules: EventWords.Rules {
    EventWords.Rules(
      profile: profile, source: source, latest: target.end ?? Microseconds(.max), latestName: "the end of the clip")
  }

  /// The error of an entry, from the objection to its event.
  private func checked<Result>(_ entry: PredictionFiles.Entry, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let objection as EventWords.Objection {
      throw failure(entry, objection.expected, objection.found)
    }
  }

  private func rep(_ entry: PredictionFiles.Entry, _ words: EventWords) throws -> Rep {
    if let start = words.times["start"], let end = words.times["end"], end <= start {
      throw failure(entry, "an end after the start \(start.seconds) s", "\(end.seconds) s")
    }
    if let end = words.times["end"], let last = target.end, end > last {
      throw failure(entry, "a rep that ends by the end of the clip, \(last.seconds) s", "\(end.seconds) s")
    }
    return try checked(entry) { try words.rep(rules) }
  }

  private func takeReps(_ entries: [PredictionFiles.Entry], tellsReps: Bool, into prediction: inout Prediction) throws {
    var count: (value: Int, entry: PredictionFiles.Entry)?
    var confidence: (value: Double, entry: PredictionFiles.Entry)?
    var reps: [(rep: Prediction.CountedRep, entry: PredictionFiles.Entry)] = []
    var (known, silent): ([Rep: PredictionFiles.Entry], PredictionFiles.Entry?) = ([:], nil)
    for entry in entries {
      switch entry.statement {
      case .count(let value):
        if let count { throw failure(entry, "one count per clip", "another on \(place(count.entry, from: entry))") }
        count = (value, entry)
      case .confidence(let value):
        if let confidence {
          throw failure(entry, "one confidence per clip", "another on \(place(confidence.entry, from: entry))")
        }
        confidence = (value, entry)
      case .nothing where entry.saysNoReps:
        if let other = silent ?? reps.first?.entry { throw bothWays(entry, other) }
        silent = entry
      case .event(let words) where words.type == "rep":
        if let silent { throw bothWays(entry, silent) }
        let rep = try rep(entry, words)
        if let other = known.updateValue(entry, forKey: rep) {
          throw failure(entry, "each rep once", "the same on \(place(other, from: entry))")
        }
        let reported = try reported(entry, words)
        if let reported, reported < rep.end {
          throw failure(entry, "a report no earlier than the end \(rep.end.seconds) s", "\(reported.seconds) s")
        }
        reps.append((Prediction.CountedRep(rep: rep, reported: reported), entry))
      default: break
      }
    }
    if let count, let rep = reps.first {
      throw failure(
        rep.entry, "either a count of the clip or its reps", "a count on \(place(count.entry, from: rep.entry))")
    }
    if let count, count.value > 0, let silent {
      throw failure(
        count.entry, "a count of 0, as nothing was found on \(place(silent, from: count.entry))", "\(count.value)")
    }
    if let entry = reps.first?.entry ?? count?.entry, !profile.tasks.counts {
      throw failure(entry, "no reps from \(profile.name), as declared in \(source)", "a rep or count")
    }
    if let confidence, !profile.tasks.givesConfidence {
      throw failure(confidence.entry, "confidence: on in \(source)", "a confidence without it")
    }
    if let confidence, count == nil, !tellsReps {
      throw failure(confidence.entry, "a count or reps beside a confidence", "neither in these files")
    }
    guard profile.tasks.counts else { return }
    prediction.countConfidence = confidence?.value
    if let count {
      prediction.count = count.value
    } else if tellsReps {
      prediction.reps = reps.map(\.rep).sorted {
        ($0.rep.end, $0.rep.start) < ($1.rep.end, $1.rep.start)
      }
      prediction.count = reps.count
    } else {
      prediction.count = 0
    }
  }

  /// The time of an event's report. A live report may come after the end of the clip, but soon.
  private func reported(_ entry: PredictionFiles.Entry, _ words: EventWords) throws -> Microseconds? {
    let reported = words.times["reported"]
    if let reported, let end = target.end, reported > end + Self.longestDelay {
      throw failure(
        entry, "a report within a minute after the end of the clip, \(end.seconds) s", "\(reported.seconds) s")
    }
    return reported
  }

  private static let longestDelay = Microseconds(60_000_000)

  private func bothWays(_ entry: PredictionFiles.Entry, _ other: PredictionFiles.Entry) -> DataError {
    failure(
      entry,
      entry.kind == nil
        ? "a line for each rep of the clip, or a single one without events"
        : "a row for each rep of the clip, or a single one without times",
      "another on \(place(other, from: entry))")
  }

  /// The judged rep: by its times, by the number of a predicted rep, or the whole clip.
  private func judged(_ entry: PredictionFiles.Entry, _ words: EventWords, _ numbered: [Int: Rep]) throws -> Rep {
    if words.times["start"] != nil || words.times["end"] != nil { return try rep(entry, words) }
    guard let number = words.rep else { return Rep(start: .zero, end: .zero) }
    guard let rep = numbered[number] else {
      throw failure(
        entry, "a predicted rep with this number",
        numbered.isEmpty ? "no predicted reps of the clip" : "rep \(number) of \(numbered.count)")
    }
    return rep
  }

  private func takeJudgements(_ entries: [PredictionFiles.Entry], into prediction: inout Prediction) throws {
    // Reps have the numbers of their rows, otherwise of their order.
    var numbered: [Int: Rep] = [:]
    for entry in entries {
      guard let words = entry.event, words.type == "rep", let number = words.rep else { continue }
      numbered[number] = try rep(entry, words)
    }
    if numbered.isEmpty {
      let inOrder = (prediction.reps ?? []).map(\.rep).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
      numbered = Dictionary(uniqueKeysWithValues: inOrder.enumerated().map { ($0.offset + 1, $0.element) })
    }
    var places: [Rep: Int] = [:]
    var said: [String: PredictionFiles.Entry] = [:]
    func change(_ rep: Rep, _ body: (inout Prediction.JudgedRep) -> Void) {
      let place = places[rep] ?? prediction.judged.count
      if place == prediction.judged.count { prediction.judged.append(Prediction.JudgedRep(rep: rep)) }
      places[rep] = place
      body(&prediction.judged[place])
    }
    for entry in entries {
      guard var words = entry.event, words.type == "grade" || words.type == "fault" else { continue }
      let rep = try judged(entry, words, numbered)
      let what: String
      if words.type == "grade" {
        if words.texts["criterion"] == nil {
          guard let criterion = profile.tasks.criterion else {
            throw failure(entry, "a criterion, such as form", "none")
          }
          words.texts["criterion"] = criterion
        }
        let grade = try checked(entry) { try words.grade(rules) }
        try requireOnScale(grade, entry)
        what = "grade on \(grade.criterion)"
        change(rep) { $0.grades[grade.criterion] = grade.value }
      } else {
        let fault = try checked(entry) { try words.fault(rules) }
        what = "fault \(fault)"
        let score = words.score == nil ? nil : try score(entry, words)
        // A probability of a half is enough to report it.
        let isPresent = words.isPresent ?? score.map { $0 >= 0.5 } ?? true
        change(rep) {
          if isPresent { $0.faults.insert(fault) }
          $0.scores[fault] = score
        }
      }
      if let other = said.updateValue(entry, forKey: "\(what) \(rep.start.count) \(rep.end.count)") {
        throw failure(entry, "each \(what) of a rep once", "another on \(place(other, from: entry))")
      }
    }
  }

  /// - Throws: `DataError` if a grade is not on the scale of the clip's dataset.
  private func requireOnScale(_ grade: (criterion: String, value: Double), _ entry: PredictionFiles.Entry) throws {
    let known = ClipID(target.id).flatMap { scales[$0.dataset] } ?? []
    guard let scale = known.first(where: { $0.name == grade.criterion }),
      !(scale.minimum...scale.maximum).contains(grade.value)
    else { return }
    throw failure(
      entry,
      "a grade on \(scale.name) from \(scale.minimum.shortestDecimal) to \(scale.maximum.shortestDecimal)",
      grade.value.shortestDecimal)
  }

  private func takeStrokes(_ entries: [PredictionFiles.Entry], into prediction: inout Prediction) throws {
    var said: [LabelledInstant: PredictionFiles.Entry] = [:]
    for entry in entries {
      guard let words = entry.event, words.type == "stroke" else { continue }
      guard let labels = profile.tasks.strokes else {
        throw failure(entry, "no strokes from \(profile.name), as declared in \(source)", "a stroke")
      }
      let stroke = try checked(entry) {
        let contact = try words.time(words.times["contact"] == nil ? "time" : "contact", rules)
        let (start, end) = (
          try words.times["start"].map { _ in try words.time("start", rules) } ?? contact,
          try words.times["end"].map { _ in try words.time("end", rules) } ?? contact
        )
        guard start <= contact, contact <= end else {
          throw words.objection(
            "start, contact and end in order",
            "\(start.decimalSeconds) s, \(contact.decimalSeconds) s, \(end.decimalSeconds) s")
        }
        let label = try words.texts["label"].map { try words.known($0, labels, "labels", rules) } ?? "unknown"
        return Prediction.Stroke(
          segment: Segment(start: start, end: end, label: label), contact: contact,
          reported: max(try reported(entry, words) ?? contact, contact), score: try score(entry, words))
      }
      let instant = LabelledInstant(time: stroke.contact, label: stroke.segment.label)
      if let other = said.updateValue(entry, forKey: instant) {
        throw failure(entry, "each stroke once", "the same on \(place(other, from: entry))")
      }
      prediction.strokes.append(stroke)
    }
    prediction.strokes.sort { ($0.contact, $0.segment.label) < ($1.contact, $1.segment.label) }
  }

  private func score(_ entry: PredictionFiles.Entry, _ words: EventWords) throws -> Double {
    guard let score = words.score else { return 1 }
    guard score.isFinite else { throw failure(entry, "a finite score", "\(score)") }
    return score
  }

  /// The phases. A phase with only a time lasts until the next phase.
  private func takeSegments(_ entries: [PredictionFiles.Entry], into prediction: inout Prediction) throws {
    var found: [(segment: Segment, score: Double?, isOpen: Bool, entry: PredictionFiles.Entry)] = []
    for entry in entries {
      guard let words = entry.event, words.type == "phase" else { continue }
      guard !profile.tasks.postures.isEmpty else {
        throw failure(entry, "no postures or phases from \(profile.name), as declared in \(source)", "a phase")
      }
      try checked(entry) {
        let label = try words.known(try words.text("phase"), profile.tasks.postures, "labels", rules)
        let isOpen = words.times["start"] == nil
        let start = try words.time(isOpen ? "time" : "start", rules)
        let end = isOpen ? start : try words.time("end", rules)
        guard isOpen || start < end else {
          throw words.objection("start < end", "\(start.decimalSeconds) s, \(end.decimalSeconds) s")
        }
        found.append(
          (
            Segment(start: start, end: end, label: label), words.score == nil ? nil : try score(entry, words), isOpen,
            entry
          ))
      }
    }
    found.sort {
      ($0.segment.start, $0.segment.end, $0.segment.label) < ($1.segment.start, $1.segment.end, $1.segment.label)
    }
    for index in found.indices where found[index].isOpen {
      let next = index + 1 < found.count ? found[index + 1].segment.start : target.end
      // A clip without poses has no end: its last phase lasts until the last label.
      let last = target.labels.intervals.map(\.end).max() ?? found[index].segment.start
      found[index].segment.end = max(next ?? last, found[index].segment.start)
    }
    let hasScores = found.contains { $0.score != nil }
    for (first, second) in zip(found, found.dropFirst()) {
      if first.segment == second.segment {
        throw failure(second.entry, "each interval once", "the same on \(place(first.entry, from: second.entry))")
      }
      guard hasScores || first.segment.end <= second.segment.start else {
        throw failure(
          second.entry, "intervals without overlap, or with scores",
          "an interval that begins before the end of \(place(first.entry, from: second.entry))")
      }
    }
    prediction.segments = found.map(\.segment)
    if hasScores { prediction.segmentScores = found.map { $0.score ?? 1 } }
  }
}
