import Files
import Foundation
import PoseModel

/// Tables: how columns are called and separated.
extension EstimatorLayout {
  // MARK: Tables

  static func wide(
    _ names: [String], _ suffix: (String) -> [String], _ lead: String = "", _ first: (Int) -> String = { _ in "" },
    confidence: String? = "0.9"
  ) -> String {
    lead + each(names) { suffix($1).joined(separator: ",") } + "\n"
      + frames("\n") { frame in
        first(frame) + each(names) { xy($1, frame) + (confidence.map { ",\($0)" } ?? "") }
      } + "\n"
  }

  static func spelt(_ name: String, _ spelling: (String, String?) -> String, _ channel: String) -> String {
    let words = name.split(separator: "_").map(String.init)
    let side = ["left", "right"].contains(words[0]) ? words[0] : nil
    return spelling((side == nil ? words : Array(words.dropFirst())).joined(separator: "_"), side) + channel
  }

  static let spellings: [(name: String, spelling: @Sendable (String, String?) -> String)] = [
    ("l_hip_x", { part, side in (side.map { "\($0.prefix(1))_" } ?? "") + part + "_" }),
    ("LHip_x", { part, side in (side.map { $0.prefix(1).uppercased() } ?? "") + part.capitalized + "_" }),
    ("hip_l_x", { part, side in part + (side.map { "_\($0.prefix(1))" } ?? "") + "_" }),
    ("l.hip.x", { part, side in (side.map { "\($0.prefix(1))." } ?? "") + part + "." }),
    ("Left Hip x", { part, side in (side.map { "\($0.capitalized) " } ?? "") + part.capitalized + " " }),
    ("body_left_hip_x", { part, side in "body_" + (side.map { "\($0)_" } ?? "") + part + "_" }),
    ("lefthip_x", { part, side in (side ?? "") + part + "_" }),
  ]

  static let tables: [EstimatorLayout] =
    spellings.map { name, spelling in
      file(
        "CSV `\(name), …`, pixels", "a.csv",
        wide(coco, { name in ["x", "y", "prob"].map { spelt(name, spelling, $0) } }))
    }
    + ["conf", "likelihood", "prob", "p", "inFrameLikelihood", "score", "c"].map { suffix in
      file(
        "CSV with confidences as `nose_\(suffix)`", "a.csv",
        wide(coco, { name in ["x", "y", suffix].map { "\(name)_\($0)" } }, "frame,track_id,", { "\($0),1," }))
    }
    + [
      file(
        "CSV `x0, y0, s0, …` of 17", "a.csv",
        "frame," + (0..<17).map { "x\($0),y\($0),s\($0)" }.joined(separator: ",") + "\n"
          + frames("\n") { frame in "\(frame)," + each(coco) { triple($1, frame) } }),
      file(
        "CSV of 51 columns without names", "a.csv", frames("\n") { frame in each(coco) { triple($1, frame) } }),
      file(
        "CSV `frame,keypoint_id,x,y,score`, COCO's numbers", "a.csv",
        "frame,keypoint_id,x,y,score\n"
          + frames("\n") { frame in each(coco, "\n") { "\(frame),\($0),\(triple($1, frame))" } }),
      file(
        "CSV `frame,keypoint,x,y`, OpenPose's numbers", "a.csv",
        "frame,keypoint,x,y\n" + frames("\n") { frame in each(openPose, "\n") { "\(frame),\($0),\(xy($1, frame))" } }
      ) { $0.confidence = nil },
      file(
        "CSV of DeepLabCut: rows scorer, bodyparts, coords", "a.csv",
        "scorer," + each(coco) { _, _ in "net,net,net" } + "\nbodyparts," + each(coco) { "\($1),\($1),\($1)" }
          + "\ncoords," + each(coco) { _, _ in "x,y,likelihood" } + "\n"
          + frames("\n") { frame in "\(frame)," + each(coco) { triple($1, frame) } }),
      file(
        "CSV of several videos told apart by `video`", "a.csv",
        "video,frame," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
          + ["anna.mp4", "ben.mp4"].enumerated().map { clip, video in
            frames("\n") { frame in
              "\(video),\(frame)," + each(coco) { xy($1, frame, clip: clip) + ",0.9" }
            }
          }.joined(separator: "\n")
      ) { $0.clips = 2 },
      file(
        "CSV of two people told apart by `person`, one of whom stands still", "a.csv",
        "frame,person," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
          + frames("\n") { frame in
            "\(frame),1," + each(coco) { xy($1, 0) + ",0.95" } + "\n\(frame),2," + each(coco) { triple($1, frame) }
          }
      ) { $0.words = ["the subject is number 2, who moves"] },
      file(
        "CSV with `;` and decimal commas, times as `0:00:01:04`", "a.csv",
        "Time;" + each(coco, ";") { "\($1) X;\($1) Y" } + "\n"
          + frames("\n") { frame in
            "0:00:\(String(format: "%02d", frame / 25)):\(String(format: "%02d", frame % 25 * 4));"
              + each(coco, ";") { xy($1, frame).replacing(",", with: ";").replacing(".", with: ",") }
          }
      ) {
        $0.fps = 25
        $0.confidence = nil
      },
      file(
        "CSV whose times are whole seconds", "a.csv",
        "time," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
          + frames("\n") { frame in "\(frame / 15)," + each(coco) { triple($1, frame) } }
      ) {
        $0.fps = 15
        $0.words = ["frames are spread evenly, 15 a second"]
      },
      file(
        "CSV with each frame twice", "a.csv",
        "time," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
          + frames("\n") { frame in
            let row = "\(Double(frame) / 25)," + each(coco) { triple($1, frame) }
            return row + "\n" + row
          }
      ) {
        $0.fps = 25
        $0.words = ["60 duplicate frames"]
      },
    ]

