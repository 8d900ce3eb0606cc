import Files
import Testing

struct NearNamesTests {
  // One edit up to five letters, two up to eight, and so on.
  @Test func findsNamesWithinAThirdOfTheLength() {
    let names = ["name", "version", "licence", "source", "skeleton"]
    #expect(NearNames.of("licens", in: names) == ["licence"])
    #expect(NearNames.of("nmae", in: names) == ["name"])
    #expect(NearNames.of("Version", in: names) == ["version"])
    #expect(NearNames.of("sekleton", in: names) == ["skeleton"])
    #expect(NearNames.of("abcdef", in: names) == [])
    #expect(NearNames.of("", in: names) == [])
  }

  @Test func putsTheNearestFirstAndThreeAtMost() {
    #expect(NearNames.of("a01", in: ["a13", "a03", "a10", "a02", "a01x", "A01"]) == ["A01", "a01x", "a02"])
  }

  @Test func namesEachOnce() {
    #expect(NearNames.of("a1", in: ["a01", "b", "a01"]) == ["a01"])
  }

  @Test func asks() {
    #expect(NearNames.question("a1", in: ["a01", "a11", "b"]) == #""a1", did you mean a01 or a11?"#)
    #expect(NearNames.question("x", in: ["left_knee"]) == #""x""#)
    #expect(NearNames.choice("squatt", in: ["squat", "lunge"]) == "did you mean squat? There are lunge, squat")
    #expect(NearNames.choice("x", in: ["squat", "lunge"]) == "there are lunge, squat")
    let many = ["squats", "lunges", "plank", "push-ups"]
    #expect(NearNames.choice("squatt", in: many) == "did you mean squats?")
    // Without an x, a name is as many edits away as it has letters.
    #expect(NearNames.choice("x", in: many) == "of 4, the nearest are plank, lunges, squats")
  }
}
