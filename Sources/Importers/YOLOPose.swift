import Files
import Foundation
import PoseModel

/// Ultralytics YOLO-pose: a folder of text files, one per frame, as `save_txt=True` writes them: `labels/VIDEO_31.txt`.
///
/// A line is a person: class, x, y, width and height of the box, then x and y of each keypoint, with a visibility or
/// without, then perhaps the box's confidence (`save_conf=True`) and the person's number (`track`). All are shares of the
/// image, y down; 0,0 is a keypoint that was not found, as is a negative one. Visibilities of labels, 0 to 2, become 0,
/// 0.5 and 1; in a line with one more value, a whole number of 1 or more is the person's number, anything else a
/// confidence. A frame without a person has no file; a video's first frame is number 1.
///
/// Keypoints are COCO's 17 unless the dataset's own YAML file, which lies beside the labels or in one of the two folders
/// above, or `--mapping` names others (`YOLOKeypoints`). Lines that begin with `#` are left out and reported: people
/// write them, but Ultralytics' own reader considers the file corrupt.
///
/// - Source: Ultralytics, "Pose Estimation Datasets Overview", docs.ultralytics.com/datasets/pose, `save_txt` of
///   `ultralytics/engine/results.py`, and `verify_image_label` of `ultralytics/data/utils.py`.
public struct YOLOPose: PoseTool {
  public static let format = "yolo-pose"
  public static let summary = "Ultralytics YOLO-pose labels, one text file per frame: VIDEO_1.txt"
  public static let options: Set<ImportOption> = [
    .fps, .size, .exercise, .view, .subject, .folders, .mapping, .person,
  ]
  static let tool = "Ultralytics YOLO-pose"
  package static let endings = ["txt"]
  static let grouping = ToolFiles.Grouping.framePerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool {
    // The first lines suffice to recognise it, and files of frames are short.
    let start = InputFile(name: file.name, bytes: file.bytes.prefix(1 << 14))
    guard let line = try? lines(start).people.first, let values = try? values(line, file: file.name),
      values.count > 5
    else { return false }
    return values[0] == values[0].rounded() && values[1...4].allSatisfy { (0...1).contains($0) }
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    let names = try YOLOKeypoints.names(options.mapping, beside: clip.files[0].path, in: directory)
    var shape = PoseShape(skeleton: names.skeleton, unit: .image, names: names)
    for file in clip.files {
      let input = try InputFile(file.path, in: directory)
      guard let line = try lines(input).people.first else { continue }
      let layout = try layout(try values(line, file: input.name).count, names, file: input.name, line: line.number)
      if !layout.hasVisibility { shape.channels = [.x, .y] }
      break
    }
    return shape
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    let frame = file.frame ?? 0
    guard let names = source.shape.names, try recording.begin(frame) else { return }
    let (people, hasComments) = try Self.lines(input)
    if hasComments, !recording.notes.contains(Self.comments) { recording.notes.append(Self.comments) }
    for line in people {
      let values = try Self.values(line, file: input.name)
      let layout = try Self.layout(values.count, names, file: input.name, line: line.number)
      guard layout.hasVisibility == recording.channels.contains(.confidence) else {
        throw DataError(
          file: input.name, line: line.number, expected: "keypoints with as many values as in the files before",
          found: "\(layout.hasVisibility ? 3 : 2) each")
      }
      var pose = names.pose(values[5..<(values.count - layout.extra)], channels: recording.channels.count)
      if layout.hasVisibility {
        Self.scaleLabels(&pose)
      } else {
        Self.dropNegative(&pose)
      }
      let last = values[values.count - 1]
      let hasTrack = layout.extra == 2 || layout.extra == 1 && last >= 1 && last == last.rounded()
      try recording.add(pose, to: frame, track: hasTrack ? Int(exactly: last) : nil)
    }
  }

  private static let comments = "lines that begin with # are left out"

  /// Scales visibilities of labels: 2 is visible, 1 is hidden.
  private static func scaleLabels(_ pose: inout [Float]) {
    let places = stride(from: 2, to: pose.count, by: 3)
    guard places.allSatisfy({ pose[$0].isNaN || [0, 1, 2].contains(pose[$0]) }),
      places.contains(where: { pose[$0] == 2 })
    else { return }
    for place in places { pose[place] /= 2 }
  }

  /// Without visibilities a missing keypoint lies outside the image.
  private static func dropNegative(_ pose: inout [Float]) {
    for place in stride(from: 0, to: pose.count, by: 2) where pose[place] < 0 || pose[place + 1] < 0 {
      pose[place] = .nan
      pose[place + 1] = .nan
    }
  }

