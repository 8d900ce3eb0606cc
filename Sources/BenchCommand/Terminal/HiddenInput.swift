import ArgumentParser
import Foundation

/// What a person types at the terminal without its being shown.
enum HiddenInput {
  /// A line; `nil` where nobody sits at a terminal.
  ///
  /// - Throws: `ExitCode(130)` for Ctrl-C, as shells have it.
  static func line(_ prompt: String) throws -> String? {
    // Not standard input, which may be a pipe.
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return nil }
    var hidden = settings
    // Signals off too: one would leave the terminal without an echo.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG | ICANON)
    tcsetattr(terminal, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &settings)
      Terminal.writeBytes([UInt8(ascii: "\n")], to: terminal)
    }
    Terminal.writeBytes(Array(prompt.utf8), to: terminal)
    var bytes: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      guard read(terminal, &byte, 1) == 1 else { break }
      switch byte {
      case 3: throw ExitCode(130)
      case 4, 10, 13: return String(decoding: bytes, as: UTF8.self)
      case 8, 127:
        // A character may be several bytes, of which all but the first begin with 10.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
