import Datasets
import Files
import Foundation
import PoseModel

/// Keypoints as arrays of NumPy: `.npy`, or `.npz` of several arrays.
///
/// An array is frames x points x 2 to 5 numbers, with people or axes of length 1 between frames and points, or frames x
/// all numbers of a person. People may come before frames, and numbers before points (frames x numbers x points, as
/// tensors) or first of all (numbers x frames x points x people, as ST-GCN has them), points before frames, and all x of
/// a frame before all y; which of two readings it is, a body's look tells. In an `.npz`, an array of frames x
/// people x points without numbers is their scores, a list of texts names the points, and several arrays of poses are
/// recordings by their names, without those that have `world` in it if there are others, or joints by their names if
/// each is frames x 2 to 4 numbers. `fps`, `width` and `height` are numbers in it, and `timestamps` (or `times`) one
/// number a frame. NaN is missing.
struct KeypointArrays {
  private let file: InputFile
  private let isWorld: Bool
  private let part: String?

  init(_ file: InputFile, isWorld: Bool = false, part: String? = nil) {
    self.file = file
    self.isWorld = isWorld
    self.part = part
  }

  /// An array's frames, people, points and numbers, and how many values the next of each is away.
  private struct Shape {
    var frames: Int
    var people = 1
    var points: Int
    var positions: Int
    private var steps: (frame: Int, person: Int, point: Int, position: Int)

    /// `nil` for arrays of other shapes.
    ///
    /// - Parameters:
    ///   - named: How many points have names; 0 if none have.
    ///   - isAlone: Whether it is a file's only array, which may be one frame.
    init?(_ shape: [Int], named: Int = 0, isAlone: Bool = false) {
      // Without numbers, the other lengths may be any.
      guard shape.count >= 2, !shape.contains(0) else { return nil }
      func isBody(_ count: Int) -> Bool { PointReader.isCount(count) || count > 1 && count == named }
      let (first, second) = (shape[0], shape[1])
      let (points, positions) = (shape[shape.count - 2], shape[shape.count - 1])
      if shape.count >= 3, (2...5).contains(positions), isBody(points) {
        (self.points, self.positions) = (points, positions)
        let pose = points * positions
        // Nobody records so few frames of so many people.
        if shape.count == 4, (1...10).contains(first), second > 20 {
          (frames, people) = (second, first)
          steps = (pose, second * pose, positions, 1)
          return
        }
        frames = first
        people = shape.dropFirst().dropLast(2).reduce(1, *)
        steps = (people * pose, pose, positions, 1)
        guard (1...100).contains(people) else { return nil }
        return
      }
      if shape.count == 3, (2...4).contains(second), isBody(positions) {
        (frames, self.points, self.positions) = (first, positions, second)
        steps = (second * positions, 0, 1, positions)
        return
      }
      if shape.count == 3 || shape.count == 4, (2...3).contains(first), isBody(shape[2]) {
        (frames, self.points, self.positions) = (second, shape[2], first)
        people = shape.count == 4 ? shape[3] : 1
        steps = (shape[2] * people, 1, people, second * shape[2] * people)
        guard (1...100).contains(people) else { return nil }
        return
      }
      if isAlone, shape.count == 2, (2...5).contains(second), isBody(first) {
        (frames, self.points, self.positions) = (1, first, second)
        steps = (first * second, 0, second, 1)
        return
      }
      let rest = shape.dropFirst().filter { $0 != 1 }
      guard rest.count == 1, let flat = PointReader.flat(rest[0]) else { return nil }
      (frames, self.points, self.positions) = (first, flat.points, flat.positions)
      steps = (rest[0], 0, flat.positions, 1)
    }

    /// The other reading of an array: numbers first of all where people may come first (ST-GCN's), all x before all y in
    /// a row, or points before frames. `nil` for arrays without one.
    init?(turned shape: [Int]) {
      guard !shape.contains(0) else { return nil }
      if shape.count == 4, (2...3).contains(shape[0]), shape[1] > 20, PointReader.isCount(shape[2]), shape[3] <= 5 {
        (frames, people, points, positions) = (shape[1], shape[3], shape[2], shape[0])
        steps = (points * people, 1, people, frames * points * people)
      } else if shape.count == 2, shape[0] > 2, let flat = PointReader.flat(shape[1]) {
        (frames, points, positions) = (shape[0], flat.points, flat.positions)
        steps = (shape[1], 0, 1, flat.points)
      } else if shape.count == 3, PointReader.isCount(shape[0]), (2...5).contains(shape[2]) {
        (frames, points, positions) = (shape[1], shape[0], shape[2])
        steps = (positions, 0, frames * positions, 1)
      } else {
        return nil
      }
    }

