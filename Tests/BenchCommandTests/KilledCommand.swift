import Datasets
import Foundation
import Statistics
import Testing

/// A command that is ended by `kill -9` at random instants, again and again, in one project.
struct KilledCommand {
  /// The seed of all instants; failures name it with the round.
  static let seed: UInt64 = 20
  /// How often each command is killed; `scripts/kill-test` has it done a hundred times.
  static let rounds = asked ?? 4
  /// Whether somebody asked for it, and has time.
  static var isAsked: Bool { asked != nil }
  private static let asked = ProcessInfo.processInfo.environment["BENCH_KILLS"].flatMap(Int.init)

  let workspace: Workspace
  let arguments: [String]
  private let rounds: Int
  /// What a whole run of the command takes.
  private let usual: Duration
  private var random: SeededGenerator

  /// Runs the command once to its end, which must be without an error.
  init(_ arguments: [String], in workspace: Workspace, stream: UInt64, rounds: Int = Self.rounds) throws {
    self.rounds = rounds
    self.workspace = workspace
    self.arguments = arguments
    usual = try ContinuousClock().measure { try workspace.run(arguments).expectSuccess() }
    random = SeededGenerator(seed: Self.seed + stream)
  }

  /// Kills it until it was `rounds` times before its end, and enough was seen.
  ///
  /// After these the instants come later and then early again, up to four times what a whole run took: the machine may be
  /// busier than when that was timed. Where kills must come in the middle and none did, it is waited for instead.
  ///
  /// - Parameters:
  ///   - prepare: what comes before each start.
  ///   - isEnough: whether kills have come where they should.
  ///   - isMidway: whether a command that is under way is where it should be killed; the command is stopped meanwhile.
  ///   - verify: what must hold after each kill; it is given the round for what it says.
  mutating func killed(
    before prepare: () throws -> Void = {}, until isEnough: () -> Bool = { true },
    when isMidway: (() throws -> Bool)? = nil, then verify: (Comment) throws -> Void
  ) throws {
    var killed = 0
    for round in 0..<25 * rounds where killed < rounds || !isEnough() {
      try prepare()
      let process = Process.bench(try BenchExecutable.command(arguments), in: workspace.project)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      let instant = usual * (Double.random(in: 0..<1, using: &random) * Double(1 + round / rounds % 4))
      // A command that ends before its instant is not waited for any longer.
      let end = DispatchSemaphore(value: 0)
      process.terminationHandler = { _ in end.signal() }
      try process.run()
      if let isMidway, killed >= rounds {
        // It stands still while it is looked at: what is seen is what is killed.
        while process.isRunning {
          kill(process.processIdentifier, SIGSTOP)
          let isThere = try isMidway()
          kill(process.processIdentifier, isThere ? SIGKILL : SIGCONT)
          if isThere { break }
          usleep(500)
        }
      } else if end.wait(timeout: .now() + instant / .seconds(1)) == .timedOut {
        kill(process.processIdentifier, SIGKILL)
      }
      process.waitUntilExit()
      guard process.terminationReason == .uncaughtSignal else { continue }
      killed += 1
      try verify("seed \(Self.seed), round \(round)")
    }
    #expect(killed > 0, "no kill came before the end, which says nothing")
  }

  /// Expects that nothing but what belongs there stands where commands write.
  static func expectNoLeftovers(_ workspace: Workspace, _ comment: Comment) {
    func names(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: workspace.path(folder))) ?? []
    }
    #expect(names("reports/squat").filter { $0.hasPrefix(".") || $0.hasPrefix("latest.") } == [], comment)
    #expect(Set(names("baselines")).isSubset(of: ["squat.json"]), comment)
    let store = ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"]
    #expect(Set(names(".formbench")).isSubset(of: store), comment)
  }
}
