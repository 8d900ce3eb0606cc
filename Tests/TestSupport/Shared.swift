import Foundation

/// The folder `shared` beside the checkout, which some machines have: recordings and reference values that are not ours to
/// publish.
public enum Shared {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared").standardizedFileURL

  static func path(_ relative: String) -> String { folder.appending(path: relative).path }

  /// Where a set of recordings is; `nil`, and said, on a machine that lacks it.
  public static func recordings(_ name: String) -> String? {
    let path = path("data/\(name)")
    guard FileManager.default.fileExists(atPath: path) else {
      print("skipped: no recordings at ../shared/data/\(name)")
      return nil
    }
    return path
  }
}
