import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Pipeline
import Reports
import Statistics

struct DatasetExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export a stored dataset to a dataset folder or an encrypted archive.",
    discussion: """
      --encrypt writes one file that only a passphrase opens: a tar archive in an age file, which "age --decrypt FILE \
      | tar -x" opens too. The passphrase comes from --passphrase-file, $\(PassphraseOptions.variable) \
      or a prompt.

      --pseudonyms renames people, raters and clips. A person has one pseudonym in an export and another one in the \
      next, unless both use the same --pseudonym-key, a file of at least 16 random bytes. It hides names only: motion \
      and body proportions, which can identify people, stay, as do the dataset's name, its source and all words of its \
      labels.

      Examples:
        bench dataset export repcount-pose --to /tmp/repcount-pose
        bench dataset export march-squats --pseudonyms --encrypt --to march-squats.tar.age
      """)

  @Argument(help: "The dataset.") var name: String
  @Option(
    help: ArgumentHelp("The folder or archive to write: a new path or an empty folder.", valueName: "path"))
  var to: String
  @Flag(help: "Rename people, raters and clips.") var pseudonyms = false
  @Option(
    help: ArgumentHelp("The key file of the pseudonyms. (default: a random key, not kept)", valueName: "file"))
  var pseudonymKey: String?
  @Flag(help: "Write an archive that only a passphrase opens.") var encrypt = false
  @OptionGroup var secret: PassphraseOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if secret.passphraseFile != nil && !encrypt { throw ValidationError("--passphrase-file needs --encrypt") }
  }

  func run() throws {
    let store = try storage.open()
    let isPlain = !encrypt && !pseudonyms && pseudonymKey == nil
    let isOwnFolder = isPlain && self.isOwnFolder
    if isOwnFolder, storage.project.datasetNames.contains(name) {
      throw EvaluationError.usage("\(to) has \(name) already; bring it up to date with: bench dataset sync \(name)")
    }
    let dataset = try DatasetCatalogue(project: storage.project, store: store).dataset(named: name)
    let names = try pseudonymKey.map { try Pseudonyms(keyFile: $0) } ?? (pseudonyms ? Pseudonyms() : nil)
    let passphrase = encrypt ? try secret.passphrase(for: to, isNew: true) : nil
    var clips = try store.clips(of: dataset)
    // In the order of the pseudonyms, as the order of the real names would identify people.
    if let names { clips.sort { names.clip($0.info.name) < names.clip($1.info.name) } }
    let bar = ProgressBar("exporting", total: clips.count)
    var next = 0
    func nextClip() throws -> Clip? {
      guard next < clips.count else { return nil }
      next += 1
      try bar.update(next)
      let clip = try store.clip(clips[next - 1], of: dataset)
      return names?.applied(to: clip) ?? clip
    }
    do {
      defer { bar.finish() }
      if let passphrase {
        try DatasetArchive.write(dataset.manifest, to: to, passphrase: passphrase, beside: store, clips: nextClip)
      } else {
        try DatasetFolder.write(dataset.manifest, to: to, clips: nextClip)
      }
    }
    if isOwnFolder, dataset.folder == nil { try store.rememberFolder(to, of: dataset) }
    let form = (names == nil ? "" : Store.pseudonymsNote) + (encrypt ? ", encrypted" : "")
    try store.recordExport(of: dataset, detail: "\(NumberText.count(clips.count, "clip")) to \(to)\(form)")
    Terminal.out([.line("wrote \(NumberText.count(clips.count, "clip")) to \(to)\(form)")])
  }

  /// Whether it is the folder of the dataset in this project.
  private var isOwnFolder: Bool {
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
    return absolute(to) == absolute(storage.project.datasetFolder(name))
  }
}
