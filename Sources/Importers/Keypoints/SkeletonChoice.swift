import Files
import PoseModel

/// The skeleton of a file's points: by their names, or by their numbers and what a body looks like.
struct SkeletonChoice {
  let skeleton: EstimatorSkeleton
  /// The skeleton's keypoint of each point that it has.
  let places: [PointID: Int]
  /// The number of the first keypoint, 0 or 1.
  let first: Int
  private(set) var remarks: [String] = []
  private let points: PointList

  /// - Throws: `DataError` if the points are of no skeleton, half a pair of them is, or several fit alike.
  init(
    _ points: PointList, _ evidence: BodyEvidence, _ people: [[Float]], word: EstimatorSkeleton?, file: String
  ) throws {
    self.points = points
    let names = points.ids.compactMap { if case .name(let name) = $0 { name } else { nil } }
    let numbers = points.ids.compactMap { if case .number(let number) = $0 { number } else { nil } }
    guard names.count >= numbers.count, !names.isEmpty else {
      (skeleton, first, places, remarks) = try Self.numbered(points, numbers, evidence, people, word: word, file: file)
      return
    }
    first = 0
    let all = word.map { [$0] } ?? EstimatorSkeleton.withNames
    let joints = names.map { JointName($0) }
    let scored = all.map { skeleton in
      (
        skeleton, skeleton.known(of: joints),
        // Of skeletons that know as many, the one that loses no joint to another name, the one whose own spelling it
        // is, the one that is stored as it is, the smallest.
        [
          -skeleton.replaced(of: joints),
          names.count(where: skeleton.keypoints.contains), skeleton.isStoredAsIs ? 1 : 0, -skeleton.keypoints.count,
        ]
      )
    }
    let best = scored.max { $0.1 == $1.1 ? $0.2.lexicographicallyPrecedes($1.2) : $0.1 < $1.1 }
    guard let best, best.1 > 0 else {
      throw DataError(
        file: file, expected: "names of points of the body, such as left_knee",
        found: names.prefix(8).joined(separator: ", "))
    }
    skeleton = best.0
    var places: [PointID: Int] = [:]
    // Aliases last: a hand is a wrist only where there is no other.
    let own = Set(skeleton.own)
    for areOwn in [true, false] {
      for (name, joint) in zip(names, joints) where own.contains(joint) == areOwn {
        if let place = skeleton.place(joint), !places.values.contains(place) { places[.name(name)] = place }
      }
    }
    self.places = places
    let others = names.filter { places[.name($0)] == nil }
    guard places.count >= Self.fewestNames || names.count < Self.fewestNames else {
      throw DataError(
        file: file,
        expected: "names of points of the body, such as left_knee; a mapping gives others a meaning (--mapping FILE)",
        found: Excerpt.list(others))
    }
    if let marker = others.first(where: { Self.pelvicMarkers.contains($0.uppercased()) }) {
      throw DataError(
        file: file,
        expected: "joints of the body; markers on the skin are read from .trc and .c3d, or as --mapping FILE "
          + "names them", found: "the marker \(marker.uppercased())")
    }
    for name in others {
      guard let other = JointName(name).opposite, let known = names.first(where: { JointName($0) == other }),
        places[.name(known)] != nil
      else { continue }
      throw DataError(
        file: file, expected: "both points of a pair by names that are known, as \(known) is", found: name)
    }
    let halves = Self.halves(self.joints, points)
    if let half = halves.first, halves.count <= others.count {
      throw DataError(
        file: file,
        expected: "both points of a pair by names that are known, as \(half.known) is; a mapping gives others a "
          + "meaning (--mapping FILE)", found: Excerpt.list(others))
    }
    for half in halves { remarks.append("there is \(half.known), but no \(half.missing.name)") }
    if !others.isEmpty {
      remarks.append(
        "points that are not joints of the body are not used: " + others.prefix(12).joined(separator: ", ")
          + (others.count > 12 ? " and \(others.count - 12) more" : ""))
    }
  }

  /// The points of pairs that have no other, with the joint that is missing, where more pairs are whole.
  private static func halves(_ joints: [Joint: Int], _ points: PointList) -> [(known: PointID, missing: Joint)] {
    let pairs: [(left: Joint, right: Joint)] = [
      (.leftShoulder, .rightShoulder), (.leftElbow, .rightElbow), (.leftWrist, .rightWrist), (.leftHip, .rightHip),
      (.leftKnee, .rightKnee), (.leftAnkle, .rightAnkle),
    ]
    var found: [(known: PointID, missing: Joint)] = []
    var whole = 0
    for (left, right) in pairs {
      switch (joints[left], joints[right]) {
      case (_?, _?): whole += 1
      case (let place?, nil): found.append((points.ids[place], right))
      case (nil, let place?): found.append((points.ids[place], left))
      case (nil, nil): break
      }
    }
    return whole > found.count ? found : []
  }

