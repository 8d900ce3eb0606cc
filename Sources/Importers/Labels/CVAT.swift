import Files
import Foundation

/// CVAT's annotations, `annotations.xml`, as it exports them "for video" and "for images", in frames of the video.
///
/// For video, a track gives an interval with its label for each run of frames that are not `outside`; a track in a
/// single frame is a point, as is a tag. A skeleton is `outside` if all of its points are, as it has no such flag
/// itself. The clip has the name of the task's source or the task; in a project's export with several tasks, of the
/// task that the track refers to. For images, a tag or shape on consecutive images is an interval, on a single image a
/// point, as in VIA's (`ImageMarks`): the frame is the number in the image's name; the clip's name is the part before
/// it, or the task's source or name. An attribute named `rater` names the rater.
///
/// - Source: CVAT documentation, "XML annotation format", version 1.1, docs.cvat.ai/docs/manual/advanced/xml_format, and
///   `dump_as_cvat_interpolation` and `dump_as_cvat_annotation` of `cvat/apps/dataset_manager/formats/cvat.py`.
enum CVAT: LabelFormat {
  static let name = "cvat"
  static let summary = "CVAT's XML 1.1, for video and for images, *.xml: tracks, tags and shapes"
  static let ending = "xml"

  static func recognises(_ file: InputFile) -> Bool { file.beginning.contains("<annotations>") }

  /// A mark: an object over the frames of a video, or something on an image.
  private struct Track {
    var line: Int
    var label: String
    var task: String?
    var rater: String?
    /// The frames at which the object enters or leaves the picture, each with its state from there on.
    var shapes: [(frame: Int, isOutside: Bool)] = []
  }

  private struct Image {
    var name: String
    var line: Int
    var task: String?
    var marks: [ImageMarks.Mark] = []
  }

  private struct Task {
    var id: String?
    /// Its own name and its video's, the likelier name of the clip last.
    var names: [String] = []
    /// The distance to the next frame, in frames of the video.
    var step = 1
  }

  private static let shapes: Set = ["box", "polygon", "polyline", "points", "cuboid", "ellipse", "skeleton", "mask"]

  static func annotations(_ file: InputFile, mapping: LabelMapping) throws -> [Annotation] {
    var xml = try XMLReader(file)
    var path: [String] = []
    var tasks: [Task] = []
    var attribute: String?
    var image: Image?
    var images: [(task: String?, marks: ImageMarks)] = []
    /// The element that is being read, and the track that it marks.
    var open: (element: String, track: Track)?
    var tracks: [Track] = []
    while let event = try xml.next() {
      switch event {
      case .start(let name, let attributes):
        path.append(name)
        switch name {
        case "task" where path.contains("meta"), "job" where path.contains("meta"): tasks.append(Task())
        case "image":
          guard let name = attributes["name"] else { throw xml.failure(expected: "a name of the image", found: "none") }
          image = Image(name: name, line: xml.line, task: attributes["task_id"])
        case _ where name == "track" || name == "tag" || (image != nil && shapes.contains(name)):
          // The elements of a skeleton on an image are parts of one shape.
          guard open == nil else { break }
          guard let label = attributes["label"] else {
            throw xml.failure(expected: "a label of the \(name)", found: "none")
          }
          var track = Track(line: xml.line, label: label, task: attributes["task_id"])
          if name == "tag", image == nil { track.shapes = [(try frame(attributes["frame"], xml), false)] }
          open = (name, track)
        case _ where shapes.contains(name):
          let isOutside = attributes["outside"] == "1"
          switch path.dropLast().last {
          case "track":
            open?.track.shapes.append((try frame(attributes["frame"], xml), isOutside || name == "skeleton"))
          case "skeleton" where !isOutside:
            if let last = open?.track.shapes.indices.last { open?.track.shapes[last].isOutside = false }
          default: break
          }
        case "attribute": attribute = attributes["name"]?.lowercased()
        default: break
        }
      case .text(let text):
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if path.last == "attribute", attribute == "rater" { open?.track.rater = text }
        if let last = tasks.indices.last, path.contains("meta") {
          switch path.suffix(2) {
          case ["task", "id"]: tasks[last].id = text
          case ["task", "name"]: tasks[last].names.append(text)
          case _ where path.last == "source": tasks[last].names.append(text)
          case _ where path.last == "frame_filter":
            if let number = text.wholeMatch(of: /step=([0-9]{1,6})/) { tasks[last].step = max(Int(number.1) ?? 1, 1) }
          default: break
          }
        }
      case .end(let name):
        path.removeLast()
        if let done = open, done.element == name, !path.contains(name) {
          if image == nil {
            tracks.append(done.track)
          } else {
            image?.marks.append(ImageMarks.Mark(label: done.track.label, rater: done.track.rater))
          }
          open = nil
        }
        if name == "image", let done = image {
          let index = images.firstIndex { $0.task == done.task } ?? images.count
          if index == images.count { images.append((done.task, ImageMarks(file))) }
          try images[index].marks.add(done.marks, image: done.name, line: done.line)
          image = nil
        }
      }
    }
    func task(_ id: String?, line: Int?) throws -> Task {
      guard tasks.count > 1 else { return tasks.first ?? Task() }
      guard let task = tasks.first(where: { $0.id == id }), id != nil else {
        throw DataError(
          file: file.name, line: line, expected: "a task_id, one of the \(tasks.count) tasks of the project",
          found: id ?? "none")
      }
      return task
    }
    return try images.flatMap { images in
      images.marks.annotations(others: try task(images.task, line: nil).names.reversed())
    }
      + tracks.flatMap { track in
        let task = try task(track.task, line: track.line)
        return runs(track.shapes, step: task.step).map { run in
          Annotation(
            file: file.name, line: track.line, recordings: task.names.reversed() + [file.stem], track: nil,
            label: track.label, start: .frame(run.lowerBound),
            end: run.lowerBound == run.upperBound ? nil : .frame(run.upperBound), rater: track.rater)
        }
      }
  }

  private static func frame(_ text: String?, _ xml: XMLReader) throws -> Int {
    guard let text, let frame = Int(text), (0...1_000_000_000).contains(frame) else {
      throw xml.failure(expected: "a frame from 0", found: text ?? "none")
    }
    return frame
  }

  /// From each frame that starts to show something to the frame at which that ends. A shape on a single frame, which
  /// CVAT ends at the task's next frame, is that frame.
  private static func runs(_ shapes: [(frame: Int, isOutside: Bool)], step: Int) -> [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    var start: Int?
    let sorted = shapes.sorted { $0.frame < $1.frame }
    for shape in sorted {
      if !shape.isOutside {
        start = start ?? shape.frame
      } else if let first = start {
        runs.append(first...(shape.frame <= first + step ? first : shape.frame))
        start = nil
      }
    }
    if let start, let last = sorted.last { runs.append(start...last.frame) }
    return runs
  }
}
