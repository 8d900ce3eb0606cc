import Datasets
import Foundation
import Plots
import Reports

/// A folder of pictures held against those that are drawn now.
struct GalleryCheck {
  /// The share of squares that may differ where another version of the font is installed.
  static let tolerance = 0.02

  let folder: String
  let pictures: [Gallery.Picture]
  /// Names in the folder beside the pictures.
  let others: [String]
  /// The full report's text, to the byte.
  let report: String

  /// What is other in the folder, a sentence each; empty for nothing.
  ///
  /// - Throws: `DataError` for a picture that can't be read.
  var differences: [String] {
    get throws {
      let known = Set(pictures.map(\.file) + others)
      let found = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }
      let extra = found.filter { !known.contains($0) }.sorted().map {
        "\(folder)/\($0): expected no such file, found one that nothing draws: remove it"
      }
      let path = "\(folder)/\(Gallery.reportFolder)/report.md"
      let isSame = (try? String(contentsOfFile: path, encoding: .utf8)) == report
      return try pictures.compactMap(difference) + extra
        + (isSame ? [] : ["\(path): expected the report as it is made now, found another or none"])
    }
  }

  private func difference(of picture: Gallery.Picture) throws -> String? {
    let path = "\(folder)/\(picture.file)"
    guard FileManager.default.fileExists(atPath: path) else { return "\(path): expected a picture, found none" }
    let now = try PNGPixels(picture.bytes)
    let then = try PNGPixels([UInt8](InputFile(path).bytes))
    guard let share = now.difference(from: then) else {
      return "\(path): expected \(now.width) x \(now.height) pixels, found \(then.width) x \(then.height)"
    }
    guard share > Self.tolerance else { return nil }
    return "\(path): \(NumberText.fixed(share * 100, decimals: 2)) % of its squares differ, "
      + "\(NumberText.fixed(Self.tolerance * 100, decimals: 0)) % are allowed"
  }
}
