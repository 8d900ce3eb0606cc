import PoseModel
import Scoring
import Testing

struct CountMetricsTests {
  private func values(_ counts: [(truth: Int?, predicted: Int?)]) -> FamilyValues {
    FamilyValues(
      CountMetrics(),
      counts.map { LabelledPrediction(GroundTruth(repCount: $0.truth), Prediction(count: $0.predicted)) })
  }

  /// Errors of 0, +1, -2 and 0 reps.
  @Test func fourClips() throws {
    let values = values([(5, 5), (10, 11), (4, 2), (8, 8)])
    #expect(try values["count.exact"] == 2 / 4.0)
    #expect(try values["count.off-by-one"] == 3 / 4.0)
    #expect(try values["count.mae"] == (0 + 1 + 2 + 0) / 4.0)
    #expect(try values["count.bias"] == (0 + 1 - 2 + 0) / 4.0)
    #expect(isClose(try values["count.nmae"], (0 + 1 / 10.0 + 2 / 4.0 + 0) / 4))
    #expect(isClose(try values["count.nmae-shifted"], (0 + 1 / 10.1 + 2 / 4.1 + 0) / 4))
  }

  /// The error over a true count of zero does not exist, so its clip has no part in the normalised error; in the
  /// others it has.
  @Test func clipWithoutRepsIsLeftOutOfTheNormalisedErrorOnly() throws {
    let values = values([(0, 3), (6, 3)])
    #expect(try values["count.exact"] == 0)
    #expect(try values["count.off-by-one"] == 0)
    #expect(try values["count.mae"] == 6 / 2.0)
    #expect(try values["count.bias"] == 0)
    #expect(try values["count.nmae"] == 3 / 6.0)
    #expect(isClose(try values["count.nmae-shifted"], (3 / 0.1 + 3 / 6.1) / 2))
  }

  @Test func onlyClipsWithoutReps() throws {
    let values = values([(0, 0), (0, 1)])
    #expect(try values["count.exact"] == 1 / 2.0)
    #expect(try values["count.off-by-one"] == 1)
    #expect(try values["count.mae"] == 1 / 2.0)
    #expect(try values["count.nmae"] == nil)
    #expect(isClose(try values["count.nmae-shifted"], (0 + 1 / 0.1) / 2))
  }

  @Test func clipWithoutATrueOrAPredictedCountIsNotTallied() throws {
    let values = values([(nil, 4), (4, nil), (nil, nil), (4, 3)])
    #expect(try values["count.exact"] == 0)
    #expect(try values["count.off-by-one"] == 1)
    #expect(try values["count.mae"] == 1)
    #expect(try values["count.bias"] == -1)
    #expect(try values["count.nmae"] == 1 / 4.0)
  }

  @Test(arguments: CountMetrics().metrics) func isUndefinedWithoutClips(_ metric: Metric) throws {
    #expect(try values([])[metric.name] == nil)
    #expect(try values([(nil, 4), (4, nil)])[metric.name] == nil)
  }
}

extension CountMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    switch metric {
    case "count.exact", "count.off-by-one", "count.mae", "count.nmae-shifted", "count.bias": cases.counted.isEmpty
    case "count.nmae": !cases.counted.contains { ($0.groundTruth.repCount ?? 0) > 0 }
    default: nil
    }
  }
}
