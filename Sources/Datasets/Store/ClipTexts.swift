import Foundation
import PoseModel

/// What a clip is and what people said of it, as the store keeps them and the hash reads them: the bytes that
/// `canonicalJSON` gives, written without its detours, which take longer than to hash ten seconds of poses.
struct ClipTexts {
  let info: Data
  let labels: Data

  init(_ clip: Clip) throws {
    info = try Self.text(of: clip.info)
    labels = try Self.text(of: clip.labels)
  }

  private static func text(of info: Clip.Info) throws -> Data {
    var json = CanonicalWriter()
    try json.object {
      try $0.member("exercise", info.exercise)
      try $0.member("fps", info.fps)
      try $0.member("name", info.name)
      try $0.member("split", info.split)
      try $0.member("subject", info.subject)
      try $0.member("view", info.view)
    }
    return Data(json.bytes)
  }

  private static func text(of labels: Labels) throws -> Data {
    var json = CanonicalWriter()
    try json.object {
      try $0.member("events", labels.events) {
        try $0.member("label", $1.label)
        $0.member("time", $1.time)
      }
      try $0.member("faults", labels.faults) {
        try $0.member("fault", $1.fault)
        $0.member("present", $1.present)
        try $0.member("rater", $1.rater)
        $0.member("rep", $1.rep)
      }
      try $0.member("grades", labels.grades) {
        try $0.member("criterion", $1.criterion)
        try $0.member("grade", $1.grade)
        try $0.member("rater", $1.rater)
        $0.member("rep", $1.rep)
      }
      try $0.member("intervals", labels.intervals) {
        $0.member("end", $1.end)
        try $0.member("label", $1.label)
        $0.member("start", $1.start)
      }
      $0.member("repCount", labels.repCount)
      guard let reps = labels.reps else { return }
      $0.member("reps", reps) {
        $0.member("end", $1.end)
        $0.member("start", $1.start)
        $0.member("turn", $1.turn)
      }
    }
    return Data(json.bytes)
  }
}

/// Writes objects whose members are given in the order of their keys. What is `nil` is left out.
private struct CanonicalWriter {
  private(set) var bytes: [UInt8] = []

  mutating func object(_ members: (inout Self) throws -> Void) rethrows {
    bytes.append(UInt8(ascii: "{"))
    try members(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  mutating func member(_ key: StaticString, _ value: String) throws {
    begin(key)
    var value = value
    let isPlain = value.withUTF8 { text in
      let isPlain = text.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      if isPlain {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
      }
      return isPlain
    }
    if !isPlain { bytes.append(contentsOf: try canonicalJSON(value)) }
  }

  mutating func member(_ key: StaticString, _ value: Double) throws {
    begin(key)
    guard value.isFinite else { return bytes.append(contentsOf: try canonicalJSON(value)) }
    let text = value.description
    bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
  }

  mutating func member(_ key: StaticString, _ value: Bool) {
    begin(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  mutating func member(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    begin(key)
    bytes.append(contentsOf: "\(value)".utf8)
  }

  mutating func member(_ key: StaticString, _ value: Microseconds?) { member(key, value.map { Int($0.count) }) }

  mutating func member<Element>(
    _ key: StaticString, _ elements: [Element], _ members: (inout Self, Element) throws -> Void
  ) rethrows {
    begin(key)
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try object { try members(&$0, element) }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ key: StaticString) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
  }
}
