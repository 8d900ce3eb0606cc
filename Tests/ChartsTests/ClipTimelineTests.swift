import Charts
import Testing

struct ClipTimelineTests {
  @Test func namesWhatOccurs() throws {
    #expect(
      Examples.timeline.subtitle == "clip-1 · test · 1 clip of 4.0 s · 2 true reps, 1 missed · 1 predicted, 0 invented")
    let texts = try Examples.texts(of: Examples.timeline)
    for text in [
      "true (2)", "predicted (1)", "cues (1)", "go deeper", "standing 160", "knee angle (°)", "true rep, found",
      "true rep, missed", "predicted rep, matched", "turning point", "no signal", "during a true rep",
    ] { #expect(texts.contains(text), "\(text)") }
    #expect(!texts.contains("predicted rep, invented"))
  }

  @Test func theTitleSaysWhatIsCompared() {
    var chart = Examples.timeline
    #expect(chart.title == "1 of 2 reps found")
    chart.detector = "squat-states"
    chart.predictedReps.append(TimedRep(start: 3, end: 4, isMatched: false))
    #expect(chart.title == "1 of 2 reps found, 1 invented")
    chart.trueReps[1].reason = "knee angle bottomed at 95°"
    #expect(chart.title == "1 of 2 reps found, 1 invented: knee angle bottomed at 95°")
    chart.trueReps[1].isMatched = true
    chart.predictedReps.removeLast()
    #expect(chart.title == "All 2 reps found")
    for index in 0..<2 { chart.trueReps[index].isMatched = false }
    #expect(chart.title == "None of 2 reps found: knee angle bottomed at 95°")
    chart.trueReps[0].reason = "knee angle bottomed at 99°"
    #expect(chart.title == "None of 2 reps found; rep 1: knee angle bottomed at 99°")
    chart.comparesReps = false
    #expect(chart.title == "Not compared: 2 true reps, 1 predicted rep")
    chart.gradedReps = 1
    #expect(chart.title == "1 of 2 reps graded")
    chart.judgedReps = (right: 1, all: 2)
    #expect(chart.title == "Faulty told from good on 1 of 2 reps")
    chart.counts = (predicted: 3, truth: 2)
    #expect(chart.title == "Counted 3 reps, true 2; no times predicted")
    chart.counts?.truth = 3
    #expect(chart.title == "Counted 3 reps, as labelled; no times predicted")
    chart.counts?.truth = nil
    #expect(chart.title == "Counted 3 reps; no times predicted")
  }

  @Test func whatIsInventedAndMisnamedIsSaid() throws {
    var chart = Examples.timeline
    chart.predictedReps.append(TimedRep(start: 3, end: 4, isMatched: false, reason: "nobody does the exercise here"))
    let texts = try Examples.texts(of: chart).joined(separator: " ")
    #expect(texts.contains("Invented: detection 2: nobody does the exercise here."), "\(texts)")
    // Where nothing is missed, the title says why there is one too many.
    chart.trueReps.removeLast()
    #expect(chart.title == "The only rep found, 1 invented: nobody does the exercise here")
    (chart.trueReps, chart.predictedReps) = ([], [])
    chart.trueStrokes = [TimedStroke(start: 1, end: 2, contact: 1.5, label: "serve", isMatched: true)]
    chart.predictedStrokes = [TimedStroke(start: 1, end: 2, contact: 1.5, label: "unknown", isMatched: true)]
    chart.misnamedStrokes = 1
    #expect(chart.title == "The only stroke found, 1 misnamed")
    chart.trueStrokes[0].reason = "named unknown: the right wrist was not seen"
    #expect(chart.title == "The only stroke found, 1 misnamed: named unknown: the right wrist was not seen")
    let said = try Examples.texts(of: chart).joined(separator: " ")
    #expect(said.contains("Misnamed: stroke 1: named unknown"), "\(said)")
  }

  /// A detector that asks for a movement has no threshold: its bar is named.
  @Test func theLeastMovementIsDrawn() throws {
    var chart = Examples.timeline
    (chart.signals[0].thresholds, chart.signals[0].range) = ([], Threshold(label: "minimumRange", value: 30))
    let texts = try Examples.texts(of: chart)
    #expect(texts.contains("moves ≥ 30 (minimumRange)"), "\(texts)")
  }

