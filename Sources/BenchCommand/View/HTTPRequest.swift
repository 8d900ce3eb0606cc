import Foundation

/// A request to the server of `bench view`: HTTP/1.1, of which it takes only what a browser sends for its page.
///
/// - Source: RFC 9112, sections 3, 5 and 6; RFC 9110, section 14.2 for ranges.
struct HTTPRequest: Hashable {
  enum Method: String { case get = "GET", post = "POST" }

  /// Why a request is refused.
  struct Refusal: Error, Hashable {
    var status: HTTPStatus
    var words: String
  }

  var method: Method
  /// Decoded; never `.` or `..`, and without `/` inside.
  var path: [String]
  /// Decoded.
  var query: [String: String]
  /// By names in lower case.
  var headers: [String: String]
  /// The length of the body in bytes.
  var bodyLength: Int

  static let longestHead = 16 << 10
  static let longestBody = 1 << 20
  private static let mostHeaders = 64

  /// - Parameter head: Everything before the empty line.
  /// - Throws: `Refusal`.
  init(head: [UInt8]) throws(Refusal) {
    func bad(_ words: String) -> Refusal { Refusal(status: .badRequest, words: words) }
    // Of all bytes only visible ASCII and spaces are allowed; line ends are CR LF.
    guard let text = String(bytes: head, encoding: .ascii) else { throw bad("expected ASCII in the head") }
    let lines = text.components(separatedBy: "\r\n")
    guard lines.joined().utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
      throw bad("expected no control characters in the head")
    }
    let start = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard start.count == 3, start[2] == "HTTP/1.1" || start[2] == "HTTP/1.0" else {
      throw bad("expected a request line of HTTP/1.1")
    }
    guard let method = Method(rawValue: String(start[0])) else {
      throw Refusal(status: .methodNotAllowed, words: "expected GET or POST")
    }
    self.method = method
    (path, query) = try Self.target(start[1])
    guard lines.count <= Self.mostHeaders + 1 else { throw Refusal(status: .headTooLarge, words: "too many headers") }
    headers = [:]
    for line in lines.dropFirst() {
      // A space before the colon, or a line that continues another, could be read in two ways.
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line[..<colon].contains(" "),
        !line[..<colon].contains("\t")
      else { throw bad("expected a header as name: value") }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      guard headers.updateValue(value, forKey: name) == nil || !["host", "content-length", "origin"].contains(name)
      else { throw bad("expected \(name) once") }
    }
    guard headers["transfer-encoding"] == nil else { throw bad("expected a body with Content-Length") }
    bodyLength = 0
    if let length = headers["content-length"] {
      guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw bad("expected a number as Content-Length")
      }
      guard let count = Int(length), count <= Self.longestBody else {
        throw Refusal(status: .bodyTooLarge, words: "expected a body of at most \(Self.longestBody) bytes")
      }
      bodyLength = count
    } else if method == .post {
      throw Refusal(status: .lengthRequired, words: "expected Content-Length")
    }
  }

  private static func target(_ target: Substring) throws(Refusal) -> ([String], [String: String]) {
    let bad = Refusal(status: .badRequest, words: "expected a path from / without . and ..")
    guard target.first == "/" else { throw bad }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = part.removingPercentEncoding, name != ".", name != "..",
        !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
      else { throw bad }
      path.append(name)
    }
    var query: [String: String] = [:]
    guard parts.count == 2, !parts[1].isEmpty else { return (path, query) }
    for pair in parts[1].split(separator: "&", omittingEmptySubsequences: false) {
      let sides = pair.replacing("+", with: " ").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let name = sides[0].removingPercentEncoding, let value = sides[1].removingPercentEncoding,
        query.updateValue(value, forKey: name) == nil
      else { throw Refusal(status: .badRequest, words: "expected each name once, as name=value") }
    }
    return (path, query)
  }

  /// The bytes that a `Range` asks for of a file of so many; all of them without one, `nil` for none of the file's.
  ///
  /// Several ranges are answered with the whole file, as RFC 9110 allows.
  func range(of size: Int) -> Range<Int>? {
    guard let text = headers["range"], text.hasPrefix("bytes="), !text.contains(",") else { return 0..<size }
    let sides = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return 0..<size }
    switch (Int(sides[0]), Int(sides[1])) {
    case (let first?, let last?) where first >= 0 && first <= last && first < size: return first..<min(last + 1, size)
    case (let first?, nil) where first >= 0 && first < size && sides[1].isEmpty: return first..<size
    case (nil, let count?) where sides[0].isEmpty && count > 0 && size > 0: return max(0, size - count)..<size
    default: return nil
    }
  }
}

enum HTTPStatus: Int {
  case ok = 200, partialContent = 206
  case badRequest = 400, forbidden = 403, notFound = 404, methodNotAllowed = 405, timeout = 408, conflict = 409
  case lengthRequired = 411, bodyTooLarge = 413, rangeNotSatisfiable = 416, unprocessable = 422, headTooLarge = 431
  case failed = 500

  var phrase: String {
    switch self {
    case .ok: "OK"
    case .partialContent: "Partial Content"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .timeout: "Request Timeout"
    case .conflict: "Conflict"
    case .lengthRequired: "Length Required"
    case .bodyTooLarge: "Content Too Large"
    case .rangeNotSatisfiable: "Range Not Satisfiable"
    case .unprocessable: "Unprocessable Content"
    case .headTooLarge: "Request Header Fields Too Large"
    case .failed: "Internal Server Error"
    }
  }
}

/// An answer of the server.
struct HTTPAnswer {
  enum Body {
    case bytes(Data)
    /// A file, or the part of it that the request asks for.
    case file(String)
  }

  var status: HTTPStatus
  /// `application/json`
  var type: String
  var body: Body
  /// The policy of a page.
  var policy: String?

  init(_ status: HTTPStatus = .ok, type: String, _ body: Body, policy: String? = nil) {
    (self.status, self.type, self.body, self.policy) = (status, type, body, policy)
  }

  /// Words for a person.
  init(_ status: HTTPStatus, _ words: String) {
    self.init(status, type: "text/plain; charset=utf-8", .bytes(Data(words.utf8)))
  }

  static func json(_ data: Data) -> HTTPAnswer { HTTPAnswer(type: "application/json", .bytes(data)) }
}
