import PoseModel

/// Arms or legs whose left and right change places from one frame to the next.
struct SideSwaps: DatasetCheck {
  let name = "side-swaps"
  let title = "left and right change places"
  let threshold = """
    exchanging the sides brings three joints of arms or legs to within 0.3 of the distance that they would have moved, \
    where at least two pairs are a quarter of a trunk apart; a warning from 1 % of the frames on, a note below. Of 16 drawn \
    at random from what it found in four real sets, all were swaps
    """
  let remedy = "swap the sides back in those frames, filter the estimator's output, or leave the clip out"

  private static let groups: [(name: String, pairs: Range<Int>)] = [("arms", 0..<3), ("legs", 3..<6)]

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let body = clip.body else { return [] }
    var isSwapped = [Bool](repeating: false, count: body.frameCount)
    var instants = Set<Int>()
    var names: [String] = []
    for group in Self.groups {
      let frames = Self.exchanges(body, group.pairs)
      guard !frames.isEmpty else { continue }
      names.append(group.name)
      instants.formUnion(frames)
      // Between two exchanges the sides are swapped, or are they before and after? The shorter is what is wrong.
      var sides = [Bool](repeating: false, count: body.frameCount)
      var side = false
      var next = frames[...]
      for frame in sides.indices {
        if next.first == frame {
          side.toggle()
          next.removeFirst()
        }
        sides[frame] = side
      }
      let isFew = sides.count(where: \.self) * 2 <= sides.count
      for frame in sides.indices where sides[frame] == isFew { isSwapped[frame] = true }
    }
    guard let first = instants.min() else { return [] }
    let share = Double(max(isSwapped.count(where: \.self), instants.count)) / Double(body.frameCount)
    return [
      finding(
        share >= 0.01 ? .warning : .note, in: clip.name, from: body.times[first], weight: share,
        "\(names.joined(separator: " and ")) \(instants.count == 1 ? "once" : "\(instants.count) times"), "
          + "swapped in \(percent(share)) of the frames")
    ]
  }

  /// The frames in which the sides of some pairs are exchanged against the frame before.
  private static func exchanges(_ body: BodyTrack, _ pairs: Range<Int>) -> [Int] {
    var found: [Int] = []
    var last: Int?
    for frame in 0..<body.frameCount where body.isComplete(pairs, frame) {
      defer { last = frame }
      guard let last, body.times[frame] - body.times[last] < BodyTrack.longestStep else { continue }
      var (kept, exchanged): (Float, Float) = (0, 0)
      var apart = 0
      for pair in pairs {
        let (l0, r0) = (body[2 * pair, last], body[2 * pair + 1, last])
        let (l1, r1) = (body[2 * pair, frame], body[2 * pair + 1, frame])
        kept += (l1 - l0).length + (r1 - r0).length
        exchanged += (l1 - r0).length + (r1 - l0).length
        if min((l0 - r0).length, (l1 - r1).length) > 0.25 { apart += 1 }
      }
      if exchanged < 0.3 * kept, 3 * apart >= 2 * pairs.count { found.append(frame) }
    }
    return found
  }
}
