import ArgumentParser
import Reports

struct DrawListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the charts and what each needs.", discussion: "Example: bench draw list")

  func run() throws {
    let width = Drawing.all.map(\.name.count).max() ?? 0
    let lines = Drawing.all.flatMap { drawing in
      let name = drawing.name.padding(toLength: width, withPad: " ", startingAt: 0)
      let indent = String(repeating: " ", count: width)
      return [
        "\(name)  " + Terminal.wrap(drawing.summary, indent: width + 2),
        "\(indent)  " + Terminal.dim("needs \(drawing.needs)"),
      ]
    }
    Terminal.out(lines.joined(separator: "\n"))
  }
}
