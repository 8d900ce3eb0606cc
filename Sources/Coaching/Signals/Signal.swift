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
  /// - Parameters:
  ///   - poses: the frames, in image heights with y down.
  ///   - output: has room for `poses.count` values.
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

  /// The value of a signal on a frame; NaN where a joint is missing.
  ///
  /// - Parameters:
  ///   - signal: position in the detector's `signals`.
  ///   - frame: 0..<`count`.
  @inlinable public subscript(_ signal: Int, _ frame: Int) -> Float {
    precondition(frame >= 0 && frame < count)
    return values[columns[signal] * stride + first + frame]
  }
}

/// Measures an observer's signals on one frame.
public protocol FrameMeasurement: Sendable {
  /// Writes the value of each signal on one frame, NaN where a joint is missing.
  ///
  /// - Parameters:
  ///   - poses: of one frame.
  ///   - values: one a signal, in the order of the observer's signals.
  func measure(_ poses: borrowing PoseColumns, into values: UnsafeMutableBufferPointer<Float>)
}

/// Signals that are measured one after the other.
struct SignalList: FrameMeasurement {
  private let signals: [any Signal]

  init(_ signals: [any Signal]) { self.signals = signals }

  func measure(_ poses: borrowing PoseColumns, into values: UnsafeMutableBufferPointer<Float>) {
    for index in signals.indices {
      signals[index].measure(poses, into: UnsafeMutableBufferPointer(rebasing: values[index..<index + 1]))
    }
  }
}

/// The signals of a whole clip, each measured once: one contiguous buffer, a column a signal.
public struct SignalTable: Sendable {
  /// Number of frames.
  public let frameCount: Int
  /// Those that were measured, in the order of their columns.
  private let signals: [any Signal]
  private let values: [Float]

  /// Measures every different signal among `signals` on all frames.
  public init(_ signals: [any Signal], on poses: PoseSequence) {
    var seen: Set<AnyHashable> = []
    let different = signals.filter { seen.insert(AnyHashable($0)).inserted }
    let count = poses.frameCount
    self.signals = different
    frameCount = count
    values = [Float](unsafeUninitializedCapacity: count * different.count) { buffer, initialized in
      poses.withPoses(0..<count) { poses in
        for (index, signal) in different.enumerated() {
          signal.measure(poses, into: UnsafeMutableBufferPointer(rebasing: buffer[index * count..<(index + 1) * count]))
        }
      }
      initialized = count * different.count
    }
  }

  private init(_ signals: [any Signal], values: [Float], frameCount: Int) {
    self.signals = signals
    self.values = values
    self.frameCount = frameCount
  }

  /// The table with columns for those of `more` that it does not have; those that it has are not measured again.
  ///
  /// - Parameters:
  ///   - more: the signals that it must have.
  ///   - poses: those that the table was measured on.
  public func adding(_ more: [any Signal], on poses: PoseSequence) -> SignalTable {
    let known = Set(signals.map { AnyHashable($0) })
    let new = more.filter { !known.contains(AnyHashable($0)) }
    guard !new.isEmpty else { return self }
    let added = SignalTable(new, on: poses)
    return SignalTable(signals + added.signals, values: values + added.values, frameCount: frameCount)
  }

  /// How many bytes the measurements take.
  public var byteCount: Int { values.count * MemoryLayout<Float>.stride }

  /// Where each of `signals` stands in the table, for `withSignals`.
  ///
  /// - Precondition: all of them were measured.
  public func columns(of signals: [any Signal]) -> [Int] {
    signals.map { signal in
      guard let position = self.signals.firstIndex(where: { AnyHashable($0) == AnyHashable(signal) }) else {
        preconditionFailure("\(signal.name) was not measured")
      }
      return position
    }
  }

  /// One value a frame.
  public func values(of signal: any Signal) -> ArraySlice<Float> {
    let column = columns(of: [signal])[0]
    return values[column * frameCount..<(column + 1) * frameCount]
  }

  /// Calls `body` with a view of some signals over the frames in `range`.
  public func withSignals<Result>(
    _ columns: [Int], _ range: Range<Int>, _ body: (borrowing SignalColumns) -> Result
  ) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= frameCount)
    return values.withUnsafeBufferPointer { values in
      columns.withUnsafeBufferPointer { columns in
        body(
          SignalColumns(
            values: values, columns: columns, stride: frameCount, first: range.lowerBound, count: range.count))
      }
    }
  }
}
