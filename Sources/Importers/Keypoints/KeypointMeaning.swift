import Files
import PoseModel
import RealModule

/// The unit of a file's numbers, inferred from their range: it differs between layouts that look the same.
enum NumberUnit: String, Sendable {
  case image = "shares of the image"
  case pixels = "pixels"
  case metres = "metres about the hips"
  case space = "metres in space"
  case centimetres = "centimetres in space"
  case millimetres = "millimetres in space"

  /// - Parameters:
  ///   - poses: Numbers of points, keypoint after keypoint, person after person.
  ///   - width: The count of numbers of a person.
  ///   - channels: The count of numbers of a point, of which the first two are x and y.
  ///   - hips: The points of the hips. `nil` without a place.
  init?(_ poses: some RandomAccessCollection<Float>, width: Int, channels: Int, hips: [Int]) {
    var (known, beyond, seen, centred) = (0, 0, 0, 0)
    var start = poses.startIndex
    while poses.distance(from: start, to: poses.endIndex) >= width {
      func value(_ point: Int, _ channel: Int) -> Float {
        poses[poses.index(start, offsetBy: point * channels + channel)]
      }
      for point in 0..<width / channels {
        for channel in 0..<2 where value(point, channel).isFinite {
          known += 1
          if !(-1...2).contains(value(point, channel)) { beyond += 1 }
        }
      }
      if hips.count == 2 {
        let (x, y) = (value(hips[0], 0) + value(hips[1], 0), value(hips[0], 1) + value(hips[1], 1))
        if x.isFinite, y.isFinite {
          seen += 1
          // World landmarks have their origin in the middle of the hips.
          if abs(x) < 0.04, abs(y) < 0.04 { centred += 1 }
        }
      }
      start = poses.index(start, offsetBy: width)
    }
    guard known > 0 else { return nil }
    self = beyond * 2 > known ? .pixels : seen > 0 && centred * 10 >= seen * 9 ? .metres : .image
  }
}

/// What the numbers of a file mean, decided by names and, where they say nothing, by evidence: a person has limbs of
/// human proportions and, unless an exercise is done lying, stands upright.
struct KeypointMeaning: Sendable {
  /// What the user or the file says of the numbers.
  struct Word: Sendable {
    var skeleton: EstimatorSkeleton?
    var axes: KeypointAxes?
    var exercise: String?
    var size: ImageSize?
  }

  let skeleton: EstimatorSkeleton
  let channels: [Channel]
  let unit: NumberUnit?
  private(set) var yAxis: CoordinateSystem.YAxis
  /// Whether positions are shares of the model's square input, in which the image stands between bars.
  let isOfSquare: Bool
  /// How many of the skeleton's keypoints the file has.
  let given: Int
  /// What was decided by evidence, for readers of results.
  private(set) var remarks: [String] = []
  private let places: [PointID: Int]
  private let first: Int
  /// The place among a point's four numbers of each channel.
  private let sources: [Int]
  private let scale: Float
  private let confidence: ConfidenceScale
  private let nobody: Float?

