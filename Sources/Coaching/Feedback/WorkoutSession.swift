import PoseModel

/// A workout so far: reps, sets, time, accuracy, and feedback on the form.
///
/// - Source: the live trainer's WorkoutSession. Its accuracy is the share of correct frames; frames in which the person
///   is not visible enough are not judged.
public struct WorkoutSession: Hashable, Sendable {
  /// The severity of a feedback item.
  public enum Severity: String, Hashable, Sendable {
    /// Praise.
    case success
    /// A weaker effect: a squat that is not deep enough.
    case warning
    /// A risk to the body: a back that gives way.
    case error
  }

  /// A feedback item on the form.
  public struct FeedbackItem: Hashable, Sendable {
    /// Recording time of the frame that it is about.
    public var time: Microseconds
    /// The words.
    public var message: String
    /// The severity.
    public var severity: Severity
  }

  /// Reps that make a set.
  public let repsPerSet: Int
  /// Sets that make the workout.
  public let setCount: Int
  /// Reps so far, over all sets.
  public private(set) var reps = 0
  /// Feedback on the form, in time order.
  public private(set) var feedbackItems: [FeedbackItem] = []
  private var correctFrames = 0
  private var judgedFrames = 0
  private var start: Microseconds?
  private var last = Microseconds.zero

  /// - Precondition: Both are above 0.
  public init(repsPerSet: Int, setCount: Int) {
    precondition(repsPerSet > 0 && setCount > 0)
    self.repsPerSet = repsPerSet
    self.setCount = setCount
  }

  /// Completed sets, at most `setCount`.
  public var sets: Int { min(reps / repsPerSet, setCount) }

  /// Whether all sets are done.
  public var isComplete: Bool { sets == setCount }

  /// The time from the first frame to the last.
  public var duration: Microseconds { last - (start ?? last) }

  /// The share of judged frames that were correct, in percent; `nil` if none was judged.
  public var accuracy: Double? {
    judgedFrames > 0 ? 100 * Double(correctFrames) / Double(judgedFrames) : nil
  }

  /// Adds a frame, judged or not (`nil`).
  mutating func see(_ isCorrect: Bool?, at time: Microseconds) {
    if start == nil { start = time }
    last = time
    guard let isCorrect else { return }
    judgedFrames += 1
    if isCorrect { correctFrames += 1 }
  }

  /// Adds a rep; returns whether it completes a set of the workout.
  mutating func addRep() -> Bool {
    let before = sets
    reps += 1
    return sets > before
  }

  mutating func add(_ message: String, _ severity: Severity, at time: Microseconds) {
    feedbackItems.append(FeedbackItem(time: time, message: message, severity: severity))
  }
}
