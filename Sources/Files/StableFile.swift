import Foundation

/// JSON for files that people compare: sorted keys, one value per line, a line feed at the end.
public func stableJSON(_ value: some Encodable) throws -> Data { Data((try stableText(value) + "\n").utf8) }

/// The same with a long list in place of an empty one, its elements written on all cores.
///
/// - Parameter key: The key of the empty list, at the top level.
package func stableJSON<Element: JSONWritable & Sendable>(
  _ value: some Encodable, list: [Element], key: String
) throws -> Data {
  let whole = try stableText(value)
  let opening = "\n  \"\(key)\" : ["
  guard !list.isEmpty, let place = whole.firstRange(of: opening + "\n\n  ]") else { return try stableJSON(value) }
  let elements = try inParts(list) { element in
    var json = JSONWriter()
    try element.write(to: &json)
    return visibleJSON(String(decoding: laidOut(json.bytes, depth: 2), as: UTF8.self))
  }
  let text = elements.map { "\n    \($0)" }.joined(separator: ",")
  return Data((whole[..<place.lowerBound] + opening + text + "\n  ]" + whole[place.upperBound...] + "\n").utf8)
}

/// JSON without white space in the layout of `stableText`.
///
/// - Parameter depth: The number of lists and tables around it.
private func laidOut(_ json: [UInt8], depth: Int) -> [UInt8] {
  var text: [UInt8] = []
  text.reserveCapacity(2 * json.count)
  var depth = depth
  var (isText, isEscaped) = (false, false)
  func newLine() {
    text.append(UInt8(ascii: "\n"))
    for _ in 0..<2 * depth { text.append(UInt8(ascii: " ")) }
  }
  for (place, byte) in json.enumerated() {
    if isText {
      text.append(byte)
      isText = isEscaped || byte != UInt8(ascii: "\"")
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      continue
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      text.append(byte)
      depth += 1
      let isEmpty = json[place + 1] == UInt8(ascii: "}") || json[place + 1] == UInt8(ascii: "]")
      if isEmpty { text.append(UInt8(ascii: "\n")) } else { newLine() }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      newLine()
      text.append(byte)
    case UInt8(ascii: ","):
      text.append(byte)
      newLine()
    case UInt8(ascii: ":"): text += " : ".utf8
    default:
      text.append(byte)
      isText = byte == UInt8(ascii: "\"")
    }
  }
  return text
}

private func stableText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
  return visibleJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// JSON without white space, for programs: sorted keys.
package func compactJSON(_ value: some Encodable) throws -> String {
  visibleJSON(String(decoding: try canonicalJSON(value), as: UTF8.self))
}

/// A long list as JSON without white space, its elements written one by one on all cores.
package func compactJSON<Element: JSONWritable & Sendable>(list: [Element]) throws -> String {
  let elements = try inParts(list) { element in
    var json = JSONWriter()
    try element.write(to: &json)
    return visibleJSON(String(decoding: json.bytes, as: UTF8.self))
  }
  // Reserved, and without further copies: a list may take much of the memory.
  var text = "["
  text.reserveCapacity(elements.reduce(2) { $0 + $1.utf8.count + 1 })
  for (index, element) in elements.enumerated() {
    if index > 0 { text += "," }
    text += element
  }
  text += "]"
  return text
}

/// The texts of a list's elements, made on all cores.
private func inParts<Element: Sendable>(
  _ list: [Element], _ text: @escaping @Sendable (Element) throws -> String
) throws -> [String] {
  let size = 64
  return try concurrently((list.count + size - 1) / size) { part in
    try list[part * size..<min((part + 1) * size, list.count)].map(text)
  }.flatMap(\.self)
}

/// An object as JSON without white space, with an encoded list in place of an empty one.
///
/// - Parameter key: The key of the empty list, at the top level.
package func compactJSON(_ value: some Encodable, list: String, key: String) throws -> String {
  let text = try compactJSON(value)
  guard let end = endOfEmptyList(key, in: Array(text.utf8)) else { return text }
  var whole = ""
  whole.reserveCapacity(text.utf8.count + list.utf8.count)
  whole += text.prefix(upTo: text.utf8.index(text.startIndex, offsetBy: end - 2))
  whole += list
  whole += text.suffix(from: text.utf8.index(text.startIndex, offsetBy: end))
  return whole
}

