import Foundation
import PoseModel

/// How frames are numbered and timed.
extension EstimatorLayout {
  // MARK: Times and numbers

  static let namedClocks: [(key: String, value: @Sendable (Int) -> String)] = [
    ("epoch_ms", { "\(1_741_867_200_000 + $0 * 40)" }), ("CAP_PROP_POS_MSEC", { "\($0 * 40).0" }),
    ("Time [s]", { "\(Double($0) / 25)" }),
    ("timestamp", { "13/03/2025 12:00:\(String(format: "%06.3f", Double($0) / 25))" }),
  ]

  static let clocksAndNumbers: [EstimatorLayout] =
    namedClocks.map { key, value in
      file(
        "CSV with times as `\(key)`: \(value(1))", "a.csv",
        "\(key)," + header + "\n" + frames("\n") { frame in value(frame) + "," + row(frame) }
      ) { $0.fps = 25 }
    }
    + [
      file(
        "CSV with confidences as `90%`", "a.csv",
        header + "\n" + frames("\n") { frame in each(coco) { xy($1, frame) + ",90%" } }
      ) { $0.words = ["read as percent"] },
      file(
        "CSV of every second frame of 60 a second", "a.csv",
        "frame,fps," + header + "\n" + frames("\n") { frame in "\(2 * frame),60," + row(frame) }
      ) { $0.words = ["frame numbers are 2 apart: 30 frames a second"] },
    ]

  // MARK: Further times

  static let ticking: [(key: String, value: @Sendable (Int) -> String, words: String?)] = [
    ("Ticks", { "\($0 * 400_000)" }, nil),
    ("RelativeTime", { "\($0 * 400_000)" }, "times are read as ticks of 100 ns, which gives 25 frames a second"),
    ("pts", { "\($0 * 3600)" }, "times are read as 90,000ths of a second, which gives 25 frames a second"),
  ]

  static let stamps: [(key: String, value: @Sendable (Int) -> String)] = [
    ("\"time\": {\"value\": 24, \"timescale\": 600}", { "\"time\":{\"value\":\($0 * 24),\"timescale\":600}" }),
    (
      "\"header\": {\"stamp\": {\"secs\": 1741867200, \"nsecs\": 40000000}}",
      { "\"header\":{\"seq\":\($0),\"stamp\":{\"secs\":\(1_741_867_200 + $0 / 25),\"nsecs\":\($0 % 25 * 40_000_000)}}" }
    ),
  ]

  static let furtherTimes: [EstimatorLayout] =
    ticking.map { key, value, words in
      file(
        "CSV with times as `\(key)`: \(value(1))", "a.csv",
        "\(key)," + header + "\n" + frames("\n") { frame in value(frame) + "," + row(frame) }
      ) {
        $0.fps = 25
        $0.words = words.map { [$0] } ?? []
      }
    }
    + stamps.map { key, value in
      file(
        "JSON `[{\(key), \"keypoints\"}]`", "a.json",
        "[" + frames { "{\(value($0)),\"keypoints\":\(points($0))}" } + "]"
      ) { $0.fps = 25 }
    }
    + [
      file(
        "JSON by time: `{\"40ms\": [{\"x\", \"y\", \"score\", \"name\"}], …}`", "a.json",
        "{" + frames { "\"\($0 * 40)ms\":\(points($0))" } + "}"
      ) { $0.fps = 25 },
      file(
        "JSON `{\"timestamps\": […], \"frames\": [[[x, y, c]]]}`", "a.json",
        "{\"timestamps\":[" + frames { "\(Double($0) / 25)" } + "],\"frames\":["
          + frames { frame in "[" + each(coco) { "[\(triple($1, frame))]" } + "]" } + "]}"
      ) { $0.fps = 25 },
      file(
        "JSON `{\"keypoints\": [[[x, y]]], \"scores\": [[…]]}`, a list of scores a frame", "a.json",
        "{\"keypoints\":[" + frames { frame in "[" + each(coco) { "[\(xy($1, frame))]" } + "]" } + "],\"scores\":["
          + frames { _ in "[" + each(coco) { _, _ in "0.9" } + "]" } + "]}"),
      file(
        "JSON of PYSKL, people before frames: `{\"keypoint\": [[[[x, y]]]], \"keypoint_score\": [[[…]]]}`", "a.json",
        "{\"total_frames\":60,\"keypoint\":[["
          + frames { frame in "[" + each(coco) { "[\(xy($1, frame))]" } + "]" } + "]],\"keypoint_score\":[["
          + frames { _ in "[" + each(coco) { _, _ in "0.9" } + "]" } + "]]}"),
    ]

  // MARK: Steps and clocks in names

  static let clocksOfNames: [EstimatorLayout] = [
    file(
      "CSV with the time since the frame before as `dt`: 0.04", "a.csv",
      "dt," + header + "\n" + frames("\n") { frame in "\(frame == 0 ? 0 : 0.04)," + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with times as `date`: 2025-03-13T12:00:00.040Z", "a.csv",
      "date," + header + "\n"
        + frames("\n") { frame in "2025-03-13T12:00:\(String(format: "%06.3f", Double(frame) / 25))Z," + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with times as `pts` of FFmpeg: 512", "a.csv",
      "pts," + header + "\n" + frames("\n") { frame in "\(frame * 512)," + row(frame) }
    ) { $0.words = ["times are not used: they grow by 512 a frame"] },
    file(
      "JSON of ZED by time in ns since 1970: `{\"1741867200040000000\": {\"body_list\": [{\"keypoint_2d\": [[x, y]], \"keypoint_confidence\": […]}]}}`",
      "a.json",
      "{"
        + frames { frame in
          "\"\(1_741_867_200_000_000_000 + frame * 40_000_000)\":{\"body_list\":[{\"keypoint_2d\":["
            + each(openPose) { "[\(xy($1, frame))]" } + "],\"keypoint_confidence\":["
            + each(openPose) { _, _ in "90" } + "]}]}"
        } + "}"
    ) {
      $0.fps = 25
      $0.words = ["read as percent"]
    },
    EstimatorLayout(
      name: "JSON, a file a frame called by ms since 1970: `1741867200040.json`",
      files: (0..<LayoutPerson.frames).map { frame in
        ("\(1_741_867_200_000 + frame * 40).json", Data("{\"keypoints\":\(points(frame))}".utf8))
      }, fps: 25),
  ]
}
