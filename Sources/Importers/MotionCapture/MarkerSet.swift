import Files
import Foundation
import PoseModel

/// The landmark names of one laboratory or program.
///
/// ```yaml
/// marker_set: my-lab
/// source: our protocol of 2024
/// markers:
///   left_asis: LIAS
///   head: [HEAD_L, HEAD_R]      # the middle of several
/// ```
///
/// The keys below `markers` are those of `Landmark`. A bone's end counts as a marker, under the name that the format's
/// importer gives it.
struct MarkerSet {
  let name: String
  let source: String
  /// The names of the markers whose middle is the landmark.
  let markers: [Landmark: [String]]

  /// Reads a marker set's file.
  ///
  /// - Throws: `DataError` with file, line and key.
  init(yaml file: InputFile) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly(["marker_set", "source", "markers"])
    name = try yaml.text("marker_set")
    source = try yaml.text("source")
    let places = try yaml.mapping("markers")
    try places.requireOnly(Landmark.all.map(\.name))
    var markers: [Landmark: [String]] = [:]
    for landmark in Landmark.all where places.keys.contains(landmark.name) {
      let key = landmark.name
      markers[landmark] = try places.isList(key) ? places.texts(key) : [places.text(key)]
      if markers[landmark]?.isEmpty == true { throw places.failure(key, expected: "a marker's name") }
    }
    guard !markers.isEmpty else {
      throw yaml.failure("markers", expected: "a marker of at least one place of the body", found: "none")
    }
    self.markers = markers
  }

  /// The built-in sets, compiled in from the files in `MarkerSets`.
  static let builtIn = Result(catching: {
    try [
      ("acclaim", PackageResources.acclaim_yaml), ("bvh-collar", PackageResources.bvh_collar_yaml),
      ("bvh-upleg", PackageResources.bvh_upleg_yaml), ("gait2392", PackageResources.gait2392_yaml),
      ("inner-outer-53", PackageResources.inner_outer_53_yaml), ("opencap", PackageResources.opencap_yaml),
      ("plug-in-gait", PackageResources.plug_in_gait_yaml), ("pose2sim", PackageResources.pose2sim_yaml),
    ].map { try MarkerSet(yaml: InputFile(name: "\($0.0).yaml (built in)", bytes: Data($0.1))) }
  })

  static func named(_ name: String) throws -> MarkerSet {
    guard let set = try builtIn.get().first(where: { $0.name == name }) else {
      throw DataError(file: name, expected: "a built-in marker set", found: "none of this name")
    }
    return set
  }

  /// The indices of the landmarks' markers among a recording's points; landmarks that lack one are left out.
  ///
  /// Ignores case, and any prefix up to a colon, where Vicon writes the subject's name.
  func positions(among names: [String]) -> [Landmark: [Int]] {
    var places: [String: Int] = [:]
    for (index, name) in names.enumerated() where places[Self.plain(name)] == nil { places[Self.plain(name)] = index }
    return markers.compactMapValues { markers in
      let found = markers.compactMap { places[Self.plain($0)] }
      return found.count == markers.count ? found : nil
    }
  }

  private static func plain(_ name: String) -> String {
    (name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name).lowercased()
  }
}

/// A landmark of the body that a marker or the end of a bone shows, as marker sets name it: `left_lateral_knee`.
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
