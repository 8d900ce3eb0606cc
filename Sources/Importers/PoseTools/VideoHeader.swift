import Datasets
import Files
import Foundation

/// The picture's size and the frames' times of an MP4 or MOV file, from its boxes; the video itself is not decoded.
///
/// The size is as shown: a telephone's rotation by a quarter turn exchanges the sides.
///
/// - Source: ISO/IEC 14496-12:2015, 4.2 (boxes), 8.3.2 (`tkhd`), 8.4.2 (`mdhd`), 8.4.3 (`hdlr`), 8.6.1.2 (`stts`), 8.6.1.3
///   (`ctts`).
public struct VideoHeader: Hashable, Sendable {
  public let size: ImageSize
  /// The mean rate: frames by duration; `nil` where the file does not say.
  public let fps: Double?
  /// The time of each frame in the order of showing, in microseconds from the first; empty where the file does not say.
  public let times: [Int]

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
      times = try Self.times(mediaParts, file)
      fps = Self.rate(mediaParts, file)
      return
    }
    throw failure("no video track")
  }

  /// Whether frames lie further apart in one place than in another, by more than the rounding of a clock.
  public var isVariable: Bool {
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    guard let shortest = steps.min(), let longest = steps.max() else { return false }
    return longest - shortest > 2000
  }

  /// The most frames that a header may claim: two days at 60 a second.
  private static let mostFrames = 10_000_000

  /// Ticks a second, and runs of frames with their ticks, from the table of times.
  private static func table(
    _ media: [(type: String, content: Data)], _ file: InputFile
  ) throws -> (scale: Int, samples: [(type: String, content: Data)], runs: [(frames: Int, ticks: Int)])? {
    guard let header = media.first(where: { $0.type == "mdhd" })?.content, let version = header.first else {
      return nil
    }
    let scale = number(header, version == 1 ? 20 : 12, 4)
    guard scale > 0, let information = media.first(where: { $0.type == "minf" })?.content,
      let content = try boxes(information, file).first(where: { $0.type == "stbl" })?.content
    else { return nil }
    let samples = try boxes(content, file)
    guard let table = samples.first(where: { $0.type == "stts" })?.content else { return nil }
    let runs = runs(table) { (frames: $0, ticks: $1) }
    return runs.isEmpty ? nil : (scale, samples, runs)
  }

  /// The entries of a table of runs: each a number of frames and a value of four bytes.
  private static func runs<Run>(_ table: Data, _ run: (Int, Int) -> Run) -> [Run] {
    let count = min(number(table, 4, 4), (table.count - 8) / 8)
    return count > 0 ? (0..<count).map { run(number(table, 8 + $0 * 8, 4), number(table, 12 + $0 * 8, 4)) } : []
  }

  private static func rate(_ media: [(type: String, content: Data)], _ file: InputFile) -> Double? {
    guard let (scale, _, runs) = try? table(media, file) else { return nil }
    let frames = runs.reduce(0.0) { $0 + Double($1.frames) }
    let ticks = runs.reduce(0.0) { $0 + Double($1.frames) * Double($1.ticks) }
    guard ticks > 0, case let rate = (frames * Double(scale) / ticks * 100).rounded() / 100 else { return nil }
    return Clip.Info.frameRates.contains(rate) ? rate : nil
  }

  private static func times(_ media: [(type: String, content: Data)], _ file: InputFile) throws -> [Int] {
    guard let (scale, samples, runs) = try table(media, file) else { return [] }
    var frames = 0
    for run in runs {
      guard run.frames <= mostFrames - frames else { return [] }
      frames += run.frames
    }
    var shown: [Int] = []
    shown.reserveCapacity(frames)
    var ticks = 0
    for run in runs {
      for _ in 0..<run.frames {
        shown.append(ticks)
        ticks += run.ticks
      }
    }
    // Frames that refer to later ones are stored in another order than they are shown in.
    if let table = samples.first(where: { $0.type == "ctts" })?.content {
      var frame = 0
      for (count, offset) in self.runs(table, { ($0, $1) }) {
        let signed = offset < 1 << 31 ? offset : offset - (1 << 32)
        for _ in 0..<min(count, frames - frame) {
          shown[frame] += signed
          frame += 1
        }
      }
      shown.sort()
    }
    let first = shown.first ?? 0
    return shown.map { Int((Double($0 - first) * 1e6 / Double(scale)).rounded()) }
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
