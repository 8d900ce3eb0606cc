import Datasets
import Foundation

/// Label Studio's CSV export, `.csv`: an annotation a line, with a column for each control tag and each of the task's data.
///
/// A tag's column holds its regions as JSON (`LabelStudioRegion`); the rater is the `annotator`. Annotations that were
/// cancelled are passed over. The clip is known by what the other columns say.
///
/// - Source: "Export annotations and data from Label Studio", labelstud.io/guide/export, "CSV", and
///   `label_studio_converter/exports/csv2.py` of github.com/HumanSignal/label-studio-converter.
enum LabelStudioTable: LabelFormat {
  static let name = "label-studio-csv"
  static let summary = "Label Studio's CSV export, *.csv, of videos and time series"
  static let ending = "csv"

  private static let own: Set = [
    "annotation_id", "annotator", "agreement", "created_at", "id", "lead_time", "updated_at", "was_cancelled",
  ]

  static func recognises(_ file: InputFile) -> Bool {
    let header = file.beginning.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let columns = Set(header.split(separator: ",").map { $0.trimmingCharacters(in: ["\"", " "]) })
    return columns.isSuperset(of: ["annotation_id", "annotator", "lead_time"])
  }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    let columns = try CSVTable(file, required: ["annotator"], ignoringOthers: true).columns
    let table = try CSVTable(file, required: columns)
    return try table.rows.flatMap { row -> [Annotation] in
      if try table.columns.contains("was_cancelled") && row.textIfPresent("was_cancelled")?.lowercased() == "true" {
        return []
      }
      var names: [String] = []
      var found: [Annotation] = []
      for column in columns where !own.contains(column) {
        // What somebody wrote into a box may have several lines, and is no region.
        guard let text = try? row.textIfPresent(column) else { continue }
        guard text.hasPrefix("[") else {
          names.append(text)
          continue
        }
        let field = InputFile(name: file.name, bytes: Data(text.utf8))
        do {
          found += try JSONReader.read(field) {
            try LabelStudio.regions(&$0, file, line: row.line, track: column, mapping.times)
          }
        } catch var error as DataError {
          // The reader of the field knows only its own lines.
          error.line = row.line
          throw error
        }
      }
      let rater = try row.textIfPresent("annotator")
      return found.map { annotation in
        var annotation = annotation
        annotation.recordings = names
        annotation.rater = rater
        return annotation
      }
    }
  }
}
