import Foundation

/// The cost of some work: its time by the clock, which depends on other processes, and its processor time, which hardly
/// does.
struct Effort {
  /// Seconds.
  private(set) var wall: Double
  /// Seconds, over all threads.
  private(set) var cpu: Double
  /// The peak memory of this process until now, in megabytes.
  private(set) var peakMemory: Double

  init(of work: () async throws -> Void) async rethrows {
    let before = Self.usage
    let start = ContinuousClock.now
    try await work()
    self.init(ContinuousClock.now - start, since: before)
  }

  init(of work: () throws -> Void) rethrows {
    let before = Self.usage
    let start = ContinuousClock.now
    try work()
    self.init(ContinuousClock.now - start, since: before)
  }

  private init(_ time: Duration, since before: rusage) {
    let after = Self.usage
    wall = time.inSeconds
    cpu = Self.processorTime(after) - Self.processorTime(before)
    #if os(Linux)
      peakMemory = Double(after.ru_maxrss) * 1024 / 1e6
    #else
      peakMemory = Double(after.ru_maxrss) / 1e6
    #endif
  }

  private static var usage: rusage {
    var usage = rusage()
    #if os(Linux)
      getrusage(RUSAGE_SELF.rawValue, &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage
  }

  private static func processorTime(_ usage: rusage) -> Double {
    [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Double {
  /// With a fixed number of decimals.
  func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}
