import PoseModel

/// A turning point of a movement.
struct Extreme: Sendable {
  var row: Int
  var tick: Int
  var value: Float
  /// 1 for a maximum.
  var sign: Float

  /// The extremes of a series that are followed by a return of more than `threshold`, in order.
  ///
  /// - Returns: Their number.
  static func find(
    in values: [Float], _ count: Int, threshold: Float, firstRow: Int, _ history: PoseHistory,
    into extremes: inout [Extreme]
  ) -> Int {
    guard count > 0 else { return 0 }
    var (found, direction) = (0, 0)
    var (high, low) = (values[0], values[0])
    var (highest, lowest) = (0, 0)
    func extreme(_ index: Int, _ sign: Float) -> Extreme {
      let row = firstRow + index
      return Extreme(row: row, tick: history.ticks[row], value: values[index], sign: sign)
    }
    for index in 1..<max(count, 1) {
      let value = values[index]
      if direction >= 0, value > high { (high, highest) = (value, index) }
      if direction <= 0, value < low { (low, lowest) = (value, index) }
      if direction >= 0, high - value > threshold {
        extremes[found] = extreme(highest, 1)
        (direction, low, lowest) = (-1, value, index)
        found += 1
      } else if direction <= 0, value - low > threshold {
        extremes[found] = extreme(lowest, -1)
        (direction, high, highest) = (1, value, index)
        found += 1
      }
    }
    return found
  }
}

/// Searches the history for a periodic movement and its reps.
struct PeriodSearch: Sendable {
  /// Samples between two searches: about half a second.
  static let interval = 7
  /// The number of candidates: those with the largest movement, as small movements are mostly noise.
  private static let candidateCount = 6
  private static let (main, current) = (candidateCount, candidateCount + 1)
  /// The minimum samples of a window.
  private static let leastSamples = 5 * PoseSampler.rate
  /// The possible periods: 0.4 s to 8 s.
  private static let shortestPeriod = 6
  private static let longestPeriod = 8 * PoseSampler.rate

  private let settings: RepsAny.Settings
  /// The window's samples, each number minus its mean.
  private var columns: PoseRows
  /// Scratch rows.
  private var (mean, bound, deviation, noise, next): (PoseRows, PoseRows, PoseRows, PoseRows, PoseRows)
  /// The candidates over the window, as many as a vector has places: numbers, the main movement, the current one.
  private var lanes: [SIMD8<Float>]
  private var energy: [SIMD8<Float>]
  private var correlation: [SIMD8<Float>]
  /// The first principal component.
  private(set) var common = PoseRows(rows: 1)
  private(set) var weights = PoseRows(rows: 1)
  /// A movement over the history.
  private var series: [Float]
  private var sorted: [Float]
  private var extremes: [Extreme]
  private var ways: [Float]
  /// The start of the reps that led to the last choice.
  private(set) var firstRow = 0
  /// The number of consecutive searches that found something better than the current movement.
  private var challenges = 0

  init(_ settings: RepsAny.Settings) {
    self.settings = settings
    let length = PoseHistory.length
    columns = PoseRows(rows: settings.window)
    let row = PoseRows(rows: 1)
    (mean, bound, deviation, noise, next) = (row, row, row, row, row)
    lanes = Array(repeating: .zero, count: settings.window)
    energy = Array(repeating: .zero, count: settings.window + 1)
    correlation = Array(repeating: .zero, count: Self.longestPeriod + 1)
    series = Array(repeating: 0, count: length)
    sorted = Array(repeating: 0, count: length)
    extremes = Array(repeating: Extreme(row: 0, tick: 0, value: 0, sign: 0), count: length)
    ways = Array(repeating: 0, count: length)
  }

  private struct Candidate {
    var lane: Int
    /// In samples.
    var period: Int
    var periodicity: Float
    var score: Float
  }

