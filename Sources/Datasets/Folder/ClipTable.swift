import PoseModel

/// The rows of `clips.csv`, each checked by itself and against the others.
struct ClipTable {
  struct Row {
    let info: Clip.Info
    let posesFile: String?
    let repCount: Int?
    let line: Int
  }

  let rows: [Row]
  /// The place of each clip in `rows`.
  let places: [String: Int]

  init(_ contents: FolderContents) throws {
    let table = try CSVTable(contents.file(DatasetFile.clips.rawValue), .clips)
    var rows: [Row] = []
    var places: [String: Int] = [:]
    var owners: [String: String] = [:]
    for row in table.rows {
      let name = try row.text("clip")
      guard PortableName.isValid(name) else { throw row.failure("clip", expected: PortableName.description) }
      if let first = places.updateValue(rows.count, forKey: name) {
        throw row.failure(
          clip: name, expected: "a clip name that no other row has", found: "the name of line \(rows[first].line) again"
        )
      }
      let info = Clip.Info(
        name: name, subject: try row.text("subject"), exercise: try row.text("exercise"),
        view: try row.textIfPresent("view") ?? "", fps: try row.number("fps"),
        split: try row.textIfPresent("split") ?? "")
      guard Clip.Info.frameRates.contains(info.fps) else {
        throw row.failure("fps", clip: name, expected: "a number from \(Clip.Info.frameRateDescription)")
      }
      let posesFile = try row.textIfPresent("poses")
      if let posesFile {
        if let (expected, found) = contents.objection(to: posesFile) {
          throw row.failure(clip: name, expected: expected, found: found)
        }
        guard PoseFormat(path: posesFile) != nil else {
          throw row.failure("poses", clip: name, expected: "a file ending in .npy or .csv")
        }
        if let owner = owners.updateValue(name, forKey: posesFile) {
          throw row.failure(
            clip: name, expected: "a pose file that no other clip has",
            found: "\(Excerpt.of(posesFile)) of clip \(owner)")
        }
      }
      let repCount = try row.integerIfPresent("rep_count")
      if let repCount, repCount < 0 { throw row.failure("rep_count", clip: name, expected: "a number from 0") }
      rows.append(Row(info: info, posesFile: posesFile, repCount: repCount, line: row.line))
    }
    guard !rows.isEmpty else {
      throw DataError(file: table.file, expected: "at least one clip", found: "a header without rows")
    }
    self.rows = rows
    self.places = places
  }
}

extension CSVTable {
  /// A file of the dataset folder, with its own columns and no others.
  init(_ file: InputFile, _ kind: DatasetFile) throws {
    try self.init(file, required: kind.requiredColumns, optional: kind.optionalColumns)
  }
}

extension Clip.Info {
  /// Frames a second that a recording may have. With fewer, the times of long ones would not fit in microseconds.
  static let frameRates = 0.01...1000.0
  static let frameRateDescription = "0.01 to 1000"
}
