import Foundation

/// Decrypts an `age` file with its passphrase, chunk by chunk.
struct AgeReader {
  private let file: InputFile
  private let key: [UInt8]
  private var position: Int
  private var number = 0
  private var chunk: ArraySlice<UInt8> = []

  static func recognises(_ path: String) -> Bool {
    guard FileKind(path) != nil, let file = try? InputFile(path) else { return false }
    return file.bytes.starts(with: Data((AgeFormat.versionLine + "\n").utf8))
  }

  /// Reads the header and unwraps the file's key.
  ///
  /// - Throws: `DataError` for a file of another kind, another passphrase and an altered header.
  init(_ file: InputFile, passphrase: String) throws {
    self.file = file
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: file.name, expected: expected, found: found)
    }
    // The longest header with a single scrypt stanza is far shorter than this.
    let head = String(decoding: file.bytes.prefix(1024), as: UTF8.self)
    let lines = head.split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: false)
    guard lines.first == Substring(AgeFormat.versionLine) else {
      throw failure("an archive that begins with \(AgeFormat.versionLine)", "something else")
    }
    let words = lines.dropFirst().first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0] == "->", words[1] == "scrypt" else {
      throw failure("an archive that was encrypted with a passphrase", "one for the owner of a key")
    }
    guard lines.count == 5, words.count == 4, let salt = AgeFormat.bytes(base64: words[2]),
      salt.count == AgeFormat.saltSize,
      words[3].first != "0", let workFactor = Int(words[3]), workFactor > 0,
      let body = AgeFormat.bytes(base64: lines[2]), body.count == AgeFormat.fileKeySize + Cipher.tagSize,
      lines[3].hasPrefix("--- "), let proof = AgeFormat.bytes(base64: lines[3].dropFirst(4)), proof.count == 32
    else { throw failure("the header of an age file", "a damaged or truncated one") }
    guard workFactor <= AgeFormat.highestWorkFactor else {
      throw failure("a work factor of at most \(AgeFormat.highestWorkFactor)", "\(workFactor)")
    }
    guard let wrapKey = AgeFormat.wrapKey(passphrase, salt: salt, workFactor: workFactor) else {
      throw failure("\(1 << max(0, workFactor - 10)) MiB of memory for the passphrase's key", "less")
    }
    guard let fileKey = Cipher.open(body, key: wrapKey, nonce: AgeFormat.wrapNonce) else {
      throw failure("the passphrase that the archive was encrypted with", "another one, or an altered header")
    }
    let header = lines[..<3].joined(separator: "\n") + "\n---"
    guard AgeFormat.headerProof(header, fileKey: fileKey) == proof else {
      throw failure("the header that the archive was written with", "an altered one")
    }
    let start = header.utf8.count + 1 + lines[3].dropFirst(4).utf8.count + 1
    let nonce = Array(file.bytes.dropFirst(start).prefix(AgeFormat.nonceSize))
    guard nonce.count == AgeFormat.nonceSize else { throw failure("the archive's content", "its end: it is truncated") }
    key = AgeFormat.payloadKey(fileKey, nonce: nonce)
    position = start + AgeFormat.nonceSize
  }

  /// The next `count` bytes, fewer where the content ends before.
  ///
  /// - Throws: `DataError` where the archive was altered or truncated.
  mutating func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if chunk.isEmpty {
        guard try nextChunk() else { break }
      }
      let part = chunk.prefix(count - bytes.count)
      bytes.append(contentsOf: part)
      chunk = chunk.dropFirst(part.count)
    }
    return bytes
  }

  private var isAtEnd: Bool { number > 0 && position == file.bytes.count }

  /// Opens the next chunk; `false` after the last.
  private mutating func nextChunk() throws -> Bool {
    guard !isAtEnd else { return false }
    let sealed = file.bytes.dropFirst(position).prefix(AgeFormat.sealedChunkSize)
    let isLast = position + sealed.count == file.bytes.count
    func opened(isLast: Bool) -> [UInt8]? {
      Cipher.open(sealed, key: key, nonce: AgeFormat.chunkNonce(number, isLast: isLast))
    }
    guard let text = opened(isLast: isLast), !text.isEmpty || number == 0 else {
      let isCut = isLast && (sealed.count < Cipher.tagSize || opened(isLast: false) != nil)
      throw DataError(
        file: file.name,
        expected:
          "the content that was encrypted, \(number == 0 ? "from its first byte on" : "after \(number << 16) bytes")",
        found: isCut
          ? "the archive's end: it is truncated" : isLast ? "an altered or truncated archive" : "an altered archive")
    }
    chunk = text[...]
    position += sealed.count
    number += 1
    return true
  }
}
