import CDecimals
import Foundation

/// A file from the user: its bytes, and its name in errors.
///
/// The bytes are mapped, which allows checking a header against the file's size before allocating anything. Truncating
/// a file while it is being read ends the process, as with every mapped file.
public struct InputFile: Sendable {
  /// The path as the user gave it.
  public let name: String
  public let bytes: Data
  /// The address of the mapped bytes; `nil` if they are in memory.
  private let mapping: UInt?

  /// - Parameter name: The file's name in errors; by default its path.
  /// - Throws: `DataError` if the file is absent, cannot be read, or is not a regular file.
  public init(_ path: String, name: String? = nil) throws {
    let name = name ?? path
    func failure() -> DataError {
      DataError(file: name, expected: "a file that can be read", found: String(cString: strerror(errno)).lowercased())
    }
    // Without O_NONBLOCK, opening a pipe without a writer would wait forever.
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

  /// Bytes already in memory, with their name for errors.
  public init(name: String, bytes: Data) {
    self.name = name
    self.bytes = bytes
    mapping = nil
  }

  /// Frees the memory of bytes that have been read, which matters for files larger than memory. They can be read again.
  package func release(_ range: Range<Int>) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let end = range.upperBound / page * page
    let start = range.lowerBound / page * page
    guard let mapping, page > 0, start < end else { return }
    madvise(UnsafeMutableRawPointer(bitPattern: mapping + UInt(start)), end - start, MADV_DONTNEED)
  }

  /// Calls `body` with the bytes piece by piece and frees each one of several: a file of any size takes no more memory
  /// than a piece.
  ///
  /// - Parameter range: The bytes to read; by default all.
  package func forEachPiece(of range: Range<Int>? = nil, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    let range = range ?? 0..<bytes.count
    try bytes.withUnsafeBytes { bytes in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize) {
        let piece = start..<min(start + Self.pieceSize, range.upperBound)
        try body(UnsafeRawBufferPointer(rebasing: bytes[piece]))
        if piece != range { release(piece) }
      }
    }
  }

  /// The number of bytes after which memory is freed.
  static let pieceSize = 1 << 24

  /// Refuses text in UTF-16, which a spreadsheet writes as "Unicode text", with a clear error: byte by byte it reads as
  /// garbage.
  ///
  /// It is recognised by its byte order mark, or by a NUL in one of the first two bytes.
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

  /// The size of the largest file that is read. A recording with the most numbers that a clip may have is smaller as text.
  static let largest = 1 << 32

  /// Refuses a file that is too large to be read.
  ///
  /// - Throws: `DataError`.
  public func requireReadableSize() throws { try requireSize(atMost: Self.largest) }

  /// - Throws: `DataError` if there are more bytes.
  public func requireSize(atMost largest: Int) throws {
    guard bytes.count > largest else { return }
    throw DataError(file: name, expected: "at most \(largest) bytes", found: "\(bytes.count)")
  }

  /// The size of the largest file of results that is read: it is in memory as a whole, and again as values.
  public static let largestResults = 1 << 27

  /// The size of the largest key or passphrase file.
  public static let largestSecret = 1 << 16

  /// Refuses a file that is too large, or does not begin as a text, without reading the rest.
  ///
  /// - Throws: `DataError`.
  public func requireBeginningOfText() throws {
    try InputFile(name: name, bytes: bytes.prefix(1 << 16)).requireNoNUL()
    try requireReadableSize()
  }

  /// Calls `body` with the number of each line, from 1, and its range without the line feed, and frees lines that were
  /// passed.
  ///
  /// - Parameter longest: The number of bytes that a line may have; the search for its end stops there.
  /// - Throws: `DataError` with the line for a longer one, and the errors of `body`.
  package func forEachLine(longest: Int, _ body: (Int, Range<Int>) throws -> Void) throws {
    var memory = ReadMemory(of: self)
    var (start, line) = (0, 0)
    try bytes.withUnsafeBytes { bytes in
      while start < bytes.count, let first = bytes.baseAddress?.advanced(by: start) {
        line += 1
        let limit = min(bytes.count - start, longest + 1)
        let length = memchr(first, 10, limit).map { UnsafeRawPointer($0) - first } ?? limit
        guard length <= longest else { throw tooLong(line, longest: longest) }
        try body(line, start..<start + length)
        start += length + 1
        memory.pass(start)
      }
    }
  }

  /// The number of bytes that a line of a table of numbers may have.
  static let longestRow = 1 << 24

  /// The error of a line in which no end was found.
  func tooLong(_ line: Int, longest: Int) -> DataError {
    DataError(file: name, line: line, expected: "at most \(longest) bytes in a line", found: "a longer one")
  }

  /// The position of the first line feed, or the end of the file.
  package var headerEnd: Int {
    bytes.withUnsafeBytes { bytes in
      bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }
  }

  /// Refuses NUL bytes, which fill files that were cut off in a crash or have unwritten holes.
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
  /// - Throws: `DataError` with the line if it is not UTF-8, or contains a NUL.
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
  /// A file of an untrusted folder, which may contain links to anything on this machine.
  ///
  /// A link is followed if it leads to a file in the same folder.
  ///
  /// - Parameters:
  ///   - relative: The path within the folder; errors name the file as the folder followed by it.
  ///   - directory: The folder, which may be a link itself.
  /// - Throws: `DataError` if a link or `..` leads out of the folder, and the errors of `init(_:name:)`.
  public init(_ relative: String, in directory: String) throws {
    let path = directory.hasSuffix("/") ? directory + relative : "\(directory)/\(relative)"
    guard let target = RealPath(path), let root = RealPath(directory) else {
      // There is no such file; opening it gives the reason.
      try self.init(path)
      return
    }
    try self.init(target, in: root, name: path)
  }

  /// - Throws: `DataError` if the file cannot be read or is outside the folder.
  init(_ path: RealPath, in folder: RealPath, name: String) throws {
    guard path.isWithin(folder) else {
      throw DataError(file: name, expected: "a file in the folder", found: "a link that leads outside")
    }
    try self.init(path.text, name: name)
  }
}

/// A path without symbolic links, `.` and `..`.
public struct RealPath: Hashable, Sendable {
  package let text: String

  /// `nil` if nothing exists at the path.
  public init?(_ path: String) {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    text = String(cString: resolved)
  }

  /// Whether it lies below a folder.
  public func isWithin(_ folder: RealPath) -> Bool { text.hasPrefix(folder.text == "/" ? "/" : folder.text + "/") }
}

extension Collection<UInt8> {
  /// The length of a UTF-8 byte order mark, which some programs write before text: 3, or 0 without one.
  public var byteOrderMarkCount: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}

extension Data {
  /// Everything after a byte order mark.
  public var withoutByteOrderMark: Data { dropFirst(byteOrderMarkCount) }
}

/// Counts and searches many bytes at a time, to size large tables before reading them.
extension UnsafeRawBufferPointer {
  /// How many of the bytes are `byte`.
  package func count(of byte: UInt8) -> Int { cdecimals_count(bytes, count, byte) }

  /// Whether all bytes are ASCII, and none of them is one of these.
  package func isASCII(without first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    cdecimals_is_ascii(bytes, count, first, second, third)
  }

  private var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
