import Scoring
import Statistics

extension TuneSearch {
  /// The result of a search without a subject.
  struct Found: Sendable {
    var point: [Int]
    /// `coordinate` or `global`.
    var method: Method
    var scoredSettings: Int
  }

  /// The best setting; of equal results that of coordinate search. `nil` if no setting is possible.
  func found(by objective: TuneObjective) async throws -> Found? {
    var best: (found: Found, cost: SettingCost)?
    for method in method == .both ? [.coordinate, .global] : [method] {
      var own = objective
      switch method {
      case .coordinate: try await CoordinateSearch().run(&own)
      case .global, .both: try await DifferentialEvolution(seed: seed).run(&own)
      }
      guard let (point, cost) = own.best else { continue }
      if let best, best.cost <= cost { continue }
      best = (Found(point: point, method: method, scoredSettings: own.scoredCount), cost)
    }
    return best?.found
  }
}

/// The objective of a search: the cost of a setting for all subjects except the left-out one, within a budget of
/// settings.
struct TuneObjective: Sendable {
  let space: TuneSpace
  /// The maximum number of scored settings; contradictory settings do not count.
  let budget: Int
  private let table: TuneTable
  private let direction: Metric.Direction
  private let leftOut: Set<String>
  private let bound: PhantomBound?
  /// The evaluated settings; `nil` for contradictory ones, and for those with too many phantoms.
  private var costs: [[Int]: SettingCost?] = [:]
  private(set) var scoredCount = 0

  init(
    _ table: TuneTable, in space: TuneSpace, leavingOut subjects: Set<String>, _ direction: Metric.Direction,
    bound: PhantomBound? = nil, budget: Int
  ) {
    self.bound = bound
    self.table = table
    self.space = space
    leftOut = subjects
    self.direction = direction
    self.budget = budget
  }

  var isExhausted: Bool { scoredCount >= budget }

  /// The costs in the order of the settings; `nil` for contradictory settings and beyond the budget.
  mutating func costs(of points: [[Int]]) async throws -> [SettingCost?] {
    var new: [[Int]] = []
    var asked: Set<[Int]> = []
    for point in points where costs[point] == nil && asked.insert(point).inserted { new.append(point) }
    // Contradictions show only after scoring: a batch may leave a part of the budget to the next one.
    let affordable = Array(new.prefix(max(0, budget - scoredCount)))
    for (point, entry) in zip(affordable, try await table.entries(affordable.map(space.values))) {
      switch entry {
      case .contradiction: costs[point] = .some(nil)
      case .scored(let setting, let phantoms):
        let isAllowed = phantoms.flatMap { bound?.allows($0, without: leftOut) } ?? true
        costs[point] = .some(isAllowed ? SettingCost(setting, without: leftOut, direction) : nil)
        scoredCount += 1
      }
    }
    return points.map { costs[$0] ?? nil }
  }

  /// The best evaluated setting; of equal ones, the closest to the default. `nil` if none is possible.
  var best: (point: [Int], cost: SettingCost)? {
    let known = costs.compactMap { point, cost in cost.map { (point: point, cost: $0) } }
    return known.min { a, b in
      if a.cost != b.cost { return a.cost < b.cost }
      let (near, far) = (space.distance(a.point), space.distance(b.point))
      return near != far ? near < far : a.point.lexicographicallyPrecedes(b.point)
    }
  }
}

extension TuneSpace {
  /// A setting with each changed value moved to the middle of its plateau, the surrounding values with the same cost.
  /// The middle of a plateau is the least sensitive to differences between people. If the start is on the plateau, the
  /// value returns to the start.
  ///
  /// Edges are found with growing steps and then by bisection: a worse value between two steps may be missed. The
  /// middle always has the setting's cost. Toggles do not change. Of equal smoothings it takes the one nearest to the
  /// start.
  func centred(_ point: [Int], by objective: inout TuneObjective) async throws -> [Int] {
    guard let cost = try await objective.costs(of: [point])[0] else { return point }
    var point = point
    for (place, axis) in axes.enumerated()
    where point[place] != axis.start && (axis.levels.count > 2 || !axis.isGradual) {
      func isEqual(_ level: Int) async throws -> Bool {
        var other = point
        other[place] = level
        return try await objective.costs(of: [other])[0] == cost
      }
      guard axis.isGradual else {
        let nearest = axis.levels.indices.sorted { (abs($0 - axis.start), $0) < (abs($1 - axis.start), $1) }
        for level in nearest where try await isEqual(level) {
          point[place] = level
          break
        }
        continue
      }
      func edge(_ last: Int) async throws -> Int {
        var (near, step) = (point[place], 1)
        while near != last {
          let next = abs(last - near) <= step ? last : near + (last > near ? step : -step)
          guard try await isEqual(next) else {
            var far = next
            while abs(far - near) > 1 {
              let middle = (near + far) / 2
              if try await isEqual(middle) { near = middle } else { far = middle }
            }
            return near
          }
          (near, step) = (next, step * 2)
        }
        return near
      }
      let (low, high) = (try await edge(0), try await edge(axis.levels.count - 1))
      let middle = (axis.levels[low] + axis.levels[high]) / 2
      func distance(_ level: Int) -> (Double, Int) { (abs(axis.levels[level] - middle), abs(level - axis.start)) }
      let chosen = (low...high).contains(axis.start) ? axis.start : (low...high).min { distance($0) < distance($1) }
      if let chosen, try await isEqual(chosen) { point[place] = chosen }
    }
    return point
  }
}

