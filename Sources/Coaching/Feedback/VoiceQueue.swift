import PoseModel

/// Schedules a voice: one cue at a time, the most important first.
///
/// A cue interrupts one of lower priority, which is then lost; otherwise it waits its turn. A cue that has waited
/// longer than the patience is dropped, because the person is doing something else by then. A waiting cue is not added
/// twice.
///
/// - Source: the live trainer's VoiceFeedbackManager: a queue of high, normal and low priority with interruption. It
///   leaves open how long speech lasts and how long a cue may wait.
public struct VoiceQueue: Sendable {
  private struct Waiting {
    var cue: Cue
    var since: Microseconds
  }

  /// The speaking time per word.
  private let perWord: Microseconds
  private let patience: Microseconds
  /// The most important first; equal ones in order of arrival.
  private var waiting: [Waiting] = []
  private var speaking: (cue: Cue, end: Microseconds)?

  /// - Parameters:
  ///   - wordsPerMinute: Above 0.
  ///   - patience: How long a cue may wait for its turn.
  public init(wordsPerMinute: Double, patience: Microseconds) {
    perWord = Microseconds(Int64((60e6 / wordsPerMinute).rounded()))
    self.patience = patience
    waiting.reserveCapacity(8)
  }

  /// Adds a cue to be said now.
  public mutating func add(_ cue: Cue, at time: Microseconds) {
    guard !waiting.contains(where: { $0.cue.text == cue.text }), speaking?.cue.text != cue.text || !isSpeaking(time)
    else { return }
    let place = waiting.firstIndex { $0.cue.priority < cue.priority } ?? waiting.endIndex
    waiting.insert(Waiting(cue: cue, since: time), at: place)
  }

  /// The cue that starts at this time, if any.
  public mutating func next(at time: Microseconds) -> Cue? {
    var index = 0
    while index < waiting.count {
      if time - waiting[index].since > patience { waiting.remove(at: index) } else { index += 1 }
    }
    guard !waiting.isEmpty else { return nil }
    let cue = waiting[0].cue
    if let speaking, isSpeaking(time), speaking.cue.priority >= cue.priority { return nil }
    waiting.remove(at: 0)
    speaking = (cue, time + duration(of: cue))
    return cue
  }

  private func isSpeaking(_ time: Microseconds) -> Bool { speaking.map { time < $0.end } ?? false }

  private func duration(of cue: Cue) -> Microseconds {
    let words = cue.text.split(separator: " ").count
    return Microseconds(perWord.count * Int64(words))
  }
}

/// A coach's message to a person.
public struct Cue: Hashable, Sendable {
  /// The importance of a cue: of two waiting cues, the more important is spoken.
  public enum Priority: Int, Hashable, Comparable, Sendable {
    /// From the least to the most important.
    case low, normal, high

    /// Whether `a` is less important than `b`.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The text to say.
  public var text: String
  /// The importance.
  public var priority: Priority
  /// The fault that it corrects, by its name in labels; `nil` for praise, counts and guidance.
  public var fault: String?

  public init(_ text: String, _ priority: Priority, fault: String? = nil) {
    self.text = text
    self.priority = priority
    self.fault = fault
  }
}

/// Limits how often a coach talks: after one cue, none for a while.
struct CueCooldown: Sendable {
  private let interval: Microseconds
  private var last: Microseconds?

  /// - Parameter interval: The shortest time between two cues.
  init(_ interval: Microseconds) { self.interval = interval }

  /// Whether a cue may be said now; if so, it counts as said.
  mutating func allows(_ time: Microseconds) -> Bool {
    if let last, time - last < interval { return false }
    last = time
    return true
  }
}
