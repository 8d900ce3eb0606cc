import Scoring
import Testing

struct SegmentalEditTests {
  /// "kitten" and "sitting" are 3 apart.
  @Test(
    arguments: zip(
      ["abc abc", "abc abd", "abc ac", "ab ba", " ab", "kitten sitting", "abcd dabc"], [0, 1, 1, 2, 2, 3, 2]))
  func isOneLessTheRelativeDistance(words: String, distance: Int) {
    let labels = words.split(separator: " ", omittingEmptySubsequences: false).map { $0.map { String($0) } }
    let longer = max(labels[0].count, labels[1].count)
    let expected = 1 - Double(distance) / Double(longer)
    #expect(isClose(SegmentalEdit(truth: labels[0], predicted: labels[1]).value, expected))
    #expect(isClose(SegmentalEdit(truth: labels[1], predicted: labels[0]).value, expected))
  }

  @Test func meanOverTheClipsThatHaveSegments() {
    let clips = [
      SegmentalEdit(truth: ["a"], predicted: ["a"]), SegmentalEdit(truth: [], predicted: []),
      SegmentalEdit(truth: ["a", "b"], predicted: ["a"]),
    ]
    let pooled = clips.reduce(SegmentalEdit(), +)
    #expect(pooled.value == 3 / 4.0)
    #expect(pooled.undefined == 1)
    #expect(SegmentalEdit(truth: [], predicted: []).value == nil)
  }
}
