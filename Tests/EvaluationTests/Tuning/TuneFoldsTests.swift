import Scoring
import Testing

@testable import Evaluation

/// What a search is expected to score on people whom it never saw.
@Suite struct TuneFoldsTests {
  private func folds(
    _ landscape: Landscape, _ subjects: [String], base: [Double]
  ) async throws -> [TuneResults.Fold] {
    let folds = try landscape.folds(.both)
    let own = Landscape.setting(base, try #require(landscape.values(base)))
    var left: [TuneResults.Fold] = []
    for subject in subjects { left.append(try await folds.fold(leavingOut: subject, base: own)) }
    return left
  }

  /// The first setting suits a and b (0) and not c (9), the second all (2, 2, 1). Without a or b the others choose the
  /// second (means 4.5 and 1.5), at which a and b score 2; without c they choose the first, at which c scores 9. On all
  /// three the second is best, with 5/3; on new people 13/3, with t(2) at 97.5 % = 4.30265 and a standard error of 7/3.
  @Test func oneWhoDisagreesIsNotForgotten() async throws {
    let left = try await folds(.table([[0, 0, 9], [2, 2, 1]]), ["a", "b", "c"], base: [0])
    #expect(left.map(\.values) == [["p0": 1], ["p0": 1], ["p0": 0]])
    let scores: [Double?] = [2, 2, 9]
    #expect(left.map(\.score) == scores)
    let expected = try #require(TuneResults.Mean(left.map(\.score)))
    #expect(abs(expected.value - 13.0 / 3) < 1e-12)
    #expect(expected.subjects == 3)
    let interval = try #require(expected.interval)
    #expect(abs(interval.high - (13.0 / 3 + 4.30265 * 7 / 3)) < 1e-3)
    #expect(abs(interval.low - (13.0 / 3 - 4.30265 * 7 / 3)) < 1e-3)
    #expect(TuneResults.Mean(left.map(\.score), in: 0...10)?.interval == .init(low: 0, high: 10))
    // The default, the first, scores 0, 0 and 9: lower is better, so the gains are −2, −2 and 0. Of the four ways of
    // setting two signs two have a sum as far out.
    let gains: [Double?] = [-2, -2, 0]
    #expect(left.map(\.gain) == gains)
    #expect(TuneResults.SignTest(left.compactMap(\.gain)) == .init(p: 0.5, isExact: true))
  }

  /// Whatever the left-out subject's values are, the choice of its fold is the same.
  @Test(arguments: [-100, 0, 3, 100, nil] as [Double?]) func theSearchDoesNotSeeWhoIsLeftOut(value: Double?)
    async throws
  {
    for place in 0..<3 {
      var rows: [[Double?]] = [[3, 3, 3], [2, 1, 3], [1, 3, 2]]
      for row in rows.indices { rows[row][2] = row == place ? value : 3 }
      // Of a and b: 3, 1.5, 2.
      let left = try await folds(.table(rows), ["c"], base: [0])
      #expect(left[0].values == ["p0": 1])
    }
  }

  @Test func whatIsUndefinedIsNoScore() async throws {
    // Without c the first is chosen, where c has no value.
    let left = try await folds(
      .table([[5, 5, nil], [1, 1, 1]], direction: .higherIsBetter), ["a", "b", "c"], base: [1])
    #expect(left[2].values == ["p0": 0])
    #expect(left[2].score == nil)
    #expect(left[2].gain == nil)
    #expect(TuneResults.Mean(left.map(\.score))?.subjects == 2)
    #expect(TuneResults.Mean([nil, nil]) == nil)
    #expect(TuneResults.Mean([1])?.interval == nil)
    #expect(TuneResults.SignTest([1]) == nil)
  }

  @Test func higherIsBetterGainsUpwards() async throws {
    let left = try await folds(
      .table([[1, 1, 1], [4, 4, 3]], direction: .higherIsBetter), ["a", "b", "c"], base: [0])
    let gains: [Double?] = [3, 3, 2]
    #expect(left.map(\.gain) == gains)
  }

  /// The first is a toggle and the second counts where it is on; the third changes nothing, and the fourth only c's value.
  @Test func whatTheMetricDoesNotDependOnIsLeftAlone() async throws {
    let landscape = Landscape(axes: 4, levels: 9, unit: .toggle) { point in
      let own = point[0] == 1 ? abs(point[1] - 6) : 9
      return ["a": own, "b": own, "c": own + point[3]]
    }
    var folds = try landscape.folds(.coordinate)
    folds.leavesAlone = true
    #expect(try await folds.seen(without: []) == [0, 1, 3])
    #expect(try await folds.seen(without: ["c"]) == [0, 1])
    let found = try await folds.found(without: ["c"])
    #expect(folds.space.values(found.point) == [1, 6, 0, 0])
    // The two that are searched: a line of one toggle and one of nine levels, twice.
    #expect(found.scoredSettings <= 1 + 1 + 9 + 9)
  }

  /// Tuning for others never helps anybody here: b and c want what a does not, and each of them something else. In each
  /// fold the two others lose by what they choose for each other, so that nothing is kept.
  @Test func aProcedureKeepsOnlyWhatHelpsByFolds() async throws {
    func procedure(_ landscape: Landscape, _ subjects: [String]) async throws -> TuneResults.Procedure {
      let folds = try landscape.folds(.coordinate)
      let base = Landscape.setting([0], try #require(landscape.values([0])))
      var left: [TuneResults.Fold] = []
      for subject in subjects { left.append(try await folds.fold(leavingOut: subject, base: base)) }
      return try await folds.procedure(left, base: base) {}
    }
    // At 1, 2 and 3 one subject each gains 2 and the others lose 3.
    let selfish = try await procedure(.table([[5, 5, 5], [3, 8, 8], [8, 3, 8], [8, 8, 3]]), ["a", "b", "c"])
    #expect(selfish.kept == 0)
    #expect(selfish.expected?.value == 5)
    #expect(selfish.gain?.value == 0)
    let shared = try await procedure(.table([[5, 5, 5], [4, 3, 2]]), ["a", "b", "c"])
    #expect(shared.kept == 3)
    #expect(shared.expected?.value == 3)
    #expect(shared.gain?.value == 2)
  }

  /// The score rises with the level, and so do the phantoms, by one a minute. Three more than at the start are allowed.
  @Test func phantomsStayWithinTheBound() async throws {
    let plain = try Landscape(levels: 9) { _ in nil }.folds(.both)
    @Sendable func alike(_ point: [Double]) -> SweepResults.Setting {
      Landscape.setting(point, ["a": point[0], "b": point[0], "c": point[0]])
    }
    let table = TuneTable { points in points.map { .scored(alike($0), phantoms: alike($0)) } }
    let start = plain.space.values(plain.space.start)
    let higher = Metric(
      "m", "", .higherIsBetter, unit: "", range: -1000...1000, undefined: "", source: "")
    let folds = TuneFolds(
      table: table, space: plain.space, search: plain.search, metric: higher,
      bound: PhantomBound(base: alike(start), margin: 3))
    for left: Set<String> in [[], ["a"]] {
      #expect(folds.space.values(try await folds.found(without: left).point) == [start[0] + 3])
    }
    let free = TuneFolds(table: table, space: plain.space, search: plain.search, metric: higher)
    #expect(free.space.values(try await free.found(without: []).point) == [8])
  }

  /// Folds ask for the same settings: each is scored once.
  @Test func aSettingIsScoredOnce() async throws {
    actor Calls {
      var points: [[Double]] = []
      func add(_ more: [[Double]]) { points += more }
    }
    let calls = Calls()
    let table = TuneTable { points in
      await calls.add(points)
      return points.map { .scored(Landscape.setting($0, ["a": $0[0], "b": 0, "c": 1])) }
    }
    var folds = try Landscape(levels: 9) { _ in nil }.folds(.both)
    folds = TuneFolds(table: table, space: folds.space, search: folds.search, metric: folds.metric)
    for subject in ["a", "b", "c"] { _ = try await folds.found(without: [subject]) }
    let points = await calls.points
    #expect(points.count == 9)
    #expect(Set(points).count == 9)
  }
}
