import Files
import PoseModel

/// Reads points and poses from values of unknown structure.
struct PointReader {
  var points = PointList()
  /// The names of points that a file lists once, in their order.
  var names: [String] = []
  /// The columns that a file lists once, of rows without names.
  var header: [String] = []
  /// The last columns that were looked for points.
  private var table: (header: [String], columns: KeypointColumns?) = ([], nil)

  static let xNames: Set = [
    "x", "px", "xpx", "cx", "u", "xcoordinate", "xcoord", "posx", "xnorm", "xpos", "positionx", "locationx", "pixelx",
    "xmm", "xcm", "xm", "xpixel", "xpixels", "imagex", "imgx", "coordx", "coordinatex", "tx",
    "xpct", "xpercent",
  ]
  static let yNames: Set = [
    "y", "py", "ypx", "cy", "ycoordinate", "ycoord", "posy", "ynorm", "ypos", "positiony", "locationy", "pixely",
    "ymm", "ycm", "ym", "ypixel", "ypixels", "imagey", "imgy", "coordy", "coordinatey", "ty",
    "ypct", "ypercent",
  ]
  static let zNames: Set = [
    "z", "pz", "zcoordinate", "zcoord", "posz", "znorm", "zpos", "positionz", "locationz", "zmm", "zcm", "zm", "coordz",
    "coordinatez", "tz", "pozz",
  ]
  static let confidenceNames: Set = [
    "v", "c", "s", "p", "vis", "visibility", "visible", "isvisible", "detected", "score", "scores", "confidence",
    "confidences", "conf", "likelihood", "inframelikelihood", "prob", "probability", "keypointscores", "visibilities",
    "keypointsscores", "keypointscore", "keypointsconf", "keypointconfidences", "confs", "accuracy", "konfidenz",
    "confiance", "confianza",
  ]

  /// Those of them that say whether a point is there, where others say how sure it is.
  private static let flags: Set = ["visible", "isvisible", "detected", "v"]

  /// The channel of a key or column; `nil` for other names.
  static func channel(_ plain: String) -> Channel? {
    xNames.contains(plain)
      ? .x
      : yNames.contains(plain)
        ? .y : zNames.contains(plain) ? .z : confidenceNames.contains(plain) ? .confidence : nil
  }

  /// Whether a name is a point of a known skeleton.
  static func isKnown(_ name: String) -> Bool { known.contains(JointName(name)) }

  private static let known = Set(
    EstimatorSkeleton.withNames.flatMap { skeleton in skeleton.names })

  /// Whether so many points without names are a body.
  static func isCount(_ count: Int) -> Bool {
    EstimatorSkeleton.all.contains { $0.fits(count: count, isComplete: true) }
  }

  /// The points and numbers a point of a list that long; `nil` if it is no body.
  static func flat(_ count: Int) -> (points: Int, positions: Int)? {
    for points in [33, 17, 25, 18, 26, 133, 136, 16, 14, 15] {
      guard count % points == 0, (2...5).contains(count / points) else { continue }
      // Five numbers are only MediaPipe's, with the presence. Lists of 30 and 60 are more often something else.
      if count / points == 5, points != 33 { continue }
      if count / points != 3, points == 15 { continue }
      return (points, count / points)
    }
    return nil
  }

  // MARK: Points

  private struct Point {
    var id: PointID?
    var values = SIMD4<Float>(repeating: .nan)
    /// How many numbers without names it has; 0 if they have names.
    var positions = 0
  }

  private static let idKeys: Set = [
    "id", "index", "landmarkid", "idx", "landmarkindex", "keypointid", "keypointindex", "jointid", "kp", "pointid",
    "partid",
  ]
  private static let nameKeys: Set = [
    "name", "type", "landmarktype", "landmarkname", "landmark", "bodypart", "joint", "part", "jointname", "keypoint",
    "keypointname", "label", "keypointlabels",
  ]
  private static let nested: Set = [
    "position", "position3d", "point", "coordinates", "location", "coords", "xy", "pixel", "loc", "coordinate", "value",
    "points", "transform", "columns", "2d",
  ]

