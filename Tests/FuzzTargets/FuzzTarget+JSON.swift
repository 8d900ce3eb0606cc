import Files
import Foundation

extension FuzzTarget {
  /// Passed over or read value by value, a document is JSON or is not.
  static let json = FuzzTarget("json") { file in
    let isSkipped = isRead { _ = try JSONReader.read(file) { try $0.skip() } }
    // Reading goes down the stack with whoever asks for it, so that only what they ask for can be deep.
    let opened = file.bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    if opened < 200, isRead({ _ = try JSONReader.read(file) { try visit(&$0) } }), !isSkipped {
      throw RoundTripError(what: "read and not skipped")
    }
    var records: [Float] = []
    if isRead({ _ = try JSONReader.read(file) { try $0.records(record, into: &records) } }) {
      guard try records.map(\.bitPattern) == members(file).map(\.bitPattern) else {
        throw RoundTripError(what: "records \(records)")
      }
    }
    _ = try JSONReader.read(file) { json in
      var values: [Float] = []
      let shape = try json.tensor(into: &values)
      guard shape.reduce(1, *) == values.count else { throw RoundTripError(what: "shape \(shape)") }
    }
  }

  private static let record = JSONRecord(["x", "y", "score"], required: 1, "an object with x")

  /// The same by the keys' names.
  private static func members(_ file: InputFile) throws -> [Float] {
    var values: [Float] = []
    try JSONReader.read(file) { json in
      try json.array { json in
        var members: [Float] = [.nan, .nan, .nan]
        try json.object { json, key in
          switch key {
          case "x": members[0] = try json.coordinate()
          case "y": members[1] = try json.coordinate()
          case "score": members[2] = try json.coordinate()
          default: try json.skip()
          }
        }
        values += members
      }
    }
    return values
  }

  private static func isRead(_ read: () throws -> Void) -> Bool {
    do {
      try read()
      return true
    } catch {
      return false
    }
  }

  private static func visit(_ json: inout JSONReader) throws {
    switch try json.kind() {
    case .object: try json.object { json, _ in try visit(&json) }
    case .array: try json.array { json in try visit(&json) }
    case .string: _ = try json.string()
    case .number: _ = try json.coordinate()
    case .boolean: _ = try json.boolean()
    case .null: try json.skip()
    }
  }
}
