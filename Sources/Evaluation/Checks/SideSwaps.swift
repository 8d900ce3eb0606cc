import PoseModel

/// Arms or legs whose left and right change places from one frame to the next.
struct SideSwaps: DatasetCheck {
  let name = "side-swaps"
  let title = "left and right change places"
  let threshold = """
    exchanging the sides brings three joints of arms or legs to within 0.4 of the distance that they would have moved, \
    where at least two pairs are 0.15 trunks apart; and within two seconds they are exchanged back, the sides as \
    long or longer in place before and after; a warning from 2 % of the frames and 0.2 s on, a note below. Of 60 drawn \
    from what it found in recordings, 53 were exchanges to the eye, 7 at cuts or unclear. Of exchanges of a whole \
    body put into recorded clips at random it finds 85 % of one frame, 77 % of five and 72 % of a second: seen from the \
    side, left and right are too close to tell. An exchange that does not return says nothing \
    of which side is right, and is left to mirrored-sides
    """
  let remedy = "swap the sides back in those frames, filter the estimator's output, or leave the clip out"

  private static let groups: [(name: String, pairs: Range<Int>)] = [("arms", 0..<3), ("legs", 3..<6)]
  /// Two seconds and a frame.
  private static let longest = 2.05

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let body = clip.body else { return [] }
    var isSwapped = [Bool](repeating: false, count: body.frameCount)
    var stretches: [Range<Int>] = []
    var names: [String] = []
    for group in Self.groups {
      let found = Self.swaps(body, Self.exchanges(body, group.pairs))
      guard !found.isEmpty else { continue }
      names.append(group.name)
      stretches += found
      for stretch in found { for frame in stretch { isSwapped[frame] = true } }
    }
    guard let longest = stretches.max(by: { $0.count < $1.count }) else { return [] }
    let count = isSwapped.count(where: \.self)
    let share = Double(count) / Double(body.frameCount)
    let isMuch = share >= 0.02 && Double(count) >= 0.199 * clip.clip.info.fps
    return [
      finding(
        isMuch ? .warning : .note, in: clip.name, from: body.times[longest.lowerBound],
        to: body.times[longest.upperBound - 1], weight: share,
        "\(names.joined(separator: " and ")) \(stretches.count == 1 ? "once" : "\(stretches.count) times"), "
          + "swapped in \(percent(share)) of the frames")
    ]
  }

  /// The stretches from an exchange to the one that takes it back.
  ///
  /// Of two exchanges that follow each other, what is between is wrong where it is shorter than what is before and after.
  private static func swaps(_ body: BodyTrack, _ exchanges: [Int]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    let edges = [0] + exchanges + [body.frameCount]
    var start = 0
    var index = 1
    while index + 2 < edges.count {
      let (first, last, next) = (edges[index], edges[index + 1], edges[index + 2])
      let length = last - first
      if body.times[last] - body.times[first] <= longest, length <= first - start, length <= next - last {
        found.append(first..<last)
        index += 2
      } else {
        start = first
        index += 1
      }
    }
    return found
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
        if min((l0 - r0).length, (l1 - r1).length) > 0.15 { apart += 1 }
      }
      if exchanged < 0.4 * kept, 3 * apart >= 2 * pairs.count { found.append(frame) }
    }
    return found
  }
}