  private static func point(_ value: JSONValue) -> Point? {
    var point = Point()
    // {"x": null, "y": null} is a point that was not found.
    var isEmpty = false
    switch value {
    case .null: return point
    case .array(let numbers):
      if let place = translation(numbers) {
        for channel in 0..<3 { point.values[channel] = Float(place[channel]) }
        return point
      }
      // A list of one place, as LabelMe and OpenCV have it.
      if numbers.count == 1, case .array = numbers[0] { return Self.point(numbers[0]) }
      guard (2...5).contains(numbers.count) else { return nil }
      for index in 0..<min(numbers.count, 4) {
        let element = numbers[index]
        guard let number = element.number ?? (element.isNull ? .nan : nil), !element.isText else { return nil }
        point.values[index] = Float(number)
      }
      point.positions = numbers.count
      return point
    case .object(let members):
      var inner: PointID?
      for member in members {
        let facts = KeyFacts(member.key)
        let key = facts.plain
        if let channel = facts.channel {
          if member.value.isNull, channel == .x { isEmpty = true }
          // A flag beside a score is no other score.
          if flags.contains(key), point.values[channel.index].isFinite { continue }
          if let number = member.value.value(channel) { point.values[channel.index] = Float(number) }
        } else if nested.contains(key) || nameKeys.contains(key), let place = Self.point(member.value) {
          for channel in 0..<3 where place.values[channel].isFinite { point.values[channel] = place.values[channel] }
          inner = inner ?? place.id
        } else if nameKeys.contains(key) {
          point.id = id(member.value) ?? point.id
        } else if idKeys.contains(key) {
          point.id = point.id ?? id(member.value)
        }
      }
      if case .name? = inner { point.id = inner }
      return point.values[0].isFinite && point.values[1].isFinite || point.id != nil || isEmpty ? point : nil
    default: return nil
    }
  }

  /// Where a transform of 4 x 4 numbers moves to, by columns as ARKit writes it or by rows; `nil` for other lists.
  private static func translation(_ elements: [JSONValue]) -> [Double]? {
    guard elements.count == 16 || elements.count == 4, elements.count == 16 || !elements[0].isNumber else { return nil }
    var numbers: [Double] = []
    for element in elements {
      if case .array(let column) = element { numbers += column.compactMap(\.number) }
      if case .number(let number) = element { numbers.append(number) }
    }
    guard numbers.count == 16, numbers[15] == 1 else { return nil }
    if [3, 7, 11].allSatisfy({ numbers[$0] == 0 }) { return Array(numbers[12..<15]) }
    return [12, 13, 14].allSatisfy({ numbers[$0] == 0 }) ? [numbers[3], numbers[7], numbers[11]] : nil
  }

  private static func id(_ value: JSONValue) -> PointID? {
    switch value {
    // Label Studio has lists of one label.
    case .array(let labels): labels.count == 1 && labels[0].isText ? id(labels[0]) : nil
    case .number(let number): Int(exactly: number).flatMap { $0 >= 0 ? .number($0) : nil }
    case .string(let text): KeyFacts(text).point
    case .object(let members):
      // Swift's Codable writes an enum in this way.
      members.count == 1 && KeyFacts(members[0].key).plain == "rawvalue" ? id(members[0].value) : nil
    default: nil
    }
  }

  // MARK: Poses

  /// A person's numbers; `nil` if the value is no pose.
  mutating func pose(_ value: JSONValue) -> [Float]? {
    switch value {
    case .array(let elements):
      if let list = flatList(elements) { return list }
      if let list = alternating(elements) ?? tagged(elements) { return list }
      return list(elements)
    case .object(let members):
      return columns(members) ?? withScores(members) ?? named(members) ?? numbered(members) ?? row(members)
    default: return nil
    }
  }

