import CCrypto
import Files
import Foundation

/// The file format of the tool `age` for passphrases; `age --decrypt` opens these files.
///
/// The header contains the file's key, wrapped by a key that scrypt derives from the passphrase. The payload follows in
/// chunks of 64 KiB, each sealed with ChaCha20-Poly1305 under its number, and the last one marked: any change, swap or
/// truncation is detected.
///
/// - Source: age-encryption.org/v1, The age file format (C2SP, c2sp.org/age), sections "Header", "Payload" and "The scrypt
///   recipient type".
enum AgeFormat {
  static let versionLine = "age-encryption.org/v1"
  static let chunkSize = 1 << 16
  static let sealedChunkSize = chunkSize + Cipher.tagSize
  static let saltSize = 16
  static let nonceSize = 16
  static let fileKeySize = 16
  /// 128 MiB and some tenths of a second for each guess at a passphrase: the least that OWASP's Password Storage Cheat
  /// Sheet (2023) recommends (N = 2^17, r = 8, p = 1).
  static let workFactor = 17
  /// The most memory that a file may demand from its reader before anything in it is authenticated: 512 MiB. The tool
  /// `age` writes 18.
  static let highestWorkFactor = 19

  static func wrapKey(_ passphrase: [UInt8], salt: [UInt8], workFactor: Int) -> [UInt8]? {
    Cipher.scrypt(passphrase, salt: Array("age-encryption.org/v1/scrypt".utf8) + salt, workFactor: workFactor)
  }

  static let wrapNonce = [UInt8](repeating: 0, count: 12)

  /// The proof of the header, up to and including its `---`.
  static func headerProof(_ header: String, fileKey: [UInt8]) -> [UInt8] {
    Cipher.hmac(key: Cipher.hkdf(fileKey, salt: [], info: "header"), Array(header.utf8))
  }

  static func payloadKey(_ fileKey: [UInt8], nonce: [UInt8]) -> [UInt8] {
    Cipher.hkdf(fileKey, salt: nonce, info: "payload")
  }

  /// A chunk's number in eleven bytes, and whether it is the last.
  static func chunkNonce(_ number: Int, isLast: Bool) -> [UInt8] {
    let digits = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
    return [0, 0, 0] + digits + [isLast ? 1 : 0]
  }

  /// Base64 without padding (RFC 4648, section 4).
  static func base64(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
  }

  /// `nil` for anything but the canonical encoding of those bytes.
  static func bytes(base64 text: some StringProtocol) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: text + padding), base64(Array(data)) == text else { return nil }
    return Array(data)
  }
}

/// Encrypts a stream of bytes with a passphrase into an `age` file.
struct AgeWriter {
  private let file: OutputFile
  private let key: [UInt8]
  private var chunk: [UInt8] = []
  private var number = 0

  /// Writes the header.
  ///
  /// - Throws: `DataError` if the file cannot be written or memory for the passphrase's key is lacking.
  init(_ file: OutputFile, passphrase: [UInt8], name: String) throws {
    self.file = file
    let fileKey = Cipher.randomBytes(AgeFormat.fileKeySize)
    let salt = Cipher.randomBytes(AgeFormat.saltSize)
    guard let wrapKey = AgeFormat.wrapKey(passphrase, salt: salt, workFactor: AgeFormat.workFactor) else {
      throw DataError(file: name, expected: "128 MiB of memory for the passphrase's key", found: "less memory")
    }
    let body = Cipher.seal(fileKey, key: wrapKey, nonce: AgeFormat.wrapNonce)
    let header = """
      \(AgeFormat.versionLine)
      -> scrypt \(AgeFormat.base64(salt)) \(AgeFormat.workFactor)
      \(AgeFormat.base64(body))
      ---
      """
    let proof = AgeFormat.headerProof(header, fileKey: fileKey)
    let nonce = Cipher.randomBytes(AgeFormat.nonceSize)
    key = AgeFormat.payloadKey(fileKey, nonce: nonce)
    try file.append("\(header) \(AgeFormat.base64(proof))\n".utf8)
    try file.append(nonce)
  }

