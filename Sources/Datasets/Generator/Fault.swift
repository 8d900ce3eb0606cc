/// What can be wrong with an exercise.
public struct Fault: Hashable, Sendable {
  /// What labels call it, such as `hips_sag`.
  public let name: String
  /// What the worst of it takes from a rep's quality of at most 92 out of 100.
  public let cost: Double

  public init(_ name: String, cost: Double) {
    self.name = name
    self.cost = cost
  }

  /// Stops short of the far end of the movement.
  public static let shallow = Fault("shallow", cost: 38)
  /// Ends before the elbows, or the hips of a deadlift, are straight.
  public static let noLockout = Fault("no_lockout", cost: 24)
  /// The trunk sways back and forth, or is thrown, to help the arms.
  public static let swinging = Fault("swinging", cost: 28)
  public static let leaningBack = Fault("leaning_back", cost: 28)
  public static let forwardLean = Fault("forward_lean", cost: 28)
  public static let kneeForward = Fault("knee_forward", cost: 26)
  public static let hipsSag = Fault("hips_sag", cost: 36)
  public static let hipsHigh = Fault("hips_high", cost: 32)
}
