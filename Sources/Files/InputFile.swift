import CDecimals
import Foundation

/// A file that somebody gave us: its bytes, and the name that errors give it.
///
/// The bytes are mapped, so that a header can be checked against the file's size before anything is allocated. Whoever
/// truncates a file while it is being read ends the process, as with every mapped file.
public struct InputFile: Sendable {
  /// The path as the user gave it.
  public let name: String
  public let bytes: Data
  /// Where the bytes are mapped; `nil` where they are in memory.
  private let mapping: UInt?

  /// - Parameter name: what errors call the file; its path where nothing is given.
  /// - Throws: `DataError` where the file is absent, cannot be read, or is not a regular file.
  public init(_ path: String, name: String? = nil) throws {
    let name = name ?? path
    func failure() -> DataError {
      DataError(file: name, expected: "a file that can be read", found: String(cString: strerror(errno)).lowercased())
    }
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "a device, pipe or socket"
      throw DataError(file: name, expected: "a file that can be read", found: kind)
    }
    self.name = name
    guard status.st_size > 0 else {
      bytes = Data()
      mapping = nil
      return
    }
    let count = Int(status.st_size)
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      throw failure()
    }
    bytes = Data(bytesNoCopy: start, count: count, deallocator: .custom { munmap($0, $1) })
    mapping = UInt(bitPattern: start)
  }

  /// Bytes that are in memory already, under the name that errors give them.
  public init(name: String, bytes: Data) {
    self.name = name
    self.bytes = bytes
    mapping = nil
  }

  /// Gives back the memory of bytes that have been read, which matters where a file is larger than memory should be. They
  /// can be read again.
  package func release(_ range: Range<Int>) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let end = range.upperBound / page * page
    let start = range.lowerBound / page * page
    guard let mapping, page > 0, start < end else { return }
    madvise(UnsafeMutableRawPointer(bitPattern: mapping + UInt(start)), end - start, MADV_DONTNEED)
  }

  /// Calls `body` with the bytes piece by piece and gives the memory of each back, so that a file of any size takes no more
  /// of it than a piece.
  ///
  /// - Parameter range: which bytes; all where nothing is given.
  package func forEachPiece(of range: Range<Int>? = nil, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    let range = range ?? 0..<bytes.count
    try bytes.withUnsafeBytes { bytes in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize) {
        let piece = start..<min(start + Self.pieceSize, range.upperBound)
        try body(UnsafeRawBufferPointer(rebasing: bytes[piece]))
        release(piece)
      }
    }
  }

  /// Bytes after which memory is given back.
  static let pieceSize = 1 << 24

  /// Refuses text in UTF-16, which a spreadsheet writes as "Unicode text", by name: byte by byte it reads as anything.
  ///
  /// It is told by its byte order mark, or by a NUL in one of the first two bytes.
  ///
  /// - Throws: `DataError`.
  public func requireNoUTF16() throws {
    guard bytes.count >= 2 else { return }
    let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
    guard (first, second) == (0xFF, 0xFE) || (first, second) == (0xFE, 0xFF) || (first == 0) != (second == 0) else {
      return
    }
    throw DataError(file: name, expected: "text in UTF-8", found: "text in UTF-16; save it as UTF-8")
  }

  /// Where the first line feed is, or the file ends.
  package var headerEnd: Int {
    bytes.withUnsafeBytes { bytes in
      bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }
  }

  /// Refuses bytes that no text has, of which files are full that were cut off in a crash, or whose holes were never written.
  ///
  /// - Throws: `DataError` for UTF-16, and with the line of a NUL.
  public func requireNoNUL() throws {
    try requireNoUTF16()
    var (line, isFound) = (1, false)
    forEachPiece { piece in
      guard !isFound else { return }
      let nul = piece.firstIndex(of: 0)
      isFound = nul != nil
      line += UnsafeRawBufferPointer(rebasing: piece[..<(nul ?? piece.count)]).count(of: UInt8(ascii: "\n"))
    }
    if isFound { throw DataError(file: name, line: line, expected: "text", found: "a NUL character") }
  }

  /// The whole file as text, without a byte order mark.
  ///
  /// - Throws: `DataError` with the line where it is not UTF-8, or has a NUL.
  public func text() throws -> String {
    try requireNoNUL()
    if let text = String(bytes: bytes.withoutByteOrderMark, encoding: .utf8) { return text }
    var line = 1
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if String(bytes: part, encoding: .utf8) == nil { break }
      line += 1
    }
    throw DataError(file: name, line: line, expected: "UTF-8 text", found: "bytes that are not UTF-8")
  }
}

extension InputFile {
  /// A file of a folder that somebody gave us, which may hold links to anything on this machine.
  ///
  /// A link is followed where it leads to a file of the same folder.
  ///
  /// - Parameters:
  ///   - relative: the path within the folder; errors name the file as the folder followed by it.
  ///   - directory: the folder, which may be a link itself.
  /// - Throws: `DataError` where a link or `..` leads out of the folder, and as `init(_:name:)`.
  public init(_ relative: String, in directory: String) throws {
    let path = directory.hasSuffix("/") ? directory + relative : "\(directory)/\(relative)"
    guard let target = RealPath(path), let root = RealPath(directory) else {
      // There is no such file; opening it says why.
      try self.init(path)
      return
    }
    guard target.isWithin(root) else {
      throw DataError(file: path, expected: "a file in the folder", found: "a link that leads outside")
    }
    try self.init(target.text, name: path)
  }
}

/// A path without symbolic links, `.` and `..`.
public struct RealPath: Hashable, Sendable {
  package let text: String

  /// `nil` where nothing stands at the path.
  public init?(_ path: String) {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    text = String(cString: resolved)
  }

  /// Whether it lies below a folder.
  public func isWithin(_ folder: RealPath) -> Bool { text.hasPrefix(folder.text == "/" ? "/" : folder.text + "/") }
}

extension Collection<UInt8> {
  /// The bytes that UTF-8's byte order mark takes, which some programs put before text: 3, or 0 where there is none.
  public var byteOrderMarkCount: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}

extension Data {
  /// Everything after a byte order mark.
  public var withoutByteOrderMark: Data { dropFirst(byteOrderMarkCount) }
}

/// Counting and looking for bytes many at a time, as the sizes and kinds of large tables are found before they are read.
extension UnsafeRawBufferPointer {
  /// How many of the bytes are `byte`.
  package func count(of byte: UInt8) -> Int { cdecimals_count(bytes, count, byte) }

  /// Whether all bytes are ASCII, and none of them is one of these.
  package func isASCII(without first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    cdecimals_is_ascii(bytes, count, first, second, third)
  }

  private var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
