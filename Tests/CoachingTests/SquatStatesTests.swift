import Coaching
import PoseModel
import Testing

@Suite struct SquatStatesTests {
  /// Feeds knee angles at 10 frames a second and collects what is said.
  func events(_ angles: [Double], replacing: [String: Double] = [:], fps: Double = 10) throws -> [Event] {
    var detector = LiveDetector(try SquatStates(replacing: replacing))
    return angles.enumerated().flatMap { index, angle in
      detector.update(
        angle.isNaN
          ? PoseFrame(time: Microseconds(frame: index, rate: fps))
          : StickFigure(knee: angle).frame(at: Double(index) / fps))
    }
  }

  func reps(_ events: [Event]) -> [Rep] {
    events.compactMap { if case .rep(let rep) = $0.kind { rep } else { nil } }
  }

  func phases(_ events: [Event]) -> [String] {
    events.compactMap { if case .phase(let phase) = $0.kind { phase } else { nil } }
  }

  /// The document's own test: 150° descends from standing, then 80°, 120° and 170° make one rep.
  @Test func theDocumentsExample() throws {
    var counter = LiveDetector(try SquatStates(replacing: [:]))
    _ = counter.update(StickFigure(knee: 150).frame(at: 0))
    #expect(counter.base.phase == "descending")
    for (index, angle) in [80.0, 120, 170].enumerated() {
      _ = counter.update(StickFigure(knee: angle).frame(at: Double(index + 1)))
    }
    #expect(counter.base.repCount == 1)
  }

  /// Of 30 frames a second every third is 0.1 s after the last and every second 0.0667 s: the document's 0.067 s passes
  /// over two of three where it means one of two. So a bottom of two frames is seen by the one and not by the other.
  @Test func theAppsIntervalProcessesTenFramesASecond() throws {
    let angles = [175.0, 150, 120, 100, 85, 85, 100, 130, 150, 170, 170, 170, 170]
    func count(_ preset: String) throws -> Int {
      let values = try #require(SquatStates.presets.first { $0.name == preset }).values
      return reps(try events(angles, replacing: values, fps: 30)).count
    }
    #expect(reps(try events(angles, fps: 30)).count == 1)
    // Frames 0, 2, 4 … with a bottom at 4; frames 0, 3, 6 … pass it.
    #expect(try count("15-fps") == 1)
    #expect(try count("app") == 0)
  }

  @Test func aRepSaysWhenItBeganTurnedAndEnded() throws {
    let found = try events([175, 140, 85, 70, 100, 150, 165, 170])
    #expect(phases(found) == ["descending", "bottom", "ascending", "standing"])
    let rep = try #require(reps(found).first)
    #expect(rep == Rep(start: Microseconds(100_000), end: Microseconds(600_000), turn: Microseconds(300_000)))
    #expect(reps(found).count == 1)
    #expect(found.allSatisfy { $0.reported >= $0.time })
  }

  @Test func aSquatThatTurnsBeforeTheBottomDoesNotCount() throws {
    #expect(reps(try events([175, 130, 95, 91, 120, 165])).isEmpty)
    #expect(reps(try events([175, 130, 95, 89, 120, 165])).count == 1)
  }

  @Test func thresholdsAreParameters() throws {
    #expect(reps(try events([175, 130, 95, 91, 120, 165], replacing: ["bottomAngle": 92])).count == 1)
    #expect(reps(try events([175, 80, 150, 155], replacing: ["standingAngle": 151])).count == 1)
  }

  /// Around 160° and 90° the angle jitters by less than the hysteresis.
  @Test func jitterAroundAThresholdTogglesNothing() throws {
    let jitter = try events([175, 161, 158, 162, 157, 161, 150, 88, 92, 87, 93, 89, 120, 161, 158, 163])
    #expect(phases(jitter) == ["descending", "bottom", "ascending", "standing"])
    #expect(reps(jitter).count == 1)
  }

  /// Two squats whose ends are 0.4 s apart: the second comes within the cooldown of 0.5 s.
  @Test func aRepWithinTheCooldownDoesNotCount() throws {
    let angles = [175.0, 80, 170, 80, 80, 80, 170]
    #expect(reps(try events(angles)).count == 1)
    #expect(reps(try events(angles, replacing: ["cooldown": 0.4])).count == 2)
  }

  @Test func bouncingAtTheBottomIsOneRep() throws {
    #expect(reps(try events([175, 85, 110, 85, 110, 85, 165])).count == 1)
  }

  @Test func framesWithoutAPersonChangeNothing() throws {
    #expect(reps(try events([175, .nan, 85, .nan, .nan, 120, .nan, 165])).count == 1)
    #expect(try events([.nan, .nan]).isEmpty)
  }

  @Test func jointsAtOrBelowTheConfidenceAreNotLookedAt() throws {
    var detector = LiveDetector(try SquatStates(replacing: [:]))
    var figure = StickFigure(knee: 80)
    figure.confidence = 0.3
    #expect(detector.update(figure.frame(at: 0)).isEmpty)
    figure.confidence = 0.31
    #expect(!detector.update(figure.frame(at: 0.1)).isEmpty)
  }

  @Test func valuesThatDoNotGoTogetherAreRefused() {
    #expect(throws: ParameterError.self) { try SquatStates(replacing: ["bottomAngle": 155]) }
    #expect(
      throws: ParameterError.unknown(
        "botomAngle",
        known: [
          "standingAngle", "bottomAngle", "hysteresis", "cooldown", "minimumConfidence", "usesDepth",
          "processingInterval",
        ])
    ) { try SquatStates(replacing: ["botomAngle": 80]) }
    #expect(throws: ParameterError.self) { try SquatStates(replacing: ["bottomAngle": .nan]) }
    #expect(throws: ParameterError.self) { try SquatStates(replacing: ["usesDepth": 0.5]) }
  }

  @Test func errorsSayWhatIsAllowed() throws {
    let error = #expect(throws: ParameterError.self) { try SquatStates(replacing: ["bottomAngle": 300]) }
    #expect(error?.description == "bottomAngle takes 20.0 to 170.0 degrees, found 300.0")
  }
}
