import Datasets
import Foundation
import PoseModel

/// Push-up clips seen by two pose estimators: `{mediapipe,movenet}/{correct,wrong}/NAME.json`.
///
/// A file is a list of frames, `{"keypoints": [{"x", "y", …}]}`: MediaPipe's 33 landmarks in 0…1 of the image with `z`
/// and `visibility`, MoveNet's 17 in pixels with `score`; no keypoints where nobody was found. Each estimator is a dataset
/// with the same clip names, so that detectors can be compared on both. A clip has the fault `incorrect` or not.
///
/// Neither file says what shape the image has, and MoveNet's are distorted: it looks at a square to which the image was
/// padded, and the published positions were multiplied by the image's width and height as if it had filled that square.
/// With S the longer side, MoveNet's x then grows by width² / S where MediaPipe's goes from 0 to 1, and its y by
/// height² / S, so the root of the ratio of both slopes is width / height. It is fitted on the keypoints that both have
/// and rounded to the nearest usual shape (16:9, 4:3, 1:1 and upright). With it both are brought to a length that is the
/// same in all directions and frames: MediaPipe's to image heights, MoveNet's to pixels.
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
        guard let folder = root.folder("\(estimator.rawValue)/\(verdict)") else { return false }
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
        The frame rate is not stated: 30 frames a second are assumed. Who is in which clip is not known: every clip \
        counts as a subject of its own. Lengths are \(estimator == .mediapipe ? "image heights" : "pixels").
        """,
      skeleton: estimator.skeleton.name, coordinates: CoordinateSystem(unit: .metre, yAxis: .down),
      channels: estimator == .mediapipe ? [.x, .y, .z, .confidence] : [.x, .y, .confidence])
    var names: [String: String] = [:]
    for (verdict, _) in Self.verdicts {
      guard let folder = root.folder("\(estimator.rawValue)/\(verdict)") else { continue }
      for file in try folder.names(endingIn: "json") {
        let clip = String(file.dropLast(5))
        guard PortableName.isValid(clip) else {
          throw DataError(file: "\(folder.path)/\(file)", expected: PortableName.description, found: clip)
        }
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
        "\(estimator.rawValue): \(alone.count) of \(files.count) clips lack \(estimator.other.rawValue)'s file, from "
          + "which the image's shape is found; they are taken as 16:9")
    }
  }

  public var clipCount: Int { files.count }

  private static let rate = 30.0
  private static let usualAspects = [9.0 / 16, 3.0 / 4, 1, 4.0 / 3, 16.0 / 9]
  /// The folders, and whether what they hold is incorrect.
  private static let verdicts = [("correct", false), ("wrong", true)]

  public func digest() throws -> ContentHash {
    let own = files.map { "\(estimator.rawValue)/\($0)" }
    let others = files.filter { !alone.contains($0) }.map { "\(estimator.other.rawValue)/\($0)" }
    return try ContentHash.files(own + others, in: directory)
  }

  public func clip(_ index: Int) throws -> Clip {
    let file = files[index]
    let own = try recording(file, by: estimator)
    let other = alone.contains(file) ? nil : try recording(file, by: estimator.other)
    let aspect =
      other.flatMap {
        estimator == .mediapipe ? Self.aspect(mediapipe: own, movenet: $0) : Self.aspect(mediapipe: $0, movenet: own)
      } ?? 16.0 / 9
    // MoveNet's pixels count from the padded square: each axis is short by its share of the longer side.
    let scale: (x: Float, y: Float) =
      estimator == .mediapipe ? (Float(aspect), 1) : (Float(max(1, 1 / aspect)), Float(max(1, aspect)))
    var grid = FrameGrid(
      frameCount: own.frames.count, keypointCount: estimator.skeleton.keypoints.count, channels: manifest.channels)
    for (frame, pose) in own.frames.enumerated() {
      for (place, keypoint) in pose.keypoints.enumerated() {
        let values =
          estimator == .mediapipe
          ? [keypoint.x * scale.x, keypoint.y, (keypoint.z ?? .nan) * scale.x, keypoint.visibility ?? .nan]
          : [keypoint.x * scale.x, keypoint.y * scale.y, keypoint.score ?? .nan]
        for (channel, value) in values.enumerated() { grid.set(frame, keypoint: place, channel: channel, value) }
      }
    }
    let name = String(file.split(separator: "/")[1].dropLast(5))
    return Clip(
      info: Clip.Info(name: name, subject: name, exercise: "push-up", view: "", fps: Self.rate, split: ""),
      keypoints: grid.keypoints(rate: Self.rate),
      labels: Labels(faults: [
        Labels.Fault(rep: nil, rater: "dataset", fault: "incorrect", present: file.hasPrefix("wrong/"))
      ]))
  }

  private func recording(_ file: String, by estimator: Estimator) throws -> PushFitRecording {
    try PushFitRecording(
      InputFile("\(directory)/\(estimator.rawValue)/\(file)"), keypointCount: estimator.skeleton.keypoints.count)
  }

  /// Width by height of the image that both estimators saw; `nil` where they have too little in common.
  static func aspect(mediapipe: PushFitRecording, movenet: PushFitRecording) -> Double? {
    var x = SlopeFit()
    var y = SlopeFit()
    let common = Skeleton.coco17.keypoints.enumerated().compactMap { place, name in
      Skeleton.blazePose33.keypoints.firstIndex(of: name).map { (coco: place, blaze: $0) }
    }
    for (first, second) in zip(mediapipe.frames, movenet.frames) {
      guard !first.keypoints.isEmpty, !second.keypoints.isEmpty else { continue }
      for place in common {
        let from = first.keypoints[place.blaze]
        let to = second.keypoints[place.coco]
        guard from.visibility ?? 0 > 0.8, to.score ?? 0 > 0.5 else { continue }
        x.add(Double(from.x), Double(to.x))
        y.add(Double(from.y), Double(to.y))
      }
    }
    guard let slopeX = x.slope, let slopeY = y.slope, slopeX > 0, slopeY > 0 else { return nil }
    let aspect = (slopeX / slopeY).squareRoot()
    return usualAspects.min { abs($0 / aspect - aspect / $0) < abs($1 / aspect - aspect / $1) }
  }
}
