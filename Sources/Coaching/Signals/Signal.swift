import PoseModel

/// One number per frame, measured on the poses: an angle, a height, a distance.
///
/// Signals are values: a replay measures equal signals once for all detectors and settings.
public protocol Signal: Hashable, Sendable {
  /// The name for axes and tables: `knee angle`.
  var name: String { get }
  /// `degrees`
  var unit: String { get }

  /// Writes one value per frame, NaN if a joint is missing. Frames are independent.
  ///
  /// - Parameters:
  ///   - poses: The frames, in image heights with y down.
  ///   - output: The values, `poses.count` of them.
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

  /// The value of a signal on a frame; NaN if a joint is missing.
  ///
  /// - Parameters:
  ///   - signal: Index in the detector's `signals`.
  ///   - frame: 0..<`count`.
  @inlinable public subscript(_ signal: Int, _ frame: Int) -> Float {
    precondition(frame >= 0 && frame < count)
    return values[columns[signal] * stride + first + frame]
  }

  /// A signal's values on all frames, contiguous in memory; valid while the view is borrowed.
  func column(_ signal: Int) -> UnsafeBufferPointer<Float> {
    let start = columns[signal] * stride + first
    return UnsafeBufferPointer(rebasing: values[start..<start + count])
  }
}

/// Measures an observer's signals on one frame.
public protocol FrameMeasurement: Sendable {
  /// Writes the value of each signal on one frame, NaN if a joint is missing.
  ///
  /// - Parameters:
  ///   - poses: The poses of one frame.
  ///   - values: One per signal, in the order of the observer's signals.
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

/// The signals of a whole clip, each measured once: one contiguous buffer with one column per signal.
public struct SignalTable: Sendable {
  /// Number of frames.
  public let frameCount: Int
  /// The measured signals, in the order of their columns.
  private let signals: [any Signal]
  @usableFromInline let values: [Float]

  /// Measures all distinct signals among `signals` on all frames.
  public init(_ signals: [any Signal], on poses: PoseSequence) {
    let different = Self.different(signals)
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

  /// The distinct signals.
  public static func different(_ signals: [any Signal]) -> [any Signal] {
    guard signals.count > 1 else { return signals }
    var seen: Set<AnyHashable> = []
    return signals.filter { seen.insert(AnyHashable($0)).inserted }
  }

  /// The table with additional columns for missing signals of `more`; existing ones are not measured again.
  ///
  /// - Parameters:
  ///   - more: The required signals.
  ///   - poses: The poses that the table was measured on.
  public func adding(_ more: [any Signal], on poses: PoseSequence) -> SignalTable {
    let known = Set(signals.map { AnyHashable($0) })
    let new = more.filter { !known.contains(AnyHashable($0)) }
    guard !new.isEmpty else { return self }
    let added = SignalTable(new, on: poses)
    return SignalTable(signals + added.signals, values: values + added.values, frameCount: frameCount)
  }

  /// The size of the measurements in bytes.
  public var byteCount: Int { values.count * MemoryLayout<Float>.stride }

  /// The columns of `signals` in the table, for `withSignals`.
  ///
  /// - Precondition: All of them were measured.
  public func columns(of signals: [any Signal]) -> [Int] {
    let columns = Dictionary(uniqueKeysWithValues: zip(self.signals.map { AnyHashable($0) }, 0...))
    return signals.map { signal in
      guard let column = columns[AnyHashable(signal)] else { preconditionFailure("\(signal.name) was not measured") }
      return column
    }
  }

  /// One value per frame.
  public func values(of signal: any Signal) -> ArraySlice<Float> {
    let column = columns(of: [signal])[0]
    return values[column * frameCount..<(column + 1) * frameCount]
  }

  /// Calls `body` with a view of some signals over the frames in `range`.
  @inlinable
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
