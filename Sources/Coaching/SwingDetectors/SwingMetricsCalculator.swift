import PoseModel
import RealModule

/// Measures one swing on its samples: the document's metrics calculator.
struct SwingMetricsCalculator: Sendable {
  /// From the swing's start to its end, at least the contact.
  let samples: [SwingSample]
  /// Position of the contact in `samples`: there the wrist is fastest.
  let contact: Int
  let hand: Hand
  /// How many points the path is simplified to.
  let pathPoints: ClosedRange<Int>

  /// - Parameter bodyHeight: in metres; `nil` where it is not known and no metre may be made up.
  func metrics(bodyHeight: Double?) -> AnalysisResult.SwingMetrics {
    let speed = samples[contact].speed(hand)
    return AnalysisResult.SwingMetrics(
      maxWristSpeed: bodyHeight.map { speed * Float($0) } ?? speed,
      speedUnit: bodyHeight == nil ? .bodyHeightsPerSecond : .metresPerSecond,
      contactPoint: Self.point(samples[contact].wrist(hand)),
      swingPath: DouglasPeucker.simplified(
        samples.map { $0.wrist(hand) }.filter(\.isKnown), to: pathPoints
      ).map(Self.point),
      backswingAngle: backswingAngle, followThroughHeight: followThroughHeight, bodyAngles: bodyAngles)
  }

  private static func point(_ place: SIMD2<Float>) -> AnalysisResult.Point {
    AnalysisResult.Point(x: place.x, y: -place.y)
  }

  /// The greatest angle about the neck between a place of the wrist before contact and that of contact.
  private var backswingAngle: Float? {
    let end = samples[contact].wrist(hand)
    return samples[..<contact].compactMap { sample -> Float? in
      let place = sample.wrist(hand)
      let angle = Angle.at(.zero, between: SIMD3(place.x, place.y, 0), and: SIMD3(end.x, end.y, 0))
      return angle.isFinite ? angle : nil
    }.max()
  }

  private var followThroughHeight: Float? {
    samples[(contact + 1)...].map { $0.wrist(hand).y }.filter(\.isFinite).min().map { -$0 }
  }

  private var bodyAngles: AnalysisResult.BodyAngles {
    func degrees(_ cosine: Float) -> Float? { cosine.isFinite ? Float.acos(cosine) * 180 / .pi : nil }
    let sample = samples[contact]
    return AnalysisResult.BodyAngles(
      shoulderRotation: degrees(sample.shoulderTurn), hipRotation: degrees(sample.hipTurn),
      spineAngle: sample.lean.isFinite ? sample.lean : nil)
  }

  /// Seconds from the middle of the shoulders' fastest turn to contact, below 0 where it comes later; NaN where the
  /// shoulders are not seen to turn.
  var lead: Float {
    var fastest: Float = 0
    var lead = Float.nan
    var last: SwingSample?
    for sample in samples where sample.shoulderTurn.isFinite {
      if let last {
        let seconds = Float((sample.time - last.time).count) / 1e6
        let rate = abs(Float.acos(sample.shoulderTurn) - Float.acos(last.shoulderTurn)) / seconds
        if rate > fastest {
          fastest = rate
          let contact = samples[contact].time
          lead = Float((contact - last.time).count + (contact - sample.time).count) / 2e6
        }
      }
      last = sample
    }
    return lead
  }
}
