import Files

/// Searches many movements for copies of each other.
///
/// Two copies share at least half of the shorter one: its end lies at the longer one's start, its start lies at the
/// longer one's end, or all of it lies within. In each case, a window of the shorter one that is nearly as long as what
/// they share lies at a known place of the longer one. For most pairs, comparing the features of these windows (means
/// and amplitudes) already excludes a copy. The shorter movements' windows are kept in trees, and a branch without close
/// windows is skipped: the time grows little faster than the number of movements, as long as few are alike. Where many
/// are, their sketches exclude most pairs at most shifts. No copy is missed: every step compares a lower bound of the
/// distance.
struct CopySearch: Sendable {
  /// How a copy may have been made: the later movement from the earlier one.
  enum Way: String, CaseIterable, Sendable {
    case same
    case mirrored
    case twiceAsFast = "twice as fast"
    case halfAsFast = "half as fast"
  }

  /// A movement and its earlier copy, as indices, with the way that fits best.
  struct Copy: Sendable {
    var one: Int
    var other: Int
    var way: Way
    var match: MotionMatch

    /// Whether it fits better than another copy of the same pair.
    fileprivate func isBetter(than copy: Copy) -> Bool {
      let ways = Way.allCases
      return (match.distance, ways.firstIndex(of: way) ?? 0, match.shift)
        < (copy.match.distance, ways.firstIndex(of: copy.way) ?? 0, copy.match.shift)
    }
  }

  struct Movement: Sendable {
    var fingerprint: MotionFingerprint?
    var subject: String
    var split: String
  }

  private let fingerprints: [MotionFingerprint?]
  private let directions: MainDirections
  /// Of each movement at normal speed.
  private let sketches: [MotionSketch?]
  /// Of each movement played twice as fast.
  private let fastSketches: [MotionSketch?]
  /// A number for each subject within a split. Movements with the same number are not compared with each other.
  private let people: [Int]
  private let distance: Float
  private let share: Float

  /// - Parameters:
  ///   - distance: root mean square distance, in trunk lengths.
  ///   - share: the limit as a share of the movement's own variation.
  init(_ movements: [Movement], distance: Float, share: Float) {
    let fingerprints = movements.map(\.fingerprint)
    let directions = MainDirections(fingerprints)
    func sketch(_ speed: MotionFingerprint.Speed) -> [MotionSketch?] {
      concurrently(fingerprints.count) { fingerprints[$0].map { directions.sketch($0.samples(speed)) } }
    }
    (sketches, fastSketches) = (sketch(.plain), sketch(.fast))
    (self.fingerprints, self.directions) = (fingerprints, directions)
    self.distance = distance
    self.share = share
    var numbers: [[String]: Int] = [:]
    people = movements.enumerated().map { index, movement in
      // Movements without a subject may be of different people.
      let key = [movement.subject, movement.split, movement.subject.isEmpty ? "\(index)" : ""]
      let number = numbers[key, default: numbers.count]
      numbers[key] = number
      return number
    }
  }

  /// The copies, ordered by the later and then by the earlier movement; they do not depend on the number of threads.
  func copies() -> [Copy] {
    var best: [[Int]: Copy] = [:]
    let longest = fingerprints.indices.map { count($0, .plain) }.max() ?? 0
    for length in MotionWindows.lengths.prefix(while: { $0 <= longest }) {
      for place in SharedWindows.Place.allCases {
        let windows = SharedWindows(length, place)
        let speeds = [MotionFingerprint.Speed.plain, .fast]
        let trees = speeds.map { (speed: $0, tree: tree(windows, $0)) }
        let found = concurrently(fingerprints.count) { copies(in: $0, windows, of: trees) }
        for copy in found.joined() where best[[copy.one, copy.other]].map(copy.isBetter) ?? true {
          best[[copy.one, copy.other]] = copy
        }
      }
    }
    return best.values.sorted { ($0.one, $0.other) < ($1.one, $1.other) }
  }

  private func count(_ movement: Int, _ speed: MotionFingerprint.Speed) -> Int {
    fingerprints[movement]?.count(speed) ?? 0
  }