/// The index after an empty list at the top level of an object without white space; `nil` if there is none.
private func endOfEmptyList(_ key: String, in bytes: [UInt8]) -> Int? {
  let empty = Array("\"\(key)\":[]".utf8)
  var (depth, isText, place) = (0, false, 0)
  while place < bytes.count {
    let byte = bytes[place]
    if !isText, depth == 1, byte == UInt8(ascii: "\""), bytes[place...].starts(with: empty) {
      return place + empty.count
    }
    switch byte {
    case UInt8(ascii: "\\") where isText: place += 1
    case UInt8(ascii: "\""): isText.toggle()
    case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText: depth += 1
    case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText: depth -= 1
    default: break
    }
    place += 1
  }
  return nil
}

/// JSON for long files that people compare: sorted keys, each entry of a top-level list or table on its own line, a
/// line feed at the end.
package func lineByLineJSON(_ value: some Encodable) throws -> Data { lineByLineJSON(compact: try compactJSON(value)) }

/// The same from JSON without white space.
package func lineByLineJSON(compact json: String) -> Data {
  var json = json
  return json.withUTF8(lineByLineJSON)
}

private func lineByLineJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> Data {
  /// Whether the element that opens at an index contains lists or tables.
  func isNested(_ start: Int) -> Bool {
    var (depth, isText) = (0, false)
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\") where isText: place += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText:
        depth += 1
        if depth > 1 { return true }
      case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText:
        depth -= 1
        if depth == 0 { return false }
      default: break
      }
      place += 1
    }
    return false
  }
  // A byte at a time is slow to append to data, and all of the text would be there twice.
  var text: [UInt8] = []
  var data = Data(capacity: bytes.count + bytes.count / 8)
  var breaks: [Bool] = []
  var isText = false
  func newLine(_ depth: Int) { text += [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth) }
  var place = 0
  while place < bytes.count {
    let byte = bytes[place]
    if isText {
      text.append(byte)
      if byte == UInt8(ascii: "\\"), place + 1 < bytes.count {
        place += 1
        text.append(bytes[place])
      } else if byte == UInt8(ascii: "\"") {
        isText = false
      }
    } else {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        breaks.append(breaks.count < 2 && isNested(place))
        text.append(byte)
        if breaks.last == true { newLine(breaks.count) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if breaks.popLast() == true { newLine(breaks.count) }
        text.append(byte)
      case UInt8(ascii: ","):
        text.append(byte)
        if breaks.last == true { newLine(breaks.count) } else { text.append(UInt8(ascii: " ")) }
      case UInt8(ascii: ":"): text += [byte, UInt8(ascii: " ")]
      default:
        text.append(byte)
        isText = byte == UInt8(ascii: "\"")
      }
    }
    place += 1
    if text.count >= 1 << 16 {
      data.append(contentsOf: text)
      text.removeAll(keepingCapacity: true)
    }
  }
  text.append(UInt8(ascii: "\n"))
  data.append(contentsOf: text)
  return data
}

/// Writes a file atomically, creating its folder if necessary.
///
/// It is written in a hidden folder beside it and then renamed. A killed process leaves that folder, and the next write
/// of the file deletes it. A new file is accessible only to its user; a replaced one keeps its permissions.
///
/// - Throws: `DataError` with the system's reason, and if the path is not a regular file.
public func writeWhole(_ data: Data, to path: String) throws {
  var there = stat()
  let isThere = stat(path, &there) == 0
  let kind = there.st_mode & S_IFMT
  guard !isThere || kind == S_IFREG || kind == S_IFDIR else {
    throw DataError(file: path, expected: "a file to write", found: "a device, pipe or socket")
  }
  let staging = try StagingFolder(forFile: path)
  let kept = isThere && kind == S_IFREG && there.st_uid == geteuid() ? there.st_mode & 0o777 : nil
  let file = try OutputFile(in: staging, name: path, permissions: kept ?? Permissions.file)
  try file.append(data)
  try file.finish()
  try staging.moveFile()
}

/// Appends to a file that other programs write too, creating it if necessary.
///
/// - Throws: `DataError` with the system's reason, and if the path is not a regular file.
public func append(_ data: Data, toFile path: String) throws {
  // Without O_NONBLOCK, opening a pipe without a reader would wait forever.
  let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, Permissions.file)
  guard descriptor >= 0 else { throw DataError.cannotWrite(path) }
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    close(descriptor)
    throw DataError(file: path, expected: "a file to write", found: "a device, pipe or socket")
  }
  let isWritten = data.withUnsafeBytes { writeAll($0, to: descriptor) }
  let reason = errno
  guard close(descriptor) == 0, isWritten else {
    if !isWritten { errno = reason }
    throw DataError.cannotWrite(path)
  }
}
