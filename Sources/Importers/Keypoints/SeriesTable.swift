import Files
import PoseModel

/// A table as an object of its columns, as pandas writes it: `{"left_hip_x": [0.5, …], …}` or with the rows' numbers as
/// keys (`{"0": 0.5, …}`), and series of points: `{"left_hip": {"x": […], "y": […]}}`, `{"left_hip": [[x, y, c], …]}`,
/// also in a list with the joint's name beside.
struct SeriesTable {
  private let series: [[Double]]
  private let columns: KeypointColumns
  /// The numbers without names of a point.
  private let positions: Int

  /// `nil` if a file is no such table.
  ///
  /// - Throws: `DataError` if it is no JSON.
  init?(_ file: InputFile) throws {
    guard file.bytes.withoutByteOrderMark.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return nil }
    var found = Series()
    try JSONReader.read(file) { try found.look(&$0, "", depth: 0) }
    guard let length = found.all.map(\.values.count).max(), length > 1 else { return nil }
    let whole = found.all.filter { $0.values.count == length }
    guard let columns = KeypointColumns(whole.map(\.name)), Set(columns.places.map(\.point)).count >= 4 else {
      return nil
    }
    (self.columns, series, positions) = (columns, whole.map(\.values), found.positions)
  }

  /// Series of numbers by the keys that lead to them.
  private struct Series {
    var all: [(name: String, values: [Double])] = []
    var positions = 0

    /// Looks into an object with a joint's name beside its series: `{"name": "nose", "trajectory": [[x, y, c], …]}`.
    private mutating func lookNamed(_ json: inout JSONReader, depth: Int) throws {
      let first = all.count
      var name: String?
      try json.object { json, key in
        guard try json.kind() == .string else {
          return try look(&json, KeyFacts(key.text).channel.map { "_\($0)" } ?? "", depth: depth)
        }
        let text = try json.string()
        if PointReader.isKnown(text) { name = text }
      }
      for index in all.indices.dropFirst(first) { all[index].name = (name ?? "") + all[index].name }
    }

    mutating func look(_ json: inout JSONReader, _ name: String, depth: Int) throws {
      switch try json.kind() {
      case .array:
        var columns: [[Double]] = []
        var isSeries = true
        try json.array { json in
          guard isSeries else { return try json.skip() }
          if depth < 3, try json.kind() == .object { return try lookNamed(&json, depth: depth + 1) }
          var row: [Double] = []
          switch try json.value(limit: 6) {
          // Confidences may be true or false.
          case .array(let numbers): row = numbers.compactMap { $0.value(.confidence) ?? ($0.isNull ? .nan : nil) }
          case let value: if let number = value.value(.confidence) ?? (value.isNull ? .nan : nil) { row = [number] }
          }
          if columns.isEmpty { columns = row.map { _ in [] } }
          isSeries = (1...4).contains(row.count) && row.count == columns.count
          if isSeries { for (column, number) in row.enumerated() { columns[column].append(number) } }
        }
        guard isSeries else { return }
        if columns.count == 1 { return all.append((name, columns[0])) }
        positions = max(positions, columns.count)
        for (channel, values) in zip(["x", "y", "z", "c"], columns) { all.append(("\(name)_\(channel)", values)) }
      case .object where depth < 3:
        var rows: [Double] = []
        try json.object { json, key in
          let text = key.text
          if Int(text) == rows.count, try [.number, .boolean, .null].contains(json.kind()) {
            rows.append(try json.value(limit: 1).value(.confidence) ?? .nan)
          } else {
            // A list of joints has a name of its own.
            let isJoint = depth > 1 || PointReader.isKnown(name)
            try look(&json, isJoint ? "\(name)_\(text)" : text, depth: depth + 1)
          }
        }
        if !rows.isEmpty { all.append((name, rows)) }
      default: try json.skip()
      }
    }
  }

  /// Calls `body` with each frame.
  func forEachFrame(_ body: (KeypointFrame, PointList) throws -> Void) throws {
    var points = PointList()
    let slots = columns.slots(in: &points)
    (points.isPositional, points.positions) = (positions > 0, positions)
    for row in series[0].indices {
      var frame = KeypointFrame(number: columns.number.flatMap { Int(exactly: series[$0][row]) } ?? row)
      if let time = columns.time, series[time.column][row].isFinite {
        (frame.time, frame.timeUnit) = (series[time.column][row], time.unit)
      }
      var values = [Float](repeating: .nan, count: points.ids.count * KeypointFrame.channels)
      for (slot, place) in zip(slots, columns.places) { values[slot] = Float(series[place.column][row]) }
      frame.people = [KeypointFrame.Person(values: values)]
      try body(frame, points)
    }
  }
}