  private func tree(_ windows: SharedWindows, _ speed: MotionFingerprint.Speed) -> WindowTree {
    let movements = fingerprints.indices.filter { !windows.starts(count($0, speed)).isEmpty }
    let parts = concurrently(movements.count) { place in
      fingerprints[movements[place]].map {
        windows.part(movements[place], $0.samples(speed), distance: distance, share: share)
      }
    }
    return WindowTree(
      windows, parts.flatMap { $0?.groups ?? [] }, parts.flatMap { $0?.boxes ?? [] },
      fewest: movements.map { count($0, speed) }.min() ?? .max)
  }

  /// Copies of a movement among the movements of some trees that are at most as long.
  private func copies(
    in longer: Int, _ windows: SharedWindows, of trees: [(speed: MotionFingerprint.Speed, tree: WindowTree)]
  ) -> [Copy] {
    guard let fingerprint = fingerprints[longer] else { return [] }
    var best: [Int: Copy] = [:]
    func look(
      for speed: MotionFingerprint.Speed, _ tree: WindowTree, in samples: MotionSamples, _ timeline: MotionTimeline,
      _ way: (Int) -> Way, _ isShorter: (Int) -> Bool
    ) {
      let sketch = directions.sketch(samples)
      for (shorter, shifts) in tree.near(timeline, count: samples.count)
      where people[shorter] != people[longer] && isShorter(shorter) {
        guard let match = match(shorter, speed, longer, samples, sketch, shifts) else { continue }
        let copy = Copy(one: max(shorter, longer), other: min(shorter, longer), way: way(shorter), match: match)
        if best[shorter].map(copy.isBetter) ?? true { best[shorter] = copy }
      }
    }
    for own in [MotionFingerprint.Speed.plain, .fast] {
      let count = fingerprint.count(own)
      // Movements of the same speed are compared at normal speed only.
      let trees = trees.filter { $0.tree.fewest <= count && (own, $0.speed) != (.fast, .fast) }
      guard !trees.isEmpty else { continue }
      let samples = fingerprint.samples(own)
      let timeline = MotionTimeline(windows.ofLonger(samples))
      for (speed, tree) in trees {
        switch (own, speed) {
        case (.plain, .plain):
          // Of two equally long movements, the earlier one counts as the shorter one.
          func isShorter(_ other: Int) -> Bool { (self.count(other, .plain), other) < (count, longer) }
          look(for: speed, tree, in: samples, timeline, { _ in .same }, isShorter)
          look(for: speed, tree, in: samples.mirrored, timeline.mirrored, { _ in .mirrored }, isShorter)
        case (.plain, .fast):
          look(for: speed, tree, in: samples, timeline, { $0 > longer ? .halfAsFast : .twiceAsFast }) {
            $0 != longer && self.count($0, .fast) < count
          }
        default:
          look(for: speed, tree, in: samples, timeline, { $0 < longer ? .halfAsFast : .twiceAsFast }) {
            $0 != longer && self.count($0, .plain) <= count
          }
        }
      }
    }
    return Array(best.values)
  }

  /// The best match of a shorter and a longer movement at some shifts.
  ///
  /// - Parameters:
  ///   - sketch: The longer one's.
  ///   - shifts: How many samples later the shorter one begins.
  private func match(
    _ shorter: Int, _ speed: MotionFingerprint.Speed, _ longer: Int, _ samples: MotionSamples,
    _ sketch: MotionSketch, _ shifts: [ClosedRange<Int>]
  ) -> MotionMatch? {
    guard let fingerprint = fingerprints[shorter],
      let own = speed == .plain ? sketches[shorter] : fastSketches[shorter]
    else { return nil }
    let isEarlier = shorter < longer
    let (first, second) = isEarlier ? (own, sketch) : (sketch, own)
    var alignments: [MotionPair.Alignment] = []
    for range in shifts {
      for shift in range {
        let shift = isEarlier ? -shift : shift
        let may = first.mayBeNear(second, shift: shift, distance: distance)
        if may.atShift { alignments.append(MotionPair.Alignment(shift: shift, isHalf: false)) }
        if may.between { alignments.append(MotionPair.Alignment(shift: shift, isHalf: true)) }
      }
    }
    guard !alignments.isEmpty else { return nil }
    let shorter = fingerprint.samples(speed)
    let (one, other) = isEarlier ? (shorter, samples) : (samples, shorter)
    return MotionPair(one, other, distance: distance, share: share)?.best(of: alignments)
  }
}

