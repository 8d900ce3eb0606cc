import Datasets
import Files
import Foundation
import Importers
import PoseModel

/// Someone who squats, seen obliquely, in image heights of a film of 1080 x 1920.
enum LayoutPerson {
  static let frames = 60

  static func place(_ joint: Joint, _ frame: Int, clip: Int = 0) -> SIMD2<Float> {
    let depth = 0.5 - 0.5 * Float(cos(2 * Double.pi * Double(frame) / (20 + 10 * Double(clip))))
    let down = 0.09 * depth
    func at(_ x: Float, _ y: Float) -> SIMD2<Float> { SIMD2(0.25 + x, y) }
    let side: Float = "\(joint)".hasPrefix("left") ? 1 : -1
    switch joint {
    case .nose: return at(0.02, 0.2 + down)
    case .leftEye, .rightEye: return at(0.015 + 0.01 * side, 0.19 + down)
    case .leftEar, .rightEar: return at(0.02 * side, 0.195 + down)
    case .neck: return (place(.leftShoulder, frame, clip: clip) + place(.rightShoulder, frame, clip: clip)) / 2
    case .leftShoulder, .rightShoulder: return at(0.05 * side, 0.26 + down)
    case .leftElbow, .rightElbow: return at(0.06 * side + 0.05 * depth, 0.35 + down - 0.03 * depth)
    case .leftWrist, .rightWrist: return at(0.06 * side + 0.11 * depth, 0.42 + down - 0.08 * depth)
    case .root: return (place(.leftHip, frame, clip: clip) + place(.rightHip, frame, clip: clip)) / 2
    case .leftHip, .rightHip: return at(0.03 * side - 0.03 * depth, 0.41 + down)
    case .leftKnee, .rightKnee: return at(0.035 * side + 0.05 * depth, 0.535 + 0.035 * depth)
    case .leftAnkle, .rightAnkle: return at(0.03 * side, 0.665)
    case .leftHeel, .rightHeel: return at(0.03 * side - 0.01, 0.68)
    case .leftToe, .rightToe: return at(0.03 * side + 0.03, 0.685)
    }
  }
}

/// A way to write the keypoints of an estimator.
struct EstimatorLayout {
  var name: String
  var files: [(String, Data)]
  var clips = 1
  var frames = LayoutPerson.frames
  var fps = 30.0
  var confidence: Float? = 0.9
  /// What import must say.
  var words: [String] = []

  var isTold: String {
    words.isEmpty ? "nothing" : words.map { "“\($0) …”" }.joined(separator: ", ")
  }

  /// Joints that every skeleton here has.
  static let compared: [Joint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee,
    .rightKnee, .leftAnkle, .rightAnkle,
  ]

  // MARK: Numbers

  static let coco = Skeleton.coco17.keypoints
  static let openPose = Skeleton.openPose18.keypoints
  static let body25 = Skeleton.body25.keypoints
  static let human36m = [
    "root", "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "spine", "neck", "nose",
    "head", "left_shoulder", "left_elbow", "left_wrist", "right_shoulder", "right_elbow", "right_wrist",
  ]

  /// x and y in pixels.
  static func pixels(_ name: String, _ frame: Int, clip: Int = 0) -> (x: Double, y: Double) {
    let place: SIMD2<Float>
    switch name {
    case "spine", "chest":
      place = (LayoutPerson.place(.neck, frame, clip: clip) + LayoutPerson.place(.root, frame, clip: clip)) / 2
    case "head": place = LayoutPerson.place(.nose, frame, clip: clip) - SIMD2(0.01, 0.04)
    case let name where name.hasSuffix("small_toe"):
      place = LayoutPerson.place(name.hasPrefix("left") ? .leftToe : .rightToe, frame, clip: clip)
    default: place = Joint(name: name).map { LayoutPerson.place($0, frame, clip: clip) } ?? SIMD2(0.25, 0.2)
    }
    return (Double(place.x) * 1920, Double(place.y) * 1920)
  }

  static func text(_ number: Double) -> String { String(format: "%.4f", number) }

  /// `x,y` in pixels.
  static func xy(_ name: String, _ frame: Int, clip: Int = 0) -> String {
    let place = pixels(name, frame, clip: clip)
    return "\(text(place.x)),\(text(place.y))"
  }

  static func shares(_ name: String, _ frame: Int) -> (x: String, y: String) {
    let place = pixels(name, frame)
    return (String(format: "%.6f", place.x / 1080), String(format: "%.6f", place.y / 1920))
  }

