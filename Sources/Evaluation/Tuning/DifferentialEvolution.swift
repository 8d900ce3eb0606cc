import Statistics

/// A population of settings that tries differences between its own members as steps: rand/1/bin on a lattice.
///
/// It only compares costs and lets an equal one replace its parent, so that it drifts over plateaus, where methods that
/// follow a slope stand still. It begins with the suite's setting and a Halton sequence, and ends with its budget, when
/// all are alike, or when `patience` generations found nothing that was not known.
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

  /// A member crossed with another one moved by the difference of two more.
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
      // Half way between where the step began and the end that it passed.
      return (from + (moved < 0 ? 0 : last)) / 2
    }
  }
}
