/// What a detector is held to on generated motion, from one view and at one setting.
struct FormClaim: Sendable, CustomStringConvertible {
  var detector: String
  var view: TrueRecording.View
  /// `nil` for the defaults, which are the documents' own.
  var preset: String?
  /// Faults that it reports in at least three of four reps that have them.
  var sees: Set<String> = []
  /// Faults that it has a name for and does not report in most reps even at their worst, with the reason.
  var misses: [String: String] = [:]
  /// Faults that it reports in perfect form too, with the reason; it reports no other there.
  var criesWolf: [String: String] = [:]
  /// Why it does not count the reps of perfect form exactly; `nil` where it does.
  var miscounts: String?

  var description: String { [detector, view.rawValue, preset].compactMap { $0 }.joined(separator: " ") }

  /// Faults that detectors know and the generator can't act out: tempo, balance, where a bar or a lifter stands.
  static let notGenerated: [String: Set<String>] = [
    "coach-squat": ["rushed", "off_balance"], "coach-deadlift": ["shoulders_off_bar", "feet_wide"],
    "coach-live-deadlift": ["feet_wide"], "coach-bench-press": ["bar_drift"],
  ]

  private static let level = "it asks for level thighs; those of the generator's perfect squat are 18° short of it"
  private static let fromAside = "seen from between front and side, the two arms look different"
  private static let tooSmall = "with it a movement is too small to be a rep"
  private static let small = "its threshold lies beyond the generator's worst"

  static let all: [FormClaim] = [
    FormClaim(
      detector: "coach-squat", view: .side, sees: ["forward_lean"],
      misses: [
        "knee_forward": "it takes the mean of the shanks' lean over the low part of a squat", "shallow": tooSmall,
      ],
      criesWolf: ["shallow": level]),
    FormClaim(
      detector: "coach-squat", view: .front, sees: ["knee_valgus"], criesWolf: ["shallow": level]),
    FormClaim(
      detector: "coach-live-squat", view: .side, sees: ["forward_lean"],
      misses: ["knee_forward": "a shank that leans by 46° is no issue yet"]),
    FormClaim(detector: "coach-live-squat", view: .front, sees: ["knee_valgus"]),
    FormClaim(
      detector: "coach-deadlift", view: .side, sees: ["no_lockout"],
      misses: [
        "rounded_back": "keypoints have nothing between shoulder and hip", "bar_drift": small, "hips_first": small,
      ]),
    FormClaim(
      detector: "coach-live-deadlift", view: .side,
      misses: ["rounded_back": "keypoints have nothing between shoulder and hip", "bar_drift": small]),
    FormClaim(
      detector: "coach-bench-press", view: .side, sees: ["shallow"],
      misses: [
        "uneven": "from the side one arm hides the other's height",
        "no_lockout": "at its worst the arms do not get back to where a press is over",
      ]),
    FormClaim(
      detector: "coach-bench-press", view: .oblique, sees: ["elbow_flare"], criesWolf: ["uneven": fromAside]),
    FormClaim(
      detector: "coach-live-bench-press", view: .front, sees: ["uneven"],
      criesWolf: ["elbow_flare": "from the front a hanging elbow looks as far from the trunk as a flared one"]),
    FormClaim(
      detector: "coach-live-bench-press", view: .oblique, preset: "steady", sees: ["elbow_flare"],
      criesWolf: ["uneven": fromAside]),
    FormClaim(
      detector: "live-squat", view: .side, sees: ["shallow"],
      criesWolf: ["shallow": "every frame is judged: who stands is told to get deeper"]),
    FormClaim(
      detector: "live-squat", view: .side, preset: "corrected", sees: ["shallow"], criesWolf: ["shallow": level]),
    FormClaim(
      detector: "live-push-up", view: .side, sees: ["hips_sag", "hips_high"], misses: ["shallow": tooSmall],
      criesWolf: ["shallow": "elbows that point outwards look less bent than they are"]),
    FormClaim(
      detector: "live-lunge", view: .side, sees: ["forward_lean"],
      misses: [
        "shallow": "the rear knee still bends to about 100°",
        "knee_forward": "it means knees past the toes; the generator's worst are 5 cm behind them",
      ]),
    FormClaim(detector: "squat-states", view: .side),
    FormClaim(
      detector: "squat-posture", view: .side, sees: ["shallow", "forward_lean", "knee_forward"],
      criesWolf: [
        "forward_lean": "a sound squat leans by more than the document's 20°",
        "knee_forward": "knees of a sound squat travel by more than the document's 0.05 of the image",
      ]),
    FormClaim(
      detector: "exercise-squat", view: .side, sees: ["shallow", "forward_lean"],
      misses: ["knee_forward": small]),
    FormClaim(
      detector: "exercise-squat", view: .oblique, sees: ["knee_valgus"],
      criesWolf: ["shallow": "a knee's angle looks wider than it is"],
      miscounts: "a knee's angle looks wider than it is"),
    FormClaim(
      detector: "exercise-push-up", view: .side,
      sees: ["shallow", "hips_sag", "hips_high", "no_lockout"]),
    FormClaim(
      detector: "exercise-lunge", view: .side, sees: ["forward_lean"],
      misses: [
        "knee_forward": "it means knees past the toes; the generator's worst are 5 cm behind them"
      ]),
    FormClaim(detector: "exercise-lunge", view: .front, sees: ["shallow"]),
    FormClaim(
      detector: "exercise-deadlift", view: .side, sees: ["no_lockout"],
      misses: [
        "rounded_back": "a back that is rounded by 75° is only a fourteenth shorter", "bar_drift": small,
        "hips_first": small,
      ]),
    FormClaim(
      detector: "exercise-bench-press", view: .oblique, sees: ["shallow", "no_lockout", "elbow_flare"],
      misses: ["uneven": "it means a bar that leans by 20°; the generator's worst leans by 10°"]),
    FormClaim(
      detector: "exercise-pull-up", view: .side, sees: ["shallow", "no_lockout"],
      misses: ["swinging": "it means 30° of swing; the generator's worst has 28°"]),
    FormClaim(detector: "exercise-sit-up", view: .side, sees: ["shallow"]),
    FormClaim(detector: "exercise-jumping-jack", view: .front, sees: ["feet_narrow"], misses: ["arms_low": tooSmall]),
    FormClaim(
      detector: "exercise-front-raise", view: .side, sees: ["shallow"],
      misses: ["swinging": "it means 15° of the trunk; the generator's worst leans back by 13°"]),
    FormClaim(
      detector: "exercise-shoulder-press", view: .side, sees: ["shallow", "no_lockout"],
      misses: ["leaning_back": "it means 20° of the trunk; the generator's worst leans back by 14°"]),
    FormClaim(
      detector: "exercise-biceps-curl", view: .side, sees: ["shallow", "elbow_forward"],
      misses: ["leaning_back": "it means 15° of the trunk; the generator's worst leans back by 13°"]),
  ]
}
