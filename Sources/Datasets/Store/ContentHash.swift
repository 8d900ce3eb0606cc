import CCrypto
import Foundation
import PoseModel

/// A running SHA-256 (FIPS 180-4), through OpenSSL.
final class SHA256 {
  private let context = EVP_MD_CTX_new()

  init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

  func update(_ data: Data) { data.withUnsafeBytes { update($0) } }

  /// A text with its length before it, so that two texts never hash like one.
  func update(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { update($0) }
      update(UnsafeRawBufferPointer(bytes))
    }
  }

  /// 32 bytes.
  func finish() -> Data {
    var digest = Data(count: 32)
    digest.withUnsafeMutableBytes { bytes in
      _ = EVP_DigestFinal_ex(context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
    }
    return digest
  }
}

/// What a dataset holds, as one SHA-256: the same for the same manifest, clips, poses and labels, whatever files they
/// stand in and in whatever order.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  /// 64 hexadecimal digits.
  public let hex: String

  /// `nil` for anything but 64 hexadecimal digits, with or without `sha256:` before them.
  public init?(_ text: String) {
    let digits = text.hasPrefix("sha256:") ? String(text.dropFirst(7)) : text
    guard digits.count == 64, digits.allSatisfy(\.isHexDigit) else { return nil }
    hex = digits.lowercased()
  }

  init(_ digest: Data) { hex = digest.map { String(format: "%02x", $0) }.joined() }

  public var description: String { "sha256:\(hex)" }

  /// The first twelve digits, for people.
  public var short: String { String(hex.prefix(12)) }

  /// The hash of a dataset from its clips' hashes.
  static func dataset(_ manifest: Manifest, clips: [(name: String, hash: Data)]) throws -> ContentHash {
    let hash = SHA256()
    hash.update("dataset 1")
    hash.update(try canonicalJSON(manifest))
    for clip in clips.sorted(by: { $0.name < $1.name }) {
      hash.update(clip.name)
      hash.update(clip.hash)
    }
    return ContentHash(hash.finish())
  }

  /// The hash of one clip, 32 bytes.
  static func clip(_ clip: Clip, _ texts: ClipTexts) -> Data {
    let hash = SHA256()
    hash.update("clip 1")
    hash.update(texts.info)
    hash.update(texts.labels)
    if let keypoints = clip.keypoints {
      hash.update("\(keypoints.frameCount) \(keypoints.keypointCount) \(keypoints.channels.map(\.index))")
      keypoints.times.withUnsafeBytes { hash.update($0) }
      // There are many NaN and only one meaning: missing. Piece by piece, because a clip may be large.
      keypoints.values.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
          let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 1 << 16, bytes.count)])
          if hasOtherNaN(piece) {
            piece.bindMemory(to: Float.self).map { $0.isNaN ? Float.nan : $0 }.withUnsafeBytes { hash.update($0) }
          } else {
            hash.update(piece)
          }
        }
      }
    }
    return hash.finish()
  }

  /// Whether there is a NaN with other bits than the usual one.
  private static func hasOtherNaN(_ values: UnsafeRawBufferPointer) -> Bool {
    let infinity = Int32(bitPattern: Float.infinity.bitPattern)
    var found: UInt32 = 0
    for value in values.bindMemory(to: UInt32.self) {
      let isNaN: UInt32 = Int32(bitPattern: value & 0x7FFF_FFFF) > infinity ? 1 : 0
      let isOther: UInt32 = value != Float.nan.bitPattern ? 1 : 0
      found |= isNaN & isOther
    }
    return found != 0
  }

  /// The hash of some files' bytes under their names within a folder.
  ///
  /// - Parameter settings: what else decides what is made of them.
  public static func files(_ names: [String], in directory: String, settings: [String] = []) throws -> ContentHash {
    try files(names.map { ($0, $0) }, settings: settings) { try InputFile($0, in: directory) }
  }

  /// The hash of files' bytes under their names.
  static func files(
    _ files: [(name: String, path: String)], settings: [String] = [], read: (String) throws -> InputFile
  ) throws -> ContentHash {
    let hash = SHA256()
    hash.update("files 1")
    for setting in settings { hash.update(setting) }
    for file in files {
      let input = try read(file.path)
      hash.update(file.name)
      hash.update("\(input.bytes.count)")
      input.forEachPiece { hash.update($0) }
    }
    return ContentHash(hash.finish())
  }
}

/// JSON with sorted keys: the same bytes for the same value.
func canonicalJSON(_ value: some Encodable) throws -> Data { try canonicalEncoder.encode(value) }

private let canonicalEncoder: JSONEncoder = {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return encoder
}()
