import Foundation

/// Holds the numbers in a report's Markdown against its `results.json`: each must be, as rounded as it is shown, a number
/// of the part of the results that its line is about.
///
/// No results, and not looked at: words with a letter in them, as names, dates, versions, hashes and quantiles' names
/// have; indented commands; the level of an interval, `95 %`; what the templates say of 0; the table of versions and
/// machine; and that of latency's picture, which shows quantiles of times.
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
  }

  private let results: Object
  private var report: Object { object(results["report"]) }
  private var comparison: Object { object(results["comparison"]) }

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
        wrong += without(allowed(in: line, heading), shown)
        continue
      }
      let cells = line.dropFirst().dropLast().components(separatedBy: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard !header.isEmpty else {
        (header, row) = (cells, -1)
        continue
      }
      row += 1
      // The line below the columns' names; versions and the machine have none.
      guard row > 0, picture != "latency.png", header != ["", ""] else { continue }
      all += shown
      if let picture {
        if !isRow(row - 1, of: picture, cells) { wrong += shown }
      } else {
        wrong += without(allowed(in: cells, under: header), shown)
      }
    }
    return (wrong, all)
  }

  private func without(_ allowed: [Double], _ shown: [Shown]) -> [Shown] {
    shown.filter { number in
      guard let value = number.value else { return true }
      return !allowed.contains { abs($0 - value) <= number.half }
    }
  }

  /// The numbers of a line: words of digits, with a sign and a point.
  static func numbers(in line: String, at index: Int) -> [Shown] {
    guard !line.hasPrefix("    ") else { return [] }
    return line.matches(of: #/(^|[\s(|])([+−-]?\d+(?:\.\d+)?)(?=[\s),;:.|]|$)/#).compactMap { match in
      let rest = line[match.range.upperBound...]
      let text = String(match.output.2)
      if text == "95", rest.hasPrefix(" %") { return nil }
      if text == "0", rest.hasPrefix(" is better") || rest.hasPrefix(" out for") { return nil }
      return Shown(
        line: index, offset: line.distance(from: line.startIndex, to: match.output.2.startIndex), text: text)
    }
  }

  /// Of a line that is no row of a table.
  private func allowed(in line: String, _ heading: String) -> [Double] {
    if let change = line.firstMatch(of: #/^- \*\*(.+)\*\* of (\S+) is /#) {
      let metric = entry(comparison["metrics"], ["detector": "\(change.output.2)", "metric": "\(change.output.1)"])
      let gain = (metric["gain"] as? Double).map { [$0, abs($0)] } ?? []
      return gain + numbers(of: metric, ["low", "high", "better", "worse", "same", "oneSided"])
        + [Double(object(metric["gains"]).count)]
    }
    if let clip = line.firstMatch(of: #/^(?:###|Worst is) (\S+): /#) {
      let worst = objects(report["worst"]).filter { ($0["clip"] as? String)?.hasSuffix("/\(clip.output.1)") == true }
      return all(worst.map { $0["mistakes"] ?? 0 })
    }
    if let clip = line.firstMatch(of: #/^- (\S+) \(.+\): (\S+) (counted|strokes|wrong|mean|misjudged|reps)/#)
      ?? line.firstMatch(of: #/^Look first at (\S+): (\S+) (counted|strokes|wrong|mean|misjudged|reps)/#)
    {
      let kinds = [
        "strokes": "strokes", "wrong": "labels", "mean": "grade", "misjudged": "faults", "reps": "times",
      ]
      let kind = kinds["\(clip.output.3)"]
      let changes = objects(comparison[kind == nil ? "counts" : "answers"]).filter {
        ($0["clip"] as? String)?.hasSuffix("/\(clip.output.1)") == true
          && $0["detector"] as? String == "\(clip.output.2)" && $0["kind"] as? String == kind
      }
      return changes.flatMap { numbers(of: $0, ["baseline", "count", "before", "after", "truth"]) + all($0["parts"]) }
    }
    if let dataset = line.firstMatch(of: #/^- \*\*(.+)\*\* .*Content: /#) {
      return all(entry(results["datasets"], ["name": "\(dataset.output.1)"]))
    }
    let summary = object(comparison["summary"])
    if heading.hasSuffix("What changed, and for whom") {
      return numbers(of: report, ["detectors", "clips", "subjects"]) + all(summary)
        + [
          sum(summary, ["better", "worse"]),
          Double(object(summary["changedClips"]).values.compactMap { $0 as? Int }.reduce(0, +)),
        ]
        + all(comparison["parameters"]) + more(summary)
    }
    if line.hasPrefix("# ") || line == markdownAdvice { return all(comparison["verdict"]) }
    if let picture = line.firstMatch(of: #/^!\[.*\]\((.+)\)$/#) {
      let words = entry(report["pictures"], ["file": "\(picture.output.1)"])["words"] as? String ?? ""
      return line.replacing("\\", with: "").hasPrefix("![\(words)](") ? all(words) : []
    }
    // Warnings, parameters that were set, rules and limits.
    return all(results["datasets"]) + all(results["matching"]) + camera + all(comparison["verdict"])
      + numbers(of: report, ["seed", "subjects"]) + changedParameters
  }

  /// Frames a second, and milliseconds a frame, which are kept as microseconds.
  private var camera: [Double] { all(results["camera"]).flatMap { [$0, $0 / 1000] } }

  private var markdownAdvice: String { (object(comparison["verdict"])["detail"] as? String) ?? "" }

  /// How many metrics changed beside the three that are shown first.
  private func more(_ summary: Object) -> [Double] {
    let changed = objects(comparison["metrics"]).filter { metric in
      let listed = entry(results["metrics"], ["detector": metric["detector"], "metric": metric["metric"]])
      return listed["isListed"] as? Bool == true && metric["gain"] is Double
        && (sum(metric, ["better", "worse", "oneSided"]) > 0 || object(metric["gains"]).isEmpty)
    }
    return [Double(changed.count - 3)]
  }

  private var changedParameters: [Double] {
    objects(results["detectors"]).flatMap { detector in
      (detector["changed"] as? [String] ?? []).compactMap { object(detector["parameters"])[$0] as? Double }
    }
  }

  /// Of a row of a table that is no picture's.
  private func allowed(in cells: [String], under header: [String]) -> [Double] {
    func cell(_ name: String) -> String? { header.firstIndex(of: name).flatMap { $0 < cells.count ? cells[$0] : nil } }
    if header.first == "clip" {
      let worst = objects(report["worst"]).first { ($0["clip"] as? String)?.hasSuffix("/\(cells[0])") == true } ?? [:]
      let changes = (objects(comparison["counts"]) + objects(comparison["answers"])).filter {
        $0["clip"] as? String == worst["clip"] as? String && $0["detector"] as? String == worst["detector"] as? String
      }
      return all(worst["mistakes"]) + all(changes)
    }
    guard let detector = cell("detector") else { return all(results["suiteVersion"]) }
    if let parameter = cell("parameter") {
      return numbers(of: object(entry(results["detectors"], ["name": detector])["parameters"]), [parameter])
    }
    guard let name = cell("metric") else {
      let latencies = objects(results["metrics"]).filter {
        $0["detector"] as? String == detector && ($0["metric"] as? String)?.hasPrefix("latency.") == true
      }
      let measured = object(object(results["measured"])[detector])
      return latencies.flatMap { values(of: $0) } + all(measured["quantiles"])
        + object(measured["intervals"]).values.flatMap { numbers(of: object($0), ["low", "high"]) }
    }
    let key: Object = ["detector": detector, "metric": name]
    guard header[0] == "detector" else {
      let slice = key.merging(["dimension": header[0], "slice": cells[0]]) { first, _ in first }
      if header.contains("gain") {
        let change = entry(comparison["slices"], slice)
        return numbers(of: change, ["baseline", "value", "gain", "low", "high", "adjustedP", "subjects", "clips"])
          + leading(cells[0])
      }
      let own = entry(results["slices"], slice)
      guard cell("subjects") == "\(count("definedSubjects", own)) of \(count("subjects", own))" else { return [] }
      return values(of: own) + numbers(of: own, ["definedSubjects", "subjects", "clips"]) + leading(cells[0])
    }
    let (metric, change) = (entry(results["metrics"], key), entry(comparison["metrics"], key))
    let subjects = object(metric["bySubject"])
    if header.contains("interval by") {
      let counts = [
        "\(subjects.values.count { $0 is Double }) of \(subjects.count)",
        "\(count("undefinedClips", metric)) of \(count("clips", metric))",
      ]
      return Array(cells[2...3]) == counts ? all(counts) : []
    }
    let pairs = object(change["gains"]).count
    return values(of: metric) + numbers(of: change, ["baseline", "gain", "low", "high", "margin"])
      + (cells.joined().contains(", of ") ? [Double(pairs), Double(subjects.count)] : [])
  }

  /// Whether the cells of a picture's table are those that the results hold.
  private func isRow(_ index: Int, of picture: String, _ cells: [String]) -> Bool {
    let table = entry(report["pictures"], ["file": picture])
    guard let rows = table["rows"] as? [[Any]], index < rows.count, rows[index].count == cells.count else {
      return false
    }
    return zip(rows[index], cells).allSatisfy { held, shown in
      if let text = held as? String { return text == shown.replacing("\\", with: "") }
      let number = Shown(line: 0, offset: 0, text: shown)
      guard let value = number.value, let held = held as? Double else { return false }
      return abs(value - held) < 1e-9
    }
  }

  /// `2 to 3`, as a slice is called.
  private func leading(_ name: String) -> [Double] { name.split(separator: " ").compactMap { Double($0) } }

  /// A metric's value and the bounds of its interval.
  private func values(of metric: Object) -> [Double] {
    numbers(of: metric, ["value", "margin"]) + numbers(of: object(metric["interval"]), ["low", "high"])
  }

  private func count(_ key: String, _ object: Object) -> Int { object[key] as? Int ?? -1 }

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
