import PoseModel
import Testing

@testable import Charts

struct PoseChartTests {
  @Test func figuresStandInTheOrderOfTime() throws {
    let texts = try Examples.texts(of: Examples.strip)
    let captions = texts.filter { ["start", "deepest", "lost"].contains($0) }
    #expect(captions == ["start", "deepest", "lost"])
    #expect(texts.contains("no pose") && texts.contains("1.00 s"))
    #expect(Examples.strip.table.text[1] == ["2.00", "deepest", "1", "1", "1", "1"])
  }

  /// The signal that decides is written below each figure, and the timeline's finding is the title.
  @Test func aStripSaysWhatWasMeasured() throws {
    var moments = Examples.strip.moments
    moments[0].measured = "knee angle 96°"
    let strip = SkeletonStrip(clip: "c", source: "", moments: moments, finding: "None of 4 reps found")
    #expect(try Examples.texts(of: strip).contains("knee angle 96°") && strip.title == "None of 4 reps found")
    var timeline = Examples.posedTimeline
    timeline.moments = moments
    #expect(try !Examples.texts(of: timeline).contains("knee angle 96°"))
  }

  @Test func ofManyMomentsTheFirstAndTheLastAreShown() throws {
    let moments = (0..<40).map { PosedMoment(time: Double($0), caption: "m\($0)", figure: Examples.figure) }
    let texts = try Examples.texts(of: SkeletonStrip(clip: "c", source: "", moments: moments))
    #expect(texts.contains("m0") && texts.contains("m39"))
    let shown = texts.count { $0.hasPrefix("m") && Int($0.dropFirst()) != nil }
    #expect(texts.contains("\(40 - shown) more moments not shown"))
  }

