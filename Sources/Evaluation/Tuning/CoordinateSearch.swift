/// Moves along one parameter at a time to the best value on it, again and again until none gets better.
///
/// A line is scanned evenly, then ever finer around the best place: the objective is piecewise constant and has no slope
/// to follow. It stops at settings that no change of a single parameter improves, which need not be the best of all.
///
/// - Source: Kolda, Lewis and Torczon, Optimization by Direct Search: New Perspectives on Some Classical and Modern
///   Methods, SIAM Review 45, 2003.
struct CoordinateSearch: Sendable {
  /// Places of a scan.
  static let places = 9

  func run(_ objective: inout TuneObjective) async throws {
    var here = objective.space.start
    _ = try await objective.costs(of: [here])
    var isBetter = true
    while isBetter, !objective.isExhausted {
      isBetter = false
      for axis in here.indices {
        let next = try await scan(axis, from: here, &objective)
        if next != here { (here, isBetter) = (next, true) }
      }
    }
  }

  /// The best point on a line: `here` itself where nothing is better, of equal ones the nearest to it.
  private func scan(_ axis: Int, from here: [Int], _ objective: inout TuneObjective) async throws -> [Int] {
    func at(_ level: Int) -> [Int] {
      var point = here
      point[axis] = level
      return point
    }
    var (low, high) = (0, objective.space.axes[axis].levels.count - 1)
    var best = here
    while true {
      let step = max(1, (high - low + Self.places - 2) / (Self.places - 1))
      let levels = Array(Set(stride(from: low, through: high, by: step)).union([high, best[axis]])).sorted()
      let costs = try await objective.costs(of: levels.map(at))
      let known = zip(levels, costs).compactMap { level, cost in cost.map { (level: level, cost: $0) } }
      let least = known.min { a, b in
        a.cost != b.cost ? a.cost < b.cost : abs(a.level - here[axis]) < abs(b.level - here[axis])
      }
      guard let least else { return here }
      best = at(least.level)
      guard step > 1 else { return best }
      (low, high) = (max(low, least.level - step), min(high, least.level + step))
    }
  }
}
