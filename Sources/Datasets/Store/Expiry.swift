import Foundation

/// The instant from which a dataset may no longer be kept.
public struct Expiry: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// ISO 8601 in UTC with whole seconds, which sorts as its instants do.
  public let description: String

  /// - Parameter text: a day as `2027-03-01`, from whose beginning in UTC on it has expired, or a number of days from
  ///   `now` as `30d`; `nil` for anything else.
  public init?(_ text: String, now: Date = Date()) {
    if text.hasSuffix("d"), let days = Int(text.dropLast()), (1...Self.longest).contains(days) {
      description = now.addingTimeInterval(Double(days) * 86_400).formatted(.iso8601)
    } else {
      // The parser alone would take the 31st of February for the 3rd of March.
      let day = Date.ISO8601FormatStyle().year().month().day()
      guard text.count == 10, let date = try? day.parse(text), date.formatted(day) == text else { return nil }
      description = date.formatted(.iso8601)
    }
  }

  /// As the store holds it.
  init(stored: String) { description = stored }

  public static let expected = "a day such as 2027-03-01, or a number of days such as 30d"

  private static let longest = 36_500

  public func hasPassed(by now: Date = Date()) -> Bool { description <= now.formatted(.iso8601) }

  public static func < (a: Self, b: Self) -> Bool { a.description < b.description }
}