  @Test func whatIsWrongIsShownBeforeOtherMoments() throws {
    let moments = (0..<40).map { index in
      PosedMoment(
        time: Double(index), caption: "m\(index)", figure: Examples.figure, isWrong: [7, 8, 31].contains(index))
    }
    let strip = SkeletonStrip(clip: "c", detector: "d", source: "", moments: moments)
    #expect(strip.title == "Wrong at 3 of 40 moments: m7, …")
    var timeline = Examples.posedTimeline
    timeline.moments = moments
    for chart in [strip, timeline] as [any Chart] {
      let texts = try Examples.texts(of: chart)
      for text in ["m7", "m8", "m31", "m0", "m39"] { #expect(texts.contains(text), "\(text)") }
    }
    #expect(try Examples.texts(of: timeline).contains("Not drawn: the poses at 32 more moments."))
  }

  @Test func aJointIsColouredByHowSurelyItIsSeen() throws {
    func shows(_ meaning: SemanticColor, _ certainty: StickFigure.Certainty?) throws -> Bool {
      let joints = [0.0, 1].map { StickFigure.Joint(x: $0, y: $0, certainty: certainty) }
      let figure = StickFigure(joints: joints, bones: [.init(from: 0, to: 1)])
      let chart = SkeletonStrip(
        clip: "c", source: "", moments: [PosedMoment(time: 0, caption: "", figure: figure)])
      return try PNGFile(png(chart)).pixels.contains(Picture.value(meaning))
    }
    for (meaning, certainty) in [
      (SemanticColor.neutral, StickFigure.Certainty.sure), (.uncertain, .doubtful), (.worse, .poor),
    ] {
      #expect(try shows(meaning, certainty))
      #expect(try !shows(meaning, nil))
    }
    #expect(try !shows(.worse, .sure) && !shows(.better, .sure))
  }

  /// Of a bone's ends the one that is seen more poorly gives it its colour.
  @Test func aBoneIsAsSureAsItsPoorerEnd() throws {
    func poorPixels(_ bones: [StickFigure.Bone]) throws -> Int {
      let joints = [StickFigure.Joint(x: 0, y: 0, certainty: .sure), .init(x: 0, y: 1, certainty: .poor)]
      let moment = PosedMoment(time: 0, caption: "", figure: StickFigure(joints: joints, bones: bones))
      let chart = SkeletonStrip(clip: "c", source: "", moments: [moment])
      return try PNGFile(png(chart)).pixels.count { $0 == Picture.value(.worse) }
    }
    let joint = try poorPixels([])
    #expect(joint > 0)
    #expect(try poorPixels([.init(from: 0, to: 1)]) > joint + 50)
    #expect(try poorPixels([.init(from: 1, to: 0)]) > joint + 50)
  }

  /// Frames at 0 to 4 s, in which each joint is seen with a confidence of its own: above 0.7, from 0.5, from 0.3, less.
  @Test func momentsAreTheDetectorsRightAndWrongTurns() throws {
    let shown: [Joint: Float] = [
      .nose: 0.71, .leftShoulder: 0.7, .rightShoulder: 0.5, .leftHip: 0.49, .rightHip: 0.3, .leftKnee: 0.29,
    ]
    let frames = (0..<5).flatMap { _ in
      Joint.allCases.flatMap { joint -> [Float] in [0.5, 0.5, shown[joint] ?? 0] }
    }
    let poses = PoseSequence(
      Keypoints(
        times: (0..<5).map { Microseconds(frame: $0, rate: 1) }, keypointCount: Joint.count,
        channels: [.x, .y, .confidence], frames: frames),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
    let chart = ClipTimeline(
      clip: "c", source: "", signals: [],
      trueReps: [
        TimedRep(start: 0, end: 2, turn: 1, isMatched: true), TimedRep(start: 2, end: 4, turn: 3, isMatched: false),
      ],
      predictedReps: [
        TimedRep(start: 0, end: 2, turn: 1, isMatched: true), TimedRep(start: 1, end: 3, isMatched: false),
      ])
    let moments = Moments(poses: poses, bones: []).posed(in: chart)
    #expect(moments.map(\.caption) == ["rep 1", "invented rep 2", "true rep 2 missed"])
    #expect(moments.map(\.isWrong) == [false, true, true] && moments.map(\.time) == [1, 2, 3])
    let figure = try #require(moments.first).figure
    let seen: [(Joint, StickFigure.Certainty?)] = [
      (.nose, .sure), (.leftShoulder, .doubtful), (.rightShoulder, .doubtful), (.leftHip, .poor), (.rightHip, .poor),
      (.leftKnee, nil),
    ]
    for (joint, certainty) in seen { #expect(figure.joints[joint.index].certainty == certainty, "\(joint)") }
  }

  /// From the front the ears are 4 apart and the shoulders 10, from the side the ear is 3 from the nose; a head of 13
  /// joints is a nose alone.
  @Test func aHeadIsACircle() throws {
    func head(_ places: [Joint: (Double, Double)]) -> StickFigure.Head? {
      Moments.head(
        of: Joint.allCases.map { joint in
          let place = places[joint]
          return StickFigure.Joint(x: place?.0 ?? 0, y: place?.1 ?? 0, certainty: place == nil ? nil : .sure)
        })
    }
    let front = try #require(
      head([
        .nose: (0, 1), .leftEar: (2, 0), .rightEar: (-2, 0), .leftShoulder: (5, 6), .rightShoulder: (-5, 6),
        .neck: (0, 6),
      ]))
    // 0.75 · 4 = 3, 0.27 · 10 = 2.7, and √5 from ear to nose.
    #expect([front.x, front.y, front.radius] == [0, 0, 3] && front.neck == Joint.neck.index)
    let side = try #require(head([.nose: (3, 0), .rightEar: (0, 0)]))
    #expect([side.x, side.y, side.radius] == [1.5, 0, 3] && side.neck == nil)
    let alone = try #require(head([.nose: (0, 0), .leftShoulder: (10, 6), .rightShoulder: (-10, 6)]))
    #expect(abs(alone.radius - 5.4) < 1e-12)
    // A nose far from its ear: 0.35 of the longest bone, which is 10.
    let far = try #require(
      head([.nose: (9, 0), .rightEar: (0, 0), .rightShoulder: (0, 6), .rightHip: (0, 14), .rightKnee: (0, 24)]))
    #expect(abs(far.radius - 3.5) < 1e-12)
    #expect(head([.nose: (0, 0)]) == nil && head([.leftShoulder: (5, 6), .rightShoulder: (-5, 6)]) == nil)
  }

  /// The bone between two joints of the face is not drawn; the circle is, around them.
  @Test func aHeadHidesTheFace() throws {
    func pixels(_ head: StickFigure.Head?) throws -> Int {
      let joints = [(0.0, 0.0), (1, 0), (0.5, 4)].map { StickFigure.Joint(x: $0.0, y: $0.1, certainty: .poor) }
      let figure = StickFigure(joints: joints, bones: [.init(from: 0, to: 1)], head: head)
      let chart = SkeletonStrip(
        clip: "c", source: "", moments: [PosedMoment(time: 0, caption: "", figure: figure)])
      return try PNGFile(png(chart)).pixels.count { $0 == Picture.value(.neutral) }
    }
    #expect(try pixels(nil) == 0)
    #expect(
      try pixels(StickFigure.Head(x: 0.5, y: 0, radius: 0.6, certainty: .sure, face: [0, 1])) > 50)
  }

