import Files
import PoseModel

/// The columns of a table with a row a frame: which are points, and what the others are.
struct KeypointColumns {
  /// The point and channel of a column.
  struct Place {
    var column: Int
    var name: String
    var point: PointID
    var channel: Channel
  }

  private(set) var places: [Place] = []
  private(set) var number: Int?
  /// The unit is `nil` if the name has none.
  private(set) var time: (column: Int, unit: TimeUnit?)?
  private(set) var step: Int?
  private(set) var clip: Int?
  /// Those of parts of the recording's name, also who performs.
  private(set) var sessions: [Int] = []
  private(set) var subject: Int?
  private(set) var person: Int?
  /// The columns of the image's size and the rate.
  private(set) var facts: [(key: FrameKey, column: Int)] = []
  /// The columns of neither.
  private(set) var others: [Int] = []

  /// Where the number of each of `places` stands in a pose of these points, which are added to them.
  func slots(in points: inout PointList) -> [Int] {
    places.map { points.place(of: $0.point) * KeypointFrame.channels + $0.channel.index }
  }

  /// `nil` if too few columns are points with x and y: one with a known name, or as many numbers as a skeleton has.
  init?(_ header: [String]) {
    var found: [Place] = []
    for (column, name) in header.enumerated() {
      if let key = FrameKey(name) {
        take(key, column, name)
      } else if let (point, channel) = Self.place(name) {
        found.append(Place(column: column, name: name, point: point, channel: channel))
      } else {
        others.append(column)
      }
    }
    if person == nil, let column = header.firstIndex(where: { FrameKey.plain($0) == "id" }) {
      person = column
      others.removeAll { $0 == column }
    }
    // A date is a time if nothing else is.
    if time == nil, let column = others.first(where: { FrameKey.plain(header[$0]) == "date" }) {
      time = (column, nil)
      others.removeAll { $0 == column }
    }
    found = Self.ofPixels(Self.withoutPrefix(Self.withoutNumbers(found)))
    let byPoint = Dictionary(grouping: found) { $0.point }
    let whole = byPoint.filter { _, places in
      places.contains { $0.channel == .x } && places.contains { $0.channel == .y }
    }
    let known = whole.keys.filter { if case .name(let name) = $0 { PointReader.isKnown(name) } else { false } }
    let numbers = whole.keys.compactMap { if case .number(let number) = $0 { number } else { nil } }
    guard !known.isEmpty || numbers.count >= Self.fewestNumbers else { return nil }
    // One joint among many columns that are none shows the same as half of one.
    guard known.count > 1 || numbers.count > 0 || header.count < Self.fewestNumbers * 2 else { return nil }
    // A joint with one of two coordinates alone shows that the table was not understood.
    guard byPoint.keys.allSatisfy({ whole[$0] != nil || !Self.isJoint($0) }) else { return nil }
    var order = PointList()
    for place in found where whole[place.point] != nil { _ = order.place(of: place.point) }
    for place in found {
      // The first of two columns for one number, such as a visibility before a presence.
      if whole[place.point] != nil, !places.contains(where: { $0.point == place.point && $0.channel == place.channel })
      {
        places.append(place)
      } else {
        others.append(place.column)
      }
    }
    others.sort()
  }

  private static let fewestNumbers = 8

  /// Columns u and v of pixels, of which v is no visibility.
  private static func ofPixels(_ found: [Place]) -> [Place] {
    func isCalled(_ place: Place, _ letter: String) -> Bool { JointName.words(place.name).last == letter }
    let pixels = Set(found.filter { isCalled($0, "u") }.map(\.point))
      .subtracting(found.filter { $0.channel == .y }.map(\.point))
    return found.map { place in
      var place = place
      if pixels.contains(place.point), isCalled(place, "v") { place.channel = .y }
      return place
    }
  }

