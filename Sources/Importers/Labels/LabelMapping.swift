import Datasets
import Files
import Foundation
import PoseModel

/// The meaning of annotations and of a table's columns: a YAML file in which every part is optional.
///
/// ```yaml
/// labels:                          # the first that fits an annotation
/// - { track: Repetitions, kind: rep }
/// - { track: Form, kind: grade, name: form }       # the label is the grade
/// - { label: knee valgus, kind: fault, name: knees_in }
/// - { track: Notes, kind: ignore }
/// rater: anna                      # if the file names no rater
/// criteria: [{ name: form, minimum: 0, maximum: 100 }]
/// clips: { IMG_0042.mp4: s01_squat }
/// table: reps                      # of CSV files, with the names of their columns and the unit of their times
/// columns: { clip: video, start_s: from, end_s: to }
/// times: milliseconds              # of tables, and of Label Studio's time series
/// fps: 25                          # of marks in frames, if the tool counts others than the clip's
/// ```
struct LabelMapping {
  enum Kind: String, CaseIterable {
    case rep, turn, event, interval, grade, fault, ignore
  }

  struct Rule: Hashable {
    /// `nil` matches any.
    var track: String?
    var label: String?
    var kind: Kind
    /// The name of the event, interval, fault or criterion; by default the annotation's label or track.
    var name: String?

    func fits(_ annotation: Annotation) -> Bool {
      (track == nil || track?.lowercased() == annotation.track?.lowercased())
        && (label == nil || label?.lowercased() == annotation.label.lowercased())
    }
  }

  enum Times: String, CaseIterable {
    case seconds, milliseconds, frames
  }

  var rules: [Rule] = []
  var rater: String?
  var criteria: [Manifest.Criterion] = []
  /// The dataset's clip for each video or file.
  var clips: [String: String] = [:]
  var table: LabelTable.Kind?
  /// The table's column names, by the column names of a dataset folder.
  var columns: [String: String] = [:]
  var times = Times.seconds
  /// Frames a second of marks in frames; `nil` if they are the clips' frames.
  var fps: Double?
  /// Whether labels without a name, or with only a number, are reps.
  var wordlessAreReps = false

  /// Maps annotations by the usual names: `usual`.
  init() {}

