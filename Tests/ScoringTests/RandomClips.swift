import PoseModel
import Scoring
import TestSupport

/// Clips of every kind that scoring may meet, from a seed.
///
/// Reps start at least 900 ms apart and end so; their turns are 600 ms apart. Raters are one, two or four and grade in
/// whole points, so that the mean of their grades is exact.
struct RandomClips {
  static let criterion = "depth"
  static let faults = ["shallow", "lean"]
  /// Of strokes and postures that a system can tell; people also label `other`.
  static let labels = ["down", "up"]
  /// Nobody does a rep there.
  static let negative = "negative-walking"
  static let tolerance = Microseconds.milliseconds(200)
  /// Shorter than from one rep to the next.
  static let cooldown = Microseconds.milliseconds(500)

  private var random: TestGenerator

  init(seed: UInt64) { random = TestGenerator(seed: seed) }

  mutating func clips() -> [LabelledPrediction] {
    let count = random.chance(0.1) ? random.integer(0...1) : random.integer(2...12)
    return (0..<count).map { index in
      let truth = truth()
      return LabelledPrediction(
        name: "clip\(index)", subject: "subject\(index % 3)",
        frames: random.chance(0.9) ? (0..<random.integer(1...120)).map { .milliseconds($0 * 100) } : [],
        groundTruth: truth,
        prediction: prediction(of: truth))
    }
  }

  /// The clip as a system would have it that had seen its labels.
  static func perfect(_ clip: LabelledPrediction) -> LabelledPrediction {
    var clip = clip
    let reps = clip.groundTruth.reps.map { $0.map { Prediction.CountedRep(rep: $0, reported: $0.end) } }
    let marked = clip.groundTruth.reps ?? []
    // A clip may be graded as a whole that has no marked reps: then one judged rep stands for it.
    let judged = (marked.isEmpty ? [Rep(0, 1000)] : marked).enumerated().map { index, rep in
      func isOfIt(_ labelled: Int?) -> Bool { labelled == nil || labelled == index }
      let ratings = clip.groundTruth.grades.filter { isOfIt($0.rep) }.map(\.value)
      let faults = faults.filter { fault in
        let words = clip.groundTruth.faults.filter { isOfIt($0.rep) && $0.name == fault }
        return 2 * words.count(where: \.present) > words.count
      }
      let grade = ratings.isEmpty ? nil : ratings.reduce(0, +) / Double(ratings.count)
      return Prediction.JudgedRep(
        rep: rep, grades: grade.map { [criterion: $0] } ?? [:], faults: Set(faults),
        scores: Dictionary(uniqueKeysWithValues: Self.faults.map { ($0, faults.contains($0) ? 1 : 0) }))
    }
    let strokes = clip.groundTruth.events.filter { labels.contains($0.label) }.map { event in
      Prediction.Stroke(
        segment: Segment(start: event.time, end: event.time, label: event.label), contact: event.time,
        reported: event.time)
    }
    clip.prediction = Prediction(
      count: clip.groundTruth.repCount, countConfidence: 1, reps: reps, liveReps: reps, judged: judged,
      strokes: strokes,
      segments: clip.groundTruth.intervals.filter { labels.contains($0.label) },
      cues: UndefinedCases.judgements(of: clip).filter(\.isPresent).map { .init(time: $0.start, fault: $0.fault) })
    return clip
  }

  private mutating func truth() -> GroundTruth {
    var truth = GroundTruth()
    if random.chance(0.75) {
      truth.reps = reps(random.integer(0...6))
      truth.repCount = random.chance(0.9) ? truth.reps?.count : nil
    } else if random.chance(0.7) {
      truth.repCount = random.integer(0...12)
    }
    let raters = ["A", "B", "C", "D"].shuffled(using: &random).prefix([1, 2, 4].randomElement(using: &random) ?? 1)
    let highest = random.chance(0.2) ? 1 : 100
    for rep in labelled(truth) {
      for rater in raters {
        truth.grades.append(
          .init(rep: rep, rater: rater, criterion: Self.criterion, value: Double(random.integer(0...highest))))
      }
    }
    for fault in Self.faults {
      for rep in labelled(truth) {
        for rater in raters {
          truth.faults.append(.init(rep: rep, rater: rater, name: fault, present: random.chance(0.5)))
        }
      }
    }
    truth.events = (0..<random.integer(0...4)).map { index in
      LabelledInstant(time: random.milliseconds(2000 * index...2000 * index + 1000), label: label())
    }
    truth.intervals = segments()
    if random.chance(0.4) {
      // After the labelled reps, as far as any prediction reaches.
      let start = (truth.reps?.last?.end ?? .milliseconds(0)) + .milliseconds(1000)
      truth.intervals.append(Segment(start: start, end: start + .milliseconds(30_000), label: Self.negative))
    }
    return truth
  }

