import Datasets
import Foundation
import Testing

/// The scripts that a page would run, and those that its policy allows: a browser runs no other.
struct PageScripts {
  let policy: String
  /// The SHA-256 of each script in base64, of all text between its tags (Content Security Policy Level 3, 6.7.3.3).
  let hashes: [String]
  /// The hashes in the policy.
  let allowed: [String]

  /// - Parameter policy: The header of the page; `nil` for the policy in its head.
  init(_ page: String, policy: String? = nil) throws {
    let own = page.firstMatch(of: #/<meta http-equiv="Content-Security-Policy" content="([^"]+)">/#)
    let words = try #require(policy ?? own.map { String($0.output.1) })
    self.policy = words
    // A script with a type is data.
    hashes = page.components(separatedBy: "<script>").dropFirst().map { part in
      let hash = SHA256()
      hash.update(Data(part.components(separatedBy: "</script>")[0].utf8))
      return hash.finish().base64EncodedString()
    }
    allowed = words.matches(of: #/'sha256-([^']+)'/#).map { String($0.output.1) }
  }
}
