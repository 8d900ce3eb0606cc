import Datasets
import Foundation
import PoseModel

/// Push-up clips seen by two pose estimators: `{mediapipe,movenet}/{correct,wrong}/NAME.json`.
///
/// A file is a list of frames, `{"keypoints": [{"x", "y", …}]}`: MediaPipe's 33 landmarks in 0…1 of the image with `z`
/// and `visibility`, MoveNet's 17 in pixels with `score`; no keypoints where nobody was found. Each estimator is a dataset
/// with the same clip names, so that detectors can be compared on both. A clip has the fault `incorrect` or not.
///
/// Neither file says how large the image is, and MoveNet's places are distorted: `PushFitImage` finds the image and undoes
/// it. Both estimators' places become image heights in the same picture.
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
        The frame rate is not stated: 30 frames a second are assumed. Who is in which clip is not known: every clip \
        counts as a subject of its own. The image's size is fitted, and lengths are image heights.
        """,
      skeleton: estimator.skeleton.name, coordinates: CoordinateSystem(unit: .imageHeight, yAxis: .down),
      channels: estimator == .mediapipe ? [.x, .y, .z, .confidence] : [.x, .y, .confidence])
    var names: [String: String] = [:]
    for (verdict, _) in Self.verdicts {
      guard let folder = try root.folder("\(estimator.rawValue)/\(verdict)") else { continue }
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
      InputFile("\(estimator.rawValue)/\(file)", in: directory), keypointCount: estimator.skeleton.keypoints.count)
  }

  private static func image(mediapipe: PushFitRecording?, movenet: PushFitRecording?) -> PushFitImage {
    guard let mediapipe, let movenet, let image = PushFitImage(mediapipe: mediapipe, movenet: movenet) else {
      return PushFitImage(alone: movenet)
    }
    return image
  }
}