  /// The poses of `{"keypoints": [[[x, y], …], …], "scores": [[…], …]}`, people after people; `nil` for other objects.
  mutating func poses(_ members: [(key: String, value: JSONValue)]) -> [[Float]]? {
    for member in members where KeyFacts(member.key).channel == nil {
      guard case .array(let people) = member.value, !people.isEmpty else { continue }
      for other in members where other.key != member.key && KeyFacts(other.key).isConfidence {
        guard case .array(let scores) = other.value, scores.count == people.count,
          scores.allSatisfy({ if case .array = $0 { true } else { false } })
        else { continue }
        var inner = self
        let poses = zip(people, scores).compactMap { inner.withScores([(member.key, $0), (other.key, $1)]) }
        guard poses.count == people.count else { continue }
        self = inner
        return poses
      }
    }
    return nil
  }

  /// The places of so many points without names, by the file's list of names or their numbers.
  private mutating func places(count: Int) -> [Int] {
    guard names.count == count else {
      points.require(count: count)
      return Array(0..<count)
    }
    return names.map { points.place(of: .name($0)) }
  }

  /// Whether so many points without names are a body.
  private func isBody(_ count: Int) -> Bool { Self.isCount(count) || count > 0 && names.count == count }

  /// `{"left_hip_x": 0.5, "left_hip_y": 0.5, …}`, as a row of a table.
  private mutating func row(_ members: [(key: String, value: JSONValue)]) -> [Float]? {
    guard members.count >= Self.fewestInRow, members.contains(where: { $0.value.number != nil }) else { return nil }
    return row(members.map(\.value), of: members.map(\.key))
  }

  private static let fewestInRow = 8

  /// The pose of a row's numbers; `nil` if its columns are too few points.
  private mutating func row(_ values: [JSONValue], of header: [String]) -> [Float]? {
    guard let columns = columns(of: header), Set(columns.places.map(\.point)).count >= 4,
      columns.places.allSatisfy({ values[$0.column].value($0.channel) != nil || values[$0.column].isNull })
    else { return nil }
    let slots = columns.places.map { points.place(of: $0.point) * KeypointFrame.channels + $0.channel.index }
    var pose = [Float](repeating: .nan, count: points.ids.count * KeypointFrame.channels)
    for (slot, place) in zip(slots, columns.places) {
      pose[slot] = Float(values[place.column].value(place.channel) ?? .nan)
    }
    return pose
  }

  private mutating func columns(of header: [String]) -> KeypointColumns? {
    if table.header != header { table = (header, KeypointColumns(header)) }
    return table.columns
  }

  /// The number and time of a row below the file's list of columns.
  mutating func facts(of row: [JSONValue]) -> (number: Int?, time: Double?, unit: TimeUnit?) {
    guard !header.isEmpty, row.count == header.count, let columns = columns(of: header) else { return (nil, nil, nil) }
    return (
      columns.number.flatMap { row[$0].number }.flatMap { Int(exactly: $0) },
      columns.time.flatMap { row[$0.column].number }, columns.time?.unit
    )
  }

  /// `[x, y, c, x, y, c, …]`.
  private mutating func flatList(_ elements: [JSONValue]) -> [Float]? {
    if !header.isEmpty, elements.count == header.count, let row = row(elements, of: header) { return row }
    // MoveNet's model of several people writes a box and its score behind 17 points.
    if names.isEmpty, elements.count == 56 { return flatList(Array(elements.prefix(51))) }
    guard let shape = flat(elements.count), !Self.isCounting(elements) else { return nil }
    var pose = [Float](repeating: .nan, count: shape.points * KeypointFrame.channels)
    for (index, element) in elements.enumerated() {
      guard let number = element.number ?? (element.isNull ? .nan : nil), !element.isText else { return nil }
      guard index % shape.positions < KeypointFrame.channels else { continue }
      pose[index / shape.positions * KeypointFrame.channels + index % shape.positions] = Float(number)
    }
    return placed(pose, positions: shape.positions)
  }

  /// The points and numbers a point of a list that long.
  private func flat(_ count: Int) -> (points: Int, positions: Int)? {
    guard names.count > 4, count % names.count == 0, (2...4).contains(count / names.count) else {
      return Self.flat(count)
    }
    return (names.count, count / names.count)
  }

