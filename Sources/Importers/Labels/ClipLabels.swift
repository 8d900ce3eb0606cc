import Datasets
import Files
import PoseModel

/// The new labels of one clip, collected first and then merged with the clip's existing labels.
struct ClipLabels {
  let clip: String
  private let time: (Annotation.Instant, Annotation) throws -> Microseconds
  private let end: Microseconds?
  private var reps: [(rep: Rep, place: Annotation)] = []
  private var count: (reps: Int, place: Annotation)?
  private var draft: String?
  private var turns: [(time: Microseconds, place: Annotation)] = []
  private var events: [LabelledInstant] = []
  private var intervals: [Segment] = []
  private var grades: [(grade: GroundTruth.Grade, span: Span, place: Annotation)] = []
  private var faults: [(fault: GroundTruth.Fault, span: Span, place: Annotation)] = []

  /// The target of a grade or fault: a rep by its number, or the rep that a time span covers.
  private enum Span {
    case rep(Int?)
    case over(Microseconds, Microseconds)
  }

  /// - Parameters:
  ///   - clip: The clip, with its poses if it has any, for the times of its frames and its end.
  ///   - fps: Frames a second of marks in frames; `nil` if they are the clip's frames.
  init(_ clip: Clip, fps: Double?) {
    self.clip = clip.info.name
    let times = clip.keypoints?.times
    let rate = clip.info.fps
    end = times?.last.map { $0 + Microseconds(frame: 1, rate: rate) }
    let name = clip.info.name
    time = { instant, place in
      let frame: Int
      switch instant {
      case .time(let time): return time
      case .videoFrame(let index, let count, let duration) where times?.count != count:
        return Microseconds(frame: index, rate: Double(count) / duration.seconds)
      case .frame(let index), .videoFrame(let index, _, _):
        if let fps, case .frame = instant { return Microseconds(frame: index, rate: fps) }
        frame = index
      }
      guard let times else { return Microseconds(frame: frame, rate: rate) }
      // The frame after the last one is the end of the clip.
      guard frame <= times.count else {
        throw place.failure(clip: name, expected: "a frame up to \(times.count)", found: "\(frame)")
      }
      return frame < times.count
        ? times[frame] : times[times.count - 1] + Microseconds(frame: 1, rate: rate)
    }
  }

  private func moment(_ instant: Annotation.Instant, _ place: Annotation) throws -> Microseconds {
    let time = try time(instant, place)
    if let end, time > end {
      throw place.failure(
        clip: clip, expected: "a time up to \(end.seconds) s, when the clip ends", found: "\(time.seconds) s")
    }
    return time
  }

  private func span(
    _ start: Annotation.Instant, _ end: Annotation.Instant?, _ place: Annotation, _ what: String
  ) throws -> (start: Microseconds, end: Microseconds) {
    let first = try moment(start, place)
    guard let end else {
      throw place.failure(clip: clip, expected: "a start and an end of \(what)", found: "a point in time")
    }
    let last = try moment(end, place)
    guard last > first else {
      throw place.failure(
        clip: clip, expected: "an end of \(what) after \(first.seconds) s", found: "\(last.seconds) s")
    }
    return (first, last)
  }

  // MARK: Adding

