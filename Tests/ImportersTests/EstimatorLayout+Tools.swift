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

  // MARK: Scripts and apps

  /// A header in which a point stands once for each of its three numbers, and the rows below it.
  static func thrice(_ suffixes: [String]) -> String {
    "frame," + each(coco) { _, name in suffixes.map { name + $0 }.joined(separator: ",") } + "\n"
      + frames("\n") { "\($0)," + row($0) }
  }

  /// AI Hub's points of a person who exercises.
  static func capitals(_ frame: Int) -> String {
    let feet = [
      ("Left Foot", "left_toe"), ("Right Foot", "right_toe"), ("Left Palm", "left_wrist"), ("Waist", "spine"),
    ]
    let own = (coco + ["neck"]).map { ($0.replacing("_", with: " ").capitalized, $0) }
    return (own + feet).map { "\"\($0)\":{\(spot($1, frame))}" }.joined(separator: ",")
  }

  static let ofScripts: [EstimatorLayout] = [
    file("CSV `nose,nose,nose,left_eye, …`: x, y and confidence under one name", "a.csv", thrice(["", "", ""])),
    file("CSV of pandas: `nose,nose.1,nose.2,left_eye, …`", "a.csv", thrice(["", ".1", ".2"])),
    file("CSV of MATLAB: `nose_1,nose_2,nose_3,left_eye_1, …`", "a.csv", thrice(["_1", "_2", "_3"])),
    file(
      "CSV of SLEAP's frames: `frame_idx,inst0.track,inst0.nose.x, …, inst1.nose.x, …`, one stands still", "a.csv",
      "frame_idx,inst0.track," + each(coco) { "inst0.\($1).x,inst0.\($1).y,inst0.\($1).score" } + ",inst1.track,"
        + each(coco) { "inst1.\($1).x,inst1.\($1).y,inst1.\($1).score" } + "\n"
        + frames("\n") { frame in
          "\(frame),track_0," + each(coco) { xy($1, 0) + ",0.95" } + ",track_1," + row(frame)
        }
    ) { $0.words = ["the subject is number 1, who moves"] },
    file(
      "JSON Lines of a time and a pose: `[0.04, [[x, y, c], …]]`", "a.jsonl",
      frames("\n") { frame in "[\(Double(frame) / 25),[" + each(coco) { "[\(triple($1, frame))]" } + "]]" }
    ) { $0.fps = 25 },
    file(
      "JSON Lines of a socket: `{\"type\", \"payload\": {\"ts\": 40, \"pose\": {\"keypoints\": […]}}}`, others between",
      "a.jsonl",
      frames("\n") { frame in
        "{\"type\":\"pose\",\"payload\":{\"ts\":\(frame * 40),\"pose\":{\"keypoints\":\(points(frame))}}}\n{\"type\":\"ping\"}"
      }
    ) { $0.fps = 25 },
    file(
      "CSV `athlete_nose_x, athlete_nose_y, …`: a word before each point", "a.csv",
      "frame," + each(coco) { "athlete_\($1)_x,athlete_\($1)_y,athlete_\($1)_c" } + "\n"
        + frames("\n") { "\($0)," + row($0) }),
    file(
      "JSON of recordings in a list beside facts: `{\"fps\", \"sets\": [{\"set_id\": 1, \"frames\": […]}]}`", "a.json",
      "{\"athlete\":\"anna\",\"fps\":25,\"sets\":["
        + (0..<2).map { clip in
          "{\"set_id\":\(clip + 1),\"frames\":["
            + frames { "{\"keypoints\":\(points($0, of: clip))}" } + "]}"
        }.joined(separator: ",") + "]}"
    ) {
      $0.clips = 2
      $0.fps = 25
    },
    file(
      "JSON of a tensor: `{\"shape\": [60, 17, 3], \"data\": [x, y, c, x, …]}`", "a.json",
      "{\"dtype\":\"float32\",\"shape\":[\(LayoutPerson.frames),17,3],\"data\":[" + frames { row($0) } + "]}"),
    file(
      "JSON of lists 3 x 17 x frames", "a.json",
      "["
        + (0..<3).map { number in
          "["
            + each(coco) { _, name in
              "["
                + frames { frame in
                  let place = pixels(name, frame)
                  return text([place.x, place.y, 0.9][number])
                } + "]"
            } + "]"
        }.joined(separator: ",") + "]"),
    file(
      "JSON documents one after the other, without lines: `{\"keypoints\": […]}{\"keypoints\": […]}`", "a.json",
      frames("") { "{\"keypoints\":\(points($0))}" }),
    file(
      "JSON of AI Hub: `{\"frames\": [{\"view1\": {\"pts\": {\"Left Foot\": {\"x\", \"y\"}, …}}, \"view2\": …}]}`",
      "a.json",
      "{\"frames\":["
        + frames { frame in
          let view = "{\"pts\":{\(capitals(frame))},\"active\":\"Yes\"}"
          return "{\"view1\":\(view),\"view2\":\(view)}"
        } + "],\"type\":\"001\"}"
    ) {
      $0.confidence = nil
      $0.words = [
        "up to 2 views in a frame",
        "view 1 is taken, the first of those with the most points, as no point has a confidence",
      ]
    },
    file(
      "JSON `[{\"persons\": [{\"keypoints_xy\": [[x, y]], \"keypoints_data\": [[x, y, c]]}]}]`, points twice", "a.json",
      "["
        + frames { frame in
          "{\"persons\":[{\"keypoints_xy\":[" + each(coco) { "[\(xy($1, frame))]" } + "],\"keypoints_data\":["
            + each(coco) { "[\(triple($1, frame))]" } + "]}]}"
        } + "]"),
    file(
      "JSON `[{\"joints\": {\"nose\": {\"2d\": [x, y], \"3d\": [x, y, z], \"confidence\"}, …}}]`", "a.json",
      "["
        + frames { frame in
          "{\"joints\":{"
            + each(coco) { "\"\($1)\":{\"2d\":[\(xy($1, frame))],\"3d\":[0.1,0.2,0.3],\"confidence\":0.9}" } + "}}"
        } + "]"),
    EstimatorLayout(
      name: "JSON of an image a file: `{\"instance_info\": [{\"keypoints_xyn\": [[x, y]], \"keypoints_conf\": […]}]}`",
      files: (0..<LayoutPerson.frames).map { frame in
        let places = each(coco) { _, name in
          let place = shares(name, frame)
          return "[\(place.x),\(place.y)]"
        }
        let scores = each(coco) { _, _ in "0.9" }
        let text = "{\"instance_info\":[{\"keypoints_xyn\":[\(places)],\"keypoints_conf\":[\(scores)]}]}"
        return ("frame_\(String(format: "%04d", frame)).json", Data(text.utf8))
      }),
  ]

  static let tools = furtherTools + ofScripts
}
