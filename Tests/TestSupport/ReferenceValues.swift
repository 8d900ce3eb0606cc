import Foundation

/// Values of reference implementations (scipy, numpy, mir_eval), which stand beside the checkout where they stand at all.
public enum ReferenceValues {
  public static let file = URL(filePath: Shared.path("reference/metrics.json"))

  public static var arePresent: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// The cases of one metric.
  public static func cases<Case: ReferenceCase>(_: Case.Type) throws -> [Case] {
    try JSONDecoder().decode(Cases<Case>.self, from: Data(contentsOf: file)).cases.compactMap(\.ofMetric)
  }

  private struct Cases<Case: ReferenceCase>: Decodable {
    struct Entry: Decodable {
      enum Key: CodingKey { case metric }

      /// `nil` for a case of another metric.
      var ofMetric: Case?

      init(from decoder: any Decoder) throws {
        let metric = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .metric)
        ofMetric = metric == Case.metric ? try Case(from: decoder) : nil
      }
    }

    var cases: [Entry]
  }
}

/// What was given and what came out of it; `nil` where it is undefined.
public protocol ReferenceCase: Decodable, Sendable {
  static var metric: String { get }
}
