import Files
import Foundation
import PoseModel

extension DatasetFolder {
  /// Writes a dataset folder clip by clip, with one clip in memory at a time.
  ///
  /// The folder appears atomically, even if the process is killed. The same dataset always gives the same bytes.
  /// Everything written is read again and checked like any dataset.
  ///
  /// - Parameters:
  ///   - directory: A folder that does not exist or is empty; missing parent folders are created.
  ///   - next: Returns the next clip, `nil` after the last.
  /// - Throws: `DataError` if the folder cannot be written or its content would be wrong, and the errors of `next`.
  public static func write(
    _ manifest: Manifest, to directory: String, clips next: () throws -> Clip?
  ) throws {
    var directory = directory
    while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
    let staging = try StagingFolder(for: directory)
    var writer = try DatasetWriter(manifest, folder: staging.path, destination: directory)
    while let clip = try next() { try writer.append(clip) }
    try writer.finish()
    do {
      _ = try DatasetFolder(staging.path)
    } catch var error as DataError {
      error.file = directory + error.file.dropFirst(staging.path.count)
      throw error
    }
    try staging.move()
  }

  /// Writes a dataset from memory.
  public static func write(_ dataset: Dataset, to directory: String) throws {
    var clips = dataset.clips.makeIterator()
    try write(dataset.manifest, to: directory) { clips.next() }
  }
}

extension DatasetFolder {
  /// A clip of an updated folder.
  struct Update {
    var info: Clip.Info
    var labels: GroundTruth
    /// The path of its poses if they stay as they are; `nil` for none.
    var posesFile: String?
    /// The clip with poses to write; `nil` to keep those of the folder.
    var written: (() throws -> Clip)?
  }

  /// Replaces clips and tables of the folder atomically, even if the process is killed. Unchanged tables keep their
  /// bytes, and files that are not the dataset's stay.
  ///
  /// - Parameters:
  ///   - clips: All clips.
  ///   - changed: The tables to write.
  /// - Throws: `DataError` if the folder cannot be written, its content would be wrong, or another program changed it
  ///   since it was read; it is then unchanged. Also the errors of `written`.
  func update(_ manifest: Manifest, clips: [Update], changed: Set<DatasetFile>) throws {
    // A link stays one: the folder that it leads to is replaced.
    let destination = RealPath(contents.directory)?.text ?? contents.directory
    let before = try digest()
    let staging = try StagingFolder(replacing: destination)
    let tables = Set(DatasetFile.allCases.map(\.rawValue))
    for name in try contents.topLevelNames() where !tables.contains(name) {
      try linkTree("\(destination)/\(name)", to: "\(staging.path)/\(name)")
    }
    let kept = Set(clips.filter { $0.written == nil }.compactMap(\.posesFile))
    // Before others are written under their names.
    for file in self.clips.compactMap(\.posesFile) where !kept.contains(file) { unlink("\(staging.path)/\(file)") }
    var writer = try DatasetWriter(manifest, folder: staging.path, destination: contents.directory)
    for clip in clips {
      if let written = clip.written {
        try writer.append(try written(), replacingAllBut: kept)
      } else {
        try writer.appendRows(Clip(info: clip.info, keypoints: nil, labels: clip.labels), posesFile: clip.posesFile)
      }
    }
    try writer.finish()
    for file in DatasetFile.allCases {
      let (old, new) = ("\(destination)/\(file.rawValue)", "\(staging.path)/\(file.rawValue)")
      var status = stat()
      guard lstat(old, &status) == 0 else { continue }
      if changed.contains(file) {
        chmod(new, status.st_mode & 0o777)
      } else {
        unlink(new)
        try linkTree(old, to: new)
      }
    }
    try requireWritten(clips, in: staging.path)
    var status = stat()
    if stat(destination, &status) == 0 { chmod(staging.path, status.st_mode & 0o7777) }
    try staging.exchange()
    guard try DatasetListing(staging.path).digest() == before else {
      try staging.exchange()
      throw DataError(
        file: contents.directory, expected: "the files as they were read",
        found: "files that another program changed meanwhile; run the command again")
    }
  }

  private func requireWritten(_ clips: [Update], in staging: String) throws {
    do {
      let written = try DatasetFolder(staging).clips
      for (clip, update) in zip(written, clips) {
        let isSame = ClipPart.allCases.allSatisfy { part in
          part.items(of: clip.info, clip.labels) == part.items(of: update.info, update.labels)
        }
        if isSame { continue }
        throw DataError(
          file: contents.directory, clip: update.info.name, expected: "labels that can be written",
          found: "others when they are read again")
      }
    } catch var error as DataError {
      if error.file.hasPrefix(staging) { error.file = contents.directory + error.file.dropFirst(staging.count) }
      throw error
    }
  }
}

/// Writes the files of a dataset folder clip by clip, with one clip in memory at a time.
struct DatasetWriter {
  private let manifest: Manifest
  private let skeleton: Skeleton
  private let folder: String
  /// The final name of the folder, for errors.
  private let destination: String
  private var tables: [DatasetFile: OutputFile] = [:]
  private var names: Set<String> = []

