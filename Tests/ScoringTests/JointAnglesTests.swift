import PoseModel
import Testing

@testable import Scoring

struct JointAnglesTests {
  private func sums(_ pairs: [(Double, Double)]) -> PairedSums {
    pairs.reduce(into: PairedSums()) { $0.add(reference: $1.0, other: $1.1) }
  }

  /// The sums of Tests `IntraclassCorrelationTests.offset` and of its differences, which are all 2.
  @Test func sumsHaveTheCorrelationOfTheirPairs() throws {
    let offset = try #require(sums([(1, 3), (4, 6), (4, 6)]).correlation)
    let pairs = try #require(IntraclassCorrelation([[1, 3], [4, 6], [4, 6]]))
    for form in IntraclassCorrelation.Form.allCases {
      #expect(isClose(offset.value(form), pairs.value(form) ?? .nan), "\(form)")
    }
    #expect(sums([(1, 3)]).correlation == nil && PairedSums().differences == nil)
  }

  /// One person's differences 1 and 3, another's 5: bias 3 over all, and the limits of `BlandAltman` of the differences.
  @Test func sumsHaveTheLimitsOfTheirDifferences() throws {
    let people = [sums([(10, 11), (20, 23)]), sums([(30, 35)])]
    let limits = try #require(BlandAltman(people.compactMap(\.differences)))
    let expected = try #require(BlandAltman(differencesBySubject: [[1, 3], [5]]))
    #expect(isClose(limits.bias, 3) && isClose(limits.bias, expected.bias))
    #expect(isClose(limits.standardDeviation, try #require(expected.standardDeviation)))
    let pooled = people[0] + people[1]
    #expect(pooled.count == 3 && isClose(pooled.differences?.mean, 3))
  }

  @Test func bothSidesOfFourJoints() {
    #expect(BodyAngle.all.map(\.name).count == 8 && Set(BodyAngle.all.map(\.vertex)).count == 8)
  }
}
