import Datasets
import Foundation
import PoseModel

/// Ultralytics YOLO-pose: a folder of text files, one a frame, as `save_txt=True` writes them: `labels/VIDEO_31.txt`.
///
/// A line is a person: class, x, y, width and height of the box, then x and y of each of COCO's 17 keypoints, with a
/// visibility or without, then perhaps the box's confidence (`save_conf=True`) and the person's number (`track`). All are
/// shares of the image, y down; 0,0 is a keypoint that was not found. Visibilities of labels, 0 to 2, become 0, 0.5 and 1;
/// a line of one more value has a number where it is a whole one from 1 on, a confidence otherwise. A frame without
/// anybody has no file; a video's first is number 1. Lines that begin with `#` are left out.
///
/// - Source: Ultralytics, "Pose Estimation Datasets Overview", docs.ultralytics.com/datasets/pose, and `save_txt` of
///   `ultralytics/engine/results.py`.
public struct YOLOPose: PoseTool {
  public static let format = "yolo-pose"
  public static let summary = "Ultralytics YOLO-pose labels, a text file a frame: VIDEO_1.txt"
  static let tool = "Ultralytics YOLO-pose"
  static let endings = ["txt"]
  static let grouping = ToolFiles.Grouping.framePerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool {
    // The first lines are enough to tell, and files of frames are short.
    let start = InputFile(name: file.name, bytes: file.bytes.prefix(1 << 14))
    guard let line = try? lines(start).first, let values = try? values(line, file: file.name), values.count > 5 else {
      return false
    }
    return values[0] == values[0].rounded() && values[1...4].allSatisfy { (0...1).contains($0) }
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    for file in clip.files {
      let input = try InputFile(file.path, in: directory)
      guard let line = try lines(input).first else { continue }
      let layout = try layout(try values(line, file: input.name).count, file: input.name, line: line.number)
      return PoseShape(
        skeleton: .coco17, channels: layout.hasVisibility ? [.x, .y, .confidence] : [.x, .y], unit: .image)
    }
    return PoseShape(skeleton: .coco17, unit: .image)
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    let frame = file.frame ?? 0
    guard try recording.begin(frame) else { return }
    for line in try Self.lines(input) {
      let values = try Self.values(line, file: input.name)
      let layout = try Self.layout(values.count, file: input.name, line: line.number)
      guard layout.hasVisibility == recording.channels.contains(.confidence) else {
        throw DataError(
          file: input.name, line: line.number, expected: "keypoints with as many values as in the files before",
          found: "\(layout.hasVisibility ? 3 : 2) each")
      }
      let end = values.count - layout.extra
      var pose = Array(values[5..<end])
      if layout.hasVisibility { Self.scaleLabels(&pose) }
      let last = values[values.count - 1]
      let hasTrack = layout.extra == 2 || layout.extra == 1 && last >= 1 && last == last.rounded()
      try recording.add(pose, to: frame, track: hasTrack ? Int(exactly: last) : nil)
    }
  }

  /// Visibilities of people who label: 2 is visible, 1 is hidden.
  private static func scaleLabels(_ pose: inout [Float]) {
    let places = stride(from: 2, to: pose.count, by: 3)
    guard places.allSatisfy({ [0, 1, 2].contains(pose[$0]) }), places.contains(where: { pose[$0] == 2 }) else { return }
    for place in places { pose[place] /= 2 }
  }

  /// What so many values are: keypoints of three or two values each, and what follows them.
  private static func layout(
    _ count: Int, file: String, line: Int
  ) throws -> (hasVisibility: Bool, extra: Int) {
    for (width, hasVisibility) in [(3, true), (2, false)] {
      let extra = count - 5 - Skeleton.coco17.keypoints.count * width
      if (0...2).contains(extra) { return (hasVisibility, extra) }
    }
    throw DataError(
      file: file, line: line,
      expected: "class, box and COCO's 17 keypoints of 2 or 3 values: 39 to 41 or 56 to 58 values",
      found: "\(count)")
  }

  private static func lines(_ file: InputFile) throws -> [(number: Int, text: Substring)] {
    let text = try file.text()
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.enumerated().compactMap { index, line in
      let isEmpty = line.allSatisfy { $0 == " " || $0 == "\t" }
      return isEmpty || line.hasPrefix("#") ? nil : (index + 1, line)
    }
  }

  private static func values(_ line: (number: Int, text: Substring), file: String) throws -> [Float] {
    try line.text.split { $0 == " " || $0 == "\t" }.map { word in
      guard let value = Float(word), value.isFinite else {
        throw DataError(
          file: file, line: line.number, expected: "numbers with spaces between them", found: "\"\(word.prefix(40))\"")
      }
      return value
    }
  }
}
