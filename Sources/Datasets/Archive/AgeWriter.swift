/// Encrypts a stream of bytes with a passphrase into an `age` file.
struct AgeWriter {
  private let file: OutputFile
  private let key: [UInt8]
  private var chunk: [UInt8] = []
  private var number = 0

  /// Writes the header.
  ///
  /// - Throws: `DataError` where the file cannot be written or the memory for the passphrase's key is not there.
  init(_ file: OutputFile, passphrase: String, name: String) throws {
    self.file = file
    let fileKey = Cipher.randomBytes(AgeFormat.fileKeySize)
    let salt = Cipher.randomBytes(AgeFormat.saltSize)
    guard let wrapKey = AgeFormat.wrapKey(passphrase, salt: salt, workFactor: AgeFormat.workFactor) else {
      throw DataError(file: name, expected: "128 MiB of memory for the passphrase's key", found: "less")
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
      // A full chunk waits until more follows, because the last one is sealed differently.
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
