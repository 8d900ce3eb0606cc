import Datasets
import Files
import Foundation
import PoseModel

/// Push-up clips seen by two pose estimators: `{mediapipe,movenet}/{correct,wrong}/NAME.json`.
///
/// A file is a list of frames, `{"keypoints": [{"x", "y", …}]}`: MediaPipe's 33 landmarks in 0…1 of the image with `z`
/// and `visibility`, MoveNet's 17 in pixels with `score`; no keypoints if nobody was found. Each estimator gives a
/// dataset with the same clip names, to compare detectors on both. A clip has the fault `incorrect` or not.
///
/// Neither file gives the image's size, and MoveNet's positions are distorted: `PushFitImage` infers the image's size
/// and undoes the distortion. Both estimators' positions become heights of the same image.
///
/// - Source: github.com/riyer8/cs231n-pushfit (FormFit: Adaptive Exercise Analysis through Skeleton Tracking).
public struct PushFit: Importer {
  public static let format = "pushfit"
  public static let summary = "push-ups seen by two estimators: {mediapipe,movenet}/{correct,wrong}/NAME.json"

  enum Estimator: String, CaseIterable {
    case mediapipe, movenet

    var skeleton: Skeleton { self == .mediapipe ? .blazePose33 : .coco17 }
    var other: Estimator { self == .mediapipe ? .movenet : .mediapipe }
  }

  public let manifest: Manifest
  public private(set) var remarks: [String] = []
  private let estimator: Estimator
  private let directory: String
  /// Within an estimator's folder: `correct/NAME.json`.
  private var files: [String] = []
  private var alone: Set<String> = []

  public static func recognises(_ path: String) -> Bool {
    guard let root = SourceFolder(path) else { return false }
    return Estimator.allCases.contains { estimator in
      verdicts.contains { verdict, _ in
        guard let folder = try? root.folder("\(estimator.rawValue)/\(verdict)") else { return false }
        return (try? folder.names(endingIn: "json"))?.isEmpty == false
      }
    }
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    guard let root = SourceFolder(path) else {
      throw DataError(file: path, expected: "a folder with mediapipe and movenet", found: "no folder")
    }
    let found = try Estimator.allCases.compactMap { try PushFit($0, in: root, name: options.name) }
    guard !found.isEmpty else {
      throw DataError(file: path, expected: "{mediapipe,movenet}/{correct,wrong}/NAME.json", found: "none")
    }
    return found
  }

  private init?(_ estimator: Estimator, in root: SourceFolder, name: String?) throws {
    self.estimator = estimator
    directory = root.path
    manifest = Manifest(
      name: "\(name ?? Self.format)-\(estimator.rawValue)", version: "1", licence: "unknown",
      source: "github.com/riyer8/cs231n-pushfit, push-ups seen by \(estimator.rawValue)", origin: .recorded,
      caveat: """
        The frame rate is not stated: 30 frames a second are assumed. The subjects are unknown: every clip counts as a \
        subject of its own. The image's size is fitted, and lengths are image heights.
        """,
      skeleton: estimator.skeleton.name, coordinates: CoordinateSystem(unit: .imageHeight, yAxis: .down),
      channels: estimator == .mediapipe ? [.x, .y, .z, .confidence] : [.x, .y, .confidence])
    var names: [String: String] = [:]
    for (verdict, _) in Self.verdicts {
      guard let folder = try root.folder("\(estimator.rawValue)/\(verdict)") else { continue }
      for file in try folder.names(endingIn: "json") {
        let clip = String(file.dropLast(5))
        if let other = names.updateValue(verdict, forKey: clip) {
          throw DataError(
            file: "\(folder.path)/\(file)", clip: clip, expected: "each clip once", found: "it in \(other) too")
        }
        files.append("\(verdict)/\(file)")
        if !root.contains("\(estimator.other.rawValue)/\(verdict)/\(file)") { alone.insert("\(verdict)/\(file)") }
      }
    }
    if files.isEmpty { return nil }
    if !alone.isEmpty {
      remarks.append(
        "\(estimator.rawValue): \(alone.count) of \(files.count) clips lack \(estimator.other.rawValue)'s file, which "
          + "the image's shape is inferred from; they are assumed to be 16:9")
    }
  }

  public var clipCount: Int { files.count }

  private static let rate = 30.0
  /// The folders, and whether their clips are incorrect.
  private static let verdicts = [("correct", false), ("wrong", true)]

