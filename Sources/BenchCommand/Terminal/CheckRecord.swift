import Evaluation
import Foundation

/// What the checks of a dataset found, as it is printed and written as JSON.
struct CheckRecord: Encodable {
  var dataset: String
  var clips: Int
  var subjects: Int
  /// The names of the checks that were made.
  var checks: [String]
  var findings: [Finding]

  /// Whether there is nothing but notes.
  var isClean: Bool { findings.allSatisfy { $0.severity == .note } }

  /// Whether a part of the dataset could not be read.
  var isUnreadable: Bool { findings.contains { $0.check == DatasetChecks.unreadable } }

  /// How many of the worst of a check are shown.
  private static let examples = 3

  /// By check, what is worse before what is less so, with the worst examples of each.
  func text(explaining: Bool) -> String {
    var lines = ["\(dataset): \(Terminal.count(clips, "clip")) of \(Terminal.count(subjects, "subject")), \(summary)"]
    let groups = Dictionary(grouping: findings, by: \.check)
    let made = DatasetChecks.all.filter { checks.contains($0.name) }
    let found = made.filter { groups[$0.name] != nil }.enumerated().sorted { one, other in
      (groups[one.element.name]?.first?.severity ?? .note, one.offset)
        < (groups[other.element.name]?.first?.severity ?? .note, other.offset)
    }
    for (_, check) in found { lines += [""] + section(check, groups[check.name] ?? [], explaining: explaining) }
    let silent = made.filter { groups[$0.name] == nil }
    if explaining {
      for check in silent {
        lines += ["", "\(Terminal.good("nothing"))  \(Terminal.bold(check.name))  \(check.title)"]
        lines.append("  " + Terminal.wrap("threshold: \(check.threshold)", indent: 4))
      }
    } else if !silent.isEmpty {
      lines += ["", Terminal.wrap("nothing found by \(silent.map { $0.name }.joined(separator: ", "))", indent: 2)]
    }
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    let counts = Finding.Severity.allCases.compactMap { severity -> String? in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : Terminal.count(count, severity.rawValue)
    }
    return counts.isEmpty ? "nothing wrong" : isClean ? "nothing wrong, " + counts[0] : counts.joined(separator: ", ")
  }

  private func section(_ check: any DatasetCheck, _ findings: [Finding], explaining: Bool) -> [String] {
    let severity = findings.first?.severity ?? .note
    let word = severity.rawValue
    let label =
      severity == .problem ? Terminal.bad(word) : severity == .warning ? Terminal.unsure(word) : Terminal.dim(word)
    let serious = findings.filter { $0.severity != .note }
    let shown = (serious.isEmpty ? findings : serious).prefix(Self.examples)
    let places = Set(findings.compactMap(\.clip))
    let share = places.isEmpty ? "" : ": \(places.count) of \(Terminal.count(clips, "clip"))"
    let notes = serious.isEmpty ? 0 : findings.count - serious.count
    var lines = [
      "\(label)  \(Terminal.bold(check.name))  \(check.title)\(share)"
        + (notes > 0 ? ", \(Terminal.count(notes, "slight one")) of them" : "")
    ]
    lines += shown.map { "  " + Terminal.wrap(Self.line($0), indent: 4) }
    let rest = (serious.isEmpty ? findings.count : serious.count) - shown.count
    if rest > 0 { lines.append("  and \(rest) more; --json lists all") }
    if severity != .note || explaining {
      var remedies: [String] = []
      for finding in shown where !remedies.contains(finding.remedy) { remedies.append(finding.remedy) }
      lines += remedies.map { "  " + Terminal.wrap("remedy: \($0)", indent: 4) }
    }
    if explaining { lines.append("  " + Terminal.wrap("threshold: \(check.threshold)", indent: 4)) }
    return lines
  }

  private static func line(_ finding: Finding) -> String {
    let file = finding.file.map { file in [finding.line.map { "\(file):\($0)" } ?? file] } ?? []
    var place = finding.clip.map { [$0] } ?? []
    if let start = finding.start {
      place.append("\(start) s" + (finding.end.map { $0 == start ? "" : " to \($0) s" } ?? ""))
    }
    return (file + (place.isEmpty ? [] : [place.joined(separator: " at ")]) + [finding.found]).joined(separator: ": ")
  }
}
