import Datasets

/// OpenSim's and Cortex's marker files, `.trc`: one file a clip, markers turned into joint centres (`JointCentres`).
///
/// Units are the file's (m, mm, cm, in), y points up unless `--up` says otherwise, a marker of empty fields, NaN or 0,0,0
/// is lost. Where the times say no more than the frame rate, frames follow each other at that rate; otherwise each is at
/// its time, the first at 0.
///
/// - Source: OpenSim documentation, "Marker (.trc) Files" and "Coordinate systems" (x forward, y up, z right).
public struct TRC: CaptureImporter {
  public static let format = "trc"
  public static let summary = "OpenSim and Cortex marker files, *.trc, turned into joint centres"

  static let capture = MotionCapture.Format(name: format, ending: "trc", source: "TRC files") { file, directory, _ in
    try TRCFile(InputFile(file, in: directory))
  }

  let recordings: MotionCapture

  init(_ recordings: MotionCapture) { self.recordings = recordings }
}
