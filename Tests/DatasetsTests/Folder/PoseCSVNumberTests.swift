import Datasets
import Files
import Foundation
import PoseModel
import TestSupport
import Testing

/// Numbers of a pose CSV are read as C's `strtof` reads them, bit for bit.
struct PoseCSVNumberTests {
  private func check(_ texts: [String]) throws {
    let rows = texts.enumerated().map { "\($0),\($0),\($1),0\n" }.joined()
    let keypoints = try PoseCSV.read(
      InputFile("a.csv", text: "frame,time_s,nose_x,nose_y\n" + rows),
      skeleton: Skeleton(name: "one", keypoints: ["nose"]), channels: [.x, .y])
    for (text, value) in zip(texts, keypoints.values) {
      #expect(value.bitPattern == strtof(text, nil).bitPattern, "\(text)")
    }
  }

  @Test func edges() throws {
    try check([
      "0", "-0", "-0.0", ".5", "5.", "00001.50", "1e0", "1E-3", "1e+2", "16777217", "16777219", "3.4028234663852886e38",
      "1e-45", "7e-46", "1e-400", "0.00000000000000000000000000000000000001", "1.17549435e-38", "9999999999999999999",
      "99999999999999999999", "0.1234567890123456789012345678901234567890", "1.00000005960464477539",
      "1.000000059604644775390625", "1.00000005960464477539062500000000000000000001",
    ])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func everyFloatFromItsShortestDecimal(_ seed: UInt64) throws {
    var generator = TestGenerator(seed: seed)
    let floats = (0..<20_000).map { _ in Float(bitPattern: .random(in: 0...UInt32.max, using: &generator)) }
    try check(floats.filter(\.isFinite).map { "\($0)" })
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func manyDigits(_ seed: UInt64) throws {
    var generator = TestGenerator(seed: seed)
    try check(
      (0..<20_000).map { _ in
        String(
          format: "%.\(Int.random(in: 0...25, using: &generator))f", Double.random(in: -3000...3000, using: &generator))
      })
  }

  /// Here rounding to double and then to float gives another result than rounding once.
  @Test(arguments: [7, 8, 9] as [UInt64])
  func besideTheMiddleOfTwoFloats(_ seed: UInt64) throws {
    var generator = TestGenerator(seed: seed)
    try check(
      (0..<20_000).map { _ in
        let float = Float.random(in: 0.001...4000, using: &generator)
        let middle = (Double(float) + Double(float.nextUp)) / 2
        return String(format: "%.\(Int.random(in: 12...40, using: &generator))f", middle)
          + ["", "0", "1", "00000001", "9"][Int.random(in: 0..<5, using: &generator)]
      })
  }
}
