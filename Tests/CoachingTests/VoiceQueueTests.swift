import Coaching
import PoseModel
import Testing

@Suite struct VoiceQueueTests {
  /// A word takes half a second.
  private var queue = VoiceQueue(wordsPerMinute: 120, patience: Microseconds(2_000_000))

  private func seconds(_ seconds: Double) -> Microseconds { Microseconds(Int64(seconds * 1e6)) }

  @Test mutating func aCueIsSaidAtOnceWhereNothingElseIs() {
    queue.add(Cue("One", .low), at: .zero)
    #expect(queue.next(at: .zero)?.text == "One")
    #expect(queue.next(at: .zero) == nil)
  }

  @Test mutating func theMoreImportantInterrupts() {
    queue.add(Cue("Great form, go on like this", .low), at: .zero)
    _ = queue.next(at: .zero)
    queue.add(Cue("Lift your hips", .high), at: seconds(0.5))
    #expect(queue.next(at: seconds(0.5))?.text == "Lift your hips")
    // What was interrupted is lost.
    #expect(queue.next(at: seconds(5)) == nil)
  }

  /// Three words are said in one and a half seconds.
  @Test mutating func theLessImportantWaitsForItsTurn() {
    queue.add(Cue("Lift your hips", .high), at: .zero)
    _ = queue.next(at: .zero)
    queue.add(Cue("Three", .low), at: seconds(0.1))
    queue.add(Cue("Set complete!", .normal), at: seconds(0.2))
    #expect(queue.next(at: seconds(1.4)) == nil)
    #expect(queue.next(at: seconds(1.5))?.text == "Set complete!")
    #expect(queue.next(at: seconds(2.05)) == nil)
    // The count has waited for longer than two seconds when the set's two words are over.
    #expect(queue.next(at: seconds(2.5)) == nil)
  }

  @Test mutating func theSameIsNotTakenTwice() {
    queue.add(Cue("Lift your hips", .high), at: .zero)
    _ = queue.next(at: .zero)
    queue.add(Cue("Lift your hips", .high), at: seconds(0.5))
    #expect(queue.next(at: seconds(1.6)) == nil)
    queue.add(Cue("Lift your hips", .high), at: seconds(1.7))
    #expect(queue.next(at: seconds(1.7))?.text == "Lift your hips")
  }

  @Test func everyPatternsTapsCanBeToldApart() {
    for pattern in HapticPattern.allCases {
      let times = pattern.pulses.map(\.time)
      #expect(times.first == .zero)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= Microseconds(30_000) }, "\(pattern)")
      #expect(pattern.pulses.allSatisfy { (0...1).contains($0.intensity) && (0...1).contains($0.sharpness) })
    }
    #expect(HapticPattern.setCompleted.pulses.count == 2)
  }
}
