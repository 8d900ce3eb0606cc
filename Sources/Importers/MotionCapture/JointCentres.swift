import PoseModel

/// Joint centres from a recording's markers or bones, by the first of these rules whose landmarks exist.
///
/// - **Hip**: given; or by regression on pelvic width and depth, the medians over the recording of the distances between
///   the ASIS markers and between the middles of ASIS and PSIS (or the sacral marker): 0.24 depth + 9.9 mm behind,
///   0.30 width + 10.9 mm below and 0.33 width + 7.3 mm beside the middle of the ASIS (Harrington et al., Prediction of
///   the hip joint centre in adults, children, and patients with cerebral palsy based on magnetic resonance imaging, J
///   Biomech 40, 2007, single-variable equations).
/// - **Knee and ankle**: given; or the middle of the lateral and medial markers (Wu et al., ISB recommendation, J Biomech
///   35, 2002, for the ankle); or, with a marker on the thigh or shank, the chord function of Plug-in Gait (Kadaba et
///   al., Measurement of lower extremity kinematics during level walking, J Orthop Res 8, 1990; Plug-in Gait Reference
///   Guide, "The chord function"): the centre lies half a joint's width and a marker's radius from the lateral marker,
///   at a right angle to the line to the joint above, in the plane of that joint, the lateral marker and the segment's.
///   An ankle without either lies at that distance from its lateral marker along the knee's axis, if both sides of the
///   knee have markers; a knee or ankle without any of these, across the plane of shank and foot, heel to toe. These
///   two are this project's own; toes that point 15° outwards move the knee by 14 mm.
/// - **Shoulder**: given; or below the acromion marker, along the trunk's long axis, by 17 % of the distance between both
///   (Rab et al., A method for determination of upper extremity kinematics, Gait & Posture 15, 2002); or the middle of
///   a marker in front and one behind. The long axis runs from the middle of STRN and T10 to that of CLAV and C7 (Wu et
///   al., ISB recommendation, J Biomech 38, 2005, with T10 for T8); without those, from the middle of the hips to that
///   of the acromion markers.
/// - **Elbow and wrist**: given; or the middle of both sides' markers (Wu et al. 2005). An elbow with a lateral marker only
///   is that marker, three to four centimetres beside the centre, because no marker tells the joint's axis when the arm
///   is straight.
/// - **Heel, toe, head**: the markers.
///
/// The widths of knee and ankle, which Plug-in Gait measures on the subject, are those of an average adult here, 95 and
/// 70 mm. An error of 10 mm in the width of the knee changes its angle by less than 2 degrees.
struct JointCentres {
  typealias Point = SIMD3<Double>

  /// The method for finding a joint.
  enum Rule {
    case given, middle, chord, kneeAxis, foot, regression, belowAcromion, lateralOnly
  }

  private static let markerRadius = 0.007
  private static let kneeOffset = 0.095 / 2 + markerRadius
  private static let ankleOffset = 0.070 / 2 + markerRadius

  /// The keypoints of `Skeleton.motionCapture` that can be computed, in its order; `nil` for one that cannot.
  let rules: [Rule?]
  /// For each column of `Landmark.all`, the indices of its markers among the recording's points.
  private let positions: [[Int]]
  private let hasTrunk: Bool
  private var pelvicWidth = Double.nan
  private var pelvicDepth = Double.nan
  private var acromialWidth = Double.nan

  /// - Parameter names: The names of the recording's points.
  init(_ set: MarkerSet, names: [String]) {
    let found = set.positions(among: names)
    positions = Landmark.all.map { found[$0] ?? [] }
    hasTrunk = [.c7, .t10, .clavicle, .sternum].allSatisfy { found[Landmark($0)] != nil }
    var known: [Joint: Rule] = [:]
    for joint in Self.joints { known[joint] = Self.rule(joint, found, known) }
    rules = Skeleton.motionCapture.keypoints.map { name in
      if let joint = Joint(name: name) { return known[joint] }
      return found[Landmark(.head)] == nil ? nil : .given
    }
  }

