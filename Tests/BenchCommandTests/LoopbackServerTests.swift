import Foundation
import Testing

@testable import BenchCommand

/// The server of `bench view`: what it reads, and whom it refuses.
@Suite struct LoopbackServerTests {
  private func request(_ lines: String...) throws -> HTTPRequest {
    try HTTPRequest(head: Array(lines.joined(separator: "\r\n").utf8))
  }

  @Test func aRequestIsReadAndDecoded() throws {
    let request = try request("GET /t/a%20b?clip=3&name=x%26y+z HTTP/1.1", "Host: localhost:1", "RANGE:  bytes=1-2 ")
    #expect(request.method == .get && request.path == ["t", "a b"] && request.bodyLength == 0)
    #expect(request.query == ["clip": "3", "name": "x&y z"])
    #expect(request.headers == ["host": "localhost:1", "range": "bytes=1-2"])
    #expect(try self.request("POST / HTTP/1.1", "Content-Length: 12").bodyLength == 12)
  }

  @Test(arguments: [
    ("", 400), ("GET /", 400), ("GET / HTTP/2", 400), ("GET  / HTTP/1.1", 400), ("PUT / HTTP/1.1", 405),
    ("get / HTTP/1.1", 405), ("GET http://127.0.0.1/ HTTP/1.1", 400), ("GET /../etc HTTP/1.1", 400),
    ("GET /%2e%2E/etc HTTP/1.1", 400), ("GET /a%2fb HTTP/1.1", 400), ("GET /a%5cb HTTP/1.1", 400),
    ("GET /a%00 HTTP/1.1", 400), ("GET /%zz HTTP/1.1", 400), ("GET /?a HTTP/1.1", 400),
    ("GET /?a=1&a=2 HTTP/1.1", 400), ("GET /ä HTTP/1.1", 400), ("GET / HTTP/1.1\r\nHost : a", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nhost: b", 400), ("GET / HTTP/1.1\r\nX: a\r\n b", 400),
    ("GET / HTTP/1.1\r\nX: a\nY: b", 400), ("POST / HTTP/1.1", 411), ("POST / HTTP/1.1\r\nContent-Length: -1", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 1048577", 413),
    ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999", 413),
    ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", 400),
    ("GET / HTTP/1.1" + String(repeating: "\r\nA: b", count: 65), 431),
  ])
  func aBadRequestIsRefused(_ head: String, _ status: Int) {
    #expect { try HTTPRequest(head: Array(head.utf8)) } throws: {
      ($0 as? HTTPRequest.Refusal)?.status.rawValue == status
    }
  }

  @Test(arguments: [
    ("bytes=0-0", 0..<1), ("bytes=2-", 2..<10), ("bytes=-3", 7..<10), ("bytes=-30", 0..<10), ("bytes=8-99", 8..<10),
    ("bytes=10-", nil), ("bytes=5-4", nil), ("bytes=-0", nil), ("bytes=1-2,4-5", 0..<10), ("lines=1-2", 0..<10),
  ])
  func aRangeOfTenBytes(_ text: String, _ range: Range<Int>?) throws {
    #expect(try request("GET / HTTP/1.1", "Range: \(text)").range(of: 10) == range)
  }

  /// Serves while a test asks.
  private func serving<Value>(
    seconds: Int = 10,
    answer: @escaping LoopbackServer.Answering = { request, body in
      HTTPAnswer(type: "text/plain", .bytes(Data(request.path.joined(separator: "/").utf8) + body))
    }, _ body: (LoopbackServer) throws -> Value
  ) throws -> Value {
    let server = try LoopbackServer(seconds: seconds, answer: answer)
    let done = DoneFlag()
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? server.serve { if done.isSet { throw CancellationError() } }
      ended.signal()
    }
    defer {
      done.set()
      ended.wait()
    }
    return try body(server)
  }

