import PoseModel
import RealModule

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
  /// Samples between two searches of the long window while there is no movement: the second of two reps may be the last
  /// thing that a recording shows.
  static let eagerInterval = 3
  /// The least autocorrelation in searches beyond the usual ones.
  private static let eagerPeriodicity: Float = 0.95
  /// The longest period as a share of the window's movement. Two reps and the rest between them are about as long as
  /// one and a half periods, so while there is no movement longer periods are tried too.
  private static let (lagShare, firstLagShare): (Float, Float) = (0.5, 0.65)
  /// The least autocorrelation at such a longer period, which few samples overlap.
  private static let firstPeriodicity: Float = 0.9
  /// The number of candidates: those with the largest movement, because small movements are mostly noise.
  private static let candidateCount = 6
  private static let (main, current) = (candidateCount, candidateCount + 1)
  /// The fewest samples in which a period is accepted, and the fewest for a clear one.
  private static let (usualSamples, fewestSamples) = (5 * PoseSampler.rate, 3 * PoseSampler.rate)
  /// The minimum samples between the stillness before and after a movement: two quick reps and more.
  private static let fewestMoving = 2 * PoseSampler.rate
  /// A pose is still while it is closer to the first, or last, than this share of the furthest one's distance.
  private static let stillShare: Float = 0.2
  /// The samples in which sides are compared.
  private static let longRows = 125
  /// How much less mirrored poses must differ than unmirrored ones.
  private static let mirrorShare: Float = 0.65
  /// The least share of the movement that must be symmetric. Curls of one arm after the other have a quarter and more.
  private static let symmetricShare: Float = 0.2
  /// At or above this ratio the sides hardly differ.
  private static let sideless: Float = 0.9
  /// Searches of the long window, one about every second, between two renewals of the weights.
  private static let renewal = 5
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
  /// The number of consecutive searches that found another kind of cycle in the current movement.
  private var doubts = 0
  /// The number of searches of the long window since the weights were set.
  private var age = 0
  /// The greatest autocorrelation of a large movement at the last usual search of the long window; NaN without one.
  private(set) var clarity = Float.nan

  init(_ settings: RepsAny.Settings) {
    self.settings = settings
    let length = PoseHistory.length
    columns = PoseRows(rows: max(settings.window, Self.longRows))
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
    /// Whether the period is half of a cycle, whose other half has left and right exchanged.
    var isMirrored = false
    /// Whether its period is too long for the window to show two of them.
    var isProvisional = false
  }

  /// Searches for a more periodic movement than the current one, and updates the current one.
  ///
  /// - Parameters:
  ///   - now: number of samples so far.
  ///   - isEager: Whether this search is beyond the usual ones.
  mutating func movement(
    in history: PoseHistory, at now: Int, isShort: Bool, isEager: Bool = false,
    insteadOf current: inout RepeatedMovement?, _ currentWeights: PoseRows, _ turns: RecentTurns
  ) -> RepeatedMovement? {
    let span = isShort ? settings.shortWindow : settings.window
    // The long window is for slow movements: every second sample is enough.
    let step = isShort ? 1 : 2
    let isUsual = !isShort && !isEager
    if isUsual { clarity = .nan }
    let filled = fill(history, from: now - span, at: now, step: step)
    guard filled * step >= Self.fewestSamples, filled * step * 10 >= 6 * min(now, span) else { return nil }
    let count = trim(filled)
    guard count * step >= Self.fewestMoving else { return nil }
    center(count)
    let numbers = project(count, currentWeights)
    var least = isShort ? settings.shortPeriodicity : settings.periodicity
    if filled * step < Self.usualSamples { least = max(least, settings.clearPeriodicity) }
    if isEager { least = max(least, Self.eagerPeriodicity) }
    var lags = lagCount(count, step, Self.lagShare)
    correlate(count, lags)
    if isUsual, current == nil, filled * step >= Self.usualSamples { clarity = clearest(count, lags, step) }
    var best = best(count, lags, step, least: least)
    if best == nil, current == nil {
      lags = lagCount(count, step, Self.firstLagShare)
      correlate(count, lags)
      best = self.best(count, lags, step, least: max(least, Self.firstPeriodicity))
      best?.isProvisional = true
    }
    let known = current == nil ? nil : candidate(Self.current, count, lags, step)
    if let movement = current {
      let periodicity = known?.periodicity ?? 0
      if !isShort { current?.periodicity = periodicity }
      if let known, periodicity >= settings.periodicity, !movement.isMirrored { current?.period = known.period }
    }
    if isBetter(best, than: known, current), let best {
      weigh(best, numbers)
      return choose(best, in: history, from: now - span, at: now, step: step, turns)
    }
    guard !isShort, let movement = current, let known, known.periodicity >= settings.periodicity else { return nil }
    age += 1
    // Without much difference between the sides there is nothing to reconsider.
    guard age >= Self.renewal || age.isMultiple(of: 2) && symmetricShare() < Self.sideless else { return nil }
    let (resolved, longStep, longCount) = resolve(known, in: history, at: now)
    // The search found that the halves of the body move alike, or that they do not.
    let isOther = 3 * resolved.period < 2 * movement.period || 2 * resolved.period > 3 * movement.period
    doubts = isOther ? doubts + 1 : 0
    guard doubts >= 2 || age >= Self.renewal && resolved.isMirrored == movement.isMirrored else { return nil }
    weights.copy(0, from: currentWeights, 0)
    return finish(resolved, longCount, longStep, in: history, from: now - span, at: now, turns)
  }

  /// The most periodic of the numbers and the main movement.
  private func best(_ count: Int, _ lags: Int, _ step: Int, least: Float) -> Candidate? {
    var best: Candidate?
    for lane in 0...Self.main {
      guard let candidate = candidate(lane, count, lags, step), candidate.periodicity >= least else { continue }
      let isClear = candidate.periodicity >= settings.clearPeriodicity
      // The range of a sine is 2.8 times its deviation.
      guard amplitude(lane, count) * 2.8 >= (isClear ? settings.smallRange : settings.minimumRange),
        candidate.score > best?.score ?? 0
      else { continue }
      best = candidate
    }
    return best
  }

  /// The greatest autocorrelation of the movements that need not be clearer than usual; NaN for none.
  private func clearest(_ count: Int, _ lags: Int, _ step: Int) -> Float {
    var clearest = Float.nan
    for lane in 0...Self.main where amplitude(lane, count) * 2.8 >= settings.minimumRange {
      guard let found = candidate(lane, count, lags, step) else { continue }
      clearest = Float.maximum(clearest, found.periodicity)
    }
    return clearest
  }

  /// Sets the weights to those of a candidate's lane.
  private mutating func weigh(_ candidate: Candidate, _ numbers: SIMD8<Int>) {
    if candidate.lane == Self.main {
      weights.copy(0, from: common, 0)
    } else {
      for number in 0..<PoseRows.width { weights[0, number] = number == numbers[candidate.lane] ? 1 : 0 }
    }
  }

  private mutating func choose(
    _ candidate: Candidate, in history: PoseHistory, from first: Int, at now: Int, step: Int, _ turns: RecentTurns
  ) -> RepeatedMovement? {
    let (resolved, longStep, longCount) = resolve(candidate, in: history, at: now)
    if resolved.isMirrored {
      return finish(resolved, longCount, longStep, in: history, from: first, at: now, turns)
    }
    let count = fill(history, from: first, at: now, step: step)
    center(count)
    return finish(candidate, count, step, in: history, from: first, at: now, turns)
  }

  /// Sets the weights by the columns and finds the reps.
  private mutating func finish(
    _ candidate: Candidate, _ count: Int, _ step: Int, in history: PoseHistory, from first: Int, at now: Int,
    _ turns: RecentTurns
  ) -> RepeatedMovement? {
    if candidate.isMirrored {
      weighSymmetric(count, period: candidate.period / step)
    } else {
      refine(count, period: candidate.period / step)
    }
    (doubts, age) = (0, 0)
    return reps(of: candidate, in: history, from: first, at: now, turns)
  }

  /// Resolves whether a period is a rep or a cycle of two reps, one to each side, over about ten periods.
  ///
  /// In a cycle of two, the pose half a period later is the mirrored one, not the same one. The movement of the sides
  /// must also move symmetric numbers, otherwise turning from side to side would be two reps.
  ///
  /// - Returns: The candidate and the step and number of the samples that it leaves in the columns.
  private mutating func resolve(
    _ candidate: Candidate, in history: PoseHistory, at now: Int
  ) -> (candidate: Candidate, step: Int, count: Int) {
    let step = min(3, max(1, candidate.period / 10))
    let count = fill(history, from: now - Self.longRows * step, at: now, step: step)
    center(count)
    var result = candidate
    let period = lag(near: candidate.period / step, count, isMirrored: false)
    guard period * step >= 2 * Self.shortestPeriod else { return (result, step, count) }
    let half = lag(near: period / 2, count, isMirrored: true)
    let mirrored = likeness(half, count, isMirrored: true)
    guard mirrored > settings.mirrorLikeness,
      1 - mirrored < Self.mirrorShare * (1 - likeness(half, count, isMirrored: false))
    else { return (result, step, count) }
    if symmetricShare() > Self.symmetricShare {
      result.isMirrored = true
      result.period = half * step
    }
    return (result, step, count)
  }

  /// The share of the columns' variance that exchanging left and right leaves unchanged.
  private func symmetricShare() -> Float {
    var (symmetric, sided): (Float, Float) = (0, 1e-9)
    for number in 0..<PoseRows.width {
      let variance = deviation[0, number] * deviation[0, number]
      if PoseSampler.mirror[number] > 0 { symmetric += variance }
      if PoseSampler.mirror[number] < 0 { sided += variance }
    }
    return symmetric / (symmetric + sided)
  }

  /// The lag within a seventh of another lag at which poses are most alike.
  private func lag(near lag: Int, _ count: Int, isMirrored: Bool) -> Int {
    var best = (lag: lag, value: Float(-1))
    let reach = max(1, lag / 7)
    for place in stride(from: max(2, lag - reach), through: lag + reach, by: max(1, reach / 2)) {
      let value = likeness(place, count, isMirrored: isMirrored)
      if value > best.value { best = (place, value) }
    }
    return best.lag
  }

  /// The autocorrelation of all numbers together at a lag, with left and right exchanged in the later pose if mirrored.
  private func likeness(_ lag: Int, _ count: Int, isMirrored: Bool) -> Float {
    guard lag < count, lag > 0 else { return -1 }
    let width = PoseRows.width
    return columns.values.withUnsafeBufferPointer { columns in
      var (product, energy) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for place in stride(from: 0, to: width, by: 8) {
        let mirror = PoseSampler.mirror(place)
        let sign = isMirrored ? mirror : SIMD8(repeating: 1)
        let isUsed = sign * sign
        for row in 0..<count - lag {
          let now = PoseRows.eight(columns, row * width + place)
          let later = PoseRows.eight(columns, (row + lag) * width + place)
          product += now * later * sign
          energy += (now * now + later * later) * isUsed
        }
      }
      return 2 * product.sum() / (energy.sum() + 1e-9)
    }
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

  /// Drops the stillness before and after a movement, whose offset would hide the movement's period.
  ///
  /// - Returns: The number of samples left.
  private mutating func trim(_ count: Int) -> Int {
    guard count > 2 else { return count }
    let share = Self.stillShare * Self.stillShare
    var (fromFirst, fromLast): (Float, Float) = (0, 0)
    for row in 0..<count {
      fromFirst = max(fromFirst, columns.distance(row, 0))
      fromLast = max(fromLast, columns.distance(row, count - 1))
    }
    var (first, last) = (0, count - 1)
    while first < last, columns.distance(first, 0) < share * fromFirst { first += 1 }
    while last > first, columns.distance(last, count - 1) < share * fromLast { last -= 1 }
    (first, last) = (max(0, first - 1), min(count - 1, last + 1))
    if first > 0 {
      for row in first...last { columns.move(row, to: row - first) }
    }
    return last - first + 1
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

  /// The autocorrelation of the lanes at the first lags, over the overlap.
  private mutating func correlate(_ count: Int, _ lags: Int) {
    energy[0] = .zero
    for row in 0..<count { energy[row + 1] = energy[row] + lanes[row] * lanes[row] }
    for lag in 1..<lags {
      let sum = lanes.withUnsafeBufferPointer { lanes in
        var sum = SIMD8<Float>.zero
        for row in 0..<count - lag { sum += lanes[row] * lanes[row + lag] }
        return sum
      }
      let scale = (energy[count - lag] * (energy[count] - energy[lag])).squareRoot()
      correlation[lag] = sum / (scale + 1e-9)
    }
  }

  /// The number of lags, up to a share of the samples.
  private func lagCount(_ count: Int, _ step: Int, _ share: Float) -> Int {
    max(1, min(Int(share * Float(count)) + 1, Self.longestPeriod / step))
  }

  private func amplitude(_ lane: Int, _ count: Int) -> Float { (energy[count][lane] / Float(count)).squareRoot() }

  /// A lane's period: the first peak of the autocorrelation close to the highest one after the first zero.
  private func candidate(_ lane: Int, _ count: Int, _ lags: Int, _ step: Int) -> Candidate? {
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
    // The autocorrelation may still rise at the last lag.
    let isOpen = period == lags - 1
    let periodicity = max(0, correlation[period][lane] * (isOpen ? 0.8 : 1))
    let score = periodicity * periodicity * min(amplitude(lane, count), 2).squareRoot()
    return Candidate(lane: lane, period: period * step, periodicity: periodicity, score: score)
  }

  /// A better movement must win two searches in a row by a fifth, unless the current one is provisional.
  private mutating func isBetter(_ best: Candidate?, than known: Candidate?, _ current: RepeatedMovement?) -> Bool {
    guard let best else {
      challenges = 0
      return false
    }
    guard let current, !current.isProvisional else { return true }
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

  /// Weights every symmetric number by its Fourier component at the period, in the phase that most of them share, over
  /// its variance that does not repeat after a period.
  private mutating func weighSymmetric(_ count: Int, period: Int) {
    let width = PoseRows.width
    for number in 0..<width { (next[0, number], bound[0, number], noise[0, number]) = (0, 0, 0.01) }
    let scale = 1 / Float(2 * max(1, count - period))
    for row in 0..<count {
      let angle = 2 * Float.pi * Float(row) / Float(period)
      let (cosine, sine) = (Float.cos(angle), Float.sin(angle))
      for number in 0..<width where PoseSampler.mirror[number] > 0 {
        let value = columns[row, number]
        next[0, number] += cosine * value
        bound[0, number] += sine * value
        guard row >= period else { continue }
        let change = value - columns[row - period, number]
        noise[0, number] += change * change * scale
      }
    }
    // The phase that maximises the sum of the squared weights times the noise.
    var (x, y): (Float, Float) = (0, 0)
    for number in 0..<width {
      let (real, imaginary) = (next[0, number], bound[0, number])
      x += (real * real - imaginary * imaginary) / noise[0, number]
      y += 2 * real * imaginary / noise[0, number]
    }
    let phase = 0.5 * Float.atan2(y: y, x: x)
    let (cosine, sine) = (Float.cos(phase), Float.sin(phase))
    for number in 0..<width {
      weights[0, number] = (next[0, number] * cosine + bound[0, number] * sine) / noise[0, number]
    }
    weights.normalize()
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
      usualWay: usual, period: candidate.period, periodicity: candidate.periodicity, isMirrored: candidate.isMirrored,
      isProvisional: candidate.isProvisional)
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
