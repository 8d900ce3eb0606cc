import Files
import Foundation

/// A frame of JSON and the people in it.
extension KeypointJSON {
  /// A value as a frame; `nil` if it is none.
  ///
  /// - Parameters:
  ///   - isRoot: Whether it is a whole document, in which a list of poses is frames and not people.
  ///   - isLine: Whether such a document is a line, which is one frame of many.
  mutating func frame(_ value: JSONValue, isRoot: Bool, isLine: Bool = false) -> KeypointFrame? {
    var frame = KeypointFrame()
    switch value {
    case .null: return isRoot ? nil : frame
    case .array(let elements):
      if elements.isEmpty { return isRoot && !isLine ? nil : frame }
      if let pose = reader.pose(value) {
        frame.people = [KeypointFrame.Person(values: pose)]
        (frame.number, frame.time, frame.timeUnit) = reader.facts(of: elements)
        return frame
      }
      // A time before its pose.
      if !isRoot || isLine, elements.count == 2, let time = elements[0].number, !elements[0].isText,
        var pair = self.frame(elements[1], isRoot: false), !pair.people.isEmpty
      {
        pair.time = pair.time ?? time
        return pair
      }
      guard !isRoot || isLine else {
        // The only detection in a frame's file, as Ultralytics writes it.
        guard elements.count == 1, case .object = elements[0] else { return nil }
        return self.frame(elements[0], isRoot: true)
      }
      frame.people = people(value, depth: 0) ?? []
      return frame.people.isEmpty ? nil : frame
    case .object(let members):
      if members.isEmpty { return isRoot && !isLine ? nil : frame }
      // A document of frames by their numbers.
      if isRoot, members.contains(where: { Self.isFrame(key: $0.key) }) { return nil }
      var isFrame = false
      var sessions: [String] = []
      if let people = people(value, depth: 0) {
        // A document of several poses has frames, unless it calls them people.
        if isRoot, !isLine, people.count > 1, !Self.arePeople(members, count: people.count) { return nil }
        frame.people = people
        isFrame = true
      }
      for member in members {
        switch KeyFacts(member.key).frameKey {
        case .number:
          let value = member.value.untyped
          if let number = value.number {
            frame.number = Int(exactly: number) ?? frame.number
          } else if case .string(let name) = value {
            if KeypointFrame.isImage(name) { frame.take(name: name) }
            frame.number = frame.number ?? NumberedName(name)?.number
          }
          isFrame = isFrame || frame.number != nil && !isRoot
        case .time(let unit):
          let value = member.value.untyped
          if let time = value.number, !(value.isText && ClockTime.isStamp(time)) {
            (frame.time, frame.timeUnit) = (time, unit)
          } else if case .string(let text) = value, let seconds = ClockTime.seconds(text) {
            (frame.time, frame.timeUnit, frame.fourthPart) = (seconds, .seconds, ClockTime.fourthPart(text))
          } else if let seconds = Self.parts(of: value) {
            (frame.time, frame.timeUnit) = (seconds, .seconds)
          } else {
            break
          }
          isFrame = isFrame || !isRoot
        case .step: frame.step = member.value.number
        case .clip: if case .string(let name) = member.value { frame.take(name: name) }
        case .subject, .session:
          guard let name = Self.text(member.value) else { break }
          sessions.append(name)
          if KeyFacts(member.key).frameKey == .subject { frame.subject = frame.subject ?? name }
        case .fps, .width, .height: if !isRoot { said.note(member.key, member.value) }
        default:
          let plain = KeyFacts(member.key).plain
          if plain == "index", frame.number == nil {
            frame.number = member.value.number.flatMap(Int.init(exactly:))
          } else if plain == "header", frame.time == nil, case .object(let inner) = member.value,
            let seconds = inner.lazy.compactMap({ Self.parts(of: $0.value) }).first
          {
            (frame.time, frame.timeUnit) = (seconds, .seconds)
          }
        }
      }
      if isFrame, frame.number == nil, frame.time == nil { takeTime(of: members, into: &frame) }
      if frame.clip == nil, !sessions.isEmpty { frame.clip = sessions.joined(separator: "_") }
      return isFrame ? frame : nil
    default: return nil
    }
  }

