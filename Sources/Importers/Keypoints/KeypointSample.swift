import Datasets
import Files
import PoseModel

/// The first frames of a recording.
struct KeypointSample {
  /// Numbers of people, four a point.
  private(set) var people: [[Float]] = []
  private(set) var points = PointList()
  private(set) var times: [Double] = []
  private(set) var frames = 0
  private(set) var facts = ClipFacts()
  private(set) var others: [String] = []
  /// A table's column of times.
  private var timeName: String?
  /// Lines of comments before a table.
  private var comments = 0
  /// Consecutive frames of the same time and the same places.
  private var copies = 0
  private var repeats = 0
  private var lastPose: [Float] = []
  private var lastKey: Double?
  /// Consecutive frames of the same number or time, and those of them whose people stand apart.
  private var again = 0
  private var apart = 0
  private var fourthParts: [Int] = []
  /// Whether a name says the unit of times.
  private var saysUnit = false
  var isWorld = false

  /// This many frames suffice.
  static let count = 150

  var isEnough: Bool { people.count >= Self.count }

  /// Whether people without numbers follow each other in a frame.
  var isCrowded: Bool { apart > 2 && apart * 2 > again }

  /// How many people take turns from frame to frame, in files that give frames neither numbers nor times: 1 in most.
  var turns: Int {
    guard lastKey == nil, people.count == frames, people.count >= Self.fewestTurns else { return 1 }
    for count in 2...3 {
      let places = people.indices.dropFirst(count)
      let apart = places.count { Self.areApart(people[$0], people[$0 - 1]) }
      let near = places.count { !Self.areApart(people[$0], people[$0 - count]) }
      if apart * 10 >= places.count * 9, near * 10 >= places.count * 9 { return count }
    }
    return 1
  }

  private static let fewestTurns = 20

  /// Whether each frame has a time, and nearly all are later than the one before, but for copies of it.
  var hasTimes: Bool {
    guard !times.isEmpty, times.count == frames, rateOfClock == nil, !areTicks else { return false }
    let falling = zip(times, times.dropFirst()).count { $0 > $1 }
    return falling * 10 <= times.count - 1 && copies * 2 >= repeats
  }

  /// Whether times grow by 512 a frame, as FFmpeg counts them at any rate of an MP4 file.
  private var areTicks: Bool {
    !saysUnit && TimeUnit.step(of: times) == 512 && times.allSatisfy { $0 == $0.rounded() }
  }

  /// Frames a second of times that are whole seconds or so, which several frames share; `nil` for other times.
  var rateOfRepeats: Double? {
    guard !hasTimes, times.count == frames, repeats * 10 > times.count, Set(times).count >= 3,
      zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    // The first and the last may be cut.
    let distinct = Set(times).sorted()
    let whole = times.filter { $0 > distinct[0] && $0 < distinct[distinct.count - 1] }
    let unit = TimeUnit(of: distinct)
    let seconds = (distinct[distinct.count - 1] - distinct[1]) * unit.rawValue / 1e6
    guard seconds > 0, case let rate = (Double(whole.count) / seconds * 100).rounded() / 100 else { return nil }
    return Clip.Info.frameRates.contains(rate) ? rate : nil
  }

  /// Frames a second of clocks whose fourth part counts frames: it grows by 1, and begins again at each second.
  var rateOfClock: Double? {
    guard fourthParts.count == frames, frames > 10, let highest = fourthParts.max(), highest < 60,
      zip(fourthParts, fourthParts.dropFirst()).allSatisfy({ $1 == $0 + 1 || $1 == 0 && $0 == highest })
    else { return nil }
    return fourthParts.contains(0) ? Double(highest + 1) : nil
  }

  /// Frames a second of times that cannot tell frames apart.
  var rate: Double? { rateOfRepeats ?? rateOfClock }

  static func spread(rate: Double) -> String {
    "several frames have the same time: frames are spread evenly, \(rate.shortestDecimal) a second"
  }

