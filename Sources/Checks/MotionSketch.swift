import Files

/// The directions in which the joints of some movements move most.
struct MainDirections: Sendable {
  private static let width = MotionFingerprint.width
  private static let rounds = 20
  /// Takes every so many samples.
  private static let stride = 4

  /// Orthogonal, of length 1, or 0 where nothing moves: one weight per coordinate.
  private var directions: [[Float]]

  init(_ fingerprints: [MotionFingerprint?]) {
    let width = Self.width
    let parts = concurrently(fingerprints.count) { number in
      fingerprints[number].map { Self.products($0.samples(.plain)) } ?? []
    }
    var products = [Double](repeating: 0, count: width * width)
    for part in parts where !part.isEmpty { for place in part.indices { products[place] += part[place] } }
    // The eigenvectors of the largest eigenvalues, by orthogonal iteration.
    let first = (0..<width).sorted { products[$0 * width + $0] > products[$1 * width + $1] }
    var vectors = first.prefix(MotionSketch.width).map { own in (0..<width).map { $0 == own ? 1.0 : 0 } }
    for _ in 0..<Self.rounds {
      for number in vectors.indices {
        var next = (0..<width).map { row in
          (0..<width).reduce(0.0) { $0 + products[row * width + $1] * vectors[number][$1] }
        }
        for earlier in vectors[..<number] {
          let along = zip(next, earlier).reduce(0) { $0 + $1.0 * $1.1 }
          for place in next.indices { next[place] -= along * earlier[place] }
        }
        let length = next.reduce(0) { $0 + $1 * $1 }.squareRoot()
        vectors[number] = next.map { length > 1e-9 ? $0 / length : 0 }
      }
    }
    directions = vectors.map { $0.map(Float.init) }
  }

  /// The products of each two coordinates' distances from their means, added up over the samples.
  private static func products(_ samples: MotionSamples) -> [Double] {
    var products = [Double](repeating: 0, count: width * width)
    let taken = Swift.stride(from: 0, to: samples.values.count, by: stride * width)
    var means = [Double](repeating: 0, count: width)
    var count = 0.0
    for first in taken {
      for column in 0..<width { means[column] += Double(samples.values[first + column]) }
      count += 1
    }
    for column in 0..<width { means[column] /= max(1, count) }
    for first in taken {
      for row in 0..<width {
        let distance = Double(samples.values[first + row]) - means[row]
        for column in 0..<width {
          products[row * width + column] += distance * (Double(samples.values[first + column]) - means[column])
        }
      }
    }
    return products
  }

  func sketch(_ samples: MotionSamples) -> MotionSketch {
    var places = [SIMD4<Float>](repeating: .zero, count: samples.count)
    for sample in places.indices {
      let first = sample * Self.width
      for (lane, direction) in directions.enumerated() {
        var sum: Float = 0
        for column in 0..<Self.width { sum += direction[column] * samples.values[first + column] }
        places[sample][lane] = sum
      }
    }
    return MotionSketch(places, joints: samples.joints)
  }
}

/// A movement along the main directions only, averaged over a quarter of a second: a sixth of the coordinates, at a
/// quarter of the samples.
///
/// The distance of two sketches is a lower bound of the distance of their movements: a projection and a mean shorten a
/// difference, or leave it. Unlike the features of windows, it depends on when each movement is where.
struct MotionSketch: Sendable {
  /// The number of main directions.
  static let width = 4
  private static let samples = 4
  /// Means are taken far apart first, as neighbours are alike.
  private static let passes = 8

  /// For each sample, the mean of those that begin there.
  private let means: [SIMD4<Float>]
  /// The movement's samples.
  private let count: Int
  private let joints: UInt16

  fileprivate init(_ places: [SIMD4<Float>], joints: UInt16) {
    (count, self.joints) = (places.count, joints)
    let share = 1 / Float(Self.samples)
    means = (0..<max(0, places.count - Self.samples + 1)).map { first in
      places[first..<first + Self.samples].reduce(.zero, +) * share
    }
  }

  /// Which alignments may be as close as a limit: at a shift, and half a sample earlier.
  ///
  /// - Parameters:
  ///   - shift: How many samples later the other one begins.
  ///   - distance: The limit: the root mean square distance of the joints' coordinates, in trunk lengths.
  func mayBeNear(_ other: MotionSketch, shift: Int, distance: Float) -> (atShift: Bool, between: Bool) {
    let alignment = MotionPair.Alignment(shift: shift, isHalf: false)
    guard let shared = alignment.shared(count, other.count) else { return (false, false) }
    // A joint that one of the two lacks is not compared, but is part of the directions.
    guard joints == other.joints else { return (true, true) }
    // Slightly more, to allow for rounding. One sample more than there are half a sample earlier allows for that.
    let radius = distance * (2 * Float(joints.nonzeroBitCount)).squareRoot() * 1.001 + 1e-4
    let most = radius * radius * Float(shared.count) / Float(Self.samples)
    let last = shared.upperBound - Self.samples - 1
    return means.withUnsafeBufferPointer { own in
      other.means.withUnsafeBufferPointer { others in
        var (sum, between) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for pass in 0..<Self.passes {
          var place = shared.lowerBound + pass * Self.samples
          while place <= last {
            let one = own[place] - others[place - shift]
            let middle = one + own[place] - others[place - shift + 1]
            sum += one * one
            between += middle * middle
            place += Self.samples * Self.passes
          }
          if sum.sum() > most && between.sum() * 0.25 > most { return (false, false) }
        }
        return (sum.sum() <= most, between.sum() * 0.25 <= most)
      }
    }
  }
}