  /// Whether a list of so many is called people.
  private static func arePeople(_ members: [(key: String, value: JSONValue)], count: Int) -> Bool {
    count <= mostPeople
      && members.contains { member in
        guard case .array(let list) = member.value, list.count == count else { return false }
        return ["people", "persons", "instances", "bodies"].contains(KeyFacts(member.key).plain)
      }
  }

  /// Takes the time that an object around the pose has: `{"payload": {"ts": 40, "pose": {"keypoints": […]}}}`.
  private func takeTime(of members: [(key: String, value: JSONValue)], into frame: inout KeypointFrame) {
    for member in members {
      let facts = KeyFacts(member.key)
      guard case .object = member.value, facts.frameKey == nil, !facts.isWorld, !facts.isOther else { continue }
      var inner = self
      guard let own = inner.frame(member.value, isRoot: false), own.time != nil, !own.people.isEmpty else { continue }
      (frame.time, frame.timeUnit, frame.fourthPart) = (own.time, own.timeUnit, own.fourthPart)
      return
    }
  }

  /// The people within a value; `nil` if there is no place for any.
  private mutating func people(_ value: JSONValue, depth: Int) -> [KeypointFrame.Person]? {
    guard depth < 6 else { return nil }
    if let pose = reader.pose(value) {
      var person = KeypointFrame.Person(values: pose)
      if case .object(let members) = value { person.track = Self.track(members, isFrame: depth == 0) }
      return [person]
    }
    switch value {
    case .array(let elements):
      if elements.isEmpty { return depth > 0 ? [] : nil }
      var found: [KeypointFrame.Person] = []
      for element in elements {
        guard let people = people(element, depth: depth + 1) else { return nil }
        found += people
      }
      return found
    case .object(let members):
      if let people = byNumber(members, depth: depth) { return people }
      if let poses = reader.poses(members) { return poses.map { KeypointFrame.Person(values: $0) } }
      var empty: [KeypointFrame.Person]?
      for isWorldKey in isWorld ? [true, false] : [false] {
        var whole: [KeypointFrame.Person] = []
        for member in members where KeyFacts(member.key).isWorld == isWorldKey && !KeyFacts(member.key).isOther {
          // Frames are no people.
          guard !Self.isFact(member.key), KeyFacts(member.key).plain != "frames" else { continue }
          let known = reader
          guard var found = people(member.value, depth: depth + 1) else { continue }
          if found.count == 1, found[0].track == nil { found[0].track = Self.track(members, isFrame: depth == 0) }
          if whole.isEmpty || Self.complete(whole, found) {
            whole = found
          } else if found.count == 1, whole.count == 1, let joined = joined(whole[0], found[0]) {
            whole = [joined]
          } else {
            reader = known
          }
          if found.isEmpty, Self.containers.contains(where: KeyFacts(member.key).plain.contains) { empty = found }
        }
        if !whole.isEmpty { return whole }
      }
      return empty
    case .null: return depth > 0 ? [] : nil
    // JSON as a text in JSON.
    case .string(let text) where text.hasPrefix("[") || text.hasPrefix("{"):
      let inner = InputFile(name: file.name, bytes: Data(text.utf8))
      guard let value = try? JSONReader.read(inner, { try $0.value(limit: Self.largestFrame) }) else { return nil }
      return people(value, depth: depth)
    default: return nil
    }
  }

  /// Whether people are those of another list with further numbers, such as confidences.
  private static func complete(_ people: [KeypointFrame.Person], _ others: [KeypointFrame.Person]) -> Bool {
    guard people.count == others.count else { return false }
    var isFurther = false
    for (person, other) in zip(people, others) {
      guard person.values.count == other.values.count else { return false }
      for (slot, (own, more)) in zip(person.values, other.values).enumerated() {
        let isPlace = slot % KeypointFrame.channels < 2
        guard own == more || own.isNaN && (more.isNaN || !isPlace) else { return false }
        if own.isNaN, more.isFinite { isFurther = true }
      }
    }
    return isFurther
  }

