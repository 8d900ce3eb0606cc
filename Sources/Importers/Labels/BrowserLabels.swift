import Datasets
import Files
import PoseModel

/// The file that `bench view --label` writes: one rater's labels of the clips that are done. Those of other clips, and of
/// clips that the rater is unsure of, are left out.
///
/// A rater who marks a fault on any rep has checked all reps for it.
enum BrowserLabels: LabelFormat {
  static let name = "bench"
  static let summary = "the file of bench view --label, *.json"
  static let ending = "json"

  /// The format's name comes after the clips, in the order of the keys.
  static func recognises(_ file: InputFile) -> Bool {
    String(decoding: file.bytes.suffix(4096), as: UTF8.self).contains("\"\(RaterLabels.Content.name)\"")
  }

  static func labels(_ file: InputFile, mapping: LabelMapping) throws -> StatedLabels {
    let content = try RaterLabels.content(of: file)
    let done = content.clips.filter { $0.value.isDone && !$0.value.isUnsure }
    let faults = Set(done.values.flatMap { $0.reps.flatMap(\.faults.keys) }).sorted()
    var all = StatedLabels()
    for (clip, labels) in content.clips.sorted(by: { $0.key < $1.key }) {
      guard done[clip] != nil else {
        all.leftOut.append((clip, labels.isDone ? "unsure" : "not done"))
        continue
      }
      func add(_ value: TableLabel.Value, rep: Int? = nil) {
        let place = Annotation(
          file: file.name, recordings: [clip], label: "", start: .frame(0), rater: content.rater)
        all.labels.append(TableLabel(place: place, rep: rep, value: value))
      }
      func time(_ seconds: Double) -> Annotation.Instant { .time(Microseconds(seconds: seconds) ?? .zero) }
      if labels.noReps { add(.count(0)) }
      for (index, rep) in labels.reps.enumerated() {
        add(.rep(start: time(rep.start), end: time(rep.end), turn: rep.turn.map(time)))
        for fault in faults { add(.fault(name: fault, isPresent: rep.faults[fault] ?? false), rep: index) }
        for (criterion, grade) in rep.grades.sorted(by: { $0.key < $1.key }) {
          add(.grade(criterion: criterion, grade: grade), rep: index)
        }
      }
      for event in labels.events { add(.event(time: time(event.time), label: event.label)) }
      for interval in labels.intervals {
        add(.interval(start: time(interval.start), end: time(interval.end), label: interval.label))
      }
      for (fault, isPresent) in labels.faults.sorted(by: { $0.key < $1.key }) {
        add(.fault(name: fault, isPresent: isPresent))
      }
      for (criterion, grade) in labels.grades.sorted(by: { $0.key < $1.key }) {
        add(.grade(criterion: criterion, grade: grade))
      }
      if let draft = labels.draft { add(.draft(draft)) }
    }
    try LabelImport.checkCount(all.labels.count, file)
    return all
  }
}