  /// - Throws: `DataError` with file, line and key.
  init(yaml file: InputFile) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly(["labels", "rater", "criteria", "clips", "table", "columns", "times", "fps"])
    rules = try yaml.mappingsIfPresent("labels").map { yaml in
      try yaml.requireOnly(["track", "label", "kind", "name"])
      return Rule(
        track: try yaml.textIfPresent("track"), label: try yaml.textIfPresent("label"), kind: try yaml.choice("kind"),
        name: try yaml.textIfPresent("name"))
    }
    rater = try yaml.textIfPresent("rater")
    criteria = try yaml.mappingsIfPresent("criteria").map { yaml in
      try yaml.requireOnly(["name", "minimum", "maximum"])
      let (minimum, maximum) = (try yaml.number("minimum"), try yaml.number("maximum"))
      guard minimum < maximum else { throw yaml.failure("maximum", expected: "a number above the minimum") }
      return Manifest.Criterion(name: try yaml.text("name"), minimum: minimum, maximum: maximum)
    }
    if yaml.keys.contains("clips") {
      let names = try yaml.mapping("clips")
      for key in names.keys { clips[key] = try names.text(key) }
    }
    if yaml.keys.contains("table") { table = try yaml.choice("table") }
    if yaml.keys.contains("columns") {
      let names = try yaml.mapping("columns")
      try names.requireOnly(LabelTable.Kind.allCases.flatMap(\.columns))
      for key in names.keys { columns[key] = try names.text(key) }
    }
    if yaml.keys.contains("times") { times = try yaml.choice("times") }
    if yaml.keys.contains("fps") {
      let rate = try yaml.number("fps")
      guard Clip.Info.frameRates.contains(rate) else {
        throw yaml.failure("fps", expected: "frames a second from 0.01 to 1000")
      }
      fps = rate
    }
  }

  /// The kind of an annotation: by the first rule that matches or, without rules, by the usual names.
  ///
  /// The usual names, in any case: a track or label `rep`, `reps`, `repetition` or `repetitions` is a rep, `turn` a
  /// rep's turn; a track `fault` or `faults` holds faults by their names; a track `grade: NAME`, or a label `grade:
  /// NAME=VALUE`, a grade; a label `fault: NAME` a fault. Anything else is an interval or, as a point, an event, called by
  /// its label.
  ///
  /// - Throws: `DataError` if there are rules, but none matches.
  func rule(for annotation: Annotation) throws -> Rule {
    if let rule = rules.first(where: { $0.fits(annotation) }) { return rule }
    if wordlessAreReps, Self.isWordless(annotation.label) { return Rule(kind: .rep) }
    guard rules.isEmpty else {
      throw annotation.failure(
        expected: "a label that matches a rule of the mapping",
        found: annotation.label + (annotation.track.map { " on \($0)" } ?? ""))
    }
    return Self.usual(annotation)
  }

  /// Whether a label is empty or only a number.
  static func isWordless(_ label: String) -> Bool { label.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic } }

  private static func usual(_ annotation: Annotation) -> Rule {
    let track = annotation.track?.lowercased().trimmingCharacters(in: .whitespaces) ?? ""
    let label = annotation.label.lowercased()
    let reps = ["rep", "reps", "repetition", "repetitions"]
    func after(_ prefix: String, _ text: String) -> String? {
      guard text.lowercased().hasPrefix(prefix) else { return nil }
      return String(text.dropFirst(prefix.count)).trimmingCharacters(in: .whitespaces)
    }
    if reps.contains(track) || reps.contains(label) { return Rule(kind: .rep) }
    if track == "turn" || track == "turns" || label == "turn" { return Rule(kind: .turn) }
    if track == "fault" || track == "faults" { return Rule(kind: .fault) }
    if let name = after("fault:", annotation.label) { return Rule(kind: .fault, name: name) }
    if let name = annotation.track.flatMap({ after("grade:", $0) }) { return Rule(kind: .grade, name: name) }
    if let grade = after("grade:", annotation.label) {
      return Rule(kind: .grade, name: grade.split(separator: "=").first.map(String.init))
    }
    return Rule(kind: annotation.end == nil ? .event : .interval)
  }

  /// Whether annotations without a label have a meaning on this track: reps need none.
  func takesUnlabelled(_ track: String) -> Bool {
    let annotation = Annotation(file: "", recordings: [], track: track, label: "", start: .frame(0))
    let kind = (try? rule(for: annotation))?.kind
    return kind == .rep || kind == .turn || kind == .ignore
  }

  /// The clip of an annotation, among those of the dataset.
  ///
  /// By `clips`, or else the clip with the name of one of the annotation's recordings, without folders and ending, and
  /// with a `-` for each character that a clip's name cannot have; or the only clip whose name ends in it after a `_`, as
  /// clips' names begin with their folders.
  ///
  /// - Returns: The clip, and the index of the matching recording.
  /// - Throws: `DataError` if there is none.
  func clip(of annotation: Annotation, among clips: Set<String>) throws -> (name: String, recording: Int) {
    var tried: [String] = []
    for (index, recording) in annotation.recordings.enumerated() {
      let file = recording.removingPercentEncoding.map { $0.split { "/\\=".contains($0) }.last.map(String.init) ?? $0 }
      let name = file ?? recording
      let stem = PathParts(name).stem
      for key in [recording, name, stem] {
        if let clip = self.clips[key] {
          guard clips.contains(clip) else {
            throw annotation.failure(
              expected: "a clip of the dataset for \(key): \(Self.list(clips))",
              found: NearNames.question(clip, in: clips))
          }
          return (clip, index)
        }
      }
      let portable = String(stem.map { PortableName.isValid("a\($0)") ? $0 : "-" })
      // Label Studio prefixes the names of uploads with eight digits and a hyphen.
      let uploaded = portable.wholeMatch(of: /[0-9a-f]{8}-(.+)/).map { String($0.1) }
      for candidate in [name, stem, portable, uploaded].compactMap({ $0 }) where clips.contains(candidate) {
        return (candidate, index)
      }
      // A file's name alone, if folders are part of the clip's name.
      let ends = portable.isEmpty ? [] : clips.filter { $0.hasSuffix("_\(portable)") }
      if ends.count == 1, let only = ends.first { return (only, index) }
      tried.append(stem)
    }
    throw annotation.failure(
      expected: "a recording that is a clip of the dataset (\(Self.list(clips))) or listed in the mapping's clips",
      found: tried.first.map { NearNames.question($0, in: clips) } ?? "no name")
  }

  private static func list(_ clips: Set<String>) -> String {
    clips.sorted().prefix(8).joined(separator: ", ") + (clips.count > 8 ? ", …" : "")
  }
}

