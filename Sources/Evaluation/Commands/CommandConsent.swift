import Datasets
import Files
import Foundation

/// Whether a project's commands may be run on this machine.
///
/// A person consents once per detector file, and again after the file is changed, moved or copied. Consents are kept in
/// `$XDG_STATE_HOME/formbench/commands`, or below `~/.local/state`, readable by the user only.
public struct CommandConsent: Sendable {
  /// Whether the person consents now.
  private let isGiven: Bool
  /// `nil` if it cannot be remembered.
  private let memory: String?

  /// - Parameters:
  ///   - isGiven: Whether the person consents now; this is remembered.
  ///   - environment: Locates the user's state folder.
  public init(
    isGiven: Bool = false, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.isGiven = isGiven
    // Relative paths are ignored: XDG Base Directory Specification 0.8.
    func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    memory = (folder("XDG_STATE_HOME") ?? folder("HOME").map { "\($0)/.local/state" }).map {
      "\($0)/formbench/commands"
    }
  }

  /// - Throws: `DataError` with the command if there is no consent.
  func require(_ detector: CommandDetector) throws {
    let entry = Self.entry(of: detector)
    if try isRemembered(entry) { return }
    guard isGiven else {
      throw DataError(
        file: detector.file, expected: "your consent to run its command on this machine: \(detector.commandLine)",
        found: "none"
          + (memory == nil ? ", and without HOME or XDG_STATE_HOME none is remembered" : " for the file as it is now")
          + ". Read the file and its program, then add --allow-commands")
    }
    try remember(entry)
  }

  /// The same bytes at another place may run something else.
  private static func entry(of detector: CommandDetector) -> String {
    let hash = SHA256()
    hash.update("consent 1")
    hash.update(RealPath(detector.file)?.text ?? detector.file)
    hash.update(detector.fileHash.description)
    return ContentHash(hash.finish()).description
  }

  private func isRemembered(_ entry: String) throws -> Bool {
    guard let memory, FileKind(memory) != nil else { return false }
    var status = stat()
    guard lstat(memory, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o022 == 0
    else {
      throw DataError(
        file: memory, expected: "a file that only you can write", found: "another; remove it to be asked again")
    }
    return try InputFile(memory).text().split(separator: "\n").contains { $0 == entry }
  }

  private func remember(_ entry: String) throws {
    guard let memory else { return }
    let folder = PathParts(memory).folder
    guard folder.isEmpty || makeFolder(folder) else { throw DataError.cannotWrite(folder) }
    try append(Data("\(entry)\n".utf8), toFile: memory)
  }
}
