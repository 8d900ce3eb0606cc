import PoseModel
import Yams

extension Manifest {
  /// The text of a `dataset.yaml`: the same manifest always gives the same bytes.
  ///
  /// - Throws: `YamlError` where a text cannot be written as YAML.
  public func yamlText() throws -> String {
    var pairs: [(Node, Node)] = [
      ("name", .text(name)), ("version", .text(version)), ("licence", .text(licence)), ("source", .text(source)),
      ("origin", .text(origin.rawValue)),
    ]
    if let caveat { pairs.append(("caveat", .text(caveat))) }
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
  /// A text in quotation marks where other readers would take it for a number, a truth value or nothing.
  fileprivate static func text(_ text: String) -> Node {
    let isText = Resolver.default.resolveTag(of: Node(text)) == .str
    return Node(text, Tag(.str), isText ? .any : .doubleQuoted)
  }

  fileprivate static func number(_ number: Double) -> Node { Node(number.shortestDecimal, Tag(.float), .plain) }
}
