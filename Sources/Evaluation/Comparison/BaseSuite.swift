import Coaching
import Datasets
import Files
import Pipeline
import Scoring
import Statistics

/// The reference of a change: a suite and its baseline at the commit that the change started from.
public struct BaseSuite: Sendable {
  public let commit: GitCommit
  /// `nil` if the commit has no such suite, or an unreadable one.
  public private(set) var suite: Suite?
  /// `nil` if the commit has none, or an unreadable one.
  public private(set) var baseline: Baseline?
  /// The error in the suite or the baseline at that commit; `nil` if both can be read.
  let unreadable: String?
  /// How the parameters of the suite at that commit differ from its baseline's: `squat-states.bottomAngle: 90 → 95`.
  private let changedSinceBaseline: [String]
  /// The criteria that the detectors of the suite at that commit grade on, if the change has others.
  private let criteria: [(detector: String, now: String, before: String)]
  /// The detectors of the suite at that commit that the change defines elsewhere under the same name.
  private let redefined: [(detector: String, now: String, before: String)]
  /// The detectors that the change renames or replaces; here they have their new names.
  private var renamedDetectors: [RenamedDetector] = []
  /// Suites at that commit that are missing from the work tree.
  let lostSuites: [String]
  /// How other suites in the work tree gate less than at that commit, one sentence each.
  private let loosenedSuites: [String]
  /// The suite's file and its baseline in the work tree, as far as they are links.
  private let links: [String]
  /// The datasets that are submodules in git's index, and files at that commit.
  private let submodules: [String]
  /// The clips' subjects at that commit, as far as its dataset folders list them.
  private let subjects: [ClipID: String]
  /// The name of each dataset's people at that commit, as far as its dataset folders say it.
  private let peopleNames: [String: String]