  /// Of 8 labelled seconds 3 are named rightly: 1 to 3 s, and 5 to 6 s. What is said before 1 s nobody labelled.
  @Test func statesAreHeldAgainstLabels() throws {
    let chart = ClipTimeline(
      clip: "plank", detector: "d", source: "test", duration: 10, signals: [], trueReps: [], predictedReps: [],
      comparesReps: false,
      phases: [TimedPhase(start: 0, end: 6, name: "level"), TimedPhase(start: 6, end: 9, name: "high")],
      trueIntervals: [
        TimedPhase(start: 1, end: 3, name: "level"), TimedPhase(start: 3, end: 5, name: "high"),
        TimedPhase(start: 5, end: 9, name: "level"),
      ])
    #expect(chart.title == "3.0 of 8.0 s named as labelled")
    let texts = try Examples.texts(of: chart)
    for text in [
      "labelled above, predicted below", "level", "high", "labelled", "predicted, as labelled",
      "predicted, labelled differently", "predicted, not labelled",
    ] { #expect(texts.contains(text), "\(text)") }
    #expect(chart.table.text.contains(["labelled", "2", "3.00", "5.00", "n/a", "high"]))
    let judged = chart.phases.judged(by: chart.trueIntervals)
    #expect(judged.map(\.phase.start) == [0, 1, 3, 5, 6])
    #expect(judged.map(\.isRight) == [nil, true, false, true, false])
  }

  @Test func everyCuesTextIsReadWhole() throws {
    var chart = Examples.timeline
    let long = "hit with your arm away from your body"
    chart.cues = (0..<40).map { TimedCue(time: Double($0) / 10, text: $0 % 2 == 0 ? long : "\($0)") }
    for width in [400.0, 1200] {
      let page = Page(pixels: width)
      let canvas = try Canvas(size: chart.size(on: page), scale: width / page.width)
      chart.draw(on: canvas)
      let texts = canvas.texts.map(\.text)
      #expect(texts.contains("\(long) (20)") && texts.contains("1, 3, … 39 (20)"))
    }
  }

  @Test func aSignalThatHardlyChangesIsNotBlownUp() throws {
    let values = (0..<100).map { Float(0.216) + Float($0 % 2) * 1e-8 }
    let signal = SignalSeries(name: "s", unit: "", times: values.indices.map(Double.init), values: values)
    let texts = try Examples.texts(
      of: ClipTimeline(clip: "c", source: "", signals: [signal], trueReps: [], predictedReps: [], omitted: ["other"]))
    let ticks = texts.filter { $0.hasPrefix("0.2") }
    #expect(ticks.count > 1 && Set(ticks).count == ticks.count)
    #expect(texts.contains("Not drawn: the signals other."))
  }

  @Test func aThresholdsNameStandsWhereTheCurveIsNot() throws {
    // From 4 s on the curve swings about the threshold, where its name usually stands.
    let times = (0...100).map { Double($0) / 10 }
    let values = times.indices.map { Float($0 < 40 ? 0 : $0 % 2 == 0 ? 20 : 80) }
    let signal = SignalSeries(
      name: "s", unit: "", times: times, values: values, thresholds: [Threshold(label: "enough", value: 50)])
    let chart = ClipTimeline(clip: "c", source: "", signals: [signal], trueReps: [], predictedReps: [])
    let page = Page(pixels: 400)
    let canvas = try Canvas(size: chart.size(on: page), scale: 400 / page.width)
    chart.draw(on: canvas)
    let name = try #require(canvas.texts.first { $0.text == "enough 50" }).box
    // Time runs from 62 points behind the page's edge to 12 before it.
    let (left, right) = (18.0 + 62, page.width - 18 - 12)
    #expect(name.right < left + 0.41 * (right - left))
  }

  @Test func listsEveryRepAndCue() {
    #expect(
      Examples.timeline.table.text == [
        ["lane", "number", "start (s)", "end (s)", "turn (s)", "what"],
        ["true", "1", "0.00", "2.00", "1.00", "found"], ["true", "2", "2.00", "4.00", "n/a", "missed"],
        ["predicted", "1", "0.25", "2.00", "n/a", "matched"], ["cue", "1", "1.00", "1.00", "n/a", "go deeper"],
      ])
  }

  @Test func anEmptyLaneSaysSo() throws {
    let chart = ClipTimeline(clip: "still", source: "test", signals: [], trueReps: [], predictedReps: [])
    let texts = try Examples.texts(of: chart)
    #expect(texts.count { $0 == "none" } == 2)
    #expect(!texts.contains { $0.hasPrefix("cues") })
  }

