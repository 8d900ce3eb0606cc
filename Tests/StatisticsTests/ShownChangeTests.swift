import Testing

@testable import Statistics

/// What headlines may claim of several metrics at once.
@Suite struct ShownChangeTests {
  /// Equal losses of seven have a p value of 2⁻⁷, of five a two-sided one of 2 · 2⁻⁵.
  @Test func aChangeOfEverybodyIsShown() {
    let loss = [Double?](repeating: -1, count: 7)
    let none = [Double?](repeating: 0, count: 7)
    #expect(ShownChange.of([loss, none]) == [.worse, nil])
    #expect(ShownChange.of([loss.map { $0.map { -$0 } }, none]) == [.better, nil])
    #expect(ShownChange.of([[-1, -1, -1, -1, -1]]) == [nil])
  }

  /// Twelve people with three clips each, on which a random counter is replayed twice: four metrics that move together.
  /// Of 300 comparisons 15 may claim a change, 15 + 3 · √(300 · 0.05 · 0.95) = 26.3 by chance; intervals that are not
  /// corrected claim one in more.
  @Test func chanceIsSeldomClaimed() throws {
    var random = SeededGenerator(seed: 7)
    var (claims, uncorrected) = (0, 0)
    for _ in 0..<300 {
      var gains = [[Double?]](repeating: [], count: 4)
      for _ in 0..<12 {
        let clips = (0..<3).map { _ in (Double(Int(random.unit() * 4)), Double(Int(random.unit() * 4))) }
        func gain(_ value: (Double) -> Double) -> Double { clips.reduce(0) { $0 + value($1.1) - value($1.0) } / 3 }
        gains[0].append(gain { $0 == 0 ? 1 : 0 })
        gains[1].append(gain { $0 <= 1 ? 1 : 0 })
        gains[2].append(gain { -$0 })
        gains[3].append(gain { -$0 * $0 })
      }
      if ShownChange.of(gains).contains(where: { $0 != nil }) { claims += 1 }
      let isClaimed = gains.contains { own in
        Interval.studentT(own.compactMap { $0 }, level: 0.95).map { $0.low > 0 || $0.high < 0 } ?? false
      }
      if isClaimed { uncorrected += 1 }
    }
    #expect(claims <= 26, "\(claims)")
    #expect(uncorrected > claims, "\(uncorrected), \(claims)")
  }

  /// Four of twelve people lose one of three clips: t is 0.1111 / 0.0474 = 2.345, and beyond 2.201 is significant; but of
  /// the 16 signs of their losses two are as far out.
  @Test func fewWhoLoseAlikeAreNoProof() {
    let gains = (0..<12).map { Double?($0 < 4 ? -1.0 / 3 : 0) }
    #expect(ShownChange.of([gains]) == [nil])
    let six = (0..<12).map { Double?($0 < 6 ? -1.0 / 3 : 0) }
    #expect(ShownChange.of([six]) == [.worse])
  }

  /// A good counter is wrong on few clips: each of 36 with a probability of 0.02 to 0.2, by one rep. Of 500 comparisons of
  /// it with itself 25 may claim a change, 25 + 3 · √(500 · 0.05 · 0.95) = 39.6 by chance.
  @Test(arguments: [0.02, 0.05, 0.08, 0.2]) func chanceIsSeldomClaimedOfGoodCounters(rate: Double) {
    var random = SeededGenerator(seed: 11)
    let claims = (0..<500).count { _ in
      let gains = (0..<12).map { _ in
        Double?(
          (0..<3).reduce(0.0) { sum, _ in sum + (random.chance(rate) ? 1 : 0) - (random.chance(rate) ? 1 : 0) } / 3)
      }
      return ShownChange.of([gains])[0] != nil
    }
    #expect(claims <= 39, "\(claims)")
  }
}