  // MARK: Headers

  static func row(_ frame: Int) -> String { each(coco) { triple($1, frame) } }

  static let header = each(coco) { "\($1)_x,\($1)_y,\($1)_c" }

  /// DeepLabCut's rows above two individuals' numbers.
  static let individuals: String = {
    let two = coco + coco
    let names = (0..<two.count).map { $0 < coco.count ? "one,one,one" : "two,two,two" }
    return [
      "scorer," + each(two) { _, _ in "net,net,net" }, "individuals," + names.joined(separator: ","),
      "bodyparts," + each(two) { "\($1),\($1),\($1)" }, "coords," + each(two) { _, _ in "x,y,likelihood" }, "",
    ].joined(separator: "\n")
  }()

  /// The bones of ARKit, each with the joint where it begins.
  static let bones = [
    ("hips_joint", "root"), ("left_upLeg_joint", "left_hip"), ("left_leg_joint", "left_knee"),
    ("left_foot_joint", "left_ankle"), ("right_upLeg_joint", "right_hip"), ("right_leg_joint", "right_knee"),
    ("right_foot_joint", "right_ankle"), ("neck_1_joint", "neck"), ("left_shoulder_1_joint", "neck"),
    ("left_arm_joint", "left_shoulder"), ("left_forearm_joint", "left_elbow"), ("left_hand_joint", "left_wrist"),
    ("right_shoulder_1_joint", "neck"), ("right_arm_joint", "right_shoulder"), ("right_forearm_joint", "right_elbow"),
    ("right_hand_joint", "right_wrist"),
  ]

