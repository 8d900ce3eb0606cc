import PoseModel

/// The rule that matches predicted with true reps: near instants, overlap in time, or a turning point inside.
///
/// Datasets end reps by different conventions: at the return to the start position, at the next rep's start, or
/// somewhere in the pause between. If predictions count well but miss the labelled ends, matching by overlap or by
/// turning points still finds the reps. A rep without length overlaps nothing: a counter that reports only an end, with
/// start equal to end, cannot be matched by overlap.
public struct RepMatching: Hashable, Sendable {
  public enum Instant: String, CaseIterable, Hashable, Encodable, Sendable {
    case start, turn, end
  }

  public enum Rule: Hashable, Sendable {
    /// The largest distance of the instants.
    case tolerance(Microseconds)
    /// The least temporal intersection over union; above 0, at most 1.
    case overlap(Double)
    /// The predicted turning point lies in the true rep: what all can agree on where people pause between reps. A
    /// prediction without a turning point also matches if the true one lies in it.
    case turnInside
  }

  /// The compared instant of matched reps. `turn` is the middle of a rep without a known turn.
  public var instant: Instant
  public var rule: Rule

  public init(instant: Instant, tolerance: Microseconds) {
    self.instant = instant
    rule = .tolerance(tolerance)
  }

  /// Matches by overlap; timing errors are those of the reps' ends.
  public init(overlap: Double) {
    instant = .end
    rule = .overlap(overlap)
  }

  /// Matches by turning points inside reps; timing errors are those of the reps' ends.
  public static let turnInside = RepMatching(instant: .end, rule: .turnInside)

  private init(instant: Instant, rule: Rule) { (self.instant, self.rule) = (instant, rule) }

  /// The largest distance of the instants; `nil` if reps are matched by another rule.
  public var tolerance: Microseconds? {
    if case .tolerance(let tolerance) = rule { tolerance } else { nil }
  }

  /// The least intersection over union; `nil` if reps are matched by another rule.
  public var overlap: Double? {
    if case .overlap(let overlap) = rule { overlap } else { nil }
  }

  /// `within 0.5 s of its end`, `with an overlap of at least 0.5`, or `by a turning point inside it`.
  ///
  /// - Parameter whose: `its`, `their`.
  public func words(_ whose: String) -> String {
    switch rule {
    case .tolerance(let tolerance): "within \(plain(tolerance.seconds)) s of \(whose) \(instant.rawValue)"
    case .overlap(let overlap): "with an overlap of at least \(plain(overlap))"
    case .turnInside: "by a turning point inside \(whose == "its" ? "it" : "them")"
    }
  }

  private func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
  }

  /// The compared instant of a rep.
  package func time(_ rep: Rep) -> Microseconds {
    switch instant {
    case .start: rep.start
    case .turn: rep.turnOrMiddle
    case .end: rep.end
    }
  }

  /// Pairs of indices in the two lists, one to one, as many as possible.
  public func pairs(truth: [Rep], predicted: [Rep]) -> [(truth: Int, predicted: Int)] {
    switch rule {
    case .tolerance(let tolerance):
      matchEvents(truth: truth.map(time), predicted: predicted.map(time), tolerance: tolerance)
    case .overlap(let overlap):
      matchSpans(truth: truth.map(\.span), predicted: predicted.map(\.span), overlap: overlap)
    case .turnInside:
      matchTurns(truth: truth, predicted: predicted)
    }
  }
}

extension Rep {
  /// The turning point; the middle of a rep without a known one.
  package var turnOrMiddle: Microseconds { turn ?? Microseconds(start.count + duration.count / 2) }

  fileprivate var span: Segment { Segment(start: start, end: end, label: "") }
}

/// Pairs true intervals with predicted ones, one to one, none with a smaller intersection over union than `overlap`.
///
/// As many pairs as possible, and among those matchings one with the largest sum of overlaps, whatever the labels.
/// Intervals may overlap others of their own kind. Only overlapping intervals are compared; the cost grows with the
/// cube of the longest chain of intervals that could match each other, which is short if people do one rep after
/// another.
///
/// - Parameters:
///   - truth: In any order.
///   - predicted: In any order.
///   - overlap: Above 0; a pair that overlaps exactly this much matches.
/// - Returns: Indices in `truth` and `predicted`, in the order of `truth`.
public func matchSpans(
  truth: [Segment], predicted: [Segment], overlap: Double
) -> [(truth: Int, predicted: Int)] {
  pairs(truth, predicted) { labelled, said in
    let shared = labelled.intersectionOverUnion(said)
    return shared > 0 && shared >= overlap ? shared : nil
  }
}

/// Pairs true with predicted reps, one to one, each predicted turning point within its true rep; a prediction without
/// one may also have the true one (or the true rep's middle) within itself.
///
/// As many pairs as possible, and among those matchings one with turning points as near to each other as possible, in
/// shares of the true reps' durations.
///
/// - Returns: Indices in `truth` and `predicted`, in the order of `truth`.
private func matchTurns(truth: [Rep], predicted: [Rep]) -> [(truth: Int, predicted: Int)] {
  pairs(truth, predicted) { rep, said in
    let (turn, own) = (said.turnOrMiddle, rep.turnOrMiddle)
    let isInside = rep.start <= turn && turn <= rep.end
    guard isInside || (said.turn == nil && said.start <= own && own <= said.end) else { return nil }
    return max(0, 1 - Double((turn - own).magnitude.count) / Double(max(rep.duration.count, 1)))
  }
}

