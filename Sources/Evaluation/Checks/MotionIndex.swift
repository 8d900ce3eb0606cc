/// Movements by what their stretches look like on average, so that those which come near to another are found without looking
/// at all of them: n log n, where n² pairs would be searched.
///
/// A match is near on average over all that two movements share. So in at least one of the stretches that a grid cuts it into
/// they are about as near, and their mean poses in this stretch are no further apart than the poses themselves (Jensen's
/// inequality). The mean poses of all stretches of the grid stand in a tree of boxes; those of a movement's own stretches, at
/// every shift, are looked up in it. What is left out can't match; what is found is searched.
struct MotionIndex {
  /// Where one movement may match another: shifts by 8 q + 1 to 8 q + 8 samples, as `MotionFingerprint.match` takes them.
  typealias Shifts = Set<Int>

  /// Who is who; a pair of one class needs no look.
  private let classes: [Int?]
  private let levels: [Level]

  /// Samples of a stretch: 1, 2, 4, …
  private struct Level {
    /// Of the movements that are compared at this level and no other, by the joints that they have.
    var own: [UInt16: BoxTree] = [:]
    /// Of longer ones, which are compared at this level with shorter ones.
    var longer: [UInt16: BoxTree] = [:]
  }

  /// - Parameters:
  ///   - movements: `nil` for a clip without one.
  ///   - classes: of each; movements of the same class are not compared. `nil` for one that is compared with all.
  init(_ movements: [MotionFingerprint?], classes: [Int?]) {
    self.classes = classes
    let found = movements.enumerated().compactMap { index, movement in movement.map { (index, $0) } }
    let used = Set(found.map { $0.1.level })
    levels = (0...(used.max() ?? 0)).map { level in
      guard used.contains(level) else { return Level() }
      func trees(_ isTaken: (Int) -> Bool) -> [UInt16: BoxTree] {
        var entries: [UInt16: [BoxTree.Entry]] = [:]
        for (index, movement) in found where isTaken(movement.level) {
          for (place, pose) in movement.gridMeans(level: level) {
            entries[movement.joints, default: []].append(
              BoxTree.Entry(pose: pose, movement: index, place: place, group: classes[index]))
          }
        }
        return entries.mapValues { BoxTree($0) }
      }
      return Level(own: trees { $0 == level }, longer: trees { $0 > level })
    }
  }

  /// The movements before a position that may match one, with the shifts at which they may.
  ///
  /// - Parameter limit: root mean square distance, in trunk lengths.
  func candidates(of movement: MotionFingerprint, before end: Int, in group: Int?, distance limit: Float) -> [Int:
    Shifts]
  {
    var found: [Int: Shifts] = [:]
    for level in 0...min(movement.level, levels.count - 1) {
      let boxes = movement.slidingMeans(level: level)
      let trees = [levels[level].own] + (level == movement.level ? [levels[level].longer] : [])
      for (joints, tree) in trees.joined() {
        let both = joints & movement.joints
        guard both.nonzeroBitCount >= MotionFingerprint.fewestJoints else { continue }
        // The grid's stretches that lie within a match hold three quarters of it or more. A little more is for rounding.
        let most = limit * limit * Float(2 * both.nonzeroBitCount) * 4 / 3 * 1.001
        tree.forEach(within: most, of: boxes.map(\.box), by: JointMask(both), before: end, outside: group) {
          entry, box in
          let shift = entry.place - boxes[box].start
          found[entry.movement, default: []].formUnion((shift - MotionFingerprint.group) >> 3...(shift - 1) >> 3)
        }
      }
    }
    return found
  }
}

extension MotionFingerprint {
  /// How long the stretches are in which it is compared: 2 to this many samples, an eighth at most of what a match of it
  /// needs.
  fileprivate var level: Int {
    (fewestShared(with: self) / 8).bitWidth - 1 - (fewestShared(with: self) / 8).leadingZeroBitCount
  }

  /// The mean poses of stretches that follow each other, with where they begin.
  fileprivate func gridMeans(level: Int) -> [(place: Int, pose: MeanPose)] {
    stride(from: 0, through: count - 1 << level, by: 1 << level).map { start in
      var sum = MeanPose()
      for sample in start..<start + 1 << level { sum.add(pose(sample)) }
      return (start, sum.divided(by: Float(1 << level)))
    }
  }

  /// Boxes around the mean poses of the stretches that begin at `start` and at the eight samples after it.
  fileprivate func slidingMeans(level: Int) -> [(start: Int, box: PoseBox)] {
    let length = 1 << level
    let last = count - length
    guard last >= 0 else { return [] }
    var sum = MeanPose()
    for sample in 0..<length { sum.add(pose(sample)) }
    var means = [sum.divided(by: Float(length))]
    means.reserveCapacity(last + 1)
    for start in 0..<last {
      sum.add(pose(start + length))
      sum.subtract(pose(start))
      means.append(sum.divided(by: Float(length)))
    }
    return stride(from: 0, through: last, by: Self.group).map { start in
      (start, PoseBox(around: means[start...min(start + Self.group, last)]))
    }
  }

  private func pose(_ sample: Int) -> MeanPose { MeanPose(samples, at: sample * Self.width) }
}

