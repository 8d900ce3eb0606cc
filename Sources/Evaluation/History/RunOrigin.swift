import Datasets
import Files
import Foundation

/// How and where a run was made; stored separately from its results, which do not depend on it.
public struct RunOrigin: Codable, Hashable, Sendable {
  public struct Machine: Codable, Hashable, Sendable {
    /// `Debian GNU/Linux 12 (bookworm)`
    public var system: String
    /// `x86_64`
    public var architecture: String
    /// The processor's name; empty if the system does not give it.
    public var processor: String
    /// The cores in use.
    public var cores: Int
  }

  /// The command's arguments, without its name.
  public var arguments: [String]
  /// The commit that was checked out, 40 hexadecimal digits; `nil` if it is unknown.
  public var revision: String?
  /// The source of the commit if it is not from git, or why it is unknown.
  public var revisionNote: String?
  /// Whether tracked files differed from the commit; `nil` outside a git checkout.
  public var hasChanges: Bool?
  public var machine: Machine
  /// By name: `bench`, `swift`, `sqlite`.
  public var versions: [String: String]
  /// What the command decided; `nil` if it is no gate.
  public var decision: GateDecision?

  public init(
    arguments: [String], revision: String?, revisionNote: String? = nil, hasChanges: Bool?, machine: Machine,
    versions: [String: String]
  ) {
    self.arguments = arguments
    self.revision = revision
    self.revisionNote = revisionNote
    self.hasChanges = hasChanges
    self.machine = machine
    self.versions = versions
  }

  /// The origin of a run in this checkout on this machine.
  ///
  /// If git cannot give the commit, it is the one that a CI service reports for this checkout.
  ///
  /// - Parameter root: The folder that holds `datasets/`.
  public init(
    arguments: [String], bench: String, root: String, store: Store,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    let checkout = GitCheckout(root)
    let revision = checkout.revision
    let told = revision == nil ? CheckedOutCommit(root: root, environment: environment) : nil
    let why = revision == nil ? checkout.reasonWithoutRevision : nil
    self.init(
      arguments: arguments, revision: revision ?? told?.hash,
      revisionNote: why.map { why in told.map { "from \($0.variable): \(why)" } ?? why },
      hasChanges: checkout.hasChanges, machine: .current,
      versions: ["bench": bench, "swift": Self.swiftVersion, "sqlite": try store.sqliteVersion])
  }

  /// Whether the command left its suite unchanged; a run with other parameters does not belong to a tag at its commit.
  var isOfSuiteAlone: Bool {
    !arguments.contains { argument in
      ["--set", "--parameters", "--smooth", "--dataset", "--perturb"].contains {
        argument == $0 || argument.hasPrefix("\($0)=")
      }
    }
  }

  /// The branch, tag or commit that the command compared with; `nil` for none.
  public var against: String? {
    let option = "--against"
    if let place = arguments.firstIndex(of: option), place + 1 < arguments.count { return arguments[place + 1] }
    return arguments.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
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

/// The commit that a CI service reports as checked out.
///
/// - Source: docs.github.com, Variables reference, `GITHUB_SHA`, `GITHUB_WORKSPACE`; docs.gitlab.com, Predefined CI/CD
///   variables, `CI_COMMIT_SHA`, `CI_PROJECT_DIR`.
struct CheckedOutCommit {
  /// `GITHUB_SHA`
  let variable: String
  let hash: String

  /// `nil` outside CI, and for a folder outside the service's checkout.
  init?(root: String, environment: [String: String]) {
    let services = [
      (service: "GITHUB_ACTIONS", commit: "GITHUB_SHA", folder: "GITHUB_WORKSPACE"),
      (service: "GITLAB_CI", commit: "CI_COMMIT_SHA", folder: "CI_PROJECT_DIR"),
    ]
    guard let service = services.first(where: { environment[$0.service] == "true" }),
      let hash = environment[service.commit], [40, 64].contains(hash.utf8.count),
      hash.utf8.allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }),
      let folder = environment[service.folder].flatMap({ RealPath($0) }),
      let here = RealPath(root.isEmpty ? "." : root),
      here == folder || here.isWithin(folder)
    else { return nil }
    (variable, self.hash) = (service.commit, hash)
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
    let (system, processor) = names
    return Self(
      system: system ?? ProcessInfo.processInfo.operatingSystemVersionString, architecture: architecture,
      processor: processor ?? "", cores: availableCores)
  }

  /// What the system and the processor call themselves; `nil` for what is not known, such as an ARM processor's name on
  /// Linux.
  private static var names: (system: String?, processor: String?) {
    #if canImport(Darwin)
      let version = ProcessInfo.processInfo.operatingSystemVersion
      var name = [UInt8](repeating: 0, count: 256)
      var size = name.count
      let isKnown = sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0
      return (
        "macOS \(version.majorVersion).\(version.minorVersion)",
        isKnown ? String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) : nil
      )
    #else
      return (
        value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "="),
        value(of: "model name", in: "/proc/cpuinfo", separator: ":")
      )
    #endif
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