  /// A person whose points stand in two groups by their names, such as those of the upper and the lower body; `nil` if
  /// the second has points of the first, or points without names.
  private func joined(_ one: KeypointFrame.Person, _ other: KeypointFrame.Person) -> KeypointFrame.Person? {
    let width = reader.points.ids.count * KeypointFrame.channels
    func filled(_ values: [Float]) -> [Float] { values + [Float](repeating: .nan, count: width - values.count) }
    var values = filled(one.values)
    let others = filled(other.values)
    for (place, id) in reader.points.ids.enumerated() {
      let range = place * KeypointFrame.channels..<(place + 1) * KeypointFrame.channels
      let (isOwn, isOther) = (values[range].contains(where: \.isFinite), others[range].contains(where: \.isFinite))
      guard isOwn || isOther else { continue }
      guard case .name = id, !(isOwn && isOther) else { return nil }
      if isOther { values.replaceSubrange(range, with: others[range]) }
    }
    return KeypointFrame.Person(track: one.track, values: values)
  }

  /// The seconds of `{"seconds": 1, "nanoseconds": 40000000}`, as protobuf, Firestore and ROS write times, and of
  /// `{"value": 24, "timescale": 600}`, as Apple's Core Media does.
  private static func parts(of value: JSONValue) -> Double? {
    guard case .object(let members) = value else { return nil }
    func number(_ names: [String]) -> Double? {
      members.first { names.contains(KeyFacts($0.key).plain) }?.value.number
    }
    if let value = number(["value"]), let scale = number(["timescale"]), scale > 0 { return value / scale }
    return number(["seconds", "secs", "sec"]).map {
      $0 + (number(["nanoseconds", "nanos", "nsecs", "nanosec", "nsec"]) ?? 0) * 1e-9
    }
  }

  /// The people of `{"1": pose, "2": pose}`, which have these numbers, or a person in the views `view1`, `view2` of several
  /// cameras, of which one is chosen as among people.
  private mutating func byNumber(
    _ members: [(key: String, value: JSONValue)], depth: Int
  ) -> [KeypointFrame.Person]? {
    guard !members.isEmpty else { return nil }
    let views = ["view", "cam", "camera"]
    let words = depth > 0 ? ["", "person", "player", "track", "id"] + views : views
    var found: [KeypointFrame.Person] = []
    for member in members {
      let digits = member.key.drop { !$0.isNumber }
      let word = FrameKey.plain(String(member.key.prefix { !$0.isNumber }))
      guard let number = Int(digits), words.contains(word),
        let people = people(member.value, depth: depth + 1), people.count == 1
      else { return nil }
      found.append(
        KeypointFrame.Person(track: "\(number)", values: people[0].values, isView: views.contains(word)))
    }
    return found
  }

  static func isFact(_ key: String) -> Bool {
    switch KeyFacts(key).frameKey {
    case nil, .person, .clip, .subject, .session: false
    default: true
    }
  }

  /// The tool's number or name of a person.
  ///
  /// - Parameter isFrame: Whether the members are a frame's, whose `id` is its own.
  private static func track(_ members: [(key: String, value: JSONValue)], isFrame: Bool) -> String? {
    for member in members {
      guard KeyFacts(member.key).frameKey == .person || !isFrame && ["id", "idx"].contains(KeyFacts(member.key).plain)
      else {
        continue
      }
      switch member.value {
      case .number(let number): return number.formatted(.number.grouping(.never))
      case .string(let text): return text
      default: break
      }
    }
    return nil
  }

  /// Parts of the keys that hold poses, and are empty in a frame without a person.
  static let containers = ["landmark", "keypoint", "pose", "point", "people", "person", "joint", "result"]
}
