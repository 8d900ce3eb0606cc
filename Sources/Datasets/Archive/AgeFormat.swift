import Foundation

/// The file format of the tool `age` as far as a passphrase goes, so that `age --decrypt` opens what is written here.
///
/// A header with the file's key, wrapped by a key that scrypt makes of the passphrase, then the payload in chunks of
/// 64 KiB, each sealed with ChaCha20-Poly1305 under its number, and the last one marked: nothing can be changed, swapped
/// or cut off unnoticed.
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
  /// The most that a file may ask of who reads it: 4 GiB.
  static let highestWorkFactor = 22

  static func wrapKey(_ passphrase: String, salt: [UInt8], workFactor: Int) -> [UInt8]? {
    Cipher.scrypt(passphrase, salt: Array("age-encryption.org/v1/scrypt".utf8) + salt, workFactor: workFactor)
  }

  static let wrapNonce = [UInt8](repeating: 0, count: 12)

  /// Proves the header, up to and with its `---`.
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

  /// `nil` for what is not the one way to write those bytes.
  static func bytes(base64 text: some StringProtocol) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: text + padding), base64(Array(data)) == text else { return nil }
    return Array(data)
  }
}
