import Foundation
import PoseModel

/// What further tools write: tracks of joints, other orders of points, and cut names.
extension EstimatorLayout {
  static let wrnch = [
    "right_ankle", "right_knee", "right_hip", "left_hip", "left_knee", "left_ankle", "root", "spine", "neck", "head",
    "right_wrist", "right_elbow", "right_shoulder", "left_shoulder", "left_elbow", "left_wrist", "nose", "right_eye",
    "right_ear", "left_eye", "left_ear", "right_toe", "left_toe", "right_heel", "left_heel",
  ]

  static let cut = [
    "shoulder": "SHO", "elbow": "ELB", "wrist": "WRI", "hip": "HIP", "knee": "KNE", "ankle": "ANK",
  ]

  static let furtherTools: [EstimatorLayout] = [
    file(
      "JSON `[{\"frame\", \"track_id\", \"joint\": \"nose\", \"x\", \"y\"}, …]`, a track a joint", "a.json",
      "["
        + frames { frame in
          each(coco) { "{\"frame\":\(frame),\"track_id\":\($0 + 1),\"joint\":\"\($1)\",\(spot($1, frame))}" }
        } + "]"
    ) { $0.confidence = nil },
    file(
      "XML of CVAT: `<track id=\"0\" label=\"nose\"><points frame=\"0\" points=\"x,y\"/>…</track>`", "a.xml",
      "<annotations>"
        + each(coco, "") { index, name in
          "<track id=\"\(index)\" label=\"\(name)\">"
            + frames("") { frame in
              "<points frame=\"\(frame)\" keyframe=\"1\" outside=\"0\" occluded=\"0\" points=\"\(xy(name, frame))\"></points>"
            } + "</track>"
        } + "</annotations>"
    ) { $0.confidence = nil },
    file(
      "JSON of wrnch: `{\"frames\": [{\"persons\": [{\"pose2d\": {\"joints\": [x, y, …], \"scores\": […]}}]}]}`, 25 points",
      "a.json",
      "{\"frames\":["
        + frames { frame in
          "{\"frame_time\":\(frame * 40),\"height\":1920,\"width\":1080,\"persons\":[{\"id\":0,\"pose2d\":{\"joints\":["
            + each(wrnch) { _, name in
              let place = shares(name, frame)
              return "\(place.x),\(place.y)"
            } + "],\"scores\":[" + each(wrnch) { _, _ in "0.9" } + "]}}]}"
        } + "]}"
    ) {
      $0.fps = 25
      $0.words = ["25 numbered points are read as wrnch-25"]
    },
    array(
      "`.npy` of Fit3D's 25 points, of which 17 are Human3.6M's", [LayoutPerson.frames, 25, 3],
      numbers(human36m + ["left_toe", "left_heel", "right_toe", "right_heel", "hand", "hand", "hand", "hand"]) {
        [$1.x, $1.y, 0.9]
      }
    ) { $0.words = ["25 numbered points are read as human36m-17"] },
    file(
      "CSV with times as `timestamp`: 20250313120000040", "a.csv",
      "timestamp," + header + "\n"
        + frames("\n") { frame in String(format: "202503131200%02d%03d,", frame / 25, frame % 25 * 40) + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with cut names: `LSHO_x, …`", "a.csv",
      wide(
        Array(coco.dropFirst(5)),
        { name in
          let words = name.split(separator: "_").map(String.init)
          let own = words[0].prefix(1).uppercased() + (cut[words[1]] ?? "")
          return ["x", "y", "c"].map { "\(own)_\($0)" }
        })),
    file(
      "JSON of Rust's enums: `[{\"t\", \"keypoints\": [{\"Nose\": {\"x\", \"y\", \"score\"}}, …]}]`", "a.json",
      "["
        + frames { frame in
          "{\"t\":\(frame * 40),\"keypoints\":["
            + each(coco) { "{\"\(camel("x_\($1)").dropFirst())\":{\(spot($1, frame)),\"score\":0.9}}" } + "]}"
        } + "]"
    ) { $0.fps = 25 },
    file(
      "JSON Lines of MongoDB: `{\"ts\": {\"$date\": \"2025-03-13T12:00:00.040Z\"}, \"keypoints\": […]}`", "a.json",
      frames("\n") { frame in
        let time = String(format: "2025-03-13T12:00:%06.3fZ", Double(frame) / 25)
        return
          "{\"_id\":{\"$oid\":\"\(frame)\"},\"ts\":{\"$date\":\"\(time)\"},\"keypoints\":\(points(frame))}"
      }
    ) { $0.fps = 25 },
    file(
      "JSON of a web page: `[{\"currentTime\": 0.04, \"keypoints\": […]}]`", "a.json",
      "[" + frames { "{\"currentTime\":\(Double($0) / 25),\"keypoints\":\(points($0))}" } + "]"
    ) { $0.fps = 25 },
    file(
      "JSON `{\"timestamps\": [0, 40, …], \"poses\": [[{\"keypoints\": […]}]]}`", "a.json",
      "{\"timestamps\":[" + frames { "\($0 * 40)" } + "],\"poses\":["
        + frames { "[{\"keypoints\":\(points($0)),\"score\":0.9}]" } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of pandas with its schema: `{\"schema\": {\"fields\": […]}, \"data\": [{\"index\", \"nose_x\", …}]}`",
      "a.json",
      "{\"schema\":{\"fields\":[{\"name\":\"index\",\"type\":\"integer\"},"
        + each(coco) { "{\"name\":\"\($1)_x\",\"type\":\"number\"},{\"name\":\"\($1)_y\",\"type\":\"number\"}" }
        + "]},\"data\":["
        + frames { frame in
          "{\"index\":\(frame)," + each(coco) { spot($1, frame, "\($1)_x", "\($1)_y") } + "}"
        } + "]}"
    ) { $0.confidence = nil },
    file(
      "CSV with times as `time` in ns since 1970, and `seconds_elapsed`", "a.csv",
      "time,seconds_elapsed," + header + "\n"
        + frames("\n") { frame in
          "\(1_741_867_200_000_000_000 + frame * 40_000_000),\(Double(frame) / 25)," + row(frame)
        }
    ) { $0.fps = 25 },
  ]
}
