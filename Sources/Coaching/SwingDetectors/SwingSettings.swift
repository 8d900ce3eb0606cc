import PoseModel

/// The values of the parameters that all swing detectors share, ready for use.
struct SwingSettings: Hashable, Sendable {
  var frameStride: Int
  var maximumRate: Double
  /// Processed frames that are kept.
  var capacity: Int
  var velocityWindow: Int
  var fastestWrist: Float
  /// `nil` where the detector has to find it out.
  var hand: Hand?
  /// Metres; `nil` where it is not given.
  var bodyHeight: Double?
  var minimumPeakSpeed: Float
  var boundarySpeed: Float
  var classifierSpan: Microseconds
  /// How many points a simplified path has.
  var pathPoints: ClosedRange<Int>
  var classifier: SwingClassifier.Thresholds
  var review: SwingReview.Thresholds
  var visibility: Visibility

  /// - Throws: `ParameterError.contradiction` for a window without a middle, a boundary above the peak, or a path whose
  ///   fewest points are more than its most.
  init(_ values: ParameterValues) throws(ParameterError) {
    typealias P = SwingParameters
    frameStride = Int(values[P.frameStride])
    maximumRate = values[P.maximumRate]
    capacity = Int(values[P.capacity])
    velocityWindow = Int(values[P.velocityWindow])
    guard velocityWindow % 2 == 1, Double(velocityWindow) == values[P.velocityWindow] else {
      throw .contradiction(
        "velocityWindow must be an odd number of frames so that it has a middle, found \(values[P.velocityWindow])")
    }
    for parameter in [P.frameStride, P.capacity, P.fewestPathPoints, P.mostPathPoints] {
      guard values[parameter] == values[parameter].rounded() else {
        throw .contradiction(
          "\(parameter.name) must be a whole number of \(parameter.unit.rawValue), found \(values[parameter])")
      }
    }
    guard values[P.fewestPathPoints] <= values[P.mostPathPoints] else {
      throw .contradiction(
        "fewestPathPoints (\(values[P.fewestPathPoints])) must be at most mostPathPoints "
          + "(\(values[P.mostPathPoints]))")
    }
    pathPoints = Int(values[P.fewestPathPoints])...Int(values[P.mostPathPoints])
    guard values[P.boundarySpeed] < values[P.minimumPeakSpeed] else {
      throw .contradiction(
        "boundarySpeed (\(values[P.boundarySpeed])) must be less than minimumPeakSpeed "
          + "(\(values[P.minimumPeakSpeed])) body heights/s")
    }
    fastestWrist = Float(values[P.fastestWrist])
    hand =
      switch values[P.handedness] {
      case 1: .right
      case -1: .left
      case 0: nil
      default:
        throw .contradiction("handedness takes -1 (left), 0 (found out) or 1 (right), found \(values[P.handedness])")
      }
    bodyHeight = values[P.bodyHeight] > 0 ? values[P.bodyHeight] : nil
    minimumPeakSpeed = Float(values[P.minimumPeakSpeed])
    boundarySpeed = Float(values[P.boundarySpeed])
    classifierSpan = Microseconds(seconds: values[P.classifierSpan]) ?? .zero
    classifier = SwingClassifier.Thresholds(values)
    review = try SwingReview.Thresholds(values)
    visibility = P.sight.visibility(values)
  }
}
