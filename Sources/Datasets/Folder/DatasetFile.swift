/// The files at the top of a dataset folder.
enum DatasetFile: String, CaseIterable {
  case manifest = "dataset.yaml"
  case clips = "clips.csv"
  case reps = "reps.csv"
  case events = "events.csv"
  case intervals = "intervals.csv"
  case grades = "grades.csv"
  case faults = "faults.csv"

  /// The columns in the order in which they are written.
  var columns: [String] { requiredColumns + optionalColumns }

  var requiredColumns: [String] {
    switch self {
    case .manifest: []
    case .clips: ["clip", "subject", "exercise", "view", "fps", "split", "poses"]
    case .reps: ["clip", "rep", "start_s", "end_s"]
    case .events: ["clip", "time_s", "label"]
    case .intervals: ["clip", "start_s", "end_s", "label"]
    case .grades: ["clip", "rep", "rater", "criterion", "grade"]
    case .faults: ["clip", "rep", "rater", "fault", "present"]
    }
  }

  var optionalColumns: [String] {
    switch self {
    case .clips: ["rep_count"]
    case .reps: ["turn_s"]
    default: []
    }
  }
}
