import Foundation
import PoseModel

/// Arrays and points without names, in the orders that people choose.
extension EstimatorLayout {
  // MARK: Arrays

  static func numbers(_ names: [String], _ channels: (Int, (x: Double, y: Double)) -> [Double]) -> [Float] {
    (0..<LayoutPerson.frames).flatMap { frame in
      names.enumerated().flatMap { index, name in channels(index, pixels(name, frame)).map(Float.init) }
    }
  }

  static let arrays: [EstimatorLayout] = [
    array(
      "`.npy` of frames x 17 x (x, y, confidence) in pixels", [LayoutPerson.frames, 17, 3],
      numbers(coco) { [$1.x, $1.y, 0.9] }),
    array(
      "`.npy` of frames x 25 x 3, OpenPose", [LayoutPerson.frames, 25, 3], numbers(body25) { [$1.x, $1.y, 0.9] }),
    array("`.npy` of frames x 51", [LayoutPerson.frames, 51], numbers(coco) { [$1.x, $1.y, 0.9] }),
    array(
      "`.npy` of Human3.6M's 17 joints, pixels", [LayoutPerson.frames, 17, 2], numbers(human36m) { [$1.x, $1.y] }
    ) {
      $0.confidence = nil
      $0.words = ["17 numbered points are read as human36m-17"]
    },
  ]

  // MARK: Further arrays

  static let furtherArrays: [EstimatorLayout] = [
    array(
      "`.npy` of 17 x frames x 2", [17, LayoutPerson.frames, 2],
      coco.flatMap { name in
        (0..<LayoutPerson.frames).flatMap { frame -> [Float] in
          let place = pixels(name, frame)
          return [Float(place.x), Float(place.y)]
        }
      }
    ) { $0.confidence = nil },
    array(
      "`.npy` of frames x 34, all x before all y", [LayoutPerson.frames, 34],
      (0..<LayoutPerson.frames).flatMap { frame in
        coco.map { Float(pixels($0, frame).x) } + coco.map { Float(pixels($0, frame).y) }
      }
    ) { $0.confidence = nil },
    array(
      "`.npy` of ST-GCN: 3 x frames x 17 x 2 people, one stands still", [3, LayoutPerson.frames, 17, 2],
      (0..<3).flatMap { channel in
        (0..<LayoutPerson.frames).flatMap { frame in
          coco.flatMap { name -> [Float] in
            let (still, place) = (pixels(name, 0), pixels(name, frame))
            switch channel {
            case 0: return [Float(still.x) + 500, Float(place.x)]
            case 1: return [Float(still.y), Float(place.y)]
            default: return [0.95, 0.9]
            }
          }
        }
      }
    ) { $0.words = ["up to 2 people in a frame"] },
  ]

  // MARK: Points without names

  static let mpi = [
    "head", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
    "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "chest",
  ]
  static let panoptic = [
    "neck", "nose", "root", "left_shoulder", "left_elbow", "left_wrist", "left_hip", "left_knee", "left_ankle",
    "right_shoulder", "right_elbow", "right_wrist", "right_hip", "right_knee", "right_ankle",
  ]

  static let orders: [EstimatorLayout] = [
    file(
      "CSV of a class and 51 columns without names", "a.csv",
      frames("\n") { frame in "0," + each(coco) { triple($1, frame) } }),
    file(
      "CSV of a time, a class and 51 columns without names", "a.csv",
      frames("\n") { frame in "\(text(Double(frame) / 25)),0," + each(coco) { triple($1, frame) } }
    ) { $0.fps = 25 },
    file(
      "CSV of 51 columns without names and a class", "a.csv",
      frames("\n") { frame in each(coco) { triple($1, frame) } + ",0" }),
    file(
      "CSV of a time, 51 columns without names and a class", "a.csv",
      frames("\n") { frame in "\(text(Double(frame) / 25))," + each(coco) { triple($1, frame) } + ",0" }
    ) { $0.fps = 25 },
    file(
      "JSON of OpenPose's MPI model in one file: a list of 45 numbers a frame", "a.json",
      "[" + frames { frame in "[" + each(mpi) { triple($1, frame) } + "]" } + "]"
    ) { $0.words = ["15 numbered points are read as openpose-15"] },
    file(
      "CSV `x0, y0, c0, …` of 15, OpenPose's MPI model", "a.csv",
      (0..<15).map { "x\($0),y\($0),c\($0)" }.joined(separator: ",") + "\n"
        + frames("\n") { frame in each(mpi) { triple($1, frame) } }
    ) { $0.words = ["15 numbered points are read as openpose-15"] },
    array(
      "`.npy` of frames x 15 x 3, CMU Panoptic", [LayoutPerson.frames, 15, 3], numbers(panoptic) { [$1.x, $1.y, 0.9] }
    ) { $0.words = ["15 numbered points are read as panoptic-15"] },
  ]

