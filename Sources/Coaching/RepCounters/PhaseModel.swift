import RealModule

/// The phases of a person's reps, learned from the reps that a counter found, which counts all cycles of a recording again.
///
/// A cyclic hidden Markov model: twelve phases and idle time, each with the mean of the 32 numbers of a pose
/// (`PoseSampler`). It is learned in four rounds: labels, means, the most likely path, labels from the path.
///
/// - Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77(2), 1989, section III B (Viterbi). Its
///   constants were chosen on RepCount and Countix; values near them differ by less than 0.01.
struct PhaseModel: Sendable {
  private static let phases = 12
  private static let idle = phases
  private static let states = phases + 1
  private static let rounds = 4
  /// Numbers of a pose are not independent: their evidence counts less.
  private static let evidence: Float = 0.7
  /// The most that one number says against a phase, in variances.
  private static let mostDistance: Float = 9
  /// The least variance of a number within a phase.
  private static let floor: Float = 0.01
  /// The variance of idle poses, as a multiple of the recording's.
  private static let idleSpread: Float = 3
  /// Logarithms of chances: to begin a rep, to end one after the last phase or in the middle, and to stay idle.
  private static let (begin, end, abandon, rest): (Float, Float, Float, Float) = (-4, -2, -12, -0.02)
  /// The share of the phases that a cycle covers at least, and one that the recording's end cuts off.
  private static let (least, leastAtEnd): (Float, Float) = (0.6, 0.9)
  /// A rep of fewer samples, or a period of fewer, is not one.
  private static let (shortest, shortestPeriod): (Float, Float) = (3.75, 6)

  private let width = PoseRows.width
  /// The numbers less their means.
  private let rows: [Float]
  private let ticks: [Int]
  private var labels: [Int]
  private var period: Float
  /// Phases by number, row by row.
  private var means = [Float](repeating: 0, count: phases * PoseRows.width)
  /// 1 over each number's variance within phases.
  private var precision = [Float](repeating: 0, count: PoseRows.width)
  private var score: [Float]
  private var idleScore: [Float]
  private var from: [UInt8]

  /// The number of cycles; `nil` if there is too little to learn from.
  ///
  /// - Parameters:
  ///   - rows: The numbers of each sample, one row after the other.
  ///   - ticks: The index of each row's sample.
  ///   - reps: Start and end of the known reps, as samples, by their starts.
  static func count(_ rows: [Float], _ ticks: [Int], _ reps: [(start: Float, end: Float)]) -> Int? {
    let clear = reps.filter { $0.end - $0.start > shortest }
    guard clear.count >= 2, ticks.count >= 2 * phases else { return nil }
    var model = PhaseModel(rows, ticks, clear)
    var count: Int?
    for _ in 0..<rounds {
      guard model.learn() else { return nil }
      let turns = model.decode()
      guard turns.count >= 2 else { return nil }
      model.measurePeriod(turns)
      count = turns.count
    }
    return count
  }

  private init(_ rows: [Float], _ ticks: [Int], _ reps: [(start: Float, end: Float)]) {
    var centred = rows
    let count = ticks.count
    for number in 0..<PoseRows.width {
      var sum = 0.0
      for row in 0..<count { sum += Double(rows[row * PoseRows.width + number]) }
      let mean = Float(sum / Double(count))
      for row in 0..<count { centred[row * PoseRows.width + number] -= mean }
    }
    self.rows = centred
    self.ticks = ticks
    labels = [Int](repeating: -1, count: count)
    for rep in reps {
      for row in 0..<count where Float(ticks[row]) >= rep.start && Float(ticks[row]) <= rep.end {
        let share = (Float(ticks[row]) - rep.start) / (rep.end - rep.start)
        labels[row] = min(Self.phases - 1, Int(share * Float(Self.phases)))
      }
    }
    period = max(Self.shortestPeriod, Self.median(reps.map { $0.end - $0.start }))
    score = [Float](repeating: 0, count: count * Self.phases)
    idleScore = [Float](repeating: 0, count: count)
    from = [UInt8](repeating: 0, count: count * Self.states)
  }

  /// The means of the phases and how well each row fits them; `false` with too few labelled rows.
  private mutating func learn() -> Bool {
    let used = labels.count { $0 >= 0 }
    guard used >= 2 * Self.phases else { return false }
    learnMeans()
    learnSpread(used)
    scorePhases()
    return true
  }

  private mutating func learnMeans() {
    var sums = [Float](repeating: 0, count: Self.phases * width)
    var counts = [Int](repeating: 0, count: Self.phases)
    for (row, label) in labels.enumerated() where label >= 0 {
      counts[label] += 1
      for number in 0..<width { sums[label * width + number] += rows[row * width + number] }
    }
    let seen = counts.count { $0 > 0 }
    var all = [Float](repeating: 0, count: width)
    for phase in 0..<Self.phases where counts[phase] > 0 {
      for number in 0..<width {
        sums[phase * width + number] /= Float(counts[phase])
        all[number] += sums[phase * width + number]
      }
    }
    for phase in 0..<Self.phases where counts[phase] == 0 {
      for number in 0..<width { sums[phase * width + number] = all[number] / Float(max(1, seen)) }
    }
    for phase in 0..<Self.phases {
      let (before, after) = ((phase + Self.phases - 1) % Self.phases, (phase + 1) % Self.phases)
      for number in 0..<width {
        means[phase * width + number] =
          0.25 * sums[before * width + number] + 0.5 * sums[phase * width + number] + 0.25
          * sums[after * width + number]
      }
    }
  }

