import Coaching
import Foundation
import PoseModel
import Testing

/// Reps of a figure that moves from one posture to another, stays there for half a second, and comes back.
@Suite struct FormJudgeTests {
  /// 0 at the start of a rep, 1 at its turn: a second there, half a second at the turn, a second back, half a second's
  /// rest.
  private static func share(_ index: Int) -> Double {
    let time = Double(index % 90) / 30
    return time < 1 ? time : time < 1.5 ? 1 : max(0, 2.5 - time)
  }

  private func events<Form: JudgedExercise>(
    _ form: Form.Type, _ indices: [Int] = Array(0..<90), of frame: (Double) -> PoseFrame
  ) throws -> [Event] {
    var judge = LiveDetector(try FormJudge<Form>(replacing: [:]))
    return indices.flatMap { index in
      var posed = frame(Self.share(index))
      posed.time = Microseconds(frame: index, rate: 30)
      return judge.update(posed)
    }
  }

  private func squat(thigh: Double, trunk: Double, arms: Double) -> (Double) -> PoseFrame {
    { share in
      var frame = SideFigure(
        shank: 30 * share, thigh: -thigh * share, trunk: trunk * share, upperArm: arms, forearm: arms
      ).frame()
      frame.setHips(depth: 0)
      return frame
    }
  }

  /// A rep, its measures' distances from half way, and its faults.
  struct Case: Sendable {
    var rep: [Double]
    var distances: [Double]
    var faults: [String] = []

    init(_ rep: [Double], _ distances: [Double], _ faults: [String] = []) {
      (self.rep, self.distances, self.faults) = (rep, distances, faults)
    }

    /// The logistic of eight times the mean of the distances.
    func check(_ events: [Event], within tolerance: Double) {
      let grade = 100 / (1 + exp(8 * distances.reduce(0, +) / Double(distances.count)))
      #expect(events.grades.count == 1)
      #expect(abs((events.grades.first ?? .nan) - grade) < tolerance, "\(events.grades) for \(grade): \(rep)")
      #expect(events.faults == faults)
    }
  }

  /// Leans of thigh, trunk and arms. Half way is 94.5, 32.25 and 58°, and faulty reps are 13, 7.5 and 9° from sound ones.
  /// Arms that hang are not judged.
  @Test(arguments: [
    Case([101, 28.5, 53.5], [-0.5, -0.5, -0.5]), Case([130, 10, 20], [-0.5, -0.5, -0.5]),
    Case([88, 28.5, 53.5], [0.5, -0.5, -0.5]), Case([75, 28.5, 53.5], [1.5, -0.5, -0.5], ["shallow"]),
    Case([101, 62.25, 53.5], [-0.5, 3, -0.5], ["forward_lean"]),
    Case([101, 28.5, 103], [-0.5, -0.5, 3], ["arms_forward"]), Case([101, 28.5, 180], [-0.5, -0.5, 0]),
    Case([75, 39.75, 180], [1.5, 1, 0], ["shallow", "forward_lean"]),
  ])
  func squatsAreGraded(_ graded: Case) throws {
    let (thigh, trunk, arms) = (graded.rep[0], graded.rep[1], graded.rep[2])
    graded.check(try events(SquatForm.self, of: squat(thigh: thigh, trunk: trunk, arms: arms)), within: 0.1)
  }

  /// Shoulders that tilt by 10° are 6° over half way, of 3.2°; a trunk that stays and raised arms are sound.
  @Test(arguments: [Case([0], [-0.5, -0.5, -0.5]), Case([10], [1.875, -0.5, -0.5], ["shoulders_tilt"])])
  func lungesAreGraded(_ graded: Case) throws {
    let found = try events(LungeForm.self) { share in
      var frame = SideFigure(shank: 20 * share, thigh: -80 * share, upperArm: 40, forearm: 40).frame()
      let rise = Float(0.1 * tan(graded.rep[0] * share * .pi / 180))
      for (joints, side) in [
        ([Joint.leftHip, .leftShoulder, .leftWrist], Float(-1)), ([.rightHip, .rightShoulder, .rightWrist], 1),
      ] {
        for (joint, share) in zip(joints, [0, side, side]) {
          frame.set(joint, x: frame[joint, .x], y: frame[joint, .y] - rise * share, z: 0.1 * side, confidence: 1)
        }
      }
      return frame
    }
    graded.check(found, within: 0.1)
  }

  /// Two reps in a row, one whose beginning is missing, knees that bend by less than 20°, and half a rep.
  @Test(arguments: [(0..<180, 101.0, 2), (25..<90, 101, 1), (0..<90, -15, 0), (0..<50, 101, 0)])
  func everyRepIsJudgedOnce(_ frames: Range<Int>, _ thigh: Double, _ count: Int) throws {
    #expect(
      try events(SquatForm.self, Array(frames), of: squat(thigh: thigh, trunk: 28.5, arms: 53.5)).grades.count == count)
  }

  /// A squat with the trunk far forward, then one with all three measures sound: the logistic of 8 · 0.5.
  @Test func aRepIsJudgedByItself() throws {
    var frame = 0
    let found = try events(SquatForm.self, Array(0..<180)) { share in
      frame += 1
      return squat(thigh: 101, trunk: frame <= 90 ? 62.25 : 28.5, arms: 53.5)(share)
    }
    #expect(found.faults == ["forward_lean"] && found.grades.count == 2)
    #expect(abs((found.grades.last ?? .nan) - 100 / (1 + exp(-4))) < 0.1, "\(found.grades)")
  }

  /// Down and, after 3.7 s in which nothing is seen, half of the way up.
  @Test func aRepWithALongGapIsNotJudged() throws {
    let squat = squat(thigh: 101, trunk: 28.5, arms: 53.5)
    #expect(try events(SquatForm.self, Array(0..<40) + Array(150..<180), of: squat).isEmpty)
    #expect(try events(SquatForm.self, Array(0..<40) + Array(60..<90), of: squat).grades.count == 1)
  }

  @Test func nothingIsSaidOfSquatsWithoutDepth() throws {
    let squat = squat(thigh: 75, trunk: 28.5, arms: 53.5)
    let flat = try events(SquatForm.self) { share in
      var frame = squat(share)
      frame.setHips(depth: .nan)
      return frame
    }
    #expect(flat.isEmpty)
  }

  @Test func soundAndFaultyMustDiffer() {
    #expect(throws: ParameterError.contradiction("depthSound and depthFaulty (88.0) must differ")) {
      try FormJudge<SquatForm>(replacing: ["depthSound": 88])
    }
  }
}
