import CCrypto
import Files
import Foundation
import PoseModel

/// A running SHA-256 (FIPS 180-4), through OpenSSL.
package final class SHA256 {
  private let context = EVP_MD_CTX_new()

  package init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

  deinit { EVP_MD_CTX_free(context) }

  package func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

  package func update(_ data: Data) { data.withUnsafeBytes { update($0) } }

  /// Adds a text, or one in two parts, with its length before it, to hash "ab", "c" and "a", "bc" differently.
  package func update(_ text: String, _ rest: String = "") {
    withUnsafeBytes(of: UInt64(text.utf8.count + rest.utf8.count).littleEndian) { update($0) }
    for var part in [text, rest] { part.withUTF8 { update(UnsafeRawBufferPointer($0)) } }
  }

  /// 32 bytes.
  package func finish() -> Data {
    var digest = Data(count: 32)
    digest.withUnsafeMutableBytes { bytes in
      _ = EVP_DigestFinal_ex(context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
    }
    return digest
  }
}

/// The content of a dataset as one SHA-256: the same for the same manifest, clips, poses and labels, whatever the files
/// and their order.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  /// 64 hexadecimal digits.
  public let hex: String

  /// `nil` for anything but 64 hexadecimal digits, with or without `sha256:` before them.
  public init?(_ text: String) {
    let digits = text.hasPrefix("sha256:") ? String(text.dropFirst(7)) : text
    guard digits.count == 64, digits.allSatisfy(\.isHexDigit) else { return nil }
    hex = digits.lowercased()
  }

  private static let digits = Array("0123456789abcdef".utf8)

  package init(_ digest: Data) {
    hex = String(decoding: digest.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  public var description: String { "sha256:\(hex)" }

  /// The first twelve digits, for messages.
  public var short: String { String(hex.prefix(12)) }

  /// The hash of a dataset from its clips' hashes.
  ///
  /// - Parameter manifest: Its canonical JSON.
  static func dataset(_ manifest: Data, clips: [(name: String, hash: Data)]) -> ContentHash {
    let hash = SHA256()
    hash.update("dataset 1")
    hash.update(manifest)
    for clip in clips.sorted(by: { $0.name < $1.name }) {
      hash.update(clip.name)
      hash.update(clip.hash)
    }
    return ContentHash(hash.finish())
  }

  /// The hash of one clip, 32 bytes.
  static func clip(_ clip: Clip, _ texts: ClipTexts) -> Data {
    texts.info.withUnsafeBytes { info in
      texts.labels.withUnsafeBytes { labels in Self.clip(clip, info: info, labels: labels) }
    }
  }

  /// The same with the texts of its description and labels.
  static func clip(_ clip: Clip, info: UnsafeRawBufferPointer, labels: UnsafeRawBufferPointer) -> Data {
    let hash = SHA256()
    hash.update("clip 1")
    hash.update(info)
    hash.update(labels)
    if let keypoints = clip.keypoints {
      hash.update("\(keypoints.frameCount) \(keypoints.keypointCount) \(keypoints.channels.map(\.index))")
      keypoints.times.withUnsafeBytes { hash.update($0) }
      keypoints.withCanonicalBytes { hash.update($0) }
    }
    return hash.finish()
  }

  /// The hash of files' bytes with their names within a folder. Of a file that cannot be read, why it cannot.
  ///
  /// - Parameter settings: Other inputs that decide the result.
  /// - Throws: `DataError` if no file can be read.
  public static func files(_ names: [String], in directory: String, settings: [String] = []) throws -> ContentHash {
    let files = names.map { (name: $0, path: $0) }
    return ContentHash(
      files, try digests(files, leavingOut: true) { try InputFile($0, in: directory) }, settings: settings)
  }

  /// The hash of files' names and the hashes of their bytes.
  init(_ files: [(name: String, path: String)], _ digests: [Data], settings: [String] = []) {
    let hash = SHA256()
    hash.update("files 2")
    for setting in settings { hash.update(setting) }
    for (file, digest) in zip(files, digests) {
      hash.update(file.name)
      hash.update(digest)
    }
    self.init(hash.finish())
  }

  /// The hashes of files' bytes.
  ///
  /// - Parameters:
  ///   - leavingOut: Whether some files may be unreadable.
  ///   - known: The hashes of files that need not be read; `nil` for the others.
  static func digests(
    _ files: [(name: String, path: String)], leavingOut: Bool = false, known: [Data?]? = nil,
    read: @escaping @Sendable (String) throws -> InputFile
  ) throws -> [Data] {
    // A beginning and a size identify a file at once, where reading many gigabytes takes long.
    let refusals = try files.enumerated().map { index, file -> DataError? in
      do {
        guard known?[index] == nil else { return nil }
        let input = try read(file.path)
        switch PathParts(file.path).ending.lowercased() {
        case "npy": try NumpyArray.requireClip(input)
        case "c3d", "npz", "gz", "parquet", "h5", "hdf5": try input.requireReadableSize()
        default: try input.requireBeginningOfText()
        }
        return nil
      } catch let error as DataError where leavingOut {
        return error
      }
    }
    let found = refusals.compactMap { $0 }
    if let first = found.first, found.count == files.count { throw first }
    return try concurrently(files.count) { index in
      if let digest = known?[index] { return digest }
      let hash = SHA256()
      if let refusal = refusals[index] {
        hash.update("\(refusal)")
      } else {
        try read(files[index].path).forEachPiece { hash.update($0) }
      }
      return hash.finish()
    }
  }
}

/// A clip's description and labels as the store keeps them and the hash reads them: the bytes of `canonicalJSON`,
/// written directly, because the generic encoder takes longer than hashing ten seconds of poses.
struct ClipTexts: Sendable {
  let info: Data
  let labels: Data

  init(_ clip: Clip) throws {
    info = try Self.text(of: clip.info)
    labels = try Self.text(of: clip.labels)
  }

  private static func text(of info: Clip.Info) throws -> Data {
    var json = JSONWriter()
    try json.object {
      try $0.member("exercise", info.exercise)
      try $0.member("fps", info.fps)
      try $0.member("name", info.name)
      try $0.member("split", info.split)
      try $0.member("subject", info.subject)
      try $0.member("view", info.view)
    }
    return Data(json.bytes)
  }

  private static func text(of labels: GroundTruth) throws -> Data {
    var json = JSONWriter()
    try json.object {
      try $0.member("draft", labels.draft)
      try $0.member("events", labels.events) {
        try $0.member("label", $1.label)
        $0.member("time", $1.time)
      }
      try $0.member("faults", labels.faults) {
        try $0.member("fault", $1.name)
        $0.member("present", $1.present)
        try $0.member("rater", $1.rater)
        $0.member("rep", $1.rep)
      }
      try $0.member("grades", labels.grades) {
        try $0.member("criterion", $1.criterion)
        try $0.member("grade", $1.value)
        try $0.member("rater", $1.rater)
        $0.member("rep", $1.rep)
      }
      try $0.member("intervals", labels.intervals) {
        $0.member("end", $1.end)
        try $0.member("label", $1.label)
        $0.member("start", $1.start)
      }
      $0.member("repCount", labels.repCount)
      guard let reps = labels.reps else { return }
      $0.member("reps", reps) {
        $0.member("end", $1.end)
        $0.member("start", $1.start)
        $0.member("turn", $1.turn)
      }
    }
    return Data(json.bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: StaticString, _ value: Microseconds?) {
    member(key, value.map { Int($0.count) })
  }
}
