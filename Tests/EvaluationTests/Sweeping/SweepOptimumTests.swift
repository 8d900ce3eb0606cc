import Scoring
import Testing

@testable import Evaluation

/// What a sweep concludes from subjects' values.
@Suite struct SweepOptimumTests {
  /// One axis whose values are 1, 2, 3 …, the suite's own the first.
  private func judged(
    _ direction: Metric.Direction, _ values: [[Double?]], base: Int = 0
  ) -> SweepResults {
    let settings = values.enumerated().map { index, values in
      let known = values.compactMap { $0 }
      return SweepResults.Setting(
        values: ["p": Double(index + 1)], value: known.isEmpty ? nil : known.reduce(0, +) / Double(known.count),
        bySubject: Dictionary(uniqueKeysWithValues: zip("abcdefghij".map(String.init), values)), undefinedClips: 0)
    }
    var results = SweepResults(
      bench: "test", suite: "sample", suiteVersion: 1, datasets: [], detector: "counter", fixed: [:],
      metric: SweepResults.MetricCard(name: "m", summary: "", unit: "", direction: direction, undefined: ""),
      axes: [SweepResults.Axis(parameter: "p", unit: "degrees", baseValue: Double(base + 1))], settings: settings,
      contradictions: [], base: settings[base], clips: 4)
    results.judge()
    return results
  }

  @Test(arguments: [(Metric.Direction.lowerIsBetter, 1), (.higherIsBetter, 0), (.zeroIsBest, 2)])
  func theOptimumIsTheBestMean(direction: Metric.Direction, optimum: Int) {
    // Means 3, −2, 0; mean distances from zero 3, 2 and 1.
    #expect(judged(direction, [[3, 3], [-2, -2], [1, -1]]).optimum == optimum)
  }

  @Test func silenceOnTheHardSubjectsDoesNotWin() {
    let results = judged(.lowerIsBetter, [[4, 9], [5, 9], [1, nil]])
    #expect(results.optimum == 0)
    #expect(results.settings[2].loss == nil && !results.settings[2].isOnPlateau)
    // It is still what suits the one subject best.
    #expect(results.settings[2].bestFor == ["a"])
  }

  @Test func ofEqualOptimaTheNearestToTheDefault() {
    #expect(judged(.lowerIsBetter, [[2], [1], [1], [1], [7]], base: 4).optimum == 3)
    // 0.1 + 0.2 + 0.6 and 0.6 + 0.2 + 0.1 differ in their last bit and in nothing else.
    #expect(judged(.lowerIsBetter, [[0.1, 0.2, 0.6], [0.6, 0.2, 0.1], [5, 5, 5]], base: 0).optimum == 0)
    #expect(judged(.lowerIsBetter, [[0.1, 0.2, 0.6], [0.6, 0.2, 0.1], [5, 5, 5]], base: 2).optimum == 1)
  }

  /// With t(3) at 97.5 % = 3.182: losses 0, 0, 0, 2 have mean 0.5, standard error 0.5 and an interval from
  /// 0.5 − 1.591 to 0.5 + 1.591, which includes 0; losses 1, 1, 1, 2 have mean 1.25, standard error 0.25 and an interval
  /// from 1.25 − 0.796 to 1.25 + 0.796, which does not.
  @Test func thePlateauIsWhatPairedLossesCannotTellApart() throws {
    let results = judged(.lowerIsBetter, [[1, 1, 1, 1], [1, 1, 1, 3], [2, 2, 2, 3]])
    #expect(results.settings.map(\.isOnPlateau) == [true, true, false])
    let losses: [Double?] = [0, 0.5, 1.25]
    #expect(results.settings.map(\.loss) == losses)
    let interval = try #require(results.settings[1].lossInterval)
    #expect(abs(interval.low - (0.5 - 1.591)) < 1e-3)
    #expect(abs(interval.high - (0.5 + 1.591)) < 1e-3)
  }

  /// Subjects differ far more from each other than settings do within a subject: unpaired, these would be one plateau.
  @Test func aConstantLossIsNoNoise() {
    let results = judged(.lowerIsBetter, [[1, 20, 300], [1.5, 20.5, 300.5]])
    #expect(results.settings.map(\.isOnPlateau) == [true, false])
  }

  @Test func oneSubjectHasNoNoise() {
    let results = judged(.higherIsBetter, [[2], [1], [2]])
    #expect(results.settings.map(\.isOnPlateau) == [true, false, true])
    #expect(results.settings[1].lossInterval == nil)
  }

  @Test func whoeverNothingOnThePlateauSuitsIsNamed() {
    // Nine subjects lose 5 where the tenth gains 1: a mean loss of 4.4 with an interval of ± 1.36 (t(9) = 2.262).
    let nine = [Double?](repeating: 0, count: 9)
    let results = judged(.lowerIsBetter, [nine + [1], nine.map { _ in 5 } + [0]])
    #expect(results.settings.map(\.isOnPlateau) == [true, false])
    #expect(results.settings[1].bestFor == ["j"])
    #expect(results.outliers.map(\.subject) == ["j"])
    #expect(results.outliers.map(\.settings) == [[1]])
  }

  @Test func whereNothingHasAValueThereIsNoOptimum() {
    let results = judged(.lowerIsBetter, [[nil, nil], [nil, nil]])
    #expect(results.optimum == nil)
    #expect(results.settings.allSatisfy { !$0.isOnPlateau && $0.bestFor.isEmpty })
  }

  /// The first setting suits a and b (0) and not c (9), the second all (2, 2, 1). Without a or b the others choose the
  /// second, at which a and b score 2; without c they choose the first, at which c scores 9. In sample the second has
  /// 5/3; on new people 13/3, with t(2) at 97.5 % = 4.3027 and a standard error of 7/3.
  @Test func whatToExpectOnNewPeopleLeavesEachOut() throws {
    let results = judged(.lowerIsBetter, [[0, 0, 9], [2, 2, 1]])
    #expect(results.optimum == 1)
    let expected = try #require(results.expectation)
    #expect(abs(expected.value - 13.0 / 3) < 1e-12)
    #expect(expected.bySubject == ["a": 2, "b": 2, "c": 9])
    #expect(expected.choices == [.init(setting: 1, folds: 2), .init(setting: 0, folds: 1)])
    let interval = try #require(expected.interval)
    #expect(abs(interval.high - (13.0 / 3 + 4.30265 * 7 / 3)) < 1e-3)
    #expect(abs(interval.low - (13.0 / 3 - 4.30265 * 7 / 3)) < 1e-3)
  }

  @Test func oneSubjectSaysNothingOfNewPeople() { #expect(judged(.lowerIsBetter, [[1], [2]]).expectation == nil) }

  /// The others choose the first setting, where c has no value: c is left without a score, which is not 0.
  @Test func aSubjectWithoutAScoreIsLeftOut() throws {
    let expected = try #require(judged(.higherIsBetter, [[5, 5, nil], [1, 1, 1]]).expectation)
    #expect(expected.bySubject["c"] == .some(nil))
    #expect(expected.definedSubjects == 2)
  }
}
