import CCrypto

extension Chart {
  /// The SHA-256 of `table`: `sha256:` and 64 hexadecimal digits. Equal facts have equal ones, whatever font draws them.
  public var tableHash: String { sha256(of: table.flatMap { $0 + ["\n"] }) }
}

extension Canvas {
  /// The SHA-256 of all texts drawn so far, in order.
  var textHash: String { sha256(of: texts.map(\.text)) }
}

/// Hashes texts, each with its length before it, so that two lists never hash like one.
private func sha256(of texts: [String]) -> String {
  let bytes = texts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
  // EVP_Digest leaves the digest's own length behind.
  var digest = [UInt8](repeating: 0, count: 32)
  EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
  let digits = Array("0123456789abcdef")
  return "sha256:" + String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
