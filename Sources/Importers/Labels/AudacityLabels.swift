import Files
import Foundation
import PoseModel

/// Audacity's label tracks, `.txt`: start, end and label separated by tabs; one file per clip, named after the clip.
///
/// A label whose start is its end is a point. Lines that begin with a backslash contain frequencies and are ignored.
///
/// - Source: Audacity manual, "Importing and Exporting Labels".
enum AudacityLabels: LabelFormat {
  static let name = "audacity"
  static let summary = "Audacity label tracks, *.txt, one per clip, with the clip's name"
  static let ending = "txt"

  static func recognises(_ file: InputFile) -> Bool {
    let lines = file.beginning.split(whereSeparator: \.isNewline)
    return lines.first?.wholeMatch(of: /-?[0-9.,]+\t-?[0-9.,]+(\t.*)?/) != nil
  }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    var lines = try TextLines(file)
    var annotations: [Annotation] = []
    while let line = lines.next() {
      if line.isBlank || line.text.hasPrefix("\\") { continue }
      func failure(_ expected: String, _ found: String) -> DataError {
        DataError(file: file.name, line: line.number, expected: expected, found: String(found.prefix(60)))
      }
      let fields = line.fields
      guard fields.count >= 2 else {
        throw failure("start, end and label separated by tabs", line.text.debugDescription)
      }
      func time(_ field: Int) throws -> Microseconds {
        // Older versions write the decimal separator of their locale.
        guard let seconds = Double(fields[field].replacing(",", with: ".")), let time = Microseconds(seconds: seconds),
          time >= .zero
        else {
          throw failure("a time in seconds from 0", fields[field].debugDescription)
        }
        return time
      }
      let (start, end) = (try time(0), try time(1))
      guard end >= start else { throw failure("an end from \(fields[0]) on", fields[1]) }
      let label = fields.dropFirst(2).joined(separator: " ")
      guard !label.isEmpty || mapping.wordlessAreReps || mapping.takesUnlabelled("") else {
        throw failure("a label, or --as rep if all labels without a name are reps", "none")
      }
      annotations.append(
        Annotation(
          file: file.name, line: line.number, recordings: [file.stem], label: label, start: .time(start),
          end: end == start ? nil : .time(end)))
    }
    return annotations
  }
}