  mutating func add(_ annotation: Annotation, as rule: LabelMapping.Rule, rater: String) throws {
    switch rule.kind {
    case .event, .interval, .fault:
      guard !(rule.name ?? annotation.label).isEmpty else {
        throw annotation.failure(clip: clip, expected: "a label", found: "none")
      }
    case .rep, .turn, .grade, .ignore: break
    }
    switch rule.kind {
    case .ignore: break
    case .rep:
      let span = try span(annotation.start, annotation.end, annotation, "the rep")
      reps.append((Rep(start: span.start, end: span.end), annotation))
    case .turn: turns.append((try moment(annotation.start, annotation), annotation))
    case .event:
      events.append(
        LabelledInstant(time: try moment(annotation.start, annotation), label: rule.name ?? annotation.label))
    case .interval:
      let name = rule.name ?? annotation.label
      let span = try span(annotation.start, annotation.end, annotation, "\(name)")
      intervals.append(Segment(start: span.start, end: span.end, label: name))
    case .grade:
      guard let criterion = rule.name ?? annotation.track else {
        throw annotation.failure(
          clip: clip, expected: "the criterion: a track, or a name in the mapping", found: "neither")
      }
      let text = annotation.label.split(separator: "=").last.map { String($0) } ?? ""
      guard let grade = Double(text.filter { $0 != " " }), grade.isFinite else {
        throw annotation.failure(clip: clip, expected: "a grade on \(criterion)", found: annotation.label)
      }
      grades.append(
        (
          GroundTruth.Grade(rep: nil, rater: rater, criterion: criterion, value: grade), try over(annotation),
          annotation
        ))
    case .fault:
      let fault = GroundTruth.Fault(rep: nil, rater: rater, name: rule.name ?? annotation.label, present: true)
      faults.append((fault, try over(annotation), annotation))
    }
  }

  private func over(_ annotation: Annotation) throws -> Span {
    let start = try moment(annotation.start, annotation)
    return .over(start, try annotation.end.map { try moment($0, annotation) } ?? start)
  }

  mutating func add(_ label: TableLabel, rater: String) throws {
    let place = label.place
    switch label.value {
    case .rep(let start, let end, let turn):
      let span = try span(start, end, place, "the rep")
      reps.append((Rep(start: span.start, end: span.end, turn: try turn.map { try moment($0, place) }), place))
    case .count(let reps):
      if let count, count.reps != reps {
        throw place.failure(clip: clip, expected: "one count of reps", found: "\(count.reps) and \(reps)")
      }
      count = (reps, place)
    case .event(let time, let name): events.append(LabelledInstant(time: try moment(time, place), label: name))
    case .interval(let start, let end, let name):
      let span = try span(start, end, place, name)
      intervals.append(Segment(start: span.start, end: span.end, label: name))
    case .grade(let criterion, let grade):
      grades.append(
        (GroundTruth.Grade(rep: nil, rater: rater, criterion: criterion, value: grade), .rep(label.rep), place))
    case .fault(let name, let isPresent):
      faults.append((GroundTruth.Fault(rep: nil, rater: rater, name: name, present: isPresent), .rep(label.rep), place))
    case .draft(let detector): draft = detector
    }
  }

  // MARK: Merging