  /// How many of the set's landmarks the recording has.
  var landmarkCount: Int { positions.count { !$0.isEmpty } }

  /// The names of the keypoints that cannot be computed.
  var missing: [String] { zip(Skeleton.motionCapture.keypoints, rules).compactMap { $1 == nil ? $0 : nil } }

  /// Whether there are both legs or both arms.
  var hasLimbs: Bool {
    let missing = Set(missing)
    func both(_ parts: [String]) -> Bool {
      parts.allSatisfy { !missing.contains("left_\($0)") && !missing.contains("right_\($0)") }
    }
    return both(["hip", "knee", "ankle"]) || both(["shoulder", "elbow", "wrist"])
  }

  /// From the trunk outwards, as a joint's rule may need the one above.
  private static let joints: [Joint] =
    Side.allCases.flatMap { side -> [Joint] in
      side == .left
        ? [.leftHip, .leftKnee, .leftAnkle, .leftHeel, .leftToe, .leftElbow, .leftWrist]
        : [.rightHip, .rightKnee, .rightAnkle, .rightHeel, .rightToe, .rightElbow, .rightWrist]
    } + [.leftShoulder, .rightShoulder]

  private static func rule(_ joint: Joint, _ found: [Landmark: [Int]], _ known: [Joint: Rule]) -> Rule? {
    let side: Side = joint.name.hasPrefix("left") ? .left : .right
    func has(_ places: Landmark.Place...) -> Bool { places.allSatisfy { found[Landmark($0, side)] != nil } }
    func hasMiddle(_ place: Landmark.Place) -> Bool { found[Landmark(place)] != nil }
    func hasBoth(_ place: Landmark.Place) -> Bool {
      found[Landmark(place, .left)] != nil && found[Landmark(place, .right)] != nil
    }
    switch joint {
    case .leftHip, .rightHip:
      if has(.hip) { return .given }
      return hasBoth(.asis) && (hasBoth(.psis) || hasMiddle(.sacrum)) ? .regression : nil
    case .leftKnee, .rightKnee:
      if has(.knee) { return .given }
      if has(.lateralKnee, .medialKnee) { return .middle }
      if has(.lateralKnee, .thigh), known[side.hip] != nil { return .chord }
      return has(.lateralKnee, .lateralAnkle, .heel, .toe) ? .foot : nil
    case .leftAnkle, .rightAnkle:
      if has(.ankle) { return .given }
      if has(.lateralAnkle, .medialAnkle) { return .middle }
      if has(.lateralAnkle, .shank), known[side.knee] != nil { return .chord }
      if has(.lateralAnkle, .lateralKnee, .medialKnee) { return .kneeAxis }
      return has(.lateralAnkle, .lateralKnee, .heel, .toe) ? .foot : nil
    case .leftHeel, .rightHeel: return has(.heel) ? .given : nil
    case .leftToe, .rightToe: return has(.toe) ? .given : nil
    case .leftElbow, .rightElbow:
      if has(.elbow) { return .given }
      if has(.lateralElbow, .medialElbow) { return .middle }
      return has(.lateralElbow) ? .lateralOnly : nil
    case .leftWrist, .rightWrist:
      if has(.wrist) { return .given }
      return has(.radialWrist, .ulnarWrist) ? .middle : nil
    case .leftShoulder, .rightShoulder:
      if has(.shoulder) { return .given }
      let hasTrunk = [.c7, .t10, .clavicle, .sternum].allSatisfy(hasMiddle)
      if hasBoth(.acromion), hasTrunk || (known[.leftHip] != nil && known[.rightHip] != nil) { return .belowAcromion }
      return has(.frontShoulder, .backShoulder) ? .middle : nil
    default: return nil
    }
  }

  // MARK: A recording

