import Files

/// Names for people in an export that say nothing of their own: each the same throughout, and none to be led back without
/// the key.
///
/// A subject, a rater and a clip's name, which often holds its subject's, become the first 48 bits of their HMAC-SHA-256
/// under the key (RFC 2104). Who has the key and a list of names can compute whose is whose.
///
/// It hides names and nothing else: manifest, times, labels and the words of events and faults stay as they are, and how a
/// person moves and is built can tell who it is. People are told apart by the joints' movement alone in skeleton gait
/// recognition (Teepe et al., GaitGraph: Graph Convolutional Network for Skeleton-Based Gait Recognition, ICIP 2021).
public struct Pseudonyms: Sendable {
  private let key: [UInt8]

  /// With a key that nobody keeps: no two exports give a person the same name.
  public init() { key = Cipher.randomBytes(32) }

  /// With a key of at least 16 bytes, under which a person has the same name in every export.
  ///
  /// - Throws: `DataError` for a file that cannot be read or holds fewer.
  public init(keyFile path: String) throws {
    let bytes = try InputFile(path).bytes
    guard bytes.count >= 16 else {
      throw DataError(file: path, expected: "a key of at least 16 random bytes", found: "\(bytes.count)")
    }
    key = Array(bytes)
  }

  public func subject(_ name: String) -> String { name.isEmpty ? "" : "p" + digest("subject", name) }

  public func rater(_ name: String) -> String { "r" + digest("rater", name) }

  /// The clip under other names.
  public func applied(to clip: Clip) -> Clip {
    var clip = clip
    clip.info.name = "c" + digest("clip", clip.info.name)
    clip.info.subject = subject(clip.info.subject)
    for index in clip.labels.grades.indices { clip.labels.grades[index].rater = rater(clip.labels.grades[index].rater) }
    for index in clip.labels.faults.indices { clip.labels.faults[index].rater = rater(clip.labels.faults[index].rater) }
    return clip
  }

  /// Twelve hexadecimal digits.
  private func digest(_ kind: String, _ name: String) -> String {
    Cipher.hmac(key: key, Array("\(kind)\u{0}\(name)".utf8)).prefix(6).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }
}
