/// Bending at the hips over almost straight knees, as to tie a shoe, and coming up again.
struct Bend: Hashable, Sendable {
  /// How far the trunk leans and the knees flex beyond standing, in degrees.
  var lean: Double
  var flexion: Double
  var arms: Arms
  /// Seconds.
  var down: Double
  var hold: Double
  var up: Double

  var duration: Double { down + hold + up }

  func depth(at time: Double) -> Double {
    if time <= down + hold { return MinimumJerk.position(time / down) }
    return 1 - MinimumJerk.position((time - down - hold) / up)
  }
}
