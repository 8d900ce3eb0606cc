import Foundation
import Scoring

/// Holds the numbers in a report's Markdown against its `results.json`: each must be, as rounded as it is shown, a
/// number of the part of the results that its line is about, the one that its place in the line says where the line is
/// a row of a table or a sentence on results.
///
/// No results, and not looked at: words with a letter in them, as names, dates, versions, hashes and quantiles' names
/// have; indented commands; the level of an interval, `95 %`; what the templates say of 0; and the table of versions
/// and machine.
struct ReportedNumbers {
  typealias Object = [String: Any]

  /// A number as it is shown.
  struct Shown: Hashable {
    var line: Int
    /// Where in its line it begins, in characters.
    var offset: Int
    var text: String

    var value: Double? { Double(text.replacing("−", with: "-").replacing("+", with: "")) }
    /// Half a unit of its last digit.
    var half: Double {
      let decimals = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
      return 0.5 * pow(10, -Double(decimals)) * (1 + 1e-6) + 1e-9
    }

    func shows(_ number: Double) -> Bool { value.map { abs($0 - number) <= half } ?? false }
  }

  private let results: Object
  /// Every number of the results.
  private let known: [Double]
  private var report: Object { object(results["report"]) }
  private var comparison: Object { object(results["comparison"]) }
  private var robustness: Object { object(results["robustness"]) }

  init(_ json: Data) throws {
    results = try JSONSerialization.jsonObject(with: json) as? Object ?? [:]
    known = Self.all(results)
  }

  /// The numbers of a report for which there is no such number in the results, and how many there are in all.
  func unexplained(in markdown: String) -> (wrong: [Shown], all: [Shown]) {
    var (wrong, all): ([Shown], [Shown]) = ([], [])
    var (header, row): ([String], Int) = ([], 0)
    for (index, line) in markdown.components(separatedBy: "\n").enumerated() {
      if line.isEmpty { header = [] }
      let shown = Self.numbers(in: line, at: index)
      if line.hasPrefix("<picture>") {
        // A chart's title and subtitle are about several parts of the results.
        wrong += shown.filter { !holds($0.text) }
        continue
      }
      guard line.hasPrefix("|") else {
        all += shown
        if let expected = expected(in: line) {
          wrong += different(expected, shown)
        } else {
          wrong += without(allowed(in: line), shown)
        }
        continue
      }
      let cells = line.dropFirst().dropLast().components(separatedBy: "|").map {
        $0.trimmingCharacters(in: .whitespaces).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      }
      guard !header.isEmpty else {
        (header, row) = (cells, -1)
        continue
      }
      row += 1
      // The line below the columns' names; versions and the machine are no results.
      guard row > 0, header.first != "made by" else { continue }
      all += shown
      if header.first == "person" {
        if !isChangedPerson(cells, under: header) { wrong += shown }
      } else {
        wrong += different(expected(in: cells, under: header), shown)
      }
    }
    return (wrong, all)
  }

  private func without(_ allowed: [Double], _ shown: [Shown]) -> [Shown] {
    shown.filter { number in !allowed.contains { number.shows($0) } }
  }

  /// Those that are not what is expected in their place; all where there are more or fewer.
  private func different(_ expected: [Double], _ shown: [Shown]) -> [Shown] {
    guard expected.count == shown.count else { return shown }
    return zip(expected, shown).compactMap { $1.shows($0) ? nil : $1 }
  }

  /// The numbers of a line: words of digits, with a sign and a point.
  static func numbers(in line: String, at index: Int) -> [Shown] {
    guard !line.hasPrefix("    ") else { return [] }
    return line.matches(of: #/(^|[\s(|])([+−-]?\d+(?:\.\d+)?)(?=[\s),;:.|]|$)/#).compactMap { match in
      let rest = line[match.range.upperBound...]
      let text = String(match.output.2)
      if text == "95", rest.hasPrefix(" %") { return nil }
      if text == "0", rest.hasPrefix(" is better") || rest.prefixMatch(of: #/ for (?:none|\d+) of these /#) != nil {
        return nil
      }
      return Shown(
        line: index, offset: line.distance(from: line.startIndex, to: match.output.2.startIndex), text: text)
    }
  }

