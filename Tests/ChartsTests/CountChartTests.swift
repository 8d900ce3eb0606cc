import Charts
import Testing

struct CountChartTests {
  @Test func bothSayHowMuchTheyRestOn() {
    let expected = " · test · 4 clips of 2 people · 2 exact, 3 within one rep"
    #expect(Examples.scatter.subtitle == "Predicted and true rep count" + expected)
    #expect(Examples.errors.subtitle == "Count error by clip" + expected)
    let missing = CountScatter(source: "test", clips: [CountedClip(clip: "a", truth: 3, predicted: .nan)])
    #expect(
      missing.subtitle == "Predicted and true rep count · test · 1 clip · 0 exact, 0 within one rep · 1 without a count"
    )
  }

  @Test func scatterCountsTheClipsThatShareAPlace() throws {
    #expect(
      Examples.scatter.table.text == [
        ["true", "predicted", "error", "clips", "first clip", "group"], ["5", "8", "+3", "1", "more", ""],
        ["10", "9", "−1", "1", "fewer", ""], ["5", "5", "0", "2", "exact", ""],
      ])
    let texts = try Examples.texts(of: Examples.scatter)
    // The number in the disc of the two exact clips, the name of the only clip beyond one rep, beside it and in the
    // list.
    #expect(texts.contains("2"))
    #expect(texts.count { $0 == "more" } == 2)
    #expect(texts.count { $0 == "exact" } == 0)
    #expect(texts.contains("MAE 1.00 [0.20, 1.80]"))
    // A narrow plot leaves the name to the list.
    let narrow = try Canvas(size: Examples.scatter.size(on: Page(pixels: 400)))
    Examples.scatter.draw(on: narrow)
    #expect(narrow.texts.count { $0.text == "more" } == 1)
  }

  /// Of twelve front views none is right, of twelve others all: those of both at the same counts share a square.
  @Test func clipsThatStandOutShareASquare() throws {
    func clip(_ view: String, _ number: Int, _ truth: Double, _ predicted: Double) -> CountedClip {
      var clip = CountedClip(clip: "\(view)_\(number)", truth: truth, predicted: predicted)
      clip.view = view
      return clip
    }
    var clips = (0..<12).map { clip("front", $0, 5, $0 == 0 ? 4 : 2) } + (0..<12).map { clip("side", $0, 5, 5) }
    clips.append(clip("side", 12, 5, 4))
    let chart = CountScatter(source: "test", clips: clips)
    let texts = try Examples.texts(of: chart)
    // Eleven, twelve, and the two of both kinds, which are two rows of the table.
    #expect(texts.contains("11") && texts.contains("12") && texts.contains("2"), "\(texts)")
    #expect(
      texts.joined(separator: " ").contains(
        "Number in a mark: number of clips. Divided square: clips of both, front views below."),
      "\(texts)")
    #expect(chart.table.text.filter { $0[0] == "5" && $0[1] == "4" }.map { $0[5] }.sorted() == ["", "front views"])
  }

  @Test func aNameKeepsAwayFromOtherDiscs() throws {
    let canvas = try Canvas(size: Size(width: 400, height: 200))
    let (mark, other) = (Rect(x: 100, y: 100, width: 10, height: 10), Rect(x: 118, y: 100, width: 10, height: 10))
    canvas.avoid(mark)
    canvas.avoid(other)
    let box = try #require(canvas.label("name", beside: mark, .note, within: canvas.bounds, apart: 8))
    // To the left: right of the mark is the other one.
    #expect(box.right <= mark.left && !box.inset(by: -8).overlaps(other))
  }

  @Test func aNameMayCoverSmallMarksButNotComeNearItsOwnKind() throws {
    let canvas = try Canvas(size: Size(width: 400, height: 200))
    let (mark, other) = (Rect(x: 100, y: 100, width: 10, height: 10), Rect(x: 166, y: 100, width: 10, height: 10))
    for x in stride(from: 0.0, to: 400, by: 20) {
      for y in stride(from: 5.0, to: 200, by: 20) { canvas.avoid(Rect(x: x, y: y, width: 3, height: 3)) }
    }
    canvas.avoid(mark)
    canvas.avoid(other)
    let box = try #require(
      canvas.label("name", beside: mark, .note, within: canvas.bounds, apart: 8, from: [mark, other]))
    #expect(!box.inset(by: -8).overlaps(other))
    // Of all marks none is that far away.
    #expect(canvas.label("name", beside: mark, .note, within: canvas.bounds, apart: 20) == nil)
  }

  /// Walls all around leave no place that is nearer to the mark than to them.
  @Test func aNameThatCouldBeOfAnotherDiscIsLeftOut() throws {
    let canvas = try Canvas(size: Size(width: 400, height: 200))
    let mark = Rect(x: 100, y: 100, width: 10, height: 10)
    canvas.avoid(mark)
    for other in [Rect(x: 0, y: 0, width: 400, height: 74), Rect(x: 0, y: 136, width: 400, height: 64)] {
      canvas.avoid(other)
    }
    for x in [60.0, 140] { canvas.avoid(Rect(x: x, y: 74, width: 10, height: 62)) }
    #expect(canvas.label("name", beside: mark, .note, within: canvas.bounds, apart: 12) == nil)
    #expect(canvas.label("name", beside: mark, .note, within: canvas.bounds) != nil)
  }

  /// Walls to the left, above and to the right: the line to a name there would cross them.
  @Test func theLineToANameCrossesNoOtherMark() throws {
    let canvas = try Canvas(size: Size(width: 400, height: 200))
    let mark = Rect(x: 100, y: 100, width: 10, height: 10)
    for wall in [
      Rect(x: 92, y: 60, width: 4, height: 90), Rect(x: 92, y: 60, width: 26, height: 4),
      Rect(x: 114, y: 60, width: 4, height: 90),
    ] { canvas.avoid(wall) }
    canvas.avoid(mark)
    let box = try #require(canvas.label("name", beside: mark, .note, within: canvas.bounds, apart: 8))
    #expect(box.top > mark.bottom && box.left < mark.left && box.right > mark.right)
  }

  @Test func errorsStandWorstFirst() throws {
    #expect(
      Examples.errors.table.text == [
        ["clip", "true", "predicted", "error"], ["more", "5", "8", "+3"], ["fewer", "10", "9", "−1"],
        ["exact", "5", "5", "0"], ["twin", "5", "5", "0"],
      ])
    let canvas = try Canvas(size: Examples.errors.size)
    Examples.errors.draw(on: canvas)
    func y(_ text: String) throws -> Double { try #require(canvas.texts.first { $0.text == text }).box.y }
    #expect(try y("more") < y("fewer") && y("fewer") < y("exact") && y("exact") < y("twin") && y("twin") < y("mean"))
    #expect(canvas.texts.contains { $0.text == "+3  (5 → 8)" })
    #expect(canvas.texts.contains { $0.text == "+0.50 (−1.25 to +2.25)" })
    #expect(canvas.texts.contains { $0.text == "all clips shown; in brackets: true → predicted" })
  }

  @Test func ofManyClipsTheWorstThirtyAreShown() throws {
    // Errors 1 to 40, and 460 exact clips: 30 are shown, errors 40 to 11; 9 of the rest are off by 2 to 10.
    let clips = (0..<500).map { (index: Int) -> CountedClip in
      let predicted = index < 40 ? 51 + index : 50
      return CountedClip(clip: "clip-\(index)", truth: 50, predicted: Double(predicted))
    }
    let texts = try Examples.texts(of: CountErrorByClip(source: "test", clips: clips))
    #expect(texts.contains("clip-39") && texts.contains("clip-10") && !texts.contains("clip-9"))
    #expect(
      texts.contains(
        "470 clips not shown: 460 exact, 1 off by at most one rep, 9 off by more; "
          + "in brackets: true → predicted"))
  }

  /// anna errs by 1/3 of a rep on the average, bert by 5/2 the other way.
  @Test func subjectsStandByTheirMeanErrors() throws {
    #expect(
      Examples.subjects.subtitle
        == "Count error by person · test · 5 clips of 3 people · 0 counted right on all clips")
    #expect(
      Examples.subjects.table.text == [
        ["person", "clips", "mean error", "least", "greatest"], ["bert", "2", "−2.5", "−4", "−1"],
        ["anna", "3", "+0.33", "0", "+1"], ["carl", "0", "n/a", "n/a", "n/a"],
      ])
    let texts = try Examples.texts(of: Examples.subjects)
    #expect(texts.contains("−2.50") && texts.contains("+0.33") && texts.contains("−1.00 (−2.50 to +0.50)"))
  }

  /// The interval ends near the right edge: its numbers stand before it, whole.
  @Test func theMeansNumbersAreWholeBesideALongInterval() throws {
    let clips = [CountedClip(clip: "a", truth: 20, predicted: 1), CountedClip(clip: "b", truth: 5, predicted: 6)]
    let chart = CountErrorByClip(source: "test", clips: clips, mean: Estimate(-4.25, lower: -11.37, upper: 2.87))
    let texts = try Examples.texts(of: chart)
    #expect(texts.contains("−4.25 (−11.37 to +2.87)") && texts.contains("95 % interval of the mean"))
  }

  @Test func anUndefinedIntervalIsNotDrawn() throws {
    let chart = CountErrorByClip(source: "test", clips: Examples.clips, mean: Estimate(0.5))
    let texts = try Examples.texts(of: chart)
    #expect(texts.contains("+0.50") && !texts.contains("95 % interval of the mean"))
  }
}