  /// - Parameters:
  ///   - people: Numbers of some people, four a point.
  ///   - word: What the user says.
  ///   - file: The file's name in errors.
  /// - Throws: `DataError` if the points are of no known skeleton, half a pair of them is, or nothing tells which one.
  init(_ points: PointList, people: [[Float]], word: Word, file: String) throws {
    let nobody = Self.nobody(people)
    let width = points.ids.count * KeypointFrame.channels
    let seen = people.map { person -> [Float] in
      var person = person + [Float](repeating: .nan, count: width - person.count)
      for start in stride(from: 0, to: width, by: KeypointFrame.channels) {
        let (x, y) = (person[start], person[start + 1])
        if x == 0 && y == 0 || x == nobody && y == nobody {
          for channel in 0..<KeypointFrame.channels { person[start + channel] = .nan }
        }
      }
      return person
    }
    self.nobody = nobody
    func numbers(_ slot: Int) -> [Float] {
      seen.flatMap { person in stride(from: slot, to: person.count, by: KeypointFrame.channels).map { person[$0] } }
        .filter(\.isFinite)
    }
    let (across, along) = (numbers(Channel.x.index), numbers(Channel.y.index))
    try Self.requireOneUnit(x: across, y: along, file: file)
    let evidence = BodyEvidence(seen)
    let choice = try SkeletonChoice(points, evidence, seen, word: word.skeleton, file: file)
    let skeleton = choice.skeleton
    self.skeleton = skeleton
    places = choice.places
    first = choice.first
    given = Set(choice.places.values).count
    var remarks = choice.remarks
    let joints = choice.joints
    if let half = Self.missingHalf(joints) {
      remarks.append("there are no points of the \(half): if another file has them, join both files")
    }

    // The third number without a name is z or a confidence.
    let third = numbers(Channel.z.index)
    let isThirdConfidence =
      points.isPositional && points.positions == 3 && !points.hasPlaces && !third.isEmpty
      && third.allSatisfy { $0 >= 0 } && third.contains { $0 > 0 } && !Self.isSpace(evidence, joints, third: third)
    // Beside confidences a third number that is always the same, as torchvision's, is no depth.
    let isDepth = !isThirdConfidence && !(points.hasPlaces && Set(third).count <= 1)
    let depth = isDepth ? third : []
    let confidenceSlot = isThirdConfidence ? Channel.z.index : Channel.confidence.index
    let (confidence, remark) = try ConfidenceScale.of(numbers(confidenceSlot), file: file)
    self.confidence = confidence
    if let remark { remarks.append(remark) }

    // Pictures have few points beyond their left and upper edges.
    let isBeyond = (across + along).count { $0 < -0.05 } * 10 > across.count + along.count
    let hips = [joints[.leftHip], joints[.rightHip]].compactMap(\.self)
    var unit = NumberUnit(seen.flatMap { $0 }, width: max(width, 1), channels: KeypointFrame.channels, hips: hips)
    var axes = KeypointAxes(x: 0, y: 1, z: 2, yAxis: skeleton.yAxis)
    var isOfSquare = false
    var scale: Float = 1
    let isLying = Self.lying.contains(word.exercise ?? "")
    if let given = word.axes {
      axes = given
      if let space = Self.space(
        evidence, joints, depth: depth, unit: unit, isBeyond: isBeyond, isLying: isLying)
      {
        (unit, scale) = (space.unit, space.scale)
      }
    } else {
      let bodies = evidence.bodies(joints)
      // Names say which is x; lists do not, and some estimators write y first.
      if points.isPositional, skeleton.readsYFirst {
        let isMoveNets = isThirdConfidence && unit == .image
        let upright = Self.share(bodies, isMoveNets ? 0 : 1)
        let other = Self.share(bodies, isMoveNets ? 1 : 0)
        let isContrary =
          bodies.count >= Self.fewest && (isLying ? upright > 0.9 && other < 0.1 : upright < 0.3 && other > 0.7)
        let yFirst = isMoveNets != isContrary
        if yFirst { (axes.x, axes.y) = (1, 0) }
        if yFirst, unit == .image, isThirdConfidence {
          // Bars keep the body's proportions; an image that fills the square loses them.
          let swapped = BodyEvidence(
            seen.map { person in
              var person = person
              for start in stride(from: 0, to: person.count, by: KeypointFrame.channels) {
                person.swapAt(start, start + 1)
              }
              return person
            })
          let barred = swapped.strangeness(joints)
          let filled = swapped.strangeness(joints, stretch: [9.0 / 16, 16.0 / 9, 3.0 / 4, 4.0 / 3])
          isOfSquare = (filled ?? 1) * Self.clearlyBetter >= (barred ?? 0) || (barred ?? 0) < Self.sound
        }
        if isContrary || yFirst {
          let reason =
            isContrary
            ? "in which the person \(isLying ? "lies" : "stands upright") in "
              + "\(Int(((isLying ? 1 - other : other) * 100).rounded())) % of \(bodies.count) looked at"
            : "as MoveNet writes them"
          let square = isOfSquare ? ", in its square input with bars beside the image (--axes y,x: without bars)" : ""
          remarks.append(
            "numbers are taken as \(yFirst ? "y, x" : "x, y"), \(reason)\(square); to change it: --axes "
              + (yFirst ? "x,y" : "y,x"))
        }
      }
      if let space = Self.space(
        evidence, joints, depth: depth, unit: unit, isBeyond: isBeyond, isLying: isLying)
      {
        (unit, axes, scale) = (space.unit, space.axes, space.scale)
        if let remark = space.remark { remarks.append(remark) }
      } else if let yAxis = Self.yAxis(evidence, joints, axes, exercise: word.exercise ?? "", isLying: isLying),
        yAxis.axis != axes.yAxis
      {
        axes.yAxis = yAxis.axis
        remarks.append(
          "y grows \(yAxis.axis == .up ? "upwards" : "downwards"), as \(yAxis.reason); to change it: --axes "
            + (yAxis.axis == .up ? "x,-y" : "x,y"))
      } else if !isLying, bodies.count >= Self.fewest, Self.share(bodies, axes.x) > 0.9 {
        remarks.append(
          "the person lies across the image in \(Int((Self.share(bodies, axes.x) * 100).rounded())) % of \(bodies.count) "
            + "looked at: if the video is turned or x and y are swapped, give --axes y,x")
      }
    }
    if unit == .pixels, scale == 1, word.size == nil, Self.arePercent(across + along),
      evidence.bodies(joints).count >= Self.fewest
    {
      (unit, scale) = (.image, 0.01)
      remarks.append(
        "coordinates go up to \((across + along).max()?.shortestDecimal ?? ""): read as percent of the image; if they "
          + "are pixels: --size WxH")
    }
    self.unit = unit
    self.isOfSquare = isOfSquare
    self.scale = scale
    yAxis = axes.yAxis
    var channels: [Channel] = [.x, .y]
    var sources = [axes.x, axes.y]
    if !depth.isEmpty {
      channels.append(.z)
      sources.append(axes.z)
    }
    if confidence != .none {
      channels.append(.confidence)
      sources.append(confidenceSlot)
    }
    self.channels = channels
    self.sources = sources
    if nobody != nil, let nobody {
      remarks.append("points at \(nobody.shortestDecimal),\(nobody.shortestDecimal) are read as not found")
    }
    if unit == .image, Self.fillBox(seen) {
      remarks.append(
        "each person reaches from 0 to 1 across and along, as in shares of its own box: the body's proportions, its angles "
          + "and its way through the image are lost")
    }
    self.remarks = remarks
  }

