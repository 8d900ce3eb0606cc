import Testing

@testable import Evaluation
@testable import Pipeline

/// What the searches find where the best setting is known.
@Suite struct TuneSearchTests {
  private static let methods: [TuneSearch.Method] = [.coordinate, .global, .both]

  private func found(
    _ landscape: Landscape, _ method: TuneSearch.Method, budget: Int = 300, seed: UInt64 = 1
  ) async throws -> (values: [Double], found: TuneSearch.Found) {
    let folds = try landscape.folds(method, budget: budget, seed: seed)
    let found = try await folds.found(without: [])
    return (folds.space.values(found.point), found)
  }

  /// Steps of four levels down to (37, 81), as a count that changes only now and then.
  @Test(arguments: methods) func stepsDownToAKnownOptimum(method: TuneSearch.Method) async throws {
    let steps = Landscape(axes: 2, levels: 101, base: 10) { point in
      ["a": (abs(point[0] - 37) / 4).rounded(.up) + (abs(point[1] - 81) / 4).rounded(.up)]
    }
    #expect(try await found(steps, method, budget: 600).values == [37, 81])
  }

  /// Every change of one parameter alone is worse, so that only the global method leaves the start.
  private static let trap = Landscape(axes: 2, levels: 41, base: 5) { point in
    let (x, y) = (point[0], point[1])
    if abs(x - 30) <= 4, abs(y - 30) <= 4 { return ["a": 0] }
    return ["a": x == 5 && y == 5 ? 1 : 2]
  }

  @Test func coordinateSearchStaysInATrapThatTheGlobalMethodLeaves() async throws {
    #expect(try await found(Self.trap, .coordinate).values == [5, 5])
    for seed in 1...5 as ClosedRange<UInt64> {
      let values = try await found(Self.trap, .global, budget: 400, seed: seed).values
      #expect(values.allSatisfy { abs($0 - 30) <= 4 }, "seed \(seed)")
    }
  }

  @Test func ofBothMethodsTheBetterIsTaken() async throws {
    let trapped = try await found(Self.trap, .both, budget: 400)
    #expect(trapped.found.method == .global)
    #expect(trapped.values.allSatisfy { abs($0 - 30) <= 4 })
    let equal = try await found(.table([[1], [0], [1]]), .both)
    #expect(equal.found.method == .coordinate)
  }

  @Test(arguments: methods) func theBudgetIsKept(method: TuneSearch.Method) async throws {
    let rough = Landscape(axes: 3, levels: 101, base: 50) { point in
      ["a": (point[0] * 7 + point[1] * 13 + point[2] * 29).truncatingRemainder(dividingBy: 31)]
    }
    for budget in [1, 7, 40] {
      #expect(try await found(rough, method, budget: budget).found.scoredSettings <= budget)
    }
  }

  @Test(arguments: methods) func theSameSeedFindsTheSame(method: TuneSearch.Method) async throws {
    let first = try await found(Self.trap, method, budget: 60, seed: 7)
    let second = try await found(Self.trap, method, budget: 60, seed: 7)
    #expect(first.values == second.values)
    #expect(first.found.scoredSettings == second.found.scoredSettings)
  }

  /// The best, 3, contradicts itself, and so does the start.
  @Test(arguments: methods) func contradictionsAreSkippedAndCounted(method: TuneSearch.Method) async throws {
    let holes = Landscape(levels: 6, base: 0) { point in
      [0, 3].contains(point[0]) ? nil : ["a": abs(point[0] - 3)]
    }
    let folds = try holes.folds(method)
    let found = try await folds.found(without: [])
    // Of 2 and 4, which are equal, the nearer to the start.
    #expect(folds.space.values(found.point) == [2])
    #expect(await folds.table.contradictions.map(\.values) == [[0], [3]])
    #expect(await folds.table.scoredCount == 4)
  }

  @Test func nothingIsPossible() async throws {
    let folds = try Landscape(levels: 3) { _ in nil }.folds(.both)
    await #expect(
      throws: EvaluationError.usage("none of the tried settings is possible: [0.0] is impossible")
    ) {
      try await folds.found(without: [])
    }
  }

  @Test(arguments: methods) func silenceOnTheHardSubjectsDoesNotWin(method: TuneSearch.Method) async throws {
    // The last has the best mean of those who have a value.
    #expect(try await found(.table([[9, 9], [4, 8], [1, nil]]), method).values == [1])
    #expect(try await found(.table([[1, nil], [nil, nil], [nil, nil]]), method).values == [0])
  }

  @Test(arguments: methods) func ofEqualSettingsTheOneThatChangesLeast(method: TuneSearch.Method) async throws {
    #expect(try await found(.table([[1], [1], [5], [5], [1]], base: 3), method).values == [4])
  }

  /// Right from 20 to 40, with the start at 5 or on the plateau. A hole of wrong values in it is an edge.
  @Test(arguments: methods) func aValueStandsInTheMiddleOfItsPlateau(method: TuneSearch.Method) async throws {
    func plateau(_ base: Double, _ hole: Range<Double> = 90..<90) -> Landscape {
      Landscape(levels: 60, base: base) { point in
        ["a": (20...40).contains(point[0]) && !hole.contains(point[0]) ? 0 : 1]
      }
    }
    #expect(try await found(plateau(5), method).values == [30])
    #expect(try await found(plateau(55), method).values == [30])
    #expect(try await found(plateau(21), method).values == [21])
    #expect(try await found(plateau(5, 26..<60), .coordinate).values == [22])
  }

  /// Both move, one after the other: the second's plateau is that at the first's middle.
  @Test func eachValueIsCentredAtTheOthers() async throws {
    let diamond = Landscape(axes: 2, levels: 41, base: 0) { point in
      ["a": abs(point[0] - 20) + abs(point[1] - 20) <= 10 ? 0 : 1 + abs(point[0] - 20) + abs(point[1] - 20)]
    }
    let values = try await found(diamond, .coordinate).values
    #expect(abs(values[0] - 20) + abs(values[1] - 20) <= 10)
    #expect(values[1] == 20)
  }

  /// Averages of 2 to 13 frames, by their delay.
  private static let smoothings = (2...13).reversed().compactMap { try? SmoothingChoice("average:\($0)") }

  @Test func everySmoothingIsTried() async throws {
    for good in 1...12 {
      let one = Landscape(levels: 3, smoothings: Self.smoothings) { ["a": $0[1] == Double(good) ? 0 : 1] }
      #expect(try await found(one, .coordinate).values == [0, Double(good)])
    }
  }

  @Test(arguments: methods) func ofEqualSmoothingsTheOneThatChangesLeast(method: TuneSearch.Method) async throws {
    let jitter = Landscape(levels: 3, smoothings: Self.smoothings) { ["a": $0[1] > 4 ? 0 : 1] }
    #expect(try await found(jitter, method).values == [0, 5])
    let none = Landscape(levels: 3, smoothings: Self.smoothings) { _ in ["a": 1] }
    #expect(try await found(none, method).values == [0, 0])
  }

  @Test func aBiasIsJudgedByItsDistanceFromZero() async throws {
    // Means −9, 0 and 1; mean distances from zero 9, 5 and 1.
    let biases = Landscape.table([[-9, -9], [5, -5], [1, 1]], direction: .zeroIsBest)
    #expect(try await found(biases, .coordinate).values == [2])
  }
}
