import Files
import Foundation
import Synchronization

/// A server for one page on this machine: HTTP/1.1 on 127.0.0.1, one request a connection.
///
/// Only those who know the address can use it: it begins with a random token. A page of another site that points its name
/// at 127.0.0.1 is refused by the `Host` header, and one that sends a form by `Origin`. A request has a size and a time
/// limit, and only a few are answered at once.
final class LoopbackServer: Sendable {
  typealias Answering = @Sendable (HTTPRequest, _ body: Data) throws -> HTTPAnswer

  let port: UInt16
  /// The first part of every path.
  let token: String
  private let listener: Int32
  private let answer: Answering
  private let seconds: Int
  private let running = Mutex(0)

  private static let mostAtOnce = 16

  /// The kind of socket, which is of another type on each system.
  static var stream: Int32 {
    #if canImport(Darwin)
      SOCK_STREAM
    #else
      Int32(SOCK_STREAM.rawValue)
    #endif
  }

  /// Opens the port.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - seconds: How long a request may take to arrive.
  ///   - answer: Answers a request whose path no longer has the token; called on several threads.
  /// - Throws: `DataError` if the port cannot be had.
  init(port: UInt16 = 0, seconds: Int = 10, answer: @escaping Answering) throws {
    (self.answer, self.seconds) = (answer, seconds)
    var random = SystemRandomNumberGenerator()
    token = (0..<2).map { _ in String(random.next() | 1 << 63, radix: 16) }.joined()
    // A browser that closes a connection must not kill this process.
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Self.stream, 0)
    func failure() -> DataError {
      DataError(
        file: "127.0.0.1:\(port)", expected: "a free port; choose another with --port",
        found: String(cString: strerror(errno)).lowercased())
    }
    guard listener >= 0 else { throw failure() }
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 32) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isOpen else {
      let error = failure()
      close(listener)
      throw error
    }
    (self.listener, self.port) = (listener, UInt16(bigEndian: address.sin_port))
  }

  deinit { close(listener) }

  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  /// Answers requests until `isDone` throws.
  func serve(until isDone: () throws -> Void) throws {
    while true {
      try isDone()
      var event = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 200) > 0 else { continue }
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      let isFree = running.withLock { count in
        guard count < Self.mostAtOnce else { return false }
        count += 1
        return true
      }
      // A browser opens six at most; who opens more waits for nothing.
      guard isFree else {
        close(connection)
        continue
      }
      let thread = Thread { [self] in
        talk(on: connection)
        close(connection)
        running.withLock { $0 -= 1 }
      }
      // Detectors need the stack size of a main thread.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  private func talk(on connection: Int32) {
    var limit = timeval(tv_sec: .init(seconds), tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var request: HTTPRequest?
    let answered: HTTPAnswer
    do {
      let (read, body) = try receive(on: connection)
      request = read
      answered = try admitted(read).flatMap { try answer($0, body) } ?? HTTPAnswer(.notFound, "not found")
    } catch let refusal as HTTPRequest.Refusal {
      answered = HTTPAnswer(refusal.status, refusal.words)
    } catch {
      answered = HTTPAnswer(.failed, "\(error)")
    }
    send(answered, to: request, on: connection)
  }

  /// The request without the token; `nil` if it has another.
  ///
  /// - Throws: `Refusal` of a request that is for, or from, another site.
  func admitted(_ request: HTTPRequest) throws(HTTPRequest.Refusal) -> HTTPRequest? {
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = request.headers["host"], hosts.contains(host.lowercased()) else {
      throw HTTPRequest.Refusal(status: .forbidden, words: "expected the host 127.0.0.1:\(port)")
    }
    if let origin = request.headers["origin"], !hosts.contains(where: { origin == "http://\($0)" }) {
      throw HTTPRequest.Refusal(status: .forbidden, words: "expected a request of this page")
    }
    if request.method == .post, request.headers["content-type"] != "application/json" {
      throw HTTPRequest.Refusal(status: .forbidden, words: "expected application/json")
    }
    guard request.path.first == token else { return nil }
    var own = request
    own.path.removeFirst()
    return own
  }

  private func receive(on connection: Int32) throws -> (HTTPRequest, Data) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16 << 10)
    func more() throws {
      let count = recv(connection, &part, part.count, 0)
      guard count > 0, ContinuousClock.now < deadline else {
        throw HTTPRequest.Refusal(status: .timeout, words: "expected the whole request within \(seconds) s")
      }
      bytes += part[..<count]
    }
    let end = Array("\r\n\r\n".utf8)
    var head: Range<Int>?
    while head == nil {
      // What came before can end in a part of the empty line.
      let from = max(0, bytes.count - 3)
      try more()
      head = bytes[from...].firstRange(of: end)
      guard (head?.lowerBound ?? bytes.count) <= HTTPRequest.longestHead else {
        throw HTTPRequest.Refusal(
          status: .headTooLarge, words: "expected a head of at most \(HTTPRequest.longestHead) bytes")
      }
    }
    guard let head else { throw HTTPRequest.Refusal(status: .badRequest, words: "expected a head") }
    let request = try HTTPRequest(head: Array(bytes[..<head.lowerBound]))
    while bytes.count < head.upperBound + request.bodyLength { try more() }
    return (request, Data(bytes[head.upperBound..<head.upperBound + request.bodyLength]))
  }

  private func send(_ answer: HTTPAnswer, to request: HTTPRequest?, on connection: Int32) {
    var answer = answer
    var part: (file: Int32, range: Range<Int>, size: Int)?
    if case .file(let path) = answer.body {
      part = request.flatMap { Self.part(of: path, for: $0) }
      if part == nil { answer = HTTPAnswer(.notFound, "not found") }
    }
    defer { if let part { close(part.file) } }
    var headers = ["Content-Type: \(answer.type)"]
    var body = Data()
    if let part {
      headers.append("Accept-Ranges: bytes")
      if part.range.isEmpty, part.size > 0 {
        answer.status = .rangeNotSatisfiable
        headers.append("Content-Range: bytes */\(part.size)")
      } else if part.range.count < part.size {
        answer.status = .partialContent
        headers.append("Content-Range: bytes \(part.range.lowerBound)-\(part.range.upperBound - 1)/\(part.size)")
      }
    } else if case .bytes(let data) = answer.body {
      body = data
    }
    headers += [
      "Content-Length: \(part?.range.count ?? body.count)", "Connection: close", "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
      "Content-Security-Policy: \(answer.policy ?? "default-src 'none'")",
    ]
    let head =
      "HTTP/1.1 \(answer.status.rawValue) \(answer.status.phrase)\r\n" + headers.joined(separator: "\r\n") + "\r\n\r\n"
    guard Self.send(Data(head.utf8) + body, on: connection), let part else { return }
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    var at = part.range.lowerBound
    while at < part.range.upperBound {
      let count = pread(part.file, &bytes, min(bytes.count, part.range.upperBound - at), off_t(at))
      guard count > 0, Self.send(Data(bytes[..<count]), on: connection) else { return }
      at += count
    }
  }

  /// `false` if the other side is gone or too slow.
  private static func send(_ data: Data, on connection: Int32) -> Bool {
    data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.send(connection, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, 0)
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// An open file and the part of it that is asked for; the part is empty if the file has no such part.
  private static func part(of path: String, for request: HTTPRequest) -> (file: Int32, range: Range<Int>, size: Int)? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      return nil
    }
    let size = Int(status.st_size)
    return (file, request.range(of: size) ?? 0..<0, size)
  }
}
