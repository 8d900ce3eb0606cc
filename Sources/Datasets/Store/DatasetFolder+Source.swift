extension DatasetFolder: DatasetSource {
  public var clipCount: Int { clips.count }

  public func digest() throws -> ContentHash {
    try ContentHash.files(files.map { ($0, $0) }) { try contents.file($0) }
  }
}