  private static func numbered(
    _ points: PointList, _ numbers: [Int], _ evidence: BodyEvidence, _ people: [[Float]], word: EstimatorSkeleton?,
    file: String
  ) throws -> (EstimatorSkeleton, Int, [PointID: Int], [String]) {
    let lowest = numbers.min() ?? 0
    let highest = numbers.max() ?? 0
    let first = lowest == 1 && numbers.count == highest ? 1 : 0
    let count = highest - first + 1
    let isComplete = numbers.count == count
    let known = word.map { [$0] } ?? EstimatorSkeleton.all.filter { $0.fits(count: count, isComplete: isComplete) }
    func places(_ skeleton: EstimatorSkeleton) -> [PointID: Int] {
      Dictionary(
        uniqueKeysWithValues: points.ids.compactMap { id -> (PointID, Int)? in
          guard case .number(let number) = id, skeleton.keypoints.indices.contains(number - first) else { return nil }
          return (id, number - first)
        })
    }
    guard let usual = known.first else {
      let options = EstimatorSkeleton.all.map(\.name).joined(separator: ", ")
      throw DataError(
        file: file, expected: "as many points as a known skeleton has, or --skeleton with one of \(options)",
        found: "\(numbers.count) points numbered \(lowest) to \(highest)")
    }
    guard word == nil else { return (usual, first, places(usual), []) }
    let scores = known.compactMap { skeleton -> (EstimatorSkeleton, Float)? in
      evidence.strangeness(joints(skeleton, places(skeleton), points), stretch: [9.0 / 16, 1, 16.0 / 9])
        .map { (skeleton, $0) }
    }.sorted { $0.1 < $1.1 }
    func remark(_ chosen: (EstimatorSkeleton, Float), _ other: (EstimatorSkeleton, Float)) -> String {
      "\(numbers.count) numbered points are read as \(chosen.0.name), whose body fits "
        + "\(Double(other.1 / chosen.1).oneDecimal) times as well as that of \(other.0.name); to change it: --skeleton NAME"
    }
    func doubts(_ skeleton: EstimatorSkeleton, _ score: Float) -> [String] {
      guard score > sound, evidence.count >= fewest else { return [] }
      return [
        "\(numbers.count) numbered points look little like a body as \(skeleton.name): see --look; to change their order: "
          + "--skeleton NAME"
      ]
    }
    guard known.count > 1 else { return (usual, first, places(usual), scores.first.map { doubts($0.0, $0.1) } ?? []) }
    if usual.isByBody {
      guard evidence.count >= fewest, scores.count > 1, scores[0].1 > 0, scores[0].1 * clear < scores[1].1 else {
        throw DataError(
          file: file,
          expected: "\(numbers.count) points whose body clearly fits one of "
            + "\(known.map(\.name).joined(separator: ", ")), or --skeleton NAME",
          found: "a body that may be several in \(evidence.count) frames")
      }
      return (scores[0].0, first, places(scores[0].0), [remark(scores[0], scores[1])])
    }
    guard let best = scores.first else { return (usual, first, places(usual), []) }
    // A habit holds unless the body of enough people clearly says otherwise.
    let ofUsual = scores.first { $0.0.name == usual.name }?.1 ?? .infinity
    let chosen = best.1 * clear < ofUsual && evidence.count >= fewest ? best.0 : usual
    let score = chosen.name == usual.name ? ofUsual : best.1
    let other = scores.first { $0.0.name != chosen.name }
    var remarks: [String] = []
    if let other, score > 0, chosen.name != usual.name || other.1 < score * clear {
      remarks.append(remark((chosen, score), other))
    }
    guard score < implausible || evidence.count < fewest else {
      throw DataError(
        file: file, expected: "points that look like a body as one of \(known.map(\.name).joined(separator: ", "))",
        found: "others; name their order with --skeleton NAME, or each of them with --mapping FILE")
    }
    return (chosen, first, places(chosen), remarks + doubts(chosen, score))
  }

  /// Plug-in Gait calls markers of the knee and the shoulder by names that are cut, and has these on the pelvis.
  private static let pelvicMarkers: Set = ["LASI", "RASI", "LPSI", "RPSI", "SACR"]

  /// A body shows in as many points or more.
  private static let fewestNames = 3

  /// How many times as well another skeleton must fit than the usual one of so many points.
  static let clear: Float = 1.5
  private static let fewest = 10

  /// Above this, points are not those of the skeleton.
  private static let implausible: Float = 0.9
  /// Sound recordings lie below.
  static let sound: Float = 0.5

  /// How little the points of people look like a body of the skeleton of so many that fits best, 0 for a body; `nil` if
  /// nothing tells.
  ///
  /// - Parameter people: Four numbers a point, x and y in either order.
  static func strangeness(of people: [[Float]], count: Int) -> Float? {
    var points = PointList()
    points.require(count: count)
    let swapped = people.map { person -> [Float] in
      var person = person
      for start in stride(from: 0, to: person.count, by: KeypointFrame.channels) { person.swapAt(start, start + 1) }
      return person
    }
    let skeletons = EstimatorSkeleton.all.filter { $0.fits(count: count, isComplete: true) }
    let scores = skeletons.flatMap { skeleton -> [Float] in
      let known = 0..<min(count, skeleton.keypoints.count)
      let found = Self.joints(
        skeleton, Dictionary(uniqueKeysWithValues: known.map { (PointID.number($0), $0) }), points)
      return [people, swapped].compactMap { BodyEvidence($0).strangeness(found, stretch: [9.0 / 16, 1, 16.0 / 9]) }
    }
    return scores.min()
  }

  /// The file's point of each joint.
  var joints: [Joint: Int] { Self.joints(skeleton, places, points) }

  private static func joints(
    _ skeleton: EstimatorSkeleton, _ places: [PointID: Int], _ points: PointList
  ) -> [Joint: Int] {
    let stored = skeleton.stored
    var byStored: [Int: Int] = [:]
    for (index, id) in points.ids.enumerated() {
      if let place = places[id], let target = stored.places[place] { byStored[target] = index }
    }
    var joints: [Joint: Int] = [:]
    for joint in Joint.allCases {
      if case .keypoint(let place)? = stored.skeleton[joint] { joints[joint] = byStored[place] }
    }
    return joints
  }
}

extension Double {
  var oneDecimal: String { ((self * 10).rounded() / 10).shortestDecimal }
}
