import Scoring
import Testing

struct DetectionCountsTests {
  @Test func shares() {
    let counts = DetectionCounts(truePositives: 6, falsePositives: 2, falseNegatives: 4)
    #expect(counts.precision == 6 / 8.0)
    #expect(counts.recall == 6 / 10.0)
    #expect(counts.f1 == 12 / 18.0)
  }

  /// 2 / (1 / precision + 1 / recall), which is how van Rijsbergen writes it.
  @Test func f1IsTheHarmonicMean() throws {
    for (right, wrong, missed) in [(1, 0, 0), (1, 3, 0), (5, 1, 9), (7, 11, 2)] {
      let counts = DetectionCounts(truePositives: right, falsePositives: wrong, falseNegatives: missed)
      let (precision, recall) = (try #require(counts.precision), try #require(counts.recall))
      #expect(isClose(counts.f1, 2 / (1 / precision + 1 / recall)))
    }
  }

  @Test func nothingThereAndNothingDetectedIsUndefined() {
    let counts = DetectionCounts()
    #expect(counts.precision == nil)
    #expect(counts.recall == nil)
    #expect(counts.f1 == nil)
  }

  @Test func nothingDetected() {
    let counts = DetectionCounts(falseNegatives: 3)
    #expect(counts.precision == nil)
    #expect(counts.recall == 0)
    #expect(counts.f1 == 0)
  }

  @Test func nothingThere() {
    let counts = DetectionCounts(falsePositives: 3)
    #expect(counts.precision == 0)
    #expect(counts.recall == nil)
    #expect(counts.f1 == 0)
  }

  @Test func countsAdd() {
    let sum =
      DetectionCounts(truePositives: 1, falsePositives: 20, falseNegatives: 300)
      + DetectionCounts(truePositives: 4, falsePositives: 50, falseNegatives: 600)
    #expect(sum == DetectionCounts(truePositives: 5, falsePositives: 70, falseNegatives: 900))
  }
}

struct MeanOfDefinedTests {
  @Test func undefinedIsLeftOutAndCounted() {
    let mean = MeanOfDefined([1, nil, 0.5, nil, nil])
    #expect(mean.value == 3 / 4.0)
    #expect(mean.defined == 2)
    #expect(mean.undefined == 3)
  }

  @Test func ofNothingIsUndefined() {
    #expect(MeanOfDefined([]).value == nil)
    #expect(MeanOfDefined([nil]).value == nil)
    #expect(MeanOfDefined([nil]).undefined == 1)
  }
}
