import Charts
import Datasets
import Files
import Foundation
import Reports

/// A gallery's folder compared with a fresh drawing.
///
/// The data behind a picture (its table, stored in the file) and its words must be equal; its pixels may differ as far
/// as `PictureDifference` allows. A picture in another font has another layout, and only its data are compared. In
/// other files, numbers in JSON may differ by the last bits of a logarithm, and everything else must be equal byte by
/// byte.
struct GalleryCheck {
  /// The differences, one sentence each; empty for none.
  private(set) var differences: [String] = []
  /// The pictures drawn in another font than the installed one.
  private(set) var inOtherFont: [String] = []
  private let folder: String

  /// - Parameter files: The fresh drawing.
  ///
  /// - Throws: `DataError` for a file that cannot be read, `ChartError` for one that is not a picture.
  init(folder: String, files: [ReportFile]) throws {
    self.folder = folder
    for file in files { try hold(file) }
    let found = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    // The front page also shows photographs of pages, which are not drawn here.
    let front = files.first { $0.name == "README.md" }.map { String(decoding: $0.data, as: UTF8.self) } ?? ""
    let known = Set(files.map(\.name) + found.filter { front.contains("](\($0))") })
    for name in found.sorted() where !known.contains(name) && !name.split(separator: "/").contains(where: \.isHidden) {
      // A folder of drawn files is not a file itself.
      if known.contains(where: { $0.hasPrefix(name + "/") }) { continue }
      note(name, "no chart draws this file: remove it")
    }
  }

  private mutating func note(_ name: String, _ words: String) { differences.append("\(folder)/\(name): \(words)") }

  private mutating func hold(_ file: ReportFile) throws {
    let path = "\(folder)/\(file.name)"
    guard FileManager.default.fileExists(atPath: path) else {
      return note(file.name, "expected \(file.texts == nil ? "a file" : "a picture"), found none")
    }
    let then = try InputFile(path).bytes
    if then == file.data { return }
    if let texts = file.texts { return try hold(file, then: [UInt8](then), texts) }
    if file.name.hasSuffix(".json"), SameNumbers.are(file.data, then) { return }
    let lines = [then, file.data].map { $0.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) }
    let line = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
    note(file.name, "differs from a fresh one from line \(line + 1) on")
  }

  private mutating func hold(_ file: ReportFile, then: [UInt8], _ texts: [PlacedText]) throws {
    let (now, kept) = (try PNGTexts([UInt8](file.data)), try PNGTexts(then))
    if now["Table"] != kept["Table"] {
      return note(file.name, "shows other data than a fresh drawing: \(firstLine("Table", from: kept, to: now))")
    }
    // A newer version that draws the same makes no difference.
    for key in Set(now.keys + kept.keys).subtracting(["Software", "Font", "Texts"]).sorted()
    where now[key] != kept[key] {
      return note(file.name, change(key, from: kept, to: now))
    }
    guard now["Font"] == kept["Font"] else { return inOtherFont.append(file.name) }
    guard now["Texts"] == kept["Texts"] else {
      return note(file.name, "shows other words than a fresh drawing: \(firstLine("Texts", from: kept, to: now))")
    }
    let (drawn, seen) = (try PNGPixels([UInt8](file.data)), try PNGPixels(then))
    guard let difference = PictureDifference(from: seen, to: drawn, texts: texts) else {
      return note(
        file.name,
        "expected \(drawn.width) x \(drawn.height) pixels, found \(seen.width) x \(seen.height)")
    }
    if let words = difference.words { note(file.name, words) }
  }

  /// The first line that differs.
  private func firstLine(_ key: String, from kept: PNGTexts, to now: PNGTexts) -> String {
    let lines = [now[key], kept[key]].map { ($0 ?? "").split(separator: "\n", omittingEmptySubsequences: false) }
    let same = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
    let words = lines.map { $0.indices.contains(same) ? "“\($0[same])”" : "nothing" }
    return "line \(same + 1): expected \(words[0]), found \(words[1])"
  }

  private func change(_ key: String, from kept: PNGTexts, to now: PNGTexts) -> String {
    "\(key): expected \(now[key] ?? "none"), found \(kept[key] ?? "none")"
  }
}

extension PictureDifference {
  /// `differs at 8 squares of 8 x 8 pixels, the first at 120, 344; in the text "s01"`
  fileprivate var words: String? {
    let side = Self.square
    let marks = squares.first.map { first in
      "in \(squares.count) square\(squares.count == 1 ? "" : "s") of \(side) x \(side) pixels, "
        + "the first at \(Int(first.x)), \(Int(first.y))"
    }
    let names = texts.prefix(3).map { "“\($0.text)”" }
    let more = texts.count > names.count ? " and \(texts.count - names.count) more" : ""
    let parts = [marks, names.isEmpty ? nil : "in the text " + names.joined(separator: ", ") + more].compactMap { $0 }
    return parts.isEmpty ? nil : "differs " + parts.joined(separator: "; ")
  }
}

/// Two JSON files with the same names and texts, and numbers that agree to nine digits: other machines' logarithms
/// differ in the last bits.
private enum SameNumbers {
  static func are(_ one: Data, _ other: Data) -> Bool {
    guard let one = try? JSONSerialization.jsonObject(with: one),
      let other = try? JSONSerialization.jsonObject(with: other)
    else { return false }
    return are(one, other)
  }

  private static func are(_ one: Any, _ other: Any) -> Bool {
    if let one = one as? [String: Any], let other = other as? [String: Any] {
      return one.keys == other.keys && one.allSatisfy { key, value in other[key].map { are(value, $0) } ?? false }
    }
    if let one = one as? [Any], let other = other as? [Any] {
      return one.count == other.count && zip(one, other).allSatisfy { are($0, $1) }
    }
    if let one = one as? NSNumber, let other = other as? NSNumber {
      let (a, b) = (one.doubleValue, other.doubleValue)
      return a == b || abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    }
    return (one as? NSObject) == (other as? NSObject)
  }
}

extension Substring {
  fileprivate var isHidden: Bool { hasPrefix(".") }
}
