import Statistics
import Testing

@testable import Checks

/// The search for copies finds what a comparison of each with each at every shift finds.
@Suite struct CopySearchTests {
  private static let (limit, share): (Float, Float) = (0.05, 0.4)
  private static let width = MotionFingerprint.width

  /// People who do one exercise, some of whom stand still, and copies of them: cut, mirrored, faster or slower, with noise
  /// from nothing to more than the limit allows.
  private static func movements(seed: UInt64, longest: Int) -> [CopySearch.Movement] {
    var random = SeededGenerator(seed: seed)
    var all: [[SIMD32<Float>]] = []
    let shape = (0..<width).map { _ in Float.random(in: -0.5...0.5, using: &random) }
    while all.count < 16 {
      let isCopy = all.count > 4 && Bool.random(using: &random)
      var samples = isCopy ? all[Int.random(in: all.indices, using: &random)] : []
      if isCopy {
        if samples.count > 20, Bool.random(using: &random) {
          samples.removeFirst(Int.random(in: 0...samples.count / 2 + 2, using: &random))
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: samples = samples.map(mirrored)
        case 1: samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        case 2: samples = zip(samples, samples.dropFirst()).flatMap { [$0, ($0 + $1) / 2] }
        default: break
        }
      } else {
        let (tempo, depth) = (
          Float.random(in: 0.15...0.3, using: &random), Float.random(in: 0...1, using: &random) < 0.2 ? 0.03 : Float(1)
        )
        let habit = (0..<width).map { _ in Float.random(in: -0.08...0.08, using: &random) }
        samples = (0..<Int.random(in: 10...longest, using: &random)).map { sample in
          var values = SIMD32<Float>.zero
          for column in 0..<width {
            values[column] = (shape[column] + habit[column]) * (1 - depth * Float.cos(tempo * Float(sample)))
          }
          return values
        }
      }
      let noise = isCopy ? Float.random(in: 0...0.1, using: &random) : 0
      samples = samples.map { sample in
        var sample = sample
        for column in 0..<width where noise > 0 { sample[column] += Float.random(in: -noise...noise, using: &random) }
        return sample
      }
      if samples.count >= MotionFingerprint.fewestSamples { all.append(samples) }
    }
    return all.enumerated().map { number, samples in
      // Some lack a joint or two, and nobody's clips are compared with each other.
      var joints: UInt16 = 0xFFF
      for _ in 0..<max(0, Int.random(in: -6...3, using: &random)) {
        joints &= ~(1 << UInt16.random(in: 0..<12, using: &random))
      }
      return CopySearch.Movement(
        fingerprint: fingerprint(samples, joints), subject: "\(number % 14)", split: "")
    }
  }

  private static func fingerprint(_ samples: [SIMD32<Float>], _ joints: UInt16) -> MotionFingerprint {
    MotionFingerprint(
      samples: samples.flatMap { sample in
        (0..<width).map { joints & 1 << ($0 / 2) != 0 ? sample[$0] : 0 }
      }, joints: joints)
  }

  /// Samples as they are compared, with the joints that there are.
  private struct Played {
    var samples: [SIMD32<Float>]
    var joints: UInt16

    init?(_ fingerprint: MotionFingerprint?, isFast: Bool = false, isMirrored: Bool = false) {
      guard let fingerprint else { return nil }
      let values = fingerprint.samples(.plain).values
      samples = stride(from: 0, to: values.count, by: width).map { first in
        var sample = SIMD32<Float>.zero
        for column in 0..<width { sample[column] = values[first + column] }
        return sample
      }
      joints = fingerprint.joints
      if isFast {
        // Twice as fast, a third of a second is two that are four samples apart.
        samples = stride(from: 0, to: samples.count - 4, by: 2).map { (samples[$0] + samples[$0 + 4]) / 2 }
        if samples.count < MotionFingerprint.fewestSamples { return nil }
      }
      if isMirrored {
        samples = samples.map(CopySearchTests.mirrored)
        joints = (0..<12).reduce(0) { $0 | (fingerprint.joints >> UInt16($1) & 1) << UInt16($1 ^ 1) }
      }
    }
  }

  private static func mirrored(_ sample: SIMD32<Float>) -> SIMD32<Float> {
    var mirrored = SIMD32<Float>.zero
    for column in 0..<width {
      mirrored[4 * (column / 4) + (column + 2) % 4] = sample[column] * (column % 2 == 0 ? -1 : 1)
    }
    return mirrored
  }

