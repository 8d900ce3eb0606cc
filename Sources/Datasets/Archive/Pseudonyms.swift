import Files

/// Pseudonyms for people in an export: the same for a person throughout, and not reversible without the key.
///
/// The names of subjects, raters and clips (which often contain the subject's) become the first 48 bits of their
/// HMAC-SHA-256 under the key (RFC 2104). Anyone with the key and a list of names can match them.
///
/// Only names are hidden: manifest, times, labels and the names of events and faults stay the same, and a person's
/// movement and build can identify them. Skeleton gait recognition identifies people by the joints' movement alone
/// (Teepe et al., GaitGraph: Graph Convolutional Network for Skeleton-Based Gait Recognition, ICIP 2021).
public struct Pseudonyms: Sendable {
  private let key: [UInt8]

  /// A random key that is not kept: a person gets another name in every export.
  public init() { key = Cipher.randomBytes(32) }

  /// A key of at least 16 bytes, which gives a person the same name in every export.
  ///
  /// - Throws: `DataError` for a file that cannot be read, is shorter or has more than 64 KiB.
  public init(keyFile path: String) throws {
    let file = try InputFile(path)
    try file.requireSize(atMost: InputFile.largestSecret)
    guard file.bytes.count >= 16 else {
      throw DataError(file: path, expected: "a key of at least 16 random bytes", found: "\(file.bytes.count)")
    }
    key = Array(file.bytes)
  }

  public func subject(_ name: String) -> String { name.isEmpty ? "" : "p" + digest("subject", name) }

  public func rater(_ name: String) -> String { "r" + digest("rater", name) }

  public func clip(_ name: String) -> String { "c" + digest("clip", name) }

  /// The clip under pseudonyms, with grades and faults in the order of the raters' pseudonyms: the original order would
  /// identify raters to anyone with a list of them.
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