  /// Searches for a more periodic movement than the current one, and updates the current one.
  ///
  /// - Parameter now: number of samples so far.
  mutating func movement(
    in history: PoseHistory, at now: Int, isShort: Bool, insteadOf current: inout RepeatedMovement?,
    _ currentWeights: PoseRows, _ turns: RecentTurns
  ) -> RepeatedMovement? {
    let span = isShort ? settings.shortWindow : settings.window
    // The long window is for slow movements: every second sample is enough.
    let step = isShort ? 1 : 2
    let count = fill(history, from: now - span, at: now, step: step)
    guard count * step >= min(Self.leastSamples, span), count * step * 10 >= 6 * min(now, span) else { return nil }
    center(count)
    let numbers = project(count, currentWeights)
    let least = isShort ? settings.shortPeriodicity : settings.periodicity
    correlate(count, step: step)
    var best: Candidate?
    // The range of a sine is 2.8 times its deviation.
    for lane in 0...Self.main {
      guard let candidate = candidate(lane, count, step), candidate.periodicity >= least,
        amplitude(lane, count) * 2.8 >= settings.minimumRange,
        candidate.score > best?.score ?? 0
      else { continue }
      best = candidate
    }
    let known = current == nil ? nil : candidate(Self.current, count, step)
    if let movement = current {
      let periodicity = known?.periodicity ?? 0
      if !isShort { current?.periodicity = periodicity }
      if periodicity >= settings.periodicity { current?.period = known?.period ?? movement.period }
    }
    guard isBetter(best, than: known, current), let best else { return nil }
    if best.lane == Self.main {
      weights.copy(0, from: common, 0)
    } else {
      for number in 0..<PoseRows.width { weights[0, number] = number == numbers[best.lane] ? 1 : 0 }
    }
    refine(count, period: best.period / step)
    return reps(of: best, in: history, from: now - span, at: now, turns)
  }

  /// Copies the samples of the window into the columns.
  private mutating func fill(_ history: PoseHistory, from first: Int, at now: Int, step: Int) -> Int {
    var count = 0
    for row in history.firstRow(since: first)..<history.count where (now - 1 - history.ticks[row]).isMultiple(of: step)
    {
      columns.copy(count, from: history.values, row)
      count += 1
    }
    return count
  }

  /// Subtracts each number's mean and clips it at two and a half standard deviations.
  private mutating func center(_ count: Int) {
    let (width, scale) = (PoseRows.width, 1 / Float(count))
    columns.withRows { columns in
      mean.withRows { mean in
        bound.withRows { bound in
          deviation.withRows { deviation in
            for number in 0..<width { bound[number] = .infinity }
            for _ in 0..<2 {
              for number in 0..<width { (mean[number], deviation[number]) = (0, 0) }
              for row in 0..<count {
                for number in 0..<width {
                  let value = columns[row * width + number]
                  let most = bound[number]
                  let limited = value > most ? most : value < -most ? -most : value
                  columns[row * width + number] = limited
                  mean[number] += limited * scale
                }
              }
              for row in 0..<count {
                for number in 0..<width {
                  let value = columns[row * width + number] - mean[number]
                  columns[row * width + number] = value
                  deviation[number] += value * value * scale
                }
              }
              for number in 0..<width {
                deviation[number] = deviation[number].squareRoot()
                bound[number] = 2.5 * deviation[number]
              }
            }
          }
        }
      }
    }
  }

  /// A step of the power iteration: `next` becomes the sum of all samples, each times its projection on `weights`.
  private mutating func regress(_ count: Int, on weights: PoseRows) {
    let width = PoseRows.width
    next.withRows { next in
      for number in 0..<width { next[number] = 0 }
      columns.values.withUnsafeBufferPointer { columns in
        weights.values.withUnsafeBufferPointer { weights in
          for row in 0..<count {
            let share = PoseRows.dot(columns, row * width, weights, 0)
            for number in 0..<width { next[number] += share * columns[row * width + number] }
          }
        }
      }
    }
  }

