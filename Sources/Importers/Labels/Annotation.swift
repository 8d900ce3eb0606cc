import Datasets
import PoseModel

/// What somebody marked in a recording with an annotation tool, before it is a label of a dataset.
struct Annotation: Hashable, Sendable {
  /// When something was.
  enum Instant: Hashable, Sendable {
    case time(Microseconds)
    /// Of the video, from 0; the clip's frames say when that was.
    case frame(Int)
  }

  /// What errors name: file and, where it has lines, line.
  var file: String
  var line: Int?
  /// The names by which the clip may be known, the likeliest first: of the video, of the annotation file.
  var recordings: [String]
  /// Where the times' zero lies in each of the recordings, where the tool lets one begin later; 0 of those it leaves out.
  var origins: [Microseconds] = []
  /// The tier, track or attribute that it stands on; `nil` where the tool has none.
  var track: String?
  var label: String
  var start: Instant
  /// `nil` for a point in time.
  var end: Instant?
  /// Who marked it, where the file says so.
  var rater: String?

  /// With texts that a table can hold: a box for remarks may have several lines.
  var inPlainWords: Annotation {
    var plain = self
    plain.track = track.map(Self.plain)
    plain.label = Self.plain(label)
    plain.rater = rater.map(Self.plain)
    return plain
  }

  /// With the times of one of its recordings.
  func timed(by recording: Int) -> Annotation {
    guard recording < origins.count, origins[recording] != .zero else { return self }
    func shifted(_ instant: Instant) -> Instant {
      if case .time(let time) = instant { .time(time + origins[recording]) } else { instant }
    }
    var timed = self
    timed.start = shifted(start)
    timed.end = end.map(shifted)
    return timed
  }

  private static func plain(_ text: String) -> String {
    // Most are, and stay as they are.
    if text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) { return text }
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }

  func failure(clip: String? = nil, expected: String, found: String) -> DataError {
    DataError(file: file, line: line, clip: clip, expected: expected, found: String(found.prefix(120)))
  }
}
