import TestSupport

@testable import Charts

extension Examples {
  static let leaderboard = LeaderboardChart(
    title: "The best detector beats an offline peak counter in 1 of 2 exercises", source: "test", axisTitle: "exact",
    rows: [
      .init(
        name: "squat", best: "squat-states", score: Estimate(0.75, lower: 0.5, upper: 0.875), others: [0.5, 0.25],
        offlinePeaks: 0.625, trivial: 0.125, people: 1),
      .init(name: "plank", score: Estimate(.nan), others: []),
    ], clips: 12, people: 4...6)
}

extension RandomCharts {
  mutating func leaderboard() -> LeaderboardChart {
    LeaderboardChart(
      title: "Leaderboard", source: random.name(), axisTitle: random.name(),
      rows: random.list(upTo: 40) { random in
        .init(
          name: random.name(), best: Bool.random(using: &random) ? random.name() : nil,
          score: Estimate(random.number(0...1), lower: random.number(0...1), upper: random.number(0...1)),
          others: random.list(upTo: 30) { $0.number(0...1) },
          offlinePeaks: Bool.random(using: &random) ? random.number(0...1) : nil,
          trivial: Bool.random(using: &random) ? random.number(0...1) : nil,
          people: Bool.random(using: &random) ? random.number(0...1) : nil)
      }, clips: Int.random(in: 0...500, using: &random),
      people: Bool.random(using: &random) ? 1...Int.random(in: 1...500, using: &random) : nil)
  }
}
