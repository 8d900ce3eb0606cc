import Foundation
import PoseModel

/// Text in other encodings, JSON in other spellings, and numbers among others.
extension EstimatorLayout {
  static let encodings: [EstimatorLayout] = [
    encoded("CSV in UTF-16, as PowerShell writes it", "a.csv", spaced(","), .utf16),
    encoded(
      "CSV in Windows-1252, with semicolons, decimal commas and German names", "a.csv",
      germanRows.joined(separator: "\r\n"), .windowsCP1252
    ) { $0.fps = 25 },
    file("CSV whose lines end with CR alone", "a.csv", spaced(",").replacing("\n", with: "\r")),
    file("columns between spaces below a header", "a.txt", spaced("  ")),
    file(
      "JSON that was cut off within a frame", "a.json", "{\"frames\":[" + list + ",{\"frame\":60,\"keypoints\":[{\"na"
    ) {
      $0.words = ["the file ends within a frame, which is left out"]
    },
    file("JSON Lines whose last line was cut off", "a.jsonl", lines + "\n{\"frame\":60,\"keypoints\":[[540.1,38") {
      $0.words = ["the file ends within a frame, which is left out"]
    },
    file("JSON with a comma before its last bracket, in a script", "a.json", "var poses = [\(list),\n];\n"),
    file(
      "JSON of DynamoDB: `{\"x\": {\"N\": \"540.1\"}}`", "a.json",
      "{\"Items\":["
        + frames { frame in
          "{\"frame\":{\"N\":\"\(frame)\"},\"keypoints\":{\"L\":["
            + each(coco) { "{\"M\":{\"name\":{\"S\":\"\($1)\"},\(wrapped($1, frame, "N"))}}" } + "]}}"
        } + "]}"),
    file(
      "JSON of Firestore: `{\"x\": {\"doubleValue\": 540.1}}`", "a.json",
      "{\"documents\":["
        + frames { frame in
          "{\"fields\":{\"frame\":{\"integerValue\":\"\(frame)\"},\"keypoints\":{\"arrayValue\":{\"values\":["
            + each(coco) {
              "{\"mapValue\":{\"fields\":{\"name\":{\"stringValue\":\"\($1)\"},\(wrapped($1, frame, "doubleValue"))}}}"
            } + "]}}}}"
        } + "]}"),
    file(
      "JSON of MoveNet's model of several people: 56 numbers each, y before x", "a.json",
      "["
        + frames { frame in
          let people = (0..<6).map { person -> String in
            let start = (frame * 6 + person) * 56
            return "[" + severalPeople[start..<start + 56].map { text(Double($0)) }.joined(separator: ",") + "]"
          }
          return "{\"frame\":\(frame),\"output\":[\(people.joined(separator: ","))]}"
        } + "]"
    ) { $0.words = ["numbers are taken as y, x"] },
    file(
      "JSON of points with a score and a flag: `{\"score\": 0.9, \"visible\": true}`", "a.json",
      "[" + list.replacing("\"score\":0.9", with: "\"score\":0.9,\"visible\":true") + "]"),
    pose2Sim,
    file(
      "CSV of numbers of rows, joints and axes as R writes it: `\"\",frame,joint,axis,value`", "a.csv",
      "\"\",frame,joint,axis,value\n"
        + frames("\n") { frame in
          each(coco, "\n") { index, name in
            let place = pixels(name, frame)
            let row = (frame * 17 + index) * 3
            return "\(row + 1),\(frame),\(name),x,\(text(place.x))\n\(row + 2),\(frame),\(name),y,\(text(place.y))\n"
              + "\(row + 3),\(frame),\(name),likelihood,0.9"
          }
        }),
  ]

  private static func encoded(
    _ name: String, _ file: String, _ text: String, _ encoding: String.Encoding,
    _ change: (inout EstimatorLayout) -> Void = { _ in }
  ) -> EstimatorLayout {
    var layout = EstimatorLayout(name: name, files: [(file, text.data(using: encoding) ?? Data())])
    change(&layout)
    return layout
  }

  /// Two people, of whom one stands still beside the other.
  private static let pose2Sim: EstimatorLayout = {
    func person(_ frame: Int, aside: Double, _ confidence: String) -> String {
      let names =
        coco + ["head", "neck", "root", "left_toe", "right_toe", "left_small_toe", "right_small_toe", "left_heel"]
      let points = each(names + ["right_heel"]) {
        let place = pixels($1, frame)
        return "\(text(place.x + aside)),\(text(place.y)),\(confidence)"
      }
      return "{\"person_id\":[-1],\"pose_keypoints_2d\":[\(points)]}"
    }
    var layout = EstimatorLayout(
      name: "a file a frame in OpenPose's layout with 26 points, as Pose2Sim writes it, two people", files: [])
    layout.files = (0..<LayoutPerson.frames).map { frame in
      let people = "\(person(0, aside: 500, "0.95")),\(person(frame, aside: 0, "0.9"))"
      return (String(format: "a_%06d_keypoints.json", frame), Data("{\"people\":[\(people)]}".utf8))
    }
    layout.words = ["who moves"]
    return layout
  }()

  private static func spaced(_ separator: String) -> String {
    let names = ["frame"] + coco.flatMap { ["\($0)_x", "\($0)_y", "\($0)_c"] }
    return names.joined(separator: separator) + "\n"
      + frames("\n") { frame in
        "\(frame)\(separator)"
          + each(coco, separator) { xy($1, frame).replacing(",", with: separator) + "\(separator)0.9" }
      }
  }

  private static let germanRows: [String] = {
    let header = ["Zeit (s)"] + german.flatMap { ["\($0.0) X", "\($0.0) Y", "\($0.0) Konfidenz"] }
    let rows = (0..<LayoutPerson.frames).map { frame -> String in
      let numbers = german.flatMap { _, joint -> [String] in
        let place = pixels(joint, frame)
        return [text(place.x), text(place.y), "0.9"]
      }
      return ([String(format: "%.2f", Double(frame) / 25)] + numbers).joined(separator: ";").replacing(".", with: ",")
    }
    return [header.joined(separator: ";")] + rows
  }()

  private static let list = frames { frame in
    "{\"frame\":\(frame),\"keypoints\":["
      + each(coco) { _, name in
        let place = pixels(name, frame)
        return "{\"name\":\"\(name)\",\"x\":\(text(place.x)),\"y\":\(text(place.y)),\"score\":0.9}"
      } + "]}"
  }

  private static let lines = frames("\n") { frame in
    "{\"frame\":\(frame),\"keypoints\":[" + each(coco) { "[\(xy($1, frame)),0.9]" } + "]}"
  }

  private static func wrapped(_ name: String, _ frame: Int, _ type: String) -> String {
    let place = pixels(name, frame)
    func number(_ key: String, _ text: String) -> String {
      "\"\(key)\":{\"\(type)\":\(type == "N" ? "\"\(text)\"" : text)}"
    }
    return [number("x", text(place.x)), number("y", text(place.y)), number("score", "0.9")].joined(separator: ",")
  }
}
