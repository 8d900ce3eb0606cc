import ArgumentParser
import Coaching
import Evaluation
import Reports
import Statistics

struct DetectorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detector",
    abstract: "List the detectors and their parameters.",
    discussion: "Example: bench detector show squat-states",
    subcommands: [List.self, Show.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the detectors.", discussion: "Example: bench detector list")

    func run() throws {
      let rows = try Bench.registry.detectors.map(\.profile).sorted { $0.name < $1.name }.map {
        [$0.name, $0.kind.rawValue, $0.exercise, $0.summary]
      }
      let table = Terminal.table([["detector", "kind", "exercise", "what it does"]] + rows, indent: 0)
      let project = Bench.project
      let builtIn = Set(try BuiltInExercises.exercises.map(\.name))
      let replaced = project.exerciseNames.filter(builtIn.contains).map {
        "\(project.exerciseFile($0)) replaces the exercise-\($0) that comes with bench"
      }
      Terminal.out((table + (replaced.isEmpty ? [] : [""] + replaced)).joined(separator: "\n"))
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
      var lines = [
        "\(profile.name): \(profile.summary)", "kind     \(profile.kind.rawValue)", "source   \(profile.source)",
      ]
      if !profile.joints.isEmpty { lines.append("needs    \(profile.joints.map(\.name).joined(separator: ", "))") }
      if !profile.labels.isEmpty { lines.append("tells    \(profile.labels.joined(separator: ", "))") }
      if !profile.faults.isEmpty { lines.append("faults   \(profile.faults.joined(separator: ", "))") }
      let rows = detector.parameters.map { parameter in
        [
          "\(profile.path).\(parameter.name)", NumberText.plain(parameter.defaultValue),
          "\(NumberText.plain(parameter.range.lowerBound)) to \(NumberText.plain(parameter.range.upperBound))",
          parameter.unit.rawValue, "\(parameter.summary) [\(parameter.source)]",
        ]
      }
      lines +=
        [""] + Terminal.table([["parameter", "default", "range", "unit", "meaning"]] + rows, right: [1], indent: 0)
      let presets = detector.presets.flatMap { preset in
        [["\(profile.path)=\(preset.name)", preset.summary]]
          + preset.values.sorted { $0.key < $1.key }.map { ["", "\($0.key) \(NumberText.plain($0.value))"] }
      }
      if !presets.isEmpty {
        lines += [""] + Terminal.table([["preset", "what it sets"]] + presets, indent: 0)
      }
      Terminal.out(lines.joined(separator: "\n"))
    }
  }
}
