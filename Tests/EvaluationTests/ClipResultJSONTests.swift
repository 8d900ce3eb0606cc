import Files
import Foundation
import Pipeline
import Testing

/// The clips of a run write their own JSON, which is that of an encoder.
@Suite struct ClipResultJSONTests {
  private static let full = #"""
    {"dataset":"squats","duration":18.766667,"exercise":"squat","fps":30,"frames":564,"name":"s01","outcomes":{"a":\#
    {"cases":{"latency.early":[null,1.5],"latency.live":[]},"classes":{"counts":[[1,2],[3,4]],"labels":["x","y"]},\#
    "count":2,"countConfidence":0.25,"graded":[{"predicted":61.5,"ratings":{"r1":60,"r10":1e+16,"r2":7},"rep":0},\#
    {"ratings":{}}],"judged":[{"grade":50,"isFaulty":true,"isReported":false,"rep":1},{"isFaulty":false,\#
    "isReported":true}],"liveDelays":[30,1e-07],"missed":[{"end":6.94166,"reason":{"cause":"too-short","limit":90,\#
    "parameter":"p","signal":"knee angle","unit":"degrees","value":141,"words":"141° needs < 90°"},"rep":3,"start":5}],\#
    "reportDelays":[100],"reps":[{"matches":0,"rep":{"end":3,"start":1,"turn":2},"reported":3.5},{"reason":{\#
    "cause":"unlabelled","words":"a / b"},"rep":{"end":9,"start":8}}]},"b":{"graded":[],"liveDelays":[],\#
    "reportDelays":[]}},"people":"all","subject":"01","trueCount":4,"trueReps":[{"end":3,"start":1,"turn":2}],\#
    "view":"side"}
    """#

  private static let plain = #"""
    {"dataset":"d","duration":0,"exercise":"","fps":29.97,"frames":0,"name":"é \"q\" \\ \u0001","outcomes":{},\#
    "subject":"s","view":""}
    """#

  @Test(arguments: [full, plain]) func aClipWritesWhatAnEncoderWrites(json: String) throws {
    let clip = try JSONDecoder().decode(ClipResult.self, from: Data(json.utf8))
    #expect(try compactJSON(clip) == json)
    #expect(try compactJSON(list: [clip, clip]) == "[\(json),\(json)]")
  }

  @Test func infinityIsNoJSON() throws {
    var clip = try JSONDecoder().decode(ClipResult.self, from: Data(Self.plain.utf8))
    clip.duration = .infinity
    #expect(throws: (any Error).self) { try compactJSON(list: [clip]) }
  }
}
