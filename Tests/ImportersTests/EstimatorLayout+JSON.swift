import Foundation
import PoseModel

/// JSON, records and elements, points in groups, and the exports of labelling tools.
extension EstimatorLayout {
  // MARK: JSON

  static func point(_ name: String, _ frame: Int) -> String {
    let place = pixels(name, frame)
    return "{\"x\":\(text(place.x)),\"y\":\(text(place.y)),\"score\":0.9,\"name\":\"\(name)\"}"
  }

  /// Those of one of several recordings.
  static func points(_ frame: Int, of clip: Int) -> String {
    "[" + each(coco) { "[\(xy($1, frame, clip: clip)),0.9]" } + "]"
  }

  static func points(_ frame: Int) -> String { "[" + each(coco) { point($1, frame) } + "]" }

  static let clocks: [(key: String, value: @Sendable (Int) -> String)] = [
    ("t", { "\($0 * 40)" }), ("ts", { "\(Double($0) / 25)" }), ("time", { "\(Double($0) / 25)" }),
    ("time_ms", { "\($0 * 40)" }), ("ms", { "\($0 * 40)" }), ("timestamp", { "\(123456.5 + Double($0) * 40)" }),
    ("timestampMs", { "\($0 * 40)" }), ("frameTime", { "\(Double($0) / 25)" }),
    ("timestamp", { "\"2025-03-13T12:00:\(String(format: "%09.6f", Double($0) / 25))\"" }),
    ("time", { "\"0:00:\(String(format: "%09.6f", Double($0) / 25))\"" }),
  ]

  static let objects: [EstimatorLayout] =
    clocks.map { key, value in
      file(
        "JSON `[{\"\(key)\": \(value(1)), \"keypoints\": [{\"x\", \"y\", \"score\", \"name\"}]}]`", "a.json",
        "[" + frames { "{\"\(key)\":\(value($0)),\"keypoints\":\(points($0))}" } + "]"
      ) { $0.fps = 25 }
    } + [
      file(
        "JSON of TensorFlow.js: `[{\"timestamp\", \"poses\": [{\"score\", \"keypoints\"}]}]`", "a.json",
        "[" + frames { "{\"timestamp\":\($0 * 40),\"poses\":[{\"score\":0.8,\"keypoints\":\(points($0))}]}" } + "]"
      ) { $0.fps = 25 },
      file(
        "the same as JSON Lines", "a.jsonl",
        frames("\n") { "{\"timestamp\":\($0 * 40),\"poses\":[{\"score\":0.8,\"keypoints\":\(points($0))}]}" }
      ) { $0.fps = 25 },
      file(
        "JSON `{\"fps\", \"width\", \"height\", \"frames\": [{\"frame\", \"keypoints\"}]}`", "a.json",
        "{\"fps\":25,\"width\":1080,\"height\":1920,\"frames\":["
          + frames { "{\"frame\":\($0),\"keypoints\":\(points($0))}" } + "]}"
      ) { $0.fps = 25 },
      file(
        "JSON of Ultralytics: `[[{\"box\", \"keypoints\": {\"x\": […], \"y\": […], \"visible\": […]}}]]`", "a.json",
        "["
          + frames { frame in
            "[{\"name\":\"person\",\"class\":0,\"box\":{\"x1\":1,\"y1\":2,\"x2\":3,\"y2\":4},\"keypoints\":{\"x\":["
              + each(coco) { text(pixels($1, frame).x) } + "],\"y\":[" + each(coco) { text(pixels($1, frame).y) }
              + "],\"visible\":[" + each(coco) { _, _ in "0.9" } + "]}}]"
          } + "]"),
      file(
        "JSON of ViTPose: `[{\"frame\", \"poses\": [{\"keypoints\": [[x, y]], \"scores\", \"bbox\"}]}]`", "a.json",
        "["
          + frames { frame in
            "{\"frame\":\(frame),\"poses\":[{\"keypoints\":[" + each(coco) { "[\(xy($1, frame))]" } + "],\"scores\":["
              + each(coco) { _, _ in "0.9" } + "],\"bbox\":[1,2,3,4]}]}"
          } + "]"),
      file(
        "JSON of Vision by Swift's Codable: `[name, {\"x\", \"y\", \"confidence\"}, name, …]`, y up", "a.json",
        "["
          + frames { frame in
            "{\"joints\":["
              + each(coco + ["neck", "root"]) { _, name in
                let place = shares(name, frame)
                return
                  "\"\(camel(name))\",{\"location\":[\(place.x),\(1 - (Double(place.y) ?? 0))],\"confidence\":0.9}"
              } + "]}"
          } + "]"),
      file(
        "JSON `[{\"leftKnee\": [x, y], …}]`", "a.json",
        "[" + frames { frame in "{" + each(coco) { "\"\(camel($1))\":[\(xy($1, frame))]" } + "}" } + "]"
      ) { $0.confidence = nil },
    ]

