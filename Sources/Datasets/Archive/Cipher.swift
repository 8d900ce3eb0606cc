import CCrypto

/// The primitives that an archive is encrypted with, all of OpenSSL's libcrypto.
enum Cipher {
  static let tagSize = 16

  /// Bytes that nobody can guess.
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
  /// `nil` where there are not as many.
  static func scrypt(_ passphrase: String, salt: [UInt8], workFactor: Int) -> [UInt8]? {
    var key = [UInt8](repeating: 0, count: 32)
    let phrase = Array(passphrase.utf8).map { CChar(bitPattern: $0) }
    let memory = UInt64(1) << UInt64(workFactor + 10) + 1 << 20
    let done = EVP_PBE_scrypt(phrase, phrase.count, salt, salt.count, 1 << UInt64(workFactor), 8, 1, memory, &key, 32)
    return done == 1 ? key : nil
  }

  /// ChaCha20-Poly1305 (RFC 7539): the text's cipher and a tag of 16 bytes behind it.
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

  /// The text of what `seal` gave; `nil` for another key or nonce, and where a bit of it is another.
  static func open(_ sealed: some Sequence<UInt8>, key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
    var tag = Array(sealed)
    guard tag.count >= tagSize else { return nil }
    let cipher = Array(tag.dropLast(tagSize))
    tag.removeFirst(cipher.count)
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    // One more, because an empty array may have no address.
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
