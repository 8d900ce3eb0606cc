import Foundation

/// A JSON document whose parts can be changed.
indirect enum JSONTree: Codable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let elements = try? value.decode([JSONTree].self) {
      self = .list(elements)
    } else {
      self = .object(try value.decode([String: JSONTree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }

  /// With at most this many elements of each list.
  func first(_ count: Int) -> JSONTree {
    switch self {
    case .list(let elements): .list(elements.prefix(count).map { $0.first(count) })
    case .object(let members): .object(members.mapValues { $0.first(count) })
    case .null, .flag, .number, .text: self
    }
  }

  /// Copies that differ in one part, with its key: each number as −1, 0 and 1e300; each text empty; each list empty,
  /// without its last element, with its last element twice and backwards. Of a list's elements the first and the last
  /// are changed.
  var mutations: [(key: String, tree: JSONTree)] {
    switch self {
    case .null, .flag: return []
    case .number: return [-1, 0, 1e300].map { (key: "", tree: JSONTree.number($0)) }
    case .text: return [(key: "", tree: JSONTree.text(""))]
    case .list(let elements):
      let lists: [[JSONTree]] = [[], elements.dropLast(), elements + elements.suffix(1), elements.reversed()]
      let places = Set([0, elements.count - 1]).filter(elements.indices.contains).sorted()
      return lists.map { (key: "", tree: JSONTree.list($0)) }
        + places.flatMap { place in
          elements[place].mutations.map { key, changed in
            var copy = elements
            copy[place] = changed
            return (key: "[\(place)]\(key)", tree: JSONTree.list(copy))
          }
        }
    case .object(let members):
      return members.sorted { $0.key < $1.key }.flatMap { name, value in
        value.mutations.map { key, changed in
          var copy = members
          copy[name] = changed
          return (key: ".\(name)\(key)", tree: JSONTree.object(copy))
        }
      }
    }
  }

  /// With another value at a key such as `settings[1].values`; unchanged if there is no such key.
  func setting(_ key: String, to value: JSONTree) -> JSONTree {
    let parts = key.split { ".[]".contains($0) }.map(String.init)
    return setting(parts[...], to: value)
  }

  private func setting(_ keys: ArraySlice<String>, to value: JSONTree) -> JSONTree {
    guard let key = keys.first else { return value }
    switch self {
    case .list(var elements):
      guard let place = Int(key), elements.indices.contains(place) else { return self }
      elements[place] = elements[place].setting(keys.dropFirst(), to: value)
      return .list(elements)
    case .object(var members):
      members[key] = (members[key] ?? .null).setting(keys.dropFirst(), to: value)
      return .object(members)
    case .null, .flag, .number, .text: return self
    }
  }
}
