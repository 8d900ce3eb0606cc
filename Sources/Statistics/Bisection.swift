/// The place between two bounds at which a condition that is false below starts to hold, to the last bit.
///
/// Halves down to neighbouring doubles and gives the upper one: some sixty steps for bounds of one binade, at most
/// about eleven hundred where the place is next to zero, and no failure to converge.
///
/// - Parameter holds: False at `low`, true at `high`, and changing once between them.
func bisect(_ low: Double, _ high: Double, where holds: (Double) -> Bool) -> Double {
  var low = low
  var high = high
  while true {
    let middle = low + (high - low) / 2
    guard middle > low && middle < high else { return high }
    if holds(middle) { high = middle } else { low = middle }
  }
}

/// The smallest whole number from `first` to `last` for which a condition holds that keeps holding once it does; `nil`
/// where it does not hold at `last`.
///
/// Doubles from `first` upwards before it halves, so that a small answer costs no evaluation at a large number.
func smallest(from first: Int, through last: Int, where holds: (Int) -> Bool) -> Int? {
  guard first <= last else { return nil }
  if holds(first) { return first }
  var failing = first
  var step = 1
  while true {
    guard failing < last else { return nil }
    let next = min(failing + step, last)
    if holds(next) {
      var holding = next
      while holding - failing > 1 {
        let middle = failing + (holding - failing) / 2
        if holds(middle) { holding = middle } else { failing = middle }
      }
      return holding
    }
    failing = next
    step *= 2
  }
}