  public func digest() throws -> ContentHash {
    let own = files.map { "\(estimator.rawValue)/\($0)" }
    let others = files.filter { !alone.contains($0) }.map { "\(estimator.other.rawValue)/\($0)" }
    return try ContentHash.files(own + others, in: directory)
  }

  public func clipName(_ index: Int) throws -> String { String(files[index].split(separator: "/")[1].dropLast(5)) }

  public func clip(_ index: Int) throws -> Clip {
    let file = files[index]
    let name = try clipName(index)
    try PortableName.require(name, of: "\(directory)/\(estimator.rawValue)/\(file)")
    let own = try recording(file, by: estimator)
    let other = alone.contains(file) ? nil : try recording(file, by: estimator.other)
    let image =
      estimator == .mediapipe
      ? Self.image(mediapipe: own, movenet: other) : Self.image(mediapipe: other, movenet: own)
    var grid = try FrameGrid(
      frameCount: own.frames.count, keypointCount: estimator.skeleton.keypoints.count, channels: manifest.channels,
      file: "\(directory)/\(estimator.rawValue)/\(file)")
    for (frame, pose) in own.frames.enumerated() {
      for (index, keypoint) in pose.enumerated() {
        let place = estimator == .mediapipe ? image.place(mediapipe: keypoint) : image.place(movenet: keypoint)
        let values =
          estimator == .mediapipe
          ? [place.x, place.y, keypoint.z * Float(image.aspect), keypoint.visibility]
          : [place.x, place.y, keypoint.score]
        for (channel, value) in values.enumerated() { grid.set(frame, keypoint: index, channel: channel, value) }
      }
    }
    return Clip(
      info: Clip.Info(name: name, subject: name, exercise: "push-up", view: "", fps: Self.rate, split: ""),
      keypoints: grid.keypoints(rate: Self.rate),
      labels: GroundTruth(faults: [
        GroundTruth.Fault(rep: nil, rater: "dataset", name: "incorrect", present: file.hasPrefix("wrong/"))
      ]))
  }

  private func recording(_ file: String, by estimator: Estimator) throws -> PushFitRecording {
    let input = try InputFile("\(estimator.rawValue)/\(file)", in: directory)
    try input.requireReadableSize()
    return try PushFitRecording(input, keypointCount: estimator.skeleton.keypoints.count)
  }

  private static func image(mediapipe: PushFitRecording?, movenet: PushFitRecording?) -> PushFitImage {
    guard let mediapipe, let movenet, let image = PushFitImage(mediapipe: mediapipe, movenet: movenet) else {
      return PushFitImage(alone: movenet)
    }
    return image
  }
}

/// A push-up video's keypoints as written by one estimator.
struct PushFitRecording {
  struct Keypoint {
    var x: Float
    var y: Float
    /// NaN if absent, like the next two.
    var z = Float.nan
    /// MediaPipe's name for the confidence.
    var visibility = Float.nan
    /// MoveNet's name for it.
    var score = Float.nan
  }

  /// The keypoints of each frame, empty if nobody was found.
  private(set) var frames: [[Keypoint]] = []

  /// - Parameter count: The estimator's number of keypoints.
  /// - Throws: `DataError` with line and path if the file is not a list of frames.
  init(_ file: InputFile, keypointCount count: Int) throws {
    var frames: [[Keypoint]] = []
    try JSONReader.read(file) { json in
      try json.array { json in
        var keypoints: [Keypoint]?
        try json.object { json, key in
          guard case "keypoints" = key else { return try json.skip() }
          var found: [Keypoint] = []
          found.reserveCapacity(count)
          try json.array { json in found.append(try Self.keypoint(&json)) }
          guard found.isEmpty || found.count == count else {
            throw json.failure(expected: "\(count) keypoints or none", found: "\(found.count)")
          }
          keypoints = found
        }
        guard let keypoints else { throw json.failure(expected: "a frame with keypoints", found: "one without") }
        frames.append(keypoints)
      }
    }
    guard !frames.isEmpty else { throw DataError(file: file.name, expected: "at least one frame", found: "none") }
    self.frames = frames
  }

  private static func keypoint(_ json: inout JSONReader) throws -> Keypoint {
    var keypoint = Keypoint(x: .nan, y: .nan)
    var isThere = (x: false, y: false)
    try json.object { json, key in
      switch key {
      case "x":
        keypoint.x = try json.coordinate()
        isThere.x = true
      case "y":
        keypoint.y = try json.coordinate()
        isThere.y = true
      case "z": keypoint.z = try json.coordinate()
      case "visibility": keypoint.visibility = try json.coordinate()
      case "score": keypoint.score = try json.coordinate()
      default: try json.skip()
      }
    }
    guard isThere.x, isThere.y else {
      throw json.failure(expected: "a keypoint with x and y", found: "one without")
    }
    return keypoint
  }
}

