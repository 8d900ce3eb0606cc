import Datasets
import PoseModel

/// A clip as checks look at it: its poses on the common joints beside what the estimator wrote.
public struct CheckedClip: Sendable {
  public let manifest: Manifest
  public let clip: Clip
  /// Where its labels stand; empty for a clip of no folder.
  public let places: LabelPlaces
  /// Joints that were zeros for want of a place, and are missing here.
  let zeros: Zeros
  /// `nil` for a clip with labels only.
  public let poses: PoseSequence?
  /// `nil` where there are no poses, or no trunk to measure them by.
  let body: BodyTrack?
  /// `nil` for a clip without poses.
  let sides: BodySides?

  /// - Throws: `EvaluationError.missing` for a skeleton that is not known.
  public init(_ clip: Clip, places: LabelPlaces = LabelPlaces(), manifest: Manifest) throws {
    self.manifest = manifest
    var clip = clip
    if var keypoints = clip.keypoints {
      clip.keypoints = nil
      zeros = Zeros(takingFrom: &keypoints, unit: manifest.coordinates.unit)
      clip.keypoints = keypoints
    } else {
      zeros = Zeros()
    }
    self.clip = clip
    self.places = places
    let poses = clip.keypoints == nil ? nil : try clip.poses(manifest)
    self.poses = poses
    body = poses.flatMap { BodyTrack($0, unit: manifest.coordinates.unit) }
    sides = poses.map { BodySides($0) }
  }

  public var name: String { clip.info.name }

  /// Seconds of a frame.
  func seconds(_ frame: Int) -> Double { poses?.times[frame].seconds ?? 0 }
}
