import PoseModel
import Testing

@Suite struct ConfidenceBandTests {
  @Test(
    arguments: [
      (1, .green), (0.71, .green), (0.7, .yellow), (0.5, .yellow), (0.49, .orange), (0.3, .orange), (0.29, nil),
      (.nan, nil),
    ] as [(Float, ConfidenceBand?)])
  func bandsAreTheDocuments(_ confidence: Float, _ band: ConfidenceBand?) {
    #expect(ConfidenceBands.standard[confidence] == band)
  }

  @Test func bandsMustDescend() {
    #expect(ConfidenceBands(green: 0.5, yellow: 0.7, orange: 0.3) == nil)
    #expect(ConfidenceBands(green: .nan, yellow: 0.5, orange: 0.3) == nil)
    #expect(ConfidenceBands(green: 0.9, yellow: 0.6, orange: 0.1)?[0.15] == .orange)
  }
}
