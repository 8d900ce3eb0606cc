import Charts
import Evaluation
import Statistics

/// A drift of predictions in words and tables.
extension PredictionDrift {
  /// The first shown drift, or why there is none to tell.
  public var conclusion: Conclusion {
    let shown = measures.filter { $0.shown != nil }
    guard changedClips != 0 || !shown.isEmpty else {
      let clips = NumberText.count(sharedClips ?? 0, "clip")
      return Conclusion("\(after.name) predicts the same as \(before.name) on the same \(clips).")
    }
    guard let lead = shown.first ?? measures.first else { return Conclusion("Nothing can be compared.") }
    let words = sentence(lead)
    guard let people = lead.peopleBefore.flatMap({ own in lead.peopleAfter.map { min(own, $0) } }) else {
      return Conclusion(
        "\(words); without people it can't be said whether that is more than chance, and without labels not whether it "
          + "is better.",
        next: [
          Conclusion.Step("name the people: a column subject, --people clips.csv, or --person-before _ for anna_1")
        ] + review)
    }
    guard people >= fewestPeople else {
      return Conclusion(
        "\(NumberText.count(people, "person")) can't show a drift, which takes \(fewestPeople): \(words).", next: review
      )
    }
    let range = "\(words) (\(details(lead)))"
    guard !shown.isEmpty else { return Conclusion("No drift is shown: \(range), which may be chance.", next: review) }
    let others = shown.dropFirst().map(\.title)
    let more = others.isEmpty ? "" : " Also shown: \(others.joined(separator: ", "))."
    let cause = pairing == .clips ? "" : ", and other clips may be why"
    return Conclusion(
      "\(range); whether that is better can't be said without labels\(cause).\(more)", next: review)
  }

  /// The drift on one screen.
  public var screen: [TextBlock] {
    func size(_ side: Side) -> String {
      "\(side.name): \(side.files.joined(separator: ", ")), "
        + NumberText.size("clip", side.clips, subjects: side.people)
    }
    let parts: [[TextBlock]] = [
      conclusion.blocks, [.gap, .unbroken("before", size(before)), .unbroken("after", size(after))],
      [.fact("compared", pairingWords)], notes.map { TextBlock.fact("note", $0) },
      [.gap, .columns(TextTable(rows, right: [1, 2, 3, 4, 5])), .gap], limits.map { TextBlock.words($0) },
    ]
    return parts.flatMap(\.self)
  }

  /// The clips to label first.
  private var review: [Conclusion.Step] {
    guard !recounts.isEmpty else { return [] }
    let clips = recounts.prefix(3).map { "\($0.clip) (\($0.before), then \($0.after))" }
    return [
      Conclusion.Step(
        "to see which is right, label clips that changed, and then score both: \(clips.joined(separator: ", "))")
    ]
  }

  /// `2.1 counts 0.80 reps a clip more than 2.0`
  private func sentence(_ measure: Measure) -> String {
    guard measure.difference != 0 else {
      return "\(after.name)'s \(measure.title) is that of \(before.name) on average"
    }
    let size = [measure.text(abs(measure.difference)), measure.unit].filter { !$0.isEmpty }.joined(separator: " ")
    let isMore = measure.difference > 0
    guard measure.name == "count" else {
      return "\(after.name)'s \(measure.title) is \(size) \(isMore ? "higher" : "lower") than \(before.name)'s"
    }
    let detector = measure.detector.map { " by \($0)" } ?? ""
    return "\(after.name) counts \(size) \(isMore ? "more" : "fewer") than \(before.name)\(detector)"
  }

  /// `0.3 to 1.2; 14 people`, in the direction of the sentence.
  private func details(_ measure: Measure) -> String {
    let isMore = measure.difference >= 0
    let range = measure.interval.map { interval in
      let ends = isMore ? [interval.low, interval.high] : [-interval.high, -interval.low]
      return ends.map(measure.text).joined(separator: " to ")
    }
    return [range, measure.people].compactMap(\.self).joined(separator: "; ")
  }

  /// How the two sides are compared.
  private var pairingWords: String {
    switch pairing {
    case .clips: "the same \(NumberText.count(sharedClips ?? 0, "clip")) on both sides, by name"
    case .people: "each person with themselves, on other clips"
    case .groups: "not paired: the clips" + (before.people == nil ? " are others" : " are others, of other people")
    }
  }

  /// What the numbers do not say, in sentences.
  private var limits: [String] {
    let cause =
      switch pairing {
      case .clips: ""
      case .people: "Each person's clips are others: what people did may be why, not the version."
      case .groups: "The clips are others, as their people may be: that may be why, not the version."
      }
    return [cause, "Nothing here says which version is right: more reps or more confidence are no better counts."]
      .filter { !$0.isEmpty }
  }

  /// A row for each measure, for other programs.
  public var table: ChartTable {
    let columns: [ChartTable.Column] = [
      "detector", "measure", "unit", "before", "after", "difference", "low", "high", "interval", "people before",
      "people after", "shown",
    ]
    let rows = measures.map { measure -> [ChartTable.Cell] in
      let numbers = [measure.before, measure.after, measure.difference, measure.interval?.low, measure.interval?.high]
      return ChartTable.row(
        [.text(measure.detector ?? ""), .text(measure.name), .text(measure.unit)],
        numbers.map { ChartTable.Cell.number($0, .fixed(measure.decimals)) }, [.text(measure.method ?? "")],
        [measure.peopleBefore, measure.peopleAfter].map { $0.map { ChartTable.Cell.count($0) } ?? .empty },
        [.text(measure.shown?.rawValue ?? "")])
    }
    return ChartTable(columns, rows: rows)
  }

  /// The table for people: a header, and a row for each measure.
  private var rows: [[String]] {
    [["", before.name, after.name, "difference", "95 % interval", "people", "shown"]]
      + measures.map { measure in
        [
          measure.unit.isEmpty ? measure.title : "\(measure.title), \(measure.unit)", measure.text(measure.before),
          measure.text(measure.after),
          NumberText.signed(measure.difference, decimals: measure.decimals, keepingZeros: true),
          measure.interval.map { "\(measure.text($0.low)) to \(measure.text($0.high))" } ?? "",
          measure.people ?? "", measure.shown?.rawValue ?? "",
        ]
      }
  }
}

extension PredictionDrift.Measure {
  /// `count`, or `count of squat-states`
  fileprivate var title: String { detector.map { "\(name) of \($0)" } ?? name }

  fileprivate var decimals: Int { unit.hasSuffix("a clip") ? 2 : NumberText.decimals(unit) }

  fileprivate func text(_ value: Double) -> String { NumberText.fixed(value, decimals: decimals) }

  /// `14 people`, or `14 and 12 people`; `nil` if nothing names them.
  fileprivate var people: String? {
    guard let peopleBefore, let peopleAfter else { return nil }
    let after = NumberText.count(peopleAfter, "person")
    return peopleBefore == peopleAfter ? after : "\(peopleBefore) and \(after)"
  }
}
