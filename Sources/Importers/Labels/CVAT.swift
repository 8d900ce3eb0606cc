import Datasets
import Foundation

/// CVAT's annotations of a video, `annotations.xml`: tracks as intervals, tags as points, both in frames of the video.
///
/// A track is an interval of its label for each run of frames from one that is not `outside` to the next that is, or to
/// its last. A tag on a frame is a point; so is a track of one frame. An attribute named `rater` says who it was. The
/// clip is known by the task's source or name.
///
/// - Source: CVAT documentation, "XML annotation format", version 1.1.
enum CVAT: LabelFormat {
  static let name = "cvat"
  static let summary = "CVAT's XML 1.1 of a video, *.xml: tracks and tags"
  static let ending = "xml"

  static func recognises(_ file: InputFile) -> Bool { file.beginning.contains("<annotations>") }

  private struct Track {
    var line: Int
    var label: String
    var rater: String?
    /// Frames with whether the object is out of the picture from there on.
    var shapes: [(frame: Int, isOutside: Bool)] = []
  }

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    var xml = try XMLReader(file)
    var path: [String] = []
    var names: [String] = []
    var attribute: String?
    var image: Int?
    var track: Track?
    var tracks: [Track] = []
    while let event = try xml.next() {
      switch event {
      case .start(let name, let attributes):
        path.append(name)
        switch name {
        case "track", "tag":
          guard let label = attributes["label"] else {
            throw xml.failure(expected: "a label of the \(name)", found: "none")
          }
          track = Track(line: xml.line, label: label)
          if name == "tag" { track?.shapes = [(try frame(attributes["frame"] ?? image.map(String.init), xml), false)] }
        case "image": image = try frame(attributes["id"], xml)
        case "box", "polygon", "polyline", "points", "cuboid", "ellipse", "skeleton", "mask":
          guard path.dropLast().last == "track" else { break }
          track?.shapes.append((try frame(attributes["frame"], xml), attributes["outside"] == "1"))
        case "attribute": attribute = attributes["name"]?.lowercased()
        default: break
        }
      case .text(let text):
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if path.last == "attribute", attribute == "rater" { track?.rater = text }
        if path.contains("meta"), path.last == "source" || (path.last == "name" && path.dropLast().last == "task") {
          names.append(text)
        }
      case .end(let name):
        path.removeLast()
        if name == "track" || name == "tag", let done = track {
          tracks.append(done)
          track = nil
        }
        if name == "image" { image = nil }
      }
    }
    return tracks.flatMap { track in
      runs(track.shapes).map { run in
        Annotation(
          file: file.name, line: track.line, recordings: names.reversed() + [file.stem], track: nil, label: track.label,
          start: .frame(run.lowerBound), end: run.lowerBound == run.upperBound ? nil : .frame(run.upperBound),
          rater: track.rater)
      }
    }
  }

  private static func frame(_ text: String?, _ xml: XMLReader) throws -> Int {
    guard let text, let frame = Int(text), (0...1_000_000_000).contains(frame) else {
      throw xml.failure(expected: "a frame from 0", found: text ?? "none")
    }
    return frame
  }

  /// From each frame that begins to show something to the one where that ends.
  private static func runs(_ shapes: [(frame: Int, isOutside: Bool)]) -> [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    var start: Int?
    let sorted = shapes.sorted { $0.frame < $1.frame }
    for shape in sorted {
      if !shape.isOutside {
        start = start ?? shape.frame
      } else if let first = start {
        runs.append(first...shape.frame)
        start = nil
      }
    }
    if let start, let last = sorted.last { runs.append(start...last.frame) }
    return runs
  }
}
