import Datasets
import Files
import Foundation
import PoseModel
import TestSupport

/// A small dataset with every kind of label, as files written by hand and as what they mean.
enum SampleDataset {
  static let files = [
    "dataset.yaml": """
    name: mine
    version: "1.0"
    licence: CC0-1.0
    source: made up
    origin: synthetic
    caveat: Nobody moved.
    skeleton: coco-17
    coordinates:
      unit: pixel
      height: 720
      y_axis: down
      channels: [x, y, confidence]
    criteria:
    - {name: form, minimum: 0, maximum: 100}

    """,
    "clips.csv": """
    clip,subject,exercise,view,fps,split,poses,rep_count
    a01,s1,squat,side,10,train,poses/a01.npy,2
    a02,s2,squat,front,10,test,poses/a02.csv,
    a03,s2,lunge,,29.97,,,5
    a04,s3,squat,side,25,test,,0

    """,
    "reps.csv": """
    clip,rep,start_s,end_s,turn_s
    a01,1,0,0.4,0.25
    a01,2,0.4,0.9,

    """,
    "events.csv": """
    clip,time_s,label
    a02,0.15,impact

    """,
    "intervals.csv": """
    clip,start_s,end_s,label
    a02,0,0.25,"swing, slow"

    """,
    "grades.csv": """
    clip,rep,rater,criterion,grade
    a01,1,anna,form,80
    a01,,anna,form,72.5
    a03,5,bert,form,0

    """,
    "faults.csv": """
    clip,rep,rater,fault,present
    a01,2,anna,heels up,1
    a01,2,bert,heels up,0

    """,
  ]

  /// 10 frames; keypoint k of frame f stands at (f, k) with confidence 0.5.
  static let steady = NumpyArray(
    shape: [10, 17, 3], values: (0..<10).flatMap { f in (0..<17).flatMap { k in [Float(f), Float(k), 0.5] } })

  /// Frames 0, 1 and 3 at 0, 0.1 and 0.25 s; the nose is missing in the last.
  static let uneven =
    poseHeader + "\n" + row(0, "0", "1.5,2,0.25") + row(1, "0.1", "1.25,2,0.5") + row(3, "0.25", ",,0")

  static let poseHeader =
    "frame,time_s," + Skeleton.coco17.keypoints.map { "\($0)_x,\($0)_y,\($0)_c" }.joined(separator: ",")

  /// A row whose first keypoint is given and whose other 16 are at (3, 4) with confidence 1.
  static func row(_ frame: Int, _ time: String, _ nose: String) -> String {
    "\(frame),\(time),\(nose)" + String(repeating: ",3,4,1", count: 16) + "\n"
  }

  static func folder() throws -> TestFolder {
    let folder = try TestFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    try folder.write(steady.encoded, to: "poses/a01.npy")
    try folder.write(uneven, to: "poses/a02.csv")
    return folder
  }
}