  /// Fills the lanes and returns their numbers.
  private mutating func project(_ count: Int, _ currentWeights: PoseRows) -> SIMD8<Int> {
    let width = PoseRows.width
    if common.dot(0, common) == 0 {
      for number in 0..<width { common[0, number] = deviation[0, number] + 1e-6 }
    }
    // Two steps are enough from the previous search's direction.
    for _ in 0..<2 {
      regress(count, on: common)
      common.copy(0, from: next, 0)
      common.normalize()
    }
    var numbers = SIMD8<Int>(repeating: 0)
    mean.copy(0, from: deviation, 0)
    for lane in 0..<Self.candidateCount {
      var furthest = 0
      for number in 1..<width where mean[0, number] > mean[0, furthest] { furthest = number }
      numbers[lane] = furthest
      mean[0, furthest] = -1
    }
    for row in 0..<count {
      lanes[row] = SIMD8(
        columns[row, numbers[0]], columns[row, numbers[1]], columns[row, numbers[2]], columns[row, numbers[3]],
        columns[row, numbers[4]], columns[row, numbers[5]], columns.dot(row, common),
        columns.dot(row, currentWeights))
    }
    return numbers
  }

  /// The autocorrelation of the lanes up to half of the window, over the overlap.
  private mutating func correlate(_ count: Int, step: Int) {
    energy[0] = .zero
    for row in 0..<count { energy[row + 1] = energy[row] + lanes[row] * lanes[row] }
    for lag in 1..<lagCount(count, step) {
      let sum = lanes.withUnsafeBufferPointer { lanes in
        var sum = SIMD8<Float>.zero
        for row in 0..<count - lag { sum += lanes[row] * lanes[row + lag] }
        return sum
      }
      let scale = (energy[count - lag] * (energy[count] - energy[lag])).squareRoot()
      correlation[lag] = sum / (scale + 1e-9)
    }
  }

  private func lagCount(_ count: Int, _ step: Int) -> Int { max(1, min(count / 2 + 1, Self.longestPeriod / step)) }

  private func amplitude(_ lane: Int, _ count: Int) -> Float { (energy[count][lane] / Float(count)).squareRoot() }

  /// A lane's period: the first peak of the autocorrelation close to the highest one after the first zero.
  private func candidate(_ lane: Int, _ count: Int, _ step: Int) -> Candidate? {
    let lags = lagCount(count, step)
    var first = 1
    while first < lags, correlation[first][lane] >= 0 { first += 1 }
    first = max(first, Self.shortestPeriod / step)
    guard first < lags else { return nil }
    var period = first
    for lag in first..<lags where correlation[lag][lane] > correlation[period][lane] { period = lag }
    let highest = correlation[period][lane]
    for lag in first..<max(first, lags - 1) where correlation[lag][lane] >= 0.85 * highest {
      let value = correlation[lag][lane]
      if value >= correlation[lag - 1][lane], value >= correlation[lag + 1][lane] {
        period = lag
        break
      }
    }
    // At the last lag it may still rise.
    let isOpen = period == lags - 1
    let periodicity = max(0, correlation[period][lane] * (isOpen ? 0.8 : 1))
    let score = periodicity * periodicity * min(amplitude(lane, count), 2).squareRoot()
    return Candidate(lane: lane, period: period * step, periodicity: periodicity, score: score)
  }

  /// A better movement must win two searches in a row by a fifth.
  private mutating func isBetter(_ best: Candidate?, than known: Candidate?, _ current: RepeatedMovement?) -> Bool {
    guard let best else {
      challenges = 0
      return false
    }
    guard current != nil else { return true }
    let isKnown = (known?.periodicity ?? 0) >= settings.periodicity
    challenges = best.score > (isKnown ? 1.2 : 1) * (known?.score ?? 0) ? challenges + 1 : 0
    return challenges >= 2
  }

  /// Weights every number by its covariance with the movement, over its variance that does not repeat after a period.
  private mutating func refine(_ count: Int, period: Int) {
    let (width, scale) = (PoseRows.width, 1 / Float(2 * max(1, count - period)))
    noise.withRows { noise in
      // At least a tenth of a trunk length is noise.
      for number in 0..<width { noise[number] = 0.01 }
      columns.values.withUnsafeBufferPointer { columns in
        for row in period..<max(period, count) {
          for number in 0..<width {
            let change = columns[row * width + number] - columns[(row - period) * width + number]
            noise[number] += change * change * scale
          }
        }
      }
    }
    for _ in 0..<2 {
      regress(count, on: weights)
      for number in 0..<width { weights[0, number] = next[0, number] / noise[0, number] }
      weights.normalize()
    }
  }