  /// The sum of squared differences of a range of samples and those at twice their places less the shift, while it is
  /// below a bound. By pointers and `while`, which are fast without the optimiser.
  private static func squares(
    _ own: [Float], _ halves: [Float], _ range: Range<Int>, _ shift: Int, _ width: Int, upTo bound: Double
  ) -> Double {
    own.withUnsafeBufferPointer { own in
      halves.withUnsafeBufferPointer { halves in
        guard let own = own.baseAddress, let halves = halves.baseAddress else { return 0 }
        var (sum, sample) = (0.0, range.lowerBound)
        while sample < range.upperBound, sum < bound {
          let (one, other) = (own + sample * width, halves + (2 * sample - shift) * width)
          var column = 0
          while column < width {
            let difference = Double(one[column] - other[column])
            sum += difference * difference
            column += 1
          }
          sample += 1
        }
        return sum
      }
    }
  }

  /// What `CopySearch` looks for, by its definition; `isUnsure` where rounding may decide otherwise.
  private static func best(
    _ mine: Played, _ theirs: Played
  ) -> (distance: Double, shift: Int, isUnsure: Bool)? {
    let columns = (0..<width).filter { mine.joints & theirs.joints & 1 << ($0 / 2) != 0 }
    guard columns.count >= 2 * MotionFingerprint.fewestJoints else { return nil }
    let need = max(8, (min(mine.samples.count, theirs.samples.count) + 1) / 2)
    var best: (distance: Double, shift: Int, isUnsure: Bool)?
    var isUnsure = false
    // Rows of these columns; theirs at half samples.
    func row(_ one: SIMD32<Float>, _ other: SIMD32<Float>) -> [Float] {
      columns.map { column in (one[column] + other[column]) / 2 }
    }
    let own = mine.samples.flatMap { sample in row(sample, sample) }
    let places = 0..<2 * theirs.samples.count - 1
    let halves = places.flatMap { place in row(theirs.samples[place / 2], theirs.samples[(place + 1) / 2]) }
    for shift in 2 * (need - theirs.samples.count)...2 * (mine.samples.count - need) {
      let range = max(0, (shift + 1) / 2)..<min(mine.samples.count, theirs.samples.count + shift >> 1)
      guard range.count >= need else { continue }
      let most = Double(limit * limit) * Double(columns.count * range.count)
      let sum = squares(own, halves, range, shift, columns.count, upTo: most * 1.001)
      guard sum < most * 1.001 else { continue }
      let variation = columns.reduce(0.0) { variation, column in
        let values = range.map { Double(mine.samples[$0][column]) }
        let mean = values.reduce(0, +) / Double(values.count)
        return variation + values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      }
      let bound = min(most, Double(share * share) * variation)
      if abs(sum - bound) < 1e-4 * bound { isUnsure = true }
      let distance = (sum / Double(columns.count * range.count)).squareRoot()
      if sum < bound, distance < best?.distance ?? .infinity { best = (distance, shift, false) }
    }
    return isUnsure ? (best?.distance ?? 0, best?.shift ?? 0, true) : best
  }

  /// - Parameter longest: The length of the longest movement, in samples.
  @Test(arguments: zip(1...4 as ClosedRange<UInt64>, [100, 100, 30, 300]))
  func findsWhatAllPairsHave(_ seed: UInt64, longest: Int) throws {
    let movements = Self.movements(seed: seed, longest: longest)
    let search = CopySearch(movements, distance: Self.limit, share: Self.share)
    let found = search.copies()
    var count = 0
    for (one, later) in movements.enumerated() {
      for (other, earlier) in movements[..<one].enumerated() where earlier.subject != later.subject {
        let ways: [(CopySearch.Way, Played?, Played?)] = [
          (.same, Played(earlier.fingerprint), Played(later.fingerprint)),
          (.mirrored, Played(earlier.fingerprint), Played(later.fingerprint, isMirrored: true)),
          (.twiceAsFast, Played(earlier.fingerprint, isFast: true), Played(later.fingerprint)),
          (.halfAsFast, Played(earlier.fingerprint), Played(later.fingerprint, isFast: true)),
        ]
        let wanted = ways.compactMap { way, mine, theirs in
          mine.flatMap { mine in theirs.flatMap { Self.best(mine, $0) } }.map { (way: way, best: $0) }
        }
        if wanted.contains(where: \.best.isUnsure) { continue }
        let best = wanted.min { $0.best.distance < $1.best.distance }
        let copy = found.first { $0.one == one && $0.other == other }
        let comment: Comment = "\(other) in \(one)"
        #expect(copy?.way == best?.way, comment)
        if let copy, let best {
          count += 1
          #expect(abs(copy.match.distance - best.best.distance) < 1e-4, comment)
          #expect(abs(copy.match.shift - Double(best.best.shift) / 30) < 1e-9, comment)
        }
      }
    }
    #expect(count >= 1)
  }
}
