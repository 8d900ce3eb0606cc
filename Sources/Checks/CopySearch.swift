import Dispatch
import Synchronization

/// Searches many movements for copies of each other.
///
/// Two copies share at least half of the shorter one. This half contains at least one of a few fixed windows of the
/// shorter one. For most pairs, comparing the features of these windows (means and amplitudes) with those of the longer
/// movement's windows already excludes a copy. Both sets of windows are kept in trees, and a branch without close
/// windows is skipped: the time grows little faster than the number of movements, as long as few are alike. No copy is
/// missed: every step compares a lower bound of the distance.
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
  /// A number for each subject within a split. Movements with the same number are not compared with each other.
  private let people: [Int]
  private let distance: Float
  private let share: Float

  /// - Parameters:
  ///   - distance: root mean square distance, in trunk lengths.
  ///   - share: the limit as a share of the movement's own variation.
  init(_ movements: [Movement], distance: Float, share: Float) {
    fingerprints = movements.map(\.fingerprint)
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
    for window in windows {
      let speeds = [MotionFingerprint.Speed.plain, .fast]
      let few = speeds.map { speed in fingerprints.indices.count { self.window($0, speed) == window } }.max() ?? 0
      let step = MotionWindows.step(window, for: few)
      let trees = speeds.map { (speed: $0, tree: tree(window, step, $0)) }
      let found = Mutex<[Copy]>([])
      DispatchQueue.concurrentPerform(iterations: fingerprints.count) { longer in
        let own = copies(in: longer, of: trees, window, step)
        if !own.isEmpty { found.withLock { $0 += own } }
      }
      for copy in found.withLock({ $0 }) where best[[copy.one, copy.other]].map(copy.isBetter) ?? true {
        best[[copy.one, copy.other]] = copy
      }
    }
    return best.values.sorted { ($0.one, $0.other) < ($1.one, $1.other) }
  }

  /// The window lengths in use, in samples.
  private var windows: Set<Int> {
    Set(fingerprints.indices.flatMap { movement in [.plain, .fast].compactMap { window(movement, $0) } })
  }

  private func window(_ movement: Int, _ speed: MotionFingerprint.Speed) -> Int? {
    let count = count(movement, speed)
    return count == 0 ? nil : WindowTree.window(count)
  }

  private func count(_ movement: Int, _ speed: MotionFingerprint.Speed) -> Int {
    fingerprints[movement]?.count(speed) ?? 0
  }

  /// The tree of all movements with this window length.
  private func tree(_ window: Int, _ step: Int, _ speed: MotionFingerprint.Speed) -> WindowTree {
    var tree = WindowTree(step: step)
    for movement in fingerprints.indices where self.window(movement, speed) == window {
      guard let samples = fingerprints[movement]?.samples(speed) else { continue }
      tree.add(movement, samples, distance: distance, share: share)
    }
    tree.build()
    return tree
  }

  /// Copies of a movement among the movements of some trees that are at most as long.
  private func copies(
    in longer: Int, of trees: [(speed: MotionFingerprint.Speed, tree: WindowTree)], _ window: Int, _ step: Int
  ) -> [Copy] {
    guard let fingerprint = fingerprints[longer] else { return [] }
    var best: [Int: Copy] = [:]
    func look(
      for speed: MotionFingerprint.Speed, _ tree: WindowTree, in samples: MotionSamples, _ timeline: MotionTimeline,
      _ way: (Int) -> Way, _ isShorter: (Int) -> Bool
    ) {
      for (shorter, shifts) in tree.near(timeline) where people[shorter] != people[longer] && isShorter(shorter) {
        guard let match = match(shorter, speed, longer, samples, shifts) else { continue }
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
      let timeline = MotionTimeline(MotionWindows(MotionMeans(samples, step: step, every: step), window: window))
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
  /// - Parameter shifts: How many samples later the shorter one begins.
  private func match(
    _ shorter: Int, _ speed: MotionFingerprint.Speed, _ longer: Int, _ samples: MotionSamples,
    _ shifts: Set<Int>
  ) -> MotionMatch? {
    guard let own = fingerprints[shorter]?.samples(speed) else { return nil }
    let isEarlier = shorter < longer
    let (one, other) = isEarlier ? (own, samples) : (samples, own)
    guard let pair = MotionPair(one, other, distance: distance, share: share) else { return nil }
    let matches = shifts.flatMap { shift in
      [false, true].compactMap { pair.match(shift: isEarlier ? -shift : shift, isHalf: $0) }
    }
    return matches.min { ($0.distance, $0.shift) < ($1.distance, $1.shift) }
  }
}

/// A few windows of each movement, chosen to have one in every half of the movement that a longer one may contain.
struct WindowTree: Sendable {
  /// The windows of a movement that begin at `step` consecutive samples. One of them lines up with a position of a
  /// longer movement.
  private struct Window {
    var movement: Int
    /// The first sample of the first window.
    var start: Int
    /// The largest squared distance that a copy can have.
    var most: Float
  }

  private struct Node {
    var box: MotionBox
    var extent: Float
    /// The greatest value of its windows.
    var most: Float
    /// The index of the second half; the first half follows this node. `nil` for a single window.
    var second: Int?
    /// The index of its first window.
    var window: Int
  }

  /// Samples between two positions in a longer movement.
  let step: Int
  /// The length of the shortest movement, in samples.
  private(set) var fewest = Int.max
  private var windows: [Window] = []
  private var nodes: [Node] = []
  /// The windows' boxes; empty once the tree is built.
  private var boxes: [MotionBox] = []

  init(step: Int) { self.step = step }

  /// The window length for a movement of `count` samples: at most 85 % of the required overlap, to need few windows,
  /// and 6 times a power of two, to let many movements use the same length.
  static func window(_ count: Int) -> Int {
    let longest = MotionSamples.need(count, count) * 17 / 20
    var window = 6
    while 2 * window <= longest { window *= 2 }
    return window
  }

  mutating func add(_ movement: Int, _ samples: MotionSamples, distance: Float, share: Float) {
    let count = samples.count
    fewest = min(fewest, count)
    let (need, window) = (MotionSamples.need(count, count), Self.window(count))
    // The samples covered by the windows that begin at `step` consecutive samples.
    let length = window + step - 1
    // Any `need` consecutive samples contain the windows of at least one of these starts.
    let (first, last) = (need - length, count - need + 1)
    let steps = max(0, last - first + need - length) / (need - length + 1)
    let starts = steps == 0 ? [min(first, count - length)] : (0...steps).map { first + $0 * (last - first) / steps }
    // The overlap either contains the windows of the first and of the last start, with half of it in one of them, or is
    // not the whole movement.
    let greatest =
      starts[steps] - first >= length ? max(count / 2 + 1, count - first - 1, starts[steps] + length - 1) : count
    // A distance below a share of one movement's variation is below this share of the other's.
    let others = share / (1 - share)
    let own = others * others * samples.variance * Float(count) / Float(need)
    let most = min(distance * distance * Float(MotionFingerprint.width), own) * Float(greatest) / Float(window)
    // Slightly larger, to allow for rounding.
    let radius = most.squareRoot() * 1.001 + 1e-4
    let means = MotionMeans(samples, step: step, every: 1)
    for start in starts {
      boxes.append(
        MotionBox(
          (start..<start + step).map { MotionBox(MotionWindows(means, window: window, from: $0, positions: 1), 0) }))
      windows.append(Window(movement: movement, start: start, most: radius * radius))
    }
  }

  /// Builds the tree of the windows.
  mutating func build() {
    guard !windows.isEmpty else { return }
    let boxes = boxes
    self.boxes = []
    var order = Array(windows.indices)
    nodes.reserveCapacity(2 * windows.count)
    func add(_ range: Range<Int>) {
      let box = MotionBox(range.lazy.map { boxes[order[$0]] })
      let number = nodes.count
      let most = range.reduce(0) { max($0, windows[order[$1]].most) }
      nodes.append(Node(box: box, extent: box.extent, most: most, window: range.lowerBound))
      guard range.count > 1 else { return }
      // Splits by the feature in which the windows differ most.
      let widths = box.widths
      let feature = widths.indices.max { widths[$0] < widths[$1] } ?? 0
      let sorted = range.map { (place: boxes[order[$0]][low: feature], window: order[$0]) }.sorted { $0 < $1 }
      for (place, next) in zip(range, sorted) { order[place] = next.window }
      let middle = (range.lowerBound + range.upperBound) / 2
      add(range.lowerBound..<middle)
      nodes[number].second = nodes.count
      add(middle..<range.upperBound)
    }
    add(order.indices)
    windows = order.map { windows[$0] }
  }

  /// The movements with windows close to a window of another movement, and all shifts that align them: how many samples
  /// later they begin.
  func near(_ others: MotionTimeline) -> [(movement: Int, shifts: Set<Int>)] {
    var near: [(movement: Int, shift: Int)] = []
    nodes.withUnsafeBufferPointer { nodes in
      others.spans.withUnsafeBufferPointer { spans in
        func visit(_ node: Int, _ span: Int) {
          if MotionBox.areApart(nodes[node].box, spans[span].box, nodes[node].most) { return }
          let parts = spans[span].parts
          if let second = nodes[node].second, parts.isEmpty || nodes[node].extent > spans[span].extent {
            visit(node + 1, span)
            visit(second, span)
          } else if !parts.isEmpty {
            for part in parts { visit(node, part) }
          } else {
            let window = windows[nodes[node].window]
            near.append((window.movement, span * step - window.start))
          }
        }
        visit(0, spans.count - 1)
      }
    }
    return Dictionary(grouping: near, by: \.movement).map { movement, places in
      (movement, Set(places.flatMap { $0.shift - step + 1...$0.shift }))
    }
  }
}