  /// The clip's labels merged with these.
  ///
  /// - Parameters:
  ///   - replacing: Whether reps, events and intervals replace other ones, and a rater's grades on a criterion and
  ///     judgements of a fault replace others. Labels that the clip has already are no conflict.
  ///   - criteria: Those of the dataset.
  ///   - marked: The faults that each rater marks in any file; unmarked reps count as free of them.
  /// - Returns: The labels, and how many were replaced.
  /// - Throws: `DataError` with file, line and clip.
  func merged(
    with old: GroundTruth, replacing: Bool, criteria: [Manifest.Criterion], marked: Set<LabelImport.Mark>
  ) throws -> (labels: GroundTruth, replaced: Int) {
    var new = old
    var replaced = 0
    func clear(_ kind: String, _ count: Int, _ place: Annotation?) throws {
      guard count > 0 else { return }
      guard replacing else {
        throw DataError(
          file: place?.file ?? clip, line: place?.line, clip: clip, expected: "a clip without \(kind)",
          found: "\(count); to replace \(count == 1 ? "it" : "them"), add --replace")
      }
      replaced += count
    }
    if !reps.isEmpty {
      let sorted = try sortedReps()
      if sorted != old.reps { try clear("reps", old.reps?.count ?? old.repCount ?? 0, reps[0].place) }
      new.reps = sorted
      new.repCount = reps.count
      new.draft = draft
      // The same label, which an earlier import took for an interval.
      let again = Set(reps.map { Segment(start: $0.rep.start, end: $0.rep.end, label: $0.place.label) })
      new.intervals.removeAll(where: again.contains)
      replaced += old.intervals.count - new.intervals.count
    }
    if let count {
      let known = old.reps?.count ?? old.repCount ?? 0
      if old.reps == nil || known != count.reps {
        try clear("reps", known, count.place)
        new.reps = nil
        new.repCount = count.reps
      }
    }
    if !events.isEmpty {
      let sorted = events.sorted { $0.time < $1.time }
      if sorted != old.events { try clear("events", old.events.count, nil) }
      new.events = sorted
    }
    if !intervals.isEmpty {
      let sorted = intervals.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
      if sorted != new.intervals { try clear("intervals", new.intervals.count, nil) }
      new.intervals = sorted
    }
    let count = new.repCount ?? 0
    if !reps.isEmpty {
      let lost = old.grades.compactMap(\.rep).max() ?? -1
      let other = old.faults.compactMap(\.rep).max() ?? -1
      guard max(lost, other) < count else {
        throw DataError(
          file: reps[0].place.file, clip: clip,
          expected: "as many reps as grades and faults refer to, \(max(lost, other) + 1)",
          found: "\(count)")
      }
    }
    try putGrades(&new, criteria, clear)
    try putFaults(&new, marked, clear)
    return (new, replaced)
  }

  private func sortedReps() throws -> [Rep] {
    var sorted = reps.sorted { $0.rep.start < $1.rep.start }
    for (earlier, later) in zip(sorted, sorted.dropFirst()) where later.rep.start < earlier.rep.end {
      throw later.place.failure(
        clip: clip, expected: "a rep from \(earlier.rep.end.seconds) s on, when the one before ends",
        found: "\(later.rep.start.seconds) s")
    }
    for turn in turns {
      guard let index = sorted.firstIndex(where: { $0.rep.start <= turn.time && turn.time <= $0.rep.end }) else {
        throw turn.place.failure(clip: clip, expected: "a turn within a rep", found: "\(turn.time.seconds) s")
      }
      sorted[index].rep.turn = turn.time
    }
    for (rep, place) in sorted {
      if let turn = rep.turn, turn < rep.start || turn > rep.end {
        throw place.failure(clip: clip, expected: "a turn within the rep", found: "\(turn.seconds) s")
      }
    }
    return sorted.map(\.rep)
  }

  /// The rep that a grade or fault is about: the one that it overlaps most, or none for the whole clip.
  private func rep(_ span: Span, _ labels: GroundTruth, _ place: Annotation) throws -> Int? {
    switch span {
    case .rep(let rep):
      if let rep, rep >= labels.repCount ?? 0 {
        throw place.failure(clip: clip, expected: "a rep from 1 to \(labels.repCount ?? 0)", found: "\(rep + 1)")
      }
      return rep
    case .over(let start, let end):
      let overlaps = (labels.reps ?? []).map { rep in
        start == end
          ? (rep.start <= start && start <= rep.end ? 1 : 0) : min(end, rep.end).count - max(start, rep.start).count
      }
      guard let most = overlaps.max(), most > 0 else { return nil }
      return overlaps.firstIndex(of: most)
    }
  }

