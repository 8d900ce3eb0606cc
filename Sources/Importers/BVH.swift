import Datasets

/// Biovision hierarchies, `.bvh`: one file a clip, joints by forward kinematics.
///
/// A joint's name stands for where it is, and with `_end` after it for the end site below it. Which joints are a hip or a
/// knee is said by the sets `bvh-…` in `MarkerSets`, or by `--mapping`. The unit is told by the length of the legs unless
/// `--unit` says it; y points up unless `--up` says otherwise.
///
/// - Source: Meredith and Maddock, Motion Capture File Formats Explained, University of Sheffield, CS0111, 2001; Biovision
///   BVH, University of Wisconsin-Madison, CS 838, 1999.
public struct BVH: CaptureImporter {
  public static let format = "bvh"
  public static let summary = "Biovision hierarchies, *.bvh, by forward kinematics"

  static let capture = MotionCapture.Format(name: format, ending: "bvh", source: "BVH files") { file, directory, _ in
    try BVHFile(InputFile(file, in: directory))
  }

  let recordings: MotionCapture

  init(_ recordings: MotionCapture) { self.recordings = recordings }
}
