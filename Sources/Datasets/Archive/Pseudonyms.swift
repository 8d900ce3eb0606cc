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

  public func clip(_ name: String) -> String { "c" + digest("clip", name) }

  /// The clip under other names, with grades and faults in the order of the raters' other names: theirs would tell who is
  /// who to anybody with a list of them.
  public func applied(to clip: Clip) -> Clip {
    var clip = clip
    clip.info.name = self.clip(clip.info.name)
    clip.info.subject = subject(clip.info.subject)
    for index in clip.labels.grades.indices { clip.labels.grades[index].rater = rater(clip.labels.grades[index].rater) }
    for index in clip.labels.faults.indices { clip.labels.faults[index].rater = rater(clip.labels.faults[index].rater) }
    func order<Label>(
      _ labels: inout [Label], _ rep: (Label) -> Int?, _ rater: (Label) -> String, _ name: (Label) -> String
    ) {
      labels.sort { (rep($0) ?? -1, rater($0), name($0)) < (rep($1) ?? -1, rater($1), name($1)) }
    }
    order(&clip.labels.grades, \.rep, \.rater, \.criterion)
    order(&clip.labels.faults, \.rep, \.rater, \.name)
    return clip
  }

  /// Twelve hexadecimal digits.
  private func digest(_ kind: String, _ name: String) -> String {
    Cipher.hmac(key: key, Array("\(kind)\u{0}\(name)".utf8)).prefix(6).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }
}
