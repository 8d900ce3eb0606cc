import PoseModel
import RealModule

/// The probabilities that a contact happened 0.2 s before the newest tick, by stroke.
///
/// Two layers on 13 poses, each the mean of two ticks, from 0.63 s before to 0.2 s after the contact: `hidden`
/// rectified units, then a logit for each stroke of a right-hander. The same weights applied to the mirrored player
/// give the logits of a left-hander, and a softmax over these six and "no stroke" gives the probabilities. Handedness
/// is therefore neither a setting nor learned. `SwingWeights` lists the training data.
struct SwingNetwork: Sendable {
  /// The probabilities of one tick.
  struct Score: Sendable {
    /// The probability of any stroke.
    var stroke: Float = 0
    /// The probabilities of forehand, backhand and serve with either hand; the fourth is 0.
    var strokes = SIMD4<Float>.zero
  }

  /// Ticks after the contact that the network reads.
  static let after = 6
  private static let inputs = 13 * SwingPoses.width
  private typealias Block = SIMD16<Float>

  private var input = ContiguousArray<Float>(repeating: 0, count: inputs)
  /// The units of the player, then those of the mirrored one.
  private var units = ContiguousArray<Float>(repeating: 0, count: 2 * SwingWeights.hidden)
  private let weights = Self.weights

  /// Judges the contact of `after` ticks ago.
  mutating func score(_ poses: SwingPoses) -> Score {
    poses.write(&input)
    let blocks = units.count / Block.scalarCount
    for block in 0..<blocks {
      var sum = Block.zero
      for index in 0..<Self.inputs { sum += input[index] * weights[block * Self.inputs + index] }
      for lane in 0..<Block.scalarCount {
        let unit = block * Block.scalarCount + lane
        units[unit] = max(0, sum[lane] + SwingWeights.biases[unit % SwingWeights.hidden])
      }
    }
    let right = logits(from: 0)
    let left = logits(from: SwingWeights.hidden)
    let highest = max(0, right.max(), left.max())
    var (strokes, total) = (SIMD4<Float>.zero, Float.exp(-highest))
    for index in 0..<3 {
      strokes[index] = Float.exp(right[index] - highest) + Float.exp(left[index] - highest)
      total += strokes[index]
    }
    strokes /= total
    return Score(stroke: strokes.sum(), strokes: strokes)
  }

  private func logits(from first: Int) -> SIMD4<Float> {
    var sum = SwingWeights.outputBias
    for unit in 0..<SwingWeights.hidden { sum += units[first + unit] * SwingWeights.output[unit] }
    return sum
  }

  /// The weights of 16 units at a time: of each input, then the next 16 units.
  private static let weights: ContiguousArray<Block> = {
    let hidden = SwingWeights.hidden
    let places = SwingWeights.places
    var weights = ContiguousArray(repeating: Block.zero, count: inputs * 2 * hidden / Block.scalarCount)
    for unit in 0..<2 * hidden {
      let isMirrored = unit >= hidden
      let scale = SwingWeights.scales[unit % hidden]
      for input in 0..<inputs {
        let (source, sign) = isMirrored ? mirrored(input) : (input, 1)
        weights[unit / Block.scalarCount * inputs + input][unit % Block.scalarCount] =
          Float(places[unit % hidden * inputs + source]) * scale * sign
      }
    }
    return weights
  }()

  /// The input at another one's place in the mirrored player: the other side's joint, with the sign of x changed.
  private static func mirrored(_ input: Int) -> (Int, sign: Float) {
    // A left joint's two numbers stand before the right one's.
    (input ^ 2, input.isMultiple(of: 2) ? -1 : 1)
  }
}
