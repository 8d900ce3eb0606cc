import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Lists the runs that were kept, draws a metric over them, and finds where it changed.",
    discussion: """
      Every run of bench run and bench gate is kept in the store with its results, parameters, dataset hashes, git \
      revision, machine and versions. Runs of other data are never held against each other.

      Example: bench history blame count.mae --suite squat --detector squat-states
      """,
    subcommands: [
      HistoryListCommand.self, HistoryDrawCommand.self, HistoryBlameCommand.self, HistoryExportCommand.self,
    ])
}
