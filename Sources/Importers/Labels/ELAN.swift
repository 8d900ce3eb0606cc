import Files
import Foundation
import PoseModel

/// ELAN's annotation documents, `.eaf`: each tier a track, each annotation an interval, times in milliseconds.
///
/// An annotation that refers to another one takes that one's times. Annotations over time slots without a value, as in
/// a subdivision of another tier, share the time between the surrounding slots with values evenly, as ELAN shows it.
/// An annotation without a value on a tier that needs one is left out.
/// The clip has the name of one of the media, or else of the file. A TIME_ORIGIN other than 0 means that this many
/// milliseconds at the start of the medium were skipped to synchronise it with the others: in a clip of that medium
/// everything is later by that time. TIME_UNITS other than milliseconds are refused: ELAN itself reads everything as
/// milliseconds.
///
/// - Source: "Documentation of EAF – ELAN Annotation Format", The Language Archive, Max Planck Institute for
///   Psycholinguistics, tla.mpi.nl, and its schema EAFv3.0.xsd; for TIME_ORIGIN also elan-media-trimmer of the New
///   Zealand Institute of Language, Brain and Behaviour, which removes the skipped part from the media.
enum ELAN: LabelFormat {
  static let name = "elan"
  static let summary = "ELAN annotation documents, *.eaf, one or a folder of them"
  static let ending = "eaf"