  @Test func repsThatAreNotComparedAreNeitherMissedNorFalse() throws {
    let rep = TimedRep(start: 1, end: 3, turn: 2, isMatched: false)
    var chart = ClipTimeline(
      clip: "form", source: "test", duration: 4, signals: [], trueReps: [rep], predictedReps: [], comparesReps: false)
    #expect(chart.subtitle == "form · test · 1 clip of 4.0 s · 1 true rep")
    #expect(chart.table.text.dropFirst() == [["true", "1", "1.00", "3.00", "2.00", "rep"]])
    let texts = try Examples.texts(of: chart)
    #expect(texts.contains("true (1)") && texts.contains("true rep"))
    #expect(!texts.contains { $0.hasPrefix("predicted") || $0.contains("missed") || $0 == "none" })
    var found = chart
    found.trueReps[0].isMatched = true
    #expect(try png(chart) == png(found))

    chart.predictedReps = [rep]
    #expect(chart.subtitle == "form · test · 1 clip of 4.0 s · 1 true rep · 1 predicted rep")
    (chart.trueReps, chart.predictedReps) = ([], [])
    #expect(chart.subtitle == "form · test · 1 clip of 4.0 s")
    #expect(try !Examples.texts(of: chart).contains("none"))
  }

  @Test func strokesHaveLanesOfTheirOwn() throws {
    let chart = ClipTimeline(
      clip: "rally", source: "test", duration: 10, signals: [], trueReps: [], predictedReps: [],
      trueStrokes: [
        TimedStroke(start: 1, end: 2.5, contact: 2, label: "forehand", isMatched: true),
        TimedStroke(start: 6, end: 6, contact: 6, label: "serve", isMatched: false),
      ],
      predictedStrokes: [TimedStroke(start: 1.25, end: 2.75, contact: 2.25, label: "backhand", isMatched: true)])
    #expect(chart.subtitle == "rally · test · 1 clip of 10.0 s · 2 true strokes, 1 missed · 1 predicted, 0 invented")
    #expect(
      chart.table.text.dropFirst() == [
        ["true stroke", "1", "1.00", "2.50", "2.00", "forehand, found"],
        ["true stroke", "2", "6.00", "6.00", "6.00", "serve, missed"],
        ["predicted stroke", "1", "1.25", "2.75", "2.25", "backhand, matched"],
      ])
    let texts = try Examples.texts(of: chart)
    for text in ["true (2)", "predicted (1)", "forehand", "serve", "backhand", "true stroke, missed"] {
      #expect(texts.contains(text), "\(text)")
    }
    #expect(!texts.contains("none") && !texts.contains("true rep, found"))
  }

  @Test func aSignalThatIsNeverThereSaysSo() throws {
    let signal = SignalSeries(name: "knee angle", unit: "°", times: [0, 1], values: [.nan, .nan])
    let chart = ClipTimeline(clip: "dark", source: "test", signals: [signal], trueReps: [], predictedReps: [])
    #expect(try Examples.texts(of: chart).contains("no signal"))
  }

  @Test func repsAreNumberedInsideTheirBarsOrInRegularStepsBelow() throws {
    func numbers(_ count: Int) throws -> [Int] {
      let reps = (0..<count).map { TimedRep(start: Double($0), end: Double($0) + 0.8, isMatched: true) }
      let chart = ClipTimeline(
        clip: "c", source: "test", duration: Double(count), signals: [], trueReps: reps, predictedReps: [])
      let canvas = try Canvas(size: chart.size)
      chart.draw(on: canvas)
      let lane = try #require(canvas.texts.first { $0.text.hasPrefix("true (") }).box
      let inLane = canvas.texts.filter { abs($0.box.middle.y - lane.middle.y) < 25 && $0.box.x > lane.right }
      return inLane.compactMap { Int($0.text) }
    }
    #expect(try numbers(4) == [1, 2, 3, 4])
    let many = try numbers(100)
    let step = try #require(many.first)
    #expect([2, 5, 10].contains(step))
    #expect(many == Array(stride(from: step, through: 100, by: step)))
  }

  @Test func aLongRecordingLooksAsItsExtremesDo() throws {
    // 200 frames a pixel: the outermost values of each pixel's column must survive the thinning.
    let count = 200_000
    func chart(_ spike: Int?) -> ClipTimeline {
      let values = (0..<count).map { $0 == spike ? Float(100) : Float($0 % 2) }
      let times = (0..<count).map { Double($0) / 100 }
      let signal = SignalSeries(
        name: "s", unit: "", times: times, values: values, thresholds: [Threshold(label: "t", value: 100)])
      return ClipTimeline(clip: "c", source: "test", signals: [signal], trueReps: [], predictedReps: [])
    }
    #expect(try png(chart(100_003)) != png(chart(nil)))
  }
}