  /// The subject's dimensions that some rules need, per frame: pelvic width and depth, and the distance between the
  /// acromions.
  func measures(_ points: UnsafeBufferPointer<Point>, scale: Double) -> SIMD3<Double> {
    let frame = Frame(points, positions, scale)
    let front = frame.middle(.asis)
    return SIMD3(
      frame[.asis, .left].distance(to: frame[.asis, .right]), front.distance(to: back(frame)),
      frame[.acromion, .left].distance(to: frame[.acromion, .right]))
  }

  /// The same rules with the subject's dimensions: the medians over these frames, which are in millimetres.
  func measuring(_ frames: [[Point]]) -> JointCentres {
    let all = frames.map { $0.withUnsafeBufferPointer { measures($0, scale: 0.001) } }
    var measured = self
    measured.take(SIMD3(all.map(\.x).medianOfFinite, all.map(\.y).medianOfFinite, all.map(\.z).medianOfFinite))
    return measured
  }

  /// Sets the subject's dimensions, in metres.
  mutating func take(_ measures: SIMD3<Double>) {
    pelvicWidth = measures.x
    pelvicDepth = measures.y
    acromialWidth = measures.z
  }

  /// The keypoints of `Skeleton.motionCapture` in metres; NaN if a required marker is lost.
  ///
  /// - Parameter scale: The length of the points' unit in metres.
  func centres(_ points: UnsafeBufferPointer<Point>, scale: Double) -> [Point] {
    let frame = Frame(points, positions, scale)
    let regression = rules.contains { $0 == .regression } ? regressedHips(frame) : nil
    var centres = [Point](repeating: .missing, count: Joint.count)
    for joint in Self.joints {
      guard let rule = rules[Self.places[joint.index]] else { continue }
      centres[joint.index] = centre(joint, rule, frame, centres, regression)
    }
    return Self.keypoints.map { $0.map { centres[$0.index] } ?? frame[.head] }
  }

  private static let keypoints = Skeleton.motionCapture.keypoints.map { Joint(name: $0) }
  /// The index of each common joint among the keypoints; 0, the head's, for joints that are absent.
  private static let places = Joint.allCases.map { joint in keypoints.firstIndex(of: joint) ?? 0 }

  private func centre(
    _ joint: Joint, _ rule: Rule, _ frame: Frame, _ centres: [Point], _ hips: (left: Point, right: Point)?
  ) -> Point {
    let side: Side = joint.name.hasPrefix("left") ? .left : .right
    func at(_ place: Landmark.Place) -> Point { frame[place, side] }
    func middle(_ a: Landmark.Place, _ b: Landmark.Place) -> Point { (at(a) + at(b)) / 2 }
    switch joint {
    case .leftHip, .rightHip:
      if rule == .given { return at(.hip) }
      return (side == .left ? hips?.left : hips?.right) ?? .missing
    case .leftKnee, .rightKnee:
      switch rule {
      case .given: return at(.knee)
      case .middle: return middle(.lateralKnee, .medialKnee)
      case .chord:
        return Self.chord(
          above: centres[side.hip.index], lateral: at(.lateralKnee), segment: at(.thigh), offset: Self.kneeOffset)
      default: return at(.lateralKnee) + acrossFoot(frame, side) * Self.kneeOffset
      }
    case .leftAnkle, .rightAnkle:
      let knee = centres[side.knee.index]
      switch rule {
      case .given: return at(.ankle)
      case .middle: return middle(.lateralAnkle, .medialAnkle)
      case .chord:
        return Self.chord(above: knee, lateral: at(.lateralAnkle), segment: at(.shank), offset: Self.ankleOffset)
      case .kneeAxis:
        let shank = (knee - at(.lateralAnkle)).normalized
        let inwards = (at(.medialKnee) - at(.lateralKnee)).perpendicular(to: shank).normalized
        return at(.lateralAnkle) + inwards * Self.ankleOffset
      default: return at(.lateralAnkle) + acrossFoot(frame, side) * Self.ankleOffset
      }
    case .leftHeel, .rightHeel: return at(.heel)
    case .leftToe, .rightToe: return at(.toe)
    case .leftElbow, .rightElbow:
      return rule == .given ? at(.elbow) : rule == .middle ? middle(.lateralElbow, .medialElbow) : at(.lateralElbow)
    case .leftWrist, .rightWrist: return rule == .given ? at(.wrist) : middle(.radialWrist, .ulnarWrist)
    default:
      switch rule {
      case .given: return at(.shoulder)
      case .middle: return middle(.frontShoulder, .backShoulder)
      default:
        let up =
          hasTrunk
          ? frame[.clavicle] + frame[.c7] - frame[.sternum] - frame[.t10]
          : frame.middle(.acromion) - (centres[Joint.leftHip.index] + centres[Joint.rightHip.index]) / 2
        return at(.acromion) - up.normalized * (0.17 * acromialWidth)
      }
    }
  }