  static let headers: [EstimatorLayout] = [
    file(
      "CSV `0_nose_x, 1_left_eye_x, …`", "a.csv",
      coco.enumerated().map { "\($0)_\($1)_x,\($0)_\($1)_y,\($0)_\($1)_c" }.joined(separator: ",") + "\n"
        + frames("\n", row)),
    file(
      "CSV `hipLx, hipLy, hipRx, …`", "a.csv",
      each(coco) { _, name in
        let own = spelt(name, { part, side in part + (side.map { $0.prefix(1).uppercased() } ?? "") }, "")
        return "\(own)x,\(own)y"
      } + "\n" + frames("\n") { frame in each(coco) { xy($1, frame) } }
    ) { $0.confidence = nil },
    file(
      "CSV `joint,x,y,c` of a frame's joints after those of the one before", "a.csv",
      "joint,x,y,c\n" + frames("\n") { frame in each(coco, "\n") { "\($1),\(triple($1, frame))" } }),
    EstimatorLayout(
      name: "CSV `joint,x,y,c`, a file a frame: `frame_0000.csv`",
      files: (0..<LayoutPerson.frames).map { frame in
        let text = "joint,x,y,c\n" + each(coco, "\n") { "\($1),\(triple($1, frame))" }
        return ("frame_\(String(format: "%04d", frame)).csv", Data(text.utf8))
      }),
    EstimatorLayout(
      name: "`.npy` of 17 x 3, a file a frame: `0000.npy`",
      files: (0..<LayoutPerson.frames).map { frame in
        let values = coco.flatMap { name -> [Float] in
          let place = pixels(name, frame)
          return [Float(place.x), Float(place.y), 0.9]
        }
        return ("\(String(format: "%04d", frame)).npy", NumpyArray(shape: [17, 3], values: values).encoded)
      }),
    file(
      "CSV `nose_u, nose_v, …` of pixels", "a.csv",
      each(coco) { "\($1)_u,\($1)_v" } + "\n" + frames("\n") { frame in each(coco) { xy($1, frame) } }
    ) { $0.confidence = nil },
    file(
      "CSV of ARKit's bones, y up: `left_arm_joint_x` is the shoulder", "a.csv",
      bones.map { "\($0.0)_x,\($0.0)_y" }.joined(separator: ",") + "\n"
        + frames("\n") { frame in
          bones.map { "\(text(pixels($0.1, frame).x)),\(text(1920 - pixels($0.1, frame).y))" }.joined(separator: ",")
        }
    ) {
      $0.confidence = nil
      $0.words = ["not used: left_shoulder_1_joint, right_shoulder_1_joint"]
    },
    file(
      "CSV of two people side by side: `p1_nose_x, …, p2_nose_x, …`, one stands still", "a.csv",
      (1...2).map { person in each(coco) { "p\(person)_\($1)_x,p\(person)_\($1)_y,p\(person)_\($1)_c" } }
        .joined(separator: ",") + "\n" + frames("\n") { frame in row(0) + "," + row(frame) }
    ) { $0.words = ["the subject is number 2, who moves"] },
    file(
      "CSV of DeepLabCut with individuals, one stands still", "a.csv",
      individuals + frames("\n") { frame in "\(frame)," + row(0) + "," + row(frame) }
    ) { $0.words = ["the subject is number 2, who moves"] },
    file(
      "CSV of two people under each frame's number, without their own, one stands still", "a.csv",
      "frame," + header + "\n"
        + frames("\n") { frame in
          "\(frame),"
            + each(coco) { _, name in "\(text(pixels(name, 0).x + 500)),\(text(pixels(name, 0).y)),0.95" }
            + "\n\(frame),\(row(frame))"
        }
    ) { $0.words = ["up to 2 people in a frame"] },
    file(
      "CSV of recordings told apart by `subject` and `trial`", "a.csv",
      "subject,trial,frame," + header + "\n"
        + ["anna", "ben"].enumerated().map { clip, name in
          frames("\n") { frame in
            "\(name),1,\(frame)," + each(coco) { xy($1, frame, clip: clip) + ",0.9" }
          }
        }.joined(separator: "\n")
    ) { $0.clips = 2 },
    file(
      "CSV with a row of units below the header", "a.csv",
      header + "\n" + each(coco) { _, _ in "px,px,-" } + "\n" + frames("\n", row)),
    file(
      "CSV with lines of facts before the header", "a.csv",
      "Video,squat.mp4\nFPS,25\n\n" + header + "\n" + frames("\n", row)
    ) {
      $0.fps = 25
      $0.words = ["2 lines of comments before the header"]
    },
    file("CSV whose rows end with a comma", "a.csv", header + "\n" + frames("\n") { row($0) + "," }),
    file(
      "CSV of Excel, with `sep=;` and decimal commas", "a.csv",
      "sep=;\r\n" + header.replacing(",", with: ";") + "\r\n"
        + frames("\r\n") { row($0).replacing(",", with: ";").replacing(".", with: ",") }),
  ]