  /// The movement with these weights and its reps in the history; `nil` for fewer than two similar reps.
  private mutating func reps(
    of candidate: Candidate, in history: PoseHistory, from first: Int, at now: Int,
    _ turns: RecentTurns
  ) -> RepeatedMovement? {
    let start = history.firstRow(since: now - PoseHistory.length)
    let window = history.firstRow(since: first) - start
    let count = history.count - start
    for index in 0..<count { series[index] = history.values.dot(start + index, weights) }
    let (low, middle, high) = quantiles(window..<count)
    var found = Extreme.find(
      in: series, count, threshold: 0.4 * (high - low), firstRow: start, history, into: &extremes)
    // The rest position lasts longer than the turn, unless earlier turns are known.
    let sign =
      turns.sign(among: extremes[..<found], since: now - PoseHistory.length) ?? (2 * middle < low + high ? 1 : -1)
    for index in 0..<count { series[index] *= sign }
    for index in 0..<found {
      extremes[index].sign *= sign
      extremes[index].value *= sign
    }
    guard let roughly = usualWay(found, start: start, from: first) else { return nil }
    found = Extreme.find(
      in: series, count, threshold: settings.turnShare * roughly, firstRow: start, history, into: &extremes)
    guard let usual = usualWay(found, start: start, from: first),
      findFirst(found, usual, candidate, start: start, from: first)
    else { return nil }
    challenges = 0
    for number in 0..<PoseRows.width { weights[0, number] *= sign }
    return RepeatedMovement(
      usualWay: usual, period: candidate.period, periodicity: candidate.periodicity)
  }

  /// The 5th, 50th and 95th percentile of a part of the series.
  private mutating func quantiles(_ range: Range<Int>) -> (Float, Float, Float) {
    for index in range { sorted[index - range.lowerBound] = series[index] }
    sort(range.count)
    let last = Float(range.count - 1)
    return (sorted[Int(0.05 * last + 0.5)], sorted[range.count / 2], sorted[Int(0.95 * last + 0.5)])
  }

  /// Shell sort, which does not allocate.
  private mutating func sort(_ count: Int) {
    var gap = count / 2
    while gap > 0 {
      for index in gap..<count {
        let value = sorted[index]
        var place = index
        while place >= gap, sorted[place - gap] > value {
          sorted[place] = sorted[place - gap]
          place -= gap
        }
        sorted[place] = value
      }
      gap /= 2
    }
  }

  /// The median range of the turns in the window; `nil` for fewer than two. Leaves each extreme's range in `ways`.
  private mutating func usualWay(_ found: Int, start: Int, from first: Int) -> Float? {
    var count = 0
    for index in 0..<found {
      let turn = extremes[index].row - start
      var low = extremes[index].value
      for place in (index > 0 ? extremes[index - 1].row - start : 0)..<turn { low = min(low, series[place]) }
      ways[index] = extremes[index].value - low
      guard extremes[index].sign > 0, extremes[index].tick >= first else { continue }
      sorted[count] = ways[index]
      count += 1
    }
    guard count >= 2 else { return nil }
    sort(count)
    return count.isMultiple(of: 2) ? 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]) : sorted[count / 2]
  }

  /// Finds the start of the window's reps and of those just before them without a break.
  ///
  /// - Returns: Whether at least two reps in the window are similar.
  private mutating func findFirst(
    _ found: Int, _ usual: Float, _ candidate: Candidate, start: Int, from first: Int
  ) -> Bool {
    var (alike, next) = (0, Int?.none)
    firstRow = start
    for index in (0..<found).reversed() where extremes[index].sign > 0 {
      let (tick, isRep) = (extremes[index].tick, settings.isRep(ways[index], usual: usual))
      if tick >= first {
        if isRep { alike += 1 }
      } else {
        guard isRep, next.map({ $0 - tick <= 2 * candidate.period }) ?? true else { break }
      }
      next = tick
      firstRow = index > 0 ? extremes[index - 1].row : start
    }
    return alike >= 2
  }
}