  /// The layout for this number of values: keypoints of two or three values each, and the values after them.
  private static func layout(
    _ count: Int, _ names: KeypointNames, file: String, line: Int
  ) throws -> (hasVisibility: Bool, extra: Int) {
    let keypoints = names.places.count
    for (width, hasVisibility) in [(3, true), (2, false)] {
      let extra = count - 5 - keypoints * width
      if (0...2).contains(extra) { return (hasVisibility, extra) }
    }
    func range(_ width: Int) -> String { "\(5 + keypoints * width) to \(7 + keypoints * width)" }
    throw DataError(
      file: file, line: line,
      expected: "class, box and \(keypoints) keypoints of 2 or 3 values: \(range(2)) or \(range(3)) values; other "
        + "keypoints than COCO's 17 are named by the dataset's YAML file (kpt_names) or --mapping",
      found: "\(count)")
  }

  private static func lines(_ file: InputFile) throws -> (people: [(number: Int, text: Substring)], hasComments: Bool) {
    let text = try file.text()
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var hasComments = false
    let people = lines.enumerated().compactMap { index, line -> (number: Int, text: Substring)? in
      if line.hasPrefix("#") {
        hasComments = true
        return nil
      }
      return line.allSatisfy { $0 == " " || $0 == "\t" } ? nil : (index + 1, line)
    }
    return (people, hasComments)
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

/// The keypoints of YOLO-pose labels: COCO's, or those in a YAML file.
///
/// The file is the dataset's own, used by Ultralytics for training, or one with the same keys given as `--mapping`; all
/// other keys are ignored:
///
/// ```yaml
/// kpt_shape: [5, 3]        # keypoints, and values of each
/// kpt_names:               # of each class, of which the first is used; or a plain list
///   0: [left_shoulder, left_elbow, left_wrist, left_hip, racket]
/// ```
///
/// A name is one of the body's joints (`KeypointNames`); a keypoint that is not a joint, such as the racket, is left
/// out. Labels that have no joint of the body are refused.
///
/// - Source: Ultralytics, "Pose Estimation Datasets Overview", docs.ultralytics.com/datasets/pose, "Dataset YAML format".
enum YOLOKeypoints {
  /// - Parameters:
  ///   - mapping: The file given by the user.
  ///   - labels: A file of labels within the folder.
  /// - Throws: `DataError` if the file names no joint of the body, or there is no file for keypoints that are not
  ///   COCO's.
  static func names(_ mapping: String?, beside labels: String, in directory: String) throws -> KeypointNames {
    if let mapping { return try names(try YAMLMapping(InputFile(mapping))) }
    guard let yaml = try dataset(beside: labels, in: directory) else { return coco }
    return try names(yaml)
  }

  private static let coco = KeypointNames(.coco17, count: Skeleton.coco17.keypoints.count)

  private static func names(_ yaml: YAMLMapping) throws -> KeypointNames {
    let count: Int? =
      yaml.keys.contains("kpt_shape") ? try yaml.numbers("kpt_shape").first.flatMap { Int(exactly: $0) } : nil
    guard yaml.keys.contains("kpt_names") else {
      if count == coco.places.count { return coco }
      throw yaml.failure(
        "kpt_names",
        expected:
          "the names of \(count.map { "its \($0)" } ?? "the") keypoints in their order, as they are not COCO's 17; "
          + "--mapping takes a file that has them",
        found: "no such key")
    }
    let names = try list(yaml)
    if let count, count != names.count {
      throw yaml.failure("kpt_names", expected: "\(count) names, as in kpt_shape", found: "\(names.count)")
    }
    guard let known = KeypointNames(names, file: yaml.file) else {
      throw yaml.failure(
        "kpt_names",
        expected: "joints of the body, each once: \(Joint.allCases.map(\.name).joined(separator: ", "))",
        found: names.prefix(40).joined(separator: ", "))
    }
    return known
  }

  /// The names of a list, or of the first class.
  private static func list(_ yaml: YAMLMapping) throws -> [String] {
    guard yaml.hasMapping("kpt_names") else { return try yaml.texts("kpt_names") }
    let classes = try yaml.mapping("kpt_names")
    guard let first = classes.keys.first else {
      throw yaml.failure("kpt_names", expected: "the names of a class's keypoints", found: "no class")
    }
    return try classes.texts(first)
  }

  /// The dataset's YAML file: the one that has `kpt_shape`, beside the labels or in one of the two folders above.
  private static func dataset(beside labels: String, in directory: String) throws -> YAMLMapping? {
    var folder = URL(fileURLWithPath: "\(directory)/\(labels)").deletingLastPathComponent()
    for _ in 0..<3 {
      let files = (try? SourceFolder(folder.path)?.names()) ?? []
      for file in files where file.hasSuffix(".yaml") || file.hasSuffix(".yml") {
        let input = try InputFile(file, in: folder.path)
        guard input.beginning.contains("kpt_shape:") else { continue }
        return try YAMLMapping(input)
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}
