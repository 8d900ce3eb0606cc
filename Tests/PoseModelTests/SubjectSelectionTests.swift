import PoseModel
import Testing

/// People of a trunk of 0.2 image heights, at 20 frames a second.
@Suite struct SubjectSelectionTests {
  private func person(_ x: Double, score: Float = 0.8, trunk: Float = 0.2) -> DetectedPerson {
    var frame = PoseFrame()
    let x = Float(x)
    for (joint, dx, dy) in [
      (Joint.nose, Float(0), Float(-1.4)), (.leftShoulder, 0.4, -1), (.rightShoulder, -0.4, -1), (.leftHip, 0.3, 0),
      (.rightHip, -0.3, 0), (.leftAnkle, 0.3, 1.7), (.rightAnkle, -0.3, 1.7),
    ] {
      frame.set(joint, x: x + dx * trunk, y: 0.5 + dy * trunk)
    }
    frame.setMidpoints()
    return DetectedPerson(pose: frame, score: score)
  }

  private func time(_ frame: Int) -> Microseconds { Microseconds(frame: frame, rate: 20) }

  @Test func beginsWithTheMostConfident() {
    var selection = SubjectSelection()
    #expect(selection.update([person(0.2, score: 0.1)], at: time(0)) == SubjectSelection.Choice())
    let choice = selection.update([person(0.2, score: 0.5), person(0.8, score: 0.9)], at: time(1))
    #expect(choice == SubjectSelection.Choice(index: 1, change: .found))
    // From then on the nearest, however sure the estimator is of the other.
    #expect(selection.update([person(0.21, score: 0.9), person(0.8, score: 0.3)], at: time(2)).index == 1)
  }

  @Test func tiesGoToTheLargerThenToTheFirst() {
    var selection = SubjectSelection()
    #expect(selection.update([person(0.2), person(0.8, trunk: 0.3)], at: time(0)).index == 1)
    var equal = SubjectSelection()
    #expect(equal.update([person(0.2), person(0.8)], at: time(0)).index == 0)
    // Both as far from where the subject was: the surer one, then the first.
    var between = SubjectSelection()
    _ = between.update([person(0.5)], at: time(0))
    #expect(between.update([person(0.4375, score: 0.4), person(0.5625, score: 0.6)], at: time(1)).index == 1)
    var same = SubjectSelection()
    _ = same.update([person(0.5)], at: time(0))
    #expect(same.update([person(0.4375), person(0.5625)], at: time(1)).index == 0)
  }

  /// One walks right, one left, through each other, in an order of the list that changes with every frame.
  @Test func twoPeopleCross() {
    var selection = SubjectSelection()
    for frame in 0...20 {
      let place = 0.2 + 0.03 * Double(frame)
      let (subject, other) = (person(place, score: 0.9), person(1 - place, score: 0.7))
      let isFirst = frame % 2 == 0
      let choice = selection.update(isFirst ? [subject, other] : [other, subject], at: time(frame))
      #expect(choice.index == (isFirst ? 0 : 1), "frame \(frame)")
    }
    #expect(selection.counts.changes == 0)
    #expect(selection.counts.crowded == 21)
    #expect(selection.counts.missing == 0)
  }

  /// While they cross, the estimator sees only one of them for four frames (0.2 s), and which of the two it is shows only in its way.
  @Test func oneHidesTheOther() {
    var selection = SubjectSelection()
    for frame in 0...20 {
      let place = 0.2 + 0.03 * Double(frame)
      let (subject, other) = (person(place, score: 0.9), person(1.02 - place, score: 0.7))
      let people = 9...12 ~= frame ? [other] : [other, subject]
      let choice = selection.update(people, at: time(frame))
      let expected = 9...12 ~= frame ? nil : 1
      #expect(choice.index == expected, "frame \(frame)")
    }
    #expect(selection.counts.missing == 4)
    #expect(selection.counts.losses == 0)
  }

  @Test func oneLeavesAndTheOtherIsNotTakenBeforeThePatienceRanOut() {
    var selection = SubjectSelection()
    for frame in 0..<10 { _ = selection.update([person(0.2, score: 0.9), person(0.9)], at: time(frame)) }
    // Last seen in frame 9, 0.45 s; patience runs out after 1.45 s, frame 29.
    for frame in 10...29 {
      #expect(selection.update([person(0.9)], at: time(frame)) == SubjectSelection.Choice(), "frame \(frame)")
    }
    #expect(selection.update([person(0.9)], at: time(30)) == SubjectSelection.Choice(index: 0, change: .changed))
    let counts = SubjectSelection.Counts(frames: 31, crowded: 10, missing: 20, losses: 1, changes: 1)
    #expect(selection.counts == counts)
  }

  @Test func aSubjectThatComesBackInTimeIsTheSame() {
    var selection = SubjectSelection()
    _ = selection.update([person(0.2)], at: time(0))
    for frame in 1...15 { _ = selection.update([DetectedPerson](), at: time(frame)) }
    #expect(selection.update([person(0.25)], at: time(16)) == SubjectSelection.Choice(index: 0))
    #expect(selection.counts.missing == 15)
    #expect(selection.counts.losses == 0)
  }

  @Test func aSubjectThatStaysAwayIsLostOnce() {
    var selection = SubjectSelection()
    _ = selection.update([person(0.2)], at: time(0))
    let changes = (1...60).compactMap { selection.update([DetectedPerson](), at: time($0)).change }
    #expect(changes == [.lost])
    #expect(selection.counts.losses == 1)
  }

  /// 0.9 trunks of 0.2 are 0.18.
  @Test func nobodyBeyondTheLimitIsTheSubject() {
    var near = SubjectSelection()
    _ = near.update([person(0.2)], at: time(0))
    #expect(near.update([person(0.37)], at: time(1)).index == 0)
    var far = SubjectSelection()
    _ = far.update([person(0.2)], at: time(0))
    #expect(far.update([person(0.39)], at: time(1)).index == nil)
  }

  @Test func peopleWithoutAScoreOfTheirOwnGetTheirKeypoints() {
    let person = DetectedPerson(pose: person(0.5).pose)
    // Seven of COCO's 17 keypoints at 1.
    #expect(abs(person.score - 7.0 / 17) < 1e-6)
  }

  @Test func aFrameOfAnySkeletonIsAPose() {
    let values = Skeleton.openPose18.keypoints.indices.flatMap { index -> [Float] in
      [Float(index) * 10, Float(index), 1]
    }
    let frame = PoseFrame(
      values, channels: [.x, .y, .confidence], at: time(3), skeleton: .openPose18,
      coordinates: CoordinateSystem(unit: .pixel(height: 100), yAxis: .down))
    #expect(frame.time == time(3))
    #expect(abs(frame[.leftKnee, .x] - 1.2) < 1e-6)
  }
}
