import Datasets
import Simulation

/// The squats as the committed sample holds them.
func squats(seed: UInt64, subjects: Int, clipsPerSubject: Int) -> MotionGenerator {
  MotionGenerator(
    name: "squat-sample", exercises: [Squat()], seed: seed, subjects: subjects, clipsPerSubject: clipsPerSubject,
    precision: .full)
}

/// A scene whose motion is that of squats.
struct SquatScene {
  let info: Clip.Info
  let motion: SquatMotion

  init?(_ scene: ClipScene) {
    guard let motion = scene.motion as? SquatMotion else { return nil }
    info = scene.info
    self.motion = motion
  }
}
