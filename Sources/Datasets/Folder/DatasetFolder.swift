import Files
import PoseModel

/// A dataset folder: manifest, clips and labels are read and checked at once, poses clip by clip.
///
/// ```swift
/// let folder = try DatasetFolder("datasets/squat-sample")
/// for index in folder.clips.indices { let clip = try folder.clip(index) }
/// ```
public struct DatasetFolder: Sendable {
  /// A clip without its poses.
  public struct Entry: Hashable, Sendable {
    public let info: Clip.Info
    public let labels: GroundTruth
    /// The path within the folder; `nil` for a clip with labels only.
    public let posesFile: String?
    let locations: LabelLocations
  }

  public let manifest: Manifest
  public let skeleton: Skeleton
  /// In the order of `clips.csv`.
  public let clips: [Entry]
  /// Every file of the dataset, as paths within the folder, sorted by bytes.
  public var files: [String] { listing.files }
  let contents: FolderContents
  private let listing: DatasetListing

  /// Reads manifest, clips and labels.
  ///
  /// - Parameter directory: The folder; errors name its files as this path followed by theirs.
  /// - Throws: `DataError` if anything but the poses is missing, unknown, contradictory or out of range.
  public init(_ directory: String) throws {
    try self.init(DatasetListing(directory))
  }

  /// - Throws: As `init(_:)`.
  package init(_ listing: DatasetListing) throws { try self.init(listing, objections: .strict) }

  init(_ listing: DatasetListing, objections: LabelObjections) throws {
    self.listing = listing
    (manifest, contents) = (listing.manifest, listing.contents)
    skeleton = try Skeleton(of: manifest, file: contents.name(DatasetFile.manifest.rawValue))
    let table = listing.table
    let labels = try LabelReader(contents, clips: table, criteria: manifest.criteria, objections: objections)
    clips = table.rows.indices.map { index in
      let row = table.rows[index]
      return Entry(
        info: row.info, labels: labels.labels[index], posesFile: row.posesFile, locations: labels.locations[index])
    }
  }

  /// The path of one of `files` in errors.
  public func path(_ file: String) -> String { contents.name(file) }

  /// Reads and checks the poses of a clip, and that its labels lie within them.
  ///
  /// - Parameter index: An index in `clips`.
  /// - Throws: `DataError` if the pose file is wrong or a label lies beyond its last frame.
  public func clip(_ index: Int) throws -> Clip {
    let clip = try poses(of: index)
    try check.checkLabels(clip, locations: clips[index].locations)
    return clip
  }

  /// A clip with its poses read and checked, whatever its labels.
  func poses(of index: Int) throws(DataError) -> Clip {
    let entry = clips[index]
    var clip = Clip(info: entry.info, keypoints: nil, labels: entry.labels)
    guard let posesFile = entry.posesFile else { return clip }
    do {
      let file = try contents.file(posesFile)
      clip.keypoints =
        if PoseFormat(path: posesFile) == .csv {
          try PoseCSV.read(file, skeleton: skeleton, channels: manifest.channels)
        } else {
          try Keypoints(
            NumpyArray(file), fps: entry.info.fps, skeleton: skeleton, channels: manifest.channels, file: file.name)
        }
      try check.checkPoses(clip, posesFile: file.name)
    } catch let error as DataError {
      throw error
    } catch {
      throw DataError(file: path(posesFile), clip: entry.info.name, expected: "poses", found: "\(error)")
    }
    return clip
  }

  private var check: ClipCheck { ClipCheck(manifest: manifest, skeleton: skeleton, path: path) }
}