/// Windows that two copies share: of what length, and where.
struct SharedWindows: Sendable {
  /// What a longer movement shares with a shorter one.
  enum Place: CaseIterable, Sendable {
    /// Its start, with the shorter one's end.
    case start
    /// Its end, with the shorter one's start; both are taken backwards.
    case end
    /// Any part, with the whole shorter one.
    case inside
  }

  /// The windows of a movement that begin at up to `step` consecutive samples.
  struct Group: Sendable {
    var movement: Int
    /// The length of the movement, in samples.
    var count: Int
    /// The first sample of the first window.
    var start: Int
    /// The largest squared distance that a copy can have.
    var most: Float
  }

  /// The windows' length, in samples.
  let length: Int
  let place: Place
  /// Samples between two positions in a longer movement.
  let step: Int

  init(_ length: Int, _ place: Place) {
    (self.length, self.place) = (length, place)
    step = MotionWindows.step(length)
  }

  /// The starts of a shorter movement's windows; empty if other lengths are nearer to what is shared.
  ///
  /// A copy that begins half a sample later shares one sample less.
  ///
  /// - Parameter count: The movement's length in samples.
  func starts(_ count: Int) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let next = MotionWindows.lengths.first { $0 > length } ?? .max
    switch place {
    case .start, .end:
      let first = max(0, count - next)
      return first..<max(first, count - max(length, MotionSamples.need(count, count)) + 1)
    case .inside:
      // One of `step` consecutive windows lines up with a position.
      let longest = max(count, MotionFingerprint.fewestSamples + 1)
      guard length + step <= longest, next + MotionWindows.step(next) > longest else { return 0..<0 }
      let first = max(0, count - length - step) / 2
      return first..<first + step
    }
  }

  /// A shorter movement's windows, with a box for each group.
  func part(
    _ movement: Int, _ samples: MotionSamples, distance: Float, share: Float
  ) -> (groups: [Group], boxes: [MotionBox]) {
    let count = samples.count
    // A distance below a share of one movement's variation is below this share of the other's.
    let others = share / (1 - share)
    let own = others * others * samples.variance * Float(count)
    let starts = starts(count)
    let groups = stride(from: starts.lowerBound, to: starts.upperBound, by: step).map { start in
      let shared = place == .inside ? count : count - start
      let most = min(distance * distance * Float(MotionFingerprint.width * shared), own) / Float(length)
      // Slightly larger, to allow for rounding.
      let radius = most.squareRoot() * 1.001 + 1e-4
      return Group(movement: movement, count: count, start: start, most: radius * radius)
    }
    let means = MotionMeans(place == .end ? samples.reversed(count) : samples, step: step, every: 1)
    var boxes = [MotionBox](repeating: MotionBox(), count: groups.count)
    for start in starts.prefix(step) {
      let positions = (starts.upperBound - start + step - 1) / step
      let windows = MotionWindows(means, window: length, from: start, positions: positions)
      for position in 0..<positions { boxes[position].widen(windows, position) }
    }
    return (groups, boxes)
  }

  /// A longer movement's windows.
  func ofLonger(_ samples: MotionSamples) -> MotionWindows {
    switch place {
    case .start, .end:
      // One sample more, for the window that begins half a sample later.
      let part = place == .start ? samples.first(length + 1) : samples.reversed(length + 1)
      return MotionWindows(MotionMeans(part, step: step, every: step), window: length, positions: 1)
    case .inside: return MotionWindows(MotionMeans(samples, step: step, every: step), window: length)
    }
  }

  /// The shifts of a shorter movement that bring one of its windows to a position of a longer one: how many samples
  /// later it begins.
  ///
  /// - Parameter count: The length of the longer movement, in samples.
  func shifts(_ group: Group, at position: Int, count: Int) -> ClosedRange<Int> {
    let last = position * step - group.start
    let first = last - step + 1
    // Backwards, a copy that lies between two samples is one sample away.
    return place == .end ? count - group.count - last - 1...count - group.count - first + 1 : first...last
  }
}

/// A tree of shorter movements' windows.
struct WindowTree: Sendable {
  private struct Node {
    var box: MotionBox
    /// The greatest value of its groups.
    var most: Float
    var extent: Float
    /// The earliest start of its windows.
    var earliest: Int32
    /// The latest start of its windows, minus the length of the movement.
    var latest: Int32
    /// The index of the second half; the first half follows this node. 0 for a single group.
    var second: Int32
    /// The index of its first group.
    var group: Int32
  }