  /// A pose torn three times as high as the others' would leave each of them a third of their height.
  @Test func aPoseThatIsTornApartDoesNotShrinkTheOthers() throws {
    func moment(_ height: Double, _ time: Double) -> PosedMoment {
      let joints = [0, height].map { StickFigure.Joint(x: 0, y: $0, certainty: .sure) }
      return PosedMoment(time: time, caption: "m", figure: StickFigure(joints: joints, bones: [.init(from: 0, to: 1)]))
    }
    func height(_ heights: [Double]) throws -> Int {
      let strip = SkeletonStrip(clip: "c", source: "", moments: heights.enumerated().map { moment($1, Double($0)) })
      let file = try PNGFile(png(strip))
      // The first figure's column of pixels: the longest upright run of its colour.
      let wanted = Picture.value(.neutral)
      var longest = 0
      for x in 0..<(file.width / 4) {
        var run = 0
        for y in 0..<(file.pixels.count / file.width) {
          run = file.pixels[y * file.width + x] == wanted ? run + 1 : 0
          longest = max(longest, run)
        }
      }
      return longest
    }
    let alone = try height([1, 1, 1, 1])
    #expect(alone > 100)
    #expect(try height([1, 1, 1, 3]) == alone)
    // What is within twice the others is drawn in their scale.
    #expect(try height([1, 1, 1, 1.9]) < alone)
    let torn = SkeletonStrip(clip: "c", source: "", moments: [1, 1, 1, 3].enumerated().map { moment($1, Double($0)) })
    #expect(try Examples.texts(of: torn).count { $0 == "m, drawn smaller" } == 1)
  }

  @Test func theTimelineHoldsPhasesAndPoses() throws {
    let texts = try Examples.texts(of: Examples.posedTimeline)
    for text in ["phases", "down", "up", "deepest", "joint confidence high", "joint confidence low", "pose below"] {
      #expect(texts.contains(text), "\(text) in \(texts)")
    }
    let table = Examples.posedTimeline.table.text
    #expect(table.contains(["phase", "1", "0.00", "1.00", "n/a", "down"]))
    #expect(table.contains(["pose", "1", "1.00", "1.00", "n/a", "start"]))
  }

