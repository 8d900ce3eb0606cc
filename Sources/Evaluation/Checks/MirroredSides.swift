import Datasets
import PoseModel

/// Clips whose left and right are exchanged throughout: pictures that were mirrored after the estimator saw them, or
/// columns under each other's names.
///
/// What cannot be known: a video that was mirrored before the estimator saw it shows a sound body, and a clip without depth
/// seen from the side tells nothing.
struct MirroredSides: DatasetCheck {
  let name = "mirrored-sides"
  let title = "left and right are exchanged in the whole clip"
  let threshold = """
    in space, left is where it cannot be with the face, or without one the feet, where they are, in 9 of 10 frames (at most in \
    11 % of any of 170 recorded clips by the face, in 4 % of 103 by the feet); without depth, of somebody upright whose \
    shoulders are 0.35 trunks broad in the picture and hips 0.15 in a quarter of the frames, left is at the smaller x \
    although view says front or nose and eyes are seen, or at the greater although view says back; or at least 8 clips of that \
    exercise and view, and 8 times as many, have it the other way, and not one in five has it both ways. From the side without depth, and of a video that was mirrored \
    before the estimator saw it, nothing is known
    """
  let remedy = """
    exchange left and right in the pose files, or undo the mirroring (the sign of x, or of z), and import again; leave the \
    clip out where you can't tell
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
          "left is at the \(odd.sides.broad.isRight ? "greater" : "smaller") x; at the other side in \(many.count) clips "
            + "of the same exercise and view",
          remedy: "look whether it is seen from the other side; if not, \(remedy)")
      }
    }
  }

  /// Whether the clip by itself tells which way round its sides are.
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