/// Moves along one parameter at a time to its best value, until no parameter improves the result.
///
/// A line is scanned evenly, then finer around the best point: the objective is piecewise constant, without a gradient.
/// The search ends at a setting that no change of a single parameter improves, which can be a local optimum.
///
/// - Source: Kolda, Lewis and Torczon, Optimization by Direct Search: New Perspectives on Some Classical and Modern
///   Methods, SIAM Review 45, 2003.
struct CoordinateSearch: Sendable {
  /// Points per scan.
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

  /// The best point on a line; of equal points the nearest to `here`, and `here` if no point is better.
  private func scan(_ axis: Int, from here: [Int], _ objective: inout TuneObjective) async throws -> [Int] {
    func at(_ level: Int) -> [Int] {
      var point = here
      point[axis] = level
      return point
    }
    var (low, high) = (0, objective.space.axes[axis].levels.count - 1)
    var best = here
    while true {
      let isGradual = objective.space.axes[axis].isGradual
      let step = isGradual ? max(1, (high - low + Self.places - 2) / (Self.places - 1)) : 1
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

/// Differential evolution, rand/1/bin on a lattice: steps are differences between members of the population.
///
/// It only compares costs. A child with equal cost replaces its parent, and the population moves across plateaus, where
/// gradient methods stop. It starts with the default setting and a Halton sequence. It ends when the budget is spent,
/// when all members are equal, or after `patience` generations without a new setting.
///
/// - Source: Storn and Price, Differential Evolution – A Simple and Efficient Heuristic for Global Optimization over
///   Continuous Spaces, Journal of Global Optimization 11, 1997; the weight drawn anew for each step from 0.5 to 1
///   (dither): Price, Storn and Lampinen, Differential Evolution, Springer 2005.
struct DifferentialEvolution: Sendable {
  static let crossover = 0.9
  static let patience = 10

  let seed: UInt64

  func run(_ objective: inout TuneObjective) async throws {
    var generator = SeededGenerator(seed: seed)
    let space = objective.space
    let size = max(5, min(10 * space.axes.count, objective.budget / 5))
    let halton = Halton(dimensions: space.axes.count, using: &generator)
    var population =
      [space.start]
      + (1..<size).map { index in
        zip(space.axes, halton.point(index)).map { axis, part in
          min(axis.levels.count - 1, Int(part * Double(axis.levels.count)))
        }
      }
    var costs = try await objective.costs(of: population)
    var idle = 0
    while !objective.isExhausted, idle < Self.patience, Set(population).count > 1 {
      let before = objective.scoredCount
      let trials = population.indices.map { trial(of: $0, in: population, space, using: &generator) }
      let found = try await objective.costs(of: trials)
      for index in population.indices {
        guard let cost = found[index] else { continue }
        if let own = costs[index], own < cost { continue }
        (population[index], costs[index]) = (trials[index], cost)
      }
      idle = objective.scoredCount > before ? 0 : idle + 1
    }
  }

  /// The crossover of a member with another one moved by the difference of two more.
  private func trial(
    of index: Int, in population: [[Int]], _ space: TuneSpace, using generator: inout SeededGenerator
  ) -> [Int] {
    var chosen = [index]
    while chosen.count < 4 {
      let other = generator.index(below: population.count)
      if !chosen.contains(other) { chosen.append(other) }
    }
    let weight = 0.5 + 0.5 * generator.unit()
    let sure = generator.index(below: space.axes.count)
    return space.axes.indices.map { axis in
      guard axis == sure || generator.unit() < Self.crossover else { return population[index][axis] }
      let (from, plus, minus) = (population[chosen[1]][axis], population[chosen[2]][axis], population[chosen[3]][axis])
      let moved = Int((Double(from) + weight * Double(plus - minus)).rounded())
      let last = space.axes[axis].levels.count - 1
      guard moved < 0 || moved > last else { return moved }
      // Halfway between the start of the step and the passed end.
      return (from + (moved < 0 ? 0 : last)) / 2
    }
  }
}
