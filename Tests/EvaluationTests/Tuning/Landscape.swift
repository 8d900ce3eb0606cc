import Coaching
import Scoring

@testable import Evaluation

/// Settings whose scores are known by a formula, in the place of clips.
struct Landscape: Sendable {
  /// Each parameter has the levels 0, 1 … `levels` − 1 and begins at `base`.
  var axes = 1
  var levels = 2
  var base = 0.0
  var direction = Metric.Direction.lowerIsBetter
  /// The unit of its first parameter.
  var unit = Parameter.Unit.degrees
  /// Smoothings beside none, the suite's own: the last axis.
  var smoothings: [SmoothingChoice] = []
  /// Each subject's value at a setting; `nil` for a setting that contradicts itself.
  var values: @Sendable ([Double]) -> [String: Double?]?

  func folds(_ method: TuneSearch.Method, budget: Int = 300, seed: UInt64 = 1) throws -> TuneFolds {
    let values = values
    let table = TuneTable { points in
      points.map { point in
        guard let bySubject = values(point) else { return .contradiction("\(point) is impossible") }
        return .scored(Self.setting(point, bySubject))
      }
    }
    return TuneFolds(
      table: table, space: try space, search: TuneSearch(method: method, budget: budget, seed: seed),
      metric: Metric("m", "", direction, unit: "", range: -1000...1000, undefined: "", source: ""))
  }

  var space: TuneSpace {
    get throws {
      let list = (0..<levels).map(Double.init)
      return TuneSpace(
        axes: (0..<axes).map { axis in
          let isToggle = axis == 0 && unit == .toggle
          let parameter = Parameter(
            "p\(axis)", base, in: 0...Double(levels), isToggle ? .toggle : .degrees, "", source: "")
          return TuneAxis(parameter, over: .values(isToggle ? [0, 1] : list), base: base)
        } + (smoothings.isEmpty ? [] : [TuneAxis(smoothings, base: SmoothingChoice(nil))]))
    }
  }

  static func setting(_ point: [Double], _ bySubject: [String: Double?]) -> SweepResults.Setting {
    SweepResults.Setting(
      values: Dictionary(uniqueKeysWithValues: point.enumerated().map { ("p\($0)", $1) }), value: nil,
      bySubject: bySubject, undefinedClips: 0)
  }

  /// One parameter; a row of the table is a level, a column a subject: a, b, c …
  static func table(
    _ rows: [[Double?]], base: Int = 0, direction: Metric.Direction = .lowerIsBetter
  ) -> Landscape {
    Landscape(levels: rows.count, base: Double(base), direction: direction) { point in
      Dictionary(uniqueKeysWithValues: zip("abcdefghij".map(String.init), rows[Int(point[0])]))
    }
  }
}
