import PoseModel

/// A dataset folder whose labels and poses may break the rules of the format, for those who look for what is wrong with it.
///
/// Labels that can't be are kept as they are: reps that overlap, are empty or turn outside of themselves, labels beyond the
/// clip, grades and faults of reps that there aren't. Rows and pose files that can't be read at all are `unreadable`.
public struct UncheckedFolder: Sendable {
  private let folder: DatasetFolder
  /// The rows of label files that are left out, in the order of the files.
  public let unreadable: [DataError]

  /// - Throws: `DataError` where there is no manifest and no list of clips to go by.
  public init(_ directory: String) throws {
    var unreadable: [DataError] = []
    folder = try DatasetFolder(
      directory, objections: LabelObjections(contradiction: { _ in }, row: { unreadable.append($0) }))
    self.unreadable = unreadable
  }

  public var manifest: Manifest { folder.manifest }
  public var clipCount: Int { folder.clips.count }

  /// A clip whose poses are left out where they can't be read.
  public func clip(_ index: Int) -> UncheckedClip {
    let entry = folder.clips[index]
    do {
      return UncheckedClip(try folder.poses(of: index), places: entry.places)
    } catch {
      var error = error
      error.clip = entry.info.name
      let clip = Clip(info: entry.info, keypoints: nil, labels: entry.labels)
      return UncheckedClip(clip, places: entry.places, unreadable: error)
    }
  }
}

/// A clip whose labels may contradict each other or its poses.
public struct UncheckedClip: Sendable {
  public let clip: Clip
  /// Where its labels stand; empty for a clip of no folder.
  public let places: LabelPlaces
  /// What is wrong with its pose file, where that can't be read.
  public let unreadable: DataError?

  public init(_ clip: Clip, places: LabelPlaces = LabelPlaces(), unreadable: DataError? = nil) {
    self.clip = clip
    self.places = places
    self.unreadable = unreadable
  }
}
