import Foundation
import PoseModel

/// Numbers that are doubtful, and what holds them: archives, logs, fields and files of their own.
extension EstimatorLayout {
  // MARK: Doubtful numbers

  static let doubtful: [EstimatorLayout] = [
    file(
      "confidences in percent", "a.csv", wide(coco, { ["\($0)_x", "\($0)_y", "\($0)_conf"] }, confidence: "90")
    ) { $0.words = ["read as percent"] },
    file(
      "confidences as logits", "a.csv",
      "" + each(coco) { "\($1)_x,\($1)_y,\($1)_visibility" } + "\n"
        + frames("\n") { frame in
          each(coco) { index, name in xy(name, frame) + (index == 1 ? ",-3" : ",2.1972") }
        }
    ) { $0.words = ["read as logits"] },
    file(
      "confidences of 0 throughout", "a.csv",
      wide(coco, { ["\($0)_x", "\($0)_y", "\($0)_visibility"] }, confidence: "0")
    ) {
      $0.confidence = nil
      $0.words = ["visibility is 0 throughout: read as not given"]
    },
    file(
      "confidences as logits, none below 0", "a.csv",
      each(coco) { "\($1)_x,\($1)_y,\($1)_visibility" } + "\n"
        + frames("\n") { frame in
          each(coco) { index, name in xy(name, frame) + (index == 1 ? ",6.9" : ",2.1972") }
        }
    ) { $0.words = ["read as logits"] },
    file(
      "CSV of a frame number and 51 columns without names", "a.csv",
      frames("\n") { frame in "\(frame)," + each(coco) { triple($1, frame) } }),
    file(
      "JSON of points with their numbers: `[[id, x, y], …]`", "a.json",
      "[" + frames { frame in "[" + each(coco) { "[\($0),\(xy($1, frame))]" } + "]" } + "]"
    ) { $0.confidence = nil },
    file(
      "JSON of people by numbers: `{\"people\": {\"1\": […], \"2\": […]}}`, one stands still", "a.json",
      "["
        + frames { frame in
          "{\"people\":{\"1\":[" + each(coco) { "[\(xy($1, 0)),0.95]" } + "],\"2\":["
            + each(coco) { "[\(triple($1, frame))]" } + "]}}"
        } + "]"
    ) { $0.words = ["the subject is number 2, who moves"] },
    file(
      "CSV of images: `anna_0001.jpg`, …, `ben_0001.jpg`, …", "a.csv",
      "image," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + ["anna", "ben"].enumerated().map { clip, name in
          frames("\n") { frame in
            "\(name)_\(String(format: "%04d", frame)).jpg," + each(coco) { xy($1, frame, clip: clip) + ",0.9" }
          }
        }.joined(separator: "\n")
    ) { $0.clips = 2 },
    file(
      "CSV of clocks that count frames: `00:00:01:24`", "a.csv",
      "time," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in
          "00:00:\(String(format: "%02d:%02d", frame / 25, frame % 25))," + each(coco) { triple($1, frame) }
        }
    ) {
      $0.fps = 25
      $0.words = ["the clock's last part counts frames, 25 a second"]
    },
    file(
      "y upwards", "a.csv",
      each(coco) { "\($1)_x,\($1)_y" } + "\n"
        + frames("\n") { frame in
          each(coco) { _, name in "\(text(pixels(name, frame).x)),\(text(1920 - pixels(name, frame).y))" }
        }
    ) {
      $0.confidence = nil
      $0.words = ["y grows upwards, as the head is above the feet"]
    },
    file(
      "eyes and ears at −1, −1", "a.csv",
      each(coco) { "\($1)_x,\($1)_y" } + "\n"
        + frames("\n") { frame in each(coco) { index, name in (1...4).contains(index) ? "-1,-1" : xy(name, frame) } }
    ) {
      $0.confidence = nil
      $0.words = ["points at -1,-1 are read as not found"]
    },
    file(
      "a column of labels a frame", "a.csv",
      "phase," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in (frame % 20 < 10 ? "down," : "up,") + each(coco) { triple($1, frame) } }
    ) { $0.words = ["not used: phase"] },
    file(
      "CSV with `None`, `NA`, `NULL` and `-` for eyes and ears", "a.csv",
      "frame," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in
          "\(frame),"
            + each(coco) { index, name in
              name.hasSuffix("eye") ? "None,NA,NULL" : name.hasSuffix("ear") ? "-,-,-" : triple(name, frame)
            }
        }),
    file(
      "CSV with lines of `#` before the header", "a.csv",
      "# fps: 25\n# by hand\n" + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in each(coco) { triple($1, frame) } }
    ) {
      $0.fps = 25
      $0.words = ["2 lines of comments before the header are not used, but for fps, width and height"]
    },
    packed(
      "CSV packed by gzip", "a.csv.gz",
      each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n" + frames("\n") { frame in each(coco) { triple($1, frame) } }),
    file(
      "CSV with frames as `frame_12`", "a.csv",
      "frame," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in "frame_\(frame)," + each(coco) { triple($1, frame) } }),
    file(
      "CSV with times as `40 ms`", "a.csv",
      "time," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in "\(frame * 40) ms," + each(coco) { triple($1, frame) } }
    ) { $0.fps = 25 },
    file(
      "CSV in percent of the image", "a.csv",
      each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in
          each(coco) { _, name in
            let place = pixels(name, frame)
            return "\(text(place.x / 10.8)),\(text(place.y / 19.2)),0.9"
          }
        }
    ) { $0.words = ["read as percent of the image; if they are pixels: --size WxH"] },
    integers("`.npy` of big-endian integers in Fortran order, frames x 17 x 2"),
  ]

  // MARK: Other containers

  static let backwardsHeader = each(coco.reversed()) { "\"\($1)_x\",\"\($1)_y\",\"\($1)_c\"" }

  static let containers: [EstimatorLayout] = [
    file(
      "JSON of a table's rows: `[{\"frame\", \"nose_x\", \"nose_y\", \"nose_c\", …}]`", "a.json",
      "["
        + frames { frame in
          "{\"frame\":\(frame),"
            + each(coco) { _, name in
              let place = pixels(name, frame)
              return "\"\(name)_x\":\(text(place.x)),\"\(name)_y\":\(text(place.y)),\"\(name)_c\":0.9"
            } + "}"
        } + "]"),
    file(
      "JSON of a table's columns: `{\"nose_x\": {\"0\": …, \"1\": …}, …}`", "a.json",
      "{"
        + each(coco) { _, name in
          let x = frames { "\"\($0)\":\(text(pixels(name, $0).x))" }
          let y = frames { "\"\($0)\":\(text(pixels(name, $0).y))" }
          return "\"\(name)_x\":{\(x)},\"\(name)_y\":{\(y)}"
        } + "}"
    ) { $0.confidence = nil },
    file(
      "JSON of columns and rows: `{\"columns\": […], \"data\": [[…]]}`", "a.json",
      "{\"columns\":[\"time_ms\",\(backwardsHeader)],\"index\":[" + frames { "\($0)" } + "],\"data\":["
        + frames { frame in "[\(frame * 40)," + each(coco.reversed()) { triple($1, frame) } + "]" } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of series: `{\"fps\", \"joints\": {\"nose\": [[x, y, c], …], …}}`", "a.json",
      "{\"fps\":25,\"joints\":{"
        + each(coco) { _, name in "\"\(name)\":[" + frames { "[\(triple(name, $0))]" } + "]" } + "}}"
    ) { $0.fps = 25 },
    file(
      "JSON of a joint's numbers: `{\"nose\": {\"x\": […], \"y\": […], \"confidence\": […]}, …, \"time\": […]}`",
      "a.json",
      "{"
        + each(coco) { _, name in
          let x = frames { text(pixels(name, $0).x) }
          let y = frames { text(pixels(name, $0).y) }
          return "\"\(name)\":{\"x\":[\(x)],\"y\":[\(y)],\"confidence\":[\(frames { _ in "0.9" })]}"
        } + ",\"time\":[" + frames { "\(Double($0) / 25)" } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of points in another order: `{\"keypoint_names\": […], \"frames\": [[[x, y, c]]]}`", "a.json",
      "{\"keypoint_names\":[" + each(coco.sorted()) { "\"\($1)\"" } + "],\"frames\":["
        + frames { frame in "[" + each(coco.sorted()) { "[\(triple($1, frame))]" } + "]" } + "]}"),
    file(
      "JSON of people in lists: `[{\"keypoints\": [[[x, y]]], \"scores\": [[…]]}]`", "a.json",
      "["
        + frames { frame in
          "{\"keypoints\":[[" + each(coco) { "[\(xy($1, frame))]" } + "]],\"scores\":[["
            + each(coco) { _, _ in "0.9" } + "]]}"
        } + "]"),
    file(
      "JSON as a text in JSON Lines: `{\"frame\", \"results\": \"[{…}]\"}`", "a.jsonl",
      frames("\n") { frame in
        "{\"frame\":\(frame),\"results\":\"[{\\\"keypoints\\\":[" + each(coco) { "[\(triple($1, frame))]" } + "]}]\"}"
      }),
    file(
      "JSON of recordings in a list: `[{\"video\", \"fps\", \"frames\": […]}]`", "a.json",
      "["
        + ["anna.mp4", "ben.mp4"].enumerated().map { clip, video in
          "{\"video\":\"\(video)\",\"fps\":25,\"frames\":["
            + frames { "{\"keypoints\":\(points($0, of: clip))}" } + "]}"
        }.joined(separator: ",") + "]"
    ) {
      $0.clips = 2
      $0.fps = 25
    },
    file(
      "JSON of detections: `[{\"image_id\": \"0000.jpg\", \"keypoints\": [[x, y, c]]}, …]`, two an image, one stands still",
      "a.json",
      "["
        + frames { frame in
          let image = "{\"image_id\":\"\(String(format: "%04d", frame)).jpg\",\"keypoints\":["
          let still = each(coco) { _, name in "[\(text(pixels(name, 0).x + 500)),\(text(pixels(name, 0).y)),0.95]" }
          return image + still + "]}," + image + each(coco) { "[\(triple($1, frame))]" } + "]}"
        } + "]"
    ) { $0.words = ["up to 2 people in a frame"] },
    file(
      "JSON by image: `{\"frame_0000.jpg\": [{\"keypoints\": [[x, y, c]]}], …}`", "a.json",
      "{"
        + frames { frame in
          "\"frame_\(String(format: "%04d", frame)).jpg\":[{\"keypoints\":[" + each(coco) { "[\(triple($1, frame))]" }
            + "]}]"
        } + "}"),
    file(
      "JSON by time: `{\"0.000\": {\"keypoints\": [[x, y, c]]}, …}`", "a.json",
      "{"
        + frames { frame in
          "\"\(String(format: "%.3f", Double(frame) / 25))\":{\"keypoints\":[" + each(coco) { "[\(triple($1, frame))]" }
            + "]}"
        } + "}"
    ) { $0.fps = 25 },
    file(
      "JSON `{\"fps\": \"30000/1200\", \"frames\": […]}`, a rate as FFmpeg writes it", "a.json",
      "{\"fps\":\"30000/1200\",\"frames\":[" + frames { frame in "[" + each(coco) { "[\(triple($1, frame))]" } + "]" }
        + "]}"
    ) { $0.fps = 25 },
    file(
      "CSV `frame,joint,x,y,c`, all frames of a joint together", "a.csv",
      "frame,joint,x,y,c\n" + each(coco, "\n") { _, name in frames("\n") { "\($0),\(name),\(triple(name, $0))" } }),
    file(
      "CSV of Ultralytics, a dictionary in a field: `{'x': […], 'y': […], 'visible': […]}`", "a.csv",
      "frame,name,keypoints\n"
        + frames("\n") { frame in
          "\(frame),person,\"{'x': [" + each(coco, ", ") { text(pixels($1, frame).x) } + "], 'y': ["
            + each(coco, ", ") { text(pixels($1, frame).y) } + "], 'visible': [" + each(coco, ", ") { _, _ in "0.9" }
            + "]}\""
        }
    ) { $0.words = ["not used: name"] },
    file(
      "CSV of all points in a field, as NumPy prints them: `[[540. 384.5 0.9] …]`", "a.csv",
      "frame,keypoints\n"
        + frames("\n") { frame in
          "\(frame),\"["
            + each(coco, "\n ") { _, name in
              let place = pixels(name, frame)
              return "[\(Int(place.x.rounded())). \(text(place.y)) 0.9]"
            } + "]\""
        }),
    file(
      "text of 51 numbers a line between spaces", "a.txt",
      frames("\n") { frame in each(coco, " ") { triple($1, frame).replacing(",", with: " ") } }),
    array(
      "`.npy` of frames x 3 x 17", [LayoutPerson.frames, 3, 17],
      (0..<LayoutPerson.frames).flatMap { frame in
        (0..<3).flatMap { channel in
          coco.map { name -> Float in
            let place = pixels(name, frame)
            return channel == 2 ? 0.9 : Float(channel == 0 ? place.x : place.y)
          }
        }
      }),
    array(
      "`.npy` of ST-GCN: 3 x frames x 17 x 1 person", [3, LayoutPerson.frames, 17, 1],
      (0..<3).flatMap { channel in
        (0..<LayoutPerson.frames).flatMap { frame in
          coco.map { name -> Float in
            let place = pixels(name, frame)
            return channel == 2 ? 0.9 : Float(channel == 0 ? place.x : place.y)
          }
        }
      }),
    array(
      "`.npy` of 2 people x frames x 17 x 3, one stands still", [2, LayoutPerson.frames, 17, 3],
      (0..<LayoutPerson.frames).flatMap { _ in
        coco.flatMap { name -> [Float] in [Float(pixels(name, 0).x) + 500, Float(pixels(name, 0).y), 0.95] }
      } + numbers(coco) { [$1.x, $1.y, 0.9] }
    ) { $0.words = ["up to 2 people in a frame"] },
  ]

  // MARK: Further fields

  static let french = ["shoulder": "épaule", "elbow": "coude", "hip": "hanche", "knee": "genou"]

  static let furtherFields: [EstimatorLayout] = [
    file(
      "JSON `[{\"keypoints\": {\"0\": [x, y, c], \"1\": …}}]`, points by their numbers", "a.json",
      "[" + frames { frame in "{\"keypoints\":{" + each(coco) { "\"\($0)\":[\(triple($1, frame))]" } + "}}" } + "]"),
    file(
      "JSON of series in a list: `{\"joints\": [{\"name\": \"nose\", \"trajectory\": [[x, y, c], …]}, …]}`", "a.json",
      "{\"fps\":25,\"joints\":["
        + each(coco) { _, name in
          "{\"name\":\"\(name)\",\"trajectory\":[" + frames { "[\(triple(name, $0))]" } + "]}"
        } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of a joint's frames: `{\"nose\": [{\"frame\", \"x\", \"y\", \"score\"}, …], …}`", "a.json",
      "{"
        + each(coco) { _, name in
          "\"\(name)\":[" + frames { "{\"frame\":\($0),\(spot(name, $0)),\"score\":0.9}" } + "]"
        } + "}"),
    file(
      "CSV with confidences from 0 to 255", "a.csv",
      wide(coco, { ["\($0)_x", "\($0)_y", "\($0)_conf"] }, confidence: "230")
    ) { $0.words = ["read as parts of 255"] },
    file(
      "CSV of all points in a field: `x,y,c;x,y,c;…`", "a.csv",
      "frame,keypoints\n" + frames("\n") { frame in "\(frame),\"" + each(coco, ";") { triple($1, frame) } + "\"" }),
    file(
      "CSV of all points in a field, as PyTorch prints them: `tensor([[x, y, c], …], device='cuda:0')`", "a.csv",
      "frame,keypoints\n"
        + frames("\n") { frame in
          "\(frame),\"tensor([" + each(coco) { "[\(triple($1, frame))]" } + "], device='cuda:0')\""
        }),
    file(
      "text of a line a point: `Frame 1`, below it `nose 540.0 384.5 0.9`", "a.txt",
      frames("\n") { frame in
        "Frame \(frame)\n" + each(coco, "\n") { "\($1) \(triple($1, frame).replacing(",", with: " "))" }
      }),
    file(
      "text of Kinovea's trajectories: `# Label : left_hip`, below it `0:00:00:04 518.4 787.2`", "a.txt",
      "#Kinovea Trajectory data export\n#T X Y\n"
        + each(coco, "\n") { _, name in
          "# Label : \(name)\n"
            + frames("\n") { frame in
              String(format: "0:00:%02d:%02d ", frame / 25, frame % 25 * 4)
                + xy(name, frame).replacing(",", with: " ")
            }
        }
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "CSV with times as `time`: 12:00:00:040", "a.csv",
      "time," + header + "\n"
        + frames("\n") { frame in String(format: "12:00:%02d:%03d,", frame / 25, frame % 25 * 40) + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with times as `unix_ms`: 1741867200040", "a.csv",
      "unix_ms," + header + "\n" + frames("\n") { frame in "\(1_741_867_200_000 + frame * 40)," + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with names in French: `épaule_gauche_x`", "a.csv",
      wide(
        coco.filter { !$0.hasSuffix("eye") && !$0.hasSuffix("ear") && $0 != "nose" },
        { name in
          let words = name.split(separator: "_").map(String.init)
          let part = french[words[1]] ?? (words[1] == "wrist" ? "poignet" : "cheville")
          return ["x", "y", "c"].map { "\(part)_\(words[0] == "left" ? "gauche" : "droite")_\($0)" }
        })),
  ]
}
