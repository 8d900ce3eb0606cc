import Evaluation
import Foundation

extension DrawingMaterial {
  /// The file of numbers that is asked for, or that of the suite's newest study of this kind.
  ///
  /// - Parameters:
  ///   - kind: `sweep`
  ///   - remedy: what the command that makes one takes.
  /// - Throws: `EvaluationError.missing` where there is none.
  func studyFile(_ kind: String, remedy: String) throws -> String {
    if let file { return file }
    let folder = project.reportFolder(suite)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard let newest = names.filter({ $0.hasPrefix("\(kind)-") }).max() else {
      let command = kind == "selftest" ? "selftest gate" : kind
      throw EvaluationError.missing(
        what: "suite \(suite)", expected: "a folder \(kind)-<time> in \(folder)",
        found: "none; make one with: bench \(command) --suite \(suite) \(remedy)".trimmingSuffix(" "))
    }
    return "\(folder)/\(newest)/\(kind).json"
  }

  /// The charts of a study.
  func pictures(of study: StudyReport, file: String) -> [Drawing.Picture] {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
    return study.pictures.map { picture in
      Drawing.Picture(
        picture, of: study.pictures.count, notes: ["from \(file)"], metadata: study.metadata(folder))
    }
  }
}