  // MARK: Further orders

  static func limbs(_ frame: Int) -> [String] {
    ["left", "right"].flatMap { side -> [String] in
      [("Arm", ["shoulder", "elbow", "wrist"]), ("Leg", ["hip", "knee", "ankle"])].map { limb, parts -> String in
        let points = each(parts) { _, part in "\"\(part)\":[\(xy("\(side)_\(part)", frame))]" }
        return "\"\(side)\(limb)\":{\(points)}"
      }
    }
  }

  static let severalPeople = (0..<LayoutPerson.frames).flatMap { frame -> [Float] in
    let points = coco.flatMap { name -> [Float] in
      let place = pixels(name, frame)
      return [Float(place.y / 1920), Float((place.x + 420) / 1920), 0.9]
    }
    return points + [0.1, 0.1, 0.9, 0.9, 0.95] + [Float](repeating: 0, count: 5 * 56)
  }

  static let furtherOrders: [EstimatorLayout] = [
    file(
      "JSON of people before frames: `{\"1\": {\"0\": {\"keypoints\": [x, y, c, …], \"scores\"}, …}, …}`, one stands still",
      "a.json",
      "{"
        + ["1", "2"].map { person in
          "\"\(person)\":{"
            + frames { frame in
              "\"\(frame)\":{\"keypoints\":[" + each(coco) { triple($1, person == "1" ? 0 : frame) }
                + "],\"scores\":0.9}"
            } + "}"
        }.joined(separator: ",") + "}"
    ) { $0.words = ["the subject is number 2, who moves"] },
    file(
      "JSON `[{\"neck\": [x, y], \"face\": {\"nose\": [x, y]}, \"leftArm\": {\"elbow\": [x, y], …}, …}]`", "a.json",
      "["
        + frames { frame in
          "{\"neck\":[\(xy("neck", frame))],\"face\":{\"nose\":[\(xy("nose", frame))]},"
            + limbs(frame).joined(separator: ",") + "}"
        } + "]"
    ) { $0.confidence = nil },
    file(
      "JSON of Kinetics: `{\"data\": [{\"skeleton\": [{\"pose\": [x, y, …], \"score\": […]}]}]}`", "a.json",
      "{\"data\":["
        + frames { frame in
          "{\"frame_index\":\(frame + 1),\"skeleton\":[{\"pose\":[" + each(openPose) { xy($1, frame) } + "],\"score\":["
            + each(openPose) { _, _ in "0.9" } + "]}]}"
        } + "],\"label\":\"squat\"}"),
    file(
      "CSV with hands before wrists", "a.csv",
      wide(["left_hand", "right_hand"] + coco + ["left_heel", "right_heel"], { ["\($0)_x", "\($0)_y", "\($0)_c"] })
    ) { $0.words = ["not used: left_hand, right_hand"] },
    file(
      "CSV `VNHumanBodyPoseObservationJointNameNose_x, …`", "a.csv",
      wide(
        coco,
        { name in
          let own = camel("x_\(name)").dropFirst()
          return ["x", "y", "c"].map { "VNHumanBodyPoseObservationJointName\(own)_\($0)" }
        })),
    file(
      "CSV of a frame, a person, a confidence, a box and 51 columns without names", "a.csv",
      frames("\n") { frame in "\(frame),1,0.9,300.5,200.5,700.5,1500.5," + row(frame) }),
    array(
      "`.npy` of 17 x 3 x frames", [17, 3, LayoutPerson.frames],
      coco.flatMap { name in
        (0..<3).flatMap { channel in
          (0..<LayoutPerson.frames).map { frame -> Float in
            let place = pixels(name, frame)
            return channel == 2 ? 0.9 : Float(channel == 0 ? place.x : place.y)
          }
        }
      }),
    array(
      "`.npy` of MM-Fit: 2 x frames x 19, the frame's number before 18 points", [2, LayoutPerson.frames, 19],
      (0..<2).flatMap { channel in
        (0..<LayoutPerson.frames).flatMap { frame -> [Float] in
          [Float(frame + 100)] + openPose.map { Float(channel == 0 ? pixels($0, frame).x : pixels($0, frame).y) }
        }
      }
    ) { $0.confidence = nil },
    array(
      "`.npy` of MoveNet for several people: frames x 6 x 56, with a box after the points",
      [LayoutPerson.frames, 6, 56],
      severalPeople
    ) { $0.words = ["numbers are taken as y, x"] },
  ]
}
