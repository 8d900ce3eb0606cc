import ArgumentParser
import Coaching
import Reports

struct DetectorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detector",
    abstract: "Lists the detectors and shows what can be set.",
    discussion: "Example: bench detector show squat-states",
    subcommands: [List.self, Show.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the detectors.", discussion: "Example: bench detector list")

    func run() {
      let rows = Bench.registry.types.map { $0.profile }.sorted { $0.name < $1.name }.map {
        [$0.name, $0.kind.rawValue, $0.exercise, $0.summary]
      }
      Terminal.out(
        Terminal.table([["detector", "kind", "exercise", "what it does"]] + rows, indent: 0).joined(separator: "\n"))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows a detector's parameters with unit, range, default and source.",
      discussion: "Example: bench detector show squat-states")

    @Argument(help: "The detector.") var name: String

    func run() throws {
      let type = try Bench.registry.detector(named: name)
      let profile = type.profile
      var lines = [
        "\(profile.name): \(profile.summary)", "kind     \(profile.kind.rawValue)", "source   \(profile.source)",
      ]
      if !profile.faults.isEmpty { lines.append("faults   \(profile.faults.joined(separator: ", "))") }
      let rows = type.parameters.map { parameter in
        [
          "\(profile.kind.rawValue).\(profile.name).\(parameter.name)", NumberText.plain(parameter.defaultValue),
          "\(NumberText.plain(parameter.range.lowerBound)) to \(NumberText.plain(parameter.range.upperBound))",
          parameter.unit.rawValue, "\(parameter.summary) [\(parameter.source)]",
        ]
      }
      lines +=
        [""] + Terminal.table([["parameter", "default", "range", "unit", "meaning"]] + rows, right: [1], indent: 0)
      Terminal.out(lines.joined(separator: "\n"))
    }
  }
}