  /// The half of the body that has no point, where the other has four joints or more.
  private static func missingHalf(_ joints: [Joint: Int]) -> String? {
    let arms: [Joint] = [.leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist]
    let legs: [Joint] = [.leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle]
    let (upper, lower) = (arms.count { joints[$0] != nil }, legs.count { joints[$0] != nil })
    if lower == 0, upper >= 4 { return "legs" }
    return upper == 0 && lower >= 4 ? "arms and shoulders" : nil
  }

  /// Whether nearly all people reach exactly from 0 to 1 in x and y.
  private static func fillBox(_ people: [[Float]]) -> Bool {
    guard people.count >= fewest else { return false }
    let filling = people.count { person in
      (0..<2).allSatisfy { axis in
        let numbers = stride(from: axis, to: person.count, by: KeypointFrame.channels).map { person[$0] }
          .filter(\.isFinite)
        guard let lowest = numbers.min(), let highest = numbers.max() else { return false }
        return abs(lowest) < 0.0001 && abs(highest - 1) < 0.0001
      }
    }
    return filling * 10 >= people.count * 9
  }

  /// How many times as well as with bars a body must fit an image that fills MoveNet's square.
  private static let clearlyBetter: Float = 1.2
  /// The strangeness of a body whose proportions are not in doubt.
  private static let sound: Float = 0.2

