import Plots

extension Drawing {
  static let latency = Drawing(
    "latency", "What an update costs, how late events are reported, and how long a user waits.", needs: "a run",
    takes: [.run]
  ) { material in
    let run = try material.storedRun()
    return [Picture(run.report.latency, metadata: run.metadata)]
  }
}
