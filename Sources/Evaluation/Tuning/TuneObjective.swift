import Scoring

/// What a search sees: the cost of a setting for all subjects but the one that is left out, for as many settings as its
/// budget has.
struct TuneObjective: Sendable {
  let space: TuneSpace
  /// How many settings may be scored; those that contradict themselves cost nothing.
  let budget: Int
  private let table: TuneTable
  private let direction: Metric.Direction
  private let leftOut: String?
  /// The settings that were looked at; `nil` for those that contradict themselves.
  private var costs: [[Int]: TuneCost?] = [:]
  private(set) var scoredCount = 0

  init(_ table: TuneTable, in space: TuneSpace, leavingOut subject: String?, _ direction: Metric.Direction, budget: Int)
  {
    self.table = table
    self.space = space
    leftOut = subject
    self.direction = direction
    self.budget = budget
  }

  var isExhausted: Bool { scoredCount >= budget }

  /// The costs of settings, in their order; `nil` for a contradiction, and for what the budget no longer has.
  mutating func costs(of points: [[Int]]) async throws -> [TuneCost?] {
    var new: [[Int]] = []
    var asked: Set<[Int]> = []
    for point in points where costs[point] == nil && asked.insert(point).inserted { new.append(point) }
    // What contradicts itself is known only afterwards, so a batch may leave some of the budget for the next one.
    let affordable = Array(new.prefix(max(0, budget - scoredCount)))
    for (point, entry) in zip(affordable, try await table.entries(affordable.map(space.values))) {
      switch entry {
      case .contradiction: costs[point] = .some(nil)
      case .scored(let setting):
        costs[point] = TuneCost(setting.bySubject, without: leftOut, direction)
        scoredCount += 1
      }
    }
    return points.map { costs[$0] ?? nil }
  }

  /// The best setting that was looked at: of equal ones the one that changes least. `nil` where none is possible.
  var best: (point: [Int], cost: TuneCost)? {
    let known = costs.compactMap { point, cost in cost.map { (point: point, cost: $0) } }
    return known.min { a, b in
      if a.cost != b.cost { return a.cost < b.cost }
      let (near, far) = (space.distance(a.point), space.distance(b.point))
      return near != far ? near < far : a.point.lexicographicallyPrecedes(b.point)
    }
  }
}