  static func recognises(_ file: InputFile) -> Bool { file.beginning.contains("<ANNOTATION_DOCUMENT") }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    var xml = try XMLReader(file)
    var media: [(name: String, origin: Microseconds)] = []
    var slots: [String: Microseconds] = [:]
    var drafts: [Draft] = []
    var tier: (name: String, rater: String?)?
    var value: String?
    while let event = try xml.next() {
      switch event {
      case .start("ANNOTATION_DOCUMENT", _): break
      case .start("HEADER", let attributes):
        let unit = attributes["TIME_UNITS"] ?? "milliseconds"
        guard unit == "milliseconds" else { throw xml.failure(expected: "TIME_UNITS of milliseconds", found: unit) }
      case .start("MEDIA_DESCRIPTOR", let attributes):
        let text = attributes["TIME_ORIGIN"] ?? "0"
        guard let origin = Int64(text), origin.magnitude <= 1_000_000_000_000 else {
          throw xml.failure(expected: "a TIME_ORIGIN in milliseconds", found: text)
        }
        media += [attributes["RELATIVE_MEDIA_URL"], attributes["MEDIA_URL"]].compactMap { $0 }.filter { !$0.isEmpty }
          .map { ($0, Microseconds(origin * 1000)) }
      case .start("TIME_SLOT", let attributes):
        guard let id = attributes["TIME_SLOT_ID"] else { throw xml.failure(expected: "TIME_SLOT_ID", found: "none") }
        guard let text = attributes["TIME_VALUE"] else { break }
        guard let milliseconds = Int64(text), (0...1_000_000_000_000).contains(milliseconds) else {
          throw xml.failure(expected: "a TIME_VALUE in milliseconds from 0", found: text)
        }
        slots[id] = Microseconds(milliseconds * 1000)
      case .start("TIER", let attributes):
        guard let id = attributes["TIER_ID"] else { throw xml.failure(expected: "TIER_ID", found: "none") }
        let rater = [attributes["ANNOTATOR"], attributes["PARTICIPANT"]].compactMap { $0 }.first { !$0.isEmpty }
        tier = (id, rater)
      case .start("ALIGNABLE_ANNOTATION", let attributes), .start("REF_ANNOTATION", let attributes):
        guard let tier else { throw xml.failure(expected: "TIER before an annotation", found: "none") }
        try LabelImport.checkCount(drafts.count + 1, file)
        drafts.append(
          Draft(
            line: xml.line, tier: tier.name, rater: tier.rater, id: attributes["ANNOTATION_ID"] ?? "",
            start: attributes["TIME_SLOT_REF1"], end: attributes["TIME_SLOT_REF2"],
            reference: attributes["ANNOTATION_REF"]))
      case .start("ANNOTATION_VALUE", _): value = ""
      case .text(let text): value?.append(text)
      case .end("ANNOTATION_VALUE"):
        if !drafts.isEmpty { drafts[drafts.count - 1].value = value ?? "" }
        value = nil
      default: break
      }
    }
    // Few documents have annotations that take their times from others.
    let referred = Set(drafts.lazy.filter { $0.start == nil }.compactMap(\.reference))
    let places = Dictionary(drafts.enumerated().lazy.filter { referred.contains($1.id) }.map { ($1.id, $0) }) {
      first, _ in first
    }
    let between = SharedSlots(drafts, times: slots)
    // The first medium is the one that the others were synchronised with.
    let recordings = media.map(\.name) + [file.stem]
    let origins = media.map(\.origin) + [media.first?.origin ?? .zero]
    return try drafts.compactMap { draft in
      let label = draft.value.trimmingCharacters(in: .whitespacesAndNewlines)
      func failure(_ expected: String, _ found: String) -> DataError {
        DataError(file: file.name, line: draft.line, expected: expected, found: String(found.prefix(60)))
      }
      var aligned = draft
      var steps = 0
      while aligned.start == nil {
        let reference = aligned.reference ?? ""
        steps += 1
        guard let place = places[reference], steps <= drafts.count else {
          throw failure("an annotation that refers to one with times", "ANNOTATION_REF \(reference)")
        }
        aligned = drafts[place]
      }
      func time(_ key: String, _ slot: String?) throws -> Microseconds {
        let id = slot ?? ""
        guard let time = slots[id] ?? between.time(id, tier: aligned.tier) else {
          throw failure("a time for \(key)", "time slot \(id) without one")
        }
        return time
      }
      let (start, end) = (try time("TIME_SLOT_REF1", aligned.start), try time("TIME_SLOT_REF2", aligned.end))
      guard end >= start else { throw failure("an end after \(start.seconds) s", "\(end.seconds) s") }
      return Annotation(
        file: file.name, line: draft.line, recordings: recordings, origins: origins, track: draft.tier, label: label,
        start: .time(start), end: end == start ? nil : .time(end), rater: draft.rater,
        isEmpty: label.isEmpty && !mapping.takesUnlabelled(draft.tier))
    }
  }

  private struct Draft {
    var line: Int
    var tier: String
    var rater: String?
    var id: String
    /// Time slots.
    var start: String?
    var end: String?
    /// The annotation that gives its times, if it has none of its own.
    var reference: String?
    var value = ""
  }

  /// The times of slots without a value, from the tier's annotations that begin or end there.
  private struct SharedSlots {
    private struct Slot: Hashable {
      var tier: String
      var id: String
    }

    private var next: [Slot: String] = [:]
    private var previous: [Slot: String] = [:]
    private let times: [String: Microseconds]

    init(_ drafts: [Draft], times: [String: Microseconds]) {
      self.times = times
      for draft in drafts {
        guard let start = draft.start, let end = draft.end, times[start] == nil || times[end] == nil else { continue }
        next[Slot(tier: draft.tier, id: start)] = end
        previous[Slot(tier: draft.tier, id: end)] = start
      }
    }

    /// `nil` if the tier's annotations lead to no slot with a time on both sides.
    func time(_ id: String, tier: String) -> Microseconds? {
      guard let before = nearest(id, tier, previous), let after = nearest(id, tier, next), after.time > before.time
      else { return nil }
      let share = Double(before.steps) / Double(before.steps + after.steps)
      return before.time + Microseconds(Int64((Double((after.time - before.time).count) * share).rounded()))
    }

    private func nearest(_ id: String, _ tier: String, _ way: [Slot: String]) -> (time: Microseconds, steps: Int)? {
      var place = id
      // No path is longer than the number of annotations, unless it is a circle.
      for steps in 1...max(way.count, 1) {
        guard let slot = way[Slot(tier: tier, id: place)] else { return nil }
        if let time = times[slot] { return (time, steps) }
        place = slot
      }
      return nil
    }
  }
}
