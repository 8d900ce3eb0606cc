import Datasets
import PoseModel
import RealModule

/// When something that comes and goes is there: for a share of the time, in bursts.
///
/// A Markov chain of two states in continuous time, so that bursts last as long at any frame rate: their lengths, and
/// those of the times between, are exponential. It begins as it would be found at any other time.
///
/// Source: Gilbert, Capacity of a Burst-Noise Channel, Bell System Technical Journal 39, 1960, who has the same two states
/// step by step.
struct Bursts: Sendable {
  /// Of the time, 0...1.
  let share: Double
  /// Of one burst, in seconds.
  let meanLength: Double
  private var isThere = false
  private var last: Microseconds?

  init(share: Double, meanLength: Double) {
    self.share = share
    self.meanLength = meanLength
  }

  /// Whether it is there at a time, which is later than the last that was asked for.
  mutating func isThere(
    at time: Microseconds, using generator: inout Datasets.SeededGenerator
  ) -> Bool {
    let draw = generator.unit()
    guard share > 0, share < 1 else { return share >= 1 }
    var chance = share
    if let last {
      // What is left of a state after a while: both rates together, 1 / length and share / (1 − share) / length.
      let memory = Double.exp(-(time - last).seconds / (meanLength * (1 - share)))
      chance = isThere ? share + (1 - share) * memory : share * (1 - memory)
    }
    last = time
    isThere = draw < chance
    return isThere
  }
}
