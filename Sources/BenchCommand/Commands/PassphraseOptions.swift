import ArgumentParser
import Datasets
import Evaluation
import Foundation

/// Where the passphrase of an encrypted archive comes from; never from the command line, which other users can read.
struct PassphraseOptions: ParsableArguments {
  static let variable = "BENCH_PASSPHRASE"

  @Option(
    help: ArgumentHelp(
      "A file whose first line is the archive's passphrase. (default: $\(variable), or a prompt)", valueName: "file"))
  var passphraseFile: String?

  /// - Parameter isNew: asks twice, because a mistyped passphrase opens nothing ever.
  /// - Throws: `EvaluationError.usage` where there is none, `DataError` for a file that cannot be read.
  func passphrase(for archive: String, isNew: Bool) throws -> String {
    if let passphraseFile {
      let text = String(decoding: try InputFile(passphraseFile).bytes, as: UTF8.self)
      return try notEmpty(String(text.prefix { !$0.isNewline }), from: passphraseFile)
    }
    if let text = ProcessInfo.processInfo.environment[Self.variable] {
      return try notEmpty(text, from: "$\(Self.variable)")
    }
    guard let typed = try HiddenInput.line("passphrase of \(archive): ") else {
      throw EvaluationError.usage(
        "\(archive) needs a passphrase: give --passphrase-file or $\(Self.variable), or run it on a terminal")
    }
    if isNew, try HiddenInput.line("again: ") != typed {
      throw EvaluationError.usage("the two passphrases differ; nothing was written")
    }
    return try notEmpty(typed, from: "the terminal")
  }

  private func notEmpty(_ text: String, from place: String) throws -> String {
    guard !text.isEmpty else { throw EvaluationError.usage("\(place): expected a passphrase, found an empty one") }
    return text
  }
}
