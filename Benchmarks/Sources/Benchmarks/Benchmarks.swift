/// Measures one claim in a separate process, which gives its own peak memory, and prints its rows of the table.
///
///     Benchmarks prepare <folder>
///     Benchmarks sweep <folder> <metric>
///     Benchmarks throughput <folder>
///     Benchmarks import <folder> <clips>
///     Benchmarks bootstrap | matching | update | charts
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let rows: [Row]
    switch (arguments.first, arguments.count) {
    case ("prepare", 2):
      try Recordings(folder: arguments[1]).prepare()
      try ThroughputFiles(folder: arguments[1]).prepare()
      rows = []
    case ("sweep", 3): rows = [try await SweepBenchmark(folder: arguments[1], metric: arguments[2]).measure()]
    case ("bootstrap", 1): rows = [BootstrapBenchmark().measure()]
    case ("matching", 1): rows = [MatchingBenchmark().measure()]
    case ("throughput", 2): rows = try ThroughputBenchmark(files: ThroughputFiles(folder: arguments[1])).measure()
    case ("import", 3):
      let files = ThroughputFiles(folder: arguments[1])
      rows =
        try ThroughputFiles.Clips(rawValue: arguments[2]).map {
          [try ImportBenchmark(files: files, clips: $0).measure()]
        } ?? []
    case ("update", 1): rows = try UpdateBenchmark().measure()
    case ("charts", 1): rows = try ChartBenchmark().measure()
    default:
      print("usage: scripts/benchmark")
      return
    }
    for row in rows { print(row.text) }
  }
}
