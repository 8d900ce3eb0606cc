import Scoring
import Testing

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
