import PoseModel
import Testing

@Suite struct AngleTests {
  @Test(arguments: [
    (SIMD3<Float>(1, 0, 0), SIMD3<Float>(0, 1, 0), Float(90)),
    (SIMD3(1, 0, 0), SIMD3(-1, 0, 0), 180),
    (SIMD3(1, 0, 0), SIMD3(2, 0, 0), 0),
    // An equilateral triangle, and a cube's edge and diagonal of a face in space.
    (SIMD3(1, 0, 0), SIMD3(0.5, Float(3).squareRoot() / 2, 0), 60),
    (SIMD3(0, 0, 1), SIMD3(0, 1, 1), 45),
  ])
  func atAVertex(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ degrees: Float) {
    let vertex = SIMD3<Float>(3, -2, 5)
    let angle = Angle.at(vertex, between: vertex + a, and: vertex + b)
    #expect(abs(angle - degrees) < 1e-4)
  }

  @Test func withoutLengthOrPlaceThereIsNoAngle() {
    let here = SIMD3<Float>(1, 1, 0)
    #expect(Angle.at(here, between: here, and: SIMD3(2, 1, 0)).isNaN)
    #expect(Angle.at(here, between: SIMD3(.nan, 0, 0), and: SIMD3(2, 1, 0)).isNaN)
  }

  /// y points down: upright is a smaller y.
  @Test func leanFromTheVertical() {
    let hip = SIMD3<Float>(0.5, 0.6, 0)
    #expect(abs(Angle.fromVertical(lower: hip, upper: hip + SIMD3(0, -1, 0)) - 0) < 1e-4)
    #expect(abs(Angle.fromVertical(lower: hip, upper: hip + SIMD3(1, -1, 0)) - 45) < 1e-4)
    #expect(abs(Angle.fromVertical(lower: hip, upper: hip + SIMD3(1, 0, 0)) - 90) < 1e-4)
    #expect(abs(Angle.fromVertical(lower: hip, upper: hip + SIMD3(0, 1, 0)) - 180) < 1e-4)
  }
}
