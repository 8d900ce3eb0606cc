import Datasets
import Files

/// What a document in JSON says beside its frames.
extension KeypointJSON {
  /// What a document has once beside its frames.
  struct Beside {
    /// The names of points, in a list or by their numbers.
    var points: [String] = []
    /// The names of the columns of rows.
    var columns: [String] = []
    /// A time a frame.
    var times: [Double] = []
    var unit: TimeUnit?
    /// The confidences of a frame's points, person after person.
    var scores: [[Float]] = []

    mutating func look(_ file: InputFile) {
      guard file.bytes.withoutByteOrderMark.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return }
      // A head of a file is cut off, and the first line of JSON Lines is followed by others.
      try? JSONReader.read(file) { try look(&$0, "", depth: 0) }
    }

    private mutating func add(_ texts: [String]) {
      guard texts.count > 4, Set(texts).count == texts.count else { return }
      if points.isEmpty, texts.count(where: PointReader.isKnown) > 4 {
        points = texts
      } else if columns.isEmpty, KeypointColumns(texts) != nil {
        columns = texts
      }
    }

    private mutating func look(_ json: inout JSONReader, _ key: String, depth: Int) throws {
      var copy = self
      defer { self = copy }
      switch try json.kind() {
      case .array:
        let facts = KeyFacts(key)
        if case .time(let unit)? = facts.frameKey {
          return copy.take(times: try json.value(limit: Self.mostTimes), unit)
        }
        if facts.isConfidence { return try copy.takeScores(&json) }
        var texts: [String] = []
        var areTexts = true
        try json.array { json in
          let isText = try json.kind() == .string
          areTexts = areTexts && isText && texts.count < Self.mostNames
          if areTexts { texts.append(try json.string()) } else { try json.skip() }
        }
        if areTexts { copy.add(texts) }
      case .object where depth < 2:
        var texts: [String] = []
        var areTexts = true
        try json.object { json, key in
          let isText = try json.kind() == .string
          areTexts = areTexts && isText && KeypointJSON.number(of: key.text) == texts.count
          if areTexts {
            texts.append(try json.string())
          } else {
            try copy.look(&json, key.text, depth: depth + 1)
          }
        }
        if areTexts { copy.add(texts) }
      default: try json.skip()
      }
    }

    private mutating func take(times value: JSONValue, _ unit: TimeUnit?) {
      guard times.isEmpty, case .array(let list) = value, list.count > 1 else { return }
      let numbers = list.compactMap(\.number)
      guard numbers.count == list.count, zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { return }
      (times, self.unit) = (numbers, unit)
    }

    /// Reads a list of a list of numbers a frame, or of a list of such lists, one a person.
    private mutating func takeScores(_ json: inout JSONReader) throws {
      var found: [[Float]] = []
      var areScores = scores.isEmpty
      try json.array { json in
        guard areScores, try json.kind() == .array, case let value = try json.value(limit: KeypointJSON.largestFrame)
        else {
          areScores = false
          return try json.skip()
        }
        let numbers = Self.numbers(value)
        areScores = !numbers.isEmpty
        found.append(numbers)
      }
      if areScores { scores = found }
    }

    /// All numbers of a list or of its lists; empty if it has something else.
    private static func numbers(_ value: JSONValue) -> [Float] {
      guard case .array(let elements) = value else { return [] }
      var numbers: [Float] = []
      for element in elements {
        if case .array = element {
          let inner = Self.numbers(element)
          guard !inner.isEmpty else { return [] }
          numbers += inner
        } else if let number = element.number ?? (element.isNull ? .nan : nil) {
          numbers.append(Float(number))
        } else {
          return []
        }
      }
      return numbers
    }

    /// The most columns of a row.
    private static let mostNames = 3000
    /// A day at a hundred frames a second.
    private static let mostTimes = 8_640_000
  }

  /// The facts about the recording in keys next to the frames.
  struct Said {
    private(set) var facts = ClipFacts()
    private var width: Double?
    private var height: Double?

    /// Seconds from one frame to the next.
    private static let periodKeys: Set = ["frametime"]
    static let sizeKeys: Set = ["resolution", "size", "imagesize", "framesize", "videosize"]

    mutating func note(_ key: String, _ value: JSONValue) {
      switch KeyFacts(key).frameKey {
      case .fps: if let fps = value.number ?? Self.rate(value), Clip.Info.frameRates.contains(fps) { facts.fps = fps }
      case .width: width = value.number
      case .height: height = value.number
      case .time where Self.periodKeys.contains(KeyFacts(key).plain), .step:
        if let period = value.number, period >= 0.001, period < 1 { facts.fps = facts.fps ?? 1 / period }
      default:
        guard Self.sizeKeys.contains(KeyFacts(key).plain) else { return noteWithin(value) }
        switch value {
        case .array(let sides) where sides.count == 2: (width, height) = (sides[0].number, sides[1].number)
        case .string(let text):
          if let size = ImageSize(text) { (width, height) = (Double(size.width), Double(size.height)) }
        default: noteWithin(value)
        }
      }
      if let width = width.flatMap(Int.init(exactly:)), let height = height.flatMap(Int.init(exactly:)) {
        facts.size = ImageSize(width: width, height: height)
      }
    }

    /// The rate in `30000/1001` and `29.97 fps`, as FFmpeg and MediaInfo write it.
    private static func rate(_ value: JSONValue) -> Double? {
      guard case .string(let text) = value,
        let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)(?:\/([0-9]+))?(?: ?(?:fps|FPS))?/),
        let number = Double(match.1)
      else { return nil }
      return match.2.map { number / (Double($0) ?? 0) } ?? number
    }

    private mutating func noteWithin(_ value: JSONValue) {
      if case .object(let members) = value { for member in members { note(member.key, member.value) } }
    }
  }
}
