import PoseModel

/// One exercise of the live trainer: what it measures and what it makes of a frame.
public protocol LiveAnalyser: Sendable {
  /// Of the whole detector.
  static var profile: DetectorProfile { get }

  /// Its own; `LiveTrainer` adds those that all exercises share.
  static var parameters: [Parameter] { get }

  static var presets: [Preset] { get }

  /// What a frame is not judged without.
  static var parts: [BodyPart] { get }

  init(_ values: ParameterValues)

  /// What is measured, on the joints in sight that are given.
  func signals(_ visibility: Visibility) -> [any Signal]

  /// Lines to draw over `signals`.
  var guides: [Guide] { get }

  /// The signal whose way down and up again is a rep, with its thresholds in degrees; `nil` for a hold.
  var rep: (signal: Int, up: Float, down: Float)? { get }

  /// What is wrong in a frame, the most important; `nil` where nothing is. A signal that is not known is no fault.
  ///
  /// - Parameter values: one of each of `signals`, NaN where it is not known.
  func fault(inFrame values: [Float]) -> LiveFault?

  /// What is wrong with a whole rep that only its turn shows; `nil` where nothing is.
  func fault(atTurn values: [Float]) -> LiveFault?
}

extension LiveAnalyser {
  public static var presets: [Preset] { [] }
  public var rep: (signal: Int, up: Float, down: Float)? { nil }
  public func fault(atTurn values: [Float]) -> LiveFault? { nil }
}
