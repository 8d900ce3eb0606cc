import Coaching
import Datasets
import Files
import PoseModel

/// An event as in `docs/detector-protocol.md`, with the fields of all kinds.
struct EventWords: Hashable, Sendable {
  enum Kind: String, CaseIterable {
    case rep, phase, grade, fault, stroke, cue
  }

  /// An impossible event, without its location in the file or stream.
  struct Objection: Error {
    var expected: String
    var found: String
  }

  /// The allowed names and the latest time of an event.
  struct Rules {
    /// The detector's profile, with its names.
    let profile: DetectorProfile
    /// The file that lists the names, for errors.
    let source: String
    /// The latest allowed time.
    let latest: Microseconds
    /// The name of the latest time in errors: `the frame`.
    let latestName: String
  }

  static let keys = [
    "type", "start", "end", "turn", "contact", "time", "label", "phase", "criterion", "value", "fault", "text",
    "priority",
  ]

  var type: String?
  var times: [String: Microseconds] = [:]
  var texts: [String: String] = [:]
  var value: Double?
  /// The confidence; only in files of predictions.
  var score: Double?
  /// Whether the fault is present; `nil` if unknown. Only in files of predictions.
  var isPresent: Bool?
  /// The number of the rep, from 1, instead of its times; only in files of predictions.
  var rep: Int?

  /// An event of this kind.
  init(_ kind: Kind? = nil) { type = kind?.rawValue }

  /// Reads an object with only an event.
  ///
  /// - Throws: `DataError` for an unknown key or a value of another type.
  init(_ json: inout JSONReader) throws {
    try json.object { json, key in
      guard try take(key, from: &json) else {
        throw json.failure(
          expected: "one of \(Self.keys.joined(separator: ", "))", found: NearNames.question(key.text, in: Self.keys))
      }
    }
  }

  /// Reads the value of a key of an event; `false` for any other key.
  mutating func take(_ key: JSONKey, from json: inout JSONReader) throws -> Bool {
    switch key {
    case "type": type = try json.string()
    case "start", "end", "turn", "contact", "time":
      if json.takeNull() { return true }
      guard let time = Microseconds(seconds: try json.number()) else {
        throw json.failure(expected: "a time in seconds", found: "a time outside every clip")
      }
      times[key.text] = time
    case "label", "phase", "criterion", "fault", "text", "priority":
      if json.takeNull() { return true }
      texts[key.text] = try json.string()
    case "value": value = try json.number()
    default: return false
    }
    return true
  }

  /// - Throws: `Objection` for an unknown or missing type.
  func kind() throws -> Kind {
    let kinds = Kind.allCases.map(\.rawValue)
    guard let kind = type.flatMap(Kind.init) else {
      throw Objection(
        expected: "an event whose type is one of \(kinds.joined(separator: ", "))",
        found: type.map { NearNames.question($0, in: kinds) } ?? "none")
    }
    return kind
  }

  func objection(_ expected: String, _ found: String) -> Objection {
    Objection(expected: "\(expected) of a \(type ?? "event")", found: found)
  }

  func text(_ key: String) throws -> String {
    guard let text = texts[key], !text.isEmpty else { throw objection("the \(key)", "none") }
    return text
  }

  /// The name if it is one of `names`, the rules' `key` such as `faults`.
  func known(_ name: String, _ names: [String], _ key: String, _ rules: Rules) throws -> String {
    guard names.contains(name) else {
      throw objection("one of the \(key) in \(rules.source)", NearNames.question(name, in: names))
    }
    return name
  }

  func time(_ key: String, _ rules: Rules) throws -> Microseconds {
    guard let time = times[key] else { throw objection("the \(key)", "none") }
    guard time <= rules.latest else {
      throw objection(
        "the \(key) no later than \(rules.latestName), \(rules.latest.decimalSeconds) s", "\(time.decimalSeconds) s")
    }
    return time
  }

  func rep(_ rules: Rules) throws -> Rep {
    let (start, end) = (try time("start", rules), try time("end", rules))
    let turn = times["turn"] == nil ? nil : try time("turn", rules)
    guard start < end, turn.map({ start <= $0 && $0 <= end }) ?? true else {
      throw objection("start < end with turn between them", "\(start.decimalSeconds) s, \(end.decimalSeconds) s")
    }
    return Rep(start: start, end: end, turn: turn)
  }

  /// The grade of a rep on the profile's criterion.
  func grade(_ rules: Rules) throws -> (criterion: String, value: Double) {
    let criterion = try known(text("criterion"), [rules.profile.tasks.criterion].compactMap(\.self), "criterion", rules)
    guard let value else { throw objection("the value", "none") }
    return (criterion, value)
  }

  func fault(_ rules: Rules) throws -> String { try known(text("fault"), rules.profile.tasks.faults, "faults", rules) }
}

extension EventWords {
  /// The event that a detector reports on a frame.
  ///
  /// - Parameters:
  ///   - file: The detector's file, for errors.
  ///   - frame: The time of the frame; the event must not be later.
  /// - Throws: `Objection` if the event is impossible.
  func event(of profile: DetectorProfile, named file: String, at frame: Microseconds) throws -> Event {
    let rules = Rules(profile: profile, source: file, latest: frame, latestName: "the frame")
    switch try kind() {
    case .rep:
      let rep = try rep(rules)
      return Event(time: rep.end, reported: frame, kind: .rep(rep))
    case .grade:
      let (grade, rep) = (try grade(rules), try rep(rules))
      return Event(
        time: rep.end, reported: frame, kind: .grade(criterion: grade.criterion, value: grade.value, rep: rep))
    case .fault:
      let (fault, rep) = (try fault(rules), try rep(rules))
      return Event(time: rep.end, reported: frame, kind: .fault(fault, rep: rep))
    case .phase:
      let phase = try text("phase")
      // A counter's phases are only shown, postures are scored.
      let name = profile.tasks.labels.isEmpty ? phase : try known(phase, profile.tasks.labels, "labels", rules)
      return Event(time: times["time"] == nil ? frame : try time("time", rules), reported: frame, kind: .phase(name))
    case .cue:
      guard profile.tasks.speaks else { throw objection("speaks: on in \(file)", "a cue without it") }
      let priorities: [String: Cue.Priority] = ["low": .low, "normal": .normal, "high": .high]
      let name = texts["priority"] ?? "normal"
      guard let priority = priorities[name] else {
        throw objection("a priority low, normal or high", NearNames.question(name, in: priorities.keys))
      }
      let fault = try texts["fault"].map { try known($0, profile.tasks.faults, "faults", rules) }
      return Event(frame, .cue(Cue(try text("text"), priority, fault: fault)))
    case .stroke:
      let (start, contact, end) = (try time("start", rules), try time("contact", rules), try time("end", rules))
      guard start <= contact, contact <= end, start < end else {
        throw objection("start, contact and end in order", "\(start.decimalSeconds) s, \(end.decimalSeconds) s")
      }
      let label = try texts["label"].map { try known($0, profile.tasks.labels, "labels", rules) }
      return Event(
        time: contact, reported: frame, kind: .stroke(Stroke(start: start, contact: contact, end: end, label: label)))
    }
  }
}

extension JSONReader {
  /// The probability that a count is right.
  mutating func confidence() throws -> Double {
    let value = try number()
    guard (0...1).contains(value) else { throw failure(expected: "a confidence from 0 to 1", found: "\(value)") }
    return value
  }
}
