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
  var description: String { [detector, view.rawValue, preset].compactMap { $0 }.joined(separator: " ") }

  private static let fromAside = "seen from between front and side, the two arms look different"
  private static let rounded =
    "keypoints have nothing between shoulder and hip, which a back rounded by 75° brings 7 % closer"

  static let all: [FormClaim] = [
    FormClaim(
      detector: "coach-squat", view: .side, sees: ["shallow", "forward_lean", "knee_forward", "rushed"]),
    FormClaim(detector: "coach-squat", view: .front, sees: ["knee_valgus", "off_balance"]),
    FormClaim(detector: "coach-live-squat", view: .side, sees: ["forward_lean", "knee_forward"]),
    FormClaim(detector: "coach-live-squat", view: .front, sees: ["knee_valgus"]),
    FormClaim(
      detector: "coach-deadlift", view: .side, sees: ["no_lockout", "bar_drift", "hips_first", "shoulders_off_bar"],
      misses: ["rounded_back": rounded]),
    FormClaim(detector: "coach-deadlift", view: .oblique, sees: ["feet_wide"]),
    FormClaim(
      detector: "coach-live-deadlift", view: .side, sees: ["bar_drift"], misses: ["rounded_back": rounded]),
    FormClaim(detector: "coach-live-deadlift", view: .oblique, sees: ["feet_wide"]),
    FormClaim(detector: "coach-bench-press", view: .side, sees: ["shallow", "no_lockout", "uneven", "bar_drift"]),
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
    FormClaim(detector: "live-squat", view: .side, preset: "corrected", sees: ["shallow"]),
    FormClaim(detector: "live-push-up", view: .side, sees: ["shallow", "hips_sag", "hips_high"]),
    FormClaim(detector: "live-lunge", view: .side, sees: ["shallow", "knee_forward", "forward_lean"]),
    FormClaim(detector: "squat-states", view: .side),
    FormClaim(detector: "squat-states", view: .oblique),
    FormClaim(
      detector: "squat-posture", view: .side, sees: ["shallow", "forward_lean", "knee_forward"],
      criesWolf: [
        "forward_lean": "a sound squat leans by more than the document's 20°",
        "knee_forward": "knees of a sound squat travel by more than the document's 0.05 of the image",
      ]),
    FormClaim(
      detector: "squat-posture", view: .side, preset: "corrected", sees: ["shallow", "forward_lean", "knee_forward"]),
    FormClaim(detector: "exercise-squat", view: .side, sees: ["shallow", "forward_lean", "knee_forward"]),
    FormClaim(detector: "exercise-squat", view: .oblique, sees: ["knee_valgus"]),
    FormClaim(
      detector: "exercise-push-up", view: .side,
      sees: ["shallow", "hips_sag", "hips_high", "no_lockout"]),
    FormClaim(detector: "exercise-lunge", view: .side, sees: ["shallow", "knee_forward", "forward_lean"]),
    FormClaim(detector: "exercise-lunge", view: .front),
    FormClaim(
      detector: "exercise-deadlift", view: .side, sees: ["no_lockout", "bar_drift", "hips_first"],
      misses: ["rounded_back": rounded]),
    FormClaim(
      detector: "exercise-bench-press", view: .oblique, sees: ["shallow", "no_lockout", "uneven", "elbow_flare"]),
    FormClaim(detector: "exercise-pull-up", view: .side, sees: ["shallow", "no_lockout", "swinging"]),
    FormClaim(detector: "exercise-sit-up", view: .side, sees: ["shallow"]),
    FormClaim(detector: "exercise-jumping-jack", view: .front, sees: ["feet_narrow", "arms_low"]),
    FormClaim(detector: "exercise-front-raise", view: .side, sees: ["shallow", "swinging"]),
    FormClaim(detector: "exercise-shoulder-press", view: .side, sees: ["shallow", "no_lockout", "leaning_back"]),
    FormClaim(detector: "exercise-biceps-curl", view: .side, sees: ["shallow", "elbow_forward", "leaning_back"]),
  ]
}
