/// What the value of a key can be, for templates.
indirect enum ModelShape: Hashable {
  case text
  case flag
  case list(ModelShape)
  case part([String: ModelShape])

  /// Every key below this one, in the order of the alphabet: `metrics[].value`.
  func keys(under prefix: String = "") -> [String] {
    switch self {
    case .text, .flag: prefix.isEmpty ? [] : [prefix]
    case .list(let item): item.keys(under: "\(prefix)[]")
    case .part(let parts):
      parts.sorted { $0.key < $1.key }.flatMap { $0.value.keys(under: prefix.isEmpty ? $0.key : "\(prefix).\($0.key)") }
    }
  }
}

/// What templates can be filled with: texts, flags, lists and parts with keys.
protocol ModelValue: Encodable {
  static var shape: ModelShape { get }
  /// As the template engine takes it; `nil` for nothing.
  var templateValue: Any? { get }
}

/// A struct whose properties are the keys; each is a `ModelValue`.
protocol ModelPart: ModelValue {
  init()
}

extension ModelPart {
  static var shape: ModelShape {
    let pairs = Mirror(reflecting: Self()).children.compactMap { child in
      child.label.flatMap { label in (child.value as? any ModelValue).map { (label, type(of: $0).shape) } }
    }
    return .part(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
  }

  var templateValue: Any? {
    let pairs = Mirror(reflecting: self).children.compactMap { child in
      // A key without a value must be found all the same: the engine would look for it farther out.
      child.label.map { ($0, (child.value as? any ModelValue)?.templateValue ?? Absent()) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension String: ModelValue {
  static var shape: ModelShape { .text }
  var templateValue: Any? { visible }

  /// Without what could write over other text: control characters, line breaks and marks that turn the direction of
  /// writing stand as U+FFFD or a space.
  var visible: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: scalar == "\n" || scalar == "\t" ? " " : "\u{FFFD}"
          case .format where scalar != "\u{200D}" && scalar != "\u{200C}": "\u{FFFD}"
          case .privateUse, .surrogate: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}

extension Bool: ModelValue {
  static var shape: ModelShape { .flag }
  var templateValue: Any? { self }
}

extension Optional: ModelValue where Wrapped: ModelValue {
  static var shape: ModelShape { Wrapped.shape }
  var templateValue: Any? { flatMap(\.templateValue) }
}

extension Array: ModelValue where Element: ModelValue {
  static var shape: ModelShape { .list(Element.shape) }
  var templateValue: Any? { map { $0.templateValue ?? Absent() } }
}