    /// The readings of an array that are possible, the usual one first.
    static func all(_ shape: [Int], named: Int = 0, isAlone: Bool = false) -> [Shape] {
      [Shape(shape, named: named, isAlone: isAlone), Shape(turned: shape)].compactMap(\.self)
    }

    /// Four numbers a point of a person in some frames.
    func sample(_ values: [Float]) -> [[Float]] {
      stride(from: 0, to: frames, by: max(1, frames / 20)).map { frame in
        (0..<points).flatMap { point in
          (0..<KeypointFrame.channels).map { channel in
            channel < 2 ? values[place(frame, 0, point, channel)] : .nan
          }
        }
      }
    }

    /// The place of a number among the array's values.
    func place(_ frame: Int, _ person: Int, _ point: Int, _ position: Int) -> Int {
      frame * steps.frame + person * steps.person + point * steps.point + position * steps.position
    }

    /// The place of a point's score in an array beside, of people before frames if this one is.
    func score(_ frame: Int, _ person: Int, _ point: Int) -> Int {
      (steps.person > steps.frame ? person * frames + frame : frame * people + person) * points + point
    }
  }

  static func isOurs(_ file: InputFile) -> Bool {
    guard file.ending == "npz" else {
      return (try? NumpyArray.shape(of: file)).map { !Shape.all($0, isAlone: true).isEmpty } ?? false
    }
    return (try? NumpyArchive(file)).map { !poses(in: $0, isWorld: true).isEmpty || !joints(in: $0).isEmpty } ?? false
  }

  /// Whether a file is one frame.
  static func isFrame(_ file: InputFile) -> Bool {
    (try? NumpyArray.shape(of: file)).flatMap { Shape($0, isAlone: true) }?.frames == 1
  }

