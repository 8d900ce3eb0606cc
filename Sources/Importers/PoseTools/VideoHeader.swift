import Files
import Foundation

/// The picture's size and frame rate of an MP4 or MOV file, from its boxes; the video itself is not decoded.
///
/// The size is as shown: a telephone's rotation by a quarter turn exchanges the sides.
///
/// - Source: ISO/IEC 14496-12:2015, 4.2 (boxes), 8.3.2 (`tkhd`), 8.4.2 (`mdhd`), 8.4.3 (`hdlr`), 8.6.1.2 (`stts`).
public struct VideoHeader: Hashable, Sendable {
  public let size: ImageSize
  /// The mean rate: frames by duration; `nil` where the file does not say.
  public let fps: Double?

  /// - Throws: `DataError` if the file has no video track, or a box reaches beyond its end.
  public init(_ file: InputFile) throws {
    let bytes = file.bytes
    func failure(_ found: String) -> DataError {
      DataError(file: file.name, expected: "an MP4 or MOV file with a video track", found: found)
    }
    guard let movie = try Self.boxes(bytes, file).first(where: { $0.type == "moov" }) else {
      throw failure("none")
    }
    for track in try Self.boxes(movie.content, file) where track.type == "trak" {
      let parts = try Self.boxes(track.content, file)
      guard let header = parts.first(where: { $0.type == "tkhd" })?.content,
        let media = parts.first(where: { $0.type == "mdia" })?.content
      else { continue }
      let mediaParts = try Self.boxes(media, file)
      let handler = mediaParts.first { $0.type == "hdlr" }?.content
      guard handler?.dropFirst(8).prefix(4).elementsEqual("vide".utf8) == true else { continue }
      let isLong = header.first == 1
      // After version and flags: times and duration, 16 bytes of others, the matrix, width and height in 16.16.
      let matrix = 4 + (isLong ? 32 : 20) + 16
      guard header.count >= matrix + 44 else { throw failure("a track header of \(header.count) bytes") }
      let width = Self.number(header, matrix + 36, 2)
      let height = Self.number(header, matrix + 40, 2)
      // [a b; c d] is [0 ±1; ∓1 0] for a quarter turn.
      let isTurned = Self.number(header, matrix, 4) == 0 && Self.number(header, matrix + 4, 4) != 0
      guard let size = ImageSize(width: isTurned ? height : width, height: isTurned ? width : height) else {
        throw failure("a picture of \(width)x\(height)")
      }
      self.size = size
      fps = try Self.rate(mediaParts, file)
      return
    }
    throw failure("no video track")
  }

  private static func rate(_ media: [(type: String, content: Data)], _ file: InputFile) throws -> Double? {
    guard let header = media.first(where: { $0.type == "mdhd" })?.content, let version = header.first else {
      return nil
    }
    let scale = number(header, version == 1 ? 20 : 12, 4)
    guard scale > 0, let information = media.first(where: { $0.type == "minf" })?.content,
      let samples = try boxes(information, file).first(where: { $0.type == "stbl" })?.content,
      let table = try boxes(samples, file).first(where: { $0.type == "stts" })?.content
    else { return nil }
    let count = min(number(table, 4, 4), (table.count - 8) / 8)
    guard count > 0 else { return nil }
    var (frames, ticks) = (0.0, 0.0)
    for entry in 0..<count {
      let samples = Double(number(table, 8 + entry * 8, 4))
      frames += samples
      ticks += samples * Double(number(table, 12 + entry * 8, 4))
    }
    guard ticks > 0 else { return nil }
    let rate = frames * Double(scale) / ticks
    return rate > 0 && rate <= 1000 ? (rate * 100).rounded() / 100 : nil
  }

  /// The boxes that follow each other in these bytes.
  private static func boxes(_ bytes: Data, _ file: InputFile) throws -> [(type: String, content: Data)] {
    var boxes: [(type: String, content: Data)] = []
    var place = 0
    while bytes.count - place >= 8, boxes.count < 10_000 {
      var length = number(bytes, place, 4)
      var header = 8
      if length == 1, bytes.count - place >= 16 {
        length = number(bytes, place + 8, 8)
        header = 16
      } else if length == 0 {
        length = bytes.count - place
      }
      guard length >= header, length <= bytes.count - place else {
        // Padding may follow the last box.
        if !boxes.isEmpty { break }
        throw DataError(
          file: file.name, expected: "boxes of an MP4 or MOV file", found: "one of \(length) bytes at \(place)")
      }
      let start = bytes.startIndex + place
      let type = String(decoding: bytes[start + 4..<start + 8], as: UTF8.self)
      boxes.append((type, bytes[start + header..<start + length]))
      place += length
    }
    return boxes
  }

  /// A big-endian number; 0 beyond the end, and of eight bytes above 2^62.
  private static func number(_ bytes: Data, _ place: Int, _ length: Int) -> Int {
    guard place >= 0, bytes.count - place >= length else { return 0 }
    let start = bytes.startIndex + place
    let number = bytes[start..<start + length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number < 1 << 62 ? Int(number) : 0
  }
}
