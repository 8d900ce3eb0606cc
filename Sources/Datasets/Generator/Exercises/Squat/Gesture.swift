/// Arms that go to one posture and back, then to another, and so on in turn.
struct Gesture: Hashable, Sendable {
  var first: Arms
  var second: Arms
  var cycles: Int
  var duration: Double

  func arms(at time: Double, rest: Arms) -> Arms {
    let cycle = time / duration * Double(cycles)
    let index = min(Int(cycle), cycles - 1)
    let peak = index % 2 == 0 ? first : second
    return .blend(rest, peak, MinimumJerk.bump(cycle - Double(index)))
  }
}
