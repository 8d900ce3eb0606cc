import Evaluation
import Files
import Foundation
import Testing

/// Predictions of two versions without labels: what changed over people, and what is no evidence.
@Suite struct PredictionDriftTests {
  private func version(_ name: String, _ text: String) -> PredictionDrift.Version {
    PredictionDrift.Version(name, files: [InputFile(name: "\(name).csv", bytes: Data(text.utf8))])
  }

  /// A clip a person, `p1_a`, with these counts.
  private func counts(_ counts: [Int], clip: String = "a", from first: Int = 1) -> String {
    "clip,subject,count\n"
      + counts.enumerated().map { "p\(first + $0)_\(clip),p\(first + $0),\($1)\n" }.joined()
  }

  private func drift(
    _ old: String, _ new: String, numbers: [String] = [], people: PredictionDrift.People = .column,
    areOtherClips: Bool = false
  ) throws -> PredictionDrift {
    try PredictionDrift(
      from: version("old", old), to: version("new", new), numbers: numbers, people: people,
      areOtherClips: areOtherClips)
  }

  private func measure(_ name: String, of drift: PredictionDrift) throws -> PredictionDrift.Measure {
    try #require(drift.measures.first { $0.name == name })
  }

  /// One rep more for five people of six: the mean is 5/6, the deviation √(1/6), its error 1/6, and Student's t of five
  /// degrees of freedom 2.5706. The signs of five differences fall so by chance in 2 of 32 cases, above 5 %.
  @Test func theSameClipsArePaired() throws {
    let drift = try drift(counts([2, 2, 2, 2, 2, 2]), counts([3, 3, 3, 3, 3, 2]))
    #expect(drift.pairing == .clips && drift.sharedClips == 6 && drift.changedClips == 5)
    let count = try measure("count", of: drift)
    #expect(count.before == 2 && abs(count.after - 17 / 6.0) < 1e-12)
    let interval = try #require(count.interval)
    #expect(abs(interval.low - (5 / 6.0 - 2.5706 / 6)) < 1e-4 && abs(interval.high - (5 / 6.0 + 2.5706 / 6)) < 1e-4)
    #expect(count.higher == 5 && count.lower == 0 && count.same == 1 && count.peopleBefore == 6)
    #expect(count.shown == nil)
    #expect(try measure("share without a rep", of: drift).difference == 0)
  }

  /// Of six people all one more: 2 of 64 cases.
  @Test func aDriftOfAllIsShown() throws {
    let drift = try drift(counts([2, 1, 2, 2, 3, 2]), counts([3, 2, 3, 3, 4, 3]))
    #expect(try measure("count", of: drift).shown == .higher)
    #expect(try measure("share without a rep", of: drift).shown == nil)
    let back = try self.drift(counts([3, 2, 3, 3, 4, 3]), counts([2, 1, 2, 2, 3, 2]))
    #expect(try measure("count", of: back).shown == .lower)
  }

  /// Of five people all change alike by chance in 2 of 32 cases: no claim, and the reader is told so.
  @Test func fivePeopleShowNothing() throws {
    let drift = try drift(counts([2, 1, 2, 2, 3]), counts([3, 2, 3, 3, 4]))
    #expect(drift.fewestPeople == 6)
    #expect(try measure("count", of: drift).shown == nil)
  }

