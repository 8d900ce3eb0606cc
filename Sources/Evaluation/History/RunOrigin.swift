import Datasets
import Files
import Foundation

/// How and where a run was made; kept beside its results, which do not depend on it.
public struct RunOrigin: Codable, Hashable, Sendable {
  public struct Machine: Codable, Hashable, Sendable {
    /// `Debian GNU/Linux 12 (bookworm)`
    public var system: String
    /// `x86_64`
    public var architecture: String
    /// The processor's name; empty where the system does not say.
    public var processor: String
    /// The cores in use.
    public var cores: Int
  }

  /// The command's arguments, without its name.
  public var arguments: [String]
  /// The commit that was checked out, 40 hexadecimal digits; `nil` outside a git checkout.
  public var revision: String?
  /// Whether tracked files differed from the commit; `nil` outside a git checkout.
  public var hasChanges: Bool?
  public var machine: Machine
  /// By name: `bench`, `swift`, `sqlite`.
  public var versions: [String: String]

  public init(
    arguments: [String], revision: String?, hasChanges: Bool?, machine: Machine, versions: [String: String]
  ) {
    self.arguments = arguments
    self.revision = revision
    self.hasChanges = hasChanges
    self.machine = machine
    self.versions = versions
  }

  /// The origin of a run in this checkout on this machine.
  ///
  /// - Parameter root: The folder that holds `datasets/`.
  public init(arguments: [String], bench: String, root: String, store: Store) throws {
    let checkout = GitCheckout(root)
    self.init(
      arguments: arguments, revision: checkout.revision, hasChanges: checkout.hasChanges, machine: .current,
      versions: ["bench": bench, "swift": Self.swiftVersion, "sqlite": try store.sqliteVersion])
  }

  /// Whether the command changed nothing in its suite; a run with other parameters is not what a tag at its commit
  /// ships.
  var isOfSuiteAlone: Bool {
    !arguments.contains { argument in
      ["--set", "--parameters", "--smooth", "--dataset", "--perturb"].contains {
        argument == $0 || argument.hasPrefix("\($0)=")
      }
    }
  }

  /// The command with its arguments, to be pasted into a shell.
  public var command: String { (["bench"] + arguments).map(Self.quoted).joined(separator: " ") }

  /// `1a2b3c4`, with `+` where files were changed; `nil` outside a git checkout.
  public var shortRevision: String? {
    revision.map { String($0.prefix(7)) + (hasChanges == true ? "+" : "") }
  }

  /// A word quoted for a shell.
  public static func quoted(_ argument: String) -> String { argument.shellQuoted }

  /// The compiler's version, as far as a program can tell.
  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or newer"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}

extension RunOrigin.Machine: CustomStringConvertible {
  /// `Debian GNU/Linux 12 (bookworm), x86_64, AMD EPYC, 2 cores`
  public var description: String {
    [system, architecture, processor, "\(cores) cores"].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// This machine.
  static var current: Self {
    var name = utsname()
    uname(&name)
    let architecture = withUnsafeBytes(of: name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return Self(
      system: value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=")
        ?? ProcessInfo.processInfo.operatingSystemVersionString,
      architecture: architecture, processor: value(of: "model name", in: "/proc/cpuinfo", separator: ":") ?? "",
      cores: ProcessInfo.processInfo.activeProcessorCount)
  }

  /// The first value of a key in one of the system's key-value files; `nil` if there is none.
  private static func value(of key: String, in path: String, separator: Character) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == key else { continue }
      return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return nil
  }
}
