import Foundation
import Rainbow

/// What a person sees: text on standard output, progress and errors on standard error.
enum Terminal {
  static let isInteractive = isatty(STDOUT_FILENO) == 1
  static let showsProgress = isatty(STDERR_FILENO) == 1

  /// Whether to colour: on a terminal, unless `NO_COLOR` is set to anything (no-color.org) or the terminal is a dumb one.
  static let hasColor: Bool = {
    let environment = ProcessInfo.processInfo.environment
    return isInteractive && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }()

  /// Columns to wrap at: the terminal's; in a pipe those of COLUMNS, or 100.
  static let width: Int = {
    var size = winsize()
    if isInteractive, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 { return Int(size.ws_col) }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 20 ? $0 : nil } ?? 100
  }()

  static func out(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// A part of what is told piece by piece, with no line feed behind it.
  static func piece(_ text: String) { writeBytes(Array(text.utf8), to: STDOUT_FILENO) }

  static func error(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Where a file went: beside numbers for another program, which has standard output to itself, on standard error.
  static func wrote(_ text: String, beside json: Bool) { json ? error(text) : out(text) }

  private static func write(_ text: String, to descriptor: Int32) {
    writeBytes(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: descriptor)
  }

  static func writeBytes(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = Foundation.write(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
        if count < 0 && errno == EINTR { continue }
        // Nobody reads any more, or there is no room: there is nowhere left to say so.
        if count <= 0 { return }
        sent += count
      }
    }
  }

  static func bold(_ text: String) -> String { hasColor ? text.applyingCodes(Style.bold) : text }
  static func dim(_ text: String) -> String { hasColor ? text.applyingCodes(Style.dim) : text }
  static func good(_ text: String) -> String { hasColor ? text.applyingCodes(Color.green) : text }
  static func bad(_ text: String) -> String { hasColor ? text.applyingCodes(Color.red) : text }
  static func unsure(_ text: String) -> String { hasColor ? text.applyingCodes(Color.yellow) : text }

  /// `1 clip`, `2 clips`.
  static func count(_ number: Int, _ singular: String) -> String { "\(number) \(singular)\(number == 1 ? "" : "s")" }

  /// Breaks at spaces so that no line is longer than the terminal is wide.
  ///
  /// - Parameters:
  ///   - indent: the column that later lines begin in.
  ///   - column: the one that the first begins in; the same where it is left out.
  static func wrap(_ text: String, indent: Int, from column: Int? = nil) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let room = width - (lines.isEmpty ? column ?? indent : indent)
      if !line.isEmpty && line.count + 1 + word.count > room {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  /// Columns beside each other, the given ones aligned to the right.
  static func table(_ rows: [[String]], right: Set<Int> = [], indent: Int = 2) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return right.contains(column) ? space + cell : cell + space
      }
      var line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }
}