  /// Whether numbers are consecutive, as frames' numbers are.
  private static func isCounting(_ elements: [JSONValue]) -> Bool {
    zip(elements, elements.dropFirst()).allSatisfy { ($0.number ?? .nan) + 1 == $1.number }
  }

  /// A pose of points without names, each at its place.
  private mutating func placed(_ pose: [Float], positions: Int) -> [Float] {
    let places = places(count: pose.count / KeypointFrame.channels)
    if positions > 0 {
      points.isPositional = true
      points.positions = max(points.positions, positions)
    }
    guard places != Array(places.indices) else { return pose }
    var placed = [Float](repeating: .nan, count: points.ids.count * KeypointFrame.channels)
    for (index, place) in places.enumerated() {
      for channel in 0..<KeypointFrame.channels {
        placed[place * KeypointFrame.channels + channel] = pose[index * KeypointFrame.channels + channel]
      }
    }
    return placed
  }

  /// `[name, point, name, point, …]`, as Swift's Codable writes a dictionary whose keys are not texts.
  private mutating func alternating(_ elements: [JSONValue]) -> [Float]? {
    guard elements.count >= 4, elements.count % 2 == 0 else { return nil }
    var found: [Point] = []
    for index in stride(from: 0, to: elements.count, by: 2) {
      guard elements[index].isText || !elements[index].isNumber, let id = Self.id(elements[index]), case .name = id,
        var point = Self.point(elements[index + 1])
      else { return nil }
      point.id = id
      found.append(point)
    }
    return pose(of: found)
  }

  /// `[{"nose": point}, {"left_eye": point}, …]`, as Rust's serde writes cases of an enum.
  private mutating func tagged(_ elements: [JSONValue]) -> [Float]? {
    var members: [(key: String, value: JSONValue)] = []
    for element in elements {
      guard case .object(let own) = element, own.count == 1, KeyFacts(own[0].key).isKnown else { return nil }
      members.append(own[0])
    }
    return named(members)
  }

  /// A list of points, with names or numbers, or all of a skeleton's in its order.
  private mutating func list(_ elements: [JSONValue]) -> [Float]? {
    if let points = Self.withoutNumbers(elements) { return list(points) }
    guard !elements.isEmpty, elements.count <= Self.mostPoints else { return nil }
    var found: [Point] = []
    found.reserveCapacity(elements.count)
    var (named, numbered) = (0, 0)
    for element in elements {
      guard var point = Self.point(element) else { return nil }
      switch point.id {
      case .name(let name)?: named += KeyFacts(name).isKnown ? 1 : 0
      case .number?: numbered += 1
      case nil: point.id = .number(found.count)
      }
      found.append(point)
    }
    let isCount = isBody(elements.count)
    // Names that are nobody's do not tell points apart; their order does.
    if named == 0, numbered < elements.count, isCount {
      let areNamed = names.count == found.count
      for index in found.indices { found[index].id = areNamed ? .name(names[index]) : .number(index) }
    }
    guard named > 0 || numbered >= 4 || isCount else { return nil }
    guard found.contains(where: { $0.values[0].isFinite }) || !elements.contains(where: Self.holdsMore) else {
      return nil
    }
    guard named == 0 && numbered == 0 || Set(found.map(\.id)).count == found.count else { return nil }
    // Boxes are lists of four numbers too.
    if named == 0, numbered == 0 {
      guard elements.contains(where: { !$0.isNull }) else { return nil }
      _ = places(count: elements.count)
    }
    return pose(of: found)
  }

  private static let mostPoints = 600

  /// Whether an object holds more than a point, as do frames with numbers of their own.
  private static func holdsMore(_ value: JSONValue) -> Bool {
    guard case .object(let members) = value else { return false }
    return members.count >= fewestInRow
      || members.contains { member in
        switch member.value {
        case .array, .object:
          let key = KeyFacts(member.key).plain
          return !nested.contains(key) && !nameKeys.contains(key)
        default: return false
        }
      }
  }