  /// A column that nothing reads is said, not left out in silence.
  @Test func aColumnOfAnotherName() throws {
    let old = "clip,subject,count,confidence\na,p1,2,0.9\nb,p2,3,0.8\n"
    let drift = try drift(old, old.replacing("confidence", with: "count_confidence"))
    #expect(
      drift.notes == [
        "old.csv: the columns confidence are not used: --number NAME compares one, --columns count_confidence=NAME "
          + "reads the probability of a count",
        "confidence is in new only", "abstention rate is in new only",
      ])
  }

  /// A claim takes six people, however large the difference; ten clips of one person are one person.
  @Test func clipsOfFewPeopleShowNothing() throws {
    let clips = (0..<10).map { "c\($0),p\($0 % 4)," }
    let header = "clip,subject,count\n"
    let drift = try drift(
      header + clips.map { $0 + "1\n" }.joined(), header + clips.map { $0 + "9\n" }.joined())
    let count = try measure("count", of: drift)
    #expect(count.difference == 8 && count.peopleBefore == 4 && count.shown == nil)
  }

  @Test func withoutPeopleThereIsNoInterval() throws {
    let drift = try drift("clip,count\na,1\nb,2\n", "clip,count\na,2\nb,4\n")
    let count = try measure("count", of: drift)
    #expect(drift.before.people == nil && count.difference == 1.5)
    #expect(count.interval == nil && count.peopleBefore == nil && count.shown == nil)
    // The greatest difference first.
    #expect(drift.recounts.map(\.clip) == ["b", "a"])
  }

  /// On the other day everybody has other clips: each person is compared with themselves.
  @Test func otherClipsOfTheSamePeople() throws {
    let (old, new) = (counts([2, 2, 2, 2, 2, 2]), counts([4, 4, 4, 4, 4, 4], clip: "b"))
    let other = try drift(old, new)
    #expect(other.pairing == .people && other.changedClips == nil && other.recounts.isEmpty)
    #expect(try measure("count", of: other).shown == .higher)
    // Names that are used again are no same clips.
    let again = try drift(old, counts([4, 4, 4, 4, 4, 4]), areOtherClips: true)
    #expect(again.pairing == .people && again.sharedClips == nil)
  }

  /// Two groups of people: a claim takes ten of each.
  @Test(arguments: [(9, false), (10, true)]) func otherPeople(_ people: Int, _ isShown: Bool) throws {
    let drift = try drift(
      counts([Int](repeating: 2, count: 10)), counts([Int](repeating: 4, count: people), from: 101))
    #expect(drift.pairing == .groups)
    let count = try measure("count", of: drift)
    #expect(count.difference == 2 && count.peopleBefore == 10 && count.peopleAfter == people)
    #expect(count.interval?.low == 2 && count.interval?.high == 2 && count.higher == nil)
    #expect((count.shown == .higher) == isShown)
  }

  /// Below 0.5 a detector abstains. The mean of a person is over that person's clips, and of people over people: anna's
  /// 0.9 and 0.7 are 0.8, with bert's 0.4 it is 0.6.
  @Test func confidencesAbstentionsAndOtherNumbers() throws {
    let old = "clip,count,count_confidence,cost_ms\nanna_1,2,0.9,10\nanna_2,2,0.7,20\nbert_1,2,0.4,\n"
    let new = "clip,count,count_confidence,cost_ms\nanna_1,2,0.9,12\nanna_2,2,0.3,22\nbert_1,2,0.4,30\n"
    let drift = try drift(old, new, numbers: ["cost_ms"], people: .names(before: "_"))
    #expect(drift.before.people == 2)
    let confidence = try measure("confidence", of: drift)
    #expect(abs(confidence.before - 0.6) < 1e-12 && abs(confidence.after - 0.5) < 1e-12)
    let abstained = try measure("abstention rate", of: drift)
    #expect(abstained.before == 0.5 && abstained.after == 0.75)
    // Only where both sides have a number.
    let cost = try measure("cost_ms", of: drift)
    #expect(cost.before == 15 && cost.after == 17 && cost.peopleBefore == 1)
  }

  @Test func linesOfJSONAndATableOfPeople() throws {
    let old = """
      {"clip":"a","type":"rep","start":0,"end":2,"reported":2.25}
      {"clip":"b"}

      """
    let new = """
      {"clip":"a","type":"rep","start":0,"end":2,"reported":2.5}
      {"clip":"b","type":"rep","start":1,"end":2}

      """
    let table = InputFile(name: "clips.csv", bytes: Data("clip,subject,view\na,anna,side\nb,bert,side\n".utf8))
    let drift = try drift(old, new, people: .table(table))
    #expect(try measure("count", of: drift).difference == 0.5)
    #expect(try measure("share without a rep", of: drift).difference == -0.5)
    let delay = try measure("report delay", of: drift)
    #expect(delay.before == 250 && delay.after == 500 && delay.unit == "ms")
    // The clip b has a rep on one side only.
    #expect(try measure("rep duration", of: drift).peopleBefore == 1)
  }

  @Test func whatIsOnOneSideOnlyIsNamed() throws {
    let drift = try drift(
      "clip,count\na,1\nb,1\n", "clip,count,count_confidence\na,1,0.9\nb,1,0.8\nc,1,0.7\n")
    #expect(
      drift.notes == [
        "left out: 1 clip of new that the other version has not", "confidence is in new only",
        "abstention rate is in new only",
      ])
    #expect(drift.measures.map(\.name) == ["count", "share without a rep"])
  }

  @Test func aClipOfTwoPeopleIsRefused() throws {
    let error = #expect(throws: DataError.self) {
      try drift("clip,subject,start_s,end_s\na,anna,0,1\na,bert,2,3\n", "clip,start_s,end_s\na,0,1\n")
    }
    #expect(error?.line == 3 && error?.expected == "one person for a clip, anna")
  }
}