/// Something with a start and an end.
private protocol Span {
  var start: Microseconds { get }
  var end: Microseconds { get }
}

extension Segment: Span {}
extension Rep: Span {}

/// As many pairs as possible of items that touch, and among those matchings one with the largest sum of worths.
///
/// - Parameter worth: Of a pair, 0 to 1; `nil` for one that does not match.
/// - Returns: The pairs in the order of the true items.
private func pairs<Item: Span>(
  _ truth: [Item], _ predicted: [Item], worth: (_ truth: Item, _ predicted: Item) -> Double?
) -> [(truth: Int, predicted: Int)] {
  var edges: [[(predicted: Int, worth: Double)]] = truth.map { _ in [] }
  var truthsOf: [[Int]] = predicted.map { _ in [] }
  let (trueOrder, predictedOrder) = (inOrderOfStart(truth), inOrderOfStart(predicted))
  // Predictions that have begun and may reach into the next true item.
  var (next, open) = (0, [Int]())
  for index in trueOrder {
    while next < predictedOrder.count, predicted[predictedOrder[next]].start <= truth[index].end {
      open.append(predictedOrder[next])
      next += 1
    }
    open.removeAll { predicted[$0].end < truth[index].start }
    for candidate in open {
      guard let worth = worth(truth[index], predicted[candidate]) else { continue }
      edges[index].append((candidate, worth))
      truthsOf[candidate].append(index)
    }
  }
  return pairs(ofLargest: edges, truthsOf)
}

/// As many pairs as possible, and among those matchings one with the largest sum of worths.
///
/// - Parameters:
///   - edges: For each true item the predicted ones that it may be paired with, each with a worth of 0 to 1.
///   - truthsOf: For each predicted item the true ones that it may be paired with.
/// - Returns: The pairs in the order of the true items.
/// - Source: Kuhn, The Hungarian Method for the Assignment Problem, 1955, by shortest augmenting paths (Jonker and
///   Volgenant, 1987).
private func pairs(
  ofLargest edges: [[(predicted: Int, worth: Double)]], _ truthsOf: [[Int]]
) -> [(truth: Int, predicted: Int)] {
  var pairs: [(truth: Int, predicted: Int)] = []
  var isSeen = edges.map { _ in false }
  for first in edges.indices where !isSeen[first] && !edges[first].isEmpty {
    // All that are connected with it.
    isSeen[first] = true
    var (rows, columns, places) = ([first], [Int](), [Int: Int]())
    var position = 0
    while position < rows.count {
      for edge in edges[rows[position]] where places[edge.predicted] == nil {
        places[edge.predicted] = columns.count
        columns.append(edge.predicted)
        for other in truthsOf[edge.predicted] where !isSeen[other] {
          isSeen[other] = true
          rows.append(other)
        }
      }
      position += 1
    }
    // One more pair is worth more than all others together.
    let pairWorth = Double(min(rows.count, columns.count)) + 1
    var table = [[Double]](repeating: [Double](repeating: 0, count: columns.count), count: rows.count)
    for (row, item) in rows.enumerated() {
      for edge in edges[item] {
        if let column = places[edge.predicted] { table[row][column] = pairWorth + edge.worth }
      }
    }
    pairs += assignment(ofLargest: table).filter { table[$0.row][$0.column] > 0 }
      .map { (truth: rows[$0.row], predicted: columns[$0.column]) }
  }
  return pairs.sorted { $0.truth < $1.truth }
}

private func inOrderOfStart(_ spans: [some Span]) -> [Int] {
  spans.indices.sorted { (spans[$0].start, $0) < (spans[$1].start, $1) }
}

/// The assignment of rows to columns with the largest sum, each used at most once.
private func assignment(ofLargest worth: [[Double]]) -> [(row: Int, column: Int)] {
  guard let width = worth.first?.count, width > 0 else { return [] }
  guard worth.count <= width else {
    let turned = (0..<width).map { column in worth.map { $0[column] } }
    return assignment(ofLargest: turned).map { (row: $0.column, column: $0.row) }
  }
  // Rows and columns count from 1; column 0 stands for the row that is being placed.
  var rowPrice = [Double](repeating: 0, count: worth.count + 1)
  var columnPrice = [Double](repeating: 0, count: width + 1)
  var rowOf = [Int](repeating: 0, count: width + 1)
  for row in 1...worth.count {
    var least = [Double](repeating: .infinity, count: width + 1)
    var cameFrom = [Int](repeating: 0, count: width + 1)
    var isDone = [Bool](repeating: false, count: width + 1)
    rowOf[0] = row
    var column = 0
    repeat {
      isDone[column] = true
      let own = rowOf[column]
      var (step, nearest) = (Double.infinity, 0)
      for other in 1...width where !isDone[other] {
        let cost = -worth[own - 1][other - 1] - rowPrice[own] - columnPrice[other]
        if cost < least[other] { (least[other], cameFrom[other]) = (cost, column) }
        if least[other] < step { (step, nearest) = (least[other], other) }
      }
      for other in 0...width {
        if isDone[other] {
          rowPrice[rowOf[other]] += step
          columnPrice[other] -= step
        } else {
          least[other] -= step
        }
      }
      column = nearest
    } while rowOf[column] != 0
    while column != 0 {
      let before = cameFrom[column]
      rowOf[column] = rowOf[before]
      column = before
    }
  }
  return (1...width).filter { rowOf[$0] > 0 }.map { (row: rowOf[$0] - 1, column: $0 - 1) }
}
