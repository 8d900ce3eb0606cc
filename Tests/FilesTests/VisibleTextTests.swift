import Files
import Foundation
import Testing

/// Text from outside, as it may be shown.
@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("plain — ünï 日本 👩‍👩‍👧", "plain — ünï 日本 👩‍👩‍👧"),
    ("\u{1B}[31mred\u{7}", "\\u{1B}[31mred\\u{07}"),
    ("a\u{202E}b\u{2066}c\u{200B}d\u{FEFF}", "a\\u{202E}b\\u{2066}c\\u{200B}d\\u{FEFF}"),
    ("a\u{9B}31m\u{85}\r\n\tb", "a\\u{009B}31m\\u{0085}\\r\n\\tb"),
    ("a\u{2028}b\u{2029}c\u{E0041}", "a\\u{2028}b\\u{2029}c\\u{000E0041}"),
    // Workflow commands: of GitHub at the start of a line, or in the older form anywhere; of Azure and TeamCity.
    ("::error file=a::b", "\\u{3A}:error file=a::b"),
    ("a\n  ::stop-commands::x\nb", "a\n  \\u{3A}:stop-commands::x\nb"),
    ("a ::b", "a ::b"),
    ("a ##[error]b ##vso[task.x]c ##teamcity[d", "a #\\u{23}[error]b #\\u{23}vso[task.x]c #\\u{23}teamcity[d"),
    ("## heading", "## heading"),
  ])
  func isEscapedWhereSomethingObeysIt(text: String, shown: String) {
    #expect(text.visible == shown)
    #expect(shown.visible == shown)
  }

  @Test func aLineStaysOne() {
    #expect("a\nb\r\nc\n::error::d".visibleLine == "a b\\r c \\u{3A}:error::d")
    #expect("::error::d".visibleLine == "\\u{3A}:error::d")
  }

  /// JSON says the same, in characters that nothing obeys.
  @Test func jsonStaysJSON() throws {
    let text = "a\u{1B}[31m\u{202E}b\u{85}\u{7F}\n::error::\u{E0041}👩‍👩‍👧 ##[error]x ##vso[y"
    for data in [try stableJSON(["key\u{202E}": text]), try lineByLineJSON(["key\u{202E}": text])] {
      #expect(try JSONDecoder().decode([String: String].self, from: data) == ["key\u{202E}": text])
      let shown = String(decoding: data, as: UTF8.self)
      #expect(shown.visible == shown)
    }
  }
}
