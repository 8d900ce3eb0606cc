import Datasets
import Files
import Foundation
import PoseModel

/// Keypoints as arrays of NumPy: `.npy`, or `.npz` of several arrays.
///
/// An array is frames x points x 2 to 5 numbers, with people or axes of length 1 between frames and points, or frames x
/// all numbers of a person. Its axes may have another order, such as frames x numbers x points, as tensors, or numbers x
/// frames x points x people, as ST-GCN has them, and all x of a frame may be before all y; which of several readings it
/// is, a body's look tells. In an `.npz`, an array of frames x
/// people x points without numbers is their scores, a list of texts names the points, and several arrays of poses are
/// recordings by their names, without those that have `world` in it if there are others, or joints by their names if
/// each is frames x 2 to 4 numbers, or axes (`x`, `y`, `z`) if each is frames x points. `fps`, `width` and `height` are
/// numbers in it, and `timestamps` (or `times`) one number a frame. NaN is missing.
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
    private var start = 0

    private enum Role { case frame, person, point, position }

    /// What the lengths of an array are, the usual orders first. The further ones are possible if it is a file's only
    /// array: others may be anything.
    private static let usual: [[Role]] = [
      [.person, .frame, .point, .position], [.frame, .person, .point, .position], [.frame, .point, .position],
      [.frame, .position, .point], [.position, .frame, .point], [.position, .frame, .point, .person],
    ]
    private static let further: [[Role]] = [
      [.point, .frame, .position], [.point, .position, .frame], [.position, .point, .frame],
    ]

    /// - Parameters:
    ///   - named: How many points have names; 0 if none have.
    ///   - lead: How many numbers stand before those of points, such as the frame's.
    private init?(_ shape: [Int], _ roles: [Role], named: Int, lead: Int = 0) {
      guard shape.count == roles.count else { return nil }
      var lengths: [Role: Int] = [.person: 1]
      var steps: [Role: Int] = [.person: 0]
      var step = 1
      for (role, length) in zip(roles, shape).reversed() {
        (lengths[role], steps[role]) = (length, step)
        step *= length
      }
      guard let frames = lengths[.frame], let people = lengths[.person], let positions = lengths[.position],
        let points = lengths[.point].map({ $0 - lead }), PointReader.isCount(points) || points > 1 && points == named
      else { return nil }
      let most = roles.first == .position ? 3 : roles.last == .position ? 5 : 4
      // Nobody records so few frames of so many people.
      guard (2...most).contains(positions), roles.first == .person ? people <= 10 && frames > 20 : people <= 100 else {
        return nil
      }
      (self.frames, self.people, self.points, self.positions) = (frames, people, points, positions)
      self.steps = (
        steps[.frame, default: 0], steps[.person, default: 0], steps[.point, default: 0], steps[.position, default: 0]
      )
      start = lead
    }

    /// An array whose last length has all numbers of a person.
    private init(
      frames: Int, people: Int = 1, points: Int, positions: Int, width: Int, isPlanar: Bool = false
    ) {
      (self.frames, self.people, self.points, self.positions) = (frames, people, points, positions)
      steps = (people * width, width, isPlanar ? 1 : positions, isPlanar ? points : 1)
    }

    /// The readings of an array that are possible, the usual one first; empty for other arrays.
    ///
    /// - Parameters:
    ///   - named: How many points have names; 0 if none have.
    ///   - isAlone: Whether it is a file's only array, which may be one frame.
    static func all(_ shape: [Int], named: Int = 0, isAlone: Bool = false) -> [Shape] {
      // Without numbers, the other lengths may be any.
      guard shape.count >= 2, !shape.contains(0) else { return [] }
      let long = shape.filter { $0 != 1 }
      let own = shape.count > 4 ? long : shape
      var found = (usual + (isAlone ? further : [])).compactMap { Shape(own, $0, named: named) }
      if shape.count == 2, isAlone, let frame = Shape([1] + shape, [.frame, .point, .position], named: named) {
        found.append(frame)
      }
      guard found.isEmpty else { return found }
      // MM-Fit's, with the frame's number first.
      if isAlone, let shape = Shape(own, [.position, .frame, .point], named: named, lead: 1) { return [shape] }
      let width = shape[shape.count - 1]
      let rest = shape.dropFirst().filter { $0 != 1 }
      guard rest.count == 1, let flat = PointReader.flat(rest[0]) else {
        // MoveNet's of several people, with a box after the points.
        guard isAlone, shape.count == 3, width == 56, shape[1] <= 100 else { return [] }
        return [Shape(frames: shape[0], people: shape[1], points: 17, positions: 3, width: width)]
      }
      return (shape.count == 2 && shape[0] > 2 ? [false, true] : [false]).map {
        Shape(frames: shape[0], points: flat.points, positions: flat.positions, width: rest[0], isPlanar: $0)
      }
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
      start + frame * steps.frame + person * steps.person + point * steps.point + position * steps.position
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
    guard let archive = try? NumpyArchive(file) else { return false }
    return !poses(in: archive, isWorld: true).isEmpty || !joints(in: archive).isEmpty || !axes(in: archive).isEmpty
  }

  /// Whether a file is one frame.
  static func isFrame(_ file: InputFile) -> Bool {
    (try? NumpyArray.shape(of: file)).flatMap { Shape.all($0, isAlone: true).first }?.frames == 1
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
        let (joints, axes): ([String], [String]) =
          isWorld ? ([], []) : (Self.joints(in: archive), Self.axes(in: archive))
        names = joints.isEmpty ? Self.names(in: archive) : joints
        guard let array = try Self.join(joints, of: archive) ?? Self.stack(axes, of: archive) else { return }
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
    let shapes = Shape.all(array.shape, named: names.count, isAlone: file.ending != "npz")
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
    guard let best = scores.indices.min(by: { scores[$0] < scores[$1] }), scores[best] < SkeletonChoice.sound,
      scores[best] * SkeletonChoice.clear < scores[0]
    else { return shapes[0] }
    return shapes[best]
  }

  /// The names of an archive's arrays of poses.
  private static func poses(in archive: NumpyArchive, isWorld: Bool) -> [String] {
    let named = names(in: archive).count
    let names = archive.names.filter { name in
      guard isWorld || !FrameKey.plain(name).contains("world"), let entry = try? archive.array(name),
        let shape = try? NumpyArray.shape(of: entry)
      else { return false }
      return !Shape.all(shape, named: named).isEmpty
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

  /// The names of arrays of all x, all y and, if there, all z, each frames x points; empty for others.
  private static func axes(in archive: NumpyArchive) -> [String] {
    var names: [Channel: String] = [:]
    var shapes: Set<[Int]> = []
    for name in archive.names {
      guard let channel = PointReader.channel(FrameKey.plain(name)), channel != .confidence, names[channel] == nil,
        let entry = try? archive.array(name), let shape = try? NumpyArray.shape(of: entry), shape.count == 2
      else { continue }
      names[channel] = name
      shapes.insert(shape)
    }
    guard names[.x] != nil, names[.y] != nil, shapes.count == 1 else { return [] }
    return [Channel.x, .y, .z].compactMap { names[$0] }
  }

  /// Arrays of an axis each as frames x points x axes; `nil` for none.
  ///
  /// - Throws: `DataError` if one cannot be read, or all together are more than a clip may have.
  private static func stack(_ axes: [String], of archive: NumpyArchive) throws -> NumpyArray? {
    let arrays = try axes.compactMap { try archive.array($0) }.map { try NumpyArray($0) }
    guard let shape = arrays.first?.shape else { return nil }
    try ClipSize.check(frames: shape[0], of: shape[1] * arrays.count, file: axes[0])
    let values = (0..<shape[0] * shape[1]).flatMap { place in arrays.map { $0.values[place] } }
    return NumpyArray(shape: shape + [arrays.count], values: values)
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
      return (numbers, unit)
    }
    return nil
  }
}
