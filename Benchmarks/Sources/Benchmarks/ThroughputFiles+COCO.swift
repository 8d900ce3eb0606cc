import Datasets
import Foundation
import PoseModel
import Statistics

extension ThroughputFiles {
  /// COCO's results as Python's `json.dump` writes a model's doubles, with 16 or 17 digits: on one line, or with an
  /// `indent` of two and every number on a line of its own.
  ///
  /// Each has an image's number, the keypoints of one person, a score and a box.
  static func coco(frames: Int, isIndented: Bool) -> Data {
    var random = SeededGenerator(seed: 1)
    func list(_ numbers: [Double]) -> String {
      isIndented
        ? "[\n\(numbers.map { "      \($0)" }.joined(separator: ",\n"))\n    ]"
        : "[\(numbers.map { "\($0)" }.joined(separator: ", "))]"
    }
    var data = Data("[".utf8)
    for frame in 0..<frames {
      let keypoints = (0..<skeleton.keypoints.count).flatMap { _ in
        [random.unit() * 1920, random.unit() * 1080, random.unit()]
      }
      let box = [random.unit() * 960, random.unit() * 540, random.unit() * 960, random.unit() * 540]
      let members = [
        "\"image_id\": \(frame)", "\"category_id\": 1", "\"keypoints\": \(list(keypoints))",
        "\"score\": \(random.unit())", "\"bbox\": \(list(box))",
      ]
      let object =
        isIndented ? "{\n    \(members.joined(separator: ",\n    "))\n  }" : "{\(members.joined(separator: ", "))}"
      data.append(contentsOf: "\(frame == 0 ? "" : ",")\(isIndented ? "\n  " : frame == 0 ? "" : " ")\(object)".utf8)
    }
    data.append(contentsOf: "\(isIndented ? "\n" : "")]".utf8)
    return data
  }
}
