import Files
import Foundation
import PoseModel

/// An imported dataset and its folder when they were last alike: the common base of later changes on both sides.
package struct SyncBase: Codable, Sendable {
  struct ClipState: Codable, Sendable {
    /// The clip's hash with its poses, as hexadecimal digits.
    var hash: String
    /// The fingerprints of `ClipPart`s that are not empty, by name.
    var parts: [String: String]
  }

  /// The hash of the folder's files, as `DatasetListing.digest()`.
  package var files: String
  /// The content hash.
  package var content: String
  /// The fingerprints of `ManifestPart`s that are not empty, by name.
  var manifest: [String: String]
  /// By name.
  var clips: [String: ClipState]

  init(files: ContentHash, content: ContentHash, manifest: Manifest, clips: [StoredClip]) {
    self.files = files.hex
    self.content = content.hex
    self.manifest = Self.fingerprints(ManifestPart.allCases) { $0.items(of: manifest) }
    self.clips = Dictionary(
      clips.map { clip in
        let parts = Self.fingerprints(ClipPart.allCases) { $0.items(of: clip.info, clip.labels) }
        return (clip.info.name, ClipState(hash: ContentHash(clip.hash).hex, parts: parts))
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func fingerprints<Part: RawRepresentable<String>>(
    _ parts: [Part], items: (Part) -> [String]
  ) -> [String: String] {
    parts.reduce(into: [:]) { found, part in found[part.rawValue] = fingerprint(items(part)) }
  }

  /// `nil` for no items.
  static func fingerprint(_ items: [String]) -> String? {
    guard !items.isEmpty else { return nil }
    let hash = SHA256()
    for item in items { hash.update(item) }
    return String(ContentHash(hash.finish()).hex.prefix(16))
  }
}

/// A part of a clip's description or labels that is compared and copied as a whole.
enum ClipPart: String, CaseIterable, Sendable {
  case subject, exercise, view, fps, split
  /// The reps with their number and the draft that they began as.
  case reps
  case events, intervals, grades, faults

  /// The part as texts for messages, in an order of their own; none if it is not labelled.
  func items(of info: Clip.Info, _ labels: GroundTruth) -> [String] {
    func text(_ text: String) -> [String] { text.isEmpty ? [] : [text] }
    func of(_ rep: Int?) -> String { rep.map { "rep \($0 + 1)" } ?? "clip" }
    switch self {
    case .subject: return text(info.subject)
    case .exercise: return text(info.exercise)
    case .view: return text(info.view)
    case .fps: return [info.fps.shortestDecimal]
    case .split: return text(info.split)
    case .reps:
      var items: [String] = []
      if let count = labels.repCount {
        // A folder does not tell a clip without reps from one with the count 0.
        let isMarked = labels.reps != nil || count == 0
        items.append("\(count) rep\(count == 1 ? "" : "s")" + (isMarked ? "" : ", not marked"))
      }
      for (index, rep) in (labels.reps ?? []).enumerated() {
        let turn = rep.turn.map { ", turn \($0.decimalSeconds) s" } ?? ""
        items.append("\(of(index)) from \(rep.start.decimalSeconds) to \(rep.end.decimalSeconds) s\(turn)")
      }
      if let draft = labels.draft { items.append("draft of \(draft)") }
      return items
    case .events: return labels.events.map { "\($0.label) at \($0.time.decimalSeconds) s" }.sorted()
    case .intervals:
      return labels.intervals.map { "\($0.label) from \($0.start.decimalSeconds) to \($0.end.decimalSeconds) s" }
        .sorted()
    case .grades:
      return labels.grades.map { "\(of($0.rep)), \($0.rater), \($0.criterion): \($0.value.shortestDecimal)" }.sorted()
    case .faults:
      return labels.faults.map { "\(of($0.rep)), \($0.rater), \($0.name): \($0.present ? "present" : "absent")" }
        .sorted()
    }
  }

  /// Whether it is a label, and not a part of the clip's description.
  var isLabel: Bool {
    switch self {
    case .subject, .exercise, .view, .fps, .split: false
    case .reps, .events, .intervals, .grades, .faults: true
    }
  }

  /// The tables of a dataset folder that hold it.
  var files: Set<DatasetFile> {
    switch self {
    case .subject, .exercise, .view, .fps, .split: [.clips]
    case .reps: [.clips, .reps, .drafts]
    case .events: [.events]
    case .intervals: [.intervals]
    case .grades: [.grades]
    case .faults: [.faults]
    }
  }

  func copy(from other: (info: Clip.Info, labels: GroundTruth), to info: inout Clip.Info, _ labels: inout GroundTruth) {
    switch self {
    case .subject: info.subject = other.info.subject
    case .exercise: info.exercise = other.info.exercise
    case .view: info.view = other.info.view
    case .fps: info.fps = other.info.fps
    case .split: info.split = other.info.split
    case .reps:
      (labels.repCount, labels.reps) = (other.labels.repCount, other.labels.reps)
      labels.draft = other.labels.draft
    case .events: labels.events = other.labels.events
    case .intervals: labels.intervals = other.labels.intervals
    case .grades: labels.grades = other.labels.grades
    case .faults: labels.faults = other.labels.faults
    }
  }
}

/// A part of a dataset's manifest that is compared and copied as a whole.
enum ManifestPart: String, CaseIterable, Sendable {
  case properties, criteria

  /// As `ClipPart.items(of:_:)`.
  func items(of manifest: Manifest) -> [String] {
    switch self {
    case .properties:
      let coordinates = (try? canonicalJSON(manifest.coordinates)) ?? Data()
      return [
        "version \(manifest.version)", "licence \(manifest.licence)", "source \(manifest.source)",
        "origin \(manifest.origin.rawValue)", "caveat \(manifest.caveat ?? "none")",
        "people \(manifest.people ?? "none")", "skeleton \(manifest.skeleton)",
        "coordinates \(String(decoding: coordinates, as: UTF8.self))",
        "channels \(manifest.channels.map(\.name).joined(separator: ", "))",
      ]
    case .criteria:
      return manifest.criteria.map { "\($0.name) from \($0.minimum.shortestDecimal) to \($0.maximum.shortestDecimal)" }
    }
  }

  func copy(from other: Manifest, to manifest: inout Manifest) {
    switch self {
    case .properties:
      let criteria = manifest.criteria
      manifest = other
      manifest.criteria = criteria
    case .criteria: manifest.criteria = other.criteria
    }
  }
}