  var remarks: [String] {
    var remarks: [String] = []
    if let rate = rateOfClock {
      remarks.append("the clock's last part counts frames, \(rate.shortestDecimal) a second; to change it: --fps N")
    } else if let rate = rateOfRepeats {
      remarks.append(Self.spread(rate: rate) + "; to change it: --fps N")
    } else if times.isEmpty, let timeName {
      remarks.append("\(timeName) is not used: its values are neither numbers nor clock times")
    } else if areTicks {
      remarks.append("times are not used: they grow by 512 a frame, as FFmpeg counts them at any rate")
    } else if !times.isEmpty, !hasTimes {
      remarks.append("times are not used, as they do not increase from frame to frame")
    }
    if turns > 1 {
      remarks.append(
        "\(turns) people take turns from frame to frame: \(turns) of these are read as one with \(turns) people")
    }
    if hasTimes, !saysUnit, let remark = TimeUnit.remark(on: times) { remarks.append(remark) }
    if !others.isEmpty {
      remarks.append(
        "not used: " + others.prefix(12).joined(separator: ", ")
          + (others.count > 12 ? " and \(others.count - 12) more columns" : ""))
      let labels = others.filter(LabelColumns.isLabel)
      if !labels.isEmpty {
        remarks.append("to import labels of frames: --labels \(labels.joined(separator: ","))")
      }
    }
    if comments > 0 {
      remarks.append("\(comments) lines of comments before the header are not used, but for fps, width and height")
    }
    return remarks
  }

  /// Counts columns as used.
  mutating func use(labels: [String]) { others.removeAll(where: labels.contains) }

  /// - Parameters:
  ///   - subject: Who performs in the recording, as the file says.
  ///   - time: The file's, if it is one frame.
  mutating func add(_ file: InputFile, part: ToolPart?, subject: String? = nil, time: Double? = nil) throws {
    var sample = self
    var facts = facts
    let container = KeypointContainer(file)
    do {
      try KeypointFiles.forEachFrame(container, isWorld: isWorld, part: part, facts: &facts) { frame, points in
        var frame = frame
        frame.time = frame.time ?? time
        sample.add(frame, points)
        if sample.isEnough { throw EnoughRead() }
      }
    } catch is EnoughRead {
    } catch is DataError {
      // Reading the recording reveals it.
    }
    sample.facts = facts
    if let table = container.table, let text = KeypointText(table.head) {
      sample.comments = text.comments.count
      sample.timeName = text.timeName
      // Columns of one trial tell nothing apart, and those of several people in a recording no subject.
      let isToldApart = part?.name != nil && text.clip == nil
      let unused = text.sessions.filter { $0 == text.subject ? subject == nil : text.clip == nil }
      let others = text.others + (isToldApart ? [] : unused)
      sample.others = others.sorted().map(text.title)
    }
    self = sample
  }

  private mutating func add(_ frame: KeypointFrame, _ points: PointList) {
    frames += 1
    self.points = points
    let key = frame.number.map(Double.init) ?? frame.time
    let pose = frame.people.first?.values ?? []
    let isApart = key != nil && key == lastKey && Self.areApart(pose, lastPose)
    if key != nil, key == lastKey { again += 1 }
    if isApart { apart += 1 }
    lastKey = key
    if let time = frame.time {
      if frame.timeUnit != nil { saysUnit = true }
      if times.last == time {
        repeats += 1
        if !pose.isEmpty, pose.elementsEqual(lastPose, by: { $0 == $1 || $0.isNaN && $1.isNaN }) { copies += 1 }
        // Several people of one frame have one time.
        if isApart || frame.people.first?.track != nil { copies += 1 }
      }
      times.append(time)
      if let part = frame.fourthPart { fourthParts.append(part) }
    }
    lastPose = pose
    for person in frame.people where person.values.contains(where: \.isFinite) { people.append(person.values) }
  }
}

extension KeypointSample {
  /// Whether two people's middles lie apart by a fifth of their height.
  private static func areApart(_ a: [Float], _ b: [Float]) -> Bool {
    func extent(_ pose: [Float]) -> (middle: SIMD2<Float>, height: Float)? {
      var places: [SIMD2<Float>] = []
      for start in stride(from: 0, to: pose.count - 1, by: KeypointFrame.channels) {
        let place = SIMD2<Float>(pose[start], pose[start + 1])
        if place.x.isFinite, place.y.isFinite, place != .zero { places.append(place) }
      }
      let heights = places.map(\.y)
      guard let lowest = heights.min(), let highest = heights.max() else { return nil }
      let sum = places.reduce(SIMD2<Float>.zero) { $0 + $1 }
      return (sum / Float(places.count), highest - lowest)
    }
    guard let one = extent(a), let other = extent(b) else { return false }
    let apart = one.middle - other.middle
    return max(abs(apart.x), abs(apart.y)) * 5 > max(one.height, other.height)
  }
}
