import Files
import PoseModel

/// A frame of BlazePose's landmarks as a file has it.
struct LandmarkFrame {
  static let count = Skeleton.blazePose33.keypoints.count
  /// x, y, z and visibility.
  static let width = count * 4

  /// Its number in the file, if it has one.
  var number: Int?
  /// Its time in `timeUnit`, if it has one.
  var time: Double?
  /// `nil` if the name has no unit: the steps between frames then show it.
  var timeUnit: TimeUnit?
  /// x, y, z and visibility of each landmark, a list per person; NaN if missing.
  var people: [[Float]] = []
}

/// The unit of a file's times.
enum TimeUnit: Double {
  case seconds = 1e6
  case milliseconds = 1e3
  case microseconds = 1
  case nanoseconds = 1e-3

  /// The unit in which these consecutive times give 1 to 1000 frames a second.
  init(of times: [Double]) {
    let steps = zip(times, times.dropFirst()).map { abs($1 - $0) }.filter { $0 > 0 }.sorted()
    let step = steps.isEmpty ? 0 : steps[steps.count / 2]
    self = step <= 1 ? .seconds : step <= 1000 ? .milliseconds : step <= 1e6 ? .microseconds : .nanoseconds
  }

  /// A time in whole microseconds; `nil` beyond 30,000 years.
  func microseconds(_ time: Double) -> Int? {
    let time = (time * rawValue).rounded()
    return abs(time) <= 1e18 ? Int(time) : nil
  }
}

/// The meanings of keys and columns next to the landmarks, in any spelling.
enum FrameKey {
  case number
  /// `nil` if the name does not say the unit.
  case time(TimeUnit?)
  case fps, width, height

  /// `nil` for other names.
  init?(_ name: String) {
    switch Self.plain(name) {
    case "frame", "framenum", "frameid", "framenumber", "frameidx", "frameindex", "frameno": self = .number
    case "times", "timesec", "timeseconds", "seconds", "sec", "timestamps", "timestampsec": self = .time(.seconds)
    case "timems", "timestampms", "milliseconds", "ms", "timemillis", "timestampmillis": self = .time(.milliseconds)
    case "timeus", "timestampus", "timestampmicros": self = .time(.microseconds)
    case "timens", "timestampns", "timestampnanos": self = .time(.nanoseconds)
    case "timestamp", "ts", "t", "time": self = .time(nil)
    case "fps", "framerate", "videofps", "framespersecond": self = .fps
    case "width", "imagewidth", "framewidth", "videowidth", "imgwidth", "imagew": self = .width
    case "height", "imageheight", "frameheight", "videoheight", "imgheight", "imageh": self = .height
    default: return nil
    }
  }

  /// A name without capitals, spaces and punctuation.
  static func plain(_ name: String) -> String {
    let bytes = name.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
      default: nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// BlazePose's landmarks by all the names that MediaPipe and ML Kit give them.
///
/// - Source: MediaPipe, `PoseLandmark`, ai.google.dev/edge/mediapipe/solutions/vision/pose_landmarker; ML Kit,
///   `PoseLandmark` (Android) and `PoseLandmarkType` (iOS), developers.google.com/ml-kit/vision/pose-detection.
enum LandmarkName {
  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    for (place, name) in Skeleton.blazePose33.keypoints.enumerated() {
      places[FrameKey.plain(name)] = place
      let words = name.split(separator: "_").map(String.init)
      guard words.count > 1 else { continue }
      // right_eye_inner is rightInnerEye in ML Kit, mouth_left is leftMouth.
      places[([words[0]] + words.dropFirst().reversed()).joined()] = place
      places[words.reversed().joined()] = places[words.reversed().joined()] ?? place
      if ["pinky", "index"].contains(words[1]) { places[words.joined() + "finger"] = place }
      if words.last == "index", words.count == 3 { places["\(words[0])toe"] = place }
    }
    return places
  }()

  /// The landmark's number; `nil` for other names.
  static func place(_ name: String) -> Int? {
    var plain = FrameKey.plain(name)
    for prefix in ["poselandmarktype", "poselandmark", "landmark"] where plain.hasPrefix(prefix) {
      plain.removeFirst(prefix.count)
      break
    }
    return places[plain] ?? Int(plain).flatMap { (0..<LandmarkFrame.count).contains($0) ? $0 : nil }
  }

  /// The same for names alone, not numbers.
  static func named(_ name: String) -> Int? {
    name.utf8.contains { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") } ? place(name) : nil
  }
}

/// The unit of the landmarks' numbers, inferred from their range: it differs between layouts that look the same.
enum LandmarkUnit: String {
  case image = "shares of the image"
  case pixels = "pixels"
  case metres = "metres about the hips"

  /// - Parameter poses: x, y and further channels of each landmark, `channels` values a landmark. `nil` without a place.
  init?(_ poses: some RandomAccessCollection<Float>, channels: Int) {
    let width = LandmarkFrame.count * channels
    var (known, beyond, hips, centred) = (0, 0, 0, 0)
    var start = poses.startIndex
    while poses.distance(from: start, to: poses.endIndex) >= width {
      func value(_ landmark: Int, _ channel: Int) -> Float {
        poses[poses.index(start, offsetBy: landmark * channels + channel)]
      }
      for landmark in 0..<LandmarkFrame.count {
        for channel in 0..<2 where value(landmark, channel).isFinite {
          known += 1
          if !(-1...2).contains(value(landmark, channel)) { beyond += 1 }
        }
      }
      let (x, y) = (value(23, 0) + value(24, 0), value(23, 1) + value(24, 1))
      if x.isFinite, y.isFinite {
        hips += 1
        // World landmarks have their origin in the middle of the hips.
        if abs(x) < 0.04, abs(y) < 0.04 { centred += 1 }
      }
      start = poses.index(start, offsetBy: width)
    }
    guard known > 0 else { return nil }
    self = beyond * 2 > known ? .pixels : hips > 0 && centred * 10 >= hips * 9 ? .metres : .image
  }
}
