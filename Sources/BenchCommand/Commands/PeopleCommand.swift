import ArgumentParser
import Evaluation
import Files
import Foundation
import Reports
import Statistics

struct PeopleCommand: AsyncParsableCommand, ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "people",
    abstract: "Score every detector on the public sets in the store, beside generated people.",
    discussion: """
      Prints the page docs/people.md. bench dataset list --public says how to get the sets.

      Example: bench people --output docs/people.md
      """)

  @Option(help: ArgumentHelp("Write the page to this file.", valueName: "file")) var output: String?
  @Option(
    help: ArgumentHelp("Compare the page with this file, and fail if they differ.", valueName: "file"))
  var check: String?
  @OptionGroup var work: JobOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if output != nil, check != nil { throw ValidationError("give either --output or --check") }
  }

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let project = storage.project
    let catalogue = PublicSets(of: project)
    let sets = try catalogue.names.compactMap { try catalogue.set(named: $0) }
    let plan = try PeoplePlan(of: sets, in: project, store: storage.open(), registry: Bench.registry)
    let study = try await study(plan)
    let text = PeopleText(study)
    if let check {
      guard try InputFile(check).bytes == Data(text.markdown.utf8) else {
        throw DataError(
          file: check, expected: "the page that bench people prints", found: "another; write it with --output \(check)")
      }
      Terminal.out([
        .line("\(check) is the page of \(NumberText.count(sets.count - study.absent.count, "public set"))")
      ])
    } else if let output {
      try writeWhole(Data(text.markdown.utf8), to: output)
      Terminal.out([.line(TonedText(text.finding))])
    } else {
      Terminal.out(text.markdown)
    }
  }

  private func study(_ plan: PeoplePlan) async throws -> PeopleStudy {
    let bar = ProgressBar("replaying", total: plan.clipCount)
    defer { bar.finish() }
    return try await plan.study(version: Bench.version, threads: work.threads) { try bar.update($0) }
  }
}
