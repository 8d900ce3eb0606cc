import Coaching
import Datasets

extension ExerciseSignal {
  private static let measures = ["angle", "lean", "height", "distance", "speed"]

  /// The signals of an exercise's file, by name.
  static func all(_ file: YAMLMapping) throws -> [ExerciseSignal] {
    let yaml = try file.mapping("signals")
    guard !yaml.keys.isEmpty else { throw file.failure("signals", expected: "at least one signal", found: "none") }
    return try yaml.keys.map { try ExerciseSignal($0, yaml.mapping($0)) }
  }

  private init(_ name: String, _ yaml: YAMLMapping) throws {
    let found = yaml.keys.filter(Self.measures.contains)
    guard found.count == 1 else {
      try yaml.requireOnly(Self.measures + ["above", "over", "from", "along", "per", "side"])
      throw DataError(
        file: yaml.file, line: yaml.line,
        expected: "one of \(Self.measures.joined(separator: ", ")) for signals.\(name)",
        found: found.isEmpty ? "none of them" : found.joined(separator: " and "))
    }
    let measure: Measure
    let parts: [BodyPart]
    let own: [String]
    switch found[0] {
    case "angle":
      parts = try yaml.parts("angle", count: 3)
      (measure, own) = (.angle(parts[0], parts[1], parts[2]), [])
    case "lean":
      parts = try yaml.parts("lean", count: 2)
      (measure, own) = (.lean(lower: parts[0], upper: parts[1]), [])
    case "height":
      let part = try yaml.part("height")
      own = ["above", "over", "per"]
      if yaml.keys.contains("over") {
        let line = try yaml.parts("over", count: 2)
        guard !yaml.keys.contains("above") else {
          throw yaml.failure("above", expected: "either above or over", found: "both")
        }
        parts = [part] + line
        measure = .heightOverLine(part, from: line[0], to: line[1], per: try yaml.reference())
      } else {
        parts = [part, try yaml.part("above")]
        measure = .height(part, above: parts[1], per: try yaml.reference())
      }
    case "distance":
      parts = try yaml.parts("distance", count: 2)
      let axis: BodyDistance.Axis = yaml.keys.contains("along") ? try yaml.choice("along") : .both
      (measure, own) = (.distance(parts[0], parts[1], along: axis, per: try yaml.reference()), ["along", "per"])
    default:
      parts = [try yaml.part("speed"), try yaml.part("from")]
      (measure, own) = (.speed(parts[0], from: parts[1]), ["from"])
    }
    try yaml.requireOnly([found[0]] + own + ["side"])
    let hasSides = parts.contains(where: \.hasSides)
    var side = SideRule.mean
    if yaml.keys.contains("side") {
      guard hasSides else {
        throw yaml.failure("side", expected: "no side, as each of its joints is on one or in the middle")
      }
      side = try yaml.choice("side")
    }
    self.init(name, measure, side: hasSides ? side : .left)
  }
}

extension YAMLMapping {
  /// What lengths are divided by: the trunk, where the file names no two joints.
  fileprivate func reference() throws -> ReferenceLength {
    guard keys.contains("per") else { return .trunk }
    let ends = try parts("per", count: 2)
    return ReferenceLength(from: ends[0], to: ends[1], unit: "times \(ends[0].name)–\(ends[1].name)")
  }
}
