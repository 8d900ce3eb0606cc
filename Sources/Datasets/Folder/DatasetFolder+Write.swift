extension DatasetFolder {
  /// Writes a dataset folder that takes its clips one after the other, so that no more than one is in memory.
  ///
  /// The folder appears whole or not at all, also when the process is killed. The same dataset always gives the same
  /// bytes. What is written has been read again and checked by every rule of reading.
  ///
  /// - Parameters:
  ///   - directory: a folder that does not exist or is empty; missing folders above it are made.
  ///   - next: gives the next clip, `nil` after the last.
  /// - Throws: `DataError` where the folder cannot be written or what it would hold is wrong, and what `next` throws.
  public static func write(
    _ manifest: Manifest, to directory: String, clips next: () throws -> Clip?
  ) throws {
    var directory = directory
    while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
    let staging = try StagingFolder(for: directory)
    var writer = try DatasetWriter(manifest, folder: staging.path, destination: directory)
    while let clip = try next() { try writer.append(clip) }
    try writer.finish()
    do {
      _ = try DatasetFolder(staging.path)
    } catch var error as DataError {
      error.file = directory + error.file.dropFirst(staging.path.count)
      throw error
    }
    try staging.move()
  }

  /// Writes a dataset that is in memory.
  public static func write(_ dataset: Dataset, to directory: String) throws {
    var clips = dataset.clips.makeIterator()
    try write(dataset.manifest, to: directory) { clips.next() }
  }
}
