import CAllocationCounter

/// What the frames allocate that a detector says nothing of, where buffers have grown to their size.
public struct SilentFrames: Hashable, Sendable {
  public private(set) var count = 0
  /// How many of them allocate.
  public private(set) var allocating = 0

  /// Looks at the later half of the frames, before which buffers may grow; `nil`, and said, where allocations are not
  /// counted.
  ///
  /// - Parameter update: shows the detector a frame and says whether it was silent.
  public init?(of frames: Int, _ update: (Int) -> Bool) {
    guard allocations_are_counted() != 0 else {
      print("allocations are counted with the GNU C library only: not tested here")
      return nil
    }
    for frame in 0..<frames {
      let before = allocation_count()
      let isSilent = update(frame)
      let spent = allocation_count() - before
      guard isSilent, frame >= frames / 2 else { continue }
      count += 1
      if spent > 0 { allocating += 1 }
    }
  }
}
