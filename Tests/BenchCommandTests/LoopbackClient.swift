import Foundation
import Synchronization
import Testing

@testable import BenchCommand

/// Asks a server on this machine, byte by byte as a test says.
struct LoopbackClient {
  struct Answer {
    var status: Int
    var headers: [String]
    var body: Data
  }

  private let port: UInt16

  init(_ port: UInt16) { self.port = port }

  /// An open connection to an address of this machine; `nil` where nobody listens.
  func opened(at place: UInt32 = 0x7F00_0001) -> Int32? {
    // The server may answer, and close, before it has read all.
    signal(SIGPIPE, SIG_IGN)
    let connection = socket(AF_INET, LoopbackServer.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = place.bigEndian
    let isOpen = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isOpen { return connection }
    close(connection)
    return nil
  }

  /// All that the server sends on an own connection; nothing if it closes the connection at once.
  ///
  /// - Parameter lines: The head without the empty line.
  func bytes(_ lines: [String], body: String = "") throws -> Data {
    let connection = try #require(opened())
    defer { close(connection) }
    let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
    var all = Data()
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = recv(connection, &part, part.count, 0), count > 0 { all += part[..<count] }
    return all
  }

  /// - Parameter lines: The head without the empty line.
  func ask(_ lines: [String], body: String = "") throws -> Answer {
    let all = try bytes(lines, body: body)
    let end = try #require(all.firstRange(of: Data("\r\n\r\n".utf8)))
    let head = String(decoding: all[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let status = try #require(head[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return Answer(status: status, headers: Array(head.dropFirst()), body: Data(all[end.upperBound...]))
  }
}

/// Says to another thread that a test has ended.
final class DoneFlag: Sendable {
  private let flag = Mutex(false)
  var isSet: Bool { flag.withLock { $0 } }
  func set() { flag.withLock { $0 = true } }
}