  /// `[[0, x, y], [1, x, y], …]` without the points' numbers; `nil` for other lists.
  private static func withoutNumbers(_ elements: [JSONValue]) -> [JSONValue]? {
    guard elements.count > 4 else { return nil }
    var rest: [JSONValue] = []
    for (index, element) in elements.enumerated() {
      guard case .array(let numbers) = element, numbers.count >= 3, numbers[0].number == Double(index) else {
        return nil
      }
      rest.append(.array(Array(numbers.dropFirst())))
    }
    return rest
  }

  /// `{"x": […], "y": […], "visible": […]}`.
  private mutating func columns(_ members: [(key: String, value: JSONValue)]) -> [Float]? {
    var columns: [Channel: [JSONValue]] = [:]
    for member in members {
      guard case .array(let list) = member.value, let channel = KeyFacts(member.key).channel else {
        continue
      }
      columns[channel] = list
    }
    guard let x = columns[.x], let y = columns[.y], x.count == y.count, isBody(x.count) else { return nil }
    var pose = [Float](repeating: .nan, count: x.count * KeypointFrame.channels)
    for (channel, list) in columns where list.count == x.count {
      for (index, element) in list.enumerated() {
        guard let number = element.value(channel) else { continue }
        pose[index * KeypointFrame.channels + channel.index] = Float(number)
      }
    }
    return placed(pose, positions: 0)
  }

  /// `{"keypoints": [[x, y], …], "scores": […]}` and `{"pose": [x, y, …], "score": […]}`.
  private mutating func withScores(_ members: [(key: String, value: JSONValue)]) -> [Float]? {
    guard members.contains(where: { KeyFacts($0.key).isConfidence }) else { return nil }
    for member in members where KeyFacts(member.key).channel == nil {
      guard case .array(let elements) = member.value, elements.count >= 4 else { continue }
      var inner = self
      guard var pose = inner.pose(member.value) else { continue }
      for other in members where other.key != member.key && KeyFacts(other.key).isConfidence {
        // Lists of points, or of x and y in turn.
        guard case .array(let scores) = other.value, scores.count * KeypointFrame.channels == pose.count,
          elements.count == scores.count || elements.count == 2 * scores.count,
          scores.allSatisfy({ $0.value(.confidence) != nil || $0.isNull })
        else { continue }
        for (index, score) in scores.enumerated() {
          pose[index * KeypointFrame.channels + Channel.confidence.index] = Float(score.value(.confidence) ?? .nan)
        }
        // A third number beside scores is z.
        inner.points.isPositional = points.isPositional
        inner.points.hasPlaces = true
        self = inner
        return pose
      }
    }
    return nil
  }

  /// `{"nose": point, "left_eye": point, …}`, also in groups.
  private mutating func named(_ members: [(key: String, value: JSONValue)]) -> [Float]? {
    var found: [Point] = []
    var (known, isObject) = (0, false)
    let all = Self.flattened(members)
    for member in all {
      let facts = KeyFacts(member.key)
      guard facts.frameKey == nil, !Self.notPoints.contains(facts.plain) else { continue }
      if case .null = member.value { continue }
      guard var point = Self.point(member.value), case .name = facts.point else { continue }
      point.id = facts.point
      if facts.isKnown {
        known += 1
        if case .object = member.value { isObject = true }
      }
      found.append(point)
    }
    // One joint may be all that was seen; a list of two numbers may be anything, and so may a few points in a group.
    guard known >= (isObject && all.count == members.count ? 1 : 4), Set(found.map(\.id)).count == found.count else {
      return nil
    }
    return pose(of: found)
  }

  /// `{"0": point, "1": point, …}`.
  private mutating func numbered(_ members: [(key: String, value: JSONValue)]) -> [Float]? {
    guard (Self.fewestNumbered...Self.mostPoints).contains(members.count) else { return nil }
    var found: [Point] = []
    for member in members {
      guard let number = Int(member.key), (0..<Self.mostPoints).contains(number), !Self.holdsMore(member.value),
        var point = Self.point(member.value)
      else { return nil }
      point.id = .number(number)
      found.append(point)
    }
    return found.contains { $0.values.x.isFinite } ? pose(of: found) : nil
  }

