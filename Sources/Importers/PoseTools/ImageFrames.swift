/// Which frame each image of a recording is, by the images' names.
///
/// Where all names differ in one number only (`0.jpg`, `1.jpg`; `walk_0001.png`), that number is the frame; otherwise images
/// follow each other in the order in which they first come. As long as names are made in one way, their numbers are all that
/// is kept of them: a recording may have half a million.
struct ImageFrames {
  private var pattern: Pattern?
  /// Of each image, where `pattern` tells names by them.
  private var known: [Int] = []
  /// Where each of `known` is, where they do not grow.
  private var places: [Int: Int]?
  /// Of each image, where `pattern` does not tell them.
  private var names: [String] = []
  private var placesByName: [String: Int] = [:]

  /// Different images.
  var count: Int { pattern == nil ? names.count : known.count }

  /// The place of an image among all in the order in which they first come.
  mutating func place(of name: String) -> Int {
    if count == 0 { pattern = Pattern(name) }
    if let number = pattern?.number(of: name) { return place(ofNumber: number) }
    if let pattern {
      for number in known { _ = place(ofName: pattern.name(number)) }
      self.pattern = nil
      known = []
      places = nil
    }
    return place(ofName: name)
  }

  /// The frame that each image is, by its place; `nil` where names do not say it.
  var numbers: [Int]? {
    guard pattern == nil else { return known }
    let stems = names.lazy.map { NumberedName($0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex)) }
    guard let first = stems.first ?? nil else { return nil }
    var numbers: [Int] = []
    for stem in stems {
      guard let stem, stem.prefix == first.prefix, stem.suffix == first.suffix else { return nil }
      numbers.append(stem.number)
    }
    return Set(numbers).count == numbers.count ? numbers : nil
  }

  private mutating func place(ofName name: String) -> Int {
    if let place = placesByName[name] { return place }
    placesByName[name] = names.count
    names.append(name)
    return names.count - 1
  }

  private mutating func place(ofNumber number: Int) -> Int {
    if places == nil {
      var below = 0
      var above = known.count
      if let last = known.last, number > last { below = above }
      while below < above {
        let middle = (below + above) / 2
        if known[middle] < number { below = middle + 1 } else { above = middle }
      }
      if below < known.count {
        if known[below] == number { return below }
        places = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1, $0) })
      }
    }
    if let place = places?[number] { return place }
    places?[number] = known.count
    known.append(number)
    return known.count - 1
  }
}

/// How names are made that differ in one number: `walk_`, four digits or more, `.png`.
///
/// Each number has one name only.
private struct Pattern {
  private let prefix: [UInt8]
  private let suffix: [UInt8]
  /// The fewest digits of a name until now.
  private var shortest = Int.max
  /// To how many digits zeros fill up numbers; `nil` as long as no name has begun with one.
  private var filled: Int?

  init?(_ name: String) {
    let end = name.lastIndex(of: ".") ?? name.endIndex
    guard let first = NumberedName(name[..<end]) else { return nil }
    prefix = Array(first.prefix.utf8)
    suffix = Array(first.suffix.utf8) + Array(name[end...].utf8)
    // More digits than a number has.
    if let last = prefix.last, Self.digits.contains(last) { return nil }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// `nil` for a name that is not made so.
  mutating func number(of name: String) -> Int? {
    var name = name
    let (prefix, suffix) = (prefix, suffix)
    let digits = name.withUTF8 { bytes -> (number: Int, count: Int, isFilled: Bool)? in
      let count = bytes.count - prefix.count - suffix.count
      guard (1...17).contains(count), bytes.starts(with: prefix), bytes.suffix(suffix.count).elementsEqual(suffix)
      else { return nil }
      var number = 0
      for byte in bytes[prefix.count..<prefix.count + count] {
        guard Self.digits.contains(byte) else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return (number, count, count > 1 && bytes[prefix.count] == UInt8(ascii: "0"))
    }
    guard let digits else { return nil }
    if digits.isFilled {
      guard digits.count == filled ?? min(digits.count, shortest) else { return nil }
      filled = digits.count
    } else if let filled, digits.count < filled {
      return nil
    }
    shortest = min(shortest, digits.count)
    return digits.number
  }

  /// The name that has the number.
  func name(_ number: Int) -> String {
    let digits = "\(number)"
    let zeros = String(repeating: "0", count: max((filled ?? 0) - digits.utf8.count, 0))
    return String(decoding: prefix, as: UTF8.self) + zeros + digits + String(decoding: suffix, as: UTF8.self)
  }
}