  private func back(_ frame: Frame) -> Point {
    let sacrum = frame[.sacrum]
    return frame.has(.psis) ? frame.middle(.psis) : sacrum
  }

  private func regressedHips(_ frame: Frame) -> (left: Point, right: Point) {
    let front = frame.middle(.asis)
    let sideways = (frame[.asis, .right] - frame[.asis, .left]).normalized
    let forwards = (front - back(frame)).perpendicular(to: sideways).normalized
    let upwards = sideways.cross(forwards)
    let between = front - forwards * (0.24 * pelvicDepth + 0.0099) - upwards * (0.30 * pelvicWidth + 0.0109)
    let beside = sideways * (0.33 * pelvicWidth + 0.0073)
    return (between - beside, between + beside)
  }

  /// The inward direction, across the plane of the shank and the foot.
  private func acrossFoot(_ frame: Frame, _ side: Side) -> Point {
    let shank = frame[.lateralKnee, side] - frame[.lateralAnkle, side]
    let right = (frame[.toe, side] - frame[.heel, side]).cross(shank).normalized
    return side == .left ? right : -right
  }

  /// The centre of a joint beside its lateral marker, on the side of the line to the joint above that is opposite to
  /// the segment's marker.
  private static func chord(above: Point, lateral: Point, segment: Point, offset: Double) -> Point {
    let line = above - lateral
    let along = line.normalized
    let inwards = (lateral - segment).perpendicular(to: along).normalized
    let cosine = offset / line.length
    return lateral + (along * cosine + inwards * (1 - cosine * cosine).squareRoot()) * offset
  }
}

/// The landmarks of one frame in metres.
private struct Frame {
  private let points: UnsafeBufferPointer<SIMD3<Double>>
  private let positions: [[Int]]
  private let scale: Double

  init(_ points: UnsafeBufferPointer<SIMD3<Double>>, _ positions: [[Int]], _ scale: Double) {
    self.points = points
    self.positions = positions
    self.scale = scale
  }

  func has(_ place: Landmark.Place) -> Bool { !positions[Self.index(place, .left)].isEmpty }

  subscript(_ place: Landmark.Place, _ side: Side? = nil) -> SIMD3<Double> {
    let markers = positions[Self.index(place, side)]
    guard !markers.isEmpty else { return .missing }
    var sum = SIMD3<Double>.zero
    var index = 0
    while index < markers.count {
      sum += points[markers[index]]
      index += 1
    }
    return sum * (scale / Double(markers.count))
  }

  func middle(_ place: Landmark.Place) -> SIMD3<Double> { (self[place, .left] + self[place, .right]) / 2 }

  /// The place of a landmark in `Landmark.all`.
  private static func index(_ place: Landmark.Place, _ side: Side?) -> Int {
    firsts[place.rawValue] + (side == .right ? 1 : 0)
  }

  private static let firsts = Landmark.Place.allCases.map { place in
    Landmark.all.firstIndex { $0.place == place } ?? 0
  }
}

extension [Double] {
  /// The upper median of the finite numbers, NaN where there are none.
  var medianOfFinite: Double {
    let known = filter(\.isFinite).sorted()
    return known.isEmpty ? .nan : known[known.count / 2]
  }
}
