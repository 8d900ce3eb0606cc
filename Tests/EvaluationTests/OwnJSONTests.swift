import Evaluation
import Files
import Foundation
import Pipeline
import Testing

/// Clips of a run and settings of a sweep write their own JSON, which is that of an encoder.
@Suite struct OwnJSONTests {
  private static let clip = #"""
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

  private static let plainClip = #"""
    {"dataset":"d","duration":0,"exercise":"","fps":29.97,"frames":0,"name":"é \"q\" \\ \u0001","outcomes":{},\#
    "subject":"s","view":""}
    """#

  private static let setting = #"""
    {"bestFor":["d/s1","d/s2"],"bySubject":{"d/s1":1.5,"d/s10":null,"d/s2":2},"interval":{"high":3,"low":1},\#
    "isOnPlateau":true,"isPooled":true,"loss":0.25,"lossInterval":{"high":1,"low":0},"phantoms":2,\#
    "undefinedClips":1,"value":1.75,"values":{"down":90,"up":160},"withoutSubject":{"d/s1":2}}
    """#

  private static let plainSetting = #"""
    {"bestFor":[],"bySubject":{},"isOnPlateau":false,"undefinedClips":0,"values":{}}
    """#

  /// The value of a text, which both ways give again.
  private func written<Value: Codable & JSONWritable & Sendable>(_ json: String, _: Value.Type) throws -> Value {
    let value = try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    #expect(try compactJSON(value) == json)
    #expect(try compactJSON(list: [value, value]) == "[\(json),\(json)]")
    return value
  }

  /// The names of the stored properties of a value and of all within it.
  private func members(of value: Any) -> Set<String> {
    let mirror = Mirror(reflecting: value)
    return mirror.children.reduce(into: []) { names, child in
      if mirror.displayStyle == .struct, let name = child.label { names.insert(name) }
      names.formUnion(members(of: child.value))
    }
  }

  @Test func aClipWritesWhatAnEncoderWrites() throws {
    let clip = try written(Self.clip, ClipResult.self)
    #expect(members(of: clip).filter { !Self.clip.contains("\"\($0)\":") } == [])
    let plain = try written(Self.plainClip, ClipResult.self)
    #expect(throws: EncodingError.self) {
      var endless = plain
      endless.duration = .infinity
      return try compactJSON(list: [endless])
    }
  }

  @Test func aSettingWritesWhatAnEncoderWrites() throws {
    let setting = try written(Self.setting, SweepResults.Setting.self)
    #expect(members(of: setting).filter { !Self.setting.contains("\"\($0)\":") } == [])
    _ = try written(Self.plainSetting, SweepResults.Setting.self)
  }
}