/// The coordinates of all joints.
private struct MeanPose {
  var parts = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)

  init() {}

  init(_ samples: [Float], at place: Int) {
    func part(_ column: Int) -> SIMD8<Float> { SIMD8(samples[place + column..<place + column + 8]) }
    parts = (part(0), part(8), part(16))
  }

  mutating func add(_ other: MeanPose) {
    parts = (parts.0 + other.parts.0, parts.1 + other.parts.1, parts.2 + other.parts.2)
  }

  mutating func subtract(_ other: MeanPose) {
    parts = (parts.0 - other.parts.0, parts.1 - other.parts.1, parts.2 - other.parts.2)
  }

  func divided(by count: Float) -> MeanPose {
    var mean = self
    mean.parts = (parts.0 / count, parts.1 / count, parts.2 / count)
    return mean
  }

  /// Of a joint's x or y.
  subscript(_ column: Int) -> Float {
    switch column / 8 {
    case 0: parts.0[column % 8]
    case 1: parts.1[column % 8]
    default: parts.2[column % 8]
    }
  }
}

/// The least and the greatest of some poses' coordinates.
private struct PoseBox {
  private(set) var low: MeanPose
  private(set) var high: MeanPose

  init(_ pose: MeanPose) { (low, high) = (pose, pose) }

  init(around poses: some Collection<MeanPose>) {
    self.init(poses.first ?? MeanPose())
    for pose in poses.dropFirst() { include(PoseBox(pose)) }
  }

  mutating func include(_ other: PoseBox) {
    let (a, b) = (low.parts, other.low.parts)
    low.parts = (pointwiseMin(a.0, b.0), pointwiseMin(a.1, b.1), pointwiseMin(a.2, b.2))
    let (c, d) = (high.parts, other.high.parts)
    high.parts = (pointwiseMax(c.0, d.0), pointwiseMax(c.1, d.1), pointwiseMax(c.2, d.2))
  }

  /// The squared distance between two boxes, of the joints that both have.
  func distance(to other: PoseBox, by mask: JointMask) -> Float {
    @inline(__always) func part(
      _ low: SIMD8<Float>, _ high: SIMD8<Float>, _ otherLow: SIMD8<Float>, _ otherHigh: SIMD8<Float>
    ) -> SIMD8<Float> {
      let gap = pointwiseMax(pointwiseMax(low - otherHigh, otherLow - high), .zero)
      return gap * gap
    }
    let (low, high, otherLow, otherHigh) = (low.parts, high.parts, other.low.parts, other.high.parts)
    return
      (part(low.0, high.0, otherLow.0, otherHigh.0) * mask.parts.0
      + part(low.1, high.1, otherLow.1, otherHigh.1) * mask.parts.1
      + part(low.2, high.2, otherLow.2, otherHigh.2) * mask.parts.2).sum()
  }

  /// The coordinate that differs most.
  var widest: Int {
    (0..<MotionFingerprint.width).max { high[$0] - low[$0] < high[$1] - low[$1] } ?? 0
  }
}

/// Poses in boxes within boxes, halved where they differ most.
private struct BoxTree {
  struct Entry {
    var pose: MeanPose
    var movement: Int
    /// The sample that its stretch begins at.
    var place: Int
    var group: Int?
  }

  private struct Node {
    var box: PoseBox
    var entries: Range<Int>
    /// The first movement that it holds.
    var first: Int
    /// Of all that it holds; `nil` where they are of several.
    var group: Int?
    /// Positions of the halves; `nil` for a leaf.
    var halves: (Int, Int)?
  }

  private var entries: [Entry]
  private var nodes: [Node] = []

  /// As many as are looked at one by one.
  private static let leafSize = 8

  /// - Precondition: there are entries.
  init(_ entries: [Entry]) {
    self.entries = entries
    _ = build(entries.indices)
  }

  /// Adds a node for a range of the entries, which it puts in order, and those below it; returns its position.
  private mutating func build(_ range: Range<Int>) -> Int {
    let position = nodes.count
    let own = entries[range]
    let group = own.first?.group
    nodes.append(
      Node(
        box: PoseBox(around: own.lazy.map(\.pose)), entries: range, first: own.map(\.movement).min() ?? 0,
        group: own.allSatisfy { $0.group == group } ? group : nil))
    guard range.count > Self.leafSize else { return position }
    let column = nodes[position].box.widest
    entries[range].sort { $0.pose[column] < $1.pose[column] }
    let middle = range.lowerBound + range.count / 2
    nodes[position].halves = (build(range.lowerBound..<middle), build(middle..<range.upperBound))
    return position
  }

  /// Calls `body` with each entry that is near to a box, and the box's position.
  ///
  /// - Parameters:
  ///   - most: squared distance.
  ///   - end: only movements before it.
  ///   - group: movements of this one are passed over; `nil` for none.
  func forEach(
    within most: Float, of boxes: [PoseBox], by mask: JointMask, before end: Int, outside group: Int?,
    _ body: (Entry, Int) -> Void
  ) {
    func visit(_ position: Int, _ near: [Int]) {
      let node = nodes[position]
      guard node.first < end, group == nil || node.group != group else { return }
      let near = near.filter { boxes[$0].distance(to: node.box, by: mask) <= most }
      guard !near.isEmpty else { return }
      if let (one, other) = node.halves {
        visit(one, near)
        visit(other, near)
        return
      }
      for entry in entries[node.entries] where entry.movement < end && (group == nil || entry.group != group) {
        let point = PoseBox(entry.pose)
        for box in near where boxes[box].distance(to: point, by: mask) <= most { body(entry, box) }
      }
    }
    visit(0, Array(boxes.indices))
  }
}