  /// Whether any of the results is the number.
  func holds(_ text: String) -> Bool {
    let shown = Shown(line: 0, offset: 0, text: text)
    return known.contains { shown.shows($0) }
  }

  /// Of a line that is no row of a table, in order; `nil` for warnings, rules and limits.
  private func expected(in line: String) -> [Double]? {
    if line.hasPrefix("# ") { return line.contains("NO VERDICT") ? found(line) : title }
    if line == markdownAdvice { return numbers(in: line) }
    let findings = object(comparison["verdict"])["findings"] as? [String] ?? []
    if findings.contains(where: { line == "\($0)." }) { return numbers(in: line) }
    if line.hasPrefix("Counts right on ") || line.contains(#/^\S+ counts right on /#) { return found(line) }
    if let change = line.firstMatch(of: #/^- .+ \((\S+)\) of (\S+) (?:is|are) (?:better|worse) /#) {
      let values = expected(
        ofChange: entry(comparison["metrics"], ["detector": "\(change.output.2)", "metric": "\(change.output.1)"]))
      return line.contains("by next to nothing (gain ±0") ? Array(values.dropFirst(2)) : values
    }
    if let clip = line.firstMatch(of: #/^Worst clip: (\S+) \(/#) {
      let worst = objects(report["worst"]).filter { ($0["clip"] as? String)?.hasSuffix("/\(clip.output.1)") == true }
      return worst.flatMap { clip in
        values(ofMistakes: object(clip["mistakes"]))
          + values(ofReasonsOn: clip["clip"] as? String ?? "", by: clip["detector"] as? String ?? "")
      }
    }
    let kinds = [
      "counted": "count", "strokes": "strokes", "wrong": "labels", "mean": "grade", "misjudged": "faults",
      "reps": "times",
    ]
    if let clip = line.firstMatch(of: #/^Look first at (\S+): (\S+) (counted|strokes|wrong|mean|misjudged|reps)/#) {
      let kind = kinds["\(clip.output.3)"]
      return changes(of: "/\(clip.output.1)", by: "\(clip.output.2)").filter { $0["kind"] as? String == kind }
        .flatMap { values(ofClipChange: $0) }
        + values(ofReasonsOn: "/\(clip.output.1)", by: "\(clip.output.2)")
    }
    // `![cleo_1: counted 1 before, 0 now, 1 labelled](broke.png)`
    if let clip = line.firstMatch(of: #/^!\[(\S+): .*\]\(broke\.png\)$/#) {
      return objects(comparison["counts"]).first { ($0["clip"] as? String)?.hasSuffix("/\(clip.output.1)") == true }
        .map { numbers(of: $0, ["before", "after", "truth"]) } ?? []
    }
    if let dataset = line.firstMatch(of: #/^- (\S+) .*Content: /#) {
      let card = entry(results["datasets"], ["name": "\(dataset.output.1)"])
      return numbers(in: card["version"]) + numbers(of: card, ["clips", "subjects"]) + numbers(in: card["licence"])
        + numbers(in: card["source"])
    }
    if let name = line.firstMatch(of: #/^- (\S+), not at its defaults/#) {
      let card = entry(results["detectors"], ["name": "\(name.output.1)"])
      return numbers(of: object(card["parameters"]), (card["changed"] as? [String] ?? []).sorted())
    }
    if let set = line.firstMatch(of: #/^- Set: (.+)$/#) {
      return (comparison["parameters"] as? [String] ?? []).first { $0 == "\(set.output.1)" }.map { numbers(in: $0) }
    }
    let summary = object(comparison["summary"])
    if line.contains(" metrics: ") {
      let both = sum(summary, ["better", "worse"])
      let shown = sum(summary, ["shown"])
      return numbers(of: summary, ["metrics", "better", "worse", "neither"])
        + (both > 0 ? (shown > 0 ? [shown] : []) + [both] : [])
    }
    if line.contains(" changed on ") {
      let views = object(summary["changedClips"]).sorted { $0.key < $1.key }.compactMap { $0.value as? Double }
      return [views.reduce(0, +)] + numbers(of: report, ["clips"]) + views
    }
    if line.hasSuffix(" that changed</summary>") { return [sum(summary, ["better", "worse"]) - 3] }
    if line.hasSuffix(" that did not change</summary>") {
      return [Double(objects(comparison["metrics"]).count { isListed($0) && !isChanged($0) })]
    }
    if line.hasPrefix("results.json has ") {
      return [Double(objects(results["metrics"]).count { $0["isListed"] as? Bool != true })]
    }
    if line.hasPrefix("- "), line.contains("Intervals describe people like the ") {
      return numbers(of: report, ["subjects"])
    }
    guard let picture = line.firstMatch(of: #/<img src="(.+?)" alt="(.+?)">/#) else { return nil }
    let words = entry(report["pictures"], ["file": "\(picture.output.1)"])["words"] as? String ?? ""
    return picture.output.2.replacing("&#39;", with: "'") == words ? numbers(in: line) : []
  }

  /// The metric that the verdict's reason is about before and after, for how many people, and how many others are
  /// alike.
  private var title: [Double] {
    let verdict = object(comparison["verdict"])
    let reason = verdict["reason"] as? String ?? ""
    guard let name = reason.firstMatch(of: #/^(.+?) of (\S+) (?:is|are) (worse|better) /#) else {
      return numbers(in: reason)
    }
    let metric =
      objects(comparison["metrics"]).first {
        $0["detector"] as? String == "\(name.output.2)"
          && ($0["metric"] as? String).map { Metric.plainName(of: $0) } == "\(name.output.1)"
      } ?? [:]
    let others = objects(comparison["metrics"]).count { $0["outcome"] as? String == verdict["outcome"] as? String } - 1
    // A share of clips is told in clips.
    let right = object(metric["rightClips"])
    let values =
      sum(right, ["before"]) == sum(right, ["after"])
      ? numbers(of: metric, ["pairedBefore", "pairedAfter"]) : numbers(of: right, ["after", "before", "clips"])
    let probability = numbers(of: metric, ["probabilityOfLoss"]).map { $0 * 100 }
    return values + numbers(of: metric, ["\(name.output.3)"]) + [pairs(in: metric)] + probability
      + (others > 0 ? [Double(others)] : [])
  }

  /// How many clips are counted right, and how much of the weakest metric survives.
  private func found(_ line: String) -> [Double] {
    let parts = line.components(separatedBy: " Weakest under ")
    guard parts.count == 2, let step = parts[1].split(separator: ": ").first.map(String.init) else { return counts }
    let weakest = objects(robustness["ladders"]).map { ladder in
      survivors(of: ladder["metric"] as? String ?? "", by: ladder["detector"] as? String ?? "", under: step)
    }
    return counts + (weakest.first { different($0, Self.numbers(in: parts[1], at: 0)).isEmpty } ?? [])
  }

  /// How many clips are counted right, of how many, and in the baseline.
  private var counts: [Double] {
    let counter = objects(results["detectors"]).first { $0["kind"] as? String == "reps" }?["name"] as? String ?? ""
    let clips = objects(results["clips"]).filter { $0["trueCount"] is Double }
    func isRight(_ clip: Object) -> Bool {
      object(object(clip["outcomes"])[counter])["count"] as? Double == clip["trueCount"] as? Double
    }
    let right = Double(clips.count(where: isRight))
    let changes = objects(comparison["counts"]).filter { $0["detector"] as? String == counter }
    func rightOnes(_ side: String) -> Double { Double(changes.count { $0[side] as? Double == $0["truth"] as? Double }) }
    let before = right - rightOnes("after") + rightOnes("before")
    return [right, Double(clips.count)] + (before == right ? [] : [abs(right - before), before])
  }

  /// By how much, the gain with its interval, and for how many of how many.
  private func expected(ofChange metric: Object) -> [Double] {
    let gain = sum(metric, ["gain"])
    let subjects = pairs(in: metric)
    let groups = ["worse", "better"].flatMap { key -> [Double] in
      let count = sum(metric, [key])
      return count == 0 ? [] : [count, subjects] + (count > 5 ? [count - 5] : [])
    }
    return [abs(gain), gain] + numbers(of: metric, ["low", "high"]) + groups
      + numbers(of: metric, ["same", "oneSided"]).filter { $0 > 0 }
  }

  /// A metric as recorded and at a perturbation's strongest step, and how many percent of it survive that.
  private func survivors(of metric: String, by detector: String, under step: String) -> [Double] {
    let ladder = objects(robustness["ladders"]).first { ladder in
      ladder["detector"] as? String == detector && ladder["metric"] as? String == metric
        && objects(ladder["steps"]).last?["text"] as? String == step
    }
    let scores = [object(ladder?["undisturbed"]), object(objects(ladder?["steps"]).last?["score"])]
    let values = scores.flatMap { numbers(of: $0, ["value"]) }
    return values.count == 2 ? values + [values[1] / values[0] * 100] : values
  }

  /// Other counts and other answers of a clip.
  private func changes(of clip: String, by detector: String) -> [Object] {
    (objects(comparison["counts"]) + objects(comparison["answers"])).filter {
      ($0["clip"] as? String)?.hasSuffix(clip) == true && $0["detector"] as? String == detector
    }
  }

  /// How many subjects have a value on both sides.
  private func pairs(in change: Object) -> Double {
    Double(object(change["bySubject"]).values.count { object($0)["gain"] is Double })
  }

  /// What changed of a metric on a slice.
  private func change(on slice: String, of dimension: String, _ metric: Object) -> Object {
    let slices = objects(comparison["slices"]).filter {
      $0["dimension"] as? String == dimension && $0["value"] as? String == slice
    }
    return entry(slices.map { object($0["metric"]) }, metric)
  }

  /// In the order of their words.
  private func values(ofClipChange change: Object) -> [Double] {
    let parts = objects(change["parts"]).flatMap { part in
      let values = numbers(of: part, ["before", "after"])
      guard values != [0, 0] else { return [Double]() }
      return values.first == values.last ? Array(values.prefix(1)) : values
    }
    guard parts.isEmpty else { return parts }
    let isOfPeople = ["labels", "faults"].contains(change["kind"] as? String ?? "")
    return numbers(of: change, ["before", "after"] + (isOfPeople ? [] : ["truth"]))
  }

  /// Of the reasons for misses, or else for false detections: how many there are, the first rep and its reason.
  ///
  /// - Parameter end: Of the clip's name with its dataset.
  private func values(ofReasonsOn end: String, by detector: String) -> [Double] {
    let clip =
      objects(results["clips"]).first { clip in
        "\(clip["dataset"] as? String ?? "")/\(clip["name"] as? String ?? "")".hasSuffix(end)
      } ?? [:]
    let outcome = object(object(clip["outcomes"])[detector])
    let missed = objects(outcome["missed"]).map { (rep: sum($0, ["rep"]), reason: object($0["reason"])) }
    let invented = objects(outcome["reps"]).enumerated().filter { $0.element["reason"] != nil }
      .map { (rep: Double($0.offset), reason: object($0.element["reason"])) }
    let reasons = missed.isEmpty ? invented : missed
    return (reasons.count > 1 ? [Double(reasons.count)] : [])
      + reasons.prefix(1).flatMap { [$0.rep + 1] + numbers(in: $0.reason["words"]) }
  }

  /// In the order of their words.
  private func values(ofMistakes mistakes: Object) -> [Double] {
    numbers(
      of: mistakes,
      [
        "counted", "trueCount", "missedReps", "falseReps", "missedStrokes", "falseStrokes", "misnamedStrokes",
        "strokes", "wrongSeconds", "labelledSeconds", "gradeDistance", "misjudged", "judged",
      ])
  }

  /// Of warnings, rules and limits.
  private func allowed(in line: String) -> [Double] {
    if line.contains("seed ") { return numbers(of: report, ["seed"]) + numbers(of: robustness, ["seed"]) }
    if line.hasPrefix("- A rep is found ") { return Self.all(results["matching"]) }
    return Self.all(results["datasets"]) + camera
  }

  /// Frames a second, and milliseconds a frame, which are kept as microseconds.
  private var camera: [Double] { Self.all(results["camera"]).flatMap { [$0, $0 / 1000] } }

  private var markdownAdvice: String { (object(comparison["verdict"])["detail"] as? String) ?? "" }

  private func isListed(_ change: Object) -> Bool {
    entry(results["metrics"], ["detector": change["detector"], "metric": change["metric"]])["isListed"] as? Bool == true
  }

  private func isChanged(_ change: Object) -> Bool {
    sum(change, ["better", "worse", "oneSided"]) > 0
      || object(change["bySubject"]).values.contains {
        let (before, after) = (object($0)["before"] as? Double, object($0)["after"] as? Double)
        return before != after
      }
  }

  /// Whether a row is a person's in the picture of who changed.
  private func isChangedPerson(_ cells: [String], under header: [String]) -> Bool {
    let table = entry(report["pictures"], ["file": "changes.png"])
    let columns = header.map { (table["columns"] as? [String] ?? []).firstIndex(of: $0) ?? 0 }
    return (table["rows"] as? [[Any]] ?? []).contains { row in
      zip(columns, cells).allSatisfy { column, shown in
        if let text = row[column] as? String { return text == shown.replacing("\\", with: "") }
        return (row[column] as? Double).map { Shown(line: 0, offset: 0, text: shown).shows($0) } ?? false
      }
    }
  }

  /// Of a row of a table that is no picture's, in order.
  private func expected(in cells: [String], under header: [String]) -> [Double] {
    func cell(_ name: String) -> String? { header.firstIndex(of: name).flatMap { $0 < cells.count ? cells[$0] : nil } }
    if header.first == "clip" {
      let worst = objects(report["worst"]).first { ($0["clip"] as? String)?.hasSuffix("/\(cells[0])") == true } ?? [:]
      let mistakes = object(worst["mistakes"])
      let detector = worst["detector"] as? String ?? ""
      let changes = (objects(comparison["counts"]) + objects(comparison["answers"])).filter {
        $0["clip"] as? String == worst["clip"] as? String
      }
      return header.flatMap { name -> [Double] in
        if let key = Self.mistakes[name] { return numbers(of: mistakes, [key]) }
        if name == "why" { return values(ofReasonsOn: "/\(cells[0])", by: detector) }
        return name == "since the baseline" ? changes.flatMap { values(ofClipChange: $0) } : []
      }
    }
    // `exact counts (count.exact) of squat-states`
    guard let name = cell("metric")?.firstMatch(of: #/\((\S+)\) of (\S+)$/#) else {
      let detector = cell("detector") ?? ""
      let measured = object(object(results["measured"])[detector])
      return header.flatMap { column -> [Double] in
        if let metric = Self.latencies[column] {
          return values(of: entry(results["metrics"], ["detector": detector, "metric": metric]))
        }
        guard column.hasPrefix("update ") else { return [] }
        let quantile = String(column.dropFirst("update ".count))
        return numbers(of: object(measured["quantiles"]), [quantile])
          + numbers(of: object(object(measured["intervals"])[quantile]), ["low", "high"])
      }
    }
    let (metric, detector) = ("\(name.output.1)", "\(name.output.2)")
    let key: Object = ["detector": detector, "metric": metric]
    let gain = cell("gain (95 %)")
    // A sum of fractions that is not quite 0 is shown without a digit that could be held against it.
    let gains = (gain?.hasPrefix("±0") == true ? [] : ["gain"]) + ["low", "high"]
    guard header[0] == "metric" else {
      let slice = key.merging(["dimension": header[0], "slice": cells[0]]) { first, _ in first }
      let own = gain == nil ? entry(results["slices"], slice) : change(on: cells[0], of: header[0], key)
      return numbers(in: cells[0])
        + (gain == nil
          ? values(of: own) + numbers(of: own, ["definedSubjects", "subjects", "clips"])
          : numbers(of: own, ["pairedBefore", "pairedAfter"] + gains + ["adjustedP", "subjects"]))
    }
    guard header.contains("now (95 %)") else {
      return zip(header, cells).dropFirst().flatMap { step, cell in
        cell == "n/a" ? [] : survivors(of: metric, by: detector, under: step).suffix(1)
      }
    }
    let (result, change) = (entry(results["metrics"], key), entry(comparison["metrics"], key))
    let subjects = object(result["bySubject"])
    let pairs = gain?.contains(", over ") == true ? [pairs(in: change), Double(subjects.count)] : []
    return values(of: result) + (gain == nil ? [] : numbers(of: change, ["before"] + gains) + pairs)
      + numbers(of: result, ["margin"])
  }

  private static let mistakes = [
    "counted": "counted", "true": "trueCount", "wrong reps": "wrongReps", "strokes": "strokes",
    "missed": "missedStrokes", "invented": "falseStrokes", "misnamed": "misnamedStrokes", "labelled": "labelledSeconds",
    "wrong": "wrongSeconds", "graded": "graded", "off by": "gradeDistance", "judged": "judged",
    "misjudged": "misjudged",
  ]

  private static let latencies = [
    "end of rep to report": "latency.report", "report before the end": "latency.early",
    "report to cue, live": "latency.live",
    "reps lost live": "latency.live-lost",
  ]

  /// Of a text, as it shows them.
  private func numbers(in text: Any?) -> [Double] {
    Self.numbers(in: text as? String ?? "", at: 0).compactMap(\.value)
  }

  /// A metric's value and the bounds of its interval.
  private func values(of metric: Object) -> [Double] {
    numbers(of: metric, ["value"]) + numbers(of: object(metric["interval"]), ["low", "high"])
  }

  private func sum(_ object: Object, _ keys: [String]) -> Double { numbers(of: object, keys).reduce(0, +) }

  private func numbers(of object: Object, _ keys: [String]) -> [Double] { keys.compactMap { object[$0] as? Double } }

  /// Every number within, those in texts included.
  private static func all(_ value: Any?) -> [Double] {
    switch value {
    case let number as Double: [number]
    case let text as String:
      text.matches(of: #/[−-]?\d+(?:\.\d+)?/#).compactMap { Double($0.output.replacing("−", with: "-")) }
        .flatMap { [$0, abs($0)] }
    case let list as [Any]: list.flatMap { all($0) }
    case let object as Object: object.values.flatMap { all($0) }
    default: []
    }
  }

  private func object(_ value: Any?) -> Object { value as? Object ?? [:] }
  private func objects(_ value: Any?) -> [Object] { value as? [Object] ?? [] }

  private func entry(_ list: Any?, _ key: [String: Any?]) -> Object {
    objects(list).first { item in key.allSatisfy { item[$0.key] as? String == $0.value as? String } } ?? [:]
  }
}