  @Test func onlyWhoKnowsTheAddressIsAnswered() throws {
    try serving { (server) throws in
      let host = "Host: 127.0.0.1:\(server.port)"
      let path = "/\(server.token)/a"
      func status(_ lines: String..., body: String = "") throws -> Int {
        try LoopbackClient(server.port).ask(lines, body: body).status
      }
      let whole = try LoopbackClient(server.port).ask(["GET \(path) HTTP/1.1", host])
      #expect(whole.status == 200 && whole.body == Data("a".utf8))
      for header in [
        "X-Content-Type-Options: nosniff", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin", "Content-Security-Policy: default-src 'none'",
      ] {
        #expect(whole.headers.contains(header), "\(header)")
      }
      #expect(try status("GET \(path) HTTP/1.1", "Host: LOCALHOST:\(server.port)") == 200)
      #expect(try status("GET /a HTTP/1.1", host) == 404)
      #expect(try status("GET /\(server.token)0/a HTTP/1.1", host) == 404)
      // A page of another site whose name leads to 127.0.0.1.
      #expect(try status("GET \(path) HTTP/1.1", "Host: evil.example:\(server.port)") == 403)
      #expect(try status("GET \(path) HTTP/1.1", "Host: 127.0.0.1") == 403)
      #expect(try status("GET \(path) HTTP/1.1") == 403)
      let post = ["POST \(path) HTTP/1.1", host, "Content-Length: 2", "Content-Type: application/json"]
      #expect(try LoopbackClient(server.port).ask(post, body: "{}").body == Data("a{}".utf8))
      #expect(try LoopbackClient(server.port).ask(post + ["Origin: http://evil.example"], body: "{}").status == 403)
      #expect(try status("POST \(path) HTTP/1.1", host, "Content-Length: 2", body: "{}") == 403)
      // The page itself is of this port; what another program on this machine serves is another site.
      let other = server.port == 1 ? 2 : server.port - 1
      for (origin, expected) in [
        ("http://127.0.0.1:\(server.port)", 200), ("http://localhost:\(server.port)", 200),
        ("http://127.0.0.1:\(other)", 403), ("http://127.0.0.1", 403), ("https://127.0.0.1:\(server.port)", 403),
        ("null", 403),
      ] {
        let answer = try LoopbackClient(server.port).ask(post + ["Origin: \(origin)"], body: "{}")
        #expect(answer.status == expected, "\(origin)")
      }
      #expect(try status("GET \(path) HTTP/1.1", host, "X: " + String(repeating: "a", count: 17 << 10)) == 431)
    }
  }

  /// 127.0.0.2 leads to this machine too, as its addresses in a network do: a server on all addresses would answer there.
  @Test func noOtherAddressOfThisMachineIsServed() throws {
    try serving { (server) throws in
      let client = LoopbackClient(server.port)
      let own = try #require(client.opened())
      close(own)
      let other = client.opened(at: 0x7F00_0002)
      #expect(other == nil)
      if let other { close(other) }
    }
  }

  /// Sixteen requests that do not come are waited for; who comes then is sent away until one of them goes.
  @Test func onlyAFewAreAnsweredAtOnce() throws {
    try serving { (server) throws in
      let client = LoopbackClient(server.port)
      let request = ["GET /\(server.token)/a HTTP/1.1", "Host: 127.0.0.1:\(server.port)"]
      var waiting = (0..<15).compactMap { _ in client.opened() }
      defer { for connection in waiting { close(connection) } }
      #expect(waiting.count == 15)
      #expect(try client.ask(request).status == 200)
      // The place of that request is free once its thread has ended, which may be after the answer.
      var isSentAway = false
      while !isSentAway, waiting.count < 20 {
        waiting += [client.opened()].compactMap(\.self)
        isSentAway = try client.bytes(request).isEmpty
      }
      #expect(isSentAway)
      close(waiting.removeFirst())
      let deadline = ContinuousClock.now + .seconds(5)
      var isAnswered = false
      while !isAnswered, ContinuousClock.now < deadline {
        usleep(5000)
        isAnswered = try !client.bytes(request).isEmpty
      }
      #expect(isAnswered)
    }
  }

  @Test func aRequestThatDoesNotComeIsEnded() throws {
    try serving(seconds: 0) { (server) throws in
      #expect(try LoopbackClient(server.port).ask(["GET / HTTP/1.1"]).status == 408)
    }
  }

  @Test func aFileIsSentInParts() throws {
    let workspace = try Workspace()
    let all = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try workspace.write(all, to: "clip.mp4")
    let path = workspace.path("clip.mp4")
    try serving(answer: { _, _ in HTTPAnswer(type: "video/mp4", .file(path)) }) { (server) throws in
      func ask(_ range: String...) throws -> LoopbackClient.Answer {
        try LoopbackClient(server.port).ask(
          ["GET /\(server.token)/v HTTP/1.1", "Host: 127.0.0.1:\(server.port)"] + range.map { "Range: \($0)" })
      }
      let whole = try ask()
      #expect(whole.status == 200 && whole.body == all && whole.headers.contains("Accept-Ranges: bytes"))
      let part = try ask("bytes=300000-699998")
      #expect(part.status == 206 && part.body == all[300_000..<699_999])
      #expect(part.headers.contains("Content-Range: bytes 300000-699998/700000"))
      let none = try ask("bytes=700000-")
      #expect(none.status == 416 && none.body.isEmpty && none.headers.contains("Content-Range: bytes */700000"))
      try workspace.remove("clip.mp4")
      #expect(try ask().status == 404)
    }
  }
}
