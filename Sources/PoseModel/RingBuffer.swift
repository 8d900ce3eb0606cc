/// The last few values of a stream, oldest first: a contiguous buffer that never grows after it was made.
///
/// Appending to a full one drops the oldest. A copy shares the storage until one of the two is changed, which then
/// allocates once.
public struct RingBuffer<Element> {
  @usableFromInline var storage: ContiguousArray<Element>
  @usableFromInline var first = 0
  @usableFromInline var held = 0

  /// - Parameters:
  ///   - capacity: At least 1.
  ///   - filler: Fills the places without a value; it is never returned.
  @inlinable
  public init(capacity: Int, filler: Element) {
    precondition(capacity > 0)
    storage = ContiguousArray(repeating: filler, count: capacity)
  }

  /// Number of values held, at most `capacity`.
  @inlinable public var count: Int { held }
  /// How many values fit.
  @inlinable public var capacity: Int { storage.count }
  /// Whether the next value drops the oldest.
  @inlinable public var isFull: Bool { count == capacity }

  /// Adds the newest value.
  ///
  /// - Returns: The oldest, if it was dropped.
  @discardableResult
  @inlinable
  public mutating func append(_ value: Element) -> Element? {
    guard isFull else {
      storage[place(count)] = value
      held += 1
      return nil
    }
    let oldest = storage[first]
    storage[first] = value
    first = place(1)
    return oldest
  }

  /// Forgets every value and keeps the storage.
  @inlinable
  public mutating func removeAll() {
    first = 0
    held = 0
  }

  @inlinable
  func place(_ position: Int) -> Int {
    let place = first + position
    return place < capacity ? place : place - capacity
  }
}

extension RingBuffer: RandomAccessCollection {
  /// 0, the oldest value.
  @inlinable public var startIndex: Int { 0 }
  /// One past the newest value.
  @inlinable public var endIndex: Int { count }

  /// The value at an index counted from the oldest.
  @inlinable
  public subscript(_ position: Int) -> Element {
    precondition(position >= 0 && position < count)
    return storage[place(position)]
  }
}

extension RingBuffer: Sendable where Element: Sendable {}

extension RingBuffer: Equatable where Element: Equatable {
  /// Whether both hold the same values in the same order, whatever their capacity.
  public static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}
