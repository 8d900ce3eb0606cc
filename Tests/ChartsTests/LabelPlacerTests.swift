import Charts
import Testing

struct LabelPlacerTests {
  private let bounds = Rect(x: 0, y: 0, width: 100, height: 50)

  @Test func refusesWhatTouchesOrLeaves() {
    var placer = LabelPlacer(bounds: bounds, gap: 2)
    let boxes = [
      Rect(x: 10, y: 10, width: 20, height: 10),
      // One point right of the first, then two.
      Rect(x: 31, y: 10, width: 20, height: 10), Rect(x: 32, y: 10, width: 20, height: 10),
      // Past the right edge.
      Rect(x: 85, y: 10, width: 16, height: 10), Rect(x: .nan, y: 10, width: 16, height: 10),
    ]
    let taken = boxes.map { placer.place($0) }
    #expect(taken == [true, false, true, false, false])
    #expect(placer.boxes.count == 2)
  }

  @Test func prefersWhatCoversNothing() {
    var placer = LabelPlacer(bounds: bounds)
    placer.avoid(Rect(x: 0, y: 0, width: 10, height: 10))
    let covering = Rect(x: 5, y: 0, width: 10, height: 10)
    let clear = Rect(x: 40, y: 0, width: 10, height: 10)
    #expect(placer.best(of: [covering, clear]) == clear)
    #expect(placer.best(of: [covering]) == covering)
    // Half of it is covered.
    #expect(placer.best(of: [covering], covering: 0.4) == nil)
    #expect(placer.best(of: [covering], covering: 0.5) == covering)
    #expect(placer.best(of: []) == nil)
  }
}
