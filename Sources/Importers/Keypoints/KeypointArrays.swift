import Files
import PoseModel

/// Keypoints as arrays of NumPy: `.npy`, or `.npz` of several arrays.
///
/// An array is frames x points x 2 to 5 numbers, with people or axes of length 1 between frames and points, or frames x
/// all numbers of a person. In an `.npz`, an array of frames x people x points without numbers is their scores;
/// several arrays of poses are recordings by their names, without those that have `world` in it if there are others.
/// `fps`, `width` and `height` are numbers in it, and `timestamps` (or `times`) one number a frame. NaN is missing.
struct KeypointArrays {
  private let file: InputFile
  private let isWorld: Bool
  private let part: String?

  init(_ file: InputFile, isWorld: Bool = false, part: String? = nil) {
    self.file = file
    self.isWorld = isWorld
    self.part = part
  }

  /// People, points and numbers of an array's frames.
  private struct Shape {
    var people: Int
    var points: Int
    var positions: Int

    /// `nil` for arrays of other shapes.
    init?(_ shape: [Int]) {
      guard shape.count >= 2 else { return nil }
      if shape.count >= 3, let positions = shape.last, (2...5).contains(positions),
        PointReader.isCount(shape[shape.count - 2])
      {
        points = shape[shape.count - 2]
        self.positions = positions
        people = shape.dropFirst().dropLast(2).reduce(1, *)
        guard (1...100).contains(people) else { return nil }
        return
      }
      let rest = shape.dropFirst().filter { $0 != 1 }
      guard rest.count == 1, let flat = PointReader.flat(rest[0]) else { return nil }
      (people, points, positions) = (1, flat.points, flat.positions)
    }
  }

  static func isOurs(_ file: InputFile) -> Bool {
    guard file.ending == "npz" else { return (try? NumpyArray.shape(of: file)).flatMap(Shape.init) != nil }
    return (try? NumpyArchive(file)).map { !poses(in: $0, isWorld: true).isEmpty } ?? false
  }

  /// What of a file is not understood.
  static func complaint(_ file: InputFile) -> DataError? {
    guard file.ending == "npy", let shape = try? NumpyArray.shape(of: file) else { return nil }
    return DataError(
      file: file.name,
      expected: "frames x points x 2 to 5 numbers, with as many points as a known skeleton has "
        + "(\(EstimatorSkeleton.sizes)), or frames x all numbers of a person",
      found: shape.map(String.init).joined(separator: " x "))
  }

  /// The names of an archive's recordings; empty if it has one.
  static func parts(_ file: InputFile) throws -> [String] {
    guard file.ending == "npz" else { return [] }
    let archive = try NumpyArchive(file)
    let names = poses(in: archive, isWorld: false)
    let shapes = Set(
      try names.map { name in try archive.array(name).map { try Array(NumpyArray.shape(of: $0).dropFirst()) } })
    return names.count > 1 && shapes.count == 1 ? names : []
  }

  func forEachFrame(facts: inout ClipFacts, _ body: (KeypointFrame, PointList) throws -> Void) throws {
    var input = file
    var times: (values: [Double], unit: TimeUnit?)?
    var scores: NumpyArray?
    if file.ending == "npz" {
      let archive = try NumpyArchive(file)
      let names = Self.poses(in: archive, isWorld: isWorld)
      guard let name = part ?? names.first, let found = try archive.array(name) else { return }
      input = found
      facts.add(try Self.facts(in: archive))
      times = try Self.times(in: archive)
      scores = try Self.scores(in: archive)
    } else if isWorld {
      return
    }
    let array = try NumpyArray(input)
    try array.requireNoInfinity(input.name)
    guard let shape = Shape(array.shape) else {
      throw DataError(
        file: input.name, expected: "frames x points x 2 to 5 numbers, or frames x all numbers of a person",
        found: array.shape.map(String.init).joined(separator: " x "))
    }
    let frames = array.shape[0]
    if let count = times?.values.count, count != frames {
      throw DataError(file: file.name, expected: "\(frames) times, one a frame", found: "\(count)")
    }
    if let given = scores, given.values.count != frames * shape.people * shape.points { scores = nil }
    var points = PointList()
    points.require(count: shape.points)
    (points.isPositional, points.positions, points.hasPlaces) = (true, shape.positions, scores != nil)
    let width = shape.points * shape.positions
    for frame in 0..<frames {
      var found = KeypointFrame(number: frame)
      if let times { (found.time, found.timeUnit) = (times.values[frame], times.unit) }
      for person in 0..<shape.people {
        var pose = [Float](repeating: .nan, count: shape.points * KeypointFrame.channels)
        let start = (frame * shape.people + person) * width
        for point in 0..<shape.points {
          for position in 0..<min(shape.positions, KeypointFrame.channels) {
            pose[point * KeypointFrame.channels + position] = array.values[start + point * shape.positions + position]
          }
          if let scores {
            pose[point * KeypointFrame.channels + Channel.confidence.index] =
              scores.values[(frame * shape.people + person) * shape.points + point]
          }
        }
        // Arrays are filled up with zeros where there are fewer people.
        if pose.contains(where: { $0.isFinite && $0 != 0 }) { found.people.append(KeypointFrame.Person(values: pose)) }
      }
      try body(found, points)
    }
  }

  /// The names of an archive's arrays of poses.
  private static func poses(in archive: NumpyArchive, isWorld: Bool) -> [String] {
    let names = archive.names.filter { name in
      guard isWorld || !FrameKey.plain(name).contains("world"), let entry = try? archive.array(name),
        let shape = try? NumpyArray.shape(of: entry)
      else { return false }
      return Shape(shape) != nil
    }
    return names.sorted { ($0.contains("world") ? 1 : 0, $0) < ($1.contains("world") ? 1 : 0, $1) }
  }

  private static func scores(in archive: NumpyArchive) throws -> NumpyArray? {
    for name in archive.names {
      let plain = FrameKey.plain(name)
      guard ["score", "conf", "visib", "prob"].contains(where: plain.contains), let entry = try archive.array(name),
        let shape = try? NumpyArray.shape(of: entry), shape.count >= 2
      else { continue }
      return try NumpyArray(entry)
    }
    return nil
  }

  private static func facts(in archive: NumpyArchive) throws -> ClipFacts {
    var facts = ClipFacts()
    var (width, height): (Int?, Int?)
    for name in archive.names {
      guard let key = FrameKey(name), let entry = try archive.array(name), let values = NumpyArray.numbers(entry),
        values.count == 1, case let value = values[0]
      else {
        continue
      }
      switch key {
      case .fps: if value > 0, value <= 1000 { facts.fps = value }
      case .width: width = Int(exactly: value)
      case .height: height = Int(exactly: value)
      default: break
      }
    }
    if let width, let height { facts.size = ImageSize(width: width, height: height) }
    return facts
  }

  private static func times(in archive: NumpyArchive) throws -> (values: [Double], unit: TimeUnit?)? {
    for name in archive.names {
      guard case .time(let unit)? = FrameKey(name), let entry = try archive.array(name),
        let numbers = NumpyArray.numbers(entry), numbers.count > 1, numbers.allSatisfy(\.isFinite)
      else { continue }
      return (numbers, FrameKey.plain(name) == "timestamps" ? nil : unit)
    }
    return nil
  }
}