  /// - Throws: `DataError` if one coordinate is in pixels and the other in shares of the image.
  private static func requireOneUnit(x: [Float], y: [Float], file: String) throws {
    guard let widest = x.max(), let highest = y.max() else { return }
    func areShares(_ numbers: [Float]) -> Bool { numbers.allSatisfy { $0 >= -1 && $0 <= 2 } }
    func arePixels(_ numbers: [Float]) -> Bool { numbers.count { $0 > 20 } * 10 >= numbers.count * 9 }
    guard areShares(x) && arePixels(y) || arePixels(x) && areShares(y) else { return }
    throw DataError(
      file: file, expected: "x and y in one unit, pixels or shares of the image",
      found: "x up to \(widest.shortestDecimal) and y up to \(highest.shortestDecimal)")
  }

  /// Whether coordinates are percent of an image: no picture of a person is 100 pixels wide and high.
  private static func arePercent(_ numbers: [Float]) -> Bool {
    numbers.allSatisfy { $0 >= -5 && $0 <= 105 } && numbers.contains { $0 > 20 }
  }

  /// The fewest people who show something that names and habits do not.
  private static let fewest = 5

  /// Exercises done lying or on hands and feet.
  private static let lying: Set = [
    "push-up", "pushup", "plank", "side-plank", "bench-press", "sit-up", "crunch", "bridge", "glute-bridge",
    "hip-thrust", "mountain-climber", "leg-raise", "dead-bug", "bird-dog", "floor-press",
  ]
  /// Those of them in which the hands bear the body.
  private static let onHands: Set = ["push-up", "pushup", "plank", "mountain-climber"]

  /// The share of bodies whose line lies along an axis rather than the other.
  private static func share(_ bodies: [SIMD3<Float>], _ axis: Int) -> Double {
    guard !bodies.isEmpty else { return 0 }
    return Double(bodies.count { abs($0[axis]) > abs($0[1 - axis]) }) / Double(bodies.count)
  }

  /// Which way y grows, and why; `nil` if nothing tells.
  private static func yAxis(
    _ evidence: BodyEvidence, _ joints: [Joint: Int], _ axes: KeypointAxes, exercise: String, isLying: Bool
  ) -> (axis: CoordinateSystem.YAxis, reason: String)? {
    let lines = isLying ? onHands.contains(exercise) ? evidence.arms(joints) : [] : evidence.bodies(joints)
    let clear = lines.filter { abs($0[axes.y]) > 1.2 * abs($0[axes.x]) }
    guard clear.count >= fewest, clear.count * 2 >= lines.count else { return nil }
    let down = Double(clear.count { $0[axes.y] > 0 }) / Double(clear.count)
    guard down > 0.9 || down < 0.1 else { return nil }
    let part = isLying ? "the hands are below the shoulders" : "the head is above the feet"
    return (down > 0.9 ? .down : .up, "\(part) in \(Int((max(down, 1 - down) * 100).rounded())) % of those looked at")
  }