  @Test func twoSettingsShowWhatChanged() throws {
    #expect(
      Examples.pair.subtitle == "clip-1 · test · 1 clip of 4.0 s · 2 true reps · 1 → 2 predicted · 1 gained, 1 lost")
    #expect(
      Examples.pair.table.text == [
        ["lane", "number", "start (s)", "end (s)", "before", "after"],
        ["true", "1", "0.00", "2.00", "found", "missed"],
        ["true", "2", "2.00", "4.00", "missed", "found"], ["predicted", "2", "0.00", "1.00", "", "invented"],
      ])
    let texts = try Examples.texts(of: Examples.pair)
    for text in ["before", "after", "changed (2)", "found now", "no longer found"] { #expect(texts.contains(text)) }
    // Both signals are read on the scale of the one that goes further.
    var apart = Examples.pair
    apart.after.signal?.values[0] = 1000
    #expect(try Examples.texts(of: apart).count { $0 == "1000" } == 2)
    var strokes = Examples.pair
    strokes.kind = "stroke"
    #expect(try Examples.texts(of: strokes).contains("true stroke"))
    #expect(strokes.subtitle.contains("2 true strokes · 1 → 2 predicted"))
    var same = Examples.pair
    same.after.found = same.before.found
    #expect(try Examples.texts(of: same).contains("nothing"))
  }

  @Test func twoSettingsOfADetectorThatFindsNoRepsShowWhatTheySaid() throws {
    var chart = Examples.pair
    chart.kind = nil
    chart.after.cues = [TimedCue(time: 1, text: "go deeper")]
    chart.before.phases = [TimedPhase(start: 0, end: 4, name: "still")]
    #expect(chart.subtitle == "clip-1 · test · 1 clip of 4.0 s · 0 → 1 cues")
    let texts = try Examples.texts(of: chart)
    for text in ["true rep", "cues (0)", "cues (1)", "go deeper", "still"] { #expect(texts.contains(text), "\(text)") }
    #expect(!texts.contains { $0.contains("predicted") || $0.contains("changed") || $0.contains("found") })
    #expect(
      chart.table.text.dropFirst() == [
        ["true", "1", "0.00", "2.00", "", ""], ["true", "2", "2.00", "4.00", "", ""],
        ["phase", "1", "0.00", "4.00", "still", ""], ["cue", "1", "1.00", "1.00", "", "go deeper"],
      ])
  }

  /// Of 4 labelled seconds the first setting names 1 rightly and the second 3.
  @Test func twoSettingsOfStatesAreHeldAgainstLabels() throws {
    func setting(_ name: String, _ edge: Double) -> TimelinePair.Setting {
      .init(
        name: name, signal: nil, reps: [], found: [],
        phases: [TimedPhase(start: 0, end: edge, name: "low"), TimedPhase(start: edge, end: 4, name: "high")])
    }
    let pair = TimelinePair(
      clip: "plank", detector: "d", source: "test", duration: 4, kind: nil, trueReps: [],
      trueIntervals: [TimedPhase(start: 0, end: 4, name: "low")], before: setting("one", 1), after: setting("two", 3))
    #expect(pair.title == "1.0 → 3.0 of 4.0 s named as labelled")
    #expect(pair.subtitle == "plank, d · test · 1 clip of 4.0 s · 1.0 → 3.0 of 4.0 s named as labelled · 0 → 0 cues")
    #expect(pair.table.text[1] == ["labelled low", "1", "0.00", "4.00", "", ""])
    let texts = try Examples.texts(of: pair)
    #expect(texts.count { $0 == "labelled above, predicted below" } == 2)
    #expect(!texts.contains { $0.contains("rep") })
  }

  @Test func theSwingNamesItsPeakAndItsErrors() throws {
    #expect(Examples.swing.subtitle == "forehand-1 · test · 1 swing · 4 frames · 1 without the wrist")
    #expect(
      Examples.swing.table.text == [
        ["moment", "true (s)", "predicted (s)", "difference (s)"], ["start", "0.250", "0.500", "+0.250"],
        ["peak of speed", "n/a", "0.500", "n/a"], ["contact", "0.500", "0.750", "+0.250"],
        ["end", "1.000", "1.000", "0.000"],
      ])
    #expect(try Examples.texts(of: Examples.swing).contains("peak 12 at 0.50 s"))
  }

  @Test func aSwingWithoutAPartnerIsAnError() throws {
    #expect(try Examples.texts(of: Examples.swing).contains("predicted swing"))
    var chart = Examples.swing
    chart.truth = nil
    let invented = try Examples.texts(of: chart)
    #expect(invented.contains("predicted swing, invented") && !invented.contains("predicted swing"))
    (chart.truth, chart.prediction) = (Examples.swing.truth, nil)
    let missed = try Examples.texts(of: chart)
    #expect(missed.contains("true swing, missed") && !missed.contains("true swing"))
  }

  @Test func aSwingThatIsNotSeenSaysSo() throws {
    let chart = SwingChart(
      clip: "c", source: "", speed: SignalSeries(name: "s", unit: "", times: [], values: []),
      path: [.init(time: 0, x: .nan, y: 0)], figure: nil, truth: nil, prediction: nil)
    let texts = try Examples.texts(of: chart)
    #expect(texts.contains("no signal") && texts.contains("wrist not detected"))
  }
}
