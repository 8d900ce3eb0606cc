import PoseModel

/// One number a frame that is measured on the poses: an angle, a height, a distance.
///
/// A value type: two equal signals are one measurement, which a replay does once for all detectors and settings.
public protocol Signal: Hashable, Sendable {
  /// What it is, for axes and tables: `knee angle`.
  var name: String { get }
  /// `degrees`
  var unit: String { get }

  /// Writes one value a frame, NaN where a joint is missing. Looks at each frame by itself.
  ///
  /// - Parameter output: has room for `poses.count` values.
  func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>)
}

/// The values of a detector's signals over some frames, valid while it is borrowed.
public struct SignalColumns: ~Copyable {
  @usableFromInline let values: UnsafeBufferPointer<Float>
  @usableFromInline let columns: UnsafeBufferPointer<Int>
  @usableFromInline let stride: Int
  @usableFromInline let first: Int
  /// Number of frames.
  public let count: Int

  @usableFromInline
  init(
    values: UnsafeBufferPointer<Float>, columns: UnsafeBufferPointer<Int>, stride: Int, first: Int, count: Int
  ) {
    self.values = values
    self.columns = columns
    self.stride = stride
    self.first = first
    self.count = count
  }

  /// - Parameter signal: position in the detector's `signals`.
  @inlinable public subscript(_ signal: Int, _ frame: Int) -> Float {
    precondition(frame >= 0 && frame < count)
    return values[columns[signal] * stride + first + frame]
  }
}
