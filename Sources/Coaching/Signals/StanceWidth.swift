import PoseModel

/// How far apart the ankles are, in shoulder widths, as seen from the front.
///
/// NaN where the shoulders are less than 0.4 trunk lengths apart in the picture: they are 0.9 of it from the front
/// (0.259 and 0.288 of stature, Drillis and Contini 1966), and from the side a stance has no width.
public struct StanceWidth: Signal {
  private static let leastShoulders: Float = 0.4

  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "stance width" }
  public var unit: String { "shoulder widths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      output[frame] = .nan
      guard let leftShoulder = visibility.point(.leftShoulder, poses, frame),
        let rightShoulder = visibility.point(.rightShoulder, poses, frame),
        let leftAnkle = visibility.point(.leftAnkle, poses, frame),
        let rightAnkle = visibility.point(.rightAnkle, poses, frame),
        let root = visibility.point(.root, poses, frame)
      else { continue }
      let shoulders = (leftShoulder - rightShoulder).levelLength
      let trunk = (0.5 * (leftShoulder + rightShoulder) - root).length
      guard trunk > 0, shoulders > Self.leastShoulders * trunk else { continue }
      output[frame] = (leftAnkle - rightAnkle).levelLength / shoulders
    }
  }
}
