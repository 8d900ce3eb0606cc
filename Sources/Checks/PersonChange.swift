import PoseModel
import RealModule

/// Finds a skeleton that jumps to another place or posture from one frame to the next: a cut, or another person.
///
/// Left and right may be swapped between the two frames; `SideSwaps` finds that.
struct PersonChange: DatasetCheck {
  let name = "person-change"
  let title = "the whole skeleton jumps: a cut, or another person"
  let threshold = """
    one of three rules. A jump: the median of six pairs of joints moves by half a trunk from one frame to the next, \
    five times as far as in any of the three steps before and after. At 30 frames a second this is faster than 7 m/s, \
    from standing still to standing still. Another size: nine limbs, all about alike, become longer or shorter by 8 % \
    in one frame, four times as much as in the steps around, and stay so by 14 % for a second. A return: after half a \
    second without a person, the limbs are a quarter longer or shorter. If the frames have no meaningful scale, only \
    the first rule applies
    """
  let remedy = "split the clip there, or have the importer choose the right person"

  private static let around = 3

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let body = clip.body else { return [] }
    let frames = (0..<body.frameCount).filter { frame in
      (0..<BodyTrack.pairs).count { body.isComplete($0..<$0 + 1, frame) } >= 4
    }
    guard frames.count > 2 * Self.around + 1 else { return [] }
    let sizes = SizeChange(body, frames: frames)
    let steps = frames.indices.dropFirst().map { Self.step(body, frames[$0 - 1], frames[$0]) }
    let waits = frames.indices.dropFirst().map { body.times[frames[$0]] - body.times[frames[$0 - 1]] }
    var found: [Finding] = []
    for index in Self.around..<max(Self.around, steps.count - Self.around) {
      let step = steps[index]
      if body.hasPlace, let change = sizes.change(at: index, after: waits[index]) {
        let (last, next) = (body.times[frames[index]], body.times[frames[index + 1]])
        let size = "at \(Double(change).rounded(toDecimals: 2)) times the size"
        found.append(
          waits[index] > SizeChange.longestWait
            ? finding(
              .warning, in: clip.name, from: last, to: next, weight: abs(Double.log(Double(change))),
              "\(waits[index].rounded(toDecimals: 1)) s without a person, then a person \(size)")
            : finding(
              .warning, in: clip.name, from: next, weight: abs(Double.log(Double(change))),
              "a person \(size) from one frame to the next"))
        continue
      }
      guard step > 0.5, waits[index] <= 0.5 else { continue }
      let others = Array(index - Self.around..<index) + Array(index + 1...index + Self.around)
      let isCalm = others.allSatisfy {
        waits[$0] < BodyTrack.longestStep && steps[$0] < min(0.12, step / 5)
      }
      if isCalm {
        found.append(
          finding(
            .warning, in: clip.name, from: body.times[frames[index + 1]], weight: Double(step),
            "the joints jump by \(Double(step).rounded(toDecimals: 1)) trunk lengths"))
      }
    }
    return found
  }

  /// How far the median pair of joints moves, in trunk lengths, with the sides matched either way.
  private static func step(_ body: BodyTrack, _ last: Int, _ frame: Int) -> Float {
    // If frames have no position of their own, only the posture can change.
    let shift = body.hasPlace ? SIMD3<Float>.zero : body.middle(ofPair: 3, frame) - body.middle(ofPair: 3, last)
    let move = median(of: BodyTrack.pairs, fewest: 3) { pair in
      let (l0, r0) = (body[2 * pair, last] + shift, body[2 * pair + 1, last] + shift)
      let (l1, r1) = (body[2 * pair, frame], body[2 * pair + 1, frame])
      return min((l1 - l0).length + (r1 - r0).length, (l1 - r0).length + (r1 - l0).length) / 2
    }
    return move ?? 0
  }
}
