import PoseModel
import RealModule

/// Where every joint of a person is in space, in metres: x and y along the floor, z up.
public struct JointPositions: Hashable, Sendable {
  private var values = [SIMD3<Double>](repeating: .zero, count: Joint.count)

  init() {}

  public internal(set) subscript(_ joint: Joint) -> SIMD3<Double> {
    get { values[joint.index] }
    set { values[joint.index] = newValue }
  }

  public func distance(_ a: Joint, _ b: Joint) -> Double { self[a].distance(to: self[b]) }

  /// The angle at `vertex` between the directions to `a` and `b`, 0...180 degrees.
  public func angle(at vertex: Joint, between a: Joint, and b: Joint) -> Double {
    let u = self[a] - self[vertex]
    let v = self[b] - self[vertex]
    return Double.atan2(y: u.cross(v).length, x: u.dot(v)).degreesFromRadians
  }

  /// The interior angle of the knee: 180 degrees when straight.
  public func kneeAngle(_ side: Side) -> Double { angle(at: side.knee, between: side.hip, and: side.ankle) }

  /// How far a thigh is from level, in degrees: positive with the hip higher than the knee.
  public func thighRise(_ side: Side) -> Double {
    let thigh = self[side.hip] - self[side.knee]
    return Double.atan2(y: thigh.z, x: (thigh.x * thigh.x + thigh.y * thigh.y).squareRoot()).degreesFromRadians
  }

  /// How far the trunk leans from the vertical, in degrees.
  public var trunkLean: Double {
    let trunk = self[.neck] - self[.root]
    return Double.atan2(y: (trunk.x * trunk.x + trunk.y * trunk.y).squareRoot(), x: trunk.z).degreesFromRadians
  }
}
