import Datasets

/// C3D files of marker systems, `.c3d`: one file a clip, markers turned into joint centres (`JointCentres`).
///
/// Integers and floats of Intel, DEC and MIPS processors. Units are the file's; up is `POINT:Y_SCREEN`, which the people in the
/// file must not contradict, or where a file has none or no axis there, what they show, or `--up`. A marker whose residual is negative, or that is at 0,0,0, is lost.
///
/// - Source: The C3D File Format: User Guide, c3d.org, sections on the header, the parameter section and 3D data.
public struct C3D: CaptureImporter {
  public static let format = "c3d"
  public static let summary = "C3D marker files, *.c3d, turned into joint centres"

  static let capture = MotionCapture.Format(name: format, ending: "c3d", source: "C3D files") { file, directory, _ in
    try C3DFile(InputFile(file, in: directory))
  }

  let recordings: MotionCapture

  init(_ recordings: MotionCapture) { self.recordings = recordings }
}