  /// Points without the numbers that all of them have in their names: `11_left_hip`, `left_hip_11` and `left hip/0`.
  private static func withoutNumbers(_ found: [Place]) -> [Place] {
    let plain = found.map { place -> String? in
      guard case .name(let name) = place.point else { return nil }
      let words = JointName.words(name)
      let rest = words.filter { Int($0) == nil }
      return rest.count + 1 == words.count ? rest.joined(separator: "_") : nil
    }
    guard !found.isEmpty, !plain.contains(nil), plain.contains(where: { $0.map(PointReader.isKnown) ?? false }) else {
      return found
    }
    return zip(found, plain).map { place, name in
      var place = place
      if let name { place.point = .name(name) }
      return place
    }
  }

  /// Points without a first word that nobody knows, where it is that of most: `athlete_left_hip`.
  private static func withoutPrefix(_ found: [Place]) -> [Place] {
    let words = found.map { place -> [String] in
      if case .name(let name) = place.point { JointName.words(name) } else { [] }
    }
    let counts = Dictionary(grouping: words.compactMap(\.first), by: \.self).mapValues(\.count)
    let prefix = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    guard let prefix, !found.contains(where: { isJoint($0.point) }) else { return found }
    let rest = words.map { words -> String? in
      words.first == prefix && words.count > 1 ? words.dropFirst().joined(separator: "_") : nil
    }
    guard Set(rest.compactMap(\.self).filter(PointReader.isKnown)).count >= fewestPrefixed else { return found }
    return zip(found, rest).map { place, name in
      var place = place
      if let name { place.point = .name(name) }
      return place
    }
  }

  private static let fewestPrefixed = 4

  private static func isJoint(_ point: PointID) -> Bool {
    if case .name(let name) = point { PointReader.isKnown(name) } else { false }
  }

  private mutating func take(_ key: FrameKey, _ column: Int, _ name: String) {
    switch key {
    case .number: if number == nil { number = column } else { others.append(column) }
    case .time(let unit):
      if let time, !(time.unit == nil && unit != nil) { return others.append(column) }
      if let time { others.append(time.column) }
      time = (column, unit)
    case .step: if step == nil { step = column } else { others.append(column) }
    case .clip: if clip == nil { clip = column } else { others.append(column) }
    case .subject:
      subject = subject ?? column
      sessions.append(column)
    case .session: sessions.append(column)
    case .person: if person == nil { person = column } else { others.append(column) }
    case .fps, .width, .height: facts.append((key, column))
    }
  }

  /// The point and channel in `left_knee_x`, `x_left_knee`, `leftkneeX`, `landmark_12_x`, `x12` and `12x`.
  static func place(_ name: String) -> (point: PointID, channel: Channel)? {
    let words = JointName.words(name)
    guard words.count > 1 else { return glued(words.first ?? "") }
    // inFrameLikelihood is three words.
    for length in stride(from: min(3, words.count - 1), to: 0, by: -1) {
      if let channel = PointReader.channel(words.suffix(length).joined()),
        let point = point(words.dropLast(length), channel)
      {
        return (point, channel)
      }
    }
    if let channel = PointReader.channel(words[0]), let point = point(words.dropFirst(), channel) {
      return (point, channel)
    }
    return glued(words.joined())
  }

  /// The point in the words besides a channel's.
  private static func point(_ words: ArraySlice<String>, _ channel: Channel) -> PointID? {
    let text = words.joined(separator: "_")
    // Positions of many things have an x: a score of one alone is no point's.
    if case .number(let number) = PointID(text) { return .number(number) }
    return words.contains { Int($0) == nil } ? .name(text) : nil
  }

  /// `leftkneex`: a known name and one letter.
  private static func glued(_ word: String) -> (point: PointID, channel: Channel)? {
    guard let channel = PointReader.channel(String(word.suffix(1))), PointReader.isKnown(String(word.dropLast())) else {
      return nil
    }
    return (.name(String(word.dropLast())), channel)
  }
}