  /// Each number's variance within phases, and how well rows fit idle time.
  private mutating func learnSpread(_ used: Int) {
    let count = ticks.count
    for row in 0..<count { idleScore[row] = 0 }
    var constant: Float = 0
    for number in 0..<width {
      var (squares, sum, wholeSquares, whole) = (0.0, 0.0, 0.0, 0.0)
      for row in 0..<count {
        let value = rows[row * width + number]
        whole += Double(value)
        wholeSquares += Double(value * value)
        guard labels[row] >= 0 else { continue }
        let distance = value - means[labels[row] * width + number]
        sum += Double(distance)
        squares += Double(distance * distance)
      }
      let mean = sum / Double(used)
      precision[number] = 1 / (Float(squares / Double(used) - mean * mean) + Self.floor)
      let centre = whole / Double(count)
      let variance = Float(wholeSquares / Double(count) - centre * centre)
      let spread = Self.idleSpread * variance * precision[number] + 1
      constant += Float.log(spread)
      let weight = precision[number] / spread
      for row in 0..<count {
        let distance = rows[row * width + number] - Float(centre)
        idleScore[row] += distance * distance * weight
      }
    }
    for row in 0..<count { idleScore[row] = -0.5 * Self.evidence * (idleScore[row] + constant) }
  }

  private mutating func scorePhases() {
    let most = SIMD8<Float>(repeating: Self.mostDistance)
    let width = width
    score.withUnsafeMutableBufferPointer { score in
      rows.withUnsafeBufferPointer { rows in
        means.withUnsafeBufferPointer { means in
          precision.withUnsafeBufferPointer { precision in
            for row in 0..<rows.count / width {
              for phase in 0..<Self.phases {
                var sum = SIMD8<Float>.zero
                for number in stride(from: 0, to: width, by: 8) {
                  let distance =
                    PoseRows.eight(rows, row * width + number) - PoseRows.eight(means, phase * width + number)
                  let terms = distance * distance * PoseRows.eight(precision, number)
                  sum += terms.replacing(with: most, where: terms .> most)
                }
                score[row * Self.phases + phase] = -0.5 * Self.evidence * sum.sum()
              }
            }
          }
        }
      }
    }
  }

  /// The most likely path, which labels the rows.
  ///
  /// - Returns: The sample at which each cycle ends.
  private mutating func decode() -> [Int] {
    let rate = Float(Self.phases) / period
    let stay = rate < 1 ? Float.log(1 - rate + 0.05) : Float.log(0.1)
    let next = rate < 1 ? Float.log(rate) : Float.log(max(0.1, 2 - rate))
    let skip = rate < 1 ? Float.log(0.02) : Float.log(min(0.9, rate - 1 + 0.1))
    var best = [Float](repeating: -3, count: Self.states)
    best[Self.idle] = 0
    var now = best
    let toIdle = [Self.phases - 1] + Array(0..<Self.phases - 1)
    for row in ticks.indices {
      for phase in 0..<Self.phases {
        var (value, origin) = (best[phase] + stay, phase)
        func consider(_ other: Float, _ state: Int) {
          if other > value { (value, origin) = (other, state) }
        }
        let (one, two) = ((phase + Self.phases - 1) % Self.phases, (phase + Self.phases - 2) % Self.phases)
        consider(best[one] + next, one)
        consider(best[two] + skip, two)
        if phase == 0 { consider(best[Self.idle] + Self.begin, Self.idle) }
        now[phase] = value + score[row * Self.phases + phase]
        from[row * Self.states + phase] = UInt8(origin)
      }
      var (value, origin) = (best[Self.idle] + Self.rest, Self.idle)
      for phase in toIdle {
        let other = best[phase] + (phase == Self.phases - 1 ? Self.end : Self.abandon)
        if other > value { (value, origin) = (other, phase) }
      }
      now[Self.idle] = value + idleScore[row]
      from[row * Self.states + Self.idle] = UInt8(origin)
      swap(&best, &now)
    }
    var state = best.indices.max { best[$0] < best[$1] || best[$0] == best[$1] && $0 > $1 } ?? Self.idle
    for row in ticks.indices.reversed() {
      labels[row] = state == Self.idle ? -1 : state
      state = Int(from[row * Self.states + state])
    }
    return turns
  }

  /// The samples at which the path's cycles end.
  private var turns: [Int] {
    var turns: [Int] = []
    var (covered, last) = (0, -1)
    let least = Self.least * Float(Self.phases)
    for (row, phase) in labels.enumerated() {
      if phase < 0 {
        if last >= Self.phases - 2, Float(covered) >= least { turns.append(ticks[row]) }
        covered = 0
      } else if last < 0 {
        covered = 0
      } else if phase < last {
        if Float(covered) >= least { turns.append(ticks[row]) }
        covered = 0
      } else {
        covered += phase - last
      }
      last = phase
    }
    if last >= 0, Float(covered) >= Self.leastAtEnd * Float(Self.phases), let end = ticks.last { turns.append(end + 1) }
    return turns
  }

  private mutating func measurePeriod(_ turns: [Int]) {
    let starts = [ticks[0]] + turns.dropLast()
    let intervals = zip(starts, turns).map { Float($1 - $0) }
    let longest = 1.3 * Self.median(intervals)
    period = max(Self.shortestPeriod, Self.median(intervals.map { min($0, longest) }))
  }

  private static func median(_ values: [Float]) -> Float {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? 0.5 * (sorted[middle - 1] + sorted[middle]) : sorted[middle]
  }
}
