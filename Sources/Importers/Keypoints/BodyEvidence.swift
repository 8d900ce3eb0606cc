import PoseModel
import RealModule

/// Some of a file's people, with the place of each joint among the file's points, to tell what the points and axes are.
struct BodyEvidence {
  /// x, y and z of each point, person after person.
  private let people: [[SIMD3<Float>]]

  /// - Parameter people: Four numbers a point: x, y, z and confidence.
  init(_ people: [[Float]]) {
    self.people = people.map { values in
      stride(from: 0, to: values.count - 3, by: KeypointFrame.channels).map {
        SIMD3(values[$0], values[$0 + 1], values[$0 + 2])
      }
    }
  }

  var count: Int { people.count }

  /// A joint's places in a person; NaN if not seen.
  private func place(_ joint: Joint, _ joints: [Joint: Int], _ person: [SIMD3<Float>]) -> SIMD3<Float> {
    if let point = joints[joint] { return point < person.count ? person[point] : Self.unseen }
    switch joint {
    case .neck: return middle(.leftShoulder, .rightShoulder, joints, person)
    case .root: return middle(.leftHip, .rightHip, joints, person)
    default: return Self.unseen
    }
  }

  private func middle(_ a: Joint, _ b: Joint, _ joints: [Joint: Int], _ person: [SIMD3<Float>]) -> SIMD3<Float> {
    guard joints[a] != nil, joints[b] != nil else { return Self.unseen }
    return (place(a, joints, person) + place(b, joints, person)) / 2
  }

  private static let unseen = SIMD3<Float>(repeating: .nan)

  /// How little the points look like a body: 0 for human proportions in order from head to feet, 1 and more for points
  /// that are others; `nil` if too few joints are seen.
  ///
  /// A person's score is the mean of what it has of these, each at most 1.5: the logarithms by which thigh and shank,
  /// upper arm and forearm, legs and trunk differ from the proportions of Drillis and Contini 1966, by which the limbs
  /// of both sides differ, and 1 for a nose, knee or ankle on the wrong side of the neck, hip or knee along the trunk.
  /// The file's score is the median.
  ///
  /// - Parameter stretch: The factors of x that are possible; the best counts.
  func strangeness(_ joints: [Joint: Int], stretch: [Float] = [1]) -> Float? {
    stretch.compactMap { strangeness(joints, stretch: $0) }.min()
  }

  private func strangeness(_ joints: [Joint: Int], stretch: Float) -> Float? {
    let scores = people.compactMap { person -> Float? in
      func at(_ joint: Joint) -> SIMD2<Float> {
        let place = place(joint, joints, person)
        return SIMD2(place.x * stretch, place.y)
      }
      func length(_ a: Joint, _ b: Joint) -> Float {
        let apart = at(a) - at(b)
        return (apart * apart).sum().squareRoot()
      }
      var terms: [Float] = []
      func add(_ a: Float, _ b: Float, _ expected: Float) {
        guard a.isFinite, b.isFinite, a + b > 0 else { return }
        terms.append(min(abs(Float.log(max(a, 1e-6) / max(b, 1e-6)) - Float.log(expected)), 1.5))
      }
      let trunk = at(.root) - at(.neck)
      let trunkLength = (trunk * trunk).sum().squareRoot()
      for (hip, knee, ankle, shoulder, elbow, wrist) in Self.sides {
        add(length(hip, knee), length(knee, ankle), 0.245 / 0.246)
        add(length(shoulder, elbow), length(elbow, wrist), 0.186 / 0.146)
        add(length(hip, knee) + length(knee, ankle), trunkLength, 0.491 / 0.288)
      }
      let (left, right) = (Self.sides[0], Self.sides[1])
      add(length(left.0, left.1), length(right.0, right.1), 1)
      add(length(left.1, left.2), length(right.1, right.2), 1)
      add(length(left.3, left.4), length(right.3, right.4), 1)
      func order(_ from: Joint, _ to: Joint, isAbove: Bool) {
        let along = ((at(to) - at(from)) * trunk).sum()
        guard along.isFinite else { return }
        terms.append((along < 0) == isAbove ? 0 : 1)
      }
      order(.neck, .nose, isAbove: true)
      for side in Self.sides {
        order(side.0, side.1, isAbove: false)
        order(side.1, side.2, isAbove: false)
      }
      return terms.count >= 4 ? terms.reduce(0, +) / Float(terms.count) : nil
    }
    return Self.median(scores)
  }

  private static let sides: [(Joint, Joint, Joint, Joint, Joint, Joint)] = [
    (.leftHip, .leftKnee, .leftAnkle, .leftShoulder, .leftElbow, .leftWrist),
    (.rightHip, .rightKnee, .rightAnkle, .rightShoulder, .rightElbow, .rightWrist),
  ]

  /// The line from head to feet of each person, as far as it is seen.
  func bodies(_ joints: [Joint: Int]) -> [SIMD3<Float>] {
    people.compactMap { person in
      func first(_ joints: [Joint], _ all: [Joint: Int]) -> SIMD3<Float>? {
        joints.lazy.map { place($0, all, person) }.first { $0.x.isFinite && $0.y.isFinite }
      }
      guard let head = first([.neck, .leftShoulder, .rightShoulder, .nose], joints),
        let foot = first([.leftAnkle, .rightAnkle, .leftKnee, .rightKnee, .root], joints)
      else { return nil }
      return foot - head
    }
  }

  /// The line from shoulders to wrists of each person, as far as it is seen.
  func arms(_ joints: [Joint: Int]) -> [SIMD3<Float>] {
    people.compactMap { person in
      let lines = Self.sides.map { place($0.5, joints, person) - place($0.3, joints, person) }
      return lines.first { $0.x.isFinite && $0.y.isFinite }
    }
  }

  /// The trunk's length in space, and how much the limbs' lengths in space vary: the median of their standard
  /// deviations by their means. `nil` without depth.
  ///
  /// - Parameter isFlat: Whether to measure in x and y alone.
  func limbs(_ joints: [Joint: Int], isFlat: Bool = false) -> (trunk: Float, variation: Float)? {
    func place(_ joint: Joint, _ joints: [Joint: Int], _ person: [SIMD3<Float>]) -> SIMD3<Float> {
      let place = self.place(joint, joints, person)
      return isFlat ? SIMD3(place.x, place.y, 0) : place
    }
    var variations: [Float] = []
    for side in Self.sides {
      for (a, b) in [(side.0, side.1), (side.1, side.2), (side.3, side.4), (side.4, side.5)] {
        let lengths = people.compactMap { person -> Float? in
          let apart = place(a, joints, person) - place(b, joints, person)
          let length = (apart * apart).sum().squareRoot()
          return length.isFinite ? length : nil
        }
        guard lengths.count >= 10 else { continue }
        let mean = lengths.reduce(0, +) / Float(lengths.count)
        let variance = lengths.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(lengths.count)
        if mean > 0 { variations.append(variance.squareRoot() / mean) }
      }
    }
    let trunks = people.compactMap { person -> Float? in
      let apart = place(.root, joints, person) - place(.neck, joints, person)
      let length = (apart * apart).sum().squareRoot()
      return length.isFinite ? length : nil
    }
    guard variations.count >= 4, let variation = Self.median(variations), let trunk = Self.median(trunks) else {
      return nil
    }
    return (trunk, variation)
  }

  private static func median(_ values: [Float]) -> Float? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
