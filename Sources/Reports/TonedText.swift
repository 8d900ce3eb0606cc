/// The meaning of a piece of text, shown by a style or a colour.
public enum Tone: Sendable {
  case bold, dim, good, bad, unsure
}

/// Text whose parts may have tones: `"\("suite squat", .bold) version 1"`.
public struct TonedText: Equatable, Sendable {
  public struct Part: Equatable, Sendable {
    public var text: String
    /// The outermost first.
    public var tones: [Tone]
  }

  /// Not empty; neighbours differ in their tones.
  public private(set) var parts: [Part] = []

  public init(_ text: String, _ tone: Tone? = nil) { append(text, tone.map { [$0] } ?? []) }

  public mutating func append(_ text: String, _ tones: [Tone] = []) {
    guard !text.isEmpty else { return }
    if let last = parts.last, last.tones == tones {
      parts[parts.count - 1].text += text
    } else {
      parts.append(Part(text: text, tones: tones))
    }
  }

  public mutating func append(_ text: TonedText) {
    for part in text.parts { append(part.text, part.tones) }
  }

  /// In characters.
  public var count: Int { parts.reduce(0) { $0 + $1.text.count } }
}

extension TonedText: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = TonedText("")

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text.append(literal) }

    public mutating func appendInterpolation(_ value: some CustomStringConvertible, _ tones: Tone...) {
      text.append(value.description, tones)
    }
  }

  public init(stringLiteral value: String) { append(value) }

  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }
}

/// Columns of text, whose rows may have tones.
public struct TextTable: Equatable, Sendable {
  public struct Row: Equatable, Sendable {
    public var cells: [String]
    public var tone: Tone?
    /// A line above the row.
    public var heading: String?
    /// An explanation below the row.
    public var note: String?

    public init(_ cells: [String], _ tone: Tone? = nil, heading: String? = nil, note: String? = nil) {
      (self.cells, self.tone, self.heading, self.note) = (cells, tone, heading, note)
    }
  }

  public var rows: [Row]
  /// The right-aligned columns.
  public var right: Set<Int>
  /// Spaces before each row.
  public var indent: Int

  public init(_ rows: [Row], right: Set<Int> = [], indent: Int = 0) {
    (self.rows, self.right, self.indent) = (rows, right, indent)
  }

  public init(_ rows: [[String]], right: Set<Int> = []) { self.init(rows.map { Row($0) }, right: right) }
}