/// The files of a dataset folder, whose labels are not read yet: enough to see that a folder is unchanged.
package struct DatasetListing: Sendable {
  package let manifest: Manifest
  let contents: FolderContents
  let table: ClipTable
  /// As `DatasetFolder.files`.
  let files: [String]
  /// The hash of the files; `nil` until it is computed.
  private var known: ContentHash?
  /// What the files were like when the hash was computed.
  package private(set) var stamps: FileStamps?

  /// Reads manifest and clips.
  ///
  /// - Throws: `DataError` if they are wrong or refer to files that do not exist, or the folder has unknown CSV files.
  package init(_ directory: String) throws {
    contents = try FolderContents(directory, expected: DatasetFolder.contentsDescription)
    manifest = try Manifest(yaml: contents.file(DatasetFile.manifest.rawValue))
    table = try ClipTable(contents)
    let present = Set(try contents.topLevelNames())
    let kinds = DatasetFile.allCases.map(\.rawValue)
    if let unknown = present.subtracting(kinds).filter({ $0.hasSuffix(".csv") }).min() {
      throw DataError(
        file: contents.name(unknown), expected: "only the CSV files \(kinds.dropFirst().joined(separator: ", "))",
        found: NearNames.question(unknown, in: kinds))
    }
    let names = kinds.filter(present.contains) + table.rows.compactMap(\.posesFile)
    files = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// - Throws: `DataError` if the manifest gives the dataset another name.
  package func require(_ name: String) throws {
    guard manifest.name != name else { return }
    throw try YAMLMapping(contents.file(DatasetFile.manifest.rawValue)).failure(
      "name", expected: "the folder's name \(name)")
  }

  /// The same with the hash of its files.
  ///
  /// - Parameter earlier: What the files were like at an earlier time: those that are unchanged are not read. `nil` to
  ///   read them all.
  /// - Throws: `DataError` if one cannot be read.
  package func hashed(unless earlier: FileStamps? = nil) throws -> DatasetListing {
    let taken = FileStamps.now
    let files = files.map { (name: $0, path: $0) }
    // Before the files are read: one that changes meanwhile is seen to have changed the next time.
    let status = self.files.map { FileStamps.Status(contents.name($0)) }
    let known = earlier.map { earlier in zip(self.files, status).map { earlier.digest(of: $0, $1) } }
    let digests = try ContentHash.digests(files, known: known) { [contents] in try contents.file($0) }
    var listing = self
    listing.known = ContentHash(files, digests)
    if let known, known.allSatisfy({ $0 != nil }) {
      listing.stamps = earlier
    } else {
      var stamps = FileStamps(taken: taken, stamps: [:])
      for (name, (status, digest)) in zip(self.files, zip(status, digests)) {
        stamps.stamps[name] = status.map { FileStamps.Stamp(status: $0, digest: digest) }
      }
      listing.stamps = stamps
    }
    return listing
  }

  /// Identifies the bytes of the files.
  package func digest() throws -> ContentHash {
    try known ?? hashed().digest()
  }
}

extension Skeleton {
  /// The skeleton that a manifest names.
  package init(of manifest: Manifest, file: String) throws {
    guard let skeleton = Skeleton.named(manifest.skeleton) else {
      let known = Skeleton.all.map(\.name)
      throw DataError(
        file: file, expected: "one of \(known.joined(separator: ", ")) for skeleton",
        found: NearNames.question(manifest.skeleton, in: known))
    }
    self = skeleton
  }
}

extension Keypoints {
  /// The frames of a `.npy` file, evenly spaced at the clip's frame rate from time 0.
  init(_ array: NumpyArray, fps: Double, skeleton: Skeleton, channels: [Channel], file: String) throws {
    let count = skeleton.keypoints.count
    guard array.shape.count == 3, array.shape[1] == count, array.shape[2] == channels.count else {
      let names = channels.map(\.name).joined(separator: ", ")
      throw DataError(
        file: file,
        expected: "shape (frames, \(count), \(channels.count)) for the keypoints of \(skeleton.name) with \(names)",
        found: "(\(array.shape.map(String.init).joined(separator: ", ")))")
    }
    self.init(
      times: [Microseconds](frames: array.shape[0], rate: fps), keypointCount: count,
      channels: channels, frames: array.values, places: Array(0..<array.shape[0]))
  }
}

extension DatasetFolder {
  package static let contentsDescription = "a folder with dataset.yaml and clips.csv"
}

/// The files at the top of a dataset folder.
package enum DatasetFile: String, CaseIterable {
  case manifest = "dataset.yaml"
  case clips = "clips.csv"
  case reps = "reps.csv"
  case events = "events.csv"
  case intervals = "intervals.csv"
  case grades = "grades.csv"
  case faults = "faults.csv"
  case drafts = "drafts.csv"

  /// The columns in the order of writing.
  var columns: [String] { requiredColumns + optionalColumns }

  var requiredColumns: [String] {
    switch self {
    case .manifest: []
    case .clips: ["clip", "subject", "exercise", "view", "fps", "split", "poses"]
    case .reps: ["clip", "rep", "start_s", "end_s"]
    case .events: ["clip", "time_s", "label"]
    case .intervals: ["clip", "start_s", "end_s", "label"]
    case .grades: ["clip", "rep", "rater", "criterion", "grade"]
    case .faults: ["clip", "rep", "rater", "fault", "present"]
    case .drafts: ["clip", "detector"]
    }
  }

  var optionalColumns: [String] {
    switch self {
    case .clips: ["rep_count"]
    case .reps: ["turn_s"]
    default: []
    }
  }
}

extension DatasetFolder: DatasetSource {
  public var clipCount: Int { clips.count }

  public func digest() throws -> ContentHash { try listing.digest() }
}

/// A dataset folder whose labels and poses may break the rules of the format, for checks that search for such errors.
///
/// Impossible labels are kept: reps that overlap, are empty or turn before their start or after their end, labels
/// beyond the clip, grades and faults of reps that do not exist. Unreadable rows and pose files are listed in
/// `unreadable`.
public struct UncheckedFolder: Sendable {
  private let folder: DatasetFolder
  /// The rows of label files that are left out, in the order of the files.
  public let unreadable: [DataError]

  /// - Throws: `DataError` without a manifest or a list of clips.
  public init(_ directory: String) throws {
    var unreadable: [DataError] = []
    folder = try DatasetFolder(
      DatasetListing(directory), objections: LabelObjections(contradiction: { _ in }, row: { unreadable.append($0) }))
    self.unreadable = unreadable
  }

  public var manifest: Manifest { folder.manifest }
  public var clipCount: Int { folder.clips.count }

  /// A clip, without poses if they cannot be read.
  public func clip(_ index: Int) -> UncheckedClip {
    let entry = folder.clips[index]
    do {
      return UncheckedClip(try folder.poses(of: index), locations: entry.locations)
    } catch {
      var error = error
      error.clip = entry.info.name
      let clip = Clip(info: entry.info, keypoints: nil, labels: entry.labels)
      return UncheckedClip(clip, locations: entry.locations, unreadable: error)
    }
  }
}

/// A clip whose labels may contradict each other or its poses.
public struct UncheckedClip: Sendable {
  public let clip: Clip
  /// The locations of its labels; empty for a clip that is not from a folder.
  public let locations: LabelLocations
  /// The error in its pose file, if it cannot be read.
  public let unreadable: DataError?

  public init(_ clip: Clip, locations: LabelLocations = LabelLocations(), unreadable: DataError? = nil) {
    self.clip = clip
    self.locations = locations
    self.unreadable = unreadable
  }
}