  static func camel(_ name: String) -> String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalized }
  }

  static func triple(_ name: String, _ frame: Int) -> String { xy(name, frame) + ",0.9" }

  static let lists: [EstimatorLayout] = [
    file(
      "JSON `{\"fps\", \"keypoints\": [[[[x, y, c]]]]}`, people in frames", "a.json",
      "{\"video\":\"a.mp4\",\"fps\":25,\"width\":1080,\"height\":1920,\"keypoints\":["
        + frames { frame in "[[" + each(coco) { "[\(triple($1, frame))]" } + "]]" } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of MoveNet: `{\"backend\": \"movenet…\", \"frames\": [{\"keypoints\": [[y, x, score]]}]}`", "a.json",
      "{\"backend\":\"movenet_thunder\",\"width\":1080,\"height\":1920,\"frames\":["
        + frames { frame in
          "{\"frame_index\":\(frame),\"keypoints\":["
            + each(coco) { _, name in
              let place = pixels(name, frame)
              // The image in the middle of the model's square.
              return "[\(text(place.y / 1920)),\(String(format: "%.6f", (place.x + 420) / 1920)),0.9]"
            } + "]}"
        } + "]}"
    ) { $0.words = ["numbers are taken as y, x"] },
    file(
      "JSON of OpenPose in one file: a list of 75 numbers a frame", "a.json",
      "[" + frames { frame in "[" + each(body25) { triple($1, frame) } + "]" } + "]"),
    file(
      "JSON of OpenPose in one file: `[{\"people\": [{\"pose_keypoints_2d\"}]}]`", "a.json",
      "["
        + frames { frame in
          "{\"version\":1.3,\"people\":[{\"person_id\":[-1],\"pose_keypoints_2d\":["
            + each(body25) { triple($1, frame) }
            + "],\"hand_left_keypoints_2d\":[],\"pose_keypoints_3d\":[]}]}"
        } + "]"),
    file(
      "JSON by recording: `{\"anna\": [frames], \"ben\": [frames]}`", "a.json",
      "{"
        + ["anna", "ben"].enumerated().map { clip, name in
          "\"\(name)\":["
            + frames { points($0, of: clip) } + "]"
        }.joined(separator: ",") + "}"
    ) { $0.clips = 2 },
  ]

  // MARK: Records and elements

  static func record(_ frame: Int, _ name: String) -> String {
    let place = pixels(name, frame)
    return
      "{\"frame\":\(frame),\"joint\":\"\(name)\",\"x\":\(text(place.x)),\"y\":\(text(place.y)),\"confidence\":0.9}"
  }

  static let records: [EstimatorLayout] = [
    file(
      "JSON of a point an object: `[{\"frame\", \"joint\", \"x\", \"y\", \"confidence\"}, …]`", "a.json",
      "[" + frames { frame in each(coco) { record(frame, $1) } } + "]"),
    file(
      "the same as JSON Lines in a file `.txt`", "a.txt",
      frames("\n") { frame in each(coco, "\n") { record(frame, $1) } }),
    file(
      "JSON Lines of frames in a file `.txt`", "a.txt",
      frames("\n") { "{\"t\":\(Double($0) / 25),\"keypoints\":\(points($0))}" }
    ) { $0.fps = 25 },
    file(
      "text of Kotlin's data classes: `Pose(timestampMs=40, keyPoints=[KeyPoint(bodyPart=NOSE, coordinate=PointF(x, y), score=c)])`",
      "a.txt",
      frames("\n") { frame in
        "Pose(timestampMs=\(frame * 40), keyPoints=["
          + each(coco, ", ") { "KeyPoint(bodyPart=\($1.uppercased()), coordinate=PointF(\(xy($1, frame))), score=0.9)" }
          + "])"
      }
    ) { $0.fps = 25 },
    file(
      "text of a log: `D Pose: frame=1 nose=(x,y,c) left_eye=(…)`", "a.txt",
      frames("\n") { frame in
        "D Pose: frame=\(frame) " + each(coco, " ") { "\($1)=(\(triple($1, frame)))" }
      }),
    file(
      "XML `<frame number=\"0\"><joint name=\"nose\" x=\"…\" y=\"…\" confidence=\"…\"/>…`", "a.xml",
      "<recording fps=\"25\">"
        + frames("") { frame in
          "<frame number=\"\(frame)\">"
            + each(coco, "") { _, name in
              let place = pixels(name, frame)
              return "<joint name=\"\(name)\" x=\"\(text(place.x))\" y=\"\(text(place.y))\" confidence=\"0.9\"/>"
            } + "</frame>"
        } + "</recording>"
    ) { $0.fps = 25 },
    file(
      "XML of CVAT: `<track><skeleton frame=\"0\"><points label=\"nose\" outside=\"0\" points=\"x,y\"/>…`", "a.xml",
      "<annotations><version>1.1</version><track id=\"0\" label=\"person\">"
        + frames("") { frame in
          "<skeleton frame=\"\(frame)\" keyframe=\"1\">"
            + each(coco, "") { "<points label=\"\($1)\" outside=\"0\" occluded=\"0\" points=\"\(xy($1, frame))\"/>" }
            + "</skeleton>"
        } + "</track></annotations>"
    ) { $0.confidence = nil },
    EstimatorLayout(
      name: "JSON of LabelMe, a file an image: `{\"shapes\": [{\"label\": \"nose\", \"points\": [[x, y]]}]}`",
      files: (0..<LayoutPerson.frames).map { frame in
        let shapes = each(coco) { "{\"label\":\"\($1)\",\"points\":[[\(xy($1, frame))]],\"shape_type\":\"point\"}" }
        return (
          "frame_\(String(format: "%04d", frame)).json",
          Data("{\"version\":\"5.3.1\",\"flags\":{},\"shapes\":[\(shapes)],\"imageData\":null}".utf8)
        )
      }, confidence: nil),
    file(
      "JSON of Label Studio: `[{\"annotations\": [{\"result\": [{\"value\": {\"x\", \"y\", \"keypointlabels\"}}]}]}]`",
      "a.json",
      "["
        + frames { frame in
          "{\"id\":\(frame + 7),\"annotations\":[{\"id\":5,\"result\":["
            + each(coco) { index, name in
              let place = pixels(name, frame)
              return "{\"value\":{\"x\":\(text(place.x / 10.8)),\"y\":\(text(place.y / 19.2)),\"width\":0.3,"
                + "\"keypointlabels\":[\"\(name)\"]},\"id\":\"a\(index)\",\"type\":\"keypointlabels\"}"
            } + "]}],\"file_upload\":\"1-frame_\(String(format: "%04d", frame)).jpg\"}"
        } + "]"
    ) {
      $0.confidence = nil
      $0.words = ["read as percent of the image"]
    },
    file(
      "JSON of ARKit's transforms: `{\"left_leg_joint\": [16 numbers by columns], …}`, y up", "a.json",
      "["
        + frames { frame in
          "{\"timestamp\":\(1000 + Double(frame) / 25),\"joints\":{"
            + bones.map { bone, name in
              let place = pixels(name, frame)
              return "\"\(bone)\":[1,0,0,0,0,1,0,0,0,0,1,0,\(text(place.x)),\(text(1920 - place.y)),0,1]"
            }.joined(separator: ",") + "}}"
        } + "]"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "JSON of Java's optionals: `{\"x\", \"y\", \"visibility\": {\"isPresent\": true, \"value\"}}`", "a.json",
      "["
        + frames { frame in
          "["
            + each(coco) { _, name in
              let place = pixels(name, frame)
              return "{\"x\":\(text(place.x)),\"y\":\(text(place.y)),\"visibility\":{\"isPresent\":true,\"value\":0.9}}"
            } + "]"
        } + "]"),
  ]

  // MARK: Groups and people

  static func point3(_ name: String, _ frame: Int) -> String { "\"\(name)\":[\(triple(name, frame))]" }

  static let groups: [EstimatorLayout] = [
    file(
      "JSON `[{\"upper_body\": {\"left_wrist\": [x, y, c], …}, \"lower_body\": {…}}]`", "a.json",
      "["
        + frames { frame in
          "{\"t\":\(frame * 40),\"upper_body\":{" + each(Array(coco[..<11])) { point3($1, frame) }
            + "},\"lower_body\":{" + each(Array(coco[11...])) { point3($1, frame) } + "}}"
        } + "]"
    ) { $0.fps = 25 },
    file(
      "JSON `[{\"joints\": {\"knee\": {\"left\": [x, y, c], \"right\": [x, y, c]}, …}}]`", "a.json",
      "["
        + frames { frame in
          "{\"joints\":{"
            + each(["shoulder", "elbow", "wrist", "hip", "knee", "ankle"]) { _, part in
              "\"\(part)\":{\"left\":[\(triple("left_\(part)", frame))],\"right\":[\(triple("right_\(part)", frame))]}"
            } + "}}"
        } + "]"),
    file(
      "JSON Lines of two people who take turns, without numbers or times, one stands still", "a.jsonl",
      frames("\n") { frame in
        let still = each(coco) { _, name in "[\(text(pixels(name, 0).x + 500)),\(text(pixels(name, 0).y)),0.95]" }
        return "{\"keypoints\":[\(still)]}\n{\"keypoints\":[" + each(coco) { "[\(triple($1, frame))]" } + "]}"
      }
    ) { $0.words = ["2 people take turns from frame to frame"] },
  ]

  // MARK: Labelling tools

  static func spot(_ name: String, _ frame: Int, _ x: String = "x", _ y: String = "y") -> String {
    let place = pixels(name, frame)
    return "\"\(x)\":\(text(place.x)),\"\(y)\":\(text(place.y))"
  }

  static func image(_ frame: Int) -> String { "frame_\(String(format: "%04d", frame)).jpg" }

  static let labellingTools: [EstimatorLayout] = [
    file(
      "JSON of V7 Darwin: `{\"annotations\": [{\"name\": \"nose\", \"frames\": {\"0\": {\"keypoint\": {\"x\", \"y\"}}}}]}`",
      "a.json",
      "{\"item\":{\"slots\":[{\"width\":1080,\"height\":1920,\"fps\":25}]},\"annotations\":["
        + each(coco) { _, name in
          "{\"frames\":{" + frames { "\"\($0)\":{\"keypoint\":{\(spot(name, $0))}}" } + "},\"name\":\"\(name)\"}"
        } + "]}"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "JSON of V7 Darwin: `{\"annotations\": [{\"frames\": {\"0\": {\"skeleton\": {\"nodes\": [{\"name\", \"x\", \"y\"}]}}}}]}`",
      "a.json",
      "{\"annotations\":[{\"name\":\"person\",\"frames\":{"
        + frames { frame in
          "\"\(frame)\":{\"skeleton\":{\"nodes\":["
            + each(coco) { "{\"name\":\"\($1)\",\"occluded\":false,\(spot($1, frame))}" } + "]}}"
        } + "}}]}"
    ) { $0.confidence = nil },
    file(
      "JSON Lines of Labelbox: `{\"frames\": {\"1\": {\"objects\": {\"id\": {\"name\", \"point\": {\"x\", \"y\"}}}}}}` deep in a line",
      "a.ndjson",
      "{\"media_attributes\":{\"height\":1920,\"width\":1080,\"frame_rate\":25},\"projects\":{\"p\":{\"labels\":[{\"annotations\":"
        + "{\"frames\":{"
        + frames { frame in
          "\"\(frame + 1)\":{\"objects\":{"
            + each(coco) { "\"o\($0)\":{\"name\":\"\($1)\",\"point\":{\(spot($1, frame))}}" } + "}}"
        } + "}}}]}}}"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "JSON Lines of Labelbox, a line a point: `{\"name\", \"dataRow\": {\"globalKey\": \"frame_0000.jpg\"}, \"point\": {\"x\", \"y\"}}`",
      "a.ndjson",
      frames("\n") { frame in
        each(coco, "\n") {
          "{\"name\":\"\($1)\",\"dataRow\":{\"globalKey\":\"\(image(frame))\"},\"point\":{\(spot($1, frame))}}"
        }
      }
    ) { $0.confidence = nil },
    file(
      "JSON of VIA: `{\"regions\": [{\"shape_attributes\": {\"cx\", \"cy\"}, \"region_attributes\": {\"keypoint\"}}]}` an image",
      "a.json",
      "{"
        + frames { frame in
          "\"\(image(frame))123\":{\"filename\":\"\(image(frame))\",\"size\":123,\"regions\":["
            + each(coco) { _, name in
              "{\"shape_attributes\":{\"name\":\"point\",\(spot(name, frame, "cx", "cy"))},"
                + "\"region_attributes\":{\"keypoint\":\"\(name)\"}}"
            } + "]}"
        } + "}"
    ) { $0.confidence = nil },
    file(
      "CSV of VIA: `filename,region_shape_attributes,region_attributes`, with JSON in fields", "a.csv",
      "filename,region_count,region_shape_attributes,region_attributes\n"
        + frames("\n") { frame in
          each(coco, "\n") { _, name in
            let shape = "{\"name\":\"point\",\(spot(name, frame, "cx", "cy"))}".replacing("\"", with: "\"\"")
            return "\(image(frame)),17,\"\(shape)\",\"{\"\"keypoint\"\":\"\"\(name)\"\"}\""
          }
        }
    ) { $0.confidence = nil },
    file(
      "XML `<frame><timestamp>40</timestamp><joint><name>nose</name><x>…</x><y>…</y></joint>…`", "a.xml",
      "<poses>"
        + frames("") { frame in
          "<frame><timestamp>\(frame * 40)</timestamp>"
            + each(coco, "") { _, name in
              let place = pixels(name, frame)
              return
                "<joint><name>\(name)</name><x>\(text(place.x))</x><y>\(text(place.y))</y><score>0.9</score></joint>"
            } + "</frame>"
        } + "</poses>"
    ) { $0.fps = 25 },
    file(
      "XML of Kinovea: `<Track id=\"0\" name=\"nose\"><TrackPoint UserX=\"…\" UserY=\"…\" UserTime=\"0:00:00:04\">`",
      "a.xml",
      "<KinoveaVideoAnalysis><Tracks>"
        + each(coco, "") { index, name in
          "<Track id=\"\(index)\" name=\"\(name)\">"
            + frames("") { frame in
              let (place, time) = (pixels(name, frame), String(format: "0:00:%02d:%02d", frame / 25, frame % 25 * 4))
              return
                "<TrackPoint UserX=\"\(text(place.x))\" UserY=\"\(text(place.y))\" UserTime=\"\(time)\">7;8;9</TrackPoint>"
            } + "</Track>"
        } + "</Tracks></KinoveaVideoAnalysis>"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
  ]
}