  /// Fewer numbers are people.
  private static let fewestNumbered = 8

  /// Members with the joints of groups in their place, which have the group's side in their names:
  /// `{"left": {"eye": point}}`, `{"eye": {"left": point}}`, `{"face": {"nose": point}, "leftArm": {"elbow": point}}`.
  private static func flattened(_ members: [(key: String, value: JSONValue)]) -> [(key: String, value: JSONValue)] {
    let sides = ["left", "right"]
    return members.flatMap { member -> [(key: String, value: JSONValue)] in
      guard case .object(let inner) = member.value else { return [member] }
      let facts = KeyFacts(member.key)
      let areSides = inner.allSatisfy { sides.contains(KeyFacts($0.key).plain) }
      // Groups with a number are people or frames.
      let isOther = facts.isWorld || facts.isOther && facts.plain != "face" || member.key.contains(where: \.isNumber)
      // An arm with joints in it is no joint, though some skeletons have one of this name.
      let isPoint = facts.isKnown && Self.point(member.value) != nil
      guard areSides || !isPoint && !isOther else { return [member] }
      let side = JointName.words(member.key).first { sides.contains($0) }
      let own = inner.map { point -> (key: String, value: JSONValue) in
        let name = areSides ? "\(point.key)_\(member.key)" : side.map { "\($0)_\(point.key)" }
        return (key: name ?? point.key, value: point.value)
      }
      let isGroup = own.contains { KeyFacts($0.key).isKnown && Self.point($0.value)?.values.x.isFinite == true }
      return isGroup ? own : [member]
    }
  }

  static let notPoints: Set = [
    "box", "bbox", "boundingbox", "center", "centre", "size", "imagesize", "resolution", "origin", "offset", "gravity",
    "rotation", "localrotation", "orientation", "quaternion", "velocity", "scale",
  ]

  /// - Parameter found: Points that have a name or number.
  private mutating func pose(of found: [Point]) -> [Float] {
    let positions = found.map(\.positions).max() ?? 0
    if positions > 0 {
      points.isPositional = true
      points.positions = max(points.positions, positions)
    }
    let places = found.map { $0.id.map { points.place(of: $0) } }
    var pose = [Float](repeating: .nan, count: points.ids.count * KeypointFrame.channels)
    for index in found.indices {
      guard let place = places[index] else { continue }
      let values = found[index].values
      for channel in 0..<KeypointFrame.channels where values[channel].isFinite {
        pose[place * KeypointFrame.channels + channel] = values[channel]
      }
    }
    return pose
  }
}

extension PointID {
  /// A name, or the number in `12`, `kp_12` and `Landmark 12`.
  init(_ text: String) {
    let words = JointName.words(text)
    if let last = words.last, let number = Int(last), words.count <= 3,
      words.dropLast().allSatisfy({ Self.prefixes.contains($0) })
    {
      self = .number(number)
    } else {
      self = .name(text)
    }
  }

  /// What may stand before a point's number.
  static let prefixes: Set = [
    "landmark", "landmarks", "lm", "lmk", "kp", "kpt", "keypoint", "point", "pt", "pose", "joint", "l", "p", "k", "j",
    "marker", "node", "body", "part", "id", "field", "keypoints",
  ]
}

extension JSONValue {
  /// A point's number; a confidence may be true or false.
  func value(_ channel: Channel) -> Double? {
    if channel == .confidence, case .boolean(let isSeen) = self { isSeen ? 1 : 0 } else { number }
  }

  /// The value in `{"$date": "2025-03-13T12:00:00.040Z"}` and `{"$numberInt": "3"}`, as MongoDB writes its types; others
  /// as they are.
  var untyped: JSONValue {
    guard case .object(let members) = self, members.count == 1, members[0].key.hasPrefix("$") else { return self }
    return members[0].value.untyped
  }

  var isNull: Bool { if case .null = self { true } else { false } }
  var isText: Bool { if case .string = self { true } else { false } }
  var isNumber: Bool { if case .number = self { true } else { false } }
}