  private mutating func label() -> String { random.chance(0.2) ? "other" : Self.labels[random.integer(0...1)] }

  private mutating func segments() -> [Segment] {
    var start = 0
    return (0..<random.integer(0...4)).map { _ in
      start += random.integer(0...800)
      defer { start += 2000 }
      return Segment(start, start + random.integer(500...2000), label())
    }
  }

  /// What raters judged: each rep, the whole clip (`nil`) or nothing.
  private mutating func labelled(_ truth: GroundTruth) -> [Int?] {
    switch random.integer(0...2) {
    case 0: truth.reps?.indices.map { $0 } ?? []
    case 1: [nil]
    default: []
    }
  }

  private mutating func reps(_ count: Int) -> [Rep] {
    var start = random.milliseconds(0...2000)
    return (0..<count).map { _ in
      let duration = random.milliseconds(900...2500)
      let turn = start + Microseconds(duration.count * Int64(random.integer(340...660)) / 1000)
      let rep = Rep(start: start, end: start + duration, turn: random.chance(0.5) ? turn : nil)
      start = rep.end + random.milliseconds(0...1500)
      return rep
    }
  }

  private mutating func prediction(of truth: GroundTruth) -> Prediction {
    var prediction = Prediction(count: random.chance(0.9) ? random.integer(0...12) : nil)
    if random.chance(0.9) { prediction.countConfidence = Double(random.integer(0...5)) / 5 }
    let seen = truth.reps.map { self.seen($0) } ?? reps(random.integer(0...4))
    if random.chance(0.8) {
      prediction.reps = seen.map { .init(rep: $0, reported: $0.end + random.milliseconds(-100...500)) }
      if random.chance(0.8) {
        prediction.liveReps = self.seen(seen).map { .init(rep: $0, reported: $0.end + random.milliseconds(0...900)) }
      }
    }
    if random.chance(0.8) {
      prediction.judged = seen.map { rep in
        let grade = Double(random.integer(0...(random.chance(0.5) ? 1 : 100)))
        return .init(
          rep: rep, grades: random.chance(0.8) ? [Self.criterion: grade] : [:],
          faults: Set(Self.faults.filter { _ in random.chance(0.3) }),
          // In percent at times, which are no probabilities.
          scores: random.chance(0.7)
            ? [Self.faults[0]: Double(random.integer(0...4)) / 4 * (random.chance(0.02) ? 100 : 1)] : [:])
      }
    }
    prediction.strokes = truth.events.filter { _ in random.chance(0.8) }.map { event in
      let contact = event.time + random.milliseconds(-300...300)
      return .init(
        segment: Segment(start: contact, end: contact, label: random.chance(0.8) ? event.label : "unknown"),
        contact: contact, reported: contact)
    }
    prediction.segments = segments()
    prediction.cues = (0..<random.integer(0...5)).map { _ in
      .init(
        time: random.milliseconds(0...9000), fault: random.chance(0.7) ? Self.faults.randomElement(using: &random) : nil
      )
    }
    return prediction
  }

  /// The reps with some missing, most moved and some invented.
  private mutating func seen(_ reps: [Rep]) -> [Rep] {
    let moved = reps.filter { _ in random.chance(0.85) }.map { rep in
      Rep(
        start: rep.start + random.milliseconds(-250...250), end: rep.end + random.milliseconds(-250...250),
        turn: random.chance(0.5) ? nil : rep.turn)
    }
    return (moved + (random.chance(0.3) ? self.reps(1) : [])).sorted { $0.start < $1.start }
  }
}

extension TestGenerator {
  mutating func milliseconds(_ range: ClosedRange<Int>) -> Microseconds { .milliseconds(integer(range)) }
}
