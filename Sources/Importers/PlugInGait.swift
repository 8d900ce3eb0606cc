import Datasets
import PoseModel

/// Joint centres from the 39 markers of Vicon's Plug-in Gait set.
///
/// - Hip: regression on pelvic width and depth, the medians over the recording of the distances between the ASIS
///   markers and between the middles of ASIS and PSIS: 0.24 depth + 9.9 mm behind, 0.30 width + 10.9 mm below and
///   0.33 width + 7.3 mm beside the middle of the ASIS (Harrington et al., Prediction of the hip joint centre in adults,
///   children, and patients with cerebral palsy based on magnetic resonance imaging, J Biomech 40, 2007, single-variable
///   equations).
/// - Knee and ankle: the chord function of Plug-in Gait (Kadaba et al., Measurement of lower extremity kinematics during
///   level walking, J Orthop Res 8, 1990; Plug-in Gait Reference Guide, "The chord function"): the centre lies half a
///   joint's width and a marker's radius from the lateral marker, at a right angle to the line to the joint above, in the
///   plane of that joint, the lateral marker and the marker on the segment.
/// - Shoulder: below the acromion marker, along the trunk's long axis, by 17 % of the distance between both (Rab et al.,
///   A method for determination of upper extremity kinematics, Gait & Posture 15, 2002). The long axis runs from the
///   middle of STRN and T10 to that of CLAV and C7 (Wu et al., ISB recommendation, J Biomech 38, 2005, with T10 for T8).
/// - Wrist: the middle of the radial and ulnar markers (Wu et al. 2005).
/// - Elbow: the marker on the lateral epicondyle, three to four centimetres beside the centre, because no marker tells
///   the joint's axis when the arm is straight. Heel and toe are their markers.
///
/// The widths of knee and ankle, which Plug-in Gait measures on the subject, are an adult's middling 95 and 70 mm here.
/// 10 mm more or less of a knee change its angle by less than 2 degrees.
struct PlugInGait {
  /// The markers in the order in which `centres` takes them.
  enum Marker: Int, CaseIterable {
    case LFHD, RFHD, LBHD, RBHD, C7, T10, CLAV, STRN, RBAK
    case LSHO, LUPA, LELB, LFRM, LWRA, LWRB, LFIN
    case RSHO, RUPA, RELB, RFRM, RWRA, RWRB, RFIN
    case LASI, RASI, LPSI, RPSI
    case LTHI, LKNE, LTIB, LANK, LHEE, LTOE
    case RTHI, RKNE, RTIB, RANK, RHEE, RTOE
  }

  typealias Point = SIMD3<Double>

  private static let markerRadius = 7.0
  private static let kneeOffset = 95.0 / 2 + markerRadius
  private static let ankleOffset = 70.0 / 2 + markerRadius

  private let pelvicWidth: Double
  private let pelvicDepth: Double
  private let acromialWidth: Double

  /// Takes the subject's measures from a whole recording.
  ///
  /// - Parameter frames: the markers of each frame in millimetres, NaN where one is lost.
  init(_ frames: [[Point]]) {
    func median(_ measure: ([Point]) -> Double) -> Double {
      let known = frames.map(measure).filter(\.isFinite).sorted()
      return known.isEmpty ? .nan : known[known.count / 2]
    }
    func at(_ frame: [Point], _ marker: Marker) -> Point { frame[marker.rawValue] }
    pelvicWidth = median { at($0, .LASI).distance(to: at($0, .RASI)) }
    pelvicDepth = median { ((at($0, .LASI) + at($0, .RASI)) / 2).distance(to: (at($0, .LPSI) + at($0, .RPSI)) / 2) }
    acromialWidth = median { at($0, .LSHO).distance(to: at($0, .RSHO)) }
  }

  /// The keypoints of `Skeleton.plugInGait` in millimetres; NaN where a marker that one needs is lost.
  func centres(_ markers: [Point]) -> [Point] {
    func at(_ marker: Marker) -> Point { markers[marker.rawValue] }
    func middle(_ a: Marker, _ b: Marker) -> Point { (at(a) + at(b)) / 2 }
    let shoulderDrop =
      (middle(.CLAV, .C7) - middle(.STRN, .T10)).normalized * -(0.17 * acromialWidth)
    let hips = hips(
      left: at(.LASI), right: at(.RASI), front: middle(.LASI, .RASI), back: middle(.LPSI, .RPSI))
    func leg(_ hip: Point, thigh: Marker, knee: Marker, shank: Marker, ankle: Marker) -> (knee: Point, ankle: Point) {
      let centre = Self.chord(above: hip, lateral: at(knee), segment: at(thigh), offset: Self.kneeOffset)
      return (
        centre, Self.chord(above: centre, lateral: at(ankle), segment: at(shank), offset: Self.ankleOffset)
      )
    }
    let left = leg(hips.left, thigh: .LTHI, knee: .LKNE, shank: .LTIB, ankle: .LANK)
    let right = leg(hips.right, thigh: .RTHI, knee: .RKNE, shank: .RTIB, ankle: .RANK)
    return [
      (middle(.LFHD, .RFHD) + middle(.LBHD, .RBHD)) / 2, at(.LSHO) + shoulderDrop, at(.RSHO) + shoulderDrop, at(.LELB),
      at(.RELB), middle(.LWRA, .LWRB), middle(.RWRA, .RWRB), hips.left, hips.right, left.knee, right.knee, left.ankle,
      right.ankle, at(.LHEE), at(.RHEE), at(.LTOE), at(.RTOE),
    ]
  }

  private func hips(left: Point, right: Point, front: Point, back: Point) -> (left: Point, right: Point) {
    let sideways = (right - left).normalized
    let forwards = (front - back).perpendicular(to: sideways).normalized
    let upwards = sideways.cross(forwards)
    let between = front - forwards * (0.24 * pelvicDepth + 9.9) - upwards * (0.30 * pelvicWidth + 10.9)
    let beside = sideways * (0.33 * pelvicWidth + 7.3)
    return (between - beside, between + beside)
  }

  /// The centre of a joint beside its lateral marker, on the side of the line to the joint above that the segment's
  /// marker is not on.
  static func chord(above: Point, lateral: Point, segment: Point, offset: Double) -> Point {
    let line = above - lateral
    let along = line.normalized
    let inwards = (lateral - segment).perpendicular(to: along).normalized
    let cosine = offset / line.length
    return lateral + (along * cosine + inwards * (1 - cosine * cosine).squareRoot()) * offset
  }
}