  /// Places in space, whose limbs keep their lengths, with the axis that points up; `nil` for pictures.
  private static func space(
    _ evidence: BodyEvidence, _ joints: [Joint: Int], depth: [Float], unit: NumberUnit?, isBeyond: Bool, isLying: Bool
  ) -> (unit: NumberUnit, axes: KeypointAxes, scale: Float, remark: String?)? {
    guard unit == .pixels || unit == .image, Set(depth).count > 1, let limbs = evidence.limbs(joints),
      limbs.variation < steady
    else { return nil }
    // A trunk measures half a metre from neck to hips.
    let units: [(NumberUnit, Float)] = [(.space, 1), (.centimetres, 0.01), (.millimetres, 0.001)]
    guard let (unit, scale) = units.first(where: { (0.25...0.8).contains(limbs.trunk * $0.1) }) else { return nil }
    // Where people lie, the arms of those on their hands are upright.
    let bodies = isLying ? evidence.arms(joints) : evidence.bodies(joints)
    guard bodies.count >= fewest else { return nil }
    let lengths = (0..<3).map { axis in bodies.map { abs($0[axis]) }.sorted()[bodies.count / 2] }
    guard let up = lengths.indices.max(by: { lengths[$0] < lengths[$1] }), up != 0 else { return nil }
    let isDown = bodies.count { $0[up] > 0 } * 2 > bodies.count
    // Pictures with a depth have y along the body as well, but their limbs do not keep their lengths, or y grows
    // downwards from the picture's upper edge.
    guard
      unit == .millimetres || up == 2
        || (isBeyond || !isDown) && isSteadierInSpace(evidence, joints, limbs.variation)
    else { return nil }
    let axes = KeypointAxes(x: 0, y: up, z: up == 2 ? 1 : 2, yAxis: isDown ? .down : .up)
    return (
      unit, axes, scale,
      "\(up == 2 ? "z" : "y") points \(isDown ? "down" : "up"), as the \(isLying ? "arms are" : "body is") along it; to "
        + "change it: --axes x,\(isDown ? "-" : "")\(up == 2 ? "z,y" : "y,z")"
    )
  }

  /// Limbs whose lengths vary less keep them.
  private static let steady: Float = 0.05

  /// Whether limbs keep their lengths in space much better than in x and y.
  private static func isSteadierInSpace(_ evidence: BodyEvidence, _ joints: [Joint: Int], _ variation: Float) -> Bool {
    guard let flat = evidence.limbs(joints, isFlat: true) else { return false }
    return flat.variation > 1.5 * variation
  }

  /// Whether a third number is a place: it exceeds any confidence, or makes limbs keep their lengths.
  private static func isSpace(_ evidence: BodyEvidence, _ joints: [Joint: Int], third: [Float]) -> Bool {
    guard let highest = third.max(), highest > 1 else { return false }
    guard highest <= 100 else { return true }
    guard let limbs = evidence.limbs(joints), limbs.variation < steady else { return false }
    return isSteadierInSpace(evidence, joints, limbs.variation)
  }

  /// The number that stands for nobody in both coordinates; `nil` if none does.
  private static func nobody(_ people: [[Float]]) -> Float? {
    for value: Float in [-1, 9999, -9999, 99999, -999, 999] {
      let isThere = people.contains { person in
        stride(from: 0, to: person.count - 1, by: KeypointFrame.channels).contains {
          person[$0] == value && person[$0 + 1] == value
        }
      }
      if isThere { return value }
    }
    return nil
  }

  /// A person's keypoints in the order of the stored skeleton, with `channels` each.
  ///
  /// - Parameters:
  ///   - values: Four numbers a point.
  ///   - places: The skeleton's keypoint of each of the file's points, `nil` for one that it lacks.
  func pose(_ values: [Float], at places: [Int?]) -> [Float] {
    let (width, channels, sources) = (channels.count, channels, sources)
    var pose = [Float](repeating: .nan, count: skeleton.keypoints.count * width)
    for index in places.indices {
      let start = index * KeypointFrame.channels
      guard let place = places[index], start < values.count else { continue }
      let (x, y) = (values[start], values[start + 1])
      if x == nobody && y == nobody { continue }
      for offset in 0..<width {
        pose[place * width + offset] = value(values[start + sources[offset]], channels[offset])
      }
    }
    return skeleton.stored.pose(pose, channels: width)
  }

  private func value(_ value: Float, _ channel: Channel) -> Float {
    channel == .confidence ? confidence.value(value) : value * scale
  }

  /// Whether the numbers are stored as they are, so that a table can be read at the speed of its numbers.
  var isPlain: Bool {
    nobody == nil && scale == 1 && confidence.isPlain && sources == channels.map(\.index) && skeleton.isStoredAsIs
  }

  /// The skeleton's keypoint of a point; `nil` for one that it lacks.
  func place(_ id: PointID) -> Int? {
    if let place = places[id] { return place }
    switch id {
    // A hand is no wrist beside one.
    case .name(let name): return skeleton.place(JointName(name)).flatMap { places.values.contains($0) ? nil : $0 }
    case .number(let number): return skeleton.keypoints.indices.contains(number - first) ? number - first : nil
    }
  }
}

