import Datasets
import PoseModel

/// Limbs that become longer in one frame than they ever are: a joint that the estimator put elsewhere.
///
/// A limb may look shorter at any time, because it points at the camera; longer than it is it cannot look. How long it is
/// the clip shows where it is seen at full length; where a limb points at the camera throughout, the other limbs do.
struct LimbLengths: DatasetCheck {
  let name = "limb-lengths"
  let title = "limbs jump in length"
  let threshold = """
    1.6 times the limb's length, half of it gained in one frame, and not the whole body with it; its length is the 95th \
    percentile of what the clip shows, but at least 0.7 of what goes with the other limbs in an average body; a warning \
    where it does so in 1 % of the frames, or is three times its length and stays so for 5 frames, a \
    note below. Of 31 drawn from what it found in recordings, 28 were joints that the estimator put elsewhere, 3 unclear; of \
    650 such jumps in generated clips 98 % are strays of the simulated estimator
    """
  let remedy = "mark the joint as missing there, or filter the poses (--smooth median:5) and say so with the result"

  private static let average = Body(stature: 1)
  /// Each with its length in statures.
  private static let limbs: [(name: String, pairs: (Int, Int), length: Float)] = [
    ("upper arm", (0, 1), Float(average.upperArm)), ("forearm", (1, 2), Float(average.forearm)),
    ("thigh", (3, 4), Float(average.thigh)), ("shank", (4, 5), Float(average.shank)),
  ]
  private static let fewestFrames = 10
  private static let absurd: Float = 3
  /// Frames.
  private static let long = 5

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let body = clip.body, body.frameCount >= Self.fewestFrames else { return [] }
    let lengths = Self.lengths(body)
    var frames: Set<Int> = []
    var jumps: Set<Int> = []
    var longest = 0
    var worst: (limb: Int, frame: Int, ratio: Float)?
    // For how many frames each limb has jumped and is not back.
    var out = [Int](repeating: 0, count: lengths.count)
    for frame in 1..<body.frameCount where body.times[frame] - body.times[frame - 1] < BodyTrack.longestStep {
      // A body that comes nearer, or whose trunk by which a frame is scaled is foreshortened, is longer in all limbs.
      let all = lengths.compactMap { $0.isEmpty || !$0[frame].isFinite ? nil : $0[frame] }.sorted()
      guard !all.isEmpty else { continue }
      let common = max(1, all[all.count / 2])
      for limb in lengths.indices where !lengths[limb].isEmpty {
        let (before, now) = (lengths[limb][frame - 1], lengths[limb][frame])
        let hasJumped = now > 1.6 * common && now - before > 0.5
        // Longer than it is it still is, until it is back or not seen.
        out[limb] = hasJumped || (out[limb] > 0 && now > 1.6 * common) ? out[limb] + 1 : 0
        guard out[limb] > 0 else { continue }
        frames.insert(frame)
        if now > Self.absurd { longest = max(longest, out[limb]) }
        guard hasJumped else { continue }
        jumps.insert(frame)
        if now > worst?.ratio ?? 0 { worst = (limb, frame, now) }
      }
    }
    guard let worst else { return [] }
    let share = Double(frames.count) / Double(body.frameCount)
    let isMuch = Double(jumps.count) / Double(body.frameCount) >= 0.01 || longest >= Self.long
    let limb = (worst.limb % 2 == 0 ? "left " : "right ") + Self.limbs[worst.limb / 2].name
    return [
      finding(
        isMuch ? .warning : .note, in: clip.name, from: body.times[worst.frame], weight: share,
        "\(limb) \(Double(worst.ratio).rounded(toDecimals: 1)) times its length"
          + (frames.count > 1 ? ", \(percent(share)) of the frames have such a limb" : ""))
    ]
  }

  /// Each limb's length a frame, left and right in turn, in its own length; empty for a limb that is hardly seen.
  private static func lengths(_ body: BodyTrack) -> [[Float]] {
    let seen = limbs.map { limb in
      [0, 1].map { side in
        (0..<body.frameCount).map { (body[2 * limb.pairs.0 + side, $0] - body[2 * limb.pairs.1 + side, $0]).length }
      }
    }
    let longest = seen.map { sides -> Float? in
      let known = sides.joined().filter(\.isFinite).sorted()
      guard known.count >= fewestFrames, known[known.count * 95 / 100] > 0 else { return nil }
      return known[known.count * 95 / 100]
    }
    // The stature by the limb that is seen second best, as one may be misplaced throughout.
    let statures = limbs.indices.compactMap { index in longest[index].map { $0 / limbs[index].length } }.sorted()
    let stature = statures.dropLast().last ?? 0
    return limbs.indices.flatMap { index -> [[Float]] in
      guard let longest = longest[index] else { return [[], []] }
      let usual = max(longest, 0.7 * limbs[index].length * stature)
      return seen[index].map { $0.map { $0 / usual } }
    }
  }
}
