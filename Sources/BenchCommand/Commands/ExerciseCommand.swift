import ArgumentParser
import Coaching
import Datasets
import Evaluation
import Files
import Reports

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
      let names = [
        ("signals", exercise.signals.map(\.name)), ("parameters", definition.parameters.map(\.name)),
        ("faults", exercise.faults.map(\.name)),
      ]
      let blocks = names.filter { !$0.1.isEmpty }.map { label, names in
        TextBlock.labelled(TonedText(label), TonedText(names.joined(separator: ", ")), indent: 12, isBroken: false)
      }
      Terminal.out([.line(TonedText("\(file) is valid: \(definition.profile.path)"))] + blocks)
    }
  }
}
