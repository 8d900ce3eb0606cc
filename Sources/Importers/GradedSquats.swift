import Datasets
import Files
import Foundation
import PoseModel

/// Squats graded by a person from two videos each: `grades.csv`. There are no poses, so clips have labels only.
///
/// `grades.csv` has the files seen from the side and from the front and four grades from 0 to 100. A pair of videos may
/// have several rows. It is unknown whether several people graded them: they count as repeated gradings by `grading-1`,
/// `grading-2` … in the order of the file, and their differences are not differences between people.
///
/// `angles.csv` in the same folder has series of joint angles, which give no poses: it is left out.
///
/// - Source: unknown; published without a paper as two CSV files.
public struct GradedSquats: Importer {
  public static let format = "graded-squats"
  public static let summary = "squats graded 0 to 100, without poses: grades.csv"

  public let manifest: Manifest
  public private(set) var remarks: [String] = []
  private let directory: String
  private var clips: [Clip] = []

  public static func recognises(_ path: String) -> Bool {
    guard let header = SourceFolder(path)?.firstLine(of: "grades.csv") else { return false }
    return Set([side, front] + criteria.map(\.column)).isSubset(of: header.split(separator: ",").map(String.init))
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try GradedSquats(from: path, name: options.name)]
  }

  public init(from path: String, name: String?) throws {
    directory = SourceFolder(path)?.path ?? path
    manifest = Manifest(
      name: name ?? Self.format, version: "1", licence: "unknown",
      source: "squats graded from a video from the side and one from the front; publisher unknown", origin: .recorded,
      caveat: """
        Labels only: there are no poses. Graders and subjects are unknown: every pair of videos counts as a subject of \
        its own, several gradings of one pair as repeated. The frame rate is nominal.
        """,
      skeleton: Skeleton.coco17.name, coordinates: CoordinateSystem(unit: .relative, yAxis: .down), channels: [.x, .y],
      criteria: Self.criteria.map { Manifest.Criterion(name: $0.name, minimum: 0, maximum: 100) })
    let file = try InputFile("grades.csv", in: directory)
    let table = try CSVTable(
      file, required: [Self.side, Self.front] + Self.criteria.map(\.column), ignoringOthers: true)
    var places: [String: Int] = [:]
    var gradings: [Int] = []
    for row in table.rows {
      let name = "\(Self.stem(try row.text(Self.side)))_\(Self.stem(try row.text(Self.front)))"
      guard PortableName.isValid(name) else {
        throw row.failure(expected: "videos whose names are each \(PortableName.description)", found: name)
      }
      let place = places[name] ?? clips.count
      if place == clips.count {
        places[name] = place
        gradings.append(0)
        clips.append(
          Clip(
            info: Clip.Info(name: name, subject: name, exercise: "squat", view: "", fps: 30, split: ""), keypoints: nil,
            labels: GroundTruth()))
      }
      gradings[place] += 1
      for criterion in Self.criteria {
        let grade = try row.number(criterion.column)
        guard (0...100).contains(grade) else {
          throw row.failure(criterion.column, clip: name, expected: "a grade from 0 to 100")
        }
        clips[place].labels.grades.append(
          GroundTruth.Grade(rep: nil, rater: "grading-\(gradings[place])", criterion: criterion.name, value: grade))
      }
    }
    guard !clips.isEmpty else {
      throw DataError(file: file.name, line: 2, expected: "at least one grading", found: "none")
    }
    for (clip, count) in zip(clips, gradings) where count > 1 {
      remarks.append("\(clip.info.name): graded \(count) times, counted as repeated gradings by grading-1 to \(count)")
    }
    if SourceFolder(directory)?.contains("angles.csv") == true {
      remarks.append("left out angles.csv: series of joint angles, which give no poses")
    }
  }

  public var clipCount: Int { clips.count }

  private static let side = "Filename Side"
  private static let front = "Filename Front"
  static let criteria = [
    (column: "Squat Score", name: "squat"), (column: "Knee Stability", name: "knee_stability"),
    (column: "Core Strength", name: "core_strength"), (column: "Asymmetry Score", name: "asymmetry"),
  ]

  /// `static/IMG_1.mov` is `IMG_1`.
  private static func stem(_ path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    return String(file.prefix { $0 != "." })
  }

  public func digest() throws -> ContentHash { try ContentHash.files(["grades.csv"], in: directory) }

  public func clip(_ index: Int) throws -> Clip { clips[index] }
}
