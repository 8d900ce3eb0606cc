import PoseModel

/// A prediction made without looking at the recording. A detector must beat it.
///
/// It never uses a subject's own labels: a median or most common label comes from the other subjects' clips. Reps and
/// strokes have their labelled times, to make only the scored part trivial.
public enum TrivialAnswer: String, CaseIterable, Hashable, Codable, Sendable {
  case medianCount = "the median count of the other people"
  case everyRepFaulty = "every rep is faulty"
  case noRepFaulty = "no rep is faulty"
  case sameGrade = "the same grade for every rep"
  case medianGrade = "the median grade of the other people"
  case commonestLabel = "the commonest label of the other people"

  /// The prediction for each clip; empty if there is no basis for one.
  ///
  /// - Parameters:
  ///   - labels: The possible labels of strokes, postures or phases.
  ///   - criterion: The criterion of a detector's grades, which people need not have graded.
  public func predictions(
    of clips: [LabelledPrediction], labels: [String], criterion: String? = nil
  ) -> [Prediction] {
    switch self {
    case .medianCount:
      let medians = othersMedians(
        clips.flatMap { clip in clip.groundTruth.repCount.map { [(clip.subject, Double($0))] } ?? [] })
      return clips.map { clip in Prediction(count: medians(clip.subject).map { Int($0) }) }
    case .everyRepFaulty:
      return clips.map { clip in judging(clip, faults: Set(clip.groundTruth.faults.map(\.name))) }
    case .noRepFaulty: return clips.map { judging($0) }
    case .sameGrade:
      // Any grade gives the same result.
      let criteria = criteria(clips).union([criterion].compactMap(\.self))
      let grades = Dictionary(uniqueKeysWithValues: criteria.map { ($0, 0.0) })
      return clips.map { judging($0, grades: grades) }
    case .medianGrade:
      let medians = criteria(clips).map { criterion in
        (
          criterion: criterion,
          of: othersMedians(clips.flatMap { clip in means(clip, criterion).map { (clip.subject, $0) } })
        )
      }
      return clips.map { clip in
        judging(
          clip,
          grades: Dictionary(
            uniqueKeysWithValues: medians.compactMap { median in median.of(clip.subject).map { (median.criterion, $0) }
            }))
      }
    case .commonestLabel:
      let strokes = othersCommonest(
        clips.flatMap { clip in
          clip.groundTruth.events.filter { labels.contains($0.label) }.map { (clip.subject, $0.label, 1) }
        })
      let segments = othersCommonest(
        clips.flatMap { clip in
          clip.groundTruth.intervals.filter { labels.contains($0.label) }.map {
            (clip.subject, $0.label, ($0.end - $0.start).count)
          }
        })
      return clips.map { clip in
        naming(clip, labels, stroke: strokes(clip.subject), segment: segments(clip.subject))
      }
    }
  }

  /// The same judgement for every rep, or for the whole clip if no reps are labelled.
  private func judging(
    _ clip: LabelledPrediction, grades: [String: Double] = [:], faults: Set<String> = []
  ) -> Prediction {
    let reps = clip.groundTruth.reps ?? []
    let judged = reps.isEmpty ? [Rep(start: .zero, end: .zero)] : reps
    return Prediction(judged: judged.map { Prediction.JudgedRep(rep: $0, grades: grades, faults: faults) })
  }

  private func naming(
    _ clip: LabelledPrediction, _ labels: [String], stroke: String?, segment: String?
  ) -> Prediction {
    var prediction = Prediction()
    if let stroke {
      prediction.strokes = clip.groundTruth.events.filter { labels.contains($0.label) }.map {
        Prediction.Stroke(
          segment: Segment(start: $0.time, end: $0.time, label: stroke), contact: $0.time, reported: $0.time)
      }
    }
    if let segment, let first = clip.frames.first, let last = clip.frames.last {
      // A segment ends before its end.
      prediction.segments = [Segment(start: first, end: last + Microseconds(1), label: segment)]
    }
    return prediction
  }

  private func criteria(_ clips: [LabelledPrediction]) -> Set<String> {
    Set(clips.flatMap { $0.groundTruth.grades.map(\.criterion) })
  }

  /// The raters' mean of each graded rep, or of the graded clip.
  private func means(_ clip: LabelledPrediction, _ criterion: String) -> [Double] {
    Dictionary(grouping: clip.groundTruth.grades.filter { $0.criterion == criterion }, by: \.rep).values.map {
      raterMean($0.map(\.value))
    }
  }
}

/// By subject, the lower median of all others' values; `nil` if the others have none.
private func othersMedians(_ values: [(subject: String, value: Double)]) -> (String) -> Double? {
  let sorted = values.sorted { $0.value < $1.value }
  let own = Dictionary(grouping: sorted.indices) { sorted[$0].subject }
  return { subject in
    let mine = own[subject] ?? []
    let others = sorted.count - mine.count
    guard others > 0 else { return nil }
    var position = (others - 1) / 2
    // Skips the subject's own values before it.
    for index in mine where index <= position { position += 1 }
    return sorted[position].value
  }
}

/// By subject, the label with the most weight among the others, the first by name if equal; `nil` if the others have
/// none.
private func othersCommonest(_ values: [(subject: String, label: String, weight: Int64)]) -> (String) -> String? {
  var all: [String: Int64] = [:]
  var own: [String: [String: Int64]] = [:]
  for value in values {
    all[value.label, default: 0] += value.weight
    own[value.subject, default: [:]][value.label, default: 0] += value.weight
  }
  return { subject in
    let others = all.mapValues { $0 }.merging((own[subject] ?? [:]).mapValues { -$0 }, uniquingKeysWith: +)
    return others.filter { $0.value > 0 }.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }
}