  mutating func append(_ bytes: some Collection<UInt8>) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      // A full chunk waits until more data follows, because the last one is sealed differently.
      if chunk.count == AgeFormat.chunkSize { try seal(isLast: false) }
      let part = rest.prefix(AgeFormat.chunkSize - chunk.count)
      chunk.append(contentsOf: part)
      rest = rest.dropFirst(part.count)
    }
  }

  mutating func finish() throws {
    try seal(isLast: true)
    try file.finish()
  }

  private mutating func seal(isLast: Bool) throws {
    try file.append(Cipher.seal(chunk, key: key, nonce: AgeFormat.chunkNonce(number, isLast: isLast)))
    chunk.removeAll(keepingCapacity: true)
    number += 1
  }
}

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
  init(_ file: InputFile, passphrase: [UInt8]) throws {
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
      throw failure("an archive encrypted with a passphrase", "one encrypted with a public key")
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
      throw failure("\(1 << max(0, workFactor - 10)) MiB of memory for the passphrase's key", "less memory")
    }
    guard let fileKey = Cipher.open(body, key: wrapKey, nonce: AgeFormat.wrapNonce) else {
      throw failure("the passphrase of the archive", "another one, or an altered header")
    }
    let header = lines[..<3].joined(separator: "\n") + "\n---"
    guard AgeFormat.headerProof(header, fileKey: fileKey) == proof else {
      throw failure("the archive's original header", "an altered one")
    }
    let start = header.utf8.count + 1 + lines[3].dropFirst(4).utf8.count + 1
    let nonce = Array(file.bytes.dropFirst(start).prefix(AgeFormat.nonceSize))
    guard nonce.count == AgeFormat.nonceSize else { throw failure("the archive's content", "its end: it is truncated") }
    key = AgeFormat.payloadKey(fileKey, nonce: nonce)
    position = start + AgeFormat.nonceSize
  }

  /// Reads the next `count` bytes, fewer at the end of the content.
  ///
  /// - Throws: `DataError` if the archive was altered or truncated.
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
          "the original content \(number == 0 ? "from the first byte on" : "after \(number << 16) bytes")",
        found: isCut
          ? "the archive's end: it is truncated" : isLast ? "an altered or truncated archive" : "an altered archive")
    }
    chunk = text[...]
    position += sealed.count
    number += 1
    return true
  }
}

/// The cryptographic primitives of an archive, all from OpenSSL's libcrypto.
enum Cipher {
  static let tagSize = 16

  /// Random bytes for keys.
  static func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system has no random numbers")
    return bytes
  }

  /// HMAC-SHA-256 (RFC 2104), 32 bytes.
  static func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &digest, nil)
    return digest
  }

  /// The first 32 bytes of HKDF-SHA-256 (RFC 5869).
  static func hkdf(_ key: [UInt8], salt: [UInt8], info: String) -> [UInt8] {
    hmac(key: hmac(key: salt, key), Array(info.utf8) + [1])
  }

  /// The first 32 bytes of scrypt (RFC 7914) with r = 8 and p = 1, which takes 2^(workFactor + 10) bytes of memory;
  /// `nil` if the memory is lacking.
  static func scrypt(_ passphrase: [UInt8], salt: [UInt8], workFactor: Int) -> [UInt8]? {
    var key = [UInt8](repeating: 0, count: 32)
    let phrase = passphrase.map { CChar(bitPattern: $0) }
    let memory = UInt64(1) << UInt64(workFactor + 10) + 1 << 20
    let done = EVP_PBE_scrypt(phrase, phrase.count, salt, salt.count, 1 << UInt64(workFactor), 8, 1, memory, &key, 32)
    return done == 1 ? key : nil
  }

  /// ChaCha20-Poly1305 (RFC 7539): the ciphertext followed by a tag of 16 bytes.
  static func seal(_ text: some Sequence<UInt8>, key: [UInt8], nonce: [UInt8]) -> [UInt8] {
    let text = Array(text)
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var sealed = [UInt8](repeating: 0, count: text.count + tagSize)
    var length: Int32 = 0
    EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce)
    sealed.withUnsafeMutableBufferPointer { bytes in
      _ = EVP_EncryptUpdate(context, bytes.baseAddress, &length, text, Int32(text.count))
      let end = bytes.baseAddress?.advanced(by: text.count)
      _ = EVP_EncryptFinal_ex(context, end, &length)
      _ = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagSize), end)
    }
    return sealed
  }

  /// Decrypts the result of `seal`; `nil` for another key or nonce, or if any bit was changed.
  static func open(_ sealed: some Sequence<UInt8>, key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
    var tag = Array(sealed)
    guard tag.count >= tagSize else { return nil }
    let cipher = Array(tag.dropLast(tagSize))
    tag.removeFirst(cipher.count)
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    // One extra byte, because an empty array may have no address.
    var text = [UInt8](repeating: 0, count: cipher.count + 1)
    var length: Int32 = 0
    EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce)
    EVP_DecryptUpdate(context, &text, &length, cipher, Int32(cipher.count))
    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag)
    var rest = [UInt8](repeating: 0, count: tagSize)
    guard EVP_DecryptFinal_ex(context, &rest, &length) == 1 else { return nil }
    text.removeLast()
    return text
  }
}
