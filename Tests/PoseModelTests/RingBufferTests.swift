import PoseModel
import Testing

@Suite struct RingBufferTests {
  @Test func theOldestMakesRoom() {
    var ring = RingBuffer(capacity: 3, filler: 0)
    #expect(ring.isEmpty)
    for value in 1...3 { #expect(ring.append(value) == nil) }
    #expect(ring.isFull)
    #expect(ring.append(4) == 1)
    #expect(ring.append(5) == 2)
    #expect(Array(ring) == [3, 4, 5])
    #expect(ring.first == 3)
    #expect(ring.last == 5)
    #expect(ring[1] == 4)
  }

  @Test func aCopyIsItsOwn() {
    var ring = RingBuffer(capacity: 2, filler: 0)
    ring.append(1)
    var copy = ring
    copy.append(2)
    copy.append(3)
    #expect(Array(ring) == [1])
    #expect(Array(copy) == [2, 3])
    copy.removeAll()
    #expect(copy.isEmpty)
    copy.append(9)
    #expect(Array(copy) == [9])
  }
}
