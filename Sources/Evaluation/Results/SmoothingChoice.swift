import Files
import PoseModel

/// The smoothing of the poses where it is chosen: a filter, or none in place of a suite's own.
///
/// As text: `none`, or as `Smoothing`.
public struct SmoothingChoice: Hashable, Sendable {
  /// `nil` for none.
  public let filter: Smoothing?

  public init(_ filter: Smoothing?) { self.filter = filter }

  /// - Throws: `SmoothingError` for a text that is neither.
  public init(_ text: String) throws(SmoothingError) {
    filter = text == Self.none ? nil : try Smoothing(text)
  }

  private static let none = "none"

  /// The possible texts.
  public static let expected = "\(none), \(SmoothingError.expected)"
}

extension SmoothingChoice: CustomStringConvertible {
  public var description: String { filter?.description ?? Self.none }
}

extension SmoothingChoice: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    do {
      try self.init(value.decode(String.self))
    } catch let error as SmoothingError {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "\(error)")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }
}

extension SmoothingChoice {
  /// The value of `smoothing`; `nil` without the key.
  init?(_ yaml: YAMLMapping) throws {
    guard yaml.keys.contains("smoothing") else { return nil }
    do {
      try self.init(yaml.text("smoothing"))
    } catch let error as SmoothingError {
      throw yaml.failure("smoothing", expected: Self.expected, found: error.found)
    }
  }
}
