/// Gives a file's memory back while somebody reads through it from front to back, so that it takes no more than a piece.
package struct ReadMemory {
  private let file: InputFile
  /// Up to here it has been given back.
  private var released: Int

  /// - Parameter position: where reading begins.
  package init(of file: InputFile, from position: Int = 0) {
    self.file = file
    released = position
  }

  /// Notes that everything before `position` has been read.
  @inline(__always)
  package mutating func pass(_ position: Int) {
    if position &- released >= InputFile.pieceSize { release(position) }
  }

  @inline(never)
  private mutating func release(_ position: Int) {
    file.release(released..<position)
    released = position
  }
}
