extension ConfusionMatrix: Codable {
  private enum CodingKeys: CodingKey { case labels, counts }

  /// - Throws: `DecodingError` where there is not a row and a column for each label, or a count is below 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let labels = try container.decode([String].self, forKey: .labels)
    let counts = try container.decode([[Int]].self, forKey: .counts)
    let isSquare = counts.count == labels.count && counts.allSatisfy { $0.count == labels.count }
    guard isSquare, Set(labels).count == labels.count, counts.allSatisfy({ $0.allSatisfy { $0 >= 0 } }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .counts, in: container,
        debugDescription: "expected \(labels.count) different labels with as many rows and columns of counts")
    }
    self.init(labels: labels, counts: counts)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(labels, forKey: .labels)
    try container.encode(counts, forKey: .counts)
  }
}