  static func frames(_ separator: String = ",", _ body: (Int) -> String) -> String {
    (0..<LayoutPerson.frames).map(body).joined(separator: separator)
  }

  static func each(_ names: [String], _ separator: String = ",", _ body: (Int, String) -> String) -> String {
    names.enumerated().map(body).joined(separator: separator)
  }

  static func file(
    _ name: String, _ file: String, _ text: String, _ change: (inout EstimatorLayout) -> Void = { _ in }
  ) -> EstimatorLayout {
    var layout = EstimatorLayout(name: name, files: [(file, Data(text.utf8))])
    change(&layout)
    return layout
  }

  static func array(
    _ name: String, _ shape: [Int], _ values: [Float], _ change: (inout EstimatorLayout) -> Void = { _ in }
  ) -> EstimatorLayout {
    var layout = EstimatorLayout(name: name, files: [("a.npy", NumpyArray(shape: shape, values: values).encoded)])
    change(&layout)
    return layout
  }

  static let all: [EstimatorLayout] =
    objects + lists + tables + arrays + doubtful + containers + headers + clocksAndNumbers
    + wordsAndCommas + orders + records + tablesOfTools + furtherTimes + groups + furtherArrays
    + labellingTools + clocksOfNames + furtherOrders + furtherFields + tools + encodings

  /// A text in blocks that gzip stores as they are.
  static func packed(_ name: String, _ file: String, _ text: String) -> EstimatorLayout {
    let bytes = Array(text.utf8)
    func little(_ number: UInt32, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
      let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
      let size = UInt32(block.count)
      packed += [block.endIndex == bytes.count ? 1 : 0] + little(size, 2) + little(~size, 2) + block
    }
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    packed += little(~sum, 4) + little(UInt32(bytes.count), 4)
    return EstimatorLayout(name: name, files: [(file, Data(packed))])
  }

  static func integers(_ name: String) -> EstimatorLayout {
    let header = "{'descr': '>i4', 'fortran_order': True, 'shape': (\(LayoutPerson.frames), 17, 2), }\n"
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
    for axis in 0..<2 {
      for name in coco {
        for frame in 0..<LayoutPerson.frames {
          let place = pixels(name, frame)
          let number = UInt32((axis == 0 ? place.x : place.y).rounded())
          bytes += (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xFF) }
        }
      }
    }
    var layout = EstimatorLayout(name: name, files: [("a.npy", Data(bytes))])
    layout.confidence = nil
    return layout
  }

  /// x, y and z of joints: shins and thighs of 0.42, a trunk of 0.5, arms of 0.28 and 0.25, all towards or away from the
  /// camera.
  static let inSpace: String = {
    let joints = ["shoulder", "elbow", "wrist", "hip", "knee", "ankle"]
    let sides = [("left", 1.0), ("right", -1.0)]
    let header = sides.flatMap { side, _ in
      joints.flatMap { joint in ["x", "y", "z"].map { "\(side)_\(joint)_\($0)" } }
    }
    let rows = frames("\n") { frame in
      let lean = 0.5 - 0.4 * cos(2 * Double.pi * Double(frame) / 30)
      let knee = (y: 0.1 + 0.42 * cos(lean), z: 2 - 0.42 * sin(lean))
      let hip = (y: knee.y + 0.42 * cos(1.2 * lean), z: knee.z + 0.42 * sin(1.2 * lean))
      let shoulder = (y: hip.y + 0.5 * cos(lean), z: hip.z - 0.5 * sin(lean))
      let elbow = (y: shoulder.y - 0.28 * cos(lean), z: shoulder.z - 0.28 * sin(lean))
      let wrist = (y: elbow.y - 0.25 * cos(1.3 * lean), z: elbow.z - 0.25 * sin(1.3 * lean))
      return sides.map { _, side in
        [(0.17, shoulder), (0.2, elbow), (0.2, wrist), (0.1, hip), (0.1, knee), (0.1, (y: 0.1, z: 2.0))]
          .map { "\(text($0 * side)),\(text($1.y)),\(text($1.z))" }.joined(separator: ",")
      }.joined(separator: ",")
    }
    return header.joined(separator: ",") + "\n" + rows
  }()

  /// Frames 10 to 29 and 30 to 49 are in reps, and the first 30 are labelled down.
  static let labelled =
    "rep,phase," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
    + frames("\n") { frame in
      "\(frame < 10 || frame >= 50 ? 0 : frame < 30 ? 1 : 2),\(frame < 30 ? "down" : "up"),"
        + each(coco) { triple($1, frame) }
    }
}
