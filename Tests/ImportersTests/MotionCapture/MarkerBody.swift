import Datasets
import Foundation
import Importers
import PoseModel
import Testing

/// Somebody who stands and looks along x, left being y, up z, with the markers of Plug-in Gait, in millimetres.
enum MarkerBody {
  static let left: [String: SIMD3<Double>] = [
    "ASI": SIMD3(100, 120, 1000), "PSI": SIMD3(-100, 50, 1000), "SHO": SIMD3(0, 200, 1500),
    "ELB": SIMD3(150, 260, 1250),
    "WRA": SIMD3(300, 250, 1100), "WRB": SIMD3(300, 210, 1140), "THI": SIMD3(42.1, 230, 700),
    "KNE": SIMD3(60, 150, 500),
    "TIB": SIMD3(60, 200, 300), "ANK": SIMD3(50, 130, 90), "HEE": SIMD3(-50, 130, 40), "TOE": SIMD3(200, 130, 40),
    "FHD": SIMD3(80, 70, 1700), "BHD": SIMD3(-80, 70, 1700),
  ]

  static let markers: [(name: String, place: SIMD3<Double>)] =
    [
      ("C7", SIMD3(-50, 0, 1500)), ("CLAV", SIMD3(50, 0, 1500)), ("T10", SIMD3(-50, 0, 1300)),
      ("STRN", SIMD3(50, 0, 1300)),
    ]
    + left.sorted { $0.key < $1.key }.flatMap { name, place in
      [("L" + name, place), ("R" + name, place * SIMD3(1, -1, 1))]
    }

  /// Where the rules of `JointCentres` put joints, in metres: forwards, up, left. Pelvis 240 mm wide and 200 deep: the hips
  /// lie 0.24 x 200 + 9.9 behind, 0.30 x 240 + 10.9 below and 0.33 x 240 + 7.3 beside the middle of the ASIS. Shoulders 400
  /// mm apart lie 0.17 x 400 below their markers.
  static let joints: [(name: String, place: SIMD3<Double>)] = [
    ("left_hip", SIMD3(0.0421, 0.9171, 0.0865)), ("right_hip", SIMD3(0.0421, 0.9171, -0.0865)),
    ("left_shoulder", SIMD3(0, 1.432, 0.2)), ("right_shoulder", SIMD3(0, 1.432, -0.2)),
    ("left_wrist", SIMD3(0.3, 1.12, 0.23)), ("right_elbow", SIMD3(0.15, 1.25, -0.26)), ("head", SIMD3(0, 1.7, 0)),
    ("left_heel", SIMD3(-0.05, 0.04, 0.13)), ("right_toe", SIMD3(0.2, 0.04, -0.13)),
  ]

  /// Expects all of them in a frame.
  static func expectJoints(_ clip: Clip, frame: Int = 0, tolerance: Double = 1e-6) throws {
    for (name, place) in joints {
      let found = try clip.place(name, frame: frame)
      #expect((found - place).length < tolerance, "\(name) \(found)")
    }
  }
}

extension ImportOptions {
  static func capture(
    _ exercise: String = "squat", subject: String? = nil, fps: Double? = nil, mapping: String? = nil,
    up: WorldAxis? = nil
  ) -> ImportOptions {
    var options = ImportOptions()
    options.exercise = exercise
    options.subject = subject
    options.fps = fps
    options.mapping = mapping
    options.up = up
    return options
  }
}

extension Clip {
  /// A joint's place in a frame, in metres.
  func place(_ joint: String, frame: Int = 0) throws -> SIMD3<Double> {
    let keypoints = try #require(keypoints)
    let index = try #require(Skeleton.motionCapture.keypoints.firstIndex(of: joint))
    let values = [Channel.x, .y, .z].map { Double(keypoints.values(index, $0)[frame]) }
    return SIMD3(values[0], values[1], values[2])
  }

  /// The interior angle at a joint in degrees.
  func angle(_ a: String, _ b: String, _ c: String, frame: Int) throws -> Double {
    let (u, v) = (
      try place(a, frame: frame) - place(b, frame: frame), try place(c, frame: frame) - place(b, frame: frame)
    )
    return acos(u.dot(v) / u.length / v.length) * 180 / .pi
  }
}