  private let windows: SharedWindows
  /// The length of the shortest movement, in samples.
  let fewest: Int
  private var groups: [SharedWindows.Group]
  private var nodes: [Node] = []

  /// - Parameters:
  ///   - boxes: A box for each group.
  ///   - fewest: The length of the shortest movement, in samples.
  init(_ windows: SharedWindows, _ groups: [SharedWindows.Group], _ boxes: [MotionBox], fewest: Int) {
    (self.windows, self.groups, self.fewest) = (windows, groups, fewest)
    guard !groups.isEmpty else { return }
    var order = Array(groups.indices)
    nodes.reserveCapacity(2 * groups.count)
    func add(_ range: Range<Int>) {
      let box = MotionBox(range.lazy.map { boxes[order[$0]] })
      let number = nodes.count
      var node = Node(
        box: box, most: 0, extent: box.extent, earliest: .max, latest: .min, second: 0,
        group: Int32(range.lowerBound))
      for place in range {
        let group = groups[order[place]]
        node.most = max(node.most, group.most)
        node.earliest = min(node.earliest, Int32(group.start))
        node.latest = max(node.latest, Int32(group.start + windows.step - 1 - group.count))
      }
      nodes.append(node)
      guard range.count > 1 else { return }
      // Splits by the feature in which the windows differ most.
      let widths = box.widths
      let feature = widths.indices.max { widths[$0] < widths[$1] } ?? 0
      let sorted = range.map { (place: boxes[order[$0]][low: feature], group: order[$0]) }.sorted { $0 < $1 }
      for (place, next) in zip(range, sorted) { order[place] = next.group }
      let middle = (range.lowerBound + range.upperBound) / 2
      add(range.lowerBound..<middle)
      nodes[number].second = Int32(nodes.count)
      add(middle..<range.upperBound)
    }
    add(order.indices)
    self.groups = order.map { groups[$0] }
  }

  /// The movements with windows close to a window of another movement, in their order, and all shifts that align them:
  /// how many samples later they begin, as ranges in their order.
  ///
  /// - Parameter count: The length of the other movement, in samples.
  func near(_ others: MotionTimeline, count: Int) -> [(movement: Int, shifts: [ClosedRange<Int>])] {
    guard !nodes.isEmpty else { return [] }
    var near: [(movement: Int, shifts: ClosedRange<Int>)] = []
    let (step, isInside) = (windows.step, windows.place == .inside)
    nodes.withUnsafeBufferPointer { nodes in
      others.spans.withUnsafeBufferPointer { spans in
        func visit(_ node: Int, _ span: Int) {
          let (positions, parts) = (spans[span].positions, spans[span].parts)
          // Half a sample more, if the copy lies between two samples.
          if isInside,
            positions.lowerBound * step > count + Int(nodes[node].latest) + 1
              || (positions.upperBound - 1) * step < Int(nodes[node].earliest) - 1
          {
            return
          }
          if MotionBox.areApart(nodes[node].box, spans[span].box, nodes[node].most) { return }
          let second = Int(nodes[node].second)
          if second > 0, parts.isEmpty || nodes[node].extent > spans[span].extent {
            visit(node + 1, span)
            visit(second, span)
          } else if !parts.isEmpty {
            for part in parts { visit(node, part) }
          } else {
            let group = groups[Int(nodes[node].group)]
            near.append((group.movement, windows.shifts(group, at: span, count: count)))
          }
        }
        visit(0, spans.count - 1)
      }
    }
    near.sort { ($0.movement, $0.shifts.lowerBound) < ($1.movement, $1.shifts.lowerBound) }
    var joined: [(movement: Int, shifts: [ClosedRange<Int>])] = []
    for (movement, shifts) in near {
      let last = joined.count - 1
      guard last >= 0, joined[last].movement == movement else {
        joined.append((movement, [shifts]))
        continue
      }
      let before = joined[last].shifts[joined[last].shifts.count - 1]
      if shifts.lowerBound > before.upperBound + 1 {
        joined[last].shifts.append(shifts)
      } else {
        joined[last].shifts[joined[last].shifts.count - 1] =
          before.lowerBound...max(before.upperBound, shifts.upperBound)
      }
    }
    return joined
  }
}
