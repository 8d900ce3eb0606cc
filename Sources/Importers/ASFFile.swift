import Datasets
import Foundation

/// A skeleton of Acclaim's format: bones, each from the end of its parent.
struct ASFFile {
  struct Bone {
    var name: String
    var parent: Int?
    /// From the parent's end to this one's at rest, in the skeleton's world axes.
    var reach: SIMD3<Double>
    /// The bone's own axes at rest.
    var axis: Rotation
    /// The axes that its motion's angles turn about, in the order of the motion file: 0 is x.
    var turns: [Int]
  }

  let file: String
  /// What coordinates of skeleton and motion are divided by.
  let unit: Double
  /// Parents before children, the root first.
  let bones: [Bone]
  /// The root's values in the motion file: 0 to 2 positions along x, y and z, 3 to 5 angles about them.
  let rootOrder: [Int]
  let rootPosition: SIMD3<Double>

  /// - Throws: `DataError` with the line where the text is no such skeleton, or its hierarchy no tree.
  init(_ input: InputFile) throws {
    try input.requireNoUTF16()
    file = input.name
    var reader = ASFReader(input)
    try reader.read()
    unit = reader.unit
    rootOrder = reader.rootOrder
    rootPosition = reader.rootPosition
    bones = try reader.sorted()
  }
}

/// Collects what the lines of an ASF file say.
private struct ASFReader {
  private let input: InputFile
  private(set) var unit = 1.0
  private(set) var rootOrder = [0, 1, 2, 3, 4, 5]
  private(set) var rootPosition = SIMD3<Double>.zero
  private var anglesAreDegrees = true
  private var rootAxis: (angles: SIMD3<Double>, order: [Int]) = (.zero, [0, 1, 2])
  private var bones: [String: Draft] = [:]
  private var order: [String] = []
  private var children: [(parent: String, name: String, line: Int)] = []
  private var draft: Draft?
  private var line = 0

  private struct Draft {
    var name: String?
    var direction: SIMD3<Double>?
    var length: Double?
    var axis: (angles: SIMD3<Double>, order: [Int]) = (.zero, [0, 1, 2])
    var turns: [Int] = []
  }

  init(_ input: InputFile) { self.input = input }

  private func failure(_ expected: String, _ found: String) -> DataError {
    DataError(file: input.name, line: line, expected: expected, found: String(found.prefix(60)))
  }

  mutating func read() throws {
    var lines = TextLines(input)
    var section = ""
    while let next = lines.next() {
      line = next.number
      // Commas and parentheses count as spaces, and # begins a comment.
      let words = next.text.prefix { $0 != "#" }.split { " \t,()".contains($0) }.map(String.init)
      guard let key = words.first?.lowercased() else { continue }
      if key.hasPrefix(":") {
        section = key
        continue
      }
      let values = Array(words.dropFirst())
      switch section {
      case ":units": try readUnit(key, values)
      case ":root": try readRoot(key, values)
      case ":bonedata": try readBone(key, values)
      case ":hierarchy": if key != "begin", key != "end" { children += values.map { (key, $0.lowercased(), line) } }
      default: break
      }
    }
    guard draft == nil else { throw failure("end", "the end of the file") }
  }

  private mutating func readUnit(_ key: String, _ values: [String]) throws {
    if key == "length" {
      unit = try number(values.first)
      guard unit > 0 else { throw failure("a unit of length above 0", "\(unit)") }
    } else if key == "angle" {
      guard let name = values.first?.lowercased(), ["deg", "rad"].contains(name) else {
        throw failure("angles in deg or rad", values.first ?? "nothing")
      }
      anglesAreDegrees = name == "deg"
    }
  }

  private mutating func readRoot(_ key: String, _ values: [String]) throws {
    switch key {
    case "order":
      let known = ["tx", "ty", "tz", "rx", "ry", "rz"]
      rootOrder = try values.map { value in
        guard let index = known.firstIndex(of: value.lowercased()) else { throw failure("TX … RZ", value) }
        return index
      }
      guard Set(rootOrder).count == rootOrder.count else {
        throw failure("each of TX … RZ once", values.joined(separator: " "))
      }
    case "axis": rootAxis.order = try axes(values.first)
    case "position": rootPosition = try vector(values)
    case "orientation": rootAxis.angles = try vector(values)
    default: break
    }
  }

