import Datasets
import PoseModel

/// Finds arms or legs whose left and right are swapped from one frame to the next.
struct SideSwaps: DatasetCheck {
  let name = "side-swaps"
  let title = "left and right are swapped"
  let threshold = """
    three conditions: swapping the sides brings three joints of arms or legs within 0.4 of the distance that they \
    would have moved; at least two pairs are 0.15 trunks apart; the sides swap back within two seconds, with as long \
    or longer in place before and after. It is a warning from 2 % of the frames and 0.2 s on, otherwise a note. Of 60 findings sampled \
    from recordings, 53 were visible swaps, 7 at cuts or unclear. Of whole-body swaps put into recorded clips at \
    random it finds 85 % of those of one frame, 77 % of five frames and 72 % of a second: seen from the side, left and \
    right are too close to tell apart. A swap that never returns does not show which side is right; mirrored-sides \
    checks for that
    """
  let remedy = "swap the sides back in those frames, filter the estimator's output, or leave the clip out"

  private static let groups: [(name: String, pairs: Range<Int>)] = [("arms", 0..<3), ("legs", 3..<6)]
  /// The longest swap in seconds: two, and one frame.
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

  /// The stretches from a swap to the swap back.
  ///
  /// Of two consecutive swaps, the frames in between are wrong if they are fewer than those before and after.
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

  /// The frames in which the sides of some pairs are swapped compared with the frame before.
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

/// Finds clips whose left and right are swapped throughout: images mirrored after pose estimation, or columns with
/// swapped names.
///
/// It cannot find a video that was mirrored before pose estimation, as the body looks normal, nor a clip without depth
/// that is seen from the side.
struct MirroredSides: DatasetCheck {
  let name = "mirrored-sides"
  let title = "left and right are swapped in the whole clip"
  let threshold = """
    with depth: left and right contradict the face, or the feet if the face is missing, in 9 of 10 frames (at most in 11 \
    % of any of 170 recorded clips by the face, in 4 % of 103 by the feet). Without depth, it needs an upright person \
    whose shoulders are 0.35 and hips 0.15 trunks wide in the image in a quarter of the frames. Left is then at the \
    smaller x although the view is front or nose and eyes are seen, or at the greater x although the view is back. Or \
    at least 8 clips of the same exercise and view, and 8 times as many, have it the other way, and fewer than one in \
    five have it both ways. It cannot judge clips from the side without depth, nor a video that was mirrored before pose \
    estimation
    """
  let remedy = """
    swap left and right in the pose files, or undo the mirroring (the sign of x, or of z), and import again; leave the \
    clip out if you cannot tell
    """

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let sides = clip.sides, let reason = Self.reason(sides, view: clip.clip.info.view) else { return [] }
    return [finding(reason.severity, in: clip.name, weight: 1, reason.found)]
  }

  func findings(across dataset: CheckedDataset) -> [Finding] {
    var groups: [String: [(member: CheckedDataset.Member, sides: BodySides)]] = [:]
    for member in dataset.members {
      guard let sides = member.sides, sides.isBroad, sides.broad.frames >= 20, !Self.isKnown(sides, member.info.view)
      else { continue }
      groups["\(member.info.exercise)\n\(member.info.view)", default: []].append((member, sides))
    }
    return groups.values.flatMap { group -> [Finding] in
      let greater = group.filter { $0.sides.broad.isRight }
      let smaller = group.filter { $0.sides.broad.isMirrored }
      let (many, few) = greater.count >= smaller.count ? (greater, smaller) : (smaller, greater)
      guard many.count >= 8, many.count >= 8 * few.count, many.count * 5 >= 4 * group.count else {
        return []
      }
      return few.map { odd in
        finding(
          .warning, in: odd.member.info.name, weight: 0.5,
          "left is at the \(odd.sides.broad.isRight ? "greater" : "smaller") x; on the other side in \(many.count) clips "
            + "of the same exercise and view",
          remedy: "check whether it is seen from the other side; if not, \(remedy)")
      }
    }
  }

  /// Whether the clip alone shows which way round its sides are.
  private static func isKnown(_ sides: BodySides, _ view: String) -> Bool {
    sides.byFace.frames >= 20 || sides.byFeet.frames >= 20 || ["front", "back"].contains(view)
      || sides.facing.frames >= 20
  }

