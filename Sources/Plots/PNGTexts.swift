/// The text chunks of a PNG file, by their keys: tEXt, and iTXt that is not compressed, as `png` writes them.
///
/// - Source: PNG specification, third edition (W3C, 2025), 11.3.3.
public struct PNGTexts: Hashable, Sendable {
  private var values: [String: String] = [:]

  /// - Throws: `PlotError.decoding` for what is no PNG file.
  public init(_ file: [UInt8]) throws(PlotError) {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      throw .decoding("expected a PNG file's signature")
    }
    // A chunk is its length in four bytes, its type in four, its data, and a checksum in four.
    var start = 8
    while file.count - start >= 12 {
      let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - start - 12 else { throw .decoding("a chunk ends beyond the file") }
      let type = String(decoding: file[start + 4..<start + 8], as: UTF8.self)
      note(type, file[start + 8..<start + 8 + length])
      start += 12 + length
    }
  }

  public var keys: [String] { values.keys.sorted() }

  /// `nil` where there is no such text.
  public subscript(_ key: String) -> String? { values[key] }

  private mutating func note(_ type: String, _ data: ArraySlice<UInt8>) {
    guard ["tEXt", "iTXt"].contains(type), let end = data.firstIndex(of: 0) else { return }
    var text = data[(end + 1)...]
    if type == "iTXt" {
      // Whether it is compressed, how, its language and its key in that language.
      guard text.first == 0 else { return }
      text = text.dropFirst(2)
      for _ in 0..<2 {
        guard let next = text.firstIndex(of: 0) else { return }
        text = text[(next + 1)...]
      }
    }
    values[String(decoding: data[..<end], as: UTF8.self)] = String(decoding: text, as: UTF8.self)
  }
}
