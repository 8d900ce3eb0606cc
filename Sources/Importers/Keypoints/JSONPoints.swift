import Files
import PoseModel

/// Finds points within a value of JSON that has no frames of its own, as labelling tools write it, each with what the
/// objects around it say: `{"frame": 0, "regions": [{"name": "nose", "place": {"x": 540, "y": 384}}]}`.
struct JSONPoints {
  private(set) var rows: NamedRows

  /// - Parameter most: How many points are wanted.
  init(most: Int) { rows = NamedRows(most: most) }

  /// Adds the points within a value.
  ///
  /// - Throws: `EnoughRead` if there are enough, or too many.
  mutating func add(_ value: JSONValue) throws { try add(value, around: []) }

  private mutating func add(_ value: JSONValue, around: NamedRows.Fields) throws {
    switch value {
    case .array(let elements): for element in elements { try add(element, around: around) }
    case .object(let members):
      let own: NamedRows.Fields = members.compactMap { member in
        Self.text(member.value).map { (key: member.key, value: $0) }
      }
      // The name of a point or an image may stand beside the object that has its place.
      let parts = members.compactMap { if case .object(let inner) = $0.value { inner } else { nil } }
      let beside: NamedRows.Fields = (parts.count > Self.mostParts ? [] : parts).flatMap { inner in
        inner.compactMap { member -> (key: String, value: String)? in
          guard let word = Self.text(member.value), Self.isJoint(word) || KeypointFrame.isImage(word) else {
            return nil
          }
          return (key: member.key, value: word)
        }
      }
      if let point = Self.point(own, around: around, names: []) {
        return try rows.add(around.compactMap(Self.fact) + own.compactMap(Self.fact) + point)
      }
      for field in own where !rows.facts.contains(where: { $0.key == field.key }) {
        switch FrameKey(field.key) {
        case .fps, .width, .height: rows.facts.append(field)
        default: break
        }
      }
      for member in members where !PointReader.notPoints.contains(KeyFacts(member.key).plain) {
        var outer = around + own + beside
        let (key, isNumber) = (member.key, Int(member.key) != nil || member.key.hasPrefix("frame"))
        if KeypointJSON.isFrame(key: key), !outer.contains(where: { ["frame", "time"].contains($0.key) }) {
          outer.append((key: isNumber || KeypointFrame.isImage(key) ? "frame" : "time", value: key))
        }
        if KeyFacts(member.key).isKnown { outer.append((key: "name", value: member.key)) }
        try add(member.value, around: outer)
      }
    default: break
    }
  }

  /// The name, numbers, frame and time of a point; `nil` for other elements.
  ///
  /// - Parameter names: Fields of its own that name it, whatever they say; without one it has the nearest name of a joint.
  static func point(_ own: NamedRows.Fields, around: NamedRows.Fields, names: [String]) -> NamedRows.Fields? {
    let given = names.lazy.compactMap { key in own.first { $0.key == key }?.value }.first
    guard let name = given ?? (around + own).last(where: { isJoint($0.value) })?.value else { return nil }
    var fields: NamedRows.Fields = [(key: "keypoint", value: name)]
    if let places = own.first(where: { $0.key == "points" })?.value.split(separator: ","), places.count == 2 {
      fields += zip(["x", "y"], places).map { (key: $0, value: String($1)) }
    }
    for field in own {
      // Kinovea's UserX and UserTime.
      let words = JointName.words(field.key)
      if let channel = KeyFacts(words.count == 2 && words[0] == "user" ? words[1] : field.key).channel {
        fields.append((key: "\(channel)", value: field.value))
      } else {
        switch FrameKey(field.key) {
        case .number, .time: fields.append(field)
        default: break
        }
      }
    }
    return ["x", "y"].allSatisfy { channel in fields.contains { $0.key == channel } } ? fields : nil
  }

  /// The text of a value that is no list or object.
  static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): number.shortestDecimal
    case .boolean(let isTrue): isTrue ? "true" : "false"
    default: nil
    }
  }

  /// Whether a text is a joint's name; images in texts are not looked through.
  private static func isJoint(_ text: String) -> Bool { text.utf8.count < 64 && PointReader.isKnown(text) }

  /// A field that says which frame, recording or person a point is of; `nil` for others.
  private static func fact(_ field: (key: String, value: String)) -> (key: String, value: String)? {
    if KeypointFrame.isImage(field.value) { return (key: "image", value: field.value) }
    switch FrameKey(field.key) {
    case .number, .time, .person, .clip, .subject, .session: return field
    default: return nil
    }
  }

  /// An object of more objects is a list of things, not of what they say of each other.
  private static let mostParts = 4
}
