import PoseModel

/// How squarely the shoulders or the hips face the camera: the cosine of their turn about the body's long axis, −1...1.
///
/// 1 is seen square from behind, where the person's right is the picture's right; −1 square from the front; 0 from the
/// side. With depth it is the true cosine of the line from the left to the right joint against the picture plane.
/// Without, it is the line's width in the picture against the width that it has when square, which is estimated from
/// the trunk: an approximation that bending towards the camera spoils. NaN where a joint is missing.
public struct GirdleTurn: Signal {
  public enum Girdle: String, Hashable, Sendable {
    case shoulders, hips
  }

  public var girdle: Girdle
  public var visibility: Visibility

  public init(_ girdle: Girdle, _ visibility: Visibility) {
    self.girdle = girdle
    self.visibility = visibility
  }

  public var name: String { "\(girdle.rawValue)' turn" }
  public var unit: String { "cosine" }

  /// The width of the square girdle in trunk lengths: 0.259 and 0.191 of stature over a trunk of 0.288.
  ///
  /// Source: Drillis and Contini 1966, as in Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009,
  /// figure 4.1.
  public static func squareWidth(_ girdle: Girdle) -> Float {
    switch girdle {
    case .shoulders: 0.259 / 0.288
    case .hips: 0.191 / 0.288
    }
  }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    let (left, right): (Joint, Joint) =
      girdle == .shoulders ? (.leftShoulder, .rightShoulder) : (.leftHip, .rightHip)
    let squareWidth = Self.squareWidth(girdle)
    for frame in 0..<poses.count {
      output[frame] = .nan
      guard let a = visibility.point(left, poses, frame), let b = visibility.point(right, poses, frame) else {
        continue
      }
      let line = b - a
      if visibility.usesDepth && poses[left, .z, frame].isFinite && poses[right, .z, frame].isFinite {
        let length = (line.x * line.x + line.z * line.z).squareRoot()
        if length > 0 { output[frame] = line.x / length }
        continue
      }
      guard let neck = visibility.point(.neck, poses, frame), let root = visibility.point(.root, poses, frame) else {
        continue
      }
      let trunk = neck - root
      let length = (trunk.x * trunk.x + trunk.y * trunk.y).squareRoot()
      if length > 0 { output[frame] = min(max(line.x / (squareWidth * length), -1), 1) }
    }
  }
}
