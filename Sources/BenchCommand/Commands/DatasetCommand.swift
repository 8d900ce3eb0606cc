import ArgumentParser

struct DatasetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset",
    abstract: "Lists, checks, imports, labels, exports, removes and generates datasets, and logs who did.",
    discussion: "Example: bench dataset list",
    subcommands: [
      DatasetListCommand.self, DatasetShowCommand.self, DatasetCheckCommand.self, DatasetImportCommand.self,
      DatasetLabelCommand.self, DatasetExportCommand.self, DatasetRemoveCommand.self, DatasetPurgeCommand.self,
      DatasetLogCommand.self, DatasetGenerateCommand.self,
    ])
}
