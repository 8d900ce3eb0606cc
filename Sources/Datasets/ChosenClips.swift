import Files

/// The names of the clips to import, from a text file with one name a line; empty lines are skipped.
public struct ClipList: Sendable {
  private let file: String
  /// In the order of the file.
  private let names: [(name: String, line: Int)]

  /// - Throws: `DataError` with the line if a line is no clip's name or a name is there twice, and without a line for a
  ///   file without names.
  public init(_ file: InputFile) throws {
    self.file = file.name
    var names: [(name: String, line: Int)] = []
    var lines: [String: Int] = [:]
    let text = try file.text().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in text.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let name = String(line)
      guard PortableName.isValid(name) else {
        throw DataError(
          file: file.name, line: index + 1, expected: "one clip's name, \(PortableName.description)",
          found: Excerpt.of(name))
      }
      if let other = lines.updateValue(index + 1, forKey: name) {
        throw DataError(
          file: file.name, line: index + 1, clip: name, expected: "each clip once", found: "it also on line \(other)")
      }
      names.append((name, index + 1))
    }
    guard !names.isEmpty else { throw DataError(file: file.name, expected: "clip names, one a line", found: "none") }
    self.names = names
  }

  /// The listed clips of the datasets of one import; `nil` for a dataset with none of them.
  ///
  /// - Throws: `DataError` with the line of a clip that none of the datasets has, and the errors of the sources.
  public func chosen(from sources: [any DatasetSource]) throws -> [ChosenClips?] {
    let all = try sources.map { source in try (0..<source.clipCount).map { try source.clipName($0) } }
    let known = Set(all.joined())
    if let unknown = names.first(where: { !known.contains($0.name) }) {
      throw DataError(
        file: file, line: unknown.line, clip: unknown.name, expected: "a clip of the source",
        found: "none called " + NearNames.question(unknown.name, in: known.sorted()))
    }
    let wanted = Set(names.map(\.name))
    return zip(sources, all).map { source, names in
      let indices = names.indices.filter { wanted.contains(names[$0]) }
      return indices.isEmpty ? nil : ChosenClips(source, indices: indices, names: indices.map { names[$0] })
    }
  }
}

/// A source with some of its clips only, in its order.
public struct ChosenClips: DatasetSource {
  private let base: any DatasetSource
  /// Of the chosen clips in the base.
  private let indices: [Int]
  private let names: [String]

  fileprivate init(_ base: any DatasetSource, indices: [Int], names: [String]) {
    (self.base, self.indices, self.names) = (base, indices, names)
  }

  public var manifest: Manifest { base.manifest }
  public var clipCount: Int { indices.count }

  public func digest() throws -> ContentHash {
    let hash = SHA256()
    hash.update("clips 1")
    hash.update(try base.digest().hex)
    for name in names { hash.update(name) }
    return ContentHash(hash.finish())
  }

  public func clip(_ index: Int) throws -> Clip { try base.clip(indices[index]) }
  public func clipName(_ index: Int) throws -> String { names[index] }
}