  /// Reads the suite and its baseline at a commit.
  ///
  /// - Throws: `EvaluationError.missing` if git does not have them.
  public init(_ name: String, of project: Project, at commit: GitCommit, registry: DetectorRegistry) throws {
    self.commit = commit
    let files = Project(root: "")
    func input(_ path: String) throws -> InputFile? {
      try commit.file(path).map { InputFile(name: "\(commit.ref):\(path)", bytes: $0) }
    }
    func all(_ folder: String, _ path: (String) -> String) throws -> [(name: String, file: InputFile)] {
      try commit.names(in: folder).filter { $0.hasSuffix(".yaml") }.compactMap { entry in
        let name = String(entry.dropLast(5))
        // A link is no detector of this commit.
        return (try? input(path(name))).map { (name: name, file: $0) }
      }
    }
    // As the commit has them: the change may have renamed one, or taken a parameter from it.
    let exercises = try all("exercises", files.exerciseFile).compactMap { try? ExerciseDefinition(yaml: $0.file) }
    let programs = try all("detectors", files.detectorFile).compactMap {
      try? CommandDetector(yaml: $0.file, called: $0.name, in: project.root)
    }
    let own = DetectorRegistry(exercises).adding(DetectorRegistry(exercises.compactMap(\.counter)))
      .adding(DetectorRegistry(programs, consent: CommandConsent()))
    var known = registry.adding(own)
    let change = (try? project.suite(named: name, registry: registry)).map { (suite: $0, registry: registry) }
    var (suite, baseline, unreadable): (Suite?, Baseline?, String?)
    do {
      if let file = try input(files.suiteFile(name)) {
        let former = change.flatMap { RenamedDetector.definition(in: file, besides: known, for: $0) }
        known = known.adding(DetectorRegistry([former].compactMap(\.self)))
        suite = try Suite(yaml: file, registry: known)
      }
      baseline = try input(files.baselineFile(name)).map { try Baseline($0, suite: name) }
    } catch let error as DataError {
      unreadable = "\(error)"
    } catch let error as EvaluationError {
      unreadable = "\(error)"
    }
    (self.suite, self.baseline, self.unreadable) = (suite, baseline, unreadable)
    let parameters = (suite?.detectors ?? []).flatMap { choice in
      Self.changedParameters(
        choice, from: baseline?.parameters[choice.name] ?? [:], own: own, known: known, now: change?.suite)
    }
    // A default in code is that of this program, which may be the change itself.
    let isSameCode =
      try parameters.allSatisfy(\.isCertain) || !commit.changedPaths().contains(where: OldPrograms.isCode)
    changedSinceBaseline = parameters.filter { $0.isCertain || isSameCode }.map(\.words)
    criteria = (suite?.detectors ?? []).compactMap { choice -> (detector: String, now: String, before: String)? in
      guard let was = own.detectors.first(where: { $0.profile.name == choice.name })?.profile.tasks.criterion,
        let now = (try? change?.registry.detector(named: choice.name))?.profile.tasks.criterion, now != was
      else { return nil }
      return (choice.name, now, was)
    }
    let before = Self.definitions(exercises, programs)
    let after = Self.definitions((try? project.exercises()) ?? [], (try? project.commands()) ?? [])
    redefined = (suite?.detectors ?? []).compactMap { choice -> (detector: String, now: String, before: String)? in
      guard let was = before[choice.name], let now = after[choice.name], now != was else { return nil }
      return (choice.name, now, was)
    }
    let now = Set(project.suiteNames)
    lostSuites = try commit.names(in: "datasets/suites").filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
      .filter { !now.contains($0) }
    let changed: Set<String> = try now.subtracting([name]).isEmpty ? [] : Set(commit.changedPaths())
    loosenedSuites = try now.sorted().flatMap { other -> [String] in
      guard other != name, changed.contains(files.suiteFile(other)),
        let before = try input(files.suiteFile(other)).flatMap({ try? Suite(yaml: $0, registry: known) }),
        let after = try? project.suite(named: other, registry: registry)
      else { return [] }
      return after.loosenings(of: before, "at \(commit.title)").map { "suite \(other) gates less: \($0)" }
    }
    links = [
      (files.suiteFile(name), project.suiteFile(name)), (files.baselineFile(name), project.baselineFile(name)),
    ].filter { FileKind($0.1) == .link }.map(\.0)
    (subjects, peopleNames) = try Self.people(of: suite, input)
    submodules = try (suite?.datasets ?? []).map(\.name).filter { name in
      let folder = files.datasetFolder(name)
      return try commit.isSubmodule(folder) && input("\(folder)/clips.csv") != nil
    }
    if let suite, let change {
      renamedDetectors = RenamedDetector.all(from: (suite, gated, known), to: change)
    }
    for detector in renamedDetectors {
      self.suite?.rename(detector)
      self.baseline?.rename(detector)
    }
  }

