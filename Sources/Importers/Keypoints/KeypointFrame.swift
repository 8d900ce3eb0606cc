import Files
import Foundation
import PoseModel

/// A frame as a file has it, before its numbers have a meaning.
struct KeypointFrame {
  /// A person's numbers: four a point, in the order of the file's points, which later frames may extend.
  struct Person {
    /// The file's own name or number of the person.
    var track: String?
    /// x, y, z and confidence of each point, NaN if missing.
    ///
    /// Numbers without names are in the order of the file: the third is z or a confidence, which their values tell.
    var values: [Float] = []
    /// Whether it is the view of one of several cameras, whose number `track` is.
    var isView = false
  }

  /// The recording's name in a file of several.
  var clip: String?
  /// Who performs, if the file says it.
  var subject: String?
  /// Its number in the file, if it has one.
  var number: Int?
  /// Its time in `timeUnit`, if it has one.
  var time: Double?
  /// `nil` if the name has no unit: the steps between frames then show it.
  var timeUnit: TimeUnit?
  /// The time since the frame before, if it has that instead.
  var step: Double?
  /// The fourth part of a clock's text, hundredths of a second or frames.
  var fourthPart: Int?
  /// Whether a table's header comes again before it, and it goes on.
  var isBelowHeader = false
  /// The values of the columns of labels.
  var labels: [String] = []
  var people: [Person] = []

  /// The numbers of a point.
  static let channels = 4

  /// Whether a frame's number is a time from 2001 to 2103, in seconds, ms, µs or ns since 1970.
  static func isClock(_ number: Int) -> Bool {
    [1e9, 1e12, 1e15, 1e18].contains { (1...4.2).contains(Double(number) / $0) }
  }

  /// Gives points without a confidence one, person after person; returns whether there are as many as points.
  mutating func add(scores: [Float]) -> Bool {
    guard !people.isEmpty, people.reduce(0, { $0 + $1.values.count / Self.channels }) == scores.count else {
      return false
    }
    var next = 0
    for person in people.indices {
      let places = stride(from: Channel.confidence.index, to: people[person].values.count, by: Self.channels)
      for place in places {
        if people[person].values[place].isNaN { people[person].values[place] = scores[next] }
        next += 1
      }
    }
    return true
  }

  /// Takes the name of a recording or, with an image's ending, of the frame in it: `anna_0012.jpg`.
  mutating func take(name: String) {
    let parts = PathParts(name)
    guard Self.isImage(name), let numbered = NumberedName(parts.stem) else {
      clip = name
      return
    }
    number = number ?? numbered.number
    let prefix = numbered.prefix.trimmingCharacters(in: ["_", "-", " ", "."])
    clip = prefix.isEmpty ? parts.folder : prefix
  }

  /// Whether it is a frame of a recording, called by its name or by that and its subject.
  func isOf(_ recording: String) -> Bool {
    guard let clip else { return false }
    return clip == recording || subject.map { Self.name(of: clip, by: $0) == recording } ?? false
  }

  /// The name of a recording whose own name is that of others' too.
  static func name(of recording: String, by subject: String) -> String { "\(subject)_\(recording)" }

  /// Whether a name is that of an image.
  static func isImage(_ name: String) -> Bool { images.contains(PathParts(name).ending.lowercased()) }

  private static let images: Set = ["jpg", "jpeg", "png", "bmp", "webp", "tif", "tiff"]
}

/// How a file identifies a point of the body.
enum PointID: Hashable, CustomStringConvertible {
  case name(String)
  case number(Int)

  var description: String {
    switch self {
    case .name(let name): name
    case .number(let number): "\(number)"
    }
  }
}

/// The points of a file, each once, in the order of their first appearance.
struct PointList {
  private(set) var ids: [PointID] = []
  private var places: [PointID: Int] = [:]
  /// Whether the numbers of a point have no names, so that a third may be z or a confidence.
  var isPositional = false
  /// How many numbers such a point has.
  var positions = 0
  /// Whether a confidence stands beside such numbers, so that a third is z.
  var hasPlaces = false

  /// The place of a point, which is added if it is new.
  mutating func place(of id: PointID) -> Int {
    if let place = places[id] { return place }
    places[id] = ids.count
    ids.append(id)
    return ids.count - 1
  }

  /// Whether the first points are 0, 1, 2 … so that a list's index is the place.
  mutating func require(count: Int) {
    guard ids.count < count else { return }
    for number in 0..<count { _ = place(of: .number(number)) }
  }
}
