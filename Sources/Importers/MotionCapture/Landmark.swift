import PoseModel

/// A place of the body that a marker or the end of a bone shows, as marker sets name it: `left_lateral_knee`.
struct Landmark: Hashable {
  enum Place: Int, CaseIterable {
    // Of the middle.
    case head, c7, t10, clavicle, sternum, sacrum
    // Of each side. One without an adjective is the centre of the joint itself.
    case shoulder, acromion, frontShoulder, backShoulder
    case elbow, lateralElbow, medialElbow
    case wrist, radialWrist, ulnarWrist
    case hip, asis, psis
    case knee, lateralKnee, medialKnee
    case ankle, lateralAnkle, medialAnkle
    case heel, toe
    /// Markers on the outer side of a segment, in the plane of its two joints and the lower one's lateral marker.
    case thigh, shank

    var isOfTheMiddle: Bool { rawValue <= Place.sacrum.rawValue }

    /// `lateral_knee`
    var name: String {
      String(describing: self).reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
  }

  var place: Place
  var side: Side?

  init(_ place: Place, _ side: Side? = nil) {
    self.place = place
    self.side = side
  }

  static let all: [Landmark] = Place.allCases.flatMap { place in
    place.isOfTheMiddle ? [Landmark(place)] : [Landmark(place, .left), Landmark(place, .right)]
  }

  /// The name in a marker set's file.
  var name: String { (side.map { $0 == .left ? "left_" : "right_" } ?? "") + place.name }
}
