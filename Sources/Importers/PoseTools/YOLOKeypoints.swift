import Datasets
import Foundation
import PoseModel

/// What keypoints YOLO-pose labels have: COCO's, or those that a YAML file names.
///
/// The file is a data set's own, as Ultralytics trains from, or one that somebody writes with the same keys and gives to
/// `--mapping`; all other keys are passed over:
///
/// ```yaml
/// kpt_shape: [5, 3]        # keypoints, and values of each
/// kpt_names:               # of each class; the first counts, and a plain list will do
///   0: [left_shoulder, left_elbow, left_wrist, left_hip, racket]
/// ```
///
/// A name is one of the body's joints (`KeypointNames`); a keypoint that is none, as the racket, is left out. Labels that
/// have no joint of the body are refused.
///
/// - Source: Ultralytics, "Pose Estimation Datasets Overview", docs.ultralytics.com/datasets/pose, "Dataset YAML format".
enum YOLOKeypoints {
  /// - Parameters:
  ///   - mapping: the file that somebody named.
  ///   - labels: a file of labels within the folder.
  /// - Throws: `DataError` where there is a file that names no joint of the body, or none for keypoints that are not COCO's.
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
      throw yaml.failure("kpt_names", expected: "\(count) names, as kpt_shape says", found: "\(names.count)")
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

  /// The data set's YAML file: the one that has `kpt_shape`, beside the labels or in one of the two folders above.
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
