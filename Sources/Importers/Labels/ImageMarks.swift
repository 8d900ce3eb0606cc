import Datasets
import Foundation

/// What an image annotator's file says of a video's frames, which are images to it.
///
/// An image is the frame of its recording that the last number of its name says, from 0: `anna_0012.png` is frame 12 of
/// `anna`, as are `anna/0012.png` and, where no clip is called `frame`, `anna/frame_0012.png`. A mark on images which follow
/// each other among those of the recording that the file lists is an interval, one on an image by itself a point.
struct ImageMarks {
  struct Mark: Hashable {
    var track: String?
    var label: String
    var rater: String?
  }

  private struct Recording {
    var images: Set<Int> = []
    var marks: [Mark: Set<Int>] = [:]
    /// Of the first image that has it.
    var lines: [Mark: Int] = [:]
    var order: [Mark] = []
  }

  private let file: InputFile
  private var recordings: [String: Recording] = [:]
  private var order: [String] = []

  init(_ file: InputFile) { self.file = file }

  /// Notes that there is an image, with what is on it.
  ///
  /// - Throws: `DataError` where its name has no number.
  mutating func add(_ marks: [Mark], image: String, line: Int?) throws {
    let stem = image.lastIndex(of: ".").map { String(image[..<$0]) } ?? image
    guard let name = NumberedName(stem), name.number <= 1_000_000_000 else {
      throw DataError(
        file: file.name, line: line, expected: "an image of a video's frame, with its number in its name",
        found: String(image.prefix(60)).debugDescription)
    }
    let recording = name.prefix.trimmingCharacters(in: ["_", "-", ".", "/", "\\", " "])
    if recordings[recording] == nil { order.append(recording) }
    recordings[recording, default: Recording()].images.insert(name.number)
    for mark in marks where !mark.label.isEmpty {
      if recordings[recording]?.marks[mark] == nil {
        recordings[recording]?.order.append(mark)
        recordings[recording]?.lines[mark] = line
      }
      recordings[recording]?.marks[mark, default: []].insert(name.number)
    }
  }

  /// - Parameter others: names that all images' recording may have beside that in their own.
  func annotations(others: [String] = []) -> [Annotation] {
    order.flatMap { name -> [Annotation] in
      guard let recording = recordings[name] else { return [] }
      let folder = name.lastIndex { "/\\".contains($0) }.map { String(name[..<$0]) }
      let names = ([name, folder].compactMap(\.self) + others + [file.stem]).filter { !$0.isEmpty }
      let images = recording.images.sorted()
      return recording.order.flatMap { mark -> [Annotation] in
        let marked = recording.marks[mark] ?? []
        return images.split { !marked.contains($0) }.compactMap { run in
          guard let first = run.first, let last = run.last else { return nil }
          return Annotation(
            file: file.name, line: recording.lines[mark], recordings: names, track: mark.track, label: mark.label,
            start: .frame(first), end: first == last ? nil : .frame(last), rater: mark.rater)
        }
      }
    }
  }
}
