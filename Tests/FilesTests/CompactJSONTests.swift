import Dispatch
import Files
import Testing

/// Long lists are written apart and put into their object's text.
@Suite struct CompactJSONTests {
  private struct Clip: Encodable, JSONWritable {
    var none: [Double] = []
    var number: Int
    var table: [String: Double?] = ["\"[:,\\": 1.5, "{": nil, "ä": 2]

    func write(to json: inout JSONWriter) throws {
      try json.object {
        try $0.member("none", none)
        $0.member("number", number)
        try $0.member("table", table) { try $0.value($1) }
      }
    }
  }

  private struct Inner: Encodable { var clips: [String] = [] }

  private struct Outer: Encodable {
    var before = "\"clips\":[] \\"
    var clips: [Clip]
    var inner = Inner()
    var zero = 0
  }

  /// Neither a text nor an object within that looks alike is taken for the list.
  @Test(arguments: [0, 1, 63, 64, 65, 200]) func aListEncodedApartGivesTheSameText(count: Int) throws {
    let clips = (0..<count).map { Clip(number: $0) }
    let whole = try compactJSON(Outer(clips: clips))
    let list = try compactJSON(list: clips)
    #expect(try compactJSON(Outer(clips: []), list: list, key: "clips") == whole)
    #expect(lineByLineJSON(compact: whole) == (try lineByLineJSON(Outer(clips: clips))))
    #expect(try stableJSON(Outer(clips: []), list: clips, key: "clips") == stableJSON(Outer(clips: clips)))
  }

  @Test func jobsKeepTheirOrderAndTheFirstErrorCounts() throws {
    struct Failure: Error, Equatable { var job: Int }
    #expect(concurrently(100) { $0 * $0 } == (0..<100).map { $0 * $0 })
    #expect(throws: Failure(job: 3)) {
      try concurrently(10) { job in if job == 3 || job == 7 { throw Failure(job: job) } }
    }
    let both = try concurrently({ 1 }, { "two" })
    #expect(both.0 == 1 && both.1 == "two")
    #expect(throws: Failure(job: 1)) {
      try concurrently({ throw Failure(job: 1) }, { throw Failure(job: 2) }) as (Int, Int)
    }
  }

  /// Each of the inner jobs waits for the other.
  @Test func jobsWithinAJobRunAtTheSameTimeToo() {
    let met = concurrently(2) { outer -> Bool in
      let (left, right) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      return concurrently(2, threads: 2) { inner -> Bool in
        (inner == 0 ? left : right).signal()
        return (inner == 0 ? right : left).wait(timeout: .now() + 20) == .success
      }.allSatisfy(\.self)
    }
    #expect(met == [true, true])
  }
}