/// A mark that a person made in a recording with an annotation tool, before it becomes a label.
struct Annotation: Hashable, Sendable {
  /// A point in time.
  enum Instant: Hashable, Sendable {
    case time(Microseconds)
    /// A frame of the video, from 0; the clip's frames give its time.
    case frame(Int)
    /// A frame of a video, from 0, that the tool divides into this number of frames over this time. Where the clip has
    /// as many frames, they give its time.
    case videoFrame(Int, of: Int, lasting: Microseconds)
  }

  /// The place for errors: file and, if it has lines, line.
  var file: String
  var line: Int?
  /// The possible names of the clip, the likeliest first: of the video, of the annotation file.
  var recordings: [String]
  /// The time of zero in each of the recordings, if the tool lets one start later; 0 for absent ones.
  var origins: [Microseconds] = []
  /// The tier, track or attribute of the mark; `nil` if the tool has none.
  var track: String?
  var label: String
  var start: Instant
  /// `nil` for a point in time.
  var end: Instant?
  /// The rater, if the file names one.
  var rater: String?
  /// Whether it has no value where one is needed: it says nothing.
  var isEmpty = false

  /// With texts that fit a table: a text box may contain several lines.
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
    // Most are, and stay unchanged.
    if text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) { return text }
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }

  func failure(clip: String? = nil, expected: String, found: String) -> DataError {
    DataError(file: file, line: line, clip: clip, expected: expected, found: String(found.prefix(120)))
  }
}

/// An image annotator's marks on the frames of a video.
///
/// The last number in an image's name is its frame in the recording, from 0: `anna_0012.png` is frame 12 of
/// `anna`, as are `anna/0012.png` and, if no clip is called `frame`, `anna/frame_0012.png`. A mark on consecutive
/// images of those that the file lists is an interval, a mark on a single image a point.
struct ImageMarks {
  struct Mark: Hashable {
    var track: String?
    var label: String
    var rater: String?
  }

  private struct Recording {
    var images: Set<Int> = []
    var marks: [Mark: Set<Int>] = [:]
    /// The line of the first image with the mark.
    var lines: [Mark: Int] = [:]
    var order: [Mark] = []
  }

  private let file: InputFile
  private var recordings: [String: Recording] = [:]
  private var order: [String] = []

  init(_ file: InputFile) { self.file = file }

  /// Adds an image and its marks.
  ///
  /// - Throws: `DataError` if its name has no number.
  mutating func add(_ marks: [Mark], image: String, line: Int?) throws {
    let stem = image.lastIndex(of: ".").map { String(image[..<$0]) } ?? image
    guard let name = NumberedName(stem), name.number <= 1_000_000_000 else {
      throw DataError(
        file: file.name, line: line, expected: "an image of a video's frame, with its number in its name",
        found: String(image.prefix(60)).debugDescription)
    }
    let recording = name.prefix.trimmingCharacters(in: ["_", "-", ".", "/", "\\", " "])
    if recordings[recording] == nil { order.append(recording) }
    recordings[recording, default: Recording()].images.insert(name.number)
    for mark in marks where !mark.label.isEmpty {
      if recordings[recording]?.marks[mark] == nil {
        recordings[recording]?.order.append(mark)
        recordings[recording]?.lines[mark] = line
      }
      recordings[recording]?.marks[mark, default: []].insert(name.number)
    }
  }

  /// - Parameter others: Further possible names of all images' recording, besides the one in their own names.
  func annotations(others: [String] = []) -> [Annotation] {
    order.flatMap { name -> [Annotation] in
      guard let recording = recordings[name] else { return [] }
      let folder = name.lastIndex { "/\\".contains($0) }.map { String(name[..<$0]) }
      let names = ([name, folder].compactMap(\.self) + others + [file.stem]).filter { !$0.isEmpty }
      let images = recording.images.sorted()
      return recording.order.flatMap { mark -> [Annotation] in
        let marked = recording.marks[mark] ?? []
        return images.split { !marked.contains($0) }.compactMap { run in
          guard let first = run.first, let last = run.last else { return nil }
          return Annotation(
            file: file.name, line: recording.lines[mark], recordings: names, track: mark.track, label: mark.label,
            start: .frame(first), end: first == last ? nil : .frame(last), rater: mark.rater)
        }
      }
    }
  }
}
