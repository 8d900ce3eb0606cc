import PoseModel

extension Manifest {
  /// Reads a `dataset.yaml`.
  ///
  /// - Throws: `DataError` with the line where a key is unknown, missing or of another type, the skeleton is not a
  ///   known one, or a number makes no sense.
  public init(yaml file: InputFile) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "name", "version", "licence", "source", "origin", "caveat", "skeleton", "coordinates", "criteria",
    ])
    let name = try yaml.text("name")
    guard PortableName.isValid(name) else { throw yaml.failure("name", expected: PortableName.description) }
    let coordinates = try yaml.mapping("coordinates")
    self.init(
      name: name, version: try yaml.text("version"), licence: try yaml.text("licence"),
      source: try yaml.text("source"), origin: try yaml.choice("origin"), caveat: try yaml.textIfPresent("caveat"),
      skeleton: try yaml.skeleton().name, coordinates: try CoordinateSystem(coordinates),
      channels: try coordinates.channels(),
      criteria: try Self.criteria(yaml))
  }

  private static func criteria(_ yaml: YAMLMapping) throws -> [Criterion] {
    var names: Set<String> = []
    return try yaml.mappingsIfPresent("criteria").map { yaml in
      try yaml.requireOnly(["name", "minimum", "maximum"])
      let name = try yaml.text("name")
      guard names.insert(name).inserted else {
        throw yaml.failure("name", expected: "a name that no other criterion has")
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
  /// The skeleton that is named under `skeleton`.
  public func skeleton() throws -> Skeleton {
    let name = try text("skeleton")
    guard let skeleton = Skeleton.named(name) else {
      let known = Skeleton.all.map(\.name)
      throw failure(
        "skeleton", expected: "one of \(known.joined(separator: ", "))", found: NearNames.question(name, in: known))
    }
    return skeleton
  }

  /// The channels that are listed under `channels`: x and y, perhaps others, each once.
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

  /// What stands under `coordinates`: unit, what the unit needs, y_axis and channels.
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
  var name: String { String(describing: self) }
}
