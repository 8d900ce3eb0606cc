import PoseModel
import RealModule
import Testing

@Suite struct DouglasPeuckerTests {
  /// Of a roof with a small step in its left slope, at 0.5 above the line from eave to ridge: the step goes with a
  /// tolerance above its distance from that line.
  @Test func pointsNearerThanTheToleranceGo() {
    // The slope runs from (0, 0) to (4, 4); (2, 3) is 1/√2 = 0.707 from it.
    let roof: [SIMD2<Float>] = [SIMD2(0, 0), SIMD2(2, 3), SIMD2(4, 4), SIMD2(8, 0)]
    #expect(DouglasPeucker.simplified(roof, tolerance: 0.70) == roof)
    #expect(DouglasPeucker.simplified(roof, tolerance: 0.71) == [roof[0], roof[2], roof[3]])
    // The ridge is 4 above the line between the eaves.
    #expect(DouglasPeucker.simplified(roof, tolerance: 3.99) == [roof[0], roof[2], roof[3]])
    #expect(DouglasPeucker.simplified(roof, tolerance: 4) == [roof[0], roof[3]])
  }

  @Test func aStraightLineIsItsEnds() {
    let line = (0..<100).map { SIMD2(Float($0), 2 * Float($0)) }
    #expect(DouglasPeucker.simplified(line, tolerance: 0.001) == [line[0], line[99]])
  }

  @Test func aClosedPathKeepsItsFurthestPoint() {
    let loop: [SIMD2<Float>] = [SIMD2(0, 0), SIMD2(1, 0), SIMD2(1, 1), SIMD2(0, 1), SIMD2(0, 0)]
    #expect(DouglasPeucker.simplified(loop, tolerance: 0.9) == [loop[0], loop[2], loop[4]])
  }

  /// A circle has no corner that stands out, a spiral none either: both still get as many points as are asked for.
  @Test(arguments: [16, 40, 90, 500])
  func aNumberOfPointsIsReached(_ count: Int) {
    let spiral = (0..<count).map { index -> SIMD2<Float> in
      let turn = 4 * Double(index) / Double(count)
      return SIMD2(Float(turn * Double.cos(turn)), Float(turn * Double.sin(turn)))
    }
    let thinned = DouglasPeucker.simplified(spiral, to: 10...15)
    #expect((10...15).contains(thinned.count))
    #expect(thinned.first == spiral.first && thinned.last == spiral.last)
    #expect(thinned.allSatisfy { spiral.contains($0) })
  }

  /// No tolerance keeps some teeth of a saw whose teeth are equal: then points are taken evenly.
  @Test func equalTeethAreThinnedEvenly() {
    let saw = (0..<41).map { SIMD2(Float($0), $0 % 2 == 0 ? 0 : Float(1)) }
    let thinned = DouglasPeucker.simplified(saw, to: 10...15)
    #expect(thinned.count <= 15 && thinned.count >= 2)
    #expect(thinned.first == saw.first && thinned.last == saw.last)
  }

  @Test func aShortPathStays() {
    let path = (0..<9).map { SIMD2(Float($0), 0) }
    #expect(DouglasPeucker.simplified(path, to: 10...15) == path)
    #expect(DouglasPeucker.simplified([], to: 10...15).isEmpty)
  }
}
