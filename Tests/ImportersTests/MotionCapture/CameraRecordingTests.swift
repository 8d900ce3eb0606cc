import Datasets
import Importers
import PoseModel
import Simulation
import TestSupport
import Testing

/// A squat by motion capture as cameras see it, next to what numpy makes of the file's own markers.
struct CameraRecordingTests {
  static let views: [(camera: String, seen: [(frame: Int, joint: String, x: Double, y: Double)])] = [
    (
      "front",
      [
        (0, "left_wrist", 1106.8996, 433.8346), (600, "right_knee", 845.3242, 697.5206),
        (1345, "left_shoulder", 1049.7352, 128.4733), (700, "right_toe", 814.5992, 961.6646),
      ]
    ),
    (
      "side",
      [
        (0, "left_wrist", 960.3462, 434.364), (600, "right_knee", 986.0089, 671.1909),
        (1345, "left_shoulder", 1021.3027, 126.4364), (700, "right_toe", 978.2707, 881.2384),
      ]
    ),
    (
      "-40,20,70",
      [
        (0, "left_wrist", 1050.4476, 433.5731), (600, "right_knee", 866.2611, 683.3614),
        (1345, "left_shoulder", 987.9479, 140.2214), (700, "right_toe", 858.8839, 879.1688),
      ]
    ),
  ]

  @Test(arguments: views)
  func projectionsAreThoseOfNumpy(_ camera: String, _ seen: [(frame: Int, joint: String, x: Double, y: Double)]) throws
  {
    guard let path = Shared.recordings("formats/trc") else { return }
    let file = path + "/data_grf_Subject4_MarkerData_squats1.trc"
    let base = try #require(try TRC.datasets(from: file, options: .capture()).first)
    let keypoints = try #require(try view(base, camera).keypoints)
    for (frame, joint, x, y) in seen {
      let index = try #require(Skeleton.motionCapture.keypoints.firstIndex(of: joint))
      let place = (Double(keypoints.values(index, .x)[frame]), Double(keypoints.values(index, .y)[frame]))
      #expect(abs(place.0 - x) < 0.02 && abs(place.1 - y) < 0.02, "\(camera) \(joint) \(place)")
    }
  }

  private func view(_ source: some DatasetSource, _ camera: String) throws -> Clip {
    try CameraSource(source, camera: #require(VirtualCamera(camera))).clip(0)
  }
}