  private func putGrades(
    _ labels: inout GroundTruth, _ criteria: [Manifest.Criterion], _ clear: (String, Int, Annotation?) throws -> Void
  ) throws {
    var seen: Set<[String]> = []
    for (grade, span, place) in grades {
      guard let scale = criteria.first(where: { $0.name == grade.criterion }) else {
        throw place.failure(
          clip: clip, expected: "a criterion of the dataset or of the mapping's criteria",
          found: NearNames.question(grade.criterion, in: criteria.map(\.name)))
      }
      guard (scale.minimum...scale.maximum).contains(grade.value) else {
        throw place.failure(
          clip: clip, expected: "a grade on \(scale.name) from \(scale.minimum) to \(scale.maximum)",
          found: "\(grade.value)")
      }
      if seen.insert([grade.rater, grade.criterion]).inserted {
        let isOwn = { (other: GroundTruth.Grade) in other.rater == grade.rater && other.criterion == grade.criterion }
        let given = try grades.filter { isOwn($0.grade) }.map { other in
          var grade = other.grade
          grade.rep = try rep(other.span, labels, other.place)
          return grade
        }
        let what = "grades on \(grade.criterion) by \(grade.rater)"
        try labels.grades.removeAll(where: isOwn, for: given) { try clear(what, $0, place) }
      }
      var grade = grade
      grade.rep = try rep(span, labels, place)
      if labels.grades.contains(where: {
        $0.rep == grade.rep && $0.rater == grade.rater && $0.criterion == grade.criterion
      }) {
        throw place.failure(
          clip: clip, expected: "one grade on \(grade.criterion) per rep and rater", found: "another by \(grade.rater)")
      }
      labels.grades.append(grade)
    }
  }

  private func putFaults(
    _ labels: inout GroundTruth, _ marked: Set<LabelImport.Mark>, _ clear: (String, Int, Annotation?) throws -> Void
  ) throws {
    var said = faults
    // A rater who marks faults leaves absent ones unmarked.
    for mark in marked.sorted(by: { ($0.rater, $0.fault) < ($1.rater, $1.fault) }) {
      let own = try faults.filter { $0.fault.rater == mark.rater && $0.fault.name == mark.fault }
        .map { try rep($0.span, labels, $0.place) }
      guard !own.contains(nil) else { continue }
      let all: [Int?] = (labels.repCount ?? 0) == 0 ? [nil] : Array(0..<(labels.repCount ?? 0))
      for rep in all where !own.contains(rep) {
        said.append(
          (
            GroundTruth.Fault(rep: nil, rater: mark.rater, name: mark.fault, present: false), .rep(rep),
            Annotation(file: mark.file, recordings: [], label: mark.fault, start: .frame(0))
          ))
      }
    }
    var seen: Set<[String]> = []
    for (fault, span, place) in said {
      if seen.insert([fault.rater, fault.name]).inserted {
        let isOwn = { (other: GroundTruth.Fault) in other.rater == fault.rater && other.name == fault.name }
        let given = try said.filter { isOwn($0.fault) }.map { other in
          var fault = other.fault
          fault.rep = try rep(other.span, labels, other.place)
          return fault
        }
        let what = "judgements of \(fault.name) by \(fault.rater)"
        try labels.faults.removeAll(where: isOwn, for: given) { try clear(what, $0, place) }
      }
      var fault = fault
      fault.rep = try rep(span, labels, place)
      let same = labels.faults.first { $0.rep == fault.rep && $0.rater == fault.rater && $0.name == fault.name }
      // A fault that is marked twice in a rep counts once.
      if let same {
        guard same.present == fault.present else {
          throw place.failure(
            clip: clip, expected: "one label for \(fault.name) per rep and rater", found: "another by \(fault.rater)")
        }
        continue
      }
      labels.faults.append(fault)
    }
    labels.faults.sort { ($0.rep ?? -1, $0.rater, $0.name) < ($1.rep ?? -1, $1.rater, $1.name) }
  }
}

extension Array where Element: Hashable {
  /// Removes the elements that new ones take the place of.
  ///
  /// - Parameter clear: Called with their number, unless the new ones are the same.
  fileprivate mutating func removeAll(
    where isOwn: (Element) -> Bool, for given: [Element], clear: (Int) throws -> Void
  ) rethrows {
    let own = filter(isOwn)
    if Set(own) != Set(given) { try clear(own.count) }
    removeAll(where: isOwn)
  }
}
