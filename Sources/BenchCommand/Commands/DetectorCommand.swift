import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Reports
import Statistics

struct DetectorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detector",
    abstract: "List the detectors and their parameters, and check that one is deterministic.",
    discussion: """
      A file detectors/<name>.yaml beside datasets/ adds a detector in any language.

      Examples:
        bench detector show squat-states
        bench detector check our-pushup --allow-commands
      """,
    subcommands: [List.self, Show.self, Check.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the detectors.", discussion: "Example: bench detector list")

    func run() throws {
      let rows = try Bench.registry.detectors.map(\.profile).sorted { $0.name < $1.name }.map {
        [$0.name, $0.kind.rawValue, $0.exercise, $0.summary]
      }
      let table = TextTable([["detector", "kind", "exercise", "what it does"]] + rows)
      let project = Bench.project
      let builtIn = Set(try BuiltInExercises.exercises.map(\.name))
      let replaced = project.exerciseNames.filter(builtIn.contains).map {
        "\(project.exerciseFile($0)) replaces the built-in exercise-\($0)"
      }
      let commands = try project.commands().map { command in
        "\(project.detectorFile(command.profile.name)) "
          + (command.command.isEmpty ? "takes its predictions from files" : "runs \(command.commandLine)")
      }
      let notes = replaced + commands
      let title = "\(NumberText.count(rows.count, "detector")); bench detector show NAME prints the parameters of one"
      Terminal.out(
        [.line(TonedText(title)), .gap, .columns(table), .gap] + notes.map { TextBlock.line(TonedText($0)) })
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a detector's parameters with unit, range, default and source.",
      discussion: "Example: bench detector show squat-states")

    @Argument(help: "The detector.") var name: String

    func run() throws {
      let detector = try Bench.registry.detector(named: name)
      let profile = detector.profile
      var blocks: [TextBlock] = [
        .line("\(profile.name): \(profile.summary)"), .unbroken("kind", profile.kind.rawValue),
        .unbroken("source", profile.source),
      ]
      if let recordings = profile.trainedOn { blocks.append(.unbroken("trained", "on \(recordings)")) }
      if let command = try Bench.project.commands().first(where: { $0.profile.name == name }) {
        let runs: [TextBlock] =
          command.command.isEmpty
          ? [.unbroken("runs", "nothing: bench score reads its predictions from files")]
          : [.unbroken("runs", command.commandLine), .unbroken("poses", command.poses.rawValue)]
        blocks += runs
      }
      let tasks = profile.tasks
      let lists = [("needs", profile.joints.map(\.name)), ("labels", tasks.labels), ("faults", tasks.faults)]
      for (label, names) in lists where !names.isEmpty {
        blocks.append(.unbroken(label, names.joined(separator: ", ")))
      }
      let rows = detector.parameters.map { parameter in
        [
          "\(profile.path).\(parameter.name)", NumberText.plain(parameter.defaultValue),
          "\(NumberText.plain(parameter.range.lowerBound)) to \(NumberText.plain(parameter.range.upperBound))",
          parameter.unit.rawValue, "\(parameter.summary) [\(parameter.source)]",
        ]
      }
      let header = ["parameter", "default", "range", "unit", "meaning"]
      blocks += [.gap, .columns(TextTable([header] + rows, right: [1]))]
      let presets = detector.presets.flatMap { preset in
        [["\(profile.path)=\(preset.name)", preset.summary]]
          + preset.values.sorted { $0.key < $1.key }.map { ["", "\($0.key) \(NumberText.plain($0.value))"] }
      }
      if !presets.isEmpty { blocks += [.gap, .columns(TextTable([["preset", "what it sets"]] + presets))] }
      Terminal.out(blocks)
    }
  }

  struct Check: ReplayingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check that a detector is deterministic: the same events for the same clip.",
      discussion: """
        Replays up to three clips again in another order. A command is also replayed in a new process, and frame by \
        frame, which shows whether it reads ahead. Exits with 1 if predictions differ.

        Example: bench detector check our-pushup --allow-commands
        """)

    @Argument(help: "The detector.") var name: String

    @Option(help: "Replay with the settings of this suite. (default: the only suite with the detector)")
    var suite: String?

    @Option(help: ArgumentHelp("Use the clips of this dataset.", valueName: "name"))
    var dataset: String?

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var storage: StoreOptions

    func run() throws {
      let plan = try ReplayPlan(
        detector: name, usual: name, suite: suite, replacing: { _ in ReplayChanges() }, in: storage.project,
        registry: Bench.registry)
      let catalogue = DatasetCatalogue(project: storage.project, store: try storage.open())
      let check = try DetectorCheck(plan, dataset: dataset, in: catalogue)
      let clips =
        "\(NumberText.count(check.clips.count, "clip")), \(check.ways.map(\.rawValue).joined(separator: ", "))"
      let answer = check.differences.isEmpty ? "is deterministic" : "is not deterministic"
      var blocks: [TextBlock] = [.line("\(name) \(answer): \(clips)")]
      blocks += check.differences.map { difference in
        let words = [difference.first, difference.again].map { event in
          event.map { "\($0.words.kind) \($0.words.words) at \(NumberText.plain($0.reported.seconds)) s" }
            ?? "nothing more"
        }
        return TextBlock.fact(
          "differs",
          difference.first == nil && difference.again == nil
            ? "\(difference.clip), \(difference.way.rawValue): other signals"
            : "\(difference.clip), \(difference.way.rawValue): \(words[1]), at first \(words[0])")
      }
      if let all = check.costs.all {
        let own = check.costs.own.map {
          ", of which the detector reports \(NumberText.plain(($0 / 10).rounded() / 100)) µs"
        }
        blocks.append(.unbroken("cost", "\(NumberText.plain((all / 10).rounded() / 100)) µs a frame\(own ?? "")"))
      }
      Terminal.out(blocks)
      if !check.differences.isEmpty { throw ExitCode(1) }
    }
  }
}
