import Files
import PoseModel
import Yams

/// The properties of a dataset as a whole, from `dataset.yaml`.
public struct Manifest: Hashable, Codable, Sendable {
  /// Whether people were recorded or a program generated the motion.
  public enum Origin: String, CaseIterable, Hashable, Codable, Sendable {
    case recorded, synthetic
  }

  /// A criterion of the raters' grades, and the ends of its scale.
  public struct Criterion: Hashable, Codable, Sendable {
    public var name: String
    public var minimum: Double
    public var maximum: Double

    public init(name: String, minimum: Double, maximum: Double) {
      self.name = name
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  public var name: String
  public var version: String
  public var licence: String
  public var source: String
  public var origin: Origin
  /// A caveat for every report, such as that the raters are scripted.
  public var caveat: String?
  /// The name of a `Skeleton`.
  public var skeleton: String
  public var coordinates: CoordinateSystem
  /// The channels of each keypoint in a `.npy` file, in order.
  public var channels: [Channel]
  public var criteria: [Criterion]
  /// A name for the people: in datasets with the same name, subjects with the same name are one person. It may be the
  /// name of the dataset that was recorded first. `nil` if the people occur in no other dataset.
  public var people: String?

  public init(
    name: String, version: String, licence: String, source: String, origin: Origin, caveat: String? = nil,
    skeleton: String, coordinates: CoordinateSystem, channels: [Channel], criteria: [Criterion] = [],
    people: String? = nil
  ) {
    self.people = people
    self.name = name
    self.version = version
    self.licence = licence
    self.source = source
    self.origin = origin
    self.caveat = caveat
    self.skeleton = skeleton
    self.coordinates = coordinates
    self.channels = channels
    self.criteria = criteria
  }
}

extension Manifest {
  /// Reads a `dataset.yaml`.
  ///
  /// - Throws: `DataError` with the line if a key is unknown, missing or of another type, the skeleton is unknown, or a
  ///   number makes no sense.
  public init(yaml file: InputFile) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "name", "version", "licence", "source", "origin", "caveat", "people", "skeleton", "coordinates",
      "criteria",
    ])
    let name = try yaml.text("name")
    guard PortableName.isValid(name) else { throw yaml.failure("name", expected: PortableName.description) }
    let people = try yaml.textIfPresent("people")
    if let people, !PortableName.isValid(people) { throw yaml.failure("people", expected: PortableName.description) }
    let coordinates = try yaml.mapping("coordinates")
    self.init(
      name: name, version: try yaml.text("version"), licence: try yaml.text("licence"),
      source: try yaml.text("source"), origin: try yaml.choice("origin"), caveat: try yaml.textIfPresent("caveat"),
      skeleton: try yaml.skeleton().name, coordinates: try CoordinateSystem(coordinates),
      channels: try coordinates.channels(),
      criteria: try Self.criteria(yaml), people: people)
  }

  private static func criteria(_ yaml: YAMLMapping) throws -> [Criterion] {
    var names: Set<String> = []
    return try yaml.mappingsIfPresent("criteria").map { yaml in
      try yaml.requireOnly(["name", "minimum", "maximum"])
      let name = try yaml.text("name")
      guard names.insert(name).inserted else {
        throw yaml.failure("name", expected: "a unique criterion name")
      }
      let minimum = try yaml.number("minimum")
      let maximum = try yaml.number("maximum")
      guard minimum < maximum else {
        throw yaml.failure("maximum", expected: "a number above the minimum \(minimum.shortestDecimal)")
      }
      return Criterion(name: name, minimum: minimum, maximum: maximum)
    }
  }
}

extension YAMLMapping {
  /// The skeleton under the key `skeleton`.
  public func skeleton() throws -> Skeleton {
    let name = try text("skeleton")
    guard let skeleton = Skeleton.named(name) else {
      let known = Skeleton.all.map(\.name)
      throw failure(
        "skeleton", expected: "one of \(known.joined(separator: ", "))", found: NearNames.question(name, in: known))
    }
    return skeleton
  }

