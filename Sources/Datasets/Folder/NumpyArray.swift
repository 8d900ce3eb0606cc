import Foundation

/// An array of numbers as NumPy's `.npy` files hold it: a shape, and the values in C order (the last index runs fastest).
///
/// Read are format versions 1.0, 2.0 and 3.0 with little-endian float32 or float64, which is rounded to the nearest
/// float32; written is version 1.0 with float32. Source: NEP 1, A Simple File Format for NumPy Arrays, 2007, and the
/// documentation of `numpy.lib.format` (versions 2.0 and 3.0, alignment to 64 bytes).
public struct NumpyArray: Hashable, Sendable {
  public let shape: [Int]
  public let values: [Float]

  /// - Precondition: there are as many values as the shape says.
  public init(shape: [Int], values: [Float]) {
    precondition(shape.reduce(1, *) == values.count)
    self.shape = shape
    self.values = values
  }

  /// Reads a `.npy` file.
  ///
  /// Nothing is allocated before the size of the file is known to be what the shape says.
  ///
  /// - Throws: `DataError` where the file is not `.npy`, is of another version, type, byte or index order, holds more or
  ///   less than its shape says, or more than a clip may have (`ClipSize`).
  public init(_ file: InputFile) throws {
    let header = try NumpyHeader(file)
    shape = header.shape
    try ClipSize.check(
      frames: shape.first ?? 1, of: shape.isEmpty ? 1 : header.valueCount / max(shape[0], 1), file: file.name)
    values = [Float](unsafeUninitializedCapacity: header.valueCount) { values, initialized in
      values.preferLargePages()
      file.forEachPiece(of: header.byteCount..<file.bytes.count) { piece in
        let count = piece.count / header.type.byteCount
        let target = UnsafeMutableBufferPointer(rebasing: values[initialized..<initialized + count])
        switch header.type {
        case .float32: UnsafeMutableRawBufferPointer(target).copyMemory(from: piece)
        case .float64:
          for index in 0..<count {
            target[index] = Float(piece.loadUnaligned(fromByteOffset: index * 8, as: Double.self))
          }
        }
        initialized += count
      }
    }
  }

  /// Refuses what is no coordinate and would spoil all that is computed from it; NaN is missing.
  ///
  /// - Parameter file: what errors call the file.
  /// - Throws: `DataError` where a value is infinite.
  public func requireNoInfinity(_ file: String) throws {
    guard let place = values.firstInfinity else { return }
    var rest = place
    var indices: [Int] = []
    for count in shape.reversed() {
      indices.insert(rest % count, at: 0)
      rest /= count
    }
    throw DataError(
      file: file, expected: "numbers or NaN",
      found: "an infinity at [\(indices.map { "\($0)" }.joined(separator: ", "))]")
  }

  /// What a file's shape is, by its header alone.
  ///
  /// - Throws: `DataError` where the file is none that could be read.
  public static func shape(of file: InputFile) throws -> [Int] { try NumpyHeader(file).shape }

  /// The `.npy` file.
  public var encoded: Data {
    let dimensions = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(dimensions)), }"
    let prefix = NumpyHeader.magic.count + 4
    // Spaces and a line feed bring the values to a multiple of 64 bytes, so that they can be mapped.
    header += String(repeating: " ", count: 63 - (prefix + header.utf8.count) % 64) + "\n"
    var data = Data(NumpyHeader.magic)
    data.append(contentsOf: [1, 0])
    data.append(contentsOf: [UInt8(header.utf8.count & 0xFF), UInt8(header.utf8.count >> 8)])
    data.append(contentsOf: header.utf8)
    values.withUnsafeBytes { data.append(contentsOf: $0) }
    return data
  }
}