  /// - Parameter folder: An empty folder.
  init(_ manifest: Manifest, folder: String, destination: String) throws {
    self.manifest = manifest
    self.folder = folder
    self.destination = destination
    skeleton = try Skeleton(of: manifest, file: "\(destination)/\(DatasetFile.manifest.rawValue)")
    try write(Data(manifest.yamlText().utf8), to: DatasetFile.manifest.rawValue)
    guard makeFolder("\(folder)/\(Self.posesFolder)") else {
      throw DataError.cannotWrite(name(Self.posesFolder))
    }
    _ = try table(.clips)
  }

  /// Writes a clip: its poses as `.npy` if its frames are evenly spaced at its frame rate from 0, otherwise as CSV.
  ///
  /// - Parameter others: The files of other clips, if a file of no clip may have the name of its poses.
  mutating func append(_ clip: Clip, replacingAllBut others: Set<String>? = nil) throws {
    let info = clip.info
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: name(DatasetFile.clips.rawValue), clip: info.name, expected: expected, found: found)
    }
    guard PortableName.isValid(info.name) else { throw failure(PortableName.description, Excerpt.of(info.name)) }
    guard names.insert(info.name).inserted else {
      throw failure("a unique clip name", "the name of another clip")
    }
    guard Clip.Info.frameRates.contains(info.fps) else {
      throw failure("\(Clip.Info.frameRateDescription) frames a second", "\(info.fps)")
    }
    var posesFile: String?
    if let keypoints = clip.keypoints {
      let isRegular = keypoints.times.indices.allSatisfy {
        keypoints.times[$0] == Microseconds(frame: $0, rate: info.fps)
      }
      let file = "\(Self.posesFolder)/\(info.name).\((isRegular ? PoseFormat.numpy : .csv).rawValue)"
      try ClipCheck(manifest: manifest, skeleton: skeleton, path: name).check(clip, posesFile: name(file))
      if let others {
        guard !others.contains(file) else {
          throw failure("no other clip with the file \(file)", "another clip's file")
        }
        unlink("\(folder)/\(file)")
      }
      try write(
        isRegular ? NumpyArray(keypoints).encoded : PoseCSV.encode(keypoints, skeleton: skeleton), to: file)
      posesFile = file
    }
    try appendRows(clip, posesFile: posesFile)
  }

  /// Writes the remaining files.
  func finish() throws {
    for table in tables.values { try table.finish() }
  }

  /// Writes the rows of a clip whose poses are in a file or not written.
  mutating func appendRows(_ clip: Clip, posesFile: String?) throws {
    let info = clip.info
    let labels = clip.labels
    let name = CSVField.text(info.name)
    func number(_ rep: Int?) -> CSVField { rep.map { .integer($0 + 1) } ?? .empty }
    try append(
      [
        name, .text(info.subject), .text(info.exercise), .text(info.view), .number(info.fps), .text(info.split),
        posesFile.map { .text($0) } ?? .empty, (labels.repCount ?? labels.reps?.count).map { .integer($0) } ?? .empty,
      ], to: .clips)
    for (index, rep) in (labels.reps ?? []).enumerated() {
      try append(
        [name, .integer(index + 1), .time(rep.start), .time(rep.end), rep.turn.map { .time($0) } ?? .empty], to: .reps)
    }
    for event in labels.events { try append([name, .time(event.time), .text(event.label)], to: .events) }
    for interval in labels.intervals {
      try append([name, .time(interval.start), .time(interval.end), .text(interval.label)], to: .intervals)
    }
    for grade in labels.grades {
      try append(
        [name, number(grade.rep), .text(grade.rater), .text(grade.criterion), .number(grade.value)], to: .grades)
    }
    for fault in labels.faults {
      try append(
        [name, number(fault.rep), .text(fault.rater), .text(fault.name), .flag(fault.present)], to: .faults)
    }
    if let detector = labels.draft { try append([name, .text(detector)], to: .drafts) }
  }

  private mutating func append(_ fields: [CSVField], to kind: DatasetFile) throws {
    try table(kind).append(CSVField.row(fields).utf8)
  }

  /// The file for a kind of label, created with its header when it is first needed.
  private mutating func table(_ kind: DatasetFile) throws -> OutputFile {
    if let table = tables[kind] { return table }
    let table = try OutputFile("\(folder)/\(kind.rawValue)", name: name(kind.rawValue))
    tables[kind] = table
    try table.append(CSVField.row(kind.columns.map { .text($0) }).utf8)
    return table
  }

  private func write(_ data: Data, to relative: String) throws {
    let file = try OutputFile("\(folder)/\(relative)", name: name(relative))
    try file.append(data)
    try file.finish()
  }

  private func name(_ relative: String) -> String { "\(destination)/\(relative)" }

  private static let posesFolder = "poses"
}

extension NumpyArray {
  /// Frames x keypoints x channels.
  init(_ keypoints: Keypoints) {
    let width = keypoints.keypointCount * keypoints.channels.count
    let count = keypoints.frameCount
    let values = [Float](unsafeUninitializedCapacity: width * count) { rows, initialized in
      keypoints.values.withUnsafeBufferPointer { columns in
        for frame in 0..<count {
          for column in 0..<width { rows[frame * width + column] = columns[column * count + frame] }
        }
      }
      initialized = width * count
    }
    self.init(shape: [count, keypoints.keypointCount, keypoints.channels.count], values: values)
  }
}
