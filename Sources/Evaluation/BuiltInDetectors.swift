import Coaching

extension DetectorRegistry {
  /// The detectors that come with this package, by the document that they are from.
  public static let builtIn = DetectorRegistry([
    // The AI coach guide.
    PoseQuality.self, CoachSquat.self, CoachDeadlift.self, CoachBenchPress.self, LiveCoach<SquatAnalysis>.self,
    LiveCoach<DeadliftAnalysis>.self, LiveCoach<BenchPressAnalysis>.self,
    // The live trainer architecture.
    LiveTrainer<LiveSquat>.self, LiveTrainer<LivePlank>.self, LiveTrainer<LivePushUp>.self,
    LiveTrainer<LiveLunge>.self,
    // The squat form analyser.
    SquatStates.self, SquatPosture.self, DistanceGuide.self,
    // The tennis architecture.
    SwingStates.self, SwingPeaks.self,
    // The MoveNet pose tracker.
    PoseClassifier.self,
  ])
}
