import Datasets
import PoseModel
import RealModule
import Simulation
import Testing

struct PlankMotionTests {
  private static let generator = MotionGenerator(
    name: "test", exercises: [Plank()], seed: 1, subjects: 6, clipsPerSubject: 2)
  private static let motions = (0..<12).compactMap { generator.scene($0).motion as? PlankMotion }

  @Test func hipsAreWhereTheLabelSays() {
    #expect(Self.motions.count == 12)
    for motion in Self.motions {
      for interval in motion.groundTruth.intervals {
        let bend = motion.hipBend(at: (interval.start + interval.end) / 2)
        switch interval.label {
        case "correct": #expect(bend.magnitude < 4)
        case "hips_high": #expect(bend > 11 && bend < 31)
        case "hips_sag": #expect(bend < -7 && bend > -21)
        default: Issue.record("\(interval.label)")
        }
        let joints = motion.joints(at: (interval.start + interval.end) / 2)
        // The law of cosines at the middle of the hips.
        let ankle = (joints[.leftAnkle] + joints[.rightAnkle]) / 2
        let (a, b) = (joints[.neck].way(to: joints[.root]), joints[.root].way(to: ankle))
        let c = joints[.neck].way(to: ankle)
        let cosine = (a * a + b * b - c * c) / (2 * a * b)
        #expect(abs(cosine + Double.cos(bend * .pi / 180)) < 1e-6)
      }
    }
  }

  /// Each change is labelled in its middle, and holds follow each other without a gap.
  @Test func intervalsChangeWhereTheHipsDo() {
    for motion in Self.motions {
      for (one, next) in zip(motion.groundTruth.intervals, motion.groundTruth.intervals.dropFirst()) {
        #expect(one.end == next.start)
        let (before, at, after) = (
          motion.hipBend(at: one.end - 0.7), motion.hipBend(at: one.end), motion.hipBend(at: one.end + 0.7)
        )
        #expect(abs(at - (before + after) / 2) < 1)
      }
    }
  }

  @Test func elbowsAndToesStayWhereTheyAre() {
    for motion in Self.motions {
      let first = motion.joints(at: 0)
      for time in ExerciseScenes.times(0..<motion.duration) {
        let joints = motion.joints(at: time)
        for joint in [Joint.leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftToe, .rightToe, .leftAnkle] {
          #expect(first[joint].way(to: joints[joint]) < 1e-6, "\(joint) at \(time)")
        }
      }
    }
  }

  @Test func clipsHaveSeveralHoldsAndClipLevelFaults() {
    for position in 0..<12 {
      let clip = Self.generator.scene(position).clip()
      let isEmpty = position == 3
      #expect(clip.labels.intervals.isEmpty == isEmpty && clip.labels.faults.isEmpty == isEmpty)
      #expect(clip.labels.reps == nil && clip.labels.repCount == nil)
      #expect(isEmpty || clip.labels.intervals.count >= 3)
      #expect(clip.labels.faults.allSatisfy { $0.rep == nil })
    }
  }
}