  private mutating func readBone(_ key: String, _ values: [String]) throws {
    if key == "begin" {
      guard draft == nil else { throw failure("end", "begin") }
      draft = Draft()
      return
    }
    guard var bone = draft else { throw failure("begin", key) }
    switch key {
    case "name": bone.name = values.first?.lowercased()
    case "direction": bone.direction = try vector(values)
    case "length": bone.length = try number(values.first)
    case "axis":
      guard values.count == 4 else { throw failure("three angles and their order", values.joined(separator: " ")) }
      bone.axis = (try vector(values.dropLast()), try axes(values[3]))
    case "dof":
      bone.turns = try values.map { value in
        guard let index = ["rx", "ry", "rz"].firstIndex(of: value.lowercased()) else {
          throw failure("degrees of freedom of rx, ry and rz: bones that only turn", value)
        }
        return index
      }
    case "end":
      guard let name = bone.name, bone.direction != nil, bone.length != nil else {
        throw failure("a bone with name, direction and length", "none of one of them")
      }
      guard name != "root", bones.updateValue(bone, forKey: name) == nil else {
        throw failure("a bone of a name of its own", name)
      }
      order.append(name)
      draft = nil
      return
    default: break
    }
    draft = bone
  }

  private func number(_ text: String?) throws -> Double {
    guard let text, let number = Double(text), number.isFinite else { throw failure("a number", text ?? "nothing") }
    return number
  }

  private func vector(_ words: [String]) throws -> SIMD3<Double> {
    guard words.count == 3 else { throw failure("three numbers", words.joined(separator: " ")) }
    return SIMD3(try number(words[0]), try number(words[1]), try number(words[2]))
  }

  private func axes(_ text: String?) throws -> [Int] {
    let order = (text ?? "").lowercased().compactMap {
      "xyz".firstIndex(of: $0).map { "xyz".distance(from: "xyz".startIndex, to: $0) }
    }
    guard Set(order).count == 3, text?.count == 3 else {
      throw failure("an order of axes such as XYZ", text ?? "nothing")
    }
    return order
  }

  private func rotation(_ axis: (angles: SIMD3<Double>, order: [Int])) -> Rotation {
    Rotation(axis.angles * (anglesAreDegrees ? 1 : 180 / Double.pi), turning: axis.order)
  }

  /// The bones with parents before their children.
  ///
  /// - Throws: `DataError` where a bone is unknown, has two parents or none, or is below itself.
  func sorted() throws -> [ASFFile.Bone] {
    func failure(_ line: Int?, _ expected: String, _ found: String) -> DataError {
      DataError(file: input.name, line: line, expected: expected, found: String(found.prefix(60)))
    }
    var below: [String: [String]] = [:]
    var seen: Set<String> = []
    for (parent, name, line) in children {
      guard bones[name] != nil, parent == "root" || bones[parent] != nil else {
        throw failure(line, "bones of :bonedata", bones[name] == nil ? name : parent)
      }
      guard seen.insert(name).inserted else { throw failure(line, "each bone below one other", "\(name) again") }
      below[parent, default: []].append(name)
    }
    var sorted = [ASFFile.Bone(name: "root", parent: nil, reach: .zero, axis: rotation(rootAxis), turns: [])]
    var open = (below["root"] ?? []).map { ($0, 0) }
    var next = 0
    while next < open.count {
      let (name, parent) = open[next]
      next += 1
      guard let bone = bones[name], let direction = bone.direction, let length = bone.length else { continue }
      guard direction.length > 0 else { throw failure(nil, "a direction of \(name)", "0 0 0") }
      open += (below[name] ?? []).map { ($0, sorted.count) }
      sorted.append(
        ASFFile.Bone(
          name: name, parent: parent, reach: direction.normalized * length, axis: rotation(bone.axis), turns: bone.turns
        ))
    }
    guard sorted.count == bones.count + 1 else {
      let lost = order.first { name in !sorted.contains { $0.name == name } }
      throw failure(nil, "every bone to hang on the root", "\(lost ?? "one") that does not")
    }
    return sorted
  }
}
