import Foundation
import Scoring
import Statistics
import Testing

@testable import Evaluation

@Suite struct AgreementResultTests {
  /// Two raters who always disagree, whose mean is the same for every rep: no variance lies between reps, and the
  /// reliability of their mean has no bound.
  @Test func whatIsUndefinedHasNoBounds() throws {
    let raters = try #require(IntraclassCorrelation([[0, 100], [100, 0], [0, 100], [100, 0]]))
    #expect(raters.value(.consistencyMean) == nil)
    let unbounded = Interval(low: -.infinity, high: -.infinity, level: 0.95)
    let result = AgreementResult(
      .intraclassCorrelation(.consistencyMean), raters.value(.consistencyMean), of: 4, interval: unbounded, method: "F")
    #expect(result.interval == nil && result.method == nil)
    let json = String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
    #expect(!json.contains("\"low\"") && !json.contains("\"value\""))
  }
}