  /// The channels under the key `channels`: x and y, optionally others, each once.
  public func channels() throws -> [Channel] {
    let names = try texts("channels")
    let channels = try names.map { name in
      guard let channel = Channel.allCases.first(where: { $0.name == name }) else {
        throw failure(
          "channels", expected: "some of \(Channel.allCases.map(\.name).joined(separator: ", "))",
          found: NearNames.question(name, in: Channel.allCases.map(\.name)))
      }
      return channel
    }
    guard Set(channels).count == channels.count, channels.contains(.x), channels.contains(.y) else {
      throw failure(
        "channels", expected: "x and y, each channel once", found: "[\(names.joined(separator: ", "))]")
    }
    return channels
  }
}

extension CoordinateSystem {
  fileprivate enum UnitName: String, CaseIterable {
    case image, pixel, metre, relative
  }

  /// The content of `coordinates`: unit, the unit's own keys, y_axis and channels.
  public init(_ yaml: YAMLMapping) throws {
    func positive(_ key: String) throws -> Double {
      let number = try yaml.number(key)
      guard number > 0 else { throw yaml.failure(key, expected: "a number above 0") }
      return number
    }
    let name: UnitName = try yaml.choice("unit")
    let unit: Unit
    let own: [String]
    switch name {
    case .image: (unit, own) = (.image(aspect: try positive("aspect")), ["aspect"])
    case .pixel: (unit, own) = (.pixel(height: try positive("height")), ["height"])
    case .metre: (unit, own) = (.metre, [])
    case .relative: (unit, own) = (.relative, [])
    }
    try yaml.requireOnly(["unit"] + own + ["y_axis", "channels"])
    self.init(unit: unit, yAxis: try yaml.choice("y_axis"))
  }
}

extension Channel {
  /// The name in `dataset.yaml`.
  package var name: String { String(describing: self) }
}

extension Manifest {
  /// The text of a `dataset.yaml`: the same manifest always gives the same bytes.
  ///
  /// - Throws: `YamlError` if a text cannot be written as YAML.
  public func yamlText() throws -> String {
    var pairs: [(Node, Node)] = [
      ("name", .text(name)), ("version", .text(version)), ("licence", .text(licence)), ("source", .text(source)),
      ("origin", .text(origin.rawValue)),
    ]
    if let caveat { pairs.append(("caveat", .text(caveat))) }
    if let people { pairs.append(("people", .text(people))) }
    var place: [(Node, Node)] = []
    switch coordinates.unit {
    case .image(let aspect): place = [("unit", "image"), ("aspect", .number(aspect))]
    case .pixel(let height): place = [("unit", "pixel"), ("height", .number(height))]
    case .metre: place = [("unit", "metre")]
    case .relative: place = [("unit", "relative")]
    }
    place.append(("y_axis", .text(coordinates.yAxis.rawValue)))
    place.append(("channels", Node(channels.map { .text($0.name) }, .implicit, .flow)))
    pairs.append(("skeleton", .text(skeleton)))
    pairs.append(("coordinates", Node(place, .implicit, .block)))
    if !criteria.isEmpty {
      let list = criteria.map { criterion -> Node in
        Node(
          [
            ("name", .text(criterion.name)), ("minimum", .number(criterion.minimum)),
            ("maximum", .number(criterion.maximum)),
          ], .implicit, .flow)
      }
      pairs.append(("criteria", Node(list, .implicit, .block)))
    }
    return try serialize(node: Node(pairs, .implicit, .block), indent: 2, width: -1, allowUnicode: true)
  }
}

extension Node {
  /// A text, in quotation marks if other readers would interpret it as a number, a truth value or null.
  fileprivate static func text(_ text: String) -> Node {
    let isText = Resolver.default.resolveTag(of: Node(text)) == .str
    return Node(text, Tag(.str), isText ? .any : .doubleQuoted)
  }

  fileprivate static func number(_ number: Double) -> Node { Node(number.shortestDecimal, Tag(.float), .plain) }
}