  /// The parameters of a detector of the suite that differ from the baseline's.
  ///
  /// - Parameters:
  ///   - own: The detectors of the commit's files.
  ///   - known: All detectors, for their defaults.
  ///   - now: The changed suite.
  /// - Returns: In words, and whether the values are those of the commit: a default in code is that of this program.
  private static func changedParameters(
    _ choice: Suite.DetectorChoice, from before: [String: Double], own: DetectorRegistry, known: DetectorRegistry,
    now: Suite?
  ) -> [(words: String, isCertain: Bool)] {
    let isOfCommit = own.detectors.contains { $0.profile.name == choice.name }
    let defaults = known.detectors.first { $0.profile.name == choice.name }?.parameters ?? []
    let usual = Dictionary(defaults.map { ($0.name, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
    let changed = now?.detectors.first { $0.name == choice.name }?.parameters ?? [:]
    return usual.merging(choice.parameters) { $1 }.sorted { $0.key < $1.key }.compactMap {
      name, value -> (words: String, isCertain: Bool)? in
      guard let old = before[name], !isSame(old, value) else { return nil }
      return (
        "\(choice.name).\(name): \(NumberText.plain(old)) → \(NumberText.plain(value))",
        isOfCommit || choice.parameters[name] != nil || changed[name] != nil
      )
    }
  }

  /// The subjects of the clips, and the name of each dataset's people, as far as the dataset folders of a commit say them.
  ///
  /// - Parameter input: Reads a file of the commit; `nil` for none.
  private static func people(
    of suite: Suite?, _ input: (String) throws -> InputFile?
  ) throws -> (subjects: [ClipID: String], names: [String: String]) {
    var (subjects, people): ([ClipID: String], [String: String]) = ([:], [:])
    for dataset in suite?.datasets ?? [] {
      let folder = Project(root: "").datasetFolder(dataset.name)
      if let manifest = try input("\(folder)/dataset.yaml").flatMap({ try? Manifest(yaml: $0) }) {
        people[dataset.name] = manifest.ownPeople
      }
      if suite?.people == .shared { people[dataset.name] = PersonID.sharedPeople }
      guard let file = try input("\(folder)/clips.csv"),
        let table = try? CSVTable(file, required: ["clip", "subject"], ignoringOthers: true)
      else { continue }
      for row in table.rows {
        guard let clip = try? row.text("clip"), let subject = try? row.text("subject") else { continue }
        subjects[ClipID(dataset: dataset.name, clip: clip)] = subject
      }
    }
    return (subjects, people)
  }

  /// What each detector is that a project's files or this program define, by name.
  private static func definitions(
    _ exercises: [ExerciseDefinition], _ programs: [CommandDetector]
  ) -> [String: String] {
    func names(_ exercises: [ExerciseDefinition]) -> [String] {
      exercises.map(\.detectorName) + exercises.compactMap { $0.counter?.profile.name }
    }
    let known = DetectorRegistry.builtIn.detectors.map(\.profile.name) + names((try? BuiltInExercises.exercises) ?? [])
    var all: [String: String] = [:]
    for name in known { all[name] = "built-in" }
    for name in names(exercises) { all[name] = "an exercise of the project" }
    for program in programs {
      all[program.profile.name] = program.command.isEmpty ? "read from prediction files" : "a command of the project"
    }
    return all
  }

  /// The reference of a run: where predictions from files take the place of all detectors, its suite judges them too.
  public func judging(_ run: SuiteRun) -> BaseSuite {
    var base = self
    for predicted in run.predicted { base.suite = base.suite.flatMap { try? $0.judging(predicted) } ?? base.suite }
    return base
  }

  /// Whether there is anything to compare with; a new suite has only its own baseline.
  public var isKnown: Bool { suite != nil && baseline != nil }

  /// `at origin/main (1a2b3c4)`
  private var place: String { "at \(commit.title)" }

  /// Notes on the base for the reader, one sentence each.
  public var notes: [String] {
    guard suite == nil || baseline == nil, unreadable == nil else { return [] }
    return suite == nil
      ? ["The suite is new: \(commit.title) has none of that name. Compared with its own baseline."]
      : ["\(commit.title) has no baseline of the suite. Compared with the change's own baseline."]
  }

  /// That the baseline is older than its suite, in a sentence.
  fileprivate var staleness: Objections {
    guard !changedSinceBaseline.isEmpty else { return Objections() }
    return Objections(findings: [
      "The baseline \(place) was made with other parameters than its suite has (\(Excerpt.list(changedSinceBaseline))): "
        + "what these gained can be lost unseen, until the baseline is accepted there"
    ])
  }

  /// What later gates lack, one sentence each: a suite that is gone or gates less, and files of which git keeps no
  /// content here.
  fileprivate var gaps: Objections {
    let gone = isKnown ? lostSuites.map { "suite \($0) is gone; it is \(place): nothing gates by it any more" } : []
    return Objections(
      findings: gone + loosenedSuites.map { "\($0). Only its own gate judges that" }
        + links.map { "\($0) is a link, of which git keeps no content: later changes cannot be compared with it" }
        + submodules.map {
          "dataset \($0) is a submodule, of which git keeps only the commit here: later changes of its clips and labels "
            + "cannot be compared with them"
        })
  }

  /// The renamed detectors of a run.
  private func renamed(in results: RunResults) -> [RenamedDetector] {
    renamedDetectors.filter { detector in results.detectors.contains { $0.name == detector.name } }
  }

  /// The detectors that are other ones under the same name, one sentence each.
  fileprivate var replacements: Objections {
    Objections(
      findings: redefined.map {
        "\($0.detector) is \($0.now) now and \($0.before) \(place): another detector has its name"
      })
  }

  /// That a detector is compared with one of another name, in a sentence.
  fileprivate func renaming(_ results: RunResults) -> Objections {
    Objections(
      findings: renamed(in: results).map { "\($0.name) is judged as the former \($0.former), on its values \(place)" })
  }

  /// The detectors that were watched at the base without a gating metric and are gone, one sentence each.
  fileprivate func unwatched(_ results: RunResults) -> Objections {
    let gated = Set(self.gated.map(\.detector))
    let gone = (suite?.detectors ?? []).map(\.name).filter { name in
      !gated.contains(name) && !results.detectors.contains { $0.name == name }
    }
    return Objections(findings: gone.map { "\($0) is no longer in the suite: nothing shows whether it collapses" })
  }

  /// The metrics that gate at the base and not in a suite, in a sentence for each detector.
  ///
  /// A detector that takes the place of another one is judged on its own values alone.
  fileprivate func unjudged(by suite: Suite, _ results: RunResults) -> Objections {
    let gone = gated.filter { !suite.gated.contains($0.metricID) }
    let values = Dictionary(grouping: gone, by: \.detector).sorted { $0.key < $1.key }.map { detector, gates in
      let metrics = gates.map { gate -> String in
        let before = baseline?.metric(detector, gate.metric)?.value
        let others = results.metrics.filter {
          $0.metric == gate.metric && $0.detector != detector && $0.margin != nil
        }
        let numbers =
          (before.map { [NumberText.value($0, unit: "")] } ?? [])
          + others.map { "\(NumberText.value($0.value, unit: "")) now of \($0.detector)" }
        return Metric.plainName(of: gate.metric) + (numbers.isEmpty ? "" : " (\(numbers.joined(separator: "; ")))")
      }
      return "Nothing stops a loss of \(detector) any more in \(metrics.joined(separator: ", ")), which gated \(place)"
    }
    return Objections(findings: values)
  }

  /// That the change's own baseline is the only one that it is compared with, in a sentence.
  fileprivate func ownBaselineAlone(_ reason: String) -> Objections {
    Objections(findings: [
      "Nothing is compared with \(commit.title): \(reason). The change's own baseline hides every loss since then"
    ])
  }

  /// How a suite measures or gates less than this one, one sentence each; empty if it does not.
  ///
  /// - Parameter grown: Datasets whose content differs by growth alone.
  func changes(to suite: Suite, _ results: RunResults, grown: Set<String> = []) -> [String] {
    if let unreadable { return [unreadable] }
    guard let base = self.suite, let baseline else {
      return lostSuites.map { "suite \($0) is gone; it is \(place)" }
    }
    var lines: [String] = []
    let renamed = renamedDatasets(baseline, results)
    for dataset in base.datasets {
      if let name = renamed[dataset.name] {
        lines.append("dataset \(dataset.name) is now called \(name)")
      } else if let now = suite.datasets.first(where: { $0.name == dataset.name }) {
        guard now.content != dataset.content, !grown.contains(dataset.name) else { continue }
        lines.append(
          "dataset \(dataset.name) has different content: \(now.content.short) now, \(dataset.content.short) \(place)")
      } else {
        lines.append("dataset \(dataset.name) is no longer in the suite")
      }
    }
    let kept = Set(base.datasets.map(\.name)).intersection(results.datasets.map(\.name) + renamed.keys)
    let clips = Set(results.clips.map(\.id))
    let lost = baseline.clips.keys.filter { name in
      ClipID(name).map { kept.contains($0.dataset) && !clips.contains($0.of(renamed).description) } ?? true
    }.sorted()
    lines += lost.prefix(5).map { "clip \($0) is gone" }
    if lost.count > 5 { lines.append("\(lost.count - 5) other clips are gone") }
    lines += base.exercises.filter { !suite.exercises.contains($0) }.map { "clips of \($0) are no longer in the suite" }
    lines += self.renamed(in: results).map { "detector \($0.former) is replaced by \($0.name)" }
    for old in base.detectors {
      guard let now = suite.detectors.first(where: { $0.name == old.name }) else { continue }
      let lost = (old.exercises ?? base.exercises).filter { suite.exercises.contains($0) && !now.takes($0) }
      lines += lost.map { "clips of \($0) are no longer replayed to \(old.name)" }
    }
    func changed(_ what: String, _ now: String, _ before: String) {
      if now != before { lines.append("\(what): \(now), \(before) \(place)") }
    }
    func words(_ labels: [String: String]) -> String {
      labels.isEmpty
        ? "none" : labels.sorted { $0.key < $1.key }.map { "\($0.key) as \($0.value)" }.joined(separator: ", ")
    }
    // A renamed dataset's own people bear its new name.
    for group in people(results, renamed) where group.now != renamed[group.before] ?? group.before {
      changed("the people of dataset \(group.dataset) have another name", group.now, group.before)
    }
    for own in criteria { changed("\(own.detector) grades on another criterion", own.now, own.before) }
    changed("other label names", words(suite.labels), words(base.labels))
    changed("other matching", RunResults.Matching(suite.matching).words, RunResults.Matching(base.matching).words)
    changed("other camera", suite.camera.words, base.camera.words)
    changed("other negatives", suite.negatives.words, base.negatives.words)
    changed("other smoothing", suite.smoothing?.description ?? "none", base.smoothing?.description ?? "none")
    lines += suite.gated.loosenings(of: gated, place, in: results)
    changed("another number of looks", suite.looks.rawValue, base.looks.rawValue)
    return lines + suite.higherLimit(than: base, place)
  }

  /// The metrics that gate in the suite at that commit, or gated when its baseline was accepted.
  private var gated: [GatedMetric] {
    let own = suite?.gated ?? []
    return own + (baseline?.gated ?? []).filter { old in !own.contains { $0.name == old.name } }
  }

  /// Datasets that have another name in the run, but the same clips; the old name must be gone.
  private func renamedDatasets(_ baseline: Baseline, _ results: RunResults) -> [String: String] {
    let before = Dictionary(grouping: baseline.clips.keys.compactMap(ClipID.init), by: \.dataset)
      .mapValues { Set($0.map(\.clip)) }
    let now = Dictionary(grouping: results.clips, by: \.dataset).mapValues { Set($0.map(\.name)) }
    var names: [String: String] = [:]
    for (old, clips) in before.sorted(by: { $0.key < $1.key }) where now[old] == nil {
      names[old] =
        now.sorted { $0.key < $1.key }.first { new, own in
          before[new] == nil && own == clips && !names.values.contains(new)
        }?.key
    }
    return names
  }

  /// The clips at the base, by their names in a run; empty without a baseline.
  func clipNames(_ results: RunResults) -> Set<String> {
    guard let baseline else { return [] }
    let renamed = renamedDatasets(baseline, results)
    return Set(baseline.clips.keys.map { ClipID($0)?.of(renamed).description ?? $0 })
  }

  /// The people of a dataset of both sides.
  private struct People {
    /// The dataset's name at the base.
    var dataset: String
    /// Their name now.
    var now: String
    /// Their name at the base.
    var before: String
  }

  /// The people of each of the base's datasets that the run has clips of.
  ///
  /// Where the commit does not say a dataset's people, they are those that the run's dataset names.
  private func people(_ results: RunResults, _ renamed: [String: String]) -> [People] {
    let all = Dictionary(
      results.clips.map { ($0.dataset, $0.personID.people) }, uniquingKeysWith: { first, _ in first })
    return (suite?.datasets ?? []).compactMap { dataset in
      let name = renamed[dataset.name] ?? dataset.name
      guard let now = all[name] else { return nil }
      // A dataset's own people bear its name, and a suite's shared people are the suite's to name.
      let own = [name, PersonID.sharedPeople].contains(now) ? dataset.name : now
      return People(dataset: dataset.name, now: now, before: peopleNames[dataset.name] ?? own)
    }
  }

  /// The run and the base's baseline, limited to the detectors, clips and persons of both.
  ///
  /// Persons whose clips differ are left out: their values differ with any detector. People that a change joins or
  /// splits are others too. If clips differ, metrics over all clips together cannot be compared.
  ///
  /// - Parameter gated: The metrics that gate.
  ///
  /// - Returns: `nil` if no person or no detector is left.
  fileprivate func common(_ results: RunResults, by gated: [GatedMetric]) -> CommonGround? {
    guard var before = baseline else { return nil }
    let renamed = renamedDatasets(before, results)
    func clip(_ name: String) -> String { ClipID(name)?.of(renamed).description ?? name }
    let all = people(results, renamed)
    // People that are split or joined now have no counterpart.
    let names = Dictionary(grouping: all, by: \.before).compactMapValues { same -> String? in
      guard let now = same.first?.now else { return nil }
      return all.allSatisfy { ($0.now == now) == ($0.before == same[0].before) } ? now : nil
    }
    func person(_ name: String) -> String? {
      PersonID(name).flatMap { id in names[id.people].map { PersonID(people: $0, subject: id.subject).description } }
    }
    func named<Value>(_ table: [String: Value], _ name: (String) -> String?) -> [String: Value] {
      let pairs = table.compactMap { key, value in name(key).map { ($0, value) } }
      return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
    let ids = Set(results.clips.map(\.id))
    let lost = before.clips.keys.filter { !ids.contains(clip($0)) }
    before.clips = named(before.clips, clip)
    let both = ids.intersection(before.clips.keys)
    let extended = Set(results.clips.filter { !both.contains($0.id) }.map(\.person))
    var others = extended
    // If a clip's subject is no longer known, any of its dataset's people may have lost it.
    var unknown: Set<String> = []
    for name in lost {
      guard let id = ClipID(name) else { continue }
      let group = all.first { $0.dataset == id.dataset }?.before ?? peopleNames[id.dataset] ?? id.dataset
      if let subject = subjects[id] {
        if let other = person(PersonID(people: group, subject: subject).description) { others.insert(other) }
      } else {
        unknown.insert(names[group] ?? group)
      }
    }
    let now = Set(results.clips.map(\.person))
    let known = Set(before.metrics.flatMap { $0.bySubject.keys.compactMap(person) })
    let persons = now.intersection(known).filter { name in
      !others.contains(name) && !(PersonID(name).map { unknown.contains($0.people) } ?? true)
    }
    let detectors = commonDetectors(results)
    guard !persons.isEmpty, !detectors.isEmpty else { return nil }
    let isWhole = lost.isEmpty && both.count == results.clips.count
    var run = results
    run.detectors = run.detectors.filter { detectors.contains($0.name) }
    run.clips = run.clips.filter { both.contains($0.id) && persons.contains($0.person) }
    run.metrics = run.metrics.filter { detectors.contains($0.detector) }
    for index in run.metrics.indices {
      run.metrics[index].bySubject = run.metrics[index].bySubject.filter { persons.contains($0.key) }
    }
    // A metric that the base's baseline lacks begins with this change.
    let begun = gated.filter { gate in
      gate.metric == CostRatio.metric
        ? before.costs?[gate.detector] != nil : before.metric(gate.detector, gate.metric) != nil
    }
    let pooled = begun.filter { gate in
      !isWhole
        && (before.metric(gate.detector, gate.metric)?.isPooled == true
          || run.metric(gate.detector, gate.metric)?.isPooled == true)
    }
    run = run.gated(by: begun.filter { gate in !pooled.contains { $0.name == gate.name } })
    before.format = Baseline.currentFormat
    (before.suiteVersion, before.matching, before.camera) = (run.suiteVersion, run.matching, run.camera)
    before.datasets = run.datasets.contentByName
    before.detectors = run.detectors.compactMap { own in before.detectors.first { $0.name == own.name } }
    let compared = Set(run.clips.map(\.id))
    before.clips = before.clips.filter { compared.contains($0.key) }
    before.metrics = before.metrics.filter { detectors.contains($0.detector) }
    func common(_ metric: Baseline.Value) -> Baseline.Value {
      var metric = metric
      metric.bySubject = named(metric.bySubject, person).filter { persons.contains($0.key) }
      metric.withoutSubject = metric.withoutSubject.map { named($0, person) }
      // The suites have been compared already: the gating metrics are settled.
      metric.gates = nil
      return metric
    }
    before.metrics = before.metrics.map(common)
    before.best = before.best?.filter { detectors.contains($0.detector) }.map(common)
    before.looks = before.looks?.map { $0.compactMap(person) }
    before.costMargins = nil
    before.costs = before.costs?.filter { run.measured[$0.key]?.ratios != nil }
    before.slices = nil
    let longer = extended.intersection(known).sorted()
    return CommonGround(
      run: run, baseline: before, leftOut: now.intersection(known).subtracting(persons).sorted(),
      uncompared: pooled.map { "\($0.name) covers all clips together, and they are others \(place)" }
        + (longer.isEmpty ? [] : ["people with clips that are new are left out: \(Excerpt.list(longer))"]))
  }

  /// The names of the detectors of both.
  private func commonDetectors(_ results: RunResults) -> Set<String> {
    Set((baseline?.detectors ?? []).map(\.name)).intersection(results.detectors.map(\.name))
  }

  /// The sentence for a run that shares nobody, or no detector, with the base.
  fileprivate func nothingCommon(_ results: RunResults) -> String {
    commonDetectors(results).isEmpty
      ? "no detector has the same name in this run and \(place): nothing can be compared"
      : "no person has the same clips in this run and \(place): nobody can be compared"
  }
}

/// The part of a change's run and of the base's baseline that can be compared.
private struct CommonGround {
  var run: RunResults
  var baseline: Baseline
  /// Persons in both whose clips differ, by name.
  var leftOut: [String]
  /// The gating metrics and people that cannot be compared, one sentence each.
  var uncompared: [String]
}

extension ClipID {
  /// With the dataset's new name.
  fileprivate func of(_ renamed: [String: String]) -> ClipID {
    ClipID(dataset: renamed[dataset] ?? dataset, clip: clip)
  }
}

extension Comparison {
  /// Compares a change's run with the base that it started from.
  ///
  /// A change cannot hide a loss by changing its suite: the base's margins and floors apply, unless a person accepts
  /// the changed suite. Without a person with the same clips, or a detector, as at the base, nothing is compared. The
  /// change's own baseline is used only for a suite that the base lacks or has no baseline of, and for a changed suite
  /// that a person accepts.
  ///
  /// - Parameters:
  ///   - suite: The change's own.
  ///   - own: The change's own baseline; `nil` if it has none, and `ownError` says why.
  ///   - acceptsSuiteChange: Whether the changed suite applies, even if it drops or loosens something.
  ///   - grown: Data that only grew since the base: the clips that were there are compared.
  /// - Throws: `EvaluationError.missing` if neither baseline can be compared with.
  public init(
    _ results: RunResults, of suite: Suite, against base: BaseSuite, own: Baseline?, ownError: String? = nil,
    acceptsSuiteChange: Bool = false, grown: GrownData? = nil
  ) throws {
    var changes = base.changes(to: suite, results, grown: Set(grown?.datasets.map(\.dataset) ?? []))
    let gated = acceptsSuiteChange ? suite.gated : base.suite.map { suite.tightened(beside: $0, results) } ?? []
    var plain: Comparison?
    var error = ownError
    do {
      plain = try own.map { try Comparison(results, with: $0) }
    } catch let missing as EvaluationError {
      error = "\(missing)"
    }
    let common = base.isKnown ? base.common(grown?.kept ?? results, by: gated) : nil
    if base.isKnown { changes += common?.uncompared ?? [base.nothingCommon(results)] }
    if let common {
      try self.init(common.run, with: common.baseline)
      subjectsLeftOut = common.leftOut
    } else if let plain {
      self = plain
      // The change's own baseline cannot show a loss since the base.
      if base.isKnown && !acceptsSuiteChange { compareNothing() }
    } else {
      throw EvaluationError.missing(
        what: "baseline of suite \(suite.name)", expected: "one that this run can be compared with",
        found: ([error] + changes).compactMap(\.self).joined(separator: "; "))
    }
    missing = MissingParts()
    add(base.staleness)
    add(base.renaming(results))
    add(base.replacements)
    add(base.unwatched(results))
    add(base.gaps)
    growth = grown?.words(results) ?? []
    if acceptsSuiteChange {
      acceptedSuiteChanges = changes
      add(base.unjudged(by: suite, results))
      if common == nil, let reason = changes.last { add(base.ownBaselineAlone(reason)) }
    } else {
      missing.add(changes, remedy: "Accept a change of the suite on purpose with --accept-suite-change")
    }
    let accept =
      "Accept the baseline again with: bench baseline accept --suite \(suite.name)\(results.predictionOptions) "
      + "--against \(base.commit.ref)"
    if let error {
      // The baseline's own step leaves out the base.
      missing.add([error.replacing(Reference.baseline(ofSuite: suite.name).remedy, with: "")], remedy: accept)
    } else if let own, let plain {
      let isTakenOver = base.baseline.map { $0 == own } ?? false
      isBaselineRenewed = !isTakenOver
      // If the baseline is the base's, the changes of the suite are reported already.
      missing.add(isTakenOver && !acceptsSuiteChange ? plain.uncompared : plain.missing.lines, remedy: accept)
      acceptedLosses = (own.acceptedLosses ?? []).without(base.baseline?.acceptedLosses ?? [])
      if !isTakenOver {
        missing.add(own.differences(from: results), remedy: accept)
        missing.add(acceptedBeyondTheRun, remedy: "\(accept) --because …")
        add(own.inflatedCosts(beside: results))
        if let before = base.baseline {
          let accepted = (metrics + drifts).compactMap { acceptedLosses.total(of: $0) }
          missing.add(own.forgotten(of: before, results, accepting: accepted, grown: grown), remedy: accept)
          add(own.begunAnew(after: before, results, grown))
          add(own.retuned(since: before))
        }
      }
    }
  }
}

extension Suite {
  /// The base's gating metrics, with this suite's stricter floors and the metrics that only this suite gates on.
  fileprivate func tightened(beside base: Suite, _ results: RunResults) -> [GatedMetric] {
    base.gated.stricter(
      gated.map { own in
        var gate = own
        // The base's margin holds, whether this one is wider or narrower.
        if let margin = base.gated.first(where: { $0.name == own.name })?.margin { gate.margin = margin }
        return gate
      }, in: results)
  }
}

extension [AcceptedLoss] {
  /// The elements without a counterpart among the others; each of the others accounts for one.
  fileprivate func without(_ others: [AcceptedLoss]) -> [AcceptedLoss] {
    var rest = others
    return filter { loss in
      guard let index = rest.firstIndex(of: loss) else { return true }
      rest.remove(at: index)
      return false
    }
  }
}

extension LiveCamera {
  /// `30.0 fps and 30.0 ms`
  fileprivate var words: String { "\(fps) fps and \(estimator.milliseconds) ms" }
}