/// The image size of a push-up video, inferred from MediaPipe's and MoveNet's keypoints.
///
/// MoveNet sees the image padded to a square with side S, the image's longer side, but its positions in that square
/// were multiplied by the image's own width and height. While MediaPipe's x goes from 0 to 1, MoveNet's x grows by
/// width² / S, and its y by height² / S. The square root of the slopes' ratio is therefore width / height, and the
/// greater slope is S. Both are fitted to keypoints with high confidence from both, and rounded to the nearest common
/// shape (16:9, 4:3, 1:1 and portrait) and size; rounding keeps one estimator's positions from being fitted to the
/// other's.
struct PushFitImage: Hashable {
  /// Width / height.
  let aspect: Double
  /// The longer side in pixels.
  let side: Double

  private static let usualAspects = [9.0 / 16, 3.0 / 4, 1, 4.0 / 3, 16.0 / 9]
  private static let usualSides: [Double] = [320, 480, 640, 854, 960, 1280, 1920, 2560, 3840]

  var width: Double { min(side, side * aspect) }
  var height: Double { min(side, side / aspect) }

  /// `nil` if the two recordings have too few points in common.
  init?(mediapipe: PushFitRecording, movenet: PushFitRecording) {
    var x = SlopeFit()
    var y = SlopeFit()
    let common = Skeleton.coco17.keypoints.enumerated().compactMap { place, name in
      Skeleton.blazePose33.keypoints.firstIndex(of: name).map { (coco: place, blaze: $0) }
    }
    for (first, second) in zip(mediapipe.frames, movenet.frames) where !first.isEmpty && !second.isEmpty {
      for place in common {
        let from = first[place.blaze]
        let to = second[place.coco]
        guard from.visibility > 0.8, to.score > 0.5, from.x.isFinite, from.y.isFinite, to.x.isFinite, to.y.isFinite
        else { continue }
        x.add(Double(from.x), Double(to.x))
        y.add(Double(from.y), Double(to.y))
      }
    }
    guard let slopeX = x.slope, let slopeY = y.slope, slopeX > 0, slopeY > 0 else { return nil }
    aspect = Self.nearest((slopeX / slopeY).squareRoot(), Self.usualAspects)
    side = Self.nearest(max(slopeX, slopeY), Self.usualSides)
  }

  /// The assumption if only one estimator's file exists: 16:9, as large as MoveNet's positions need.
  init(alone movenet: PushFitRecording?) {
    aspect = 16.0 / 9
    var extent: Float = 0
    for frame in movenet?.frames ?? [] {
      for keypoint in frame where keypoint.x.isFinite { extent = max(extent, keypoint.x) }
    }
    side = Self.usualSides.first { $0 >= Double(extent) } ?? Double(extent)
  }

  private static func nearest(_ value: Double, _ usual: [Double]) -> Double {
    usual.min { abs($0 / value - value / $0) < abs($1 / value - value / $1) } ?? value
  }

  /// MediaPipe's position, in image heights.
  func place(mediapipe keypoint: PushFitRecording.Keypoint) -> (x: Float, y: Float) {
    (keypoint.x * Float(aspect), keypoint.y)
  }

  /// MoveNet's position, in image heights.
  func place(movenet keypoint: PushFitRecording.Keypoint) -> (x: Float, y: Float) {
    func undone(_ value: Float, _ length: Double) -> Float {
      Float((Double(value) / length * side - (side - length) / 2) / height)
    }
    return (undone(keypoint.x, width), undone(keypoint.y, height))
  }
}

/// A least-squares line through points that arrive one by one.
struct SlopeFit {
  private var count = 0.0
  private var meanX = 0.0
  private var meanY = 0.0
  private var squares = 0.0
  private var products = 0.0

  mutating func add(_ x: Double, _ y: Double) {
    count += 1
    let deviation = x - meanX
    meanX += deviation / count
    meanY += (y - meanY) / count
    squares += deviation * (x - meanX)
    products += deviation * (y - meanY)
  }

  /// `nil` with fewer than 20 points, and if all have the same x.
  var slope: Double? { count >= 20 && squares > 0 ? products / squares : nil }
}
