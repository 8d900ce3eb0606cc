import Foundation

/// Holds the numbers in a report's Markdown against its `results.json`: each must be, as rounded as it is shown, a number
/// of the part of the results that its line is about, the one that its place in the line says where the line is a row of
/// a table or a sentence on results.
///
/// No results, and not looked at: words with a letter in them, as names, dates, versions, hashes and quantiles' names
/// have; indented commands; the level of an interval, `95 %`; what the templates say of 0; and the table of versions and
/// machine.
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
  private var report: Object { object(results["report"]) }
  private var comparison: Object { object(results["comparison"]) }
  private var robustness: Object { object(results["robustness"]) }

  init(_ json: Data) throws { results = try JSONSerialization.jsonObject(with: json) as? Object ?? [:] }

  /// The numbers of a report for which there is no such number in the results, and how many there are in all.
  func unexplained(in markdown: String) -> (wrong: [Shown], all: [Shown]) {
    var (wrong, all): ([Shown], [Shown]) = ([], [])
    var (header, picture, row): ([String], String?, Int) = ([], nil, 0)
    var heading = ""
    for (index, line) in markdown.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("#") { heading = line }
      if let file = line.firstMatch(of: #/^!\[.*\]\((.+)\)$/#) { picture = String(file.output.1) }
      if line == "</details>" { picture = nil }
      if line.isEmpty { header = [] }
      let shown = Self.numbers(in: line, at: index)
      guard line.hasPrefix("|") else {
        all += shown
        if let expected = expected(in: line, heading) {
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
      // The line below the columns' names; versions and the machine have none.
      guard row > 0, header != ["", ""] else { continue }
      all += shown
      if let picture {
        if !isRow(row - 1, of: picture, cells) { wrong += shown }
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

  /// Of a line that is no row of a table, in order; `nil` for warnings, rules and limits.
  private func expected(in line: String, _ heading: String) -> [Double]? {
    if line.hasPrefix("# ") { return numbers(in: object(comparison["verdict"])["reason"]) }
    if line == markdownAdvice { return numbers(in: line) }
    if let change = line.firstMatch(of: #/^- \*\*.+\*\* \((\S+)\) of (\S+) is /#) {
      let values = expected(
        ofChange: entry(comparison["metrics"], ["detector": "\(change.output.2)", "metric": "\(change.output.1)"]))
      return line.contains("by next to nothing (gain ±0") ? Array(values.dropFirst(2)) : values
    }
    if let ladder = line.firstMatch(of: #/^### (\S+) under \S+: \d+ % of (\S+) survives (.+)$/#) {
      return survivors(of: "\(ladder.output.2)", by: "\(ladder.output.1)", under: "\(ladder.output.3)").suffix(1)
    }
    if let clip = line.firstMatch(of: #/^(?:###|Worst is) (\S+): /#) {
      let worst = objects(report["worst"]).filter { ($0["clip"] as? String)?.hasSuffix("/\(clip.output.1)") == true }
      return worst.flatMap { values(ofMistakes: object($0["mistakes"])) }
    }
    let kinds = [
      "counted": "count", "strokes": "strokes", "wrong": "labels", "mean": "grade", "misjudged": "faults",
      "reps": "times",
    ]
    if let clip = line.firstMatch(of: #/^- (\S+) \(.+\): (\S+) (counted|strokes|wrong|mean|misjudged|reps)/#)
      ?? line.firstMatch(of: #/^Look first at (\S+): (\S+) (counted|strokes|wrong|mean|misjudged|reps)/#)
    {
      let kind = kinds["\(clip.output.3)"]
      return changes(of: "/\(clip.output.1)", by: "\(clip.output.2)").filter { $0["kind"] as? String == kind }
        .flatMap { values(ofClipChange: $0) }
    }
    // Twenty clips are listed.
    if line.wholeMatch(of: #/- and \d+ more/#) != nil {
      return [Double(objects(comparison["counts"]).count + objects(comparison["answers"]).count - 20)]
    }
    if let dataset = line.firstMatch(of: #/^- \*\*(.+)\*\* .*Content: /#) {
      let card = entry(results["datasets"], ["name": "\(dataset.output.1)"])
      return numbers(in: card["version"]) + numbers(of: card, ["clips", "subjects"]) + numbers(in: card["licence"])
        + numbers(in: card["source"])
    }
    if let name = line.firstMatch(of: #/^- \*\*(.+)\*\*, (not )?at its defaults/#) {
      let card = entry(results["detectors"], ["name": "\(name.output.1)"])
      return numbers(of: object(card["parameters"]), (card["changed"] as? [String] ?? []).sorted())
        + numbers(in: card["summary"])
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
    if line.contains(" compared with the baseline.") { return numbers(of: report, ["detectors", "clips", "subjects"]) }
    if line.hasSuffix(" more metrics that changed</summary>") { return more(summary) }
    if line.hasPrefix("- "), line.contains(" say little about people unlike them") {
      return numbers(of: report, ["subjects"])
    }
    guard let picture = line.firstMatch(of: #/^!\[.*\]\((.+)\)$/#) else { return nil }
    let words = entry(report["pictures"], ["file": "\(picture.output.1)"])["words"] as? String ?? ""
    return line.replacing("\\", with: "").hasPrefix("![\(words)](") ? numbers(in: line) : []
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

  /// In the order of their words.
  private func values(ofMistakes mistakes: Object) -> [Double] {
    numbers(
      of: mistakes,
      [
        "counted", "trueCount", "wrongReps", "missedStrokes", "falseStrokes", "misnamedStrokes", "strokes",
        "wrongSeconds", "labelledSeconds", "gradeDistance", "misjudged", "judged",
      ])
  }

  /// Of warnings, rules and limits.
  private func allowed(in line: String) -> [Double] {
    if line.contains("seed ") { return numbers(of: report, ["seed"]) + numbers(of: robustness, ["seed"]) }
    if line.hasPrefix("- A rep is found ") { return all(results["matching"]) }
    return all(results["datasets"]) + camera
  }

  /// Frames a second, and milliseconds a frame, which are kept as microseconds.
  private var camera: [Double] { all(results["camera"]).flatMap { [$0, $0 / 1000] } }

  private var markdownAdvice: String { (object(comparison["verdict"])["detail"] as? String) ?? "" }

  /// How many metrics changed beside the three that are shown first.
  private func more(_ summary: Object) -> [Double] {
    let changed = objects(comparison["metrics"]).filter { metric in
      let listed = entry(results["metrics"], ["detector": metric["detector"], "metric": metric["metric"]])
      return listed["isListed"] as? Bool == true && metric["gain"] is Double
        && (sum(metric, ["better", "worse", "oneSided"]) > 0 || pairs(in: metric) == 0)
    }
    return [Double(changed.count - 3)]
  }

  /// Of a row of a table that is no picture's, in order.
  private func expected(in cells: [String], under header: [String]) -> [Double] {
    func cell(_ name: String) -> String? { header.firstIndex(of: name).flatMap { $0 < cells.count ? cells[$0] : nil } }
    if header.first == "clip" {
      let worst = objects(report["worst"]).first { ($0["clip"] as? String)?.hasSuffix("/\(cells[0])") == true } ?? [:]
      let mistakes = object(worst["mistakes"])
      let detector = worst["detector"] as? String ?? ""
      let changes = changes(of: worst["clip"] as? String ?? "", by: detector)
      return header.flatMap { name -> [Double] in
        if let key = Self.mistakes[name] { return numbers(of: mistakes, [key]) }
        if name == "why missed" {
          let clip = objects(results["clips"]).first { ($0["name"] as? String) == cells[0] } ?? [:]
          let missed = objects(object(object(clip["outcomes"])[detector])["missed"])
          let first = numbers(of: missed.first ?? [:], ["rep"]).map { $0 + 1 }
          return (missed.count > 1 ? [Double(missed.count)] : []) + first
        }
        return name == "since the baseline" ? changes.flatMap { values(ofClipChange: $0) } : []
      }
    }
    guard let detector = cell("detector") else { return [] }
    if let parameter = cell("parameter") {
      return numbers(of: object(entry(results["detectors"], ["name": detector])["parameters"]), [parameter])
    }
    // `exact counts (count.exact)`: the key tells which it is.
    guard
      let name = cell("metric").map({
        $0.hasSuffix(")") ? $0.dropLast().split(separator: "(").last.map(String.init) ?? $0 : $0
      })
    else {
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
    if header[0] == "perturbation" {
      let values = survivors(of: name, by: detector, under: cells[0])
      return cells.last == "n/a" ? values.dropLast() : values
    }
    let key: Object = ["detector": detector, "metric": name]
    guard header[0] == "detector" else {
      let slice = key.merging(["dimension": header[0], "slice": cells[0]]) { first, _ in first }
      let isChange = header.contains("gain")
      let own = isChange ? change(on: cells[0], of: header[0], key) : entry(results["slices"], slice)
      let gain = cell("gain")?.hasPrefix("±0") == true ? [] : ["gain"]
      return numbers(in: cells[0])
        + (isChange
          ? numbers(
            of: own, ["pairedBefore", "pairedAfter"] + gain + ["low", "high", "adjustedP", "subjects", "clips"])
          : values(of: own) + numbers(of: own, ["definedSubjects", "subjects", "clips"]))
    }
    let (metric, change) = (entry(results["metrics"], key), entry(comparison["metrics"], key))
    let subjects = object(metric["bySubject"])
    if header.contains("interval by") {
      return [Double(subjects.values.count { $0 is Double }), Double(subjects.count)]
        + numbers(of: metric, ["undefinedClips", "clips", "unanswered"])
        + numbers(of: object(metric["trivial"]), ["value"]) + numbers(of: metric, ["humanCeiling"])
    }
    let isUnchanged = cell("gain (95 %)") == "unchanged"
    // A sum of fractions that is not quite 0 is shown without a digit that could be held against it.
    let isNothing = cell("gain (95 %)")?.hasPrefix("±0") == true
    let pairs = cells.joined().contains(", of ") ? [pairs(in: change), Double(subjects.count)] : []
    let gain = numbers(of: change, (isNothing ? [] : ["gain"]) + ["low", "high"])
    return values(of: metric) + numbers(of: change, ["before"])
      + (isUnchanged ? [] : gain + pairs) + numbers(of: metric, ["margin"])
  }

  private static let mistakes = [
    "counted": "counted", "true": "trueCount", "wrong reps": "wrongReps", "strokes": "strokes",
    "missed": "missedStrokes", "false": "falseStrokes", "misnamed": "misnamedStrokes", "labelled": "labelledSeconds",
    "wrong": "wrongSeconds", "graded": "graded", "off by": "gradeDistance", "judged": "judged",
    "misjudged": "misjudged",
  ]

  private static let latencies = [
    "rep's end to report": "latency.report", "report before the end": "latency.early",
    "report to cue, live": "latency.live",
    "reps lost live": "latency.live-lost",
  ]

  /// Whether the cells of a picture's table are those that the results hold.
  private func isRow(_ index: Int, of picture: String, _ cells: [String]) -> Bool {
    let table = entry(objects(results["measuredPictures"]) + objects(report["pictures"]), ["file": picture])
    guard let rows = table["rows"] as? [[Any]], index < rows.count, rows[index].count == cells.count else {
      return false
    }
    return zip(rows[index], cells).allSatisfy { held, shown in
      if let text = held as? String { return text == shown.replacing("\\", with: "") }
      guard let held = held as? Double else { return held is NSNull && ["", "n/a"].contains(shown) }
      return Shown(line: 0, offset: 0, text: shown).shows(held)
    }
  }

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
  private func all(_ value: Any?) -> [Double] {
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
