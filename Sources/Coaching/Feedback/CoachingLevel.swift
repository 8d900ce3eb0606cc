/// For whom feedback is written: beginners get simple cues, advanced users technical details (AI coach guide).
public enum CoachingLevel: String, CaseIterable, Hashable, Sendable {
  case beginner, advanced
}
