import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Files

struct ExerciseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exercise",
    abstract: "Check exercises that are defined by files.",
    discussion: """
      A file exercises/<name>.yaml beside datasets/ adds the detector exercise-<name> to every command.

      Example: bench exercise check exercises/calf-raise.yaml
      """,
    subcommands: [Check.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check an exercise file and print its errors or its detector.",
      discussion: "Example: bench exercise check exercises/calf-raise.yaml")

    @Argument(help: "The exercise's file.") var file: String

    func run() throws {
      let exercise = try ExerciseDefinition(calledAsItsFile: file)
      let definition = exercise.definition
      var lines = [
        "\(file) is valid: \(definition.profile.path)",
        "signals     \(exercise.signals.map(\.name).joined(separator: ", "))",
        "parameters  \(definition.parameters.map(\.name).joined(separator: ", "))",
      ]
      if !exercise.faults.isEmpty { lines.append("faults      \(exercise.faults.map(\.name).joined(separator: ", "))") }
      Terminal.out(lines.joined(separator: "\n"))
    }
  }
}