  // MARK: Headers of other tools

  static func tabs(_ text: String) -> String { text.replacing(",", with: "\t") }

  static let tablesOfTools: [EstimatorLayout] = [
    file(
      "CSV with a column a frame: `,0,1,2 …`, rows `nose_x`, `nose_y`, `nose_c`", "a.csv",
      "," + frames { "\($0)" } + "\n"
        + each(coco, "\n") { _, name in
          "\(name)_x," + frames { text(pixels(name, $0).x) } + "\n\(name)_y," + frames { text(pixels(name, $0).y) }
            + "\n\(name)_c," + frames { _ in "0.9" }
        }),
    file(
      "CSV with a column a frame: `joint,coord,frame_0,frame_1 …`", "a.csv",
      "joint,coord," + frames { "frame_\($0)" } + "\n"
        + each(coco, "\n") { _, name in
          "\(name),x," + frames { text(pixels(name, $0).x) } + "\n\(name),y," + frames { text(pixels(name, $0).y) }
        }
    ) { $0.confidence = nil },
    file(
      "TSV of Qualisys: `MARKER_NAMES nose left_eye …` above numbers", "a.tsv",
      "NO_OF_FRAMES\t60\nFREQUENCY\t25\nTIME_STAMP\t2025-03-13, 12:00:00\nDATA_INCLUDED\t2D\nMARKER_NAMES\t"
        + each(coco, "\t") { $1 } + "\n" + frames("\n") { frame in tabs(each(coco) { xy($1, frame) }) }
    ) {
      $0.fps = 25
      $0.confidence = nil
      $0.words = ["lines of comments before the header"]
    },
    file(
      "CSV of Vicon: a rate, names above `X,Y`, units below", "a.csv",
      "Trajectories\n25\n,," + each(coco) { "anna:\($1)," } + "\nFrame,Sub Frame," + each(coco) { _, _ in "X,Y" }
        + "\n,," + each(coco) { _, _ in "mm,mm" } + "\n"
        + frames("\n") { frame in "\(frame + 1),0," + each(coco) { xy($1, frame) } }
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "text of Visual3D: five rows of a file, names, kinds and `X Y` between tabs", "a.txt", visual3D
    ) { $0.confidence = nil },
    file(
      "CSV of pandas with two header rows and the index's name in a third", "a.csv",
      "keypoint," + each(coco) { "\($1),\($1),\($1)" } + "\ncoord," + each(coco) { _, _ in "x,y,conf" } + "\nframe"
        + each(coco, "") { _, _ in ",,," } + "\n" + frames("\n") { frame in "\(frame)," + row(frame) }),
    file(
      "CSV of DeepLabCut's labels, with three columns of a frame: `labeled-data,a,img0000.png`", "a.csv",
      "scorer,,," + each(coco) { _, _ in "me,me" } + "\nbodyparts,,," + each(coco) { "\($1),\($1)" } + "\ncoords,,,"
        + each(coco) { _, _ in "x,y" } + "\n"
        + frames("\n") { frame in
          "labeled-data,a,img\(String(format: "%04d", frame)).png," + each(coco) { xy($1, frame) }
        }
    ) { $0.confidence = nil },
    file(
      "OpenSim's `.sto` of vectors: `time nose left_eye …`, each `x,y,z`", "a.sto",
      "Markers\nversion=3\nDataType=Vec3\nendheader\ntime\t" + each(coco, "\t") { $1 } + "\n"
        + frames("\n") { frame in
          "\(text(Double(frame) / 25))\t" + each(coco, "\t") { xy($1, frame) + ",0.0" }
        }
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "CSV of 34 columns without names, all x before all y", "a.csv",
      frames("\n") { frame in
        each(coco) { text(pixels($1, frame).x) } + "," + each(coco) { text(pixels($1, frame).y) }
      }
    ) { $0.confidence = nil },
    file(
      "CSV separated by `|`", "a.csv",
      header.replacing(",", with: "|") + "\n" + frames("\n") { row($0).replacing(",", with: "|") }),
    file(
      "CSV with spaces after commas, before quotation marks", "a.csv",
      each(coco, ", ") { "\"\($1)_x\", \"\($1)_y\"" } + "\n"
        + frames("\n") { frame in each(coco, ", ") { xy($1, frame).replacing(",", with: ", ") } }
    ) { $0.confidence = nil },
    file(
      "CSV of NumPy's savetxt, its header a comment: `# time,nose_x, …`", "a.csv",
      "# time," + header + "\n"
        + frames("\n") { frame in text(Double(frame) / 25) + "," + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with names in German: `linke Schulter_x`", "a.csv",
      "Zeit [ms]," + german.map { "\($0.0)_x,\($0.0)_y" }.joined(separator: ",") + "\n"
        + frames("\n") { frame in
          "\(frame * 40)," + german.map { xy($0.1, frame) }.joined(separator: ",")
        }
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
  ]

  static let visual3D: String = {
    let words = ["a.c3d", nil, "LINK_MODEL_BASED", "ORIGINAL"]
    var rows = words.map { word in "," + each(coco) { "\(word ?? $1),\(word ?? $1)" } }
    rows.append("ITEM," + each(coco) { _, _ in "X,Y" })
    rows += (0..<LayoutPerson.frames).map { frame in "\(frame + 1)," + each(coco) { xy($1, frame) } }
    return tabs(rows.joined(separator: "\n"))
  }()

  static let german = [
    ("Nase", "nose"), ("linke Schulter", "left_shoulder"), ("rechte Schulter", "right_shoulder"),
    ("linker Ellbogen", "left_elbow"), ("rechter Ellbogen", "right_elbow"), ("linkes Handgelenk", "left_wrist"),
    ("rechtes Handgelenk", "right_wrist"), ("linke Hüfte", "left_hip"), ("rechte Hüfte", "right_hip"),
    ("linkes Knie", "left_knee"), ("rechtes Knie", "right_knee"), ("linker Knöchel", "left_ankle"),
    ("rechter Knöchel", "right_ankle"),
  ]

  // MARK: Words, commas and joined files

  static let wordsAndCommas: [EstimatorLayout] = [
    file(
      "CSV with confidences as `True`", "a.csv",
      wide(coco, { ["\($0)_x", "\($0)_y", "\($0)_visible"] }, confidence: "True")
    ) { $0.confidence = 1 },
    file(
      "CSV with decimal commas in quotation marks", "a.csv",
      header + "\n"
        + frames("\n") { frame in
          row(frame).split(separator: ",").map { "\"\($0.replacing(".", with: ","))\"" }.joined(separator: ",")
        }),
    file(
      "CSV of two recordings, each below the header", "a.csv",
      (0..<2).map { clip in
        "frame,\(header)\n" + frames("\n") { frame in "\(frame)," + each(coco) { xy($1, frame, clip: clip) + ",0.9" } }
      }.joined(separator: "\n")
    ) {
      $0.clips = 2
      $0.words = ["another recording begins there"]
    },
    file(
      "CSV `frame,variable,value`, such as `0,nose_x,518.4`", "a.csv",
      "frame,variable,value\n"
        + frames("\n") { frame in
          each(coco, "\n") { _, name in
            let place = pixels(name, frame)
            return "\(frame),\(name)_x,\(text(place.x))\n\(frame),\(name)_y,\(text(place.y))\n\(frame),\(name)_conf,0.9"
          }
        }),
    EstimatorLayout(
      name: "text of 51 numbers, a file a frame: `0000.txt`",
      files: (0..<LayoutPerson.frames).map { frame in
        ("\(String(format: "%04d", frame)).txt", Data(row(frame).replacing(",", with: " ").utf8))
      }),
  ]
}