  private static func reason(_ sides: BodySides, view: String) -> (severity: Finding.Severity, found: String)? {
    for (tally, what) in [(sides.byFace, "face"), (sides.byFeet, "feet")] where tally.frames >= 20 {
      return tally.isMirrored
        ? (.problem, "a mirror image: left is where right must be, as the \(what) and the head are") : nil
    }
    guard sides.isBroad else { return nil }
    switch view {
    case "front" where sides.broad.isMirrored: return (.problem, "left is at the smaller x, seen from the front")
    case "back" where sides.broad.isRight: return (.problem, "left is at the greater x, seen from behind")
    case "front", "back": return nil
    default:
      guard sides.facing.isMirrored, sides.facing.frames * 4 >= sides.broad.frames else { return nil }
      return (.warning, "left is at the smaller x in frames that show nose and eyes")
    }
  }
}

/// The assignment of left and right over a clip, as far as its frames show it.
///
/// In space a body differs from its mirror image: with the head up and the face forward, left can only be on one side.
/// In an image, left is at the greater x of an upright person who faces the camera, and at the smaller x of a person
/// seen from behind. From the side the two are too close to tell apart.
struct BodySides: Sendable {
  /// Frames that show it, and those of them with left on the correct side.
  struct Tally: Sendable {
    var frames = 0
    var right = 0

    /// Whether enough frames show it, 9 of 10 of them the wrong way.
    var isMirrored: Bool { frames >= 20 && right * 10 <= frames }
    /// Whether enough frames show it, 9 of 10 of them the right way.
    var isRight: Bool { frames >= 20 && right * 10 >= 9 * frames }

    mutating func add(_ isRight: Bool) {
      frames += 1
      if isRight { right += 1 }
    }
  }

  /// In space, by the nose before the ears.
  private(set) var byFace = Tally()
  /// In space, by the toes before the heels.
  private(set) var byFeet = Tally()
  /// In the picture, upright and broad: left at the greater x.
  private(set) var broad = Tally()
  /// The frames of `broad` with nose and both eyes, which are invisible from behind.
  private(set) var facing = Tally()
  /// Frames that show shoulders and hips.
  private(set) var seen = 0

  init(_ poses: PoseSequence) {
    for frame in 0..<poses.frameCount { add(poses, frame) }
  }

  /// Whether a quarter of the frames show an upright person with broad shoulders and hips.
  var isBroad: Bool { broad.frames * 4 >= seen }

  private mutating func add(_ poses: PoseSequence, _ frame: Int) {
    func place(_ joint: Joint) -> SIMD3<Float> {
      SIMD3(poses[joint, .x, frame], poses[joint, .y, frame], poses[joint, .z, frame])
    }
    let shoulders = place(.leftShoulder) - place(.rightShoulder)
    let hips = place(.leftHip) - place(.rightHip)
    let up = (place(.leftShoulder) + place(.rightShoulder) - place(.leftHip) - place(.rightHip)) / 2
    guard shoulders.x.isFinite, hips.x.isFinite, shoulders.y.isFinite, hips.y.isFinite else { return }
    seen += 1
    if up.z.isFinite {
      let left = shoulders + hips
      let face = place(.nose) - (place(.leftEar) + place(.rightEar)) / 2
      let feet = place(.leftToe) - place(.leftHeel) + place(.rightToe) - place(.rightHeel)
      if let isRight = Self.isRight(forward: face, left: left, up: up) { byFace.add(isRight) }
      if let isRight = Self.isRight(forward: feet, left: left, up: up) { byFeet.add(isRight) }
    }
    let trunk = (up.x * up.x + up.y * up.y).squareRoot()
    guard -up.y > 0.5 * trunk, abs(shoulders.x) > 0.35 * trunk, abs(hips.x) > 0.15 * trunk,
      shoulders.x * hips.x > 0
    else { return }
    broad.add(shoulders.x > 0)
    let showsFace = [Joint.nose, .leftEye, .rightEye].allSatisfy { joint in
      let confidence = poses[joint, .confidence, frame]
      return poses[joint, .x, frame].isFinite && (confidence.isNaN || confidence >= 0.5)
    }
    if showsFace { facing.add(shoulders.x > 0) }
  }

  /// Whether the directions forward, left and up fit a body; `nil` if one is missing or they lie in a plane.
  private static func isRight(forward: SIMD3<Float>, left: SIMD3<Float>, up: SIMD3<Float>) -> Bool? {
    let cross = SIMD3(
      forward.y * left.z - forward.z * left.y, forward.z * left.x - forward.x * left.z,
      forward.x * left.y - forward.y * left.x)
    let volume = cross.x * up.x + cross.y * up.y + cross.z * up.z
    // x to the right, y down and z away form a right-handed system, and so do forward, left and up.
    return volume.isFinite && volume != 0 ? volume > 0 : nil
  }
}