  /// What of a file is not understood.
  static func complaint(_ file: InputFile) -> DataError? {
    guard file.ending == "npy", let shape = try? NumpyArray.shape(of: file) else { return nil }
    return DataError(
      file: file.name,
      expected: "frames x points x 2 to 5 numbers, with as many points as a known skeleton has "
        + "(\(EstimatorSkeleton.sizes)), or frames x all numbers of a person; --mapping FILE names other points",
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
    var names: [String] = []
    var joined: NumpyArray?
    if file.ending == "npz" {
      let archive = try NumpyArchive(file)
      if let name = part ?? Self.poses(in: archive, isWorld: isWorld).first {
        guard let found = try archive.array(name) else { return }
        input = found
        names = Self.names(in: archive)
      } else {
        names = isWorld ? [] : Self.joints(in: archive)
        guard let array = try Self.join(names, of: archive) else { return }
        joined = array
      }
      facts.add(try Self.facts(in: archive))
      times = try Self.times(in: archive)
      scores = try Self.scores(in: archive)
    } else if isWorld {
      return
    }
    let array = try joined ?? NumpyArray(input)
    try array.requireNoInfinity(input.name)
    let shapes = Shape.all(array.shape, named: names.count, isAlone: file.ending == "npy")
    guard let shape = Self.likely(shapes, array.values) else {
      throw DataError(
        file: input.name, expected: "frames x points x 2 to 5 numbers, or frames x all numbers of a person",
        found: array.shape.map(String.init).joined(separator: " x "))
    }
    let frames = shape.frames
    if let count = times?.values.count, count != frames {
      throw DataError(file: file.name, expected: "\(frames) times, one a frame", found: "\(count)")
    }
    if let given = scores, given.values.count != frames * shape.people * shape.points { scores = nil }
    var points = PointList()
    if names.count == shape.points {
      for name in names { _ = points.place(of: .name(name)) }
    } else {
      points.require(count: shape.points)
    }
    (points.isPositional, points.positions, points.hasPlaces) = (true, shape.positions, scores != nil)
    for frame in 0..<frames {
      var found = KeypointFrame(number: frame)
      if let times { (found.time, found.timeUnit) = (times.values[frame], times.unit) }
      for person in 0..<shape.people {
        var pose = [Float](repeating: .nan, count: shape.points * KeypointFrame.channels)
        for point in 0..<shape.points {
          for position in 0..<min(shape.positions, KeypointFrame.channels) {
            pose[point * KeypointFrame.channels + position] =
              array.values[shape.place(frame, person, point, position)]
          }
          if let scores {
            pose[point * KeypointFrame.channels + Channel.confidence.index] =
              scores.values[shape.score(frame, person, point)]
          }
        }
        // Arrays are filled up with zeros where there are fewer people.
        if pose.contains(where: { $0.isFinite && $0 != 0 }) { found.people.append(KeypointFrame.Person(values: pose)) }
      }
      try body(found, points)
    }
  }

  /// The first reading, unless a body clearly fits another one better.
  private static func likely(_ shapes: [Shape], _ values: [Float]) -> Shape? {
    guard shapes.count > 1 else { return shapes.first }
    let scores = shapes.map { SkeletonChoice.strangeness(of: $0.sample(values), count: $0.points) ?? .infinity }
    return scores[1] * SkeletonChoice.clear < scores[0] && scores[1] < SkeletonChoice.sound ? shapes[1] : shapes[0]
  }

  /// The names of an archive's arrays of poses.
  private static func poses(in archive: NumpyArchive, isWorld: Bool) -> [String] {
    let named = names(in: archive).count
    let names = archive.names.filter { name in
      guard isWorld || !FrameKey.plain(name).contains("world"), let entry = try? archive.array(name),
        let shape = try? NumpyArray.shape(of: entry)
      else { return false }
      return Shape(shape, named: named) != nil
    }
    return names.sorted { ($0.contains("world") ? 1 : 0, $0) < ($1.contains("world") ? 1 : 0, $1) }
  }

  /// The names of arrays of a joint each, frames x 2 to 4 numbers; empty if there are few.
  private static func joints(in archive: NumpyArchive) -> [String] {
    var shapes: Set<[Int]> = []
    var joints: [String] = []
    for name in archive.names where PointReader.isKnown(name) {
      guard let entry = try? archive.array(name), let shape = try? NumpyArray.shape(of: entry), shape.count == 2,
        (2...4).contains(shape[1])
      else { continue }
      shapes.insert(shape)
      joints.append(name)
    }
    return joints.count > 4 && shapes.count == 1 ? joints : []
  }

  /// Arrays of a joint each as frames x joints x numbers; `nil` for none.
  ///
  /// - Throws: `DataError` if one cannot be read, or all together are more than a clip may have.
  private static func join(_ joints: [String], of archive: NumpyArchive) throws -> NumpyArray? {
    var arrays: [NumpyArray] = []
    for joint in joints {
      guard let entry = try archive.array(joint) else { return nil }
      arrays.append(try NumpyArray(entry))
    }
    guard let shape = arrays.first?.shape else { return nil }
    let width = shape[1]
    try ClipSize.check(frames: shape[0], of: width * joints.count, file: joints[0])
    var values: [Float] = []
    values.reserveCapacity(shape[0] * width * joints.count)
    for frame in 0..<shape[0] {
      for array in arrays { values += array.values[frame * width..<(frame + 1) * width] }
    }
    return NumpyArray(shape: [shape[0], joints.count, width], values: values)
  }

  /// The names of points; empty without any.
  private static func names(in archive: NumpyArchive) -> [String] {
    for name in archive.names {
      guard let entry = try? archive.array(name), let texts = texts(entry), Set(texts).count == texts.count,
        texts.count(where: PointReader.isKnown) > 4
      else { continue }
      return texts
    }
    return []
  }

  /// The texts of an array of texts; `nil` for other arrays.
  ///
  /// - Source: NEP 1, and the documentation of `numpy.dtype`: `U` has four bytes a letter and `S` one, filled up with 0.
  private static func texts(_ file: InputFile) -> [String]? {
    let bytes = file.bytes
    let base = bytes.startIndex
    guard bytes.count > 10, bytes[base] == 0x93, bytes[base + 6] == 1 else { return nil }
    let start = base + 10 + Int(bytes[base + 8]) + Int(bytes[base + 9]) << 8
    guard start < bytes.endIndex,
      let match = String(decoding: bytes[(base + 10)..<start], as: UTF8.self).firstMatch(
        of: /'descr': '[<|]([US])([0-9]{1,3})'/), let length = Int(match.2), length > 0
    else { return nil }
    let letter = match.1 == "U" ? 4 : 1
    guard (bytes.endIndex - start) % (letter * length) == 0, bytes.endIndex - start <= 1 << 20 else { return nil }
    return stride(from: start, to: bytes.endIndex, by: letter * length).map { place in
      var text = ""
      for byte in stride(from: place, to: place + letter * length, by: letter) {
        let code = (0..<letter).reduce(UInt32(0)) { $0 | UInt32(bytes[byte + $1]) << (8 * UInt32($1)) }
        guard code > 0, let scalar = Unicode.Scalar(code) else { break }
        text.unicodeScalars.append(scalar)
      }
      return text
    }
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
      case .fps: if Clip.Info.frameRates.contains(value) { facts.fps = value }
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