/// Which of a point's numbers are x, y and z, and which way y grows: `--axes x,-y` for a y that grows upwards.
public struct KeypointAxes: Hashable, Sendable {
  var x: Int
  var y: Int
  var z: Int
  var yAxis: CoordinateSystem.YAxis

  init(x: Int, y: Int, z: Int, yAxis: CoordinateSystem.YAxis) {
    (self.x, self.y, self.z, self.yAxis) = (x, y, z, yAxis)
  }

  /// Reads `x,y`, `y,x`, `x,-y`, `x,z,y` and the like: what stands first to the right, then down (up with a minus), then
  /// away; `nil` for anything else.
  public init?(_ text: String) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard (2...3).contains(words.count) else { return nil }
    let isUp = words[1].hasPrefix("-")
    let plain = [words[0], isUp ? String(words[1].dropFirst()) : words[1]] + words.dropFirst(2)
    var places = plain.compactMap { ["x", "y", "z"].firstIndex(of: $0) }
    guard places.count == words.count, Set(places).count == places.count else { return nil }
    if places.count == 2, let rest = (0..<3).first(where: { !places.contains($0) }) { places.append(rest) }
    self.init(x: places[0], y: places[1], z: places[2], yAxis: isUp ? .up : .down)
  }
}

/// How a file writes confidences.
enum ConfidenceScale: Equatable, Sendable {
  /// Not at all.
  case none
  /// 0…1, or a little above.
  case shares
  case percent
  /// Whole numbers up to this one.
  case parts(of: Float)
  /// COCO's flags, 0 to 2.
  case flags
  /// The logarithm of the odds, as models put it out.
  case logits

  var isPlain: Bool { self == .none || self == .shares }

  /// - Throws: `DataError` for numbers of no scale.
  static func of(_ values: [Float], file: String) throws -> (ConfidenceScale, remark: String?) {
    guard let lowest = values.min(), let highest = values.max() else { return (.none, nil) }
    if highest == 0, lowest == 0 { return (.none, "visibility is 0 throughout: read as not given") }
    if lowest < 0 {
      guard lowest >= -100, highest <= 100 else {
        throw DataError(
          file: file, expected: "confidences from 0 to 1, in percent or as logits",
          found: "numbers from \(lowest.shortestDecimal) to \(highest.shortestDecimal)")
      }
      return (.logits, "confidences are from \(lowest.shortestDecimal) to \(highest.shortestDecimal): read as logits")
    }
    if highest <= 1 { return (.shares, nil) }
    if values.allSatisfy({ $0 == 0 || $0 == 1 || $0 == 2 }) {
      return (.flags, "visibilities are 0, 1 and 2, as in COCO: read as 0, 0.5 and 1")
    }
    if highest <= 2 { return (.shares, nil) }
    // Nearly all confidences of a body that is seen exceed a fifth.
    if highest <= 20 {
      return (.logits, "confidences are from \(lowest.shortestDecimal) to \(highest.shortestDecimal): read as logits")
    }
    if highest > 100 {
      guard let most: Float = [255, 1000].first(where: { highest <= $0 }), values.allSatisfy({ $0 == $0.rounded() })
      else {
        throw DataError(
          file: file, expected: "confidences from 0 to 1, in percent or as logits",
          found: "numbers up to \(highest.shortestDecimal)")
      }
      return (
        .parts(of: most),
        "confidences go up to \(highest.shortestDecimal): read as parts of \(most.shortestDecimal)"
      )
    }
    return (.percent, "confidences go up to \(highest.shortestDecimal): read as percent")
  }

  func value(_ value: Float) -> Float {
    switch self {
    case .none, .shares: value
    case .percent: value / 100
    case .parts(let most): value / most
    case .flags: value / 2
    case .logits: 1 / (1 + Float.exp(-value))
    }
  }
}
